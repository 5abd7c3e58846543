/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* A dependency outside gRPC, as an example: a query to a database, which the
 * service carries on without, learned through the inbound context. */
#include "eown/context.h"
#include "eown/memory_table.h"
#include "eown/outbound.h"

#include "gtest_c.h"

#include <string.h>

#define METHOD "/front.Shop/Buy"
#define QUERY "sql: recommendations"

/* What a handler does around its query. */
static void query(eown_context *context, eown_status status) {
  eown_outbound outbound;
  eown_outbound_begin(&outbound, context);
  /* ... the query is made here, and made again where it failed ... */
  eown_outbound_end(&outbound, QUERY, status, EOWN_CLAIM_MISSING, true);
}

static eown_decision serve(const eown_memory *memory, eown_status query_status,
                           eown_status status) {
  eown_context_view view = {.faults = eown_status_faults(), .memory = memory};
  eown_claim_detail detail;
  eown_context *context = eown_context_acquire();
  eown_context_set_method(context, METHOD, strlen(METHOD));
  query(context, query_status);
  eown_decision decision = eown_context_decide(context, status, &view, &detail);
  eown_context_unref(context);
  return decision;
}

EOWN_TEST(MemoryOutbound, AQueryIsLearnedAsAnyOutbound) {
  REQUIRE_TRUE(eown_context_pool_init());
  eown_memory_table *table =
      eown_memory_table_create(16, EOWN_MEMORY_HALF_LIFE_DEFAULT_MS, NULL);
  eown_memory memory = eown_memory_table_view(table);
  /* Nothing is known: the service's own error passes for the database's. */
  CHECK_EQ(
      EOWN_REASON_PROPAGATED,
      serve(&memory, EOWN_STATUS_UNAVAILABLE, EOWN_STATUS_INTERNAL).reason);
  for (int i = 0; i < 100; i++)
    serve(&memory, EOWN_STATUS_UNAVAILABLE, EOWN_STATUS_OK);
  eown_decision decision =
      serve(&memory, EOWN_STATUS_UNAVAILABLE, EOWN_STATUS_INTERNAL);
  CHECK_EQ(EOWN_REASON_COINCIDENTAL, decision.reason);
  CHECK_EQ(EOWN_CLAIM_CLAIMED, decision.claim);
  eown_memory_table_destroy(table);
}

/* The chain of the storm: D always fails, and C with it. */
EOWN_TEST(MemoryOutbound, TheStormTeachesNothingWrong) {
  REQUIRE_TRUE(eown_context_pool_init());
  eown_memory_table *table =
      eown_memory_table_create(16, EOWN_MEMORY_HALF_LIFE_DEFAULT_MS, NULL);
  eown_memory memory = eown_memory_table_view(table);
  for (int i = 0; i < 10000; i++)
    CHECK_EQ(EOWN_REASON_PROPAGATED,
             serve(&memory, EOWN_STATUS_UNAVAILABLE, EOWN_STATUS_UNAVAILABLE)
                 .reason);
  eown_memory_table_destroy(table);
}
