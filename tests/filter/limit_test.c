/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* All inbound contexts are taken: calls go on as under plain gRPC. */
#include "eown/grpc.h"
#include "gtest_c.h"

#include "counts.h"
#include "hops.h"

static eown_context *taken[EOWN_CONTEXTS_MAX];

static unsigned take_all(void) {
  unsigned count = 0;
  while (count < EOWN_CONTEXTS_MAX &&
         (taken[count] = eown_context_acquire()) != NULL)
    count++;
  CHECK_NULL(eown_context_acquire());
  return count;
}

static void give_all(unsigned count) {
  while (count > 0)
    eown_context_unref(taken[--count]);
}

static const test_answer fails = {
    .status = GRPC_STATUS_UNAVAILABLE,
    .trailers = {{"error-claim", "unclaimed", 0}}};

static void run(test_tie tie, const char *claim, const char *counts) {
  test_hops hops = {.back = {.script = &fails},
                    .outbound = {.mode = "enforce", .attempts = 4},
                    .front = {.mode = "enforce"},
                    .steps = {{.tie = tie}}};
  test_hops_result result;
  test_hops_run(&hops, &result);
  CHECK_EQ(GRPC_STATUS_UNAVAILABLE, result.reply.status);
  CHECK_EQ(1u, result.back_attempts);
  CHECK_STREQ(claim,
              test_metadata_text(&result.reply.trailers, "error-claim").text);
  CHECK_COUNTS(counts);
  test_reply_clear(&result.reply);
}

#define CALLED                                                                 \
  "outbound_calls 1 outbound_attempts 1 outbound_errors 1 "                    \
  "received_unclaimed 1 stopped_unclaimed 1 "

EOWN_TEST(Limit, NoContextIsLeft) {
  unsigned count = take_all();
  CHECK_EQ((unsigned)EOWN_CONTEXTS_MAX, count);
  for (unsigned tie = 0; tie < TEST_TIE_N; tie++) {
    TEST_TRACE("tie %u", tie);
    run((test_tie)tie, "none",
        CALLED "context_drops 1 inbound_calls 1 inbound_errors 1 "
               "context_limit 1");
  }
  give_all(count);
  run(TEST_TIE_PARENT, "unclaimed",
      CALLED "inbound_calls 1 inbound_errors 1 sent_propagated 1");
}
