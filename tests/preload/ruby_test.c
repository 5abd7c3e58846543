/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* R is a service in Ruby, whose gRPC is loaded long after the process started;
 * it calls C, which calls D, which always fails. */
#include "client.h"
#include "gtest_c.h"
#include "service.h"

#include <jansson.h>
#include <string.h>

static void run(const char *form, preload_left *left, char *claim, size_t size,
                eown_claim_detail *detail) {
  e2e_node d, c;
  preload_service r;
  e2e_answer answer;
  e2e_node_start(&d, "D", NULL, E2E_WORDS("--fail-rate", "1"));
  e2e_node_start(&c, "C", &d, E2E_WORDS(NULL));
  preload_start(&r, PRELOAD_RUBY_RELAY, "R", form, &c, PRELOAD_ENFORCE);
  e2e_call(&r.node, 0, &answer);
  CHECK_EQ(GRPC_STATUS_UNAVAILABLE, answer.status);
  CHECK_EQ(1u, e2e_answer_count(&answer, EOWN_CLAIM_KEY));
  e2e_answer_text(&answer, EOWN_CLAIM_KEY, claim, size);
  e2e_answer_detail(&answer, detail);
  e2e_answer_clear(&answer);
  CHECK_EQ(1u, preload_copies(&r, "libgrpc.so"));
  preload_stop(&r, left);
  json_decref(e2e_node_stop(&c));
  json_t *counts = e2e_node_stop(&d);
  CHECK_EQ(2, json_integer_value(json_object_get(counts, "served")));
  json_decref(counts);
  CHECK_STREQ("eown: on (enforce), gRPC core 29.0.0\n", left->run.errors);
  CHECK_EQ(1u, preload_counter(left, "inbound_calls"));
  CHECK_EQ(1u, preload_counter(left, "stopped_unclaimed"));
}

/* The handler runs on a thread of a pool, which reads the request itself. */
EOWN_TEST(PreloadRuby, HandlerIsTied) {
  preload_left left;
  char claim[32];
  eown_claim_detail detail;
  run("plain", &left, claim, sizeof claim, &detail);
  CHECK_STREQ("unclaimed", claim);
  CHECK_STREQ("D", detail.owner_service);
  CHECK_EQ(2u, detail.hops);
  CHECK_EQ(0u, preload_counter(&left, "context_drops"));
  CHECK_EQ(1u, preload_counter(&left, "sent_propagated"));
  /* Ruby hands the callee's trailing metadata on, claim and all. */
  CHECK_EQ(1u, preload_counter(&left, "replaced_claims"));
  CHECK_STREQ("{\"event\":\"exit\"}\n", strchr(left.run.output, '\n') + 1);
  preload_left_clear(&left);
}

EOWN_TEST(PreloadRuby, AnotherThreadIsNotTied) {
  preload_left left;
  char claim[32];
  eown_claim_detail detail;
  run("thread", &left, claim, sizeof claim, &detail);
  CHECK_STREQ("claimed", claim);
  CHECK_STREQ("R", detail.owner_service);
  CHECK_EQ(1u, preload_counter(&left, "context_drops"));
  CHECK_EQ(1u, preload_counter(&left, "sent_own"));
  preload_left_clear(&left);
}
