/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_COUNTERS_H
#define EOWN_COUNTERS_H

#include "eown/claim.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is counted, process-wide: name and meaning. Outbound counters are also
 * kept per outbound method from the first error on (eown_counters_each). */
#define EOWN_COUNTER_LIST(X)                                                   \
  X(outbound_calls, "outbound calls started")                                  \
  X(outbound_attempts, "attempts of outbound calls seen on the wire")          \
  X(outbound_retries, "attempts that gRPC made as configured retries")         \
  X(outbound_errors, "outbound calls that ended with an error")                \
  X(received_claimed, "failed attempts whose callee claimed the error")        \
  X(received_unclaimed, "failed attempts whose callee passed the error on")    \
  X(received_missing, "failed attempts whose callee said nothing")             \
  X(local, "failures made on this side: reset, deadline, no connection")       \
  X(unreached, "outbound calls that never reached a callee")                   \
  X(retry_allowed, "failed attempts left to gRPC's retry policy")              \
  X(stopped_unclaimed, "retries stopped: the callee passed the error on")      \
  X(stopped_budget, "retries stopped: retry budget empty")                     \
  X(stopped_chain, "retries stopped: the inbound is itself a retry")           \
  X(refused_no_policy, "no retry by gRPC: no retry policy for the method")     \
  X(refused_status, "no retry by gRPC: the policy does not list the status")   \
  X(refused_attempts, "no retry by gRPC: no attempts left")                    \
  X(refused_committed, "no retry by gRPC: early headers or full buffer")       \
  X(refused_throttled, "no retry by gRPC: retryThrottling")                    \
  X(refused_pushback, "no retry by gRPC: pushback of the callee's own")        \
  X(loop_allowed, "failed calls that the application's loop was let repeat")   \
  X(loop_retries, "calls that the application's loops made again")             \
  X(loop_stopped_unclaimed, "loops stopped: the callee passed the error on")   \
  X(loop_stopped_budget, "loops stopped: retry budget empty")                  \
  X(loop_stopped_chain, "loops stopped: the inbound is itself a retry")        \
  X(loop_stopped_multiplied, "loops stopped: gRPC used up their attempts")     \
  X(loop_refused_cancelled, "no retry by a loop: the call was cancelled")      \
  X(loop_refused_status, "no retry by a loop: it does not list the status")    \
  X(loop_refused_committed, "no retry by a loop: it has a part of the answer") \
  X(loop_refused_attempts, "no retry by a loop: no attempts left")             \
  X(loop_refused_deadline, "no retry by a loop: no time left after the wait")  \
  X(loop_refused_pushback, "no retry by a loop: pushback of the callee's own") \
  X(loop_misused, "loops asked after their end, or by two threads at once")    \
  X(context_drops, "outbound calls that found no inbound context")             \
  X(inbound_calls, "inbound calls")                                            \
  X(inbound_retries, "inbound calls that came marked as a retry")              \
  X(inbound_errors, "inbound calls answered with an error")                    \
  X(sent_own, "claimed: no outbound failed")                                   \
  X(sent_coincidental, "claimed: only fail-open outbounds failed")             \
  X(sent_unreachable, "claimed: the callee was never reached")                 \
  X(sent_at_least_once, "claimed: nobody had retried what failed")             \
  X(sent_propagated, "unclaimed: what failed had its retry")                   \
  X(sent_application_claimed, "claimed: the application said so")              \
  X(sent_application_unclaimed, "unclaimed: the application said so")          \
  X(early_headers, "errors sent after initial metadata: gRPC cannot retry")    \
  X(replaced_claims, "answers whose handler had set claim keys")               \
  X(stripped_claims, "requests that came with claim keys")                     \
  X(malformed_claim, "claims that were unknown, repeated or contradictory")    \
  X(malformed_detail, "claim details that did not parse")                      \
  X(malformed_mark, "retry marks with an unknown value")                       \
  X(context_limit, "inbound calls without a context: too many at once")        \
  X(edge_limit, "failed outbounds that went into a context's summary")         \
  X(no_memory, "times something was left out for want of memory")              \
  X(bad_settings, "settings that were refused and left at their default")      \
  X(method_limit, "outbound methods beyond those counted one by one")          \
  X(memory_evictions, "edges that left the memory for want of room")           \
  X(memory_saves, "times the memory was saved to its file")                    \
  X(memory_save_errors, "times the memory could not be saved")                 \
  X(memory_refused, "memory files that were refused and set aside")            \
  X(memory_exchanges, "exchanges of the memory with Redis that succeeded")     \
  X(memory_exchange_errors, "exchanges with Redis that failed")

typedef enum eown_counter {
#define EOWN_COUNTER_ENUM(name, text) EOWN_COUNTER_##name,
  EOWN_COUNTER_LIST(EOWN_COUNTER_ENUM)
#undef EOWN_COUNTER_ENUM
      EOWN_COUNTER_N
} eown_counter;

/* Outbound methods that are counted one by one; the rest share the totals. */
#define EOWN_COUNTER_METHODS 256

/* Returns the counter's name ("outbound_calls"), or its meaning; static text.
 */
const char *eown_counter_name(eown_counter counter);
const char *eown_counter_text(eown_counter counter);

/* Adds one. Lock-free: one relaxed add on a stripe of this thread's. */
void eown_count(eown_counter counter);

/* Adds one to the total and to the method's own count. `method` of `length`
 * bytes is borrowed. Lock-free; for the error path. */
void eown_count_method(eown_counter counter, const char *method,
                       uint32_t length);

/* The same for the counter of a claim received with an error. */
void eown_count_received(eown_claim claim, const char *method, uint32_t length);

/* Reads one total since the start of the process, or since the last reset. */
uint64_t eown_counter_read(eown_counter counter);

/* Calls `visit` for each outbound method that has counts, with an array of
 * EOWN_COUNTER_N values valid during the call. */
void eown_counters_each(void (*visit)(void *user, const char *method,
                                      const uint64_t *values),
                        void *user);

/* Sets all counters to zero; meant for tests and tools. Not atomic as a whole.
 */
void eown_counters_reset(void);

#ifdef __cplusplus
}
#endif

#endif /* EOWN_COUNTERS_H */
