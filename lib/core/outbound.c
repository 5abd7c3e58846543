/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "eown/outbound.h"

#include "eown/counters.h"

#include <string.h>

void eown_outbound_begin(eown_outbound *outbound, eown_context *context) {
  if (context == NULL)
    context = eown_context_current();
  outbound->context = eown_context_ref(context);
  outbound->started = context == NULL ? 0 : eown_context_now(context);
  eown_count(EOWN_COUNTER_outbound_calls);
}

void eown_outbound_end(eown_outbound *outbound, const char *name,
                       eown_status status, eown_claim claim, bool retried) {
  size_t length = strlen(name);
  if (outbound->context == NULL) {
    eown_count_method(EOWN_COUNTER_context_drops, name, (uint32_t)length);
    return;
  }
  eown_outcome outcome = {
      .method = name,
      .method_length = length,
      .started = outbound->started,
      .status = status,
      .claim = claim,
      .policy = EOWN_POLICY_NONE,
      .attempts = 1,
      .reached = true,
      .retried = retried,
  };
  if (status != EOWN_STATUS_OK)
    eown_count_method(EOWN_COUNTER_outbound_errors, name, (uint32_t)length);
  eown_context_record(outbound->context, &outcome);
  eown_context_unref(outbound->context);
  outbound->context = NULL;
}
