/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* Callers that give up before their callee answers, so that no claim reaches
 * them. Slow nodes wait for longer than any test runs. */
#include "client.h"
#include "gtest_c.h"
#include "lab.h"

#define NEVER_MS "3600000"
#define ATTEMPTS 5

static int64_t stop(e2e_node *node, const char *path) {
  json_t *json = e2e_node_stop(node);
  int64_t value = e2e_json_integer(json, path);
  json_decref(json);
  return value;
}

/* Failed attempts without a claim: the deadline passed here, or a moment
 * earlier at the callee's side. */
static int64_t without_claim(const json_t *json) {
  return e2e_json_integer(json, "eown.local") +
         e2e_json_integer(json, "eown.received_missing");
}

/* Calls D, which does not answer, through C, which waits for half a second.
 * `option` is one more setting of C's; returns what C counted. */
static json_t *time_out(const char *option) {
  e2e_node d, c;
  e2e_answer answer;
  char claim[16];
  e2e_node_start(&d, "D", NULL, E2E_WORDS("--delay-ms", NEVER_MS));
  e2e_node_start(&c, "C", &d,
                 E2E_WORDS("--timeout-ms", "500", "--eown", option));
  e2e_call(&c, 0, &answer);
  CHECK_EQ(GRPC_STATUS_DEADLINE_EXCEEDED, answer.status);
  e2e_answer_text(&answer, EOWN_CLAIM_KEY, claim, sizeof claim);
  CHECK_STREQ("unclaimed", claim);
  e2e_answer_clear(&answer);
  stop(&d, "served");
  return e2e_node_stop(&c);
}

/* gRPC's deadline holds for all attempts of a call: there is a second attempt
 * only where the callee's side closed the stream a moment earlier. It may also
 * pass while gRPC waits to make that one: then the call ends here as well. */
EOWN_TEST(Slow, TimedOutCallHadItsRetry) {
  json_t *json = time_out("own_unreachable=0");
  int64_t attempts = e2e_json_integer(json, "eown.outbound_attempts");
  CHECK_GE(attempts, 1);
  CHECK_LE(attempts, 2);
  CHECK_EQ(1, e2e_json_integer(json, "eown.outbound_errors"));
  CHECK_GE(without_claim(json), 1);
  int64_t waited_for = e2e_json_integer(json, "eown.retry_allowed") -
                       e2e_json_integer(json, "eown.outbound_retries");
  CHECK_LE(without_claim(json), attempts + waited_for);
  CHECK_EQ(1, e2e_json_integer(json, "eown.sent_propagated"));
  json_decref(json);
}

/* The callee got the request: owning it would let the caller repeat it. */
EOWN_TEST(Slow, TimedOutCallIsNotUnreachable) {
  json_t *json = time_out("own_unreachable=1");
  CHECK_EQ(0, e2e_json_integer(json, "eown.unreached"));
  CHECK_EQ(0, e2e_json_integer(json, "eown.sent_unreachable"));
  json_decref(json);
}

typedef struct slow_chain {
  e2e_node b, c, d;
} slow_chain;

/* D fails at once, C makes five attempts and is then slow to say so. B gives up
 * on C and, as an application may, calls it once more. */
static void start(slow_chain *chain, const char *chain_stop) {
  char first[64], second[64];
  e2e_node_start(&chain->d, "D", NULL, E2E_WORDS("--fail-rate", "1"));
  e2e_node_start(&chain->c, "C", &chain->d,
                 E2E_WORDS("--delay-ms", NEVER_MS, "--attempts", "5", "--eown",
                           chain_stop));
  snprintf(first, sizeof first, "C=127.0.0.1:%d,fail-open", chain->c.port);
  snprintf(second, sizeof second, "C=127.0.0.1:%d", chain->c.port);
  e2e_node_start(&chain->b, "B", NULL,
                 E2E_WORDS("--callee", first, "--callee", second, "--unpinned",
                           "--attempts", "1", "--timeout-ms", "2000", "--eown",
                           chain_stop));
}

static void call(slow_chain *chain) {
  e2e_answer answer;
  char claim[16];
  e2e_call(&chain->b, 0, &answer);
  CHECK_EQ(GRPC_STATUS_DEADLINE_EXCEEDED, answer.status);
  e2e_answer_text(&answer, EOWN_CLAIM_KEY, claim, sizeof claim);
  CHECK_STREQ("unclaimed", claim);
  e2e_answer_clear(&answer);
}

static void check(slow_chain *chain, int64_t stopped, int64_t served) {
  json_t *json = e2e_node_stop(&chain->b);
  CHECK_EQ(2, without_claim(json));
  json_decref(json);
  json = e2e_node_stop(&chain->c);
  CHECK_EQ(2, e2e_json_integer(json, "served"));
  CHECK_EQ(1, e2e_json_integer(json, "eown.inbound_retries"));
  CHECK_EQ(stopped, e2e_json_integer(json, "retries_stopped.chain"));
  json_decref(json);
  CHECK_EQ(served, stop(&chain->d, "served"));
}

EOWN_TEST(Slow, LostClaimsMultiplyWithoutChainStop) {
  slow_chain chain;
  start(&chain, "chain_stop=0");
  call(&chain);
  check(&chain, 0, 2 * ATTEMPTS);
}

EOWN_TEST(Slow, ChainStopMakesOneAttemptForARetry) {
  slow_chain chain;
  start(&chain, "chain_stop=1");
  call(&chain);
  check(&chain, 1, ATTEMPTS + 1);
}
