/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_UNIT_CONTEXT_SUPPORT_H
#define EOWN_TESTS_UNIT_CONTEXT_SUPPORT_H

#include "eown/context.h"

#include "gtest_c.h"

/* The inbound of all contexts here, and outbounds to call. */
#define INBOUND "/front.Shop/Buy"
#define CART "/shop.Cart/Get"
#define STOCK "/shop.Stock/Take"
#define ADS "/shop.Ads/Pick"

/* A context for INBOUND; ends the program where there is none, as no test can
 * go on. Give it back with eown_context_unref. */
eown_context *test_context(void);

/* The view of a server without options. */
eown_context_view test_view(void);

/* An outcome of `method` that started at `started`: one attempt that reached a
 * callee, no policy, no claim. Change what a test is about. */
eown_outcome test_outcome(const char *method, uint32_t started,
                          eown_status status);

/* Starts a call on `method` now and records that it ended with `status`. */
void test_call(eown_context *context, const char *method, eown_status status);

/* Decides and checks claim and reason; `detail` may be NULL. */
void test_decide_detail(eown_context *context, eown_status status,
                        const eown_context_view *view, eown_reason reason,
                        eown_claim_detail *detail);
void test_decide_view(eown_context *context, eown_status status,
                      const eown_context_view *view, eown_reason reason);
void test_decide(eown_context *context, eown_status status, eown_reason reason);

/* The same as lines of a test: the trace names the line. */
#define DECIDES_VIEW(context, status, view, reason)                            \
  do {                                                                         \
    TEST_TRACE("decided here");                                                \
    test_decide_view(context, status, view, reason);                           \
  } while (0)
#define DECIDES(context, status, reason)                                       \
  do {                                                                         \
    TEST_TRACE("decided here");                                                \
    test_decide(context, status, reason);                                      \
  } while (0)

#endif /* EOWN_TESTS_UNIT_CONTEXT_SUPPORT_H */
