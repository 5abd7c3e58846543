/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* What the front says of its error, by what happened to its outbounds (rules 2
 * and 3). The client has no eown and no retries. */
#include "eown/grpc.h"
#include "gtest_c.h"

#include "counts.h"
#include "hops.h"

#define UNCLAIMED                                                              \
  { "error-claim", "unclaimed", 0 }

static const test_answer unavailable[] = {{.status = GRPC_STATUS_UNAVAILABLE}};
static const test_answer not_found[] = {{.status = GRPC_STATUS_NOT_FOUND}};
static const test_answer ok[] = {{.status = GRPC_STATUS_OK, .messages = 1}};
static const test_answer fails_then_ok[] = {
    {.status = GRPC_STATUS_UNAVAILABLE},
    {.status = GRPC_STATUS_OK, .messages = 1}};
static const test_answer unclaimed[] = {
    {.status = GRPC_STATUS_UNAVAILABLE, .trailers = {UNCLAIMED}}};
static const test_answer missing_then_unclaimed[] = {
    {.status = GRPC_STATUS_UNAVAILABLE},
    {.status = GRPC_STATUS_UNAVAILABLE, .trailers = {UNCLAIMED}}};
/* "shop.Stock", "Take", 2 hops, propagated. */
static const test_answer far_away[] = {
    {.status = GRPC_STATUS_UNAVAILABLE,
     .trailers = {UNCLAIMED,
                  {"error-claim-bin",
                   "\x0a\x0ashop.Stock\x12\x04Take\x18\x02\x28\x05", 22}}}};

#define PINS(text) TEST_STRING("eown.pins", text)
static const grpc_arg pinned[] = {PINS("/test.Back/*=fail-open"), {0}};
static const grpc_arg pinned_close[] = {PINS("*=fail-close"), {0}};
static const grpc_arg own_unreachable[] = {
    TEST_INTEGER("eown.own_unreachable", 1), {0}};
static const grpc_arg faults[] = {TEST_STRING("eown.faults", "NOT_FOUND"), {0}};

static void never(test_inbound *inbound, void *user) {
  (void)user;
  test_inbound_close(inbound);
}

typedef struct row {
  const char *name;
  const char *claim;
  eown_reason reason;
  const char *owner;
  unsigned hops;
  unsigned attempts;
  test_hops setup;
} row;

#define BACK(answers_given)                                                    \
  .back = {.script = answers_given,                                            \
           .answers = sizeof(answers_given) / sizeof(answers_given[0])},       \
  .front = {.mode = "enforce"}
#define RETRIES .outbound = {.mode = "enforce", .attempts = 2}
#define NO_RETRIES .outbound = {.mode = "enforce"}
#define CALLS(...)                                                             \
  .steps = {__VA_ARGS__},                                                      \
  .steps_count = sizeof((test_step[]){__VA_ARGS__}) / sizeof(test_step)
#define OTHER                                                                  \
  { .method = "/test.Other/Get" }
#define SAYS_OWN "claimed", EOWN_REASON_OWN, "test.Front", 0, 0
#define PASSES(hops, attempts)                                                 \
  "unclaimed", EOWN_REASON_PROPAGATED, "test.Back", hops, attempts

static const row rows[] = {
    {"outbound succeeds",
     SAYS_OWN,
     {BACK(ok), RETRIES, .status = GRPC_STATUS_INTERNAL}},
    {"outbound recovers by its retry",
     SAYS_OWN,
     {BACK(fails_then_ok), RETRIES, .status = GRPC_STATUS_INTERNAL}},
    {"retried in vain", PASSES(1, 2), {BACK(unavailable), RETRIES}},
    {"retried in vain, other status",
     PASSES(1, 2),
     {BACK(unavailable), RETRIES, .status = GRPC_STATUS_INTERNAL}},
    {"nobody retried",
     "claimed",
     EOWN_REASON_AT_LEAST_ONCE,
     "test.Front",
     0,
     1,
     {BACK(unavailable), NO_RETRIES}},
    {"the callee unclaims", PASSES(1, 1), {BACK(unclaimed), NO_RETRIES}},
    {"the owner is far away",
     "unclaimed",
     EOWN_REASON_PROPAGATED,
     "shop.Stock",
     3,
     1,
     {BACK(far_away), RETRIES}},
    {"the application calls again",
     PASSES(1, 1),
     {BACK(unavailable), NO_RETRIES, CALLS({0}, {0})}},
    {"the application calls again with success",
     SAYS_OWN,
     {BACK(fails_then_ok), NO_RETRIES, CALLS({0}, {0}),
      .status = GRPC_STATUS_INTERNAL}},
    {"the application says that it retried",
     PASSES(1, 1),
     {BACK(unavailable), NO_RETRIES, .retried = true}},
    {"two callees, one unclaims",
     PASSES(1, 1),
     {BACK(missing_then_unclaimed), NO_RETRIES, CALLS(OTHER, {0})}},
    {"two callees, the other succeeds",
     "claimed",
     EOWN_REASON_AT_LEAST_ONCE,
     "test.Front",
     0,
     1,
     {BACK(fails_then_ok), NO_RETRIES, CALLS({0}, OTHER),
      .status = GRPC_STATUS_UNAVAILABLE}},
    {"an answer is no failure",
     SAYS_OWN,
     {BACK(not_found), RETRIES, .status = GRPC_STATUS_INTERNAL}},
    {"an answer passed on", PASSES(1, 1), {BACK(not_found), RETRIES}},
    {"an answer that is a fault by option",
     "claimed",
     EOWN_REASON_AT_LEAST_ONCE,
     "test.Front",
     0,
     1,
     {.back = {.script = not_found},
      .front = {.mode = "enforce", .arguments = faults},
      RETRIES,
      .status = GRPC_STATUS_INTERNAL}},
    {"fail-open by the channel",
     "claimed",
     EOWN_REASON_COINCIDENTAL,
     "test.Front",
     0,
     2,
     {BACK(unavailable),
      .outbound = {.mode = "enforce", .attempts = 2, .arguments = pinned}}},
    {"fail-open by the server",
     "claimed",
     EOWN_REASON_COINCIDENTAL,
     "test.Front",
     0,
     2,
     {.back = {.script = unavailable},
      .front = {.mode = "enforce", .arguments = pinned},
      RETRIES}},
    {"the channel's pin wins",
     PASSES(1, 2),
     {.back = {.script = unavailable},
      .front = {.mode = "enforce", .arguments = pinned},
      .outbound = {.mode = "enforce",
                   .attempts = 2,
                   .arguments = pinned_close}}},
    {"cancelled by this side",
     SAYS_OWN,
     {BACK(ok), RETRIES, CALLS({.cancelled = true}),
      .status = GRPC_STATUS_INTERNAL}},
    {"too late, and nobody retried",
     "claimed",
     EOWN_REASON_AT_LEAST_ONCE,
     "test.Front",
     0,
     1,
     {.back = {.handler = never},
      .front = {.mode = "enforce"},
      RETRIES,
      CALLS({.deadline_ms = 1000})}},
    {"no connection",
     PASSES(1, 0),
     {BACK(ok), RETRIES, CALLS({.nowhere = true})}},
    {"no connection, owned",
     "claimed",
     EOWN_REASON_UNREACHABLE,
     "test.Front",
     0,
     0,
     {.back = {.script = ok},
      .front = {.mode = "enforce", .arguments = own_unreachable},
      RETRIES,
      CALLS({.nowhere = true})}},
    {"no connection and no policy",
     "claimed",
     EOWN_REASON_AT_LEAST_ONCE,
     "test.Front",
     0,
     0,
     {BACK(ok), NO_RETRIES, CALLS({.nowhere = true})}},
};

static void check_detail(const row *self, const grpc_metadata_array *trailers) {
  eown_claim_detail detail;
  if (!CHECK_TRUE(test_metadata_detail(trailers, &detail)))
    return;
  CHECK_STREQ(self->owner, detail.owner_service);
  CHECK_EQ(self->hops, detail.hops);
  CHECK_EQ(self->attempts, detail.attempts);
  CHECK_EQ(self->reason, detail.reason);
}

static void check(const row *self) {
  TEST_TRACE("%s", self->name);
  test_hops_result result;
  test_hops_run(&self->setup, &result);
  const grpc_metadata_array *trailers = &result.reply.trailers;
  CHECK_STREQ(self->claim, test_metadata_text(trailers, "error-claim").text);
  check_detail(self, trailers);
  CHECK_EQ(0u, eown_counter_read(EOWN_COUNTER_context_drops));
  test_reply_clear(&result.reply);
}

EOWN_TEST(Propagation, EveryRow) {
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
    check(&rows[i]);
}

EOWN_TEST(Propagation, RecoveredInboundSaysNothing) {
  test_hops hops = {BACK(unavailable), RETRIES, .recovers = true};
  test_hops_result result;
  test_hops_run(&hops, &result);
  CHECK_EQ(GRPC_STATUS_OK, result.reply.status);
  CHECK_STREQ("none",
              test_metadata_text(&result.reply.trailers, "error-claim").text);
  CHECK_COUNTS("outbound_calls 1 outbound_attempts 2 outbound_retries 1 "
               "outbound_errors 1 received_missing 2 retry_allowed 1 "
               "refused_attempts 1 inbound_calls 1");
  test_reply_clear(&result.reply);
}

/* The second call repeats one that failed: it goes out marked. */
EOWN_TEST(Propagation, TheApplicationsOwnRetryIsMarked) {
  test_hops hops = {BACK(unavailable), NO_RETRIES, CALLS({0}, OTHER, {0})};
  test_hops_result result;
  test_hops_run(&hops, &result);
  CHECK_STREQ("none,none,1", result.marks.text);
  test_reply_clear(&result.reply);
}
