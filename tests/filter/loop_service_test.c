/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* The application's own retry loop in C, in a service: its calls are tied to an
 * inbound, and the service says whose its error is. */
#include "eown/grpc.h"
#include "gtest_c.h"

#include "hops.h"

#define UNCLAIMED                                                              \
  { "error-claim", "unclaimed", 0 }

static const test_answer fails[] = {{.status = GRPC_STATUS_UNAVAILABLE}};
static const test_answer unclaimed[] = {
    {.status = GRPC_STATUS_UNAVAILABLE, .trailers = {UNCLAIMED}}};
static const test_answer pushes[] = {
    {.status = GRPC_STATUS_UNAVAILABLE,
     .trailers = {{TEST_PUSHBACK_KEY, "5", 0}}},
    {.status = GRPC_STATUS_UNAVAILABLE,
     .trailers = {{TEST_PUSHBACK_KEY, "-1", 0}}}};

typedef struct row {
  const char *name;
  const char *claim;
  unsigned attempts; /* in the claim's detail */
  unsigned served;
  const char *marks;
  test_hops hops;
} row;

#define BACK(script_given)                                                     \
  .back = {.script = script_given,                                             \
           .answers = sizeof(script_given) / sizeof(script_given[0])},         \
  .front = {.mode = "enforce"}
#define FILTERS .outbound = {.mode = "enforce"}
#define LOOP(tie_given, attempts)                                              \
  .steps = {{.tie = tie_given, .loop = attempts}}

static const row rows[] = {
    {"tied by the loop alone",
     "unclaimed",
     2,
     2,
     "none,1",
     {BACK(fails), FILTERS, LOOP(TEST_TIE_SCOPE, 2)}},
    {"a child as well",
     "unclaimed",
     3,
     3,
     "none,1,1",
     {BACK(fails), FILTERS, LOOP(TEST_TIE_PARENT, 3)}},
    {"one attempt is no loop",
     "claimed",
     1,
     1,
     "none",
     {BACK(fails), FILTERS, LOOP(TEST_TIE_PARENT, 1)}},
    {"unclaimed below",
     "unclaimed",
     1,
     1,
     "none",
     {BACK(unclaimed), FILTERS, LOOP(TEST_TIE_PARENT, 2)}},
    {"the callee's own pushback",
     "unclaimed",
     2,
     2,
     "none,1",
     {BACK(pushes), FILTERS, LOOP(TEST_TIE_PARENT, 3)}},
    {"no filters on the channel",
     "unclaimed",
     2,
     2,
     "none,1",
     {BACK(fails), LOOP(TEST_TIE_PARENT, 2)}},
    {"no filters, unclaimed below",
     "unclaimed",
     1,
     1,
     "none",
     {BACK(unclaimed), LOOP(TEST_TIE_PARENT, 2)}},
    {"nowhere to go",
     "unclaimed",
     2,
     0,
     "",
     {BACK(fails), FILTERS,
      .steps = {{.tie = TEST_TIE_PARENT, .loop = 2, .nowhere = true}}}},
};

static void check(const row *row) {
  TEST_TRACE("%s", row->name);
  test_hops_result result;
  eown_claim_detail detail = {0};
  test_hops_run(&row->hops, &result);
  CHECK_EQ(GRPC_STATUS_UNAVAILABLE, result.reply.status);
  CHECK_EQ(row->served, result.back_attempts);
  CHECK_STREQ(row->marks, result.marks.text);
  CHECK_STREQ(row->claim,
              test_metadata_text(&result.reply.trailers, "error-claim").text);
  CHECK_TRUE(test_metadata_detail(&result.reply.trailers, &detail));
  CHECK_EQ(row->attempts, detail.attempts);
  test_reply_clear(&result.reply);
}

EOWN_TEST(LoopService, EveryRow) {
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
    check(&rows[i]);
}
