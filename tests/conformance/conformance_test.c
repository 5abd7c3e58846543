/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "gtest_c.h"
#include "vectors.h"

#include <string.h>

/* Runs `check` for each row of one section; there must be some. */
static void each(const char *section, void (*check)(const json_t *row)) {
  json_t *vectors = vectors_load();
  REQUIRE_NOT_NULL(vectors);
  json_t *rows = json_object_get(vectors, section);
  CHECK_LT((size_t)0, json_array_size(rows));
  size_t i;
  json_t *row;
  json_array_foreach(rows, i, row) {
    char *text = json_dumps(row, JSON_COMPACT);
    {
      TEST_TRACE("%s[%zu] %s", section, i, text);
      check(row);
    }
    free(text);
  }
  json_decref(vectors);
}

static void check_retry(const json_t *row) {
  eown_retry retry = eown_rule_retry(
      vectors_bool(row, "error"), vectors_claim(row, "claim"),
      vectors_bool(row, "budget_empty"), vectors_bool(row, "chained"));
  CHECK_STREQ(vectors_text(row, "expect"), eown_retry_name(retry));
}

EOWN_TEST(Conformance, Retry) { each("retry", check_retry); }

static void check_criteria(const json_t *row) {
  CHECK_EQ(vectors_bool(row, "expect"),
           eown_rule_criteria(vectors_claim(row, "claim"),
                              vectors_bool(row, "retried"),
                              vectors_policy(row, "policy"),
                              vectors_bool(row, "application")));
}

EOWN_TEST(Conformance, Criteria) { each("criteria", check_criteria); }

static void check_claim(const json_t *row) {
  eown_reason reason = EOWN_REASON_OWN;
  size_t i;
  json_t *outbound;
  json_array_foreach(json_object_get(row, "outbounds"), i, outbound) {
    eown_decision decision = eown_rule_matrix(
        vectors_callee(outbound, "callee"), true,
        vectors_edge(outbound, "edge"), vectors_bool(outbound, "criteria"));
    reason = eown_rule_strongest(reason, decision.reason);
  }
  const json_t *expect = json_object_get(row, "expect");
  CHECK_STREQ(vectors_text(expect, "reason"), eown_reason_name(reason));
  CHECK_STREQ(vectors_text(expect, "claim"),
              eown_claim_name(eown_rule_claim(reason)));
}

EOWN_TEST(Conformance, Claims) { each("claims", check_claim); }

static eown_loop_view view_of(const json_t *row) {
  const char *status = vectors_text(row, "status");
  const char *pushback = vectors_text(row, "pushback");
  return (eown_loop_view){
      .ok = strcmp(status, "ok") == 0,
      .cancelled = strcmp(status, "cancelled") == 0,
      .listed = strcmp(status, "listed") == 0,
      .committed = vectors_bool(row, "committed"),
      .calls_left = vectors_bool(row, "calls_left"),
      .time_left = vectors_bool(row, "time_left"),
      .claim = vectors_claim(row, "claim"),
      .budget_empty = vectors_bool(row, "budget_empty"),
      .chained = vectors_bool(row, "chained"),
      .attempts_left = vectors_bool(row, "attempts_left"),
      .refused = strcmp(pushback, "stop") == 0,
  };
}

static void check_loop(const json_t *row) {
  eown_loop_view view = view_of(row);
  CHECK_STREQ(vectors_text(row, "expect"),
              eown_loop_name(eown_rule_loop(&view, true)));
}

EOWN_TEST(Conformance, Loop) { each("loop", check_loop); }

static double number(const json_t *row, const char *key) {
  return json_number_value(json_object_get(row, key));
}

/* The wait before the n-th retry of a loop whose calls all fail. */
static void check_backoff(const json_t *row) {
  eown_retry_options options;
  eown_retry_options_init(&options);
  options.max_attempts = EOWN_RETRY_ATTEMPTS_MAX;
  options.initial_backoff_ms = (int64_t)number(row, "initial_ms");
  options.max_backoff_ms = (int64_t)number(row, "max_ms");
  options.backoff_multiplier = number(row, "multiplier");
  uint32_t random = (uint32_t)(number(row, "random") * 4294967296.0);
  eown_retry_loop loop;
  eown_retry_init(&loop, NULL, &options);
  eown_retry_answer answer = {0};
  for (int i = 0; i < (int)number(row, "retry"); i++) {
    eown_retry_end end = {.status = EOWN_STATUS_UNAVAILABLE};
    eown_retry_begin(&loop, 0);
    answer = eown_retry_again(&loop, &end, 0, random);
  }
  CHECK_TRUE(answer.again);
  CHECK_NEAR(number(row, "expect_ms"), (double)answer.wait_ms, 0.5);
  eown_retry_clear(&loop);
}

EOWN_TEST(Conformance, Backoff) { each("backoff", check_backoff); }

static void feed(eown_claim_reader *reader, bool alias, const json_t *values) {
  size_t i;
  json_t *value;
  json_array_foreach(values, i, value) {
    eown_claim_reader_feed(reader, alias, json_string_value(value),
                           json_string_length(value));
  }
}

static void check_values(const json_t *row) {
  eown_claim_reader reader = {0};
  feed(&reader, false, json_object_get(row, "values"));
  feed(&reader, true, json_object_get(row, "alias_values"));
  CHECK_STREQ(vectors_text(row, "expect"),
              eown_claim_name(eown_claim_reader_result(&reader, NULL)));
}

EOWN_TEST(Conformance, Values) { each("values", check_values); }

static void same_detail(const json_t *expect, const eown_claim_detail *detail) {
  CHECK_STREQ(vectors_text(expect, "owner_service"), detail->owner_service);
  CHECK_STREQ(vectors_text(expect, "owner_method"), detail->owner_method);
  CHECK_EQ(json_integer_value(json_object_get(expect, "hops")),
           (json_int_t)detail->hops);
  CHECK_EQ(json_integer_value(json_object_get(expect, "attempts")),
           (json_int_t)detail->attempts);
  CHECK_STREQ(vectors_text(expect, "reason"), eown_reason_name(detail->reason));
}

static void check_detail(const json_t *row) {
  uint8_t bytes[1024];
  size_t length =
      vectors_bytes(vectors_text(row, "bytes"), bytes, sizeof(bytes));
  const json_t *expect = json_object_get(row, "expect");
  eown_claim_detail detail;
  bool good = eown_claim_detail_decode(bytes, length, &detail);
  CHECK_EQ(!json_is_null(expect), good);
  if (good)
    same_detail(expect, &detail);
}

EOWN_TEST(Conformance, Details) { each("details", check_detail); }

static bool received(const json_t *row, eown_claim_detail *detail) {
  const json_t *from = json_object_get(row, "received");
  if (json_is_null(from))
    return false;
  const char *service = vectors_text(from, "owner_service");
  const char *method = vectors_text(from, "owner_method");
  eown_claim_detail_set_owner(detail, service, strlen(service), method,
                              strlen(method));
  detail->hops = (uint32_t)json_integer_value(json_object_get(from, "hops"));
  return true;
}

static void check_passed_on(const json_t *row) {
  eown_claim_detail detail = {.reason = EOWN_REASON_PROPAGATED};
  const char *path = vectors_text(row, "path");
  bool named = received(row, &detail);
  eown_outcome outcome = {
      .method = path,
      .method_length = strlen(path),
      .status = EOWN_STATUS_UNAVAILABLE,
      .claim = EOWN_CLAIM_UNCLAIMED,
      .attempts =
          (uint32_t)json_integer_value(json_object_get(row, "attempts")),
      .reached = true,
      .detail = named ? &detail : NULL,
  };
  eown_context *context = eown_context_acquire();
  REQUIRE_NOT_NULL(context);
  eown_context_record(context, &outcome);
  eown_context_view view = {.faults = eown_status_faults()};
  eown_claim_detail said;
  eown_context_decide(context, EOWN_STATUS_UNAVAILABLE, &view, &said);
  same_detail(json_object_get(row, "expect"), &said);
  eown_context_unref(context);
}

EOWN_TEST(Conformance, PassedOn) {
  REQUIRE_TRUE(eown_context_pool_init());
  each("passed_on", check_passed_on);
}
