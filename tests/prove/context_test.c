/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* The explorer puts the rules together itself; the library does so in
 * eown_context. Both say the same in every case. */
#include "lab/prove/world.h"

#include "eown/context.h"
#include "every_case.h"
#include "gtest_c.h"

static void record(eown_context *context, const lab_world *world,
                   unsigned callee) {
  const lab_case *of = world->of;
  char name[] = "/x.A/Call";
  name[3] = (char)('A' + callee);
  bool covered = lab_set_has(of->policy, of->tree.caller[callee]);
  eown_outcome outcome = {
      .method = name,
      .method_length = sizeof(name) - 1,
      .started = eown_context_now(context),
      .status = EOWN_STATUS_UNAVAILABLE,
      .claim = world->claims[callee],
      .policy = covered ? EOWN_POLICY_COVERS : EOWN_POLICY_NONE,
      .attempts = world->attempts[callee],
      .reached = true,
      .edge = EOWN_EDGE_UNKNOWN,
  };
  eown_context_record(context, &outcome);
}

static eown_claim decide(const lab_world *world, unsigned service) {
  static const eown_context_view view = {.service_name = "x"};
  eown_context_view faults = view;
  faults.faults = eown_status_faults();
  eown_claim_detail detail;
  eown_context *context = eown_context_acquire();
  if (!CHECK_NOT_NULL(context))
    return EOWN_CLAIM_MISSING;
  for (unsigned i = service + 1; i < world->of->tree.services; i++)
    if (world->of->tree.caller[i] == service && lab_set_has(world->failed, i) &&
        !lab_set_has(world->of->lost, service))
      record(context, world, i);
  eown_decision decision =
      eown_context_decide(context, EOWN_STATUS_UNAVAILABLE, &faults, &detail);
  eown_context_unref(context);
  return decision.claim;
}

EOWN_TEST(ProveContext, SaysTheSameInEveryCase) {
  REQUIRE_TRUE(eown_context_pool_init());
  every_case_check(LAB_RETRY_BY_GRPC, 2, decide);
}
