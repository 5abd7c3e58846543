/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* Outbounds that no filter sees. */
#include "eown/outbound.h"

#include "context_support.h"

#include "eown/counters.h"

EOWN_TEST(Outbound, TakesPartInTheCorrelation) {
  eown_context *context = test_context();
  eown_outbound outbound;
  eown_outbound_begin(&outbound, context);
  eown_outbound_end(&outbound, "redis", EOWN_STATUS_UNAVAILABLE,
                    EOWN_CLAIM_MISSING, false);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_AT_LEAST_ONCE);
  eown_outbound_begin(&outbound, context);
  eown_outbound_end(&outbound, "redis", EOWN_STATUS_OK, EOWN_CLAIM_MISSING,
                    false);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_OWN);
  eown_context_unref(context);
}

EOWN_TEST(Outbound, CallingAgainIsARetry) {
  eown_context *context = test_context();
  for (int i = 0; i < 2; i++) {
    eown_outbound outbound;
    eown_outbound_begin(&outbound, context);
    eown_outbound_end(&outbound, "redis", EOWN_STATUS_UNAVAILABLE,
                      EOWN_CLAIM_CLAIMED, false);
  }
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_PROPAGATED);
  eown_context_unref(context);
}

EOWN_TEST(Outbound, SideBySideIsNoRetry) {
  eown_context *context = test_context();
  eown_outbound one, two;
  eown_outbound_begin(&one, context);
  eown_outbound_begin(&two, context);
  eown_outbound_end(&one, "redis", EOWN_STATUS_UNAVAILABLE, EOWN_CLAIM_MISSING,
                    false);
  eown_outbound_end(&two, "redis", EOWN_STATUS_UNAVAILABLE, EOWN_CLAIM_MISSING,
                    false);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_AT_LEAST_ONCE);
  eown_context_unref(context);
}

EOWN_TEST(Outbound, RetriedOrUnclaimedPropagates) {
  for (int retried = 0; retried < 2; retried++) {
    eown_context *context = test_context();
    eown_context_view view = test_view();
    eown_outbound outbound;
    eown_claim_detail detail;
    eown_outbound_begin(&outbound, context);
    eown_outbound_end(&outbound, "redis", EOWN_STATUS_UNAVAILABLE,
                      retried ? EOWN_CLAIM_MISSING : EOWN_CLAIM_UNCLAIMED,
                      retried);
    test_decide_detail(context, EOWN_STATUS_INTERNAL, &view,
                       EOWN_REASON_PROPAGATED, &detail);
    CHECK_STREQ("redis", detail.owner_service);
    CHECK_STREQ("", detail.owner_method);
    CHECK_EQ(1, detail.hops);
    eown_context_unref(context);
  }
}

EOWN_TEST(Outbound, FindsTheThreadsContext) {
  eown_context *context = test_context(), *other = test_context();
  eown_context_scope scope;
  eown_outbound outbound, explicit;
  eown_context_enter(&scope, context);
  eown_outbound_begin(&outbound, NULL);
  eown_outbound_begin(&explicit, other);
  eown_context_leave(&scope);
  eown_outbound_end(&outbound, "redis", EOWN_STATUS_UNAVAILABLE,
                    EOWN_CLAIM_MISSING, false);
  eown_outbound_end(&explicit, "redis", EOWN_STATUS_UNAVAILABLE,
                    EOWN_CLAIM_MISSING, true);
  DECIDES(context, EOWN_STATUS_INTERNAL, EOWN_REASON_AT_LEAST_ONCE);
  DECIDES(other, EOWN_STATUS_INTERNAL, EOWN_REASON_PROPAGATED);
  eown_context_unref(other);
  eown_context_unref(context);
}

EOWN_TEST(Outbound, HoldsAReference) {
  eown_context *context = test_context();
  eown_outbound outbound;
  eown_outbound_begin(&outbound, context);
  eown_context_unref(context);
  eown_context *other = test_context();
  CHECK_PTR_NE(context, other);
  CHECK_STREQ(INBOUND, eown_context_method(context));
  eown_outbound_end(&outbound, "redis", EOWN_STATUS_UNAVAILABLE,
                    EOWN_CLAIM_MISSING, false);
  DECIDES(other, EOWN_STATUS_INTERNAL, EOWN_REASON_OWN);
  eown_context_unref(other);
}

EOWN_TEST(Outbound, WithoutAContextIsACountedDrop) {
  uint64_t before = eown_counter_read(EOWN_COUNTER_context_drops);
  eown_outbound outbound;
  eown_outbound_begin(&outbound, NULL);
  eown_outbound_end(&outbound, "redis", EOWN_STATUS_UNAVAILABLE,
                    EOWN_CLAIM_MISSING, false);
  CHECK_EQ(before + 1, eown_counter_read(EOWN_COUNTER_context_drops));
}
