/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* A loop above a gRPC retry policy: without ownership they multiply. */
#include "chain.h"
#include "gtest_c.h"
#include "lab.h"

#include <string.h>

/* One chain A, B, C, D, all of whose callers have a loop of K calls above a
 * policy of K attempts. */
typedef struct row {
  const char *name;
  const char *options[8];
  int64_t served[4];  /* per root request */
  int64_t stopped[3]; /* retries stopped, for whatever reason, by A, B and C per
                         root request */
} row;

static const row rows[] = {
    {"off", {"--mode", "off"}, {1, 4, 16, 64}, {0, 0, 0}},
    /* A and B: gRPC's retry and the loop's. C: its loop, as gRPC retried. */
    {"enforce", {NULL}, {1, 1, 1, 2}, {2, 2, 1}},
    /* Of each request served A and B make two calls, each with a needless retry
     * of gRPC's, the second call being needless itself; C's is. */
    {"observe", {"--mode", "observe"}, {1, 4, 16, 64}, {3, 12, 16}},
    {"off, 3 attempts",
     {"--mode", "off", "--attempts", "3"},
     {1, 9, 81, 729},
     {0, 0, 0}},
    {"enforce, 3 attempts", {"--attempts", "3"}, {1, 1, 1, 3}, {2, 2, 1}},
    {"enforce, TLS", {"--tls"}, {1, 1, 1, 2}, {2, 2, 1}},
    {"enforce, streams", {"--stream"}, {1, 1, 1, 2}, {2, 2, 1}},
    /* C claims what it did not retry; B retries C, by gRPC alone. */
    {"C without retries", {"--no-retry", "C"}, {1, 1, 2, 2}, {2, 1, 0}},
};

static int64_t stopped(const json_t *json, char node) {
  return e2e_node_integer(json, node, "retries_stopped.unclaimed") +
         e2e_node_integer(json, node, "retries_stopped.multiplied");
}

static void check(const row *self) {
  TEST_TRACE("%s", self->name);
  const unsigned requests = strstr(self->name, "off") ? 10 : e2e_requests();
  const char *const both[] = {"--retry-by", "both", NULL};
  json_t *json = e2e_lab_chain(requests, both, self->options);
  if (json == NULL)
    return;
  for (int i = 0; i < 4; i++) {
    TEST_TRACE("node %c", 'A' + i);
    CHECK_EQ(self->served[i] * requests,
             e2e_node_integer(json, (char)('A' + i), "served"));
    if (i < 3)
      CHECK_EQ(self->stopped[i] * requests, stopped(json, (char)('A' + i)));
  }
  CHECK_EQ(requests, e2e_json_integer(json, "root.errors"));
  json_decref(json);
}

EOWN_TEST(Loops, AbovePolicies) {
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
    check(&rows[i]);
}

/* One budget for both: a tenth of the calls is repeated, by gRPC or the loop.
 */
EOWN_TEST(Loops, HaveOneBudgetWithThePolicy) {
  const int64_t requests = 1000;
  json_t *json =
      e2e_lab_chain((unsigned)requests,
                    E2E_WORDS("--retry-by", "both", "--budget", "10"), NULL);
  REQUIRE_NOT_NULL(json);
  CHECK_EQ(requests, e2e_node_integer(json, 'C', "served"));
  CHECK_NEAR(1.1,
             (double)e2e_node_integer(json, 'D', "served") / (double)requests,
             0.01);
  CHECK_EQ(requests, e2e_node_integer(json, 'C', "claims_sent.unclaimed"));
  json_decref(json);
}

EOWN_TEST(Loops, CountLikePolicies) {
  const int64_t requests = e2e_requests();
  json_t *json = e2e_lab_chain((unsigned)requests,
                               E2E_WORDS("--retry-by", "application"), NULL);
  REQUIRE_NOT_NULL(json);
  CHECK_EQ(requests, e2e_node_integer(json, 'C', "eown.loop_allowed"));
  CHECK_EQ(requests, e2e_node_integer(json, 'C', "eown.loop_retries"));
  CHECK_EQ(requests, e2e_node_integer(json, 'C', "eown.loop_refused_attempts"));
  CHECK_EQ(requests,
           e2e_node_integer(json, 'B', "eown.loop_stopped_unclaimed"));
  CHECK_EQ(requests, e2e_node_integer(json, 'D', "eown.inbound_retries"));
  json_decref(json);
}
