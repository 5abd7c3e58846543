/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "context_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

eown_context *test_context(void) {
  eown_context *context =
      eown_context_pool_init() ? eown_context_acquire() : NULL;
  if (!context) {
    fprintf(stderr, "no context to be had\n");
    abort();
  }
  eown_context_set_method(context, INBOUND, strlen(INBOUND));
  return context;
}

eown_context_view test_view(void) {
  return (eown_context_view){.faults = eown_status_faults()};
}

eown_outcome test_outcome(const char *method, uint32_t started,
                          eown_status status) {
  return (eown_outcome){.method = method,
                        .method_length = strlen(method),
                        .started = started,
                        .status = status,
                        .attempts = 1,
                        .reached = true};
}

void test_call(eown_context *context, const char *method, eown_status status) {
  eown_outcome outcome =
      test_outcome(method, eown_context_now(context), status);
  eown_context_record(context, &outcome);
}

void test_decide_detail(eown_context *context, eown_status status,
                        const eown_context_view *view, eown_reason reason,
                        eown_claim_detail *detail) {
  eown_claim_detail unused;
  if (!detail)
    detail = &unused;
  memset(detail, 0x5a, sizeof *detail);
  eown_decision decision = eown_context_decide(context, status, view, detail);
  CHECK_STREQ(eown_reason_name(reason), eown_reason_name(decision.reason));
  if (reason != EOWN_REASON_APPLICATION) /* its claim is checked apart */
    CHECK_STREQ(eown_claim_name(eown_rule_claim(reason)),
                eown_claim_name(decision.claim));
  if (status != EOWN_STATUS_OK)
    CHECK_EQ(decision.reason, detail->reason);
}

void test_decide_view(eown_context *context, eown_status status,
                      const eown_context_view *view, eown_reason reason) {
  test_decide_detail(context, status, view, reason, NULL);
}

void test_decide(eown_context *context, eown_status status,
                 eown_reason reason) {
  eown_context_view view = test_view();
  test_decide_detail(context, status, &view, reason, NULL);
}
