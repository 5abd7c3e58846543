/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_BUDGET_H
#define EOWN_BUDGET_H

#include "eown/allocator.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A retry budget (rule 5): over a sliding window of EOWN_BUDGET_WINDOW_MS,
 * retries may make up `percent` of the first attempts, and `min_per_second`
 * retries a second come on top, for low traffic. Lock-free; under many threads
 * it may let through as many retries too many as threads ask at one instant. */
typedef struct eown_budget eown_budget;

#define EOWN_BUDGET_WINDOW_MS 10000u

/* Finds the budget of `target` (NUL-terminated, copied) with these figures
 * among those in use, or makes one: channels to one target share a budget. The
 * caller owns a reference. Returns NULL when out of memory. Takes a lock: for
 * the set-up of a channel, not for calls. */
eown_budget *eown_budget_acquire(const char *target, double percent,
                                 double min_per_second,
                                 const eown_allocator *allocator);

/* Gives the reference back; NULL is allowed. */
void eown_budget_release(eown_budget *budget);

/* Counts a first attempt at `now_ms` (any monotonic clock in milliseconds). */
void eown_budget_deposit(eown_budget *budget, uint64_t now_ms);

/* Says whether a retry would be within the budget; changes nothing. */
bool eown_budget_would_allow(eown_budget *budget, uint64_t now_ms);

/* Takes a retry from the budget; false, and nothing taken, where it is empty.
 */
bool eown_budget_withdraw(eown_budget *budget, uint64_t now_ms);

/* Takes a retry that is made as a call of its own: the deposit that this call
 * makes like any other is taken back beforehand, so that it is a retry in the
 * ratio and not a first attempt as well. False, and nothing taken, where the
 * budget is empty. */
bool eown_budget_withdraw_call(eown_budget *budget, uint64_t now_ms);

#ifdef __cplusplus
}
#endif

#endif /* EOWN_BUDGET_H */
