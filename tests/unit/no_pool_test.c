/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* A process that never made the pool: everything runs as plain gRPC. A program
 * of its own, as the pool cannot be unmade. */
#include "eown/context.h"
#include "eown/outbound.h"

#include "gtest_c.h"

EOWN_TEST(NoPool, ThereIsNoContext) {
  int foreign = 0;
  CHECK_NULL(eown_context_acquire());
  CHECK_NULL(eown_context_current());
  CHECK_FALSE(eown_context_is_context(NULL));
  CHECK_FALSE(eown_context_is_context(&foreign));
  CHECK_FALSE(eown_context_is_context((const void *)(uintptr_t)4096));
}

EOWN_TEST(NoPool, OutboundsDoNothing) {
  eown_outbound outbound;
  eown_outbound_begin(&outbound, NULL);
  eown_outbound_end(&outbound, "redis", EOWN_STATUS_UNAVAILABLE,
                    EOWN_CLAIM_MISSING, false);
  eown_context_scope scope;
  eown_context_enter(&scope, NULL);
  CHECK_NULL(eown_context_current());
  eown_context_leave(&scope);
}
