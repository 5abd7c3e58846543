/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* The explorer plays loops by the core's rule; the library does so in
 * eown_retry_loop. Both make the same attempts and claim the same. */
#include "lab/prove/world.h"

#include "eown/retry.h"
#include "every_case.h"
#include "gtest_c.h"

#include <string.h>

static void feed(eown_retry_end *end, const char *key, const char *value) {
  eown_retry_end_feed(end, NULL, key, strlen(key), value, strlen(value));
}

static eown_retry_end end_of(const lab_world *world, unsigned callee) {
  eown_claim claim = world->claims[callee];
  eown_retry_end end = {.status = EOWN_STATUS_UNAVAILABLE, .attempts = 1};
  bool passed_on = claim == EOWN_CLAIM_UNCLAIMED;
  if (claim != EOWN_CLAIM_MISSING)
    feed(&end, EOWN_CLAIM_KEY, eown_claim_name(claim));
  if (passed_on)
    feed(&end, "grpc-retry-pushback-ms", "-1");
  if (world->of->retry_by == LAB_RETRY_BY_BOTH && !passed_on)
    end.attempts = world->of->attempts; /* of a policy below the loop */
  return end;
}

/* A caller that may not retry has no loop: one of a single call. */
static void run_loop(eown_context *context, const lab_world *world,
                     unsigned callee) {
  const lab_case *of = world->of;
  char name[] = "/x.A/Call";
  name[3] = (char)('A' + callee);
  bool may = lab_set_has(of->policy, of->tree.caller[callee]);
  unsigned attempts = 0;
  eown_retry_loop loop;
  eown_retry_options options;
  eown_retry_options_init(&options);
  options.max_attempts = may ? (int32_t)of->attempts : 1;
  options.method = name;
  CHECK_EQ(EOWN_ERROR_OK, eown_retry_init(&loop, context, &options));
  eown_retry_answer answer;
  do {
    eown_retry_end end = end_of(world, callee);
    end.attempts = may ? end.attempts : 1;
    attempts += end.attempts;
    eown_retry_begin(&loop, 0);
    answer = eown_retry_again(&loop, &end, 0, 0);
  } while (answer.again);
  eown_retry_clear(&loop);
  CHECK_EQ(world->attempts[callee], attempts);
}

static eown_claim decide(const lab_world *world, unsigned service) {
  const lab_case *of = world->of;
  eown_context_view view = {.service_name = "x",
                            .faults = eown_status_faults()};
  eown_claim_detail detail;
  eown_context *context = eown_context_acquire();
  if (!CHECK_NOT_NULL(context))
    return EOWN_CLAIM_MISSING;
  eown_context *known = lab_set_has(of->lost, service) ? NULL : context;
  for (unsigned i = service + 1; i < of->tree.services; i++)
    if (of->tree.caller[i] == service && lab_set_has(world->failed, i))
      run_loop(known, world, i);
  eown_decision decision =
      eown_context_decide(context, EOWN_STATUS_UNAVAILABLE, &view, &detail);
  eown_context_unref(context);
  return decision.claim;
}

EOWN_TEST(ProveLoop, DoesTheSameInEveryCase) {
  REQUIRE_TRUE(eown_context_pool_init());
  every_case_check(LAB_RETRY_BY_APPLICATION, 2, decide);
  every_case_check(LAB_RETRY_BY_APPLICATION, 3, decide);
  every_case_check(LAB_RETRY_BY_BOTH, 2, decide);
  every_case_check(LAB_RETRY_BY_BOTH, 3, decide);
}
