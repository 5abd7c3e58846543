/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* What a server says of errors that are its own, or of which its application
 * speaks (rule 3), to a client without eown and without a retry policy. */
#include "eown/grpc.h"
#include "gtest_c.h"

#include "counts.h"
#include "pair.h"

#define CLAIM_KEYS                                                             \
  {"error-claim", "unclaimed", 0}, {"error-claim-bin", "\x18\x03", 2}, {       \
    "x-alias", "unclaimed", 0                                                  \
  }
#define ERROR "inbound_calls 1 inbound_errors 1 "

typedef struct row {
  const char *name;
  const char *mode;
  eown_claim says; /* the application; MISSING: nothing */
  test_answer answer;
  const char *claim; /* as it arrives */
  const char *alias;
  const char *pushback;
  const char *counts;
  grpc_arg arguments[3];
} row;

#define ALIAS TEST_STRING("eown.claim_key_alias", "x-alias")
#define FAIL(...)                                                              \
  {                                                                            \
    .status = GRPC_STATUS_UNAVAILABLE, .trailers = { __VA_ARGS__ }             \
  }
#define OK(...)                                                                \
  {                                                                            \
    .status = GRPC_STATUS_OK, .messages = 1, .trailers = { __VA_ARGS__ }       \
  }
#define PUSHBACK(value)                                                        \
  { TEST_PUSHBACK_KEY, value, 0 }

static const row rows[] = {
    {"own",
     "enforce",
     EOWN_CLAIM_MISSING,
     FAIL({0}),
     "claimed",
     "none",
     "none",
     ERROR "sent_own 1",
     {{0}}},
    {"own, observe",
     "observe",
     EOWN_CLAIM_MISSING,
     FAIL({0}),
     "claimed",
     "none",
     "none",
     ERROR "sent_own 1",
     {{0}}},
    {"own, off",
     "off",
     EOWN_CLAIM_MISSING,
     FAIL({0}),
     "none",
     "none",
     "none",
     "",
     {{0}}},
    {"own, alias",
     "enforce",
     EOWN_CLAIM_MISSING,
     FAIL({0}),
     "claimed",
     "claimed",
     "none",
     ERROR "sent_own 1",
     {ALIAS}},
    {"own, with pushback",
     "enforce",
     EOWN_CLAIM_MISSING,
     FAIL(PUSHBACK("25")),
     "claimed",
     "none",
     "25",
     ERROR "sent_own 1",
     {{0}}},
    {"no error",
     "enforce",
     EOWN_CLAIM_MISSING,
     OK({0}),
     "none",
     "none",
     "none",
     "inbound_calls 1",
     {{0}}},

    {"copied keys",
     "enforce",
     EOWN_CLAIM_MISSING,
     FAIL(CLAIM_KEYS),
     "claimed",
     "unclaimed",
     "none",
     ERROR "sent_own 1 replaced_claims 1",
     {{0}}},
    {"copied keys, alias",
     "enforce",
     EOWN_CLAIM_MISSING,
     FAIL(CLAIM_KEYS),
     "claimed",
     "claimed",
     "none",
     ERROR "sent_own 1 replaced_claims 1",
     {ALIAS}},
    {"copied twice",
     "enforce",
     EOWN_CLAIM_MISSING,
     FAIL(CLAIM_KEYS, CLAIM_KEYS),
     "claimed",
     "claimed",
     "none",
     ERROR "sent_own 1 replaced_claims 1",
     {ALIAS}},
    {"copied keys, no error",
     "enforce",
     EOWN_CLAIM_MISSING,
     OK(CLAIM_KEYS),
     "none",
     "none",
     "none",
     "inbound_calls 1 replaced_claims 1",
     {ALIAS}},
    {"copied keys, off",
     "off",
     EOWN_CLAIM_MISSING,
     FAIL(CLAIM_KEYS),
     "unclaimed",
     "unclaimed",
     "none",
     "",
     {{0}}},

    {"application unclaims",
     "enforce",
     EOWN_CLAIM_UNCLAIMED,
     FAIL({0}),
     "unclaimed",
     "none",
     "-1",
     ERROR "sent_application_unclaimed 1",
     {{0}}},
    {"application unclaims, observe",
     "observe",
     EOWN_CLAIM_UNCLAIMED,
     FAIL({0}),
     "unclaimed",
     "none",
     "none",
     ERROR "sent_application_unclaimed 1",
     {{0}}},
    {"application unclaims, its pushback is replaced",
     "enforce",
     EOWN_CLAIM_UNCLAIMED,
     FAIL(PUSHBACK("25")),
     "unclaimed",
     "none",
     "-1",
     ERROR "sent_application_unclaimed 1",
     {{0}}},
    {"application unclaims, no pushback",
     "enforce",
     EOWN_CLAIM_UNCLAIMED,
     FAIL({0}),
     "unclaimed",
     "none",
     "none",
     ERROR "sent_application_unclaimed 1",
     {TEST_INTEGER("eown.send_pushback", 0)}},
    {"application unclaims, no pushback but its own",
     "enforce",
     EOWN_CLAIM_UNCLAIMED,
     FAIL(PUSHBACK("25")),
     "unclaimed",
     "none",
     "25",
     ERROR "sent_application_unclaimed 1",
     {TEST_INTEGER("eown.send_pushback", 0)}},
    {"application claims",
     "enforce",
     EOWN_CLAIM_CLAIMED,
     FAIL(PUSHBACK("25")),
     "claimed",
     "none",
     "25",
     ERROR "sent_application_claimed 1",
     {{0}}},
    {"application claims, no error",
     "enforce",
     EOWN_CLAIM_CLAIMED,
     OK({0}),
     "none",
     "none",
     "none",
     "inbound_calls 1",
     {{0}}},

    {"trust boundary",
     "enforce",
     EOWN_CLAIM_UNCLAIMED,
     FAIL(CLAIM_KEYS),
     "none",
     "none",
     "none",
     ERROR "replaced_claims 1",
     {ALIAS, TEST_INTEGER("eown.trust_boundary", 1)}},
    {"early headers",
     "enforce",
     EOWN_CLAIM_MISSING,
     {.status = GRPC_STATUS_UNAVAILABLE, .early = true},
     "claimed",
     "none",
     "none",
     ERROR "sent_own 1 early_headers 1",
     {{0}}},
    {"message before the error",
     "enforce",
     EOWN_CLAIM_MISSING,
     {.status = GRPC_STATUS_UNAVAILABLE, .messages = 1},
     "claimed",
     "none",
     "none",
     ERROR "sent_own 1 early_headers 1",
     {{0}}},
};

static void handle(test_inbound *inbound, void *user) {
  const row *self = user;
  eown_context_set_claim(eown_context_from_call(inbound->call), self->says);
  size_t size;
  test_inbound_read(inbound, &size);
  test_inbound_answer(inbound, &self->answer);
}

static void run(const row *self, test_reply *reply) {
  test_server_options server = {.mode = self->mode,
                                .arguments = self->arguments,
                                .handler = handle,
                                .user = (void *)(uintptr_t)self};
  CHECK_EQ(1u, test_pair_run(&server, &(test_channel_options){0}, reply));
}

static void check(const row *self) {
  TEST_TRACE("%s", self->name);
  test_reply reply;
  run(self, &reply);
  CHECK_EQ(self->answer.status, reply.status);
  CHECK_STREQ(self->claim,
              test_metadata_text(&reply.trailers, "error-claim").text);
  CHECK_STREQ(self->alias, test_metadata_text(&reply.trailers, "x-alias").text);
  CHECK_STREQ(self->pushback,
              test_metadata_text(&reply.trailers, TEST_PUSHBACK_KEY).text);
  CHECK_COUNTS(self->counts);
  test_reply_clear(&reply);
}

EOWN_TEST(ClaimSent, EveryRow) {
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
    check(&rows[i]);
}

static void check_detail(const row *self, const eown_claim_detail *expected) {
  test_reply reply;
  eown_claim_detail detail;
  run(self, &reply);
  if (CHECK_TRUE(test_metadata_detail(&reply.trailers, &detail))) {
    CHECK_STREQ(expected->owner_service, detail.owner_service);
    CHECK_STREQ(expected->owner_method, detail.owner_method);
    CHECK_EQ(expected->hops, detail.hops);
    CHECK_EQ(expected->attempts, detail.attempts);
    CHECK_EQ(expected->reason, detail.reason);
  }
  test_reply_clear(&reply);
}

EOWN_TEST(ClaimSent, DetailNamesTheMethodsService) {
  static const row self = {.mode = "enforce", .answer = FAIL({0})};
  check_detail(&self, &(eown_claim_detail){.owner_service = "test.Back",
                                           .owner_method = "Get",
                                           .reason = EOWN_REASON_OWN});
}

EOWN_TEST(ClaimSent, DetailNamesTheServiceThatIsSet) {
  static const row self = {
      .mode = "enforce",
      .answer = FAIL(CLAIM_KEYS),
      .arguments = {TEST_STRING("eown.service_name", "shop-cart")}};
  check_detail(&self, &(eown_claim_detail){.owner_service = "shop-cart",
                                           .owner_method = "Get",
                                           .reason = EOWN_REASON_OWN});
}

EOWN_TEST(ClaimSent, DetailOfTheApplicationsWord) {
  static const row self = {
      .mode = "observe", .says = EOWN_CLAIM_UNCLAIMED, .answer = FAIL({0})};
  check_detail(&self, &(eown_claim_detail){.owner_service = "test.Back",
                                           .owner_method = "Get",
                                           .reason = EOWN_REASON_APPLICATION});
}

/* Status, message, payload and the rest of the metadata are the application's.
 */
static void check_untouched(const char *mode, const test_answer *answer) {
  TEST_TRACE("mode %s", mode == NULL ? "none" : mode);
  test_reply reply;
  test_server_options server = {.mode = mode, .script = answer};
  test_pair_run(&server, &(test_channel_options){.mode = mode}, &reply);
  CHECK_EQ(answer->status, reply.status);
  CHECK_STREQ(answer->message, reply.message);
  CHECK_EQ(answer->messages, reply.messages);
  CHECK_EQ(answer->messages * answer->size, reply.bytes);
  CHECK_STREQ("first", test_metadata_text(&reply.headers, "x-head").text);
  CHECK_STREQ("a|b", test_metadata_text(&reply.trailers, "x-tail").text);
  CHECK_STREQ("none", test_metadata_text(&reply.headers, "error-claim").text);
  test_reply_clear(&reply);
}

EOWN_TEST(ClaimSent, NothingElseChanges) {
  static const test_field head = {"x-head", "first", 0};
  test_answer answer = {.message = "50% of \xc3\xa4ll",
                        .messages = 1,
                        .size = 1000,
                        .headers = {head},
                        .trailers = {{"x-tail", "a", 0}, {"x-tail", "b", 0}}};
  static const char *const modes[] = {NULL, "off", "observe", "enforce"};
  for (unsigned i = 0; i < 4; i++) {
    answer.status = GRPC_STATUS_OK;
    check_untouched(modes[i], &answer);
    answer.status = GRPC_STATUS_DATA_LOSS;
    check_untouched(modes[i], &answer);
  }
}

/* Any status is a claim's, also those that answer the request. */
EOWN_TEST(ClaimSent, EveryStatus) {
  for (unsigned code = 1; code < EOWN_STATUS_N; code++) {
    row self = {.name = eown_status_name((eown_status)code),
                .mode = "enforce",
                .answer = {.status = (grpc_status_code)code},
                .claim = "claimed",
                .alias = "none",
                .pushback = "none",
                .counts = ERROR "sent_own 1",
                .arguments = {{0}}};
    check(&self);
  }
}
