/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* Single nodes and what a plain client reads from their answers. */
#include "client.h"
#include "gtest_c.h"
#include "lab.h"

#include <string.h>
#include <time.h>

#define PUSHBACK "grpc-retry-pushback-ms"

#define FAILS E2E_WORDS("--fail-rate", "1")
#define FAILS_WITH_PUSHBACK                                                    \
  E2E_WORDS("--fail-rate", "1", "--pushback-ms", "300")

static void check_text(const e2e_answer *answer, const char *key,
                       const char *expected) {
  char text[64];
  TEST_TRACE("%s", key);
  CHECK_EQ(1, e2e_answer_count(answer, key));
  e2e_answer_text(answer, key, text, sizeof text);
  CHECK_STREQ(expected, text);
}

static void check_claim(const e2e_answer *answer, const char *claim,
                        const char *owner, uint32_t hops, eown_reason reason) {
  check_text(answer, EOWN_CLAIM_KEY, claim);
  CHECK_EQ(1, e2e_answer_count(answer, EOWN_CLAIM_DETAIL_KEY));
  eown_claim_detail detail;
  e2e_answer_detail(answer, &detail);
  CHECK_STREQ(owner, detail.owner_service);
  CHECK_EQ(hops, detail.hops);
  CHECK_STREQ(eown_reason_name(reason), eown_reason_name(detail.reason));
}

static int64_t stop(e2e_node *node, const char *path) {
  json_t *json = e2e_node_stop(node);
  int64_t value = e2e_json_integer(json, path);
  json_decref(json);
  return value;
}

static int64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

EOWN_TEST(Node, OwnPushbackArrivesUnchanged) {
  e2e_node d;
  e2e_answer answer;
  e2e_node_start(&d, "D", NULL, FAILS_WITH_PUSHBACK);
  e2e_call(&d, 0, &answer);
  CHECK_EQ(GRPC_STATUS_UNAVAILABLE, answer.status);
  check_claim(&answer, "claimed", "D", 0, EOWN_REASON_OWN);
  check_text(&answer, PUSHBACK, "300");
  e2e_answer_clear(&answer);
  CHECK_EQ(1, stop(&d, "eown.sent_own"));
}

EOWN_TEST(Node, OwnPushbackDelaysTheRetryAndDoesNotStopIt) {
  e2e_node d, c;
  e2e_answer answer;
  e2e_node_start(&d, "D", NULL, FAILS_WITH_PUSHBACK);
  e2e_node_start(&c, "C", &d, E2E_WORDS("--threads", "2"));
  int64_t start = now_ms();
  e2e_call(&c, 0, &answer);
  CHECK_GE(now_ms() - start, 300);
  check_claim(&answer, "unclaimed", "D", 1, EOWN_REASON_PROPAGATED);
  check_text(&answer, PUSHBACK, "-1");
  e2e_answer_clear(&answer);
  CHECK_EQ(1, stop(&c, "eown.retry_allowed"));
  CHECK_EQ(2, stop(&d, "served"));
}

EOWN_TEST(Node, CopiedClaimIsReplacedByTheNodesOwn) {
  e2e_node d, c;
  e2e_answer answer;
  e2e_node_start(&d, "D", NULL, FAILS_WITH_PUSHBACK);
  e2e_node_start(&c, "C", &d, E2E_WORDS("--copy-trailers"));
  e2e_call(&c, 0, &answer);
  check_claim(&answer, "unclaimed", "D", 1, EOWN_REASON_PROPAGATED);
  check_text(&answer, PUSHBACK, "-1");
  e2e_answer_clear(&answer);
  CHECK_EQ(1, stop(&c, "eown.replaced_claims"));
  stop(&d, "served");
}

/* Claimed, as nobody retried it: then the pushback stays the application's. */
EOWN_TEST(Node, CopiedPushbackStaysWithAClaimedError) {
  e2e_node d, c;
  e2e_answer answer;
  e2e_node_start(&d, "D", NULL, FAILS_WITH_PUSHBACK);
  e2e_node_start(&c, "C", &d, E2E_WORDS("--copy-trailers", "--attempts", "1"));
  e2e_call(&c, 0, &answer);
  check_claim(&answer, "claimed", "C", 0, EOWN_REASON_AT_LEAST_ONCE);
  check_text(&answer, PUSHBACK, "300");
  e2e_answer_clear(&answer);
  CHECK_EQ(1, stop(&c, "eown.replaced_claims"));
  CHECK_EQ(1, stop(&d, "served"));
}

static void start_second(e2e_node *node, const char *name,
                         const e2e_node *callee, const e2e_node *open,
                         const char *const *words) {
  const char *all[E2E_WORDS_MAX] = {NULL};
  char target[64];
  snprintf(target, sizeof target, "%s=127.0.0.1:%d,fail-open", open->name,
           open->port);
  e2e_words_add(all, E2E_WORDS("--callee", target));
  e2e_words_add(all, words);
  e2e_node_start(node, name, callee, all);
}

EOWN_TEST(Node, FailCloseCalleeSpeaksAndNotTheFailOpenOne) {
  e2e_node c, x, b;
  e2e_answer answer;
  e2e_node_start(&c, "C", NULL, FAILS);
  e2e_node_start(&x, "X", NULL, FAILS);
  start_second(&b, "B", &c, &x, E2E_WORDS("--parallel"));
  e2e_call(&b, 0, &answer);
  check_claim(&answer, "unclaimed", "C", 1, EOWN_REASON_PROPAGATED);
  e2e_answer_clear(&answer);
  CHECK_EQ(1, stop(&b, "eown.sent_propagated"));
  CHECK_EQ(2, stop(&x, "served"));
  CHECK_EQ(2, stop(&c, "served"));
}

EOWN_TEST(Node, OwnFailureBesideAFailOpenOneIsClaimed) {
  e2e_node c, x, b;
  e2e_answer answer;
  e2e_node_start(&c, "C", NULL, E2E_WORDS("--threads", "1"));
  e2e_node_start(&x, "X", NULL, FAILS);
  start_second(&b, "B", &c, &x, FAILS);
  e2e_call(&b, 0, &answer);
  check_claim(&answer, "claimed", "B", 0, EOWN_REASON_COINCIDENTAL);
  CHECK_EQ(0, e2e_answer_count(&answer, PUSHBACK));
  e2e_answer_clear(&answer);
  CHECK_EQ(1, stop(&b, "eown.sent_coincidental"));
  CHECK_EQ(2, stop(&x, "served"));
  CHECK_EQ(1, stop(&c, "served"));
}

/* Adds a further callee to a node's options. */
static void add_callee(const char **words, const e2e_node *callee,
                       char target[64]) {
  snprintf(target, 64, "%s=127.0.0.1:%d", callee->name, callee->port);
  e2e_words_add(words, E2E_WORDS("--callee", target));
}

EOWN_TEST(Node, WishInMetadataCallsOneCalleeAlone) {
  e2e_node x, y, b;
  e2e_answer answer;
  char target[64];
  const char *words[E2E_WORDS_MAX] = {NULL};
  e2e_node_start(&x, "X", NULL, FAILS);
  e2e_node_start(&y, "Y", NULL, FAILS);
  add_callee(words, &y, target);
  e2e_node_start(&b, "B", &x, words);
  e2e_call_callee(&b, "Y", &answer);
  CHECK_EQ(GRPC_STATUS_UNAVAILABLE, answer.status);
  check_claim(&answer, "unclaimed", "Y", 1, EOWN_REASON_PROPAGATED);
  e2e_answer_clear(&answer);
  CHECK_EQ(1, stop(&b, "made"));
  CHECK_EQ(0, stop(&x, "served"));
  CHECK_EQ(2, stop(&y, "served"));
}

EOWN_TEST(Node, WishForAnUnknownCalleeIsRefused) {
  e2e_node x, b;
  e2e_answer answer;
  char message[256];
  e2e_node_start(&x, "X", NULL, FAILS);
  e2e_node_start(&b, "B", &x, E2E_WORDS("--threads", "1"));
  e2e_call_callee(&b, "XX", &answer);
  CHECK_EQ(GRPC_STATUS_INVALID_ARGUMENT, answer.status);
  e2e_answer_message(&answer, message, sizeof message);
  CHECK_STREQ("eown-node-callee: 'XX': expected the name of a callee of B",
              message);
  e2e_answer_clear(&answer);
  json_t *json = e2e_node_stop(&b);
  CHECK_EQ(0, e2e_json_integer(json, "made"));
  CHECK_EQ(1, e2e_json_integer(json, "errors"));
  json_decref(json);
  CHECK_EQ(0, stop(&x, "served"));
}

static void check_seen(const json_t *json, int callee, const char *name,
                       const char *claim, int64_t errors) {
  static const char *const claims[] = {"claimed", "unclaimed", "missing",
                                       "other"};
  char path[64];
  TEST_TRACE("callee %s", name);
  snprintf(path, sizeof path, "callees.%d.name", callee);
  CHECK_STREQ(name, e2e_json_text(json, path));
  snprintf(path, sizeof path, "callees.%d.calls", callee);
  CHECK_EQ(1, e2e_json_integer(json, path));
  snprintf(path, sizeof path, "callees.%d.errors", callee);
  CHECK_EQ(errors, e2e_json_integer(json, path));
  for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++) {
    snprintf(path, sizeof path, "callees.%d.%s", callee, claims[i]);
    CHECK_EQ(strcmp(claims[i], claim) == 0 ? errors : 0,
             e2e_json_integer(json, path));
  }
}

/* Three kinds of errors and an answer, as a node without eown reads them. */
EOWN_TEST(Node, CountsWhatItsApplicationSawOfClaims) {
  e2e_node f, r, t, h, b;
  e2e_answer answer;
  char targets[3][64];
  const char *words[E2E_WORDS_MAX] = {"--ownership", "stock", NULL};
  e2e_node_start(&f, "F", NULL, FAILS);
  e2e_node_start(&r, "R", &f, E2E_WORDS("--threads", "1"));
  e2e_node_start(&t, "T", NULL,
                 E2E_WORDS("--fail-rate", "1", "--ownership", "stock"));
  e2e_node_start(&h, "H", NULL, E2E_WORDS("--threads", "1"));
  add_callee(words, &r, targets[0]);
  add_callee(words, &t, targets[1]);
  add_callee(words, &h, targets[2]);
  e2e_node_start(&b, "B", &f, words);
  static const char *const names[] = {"F", "R", "T", "H"};
  for (size_t i = 0; i < 4; i++) {
    e2e_call_callee(&b, names[i], &answer);
    e2e_answer_clear(&answer);
  }
  json_t *json = e2e_node_stop(&b);
  check_seen(json, 0, "F", "claimed", 1);
  check_seen(json, 1, "R", "unclaimed", 1);
  check_seen(json, 2, "T", "missing", 1);
  check_seen(json, 3, "H", "", 0);
  json_decref(json);
  CHECK_EQ(1, stop(&r, "served")); /* its pushback stops stock gRPC too */
  CHECK_EQ(2, stop(&t, "served"));
  CHECK_EQ(4, stop(&f, "served"));
  CHECK_EQ(1, stop(&h, "served"));
}
