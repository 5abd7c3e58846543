/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* The retry mark is handed on, and chain stop heeds it (rule 6). */
#include "eown/grpc.h"
#include "gtest_c.h"

#include "counts.h"
#include "hops.h"

static const test_answer fails = {.status = GRPC_STATUS_UNAVAILABLE};
static const grpc_arg chain_stop[] = {TEST_INTEGER("eown.chain_stop", 1), {0}};
static const grpc_arg boundary[] = {TEST_INTEGER("eown.trust_boundary", 1),
                                    {0}};
static const test_field mark[] = {{EOWN_RETRY_MARK_KEY, "1", 0}, {0}};
/* Without gRPC's retry filter, which would remove it, the application can say
 * what a stock client's retry says. */
static const grpc_arg no_retries[] = {TEST_INTEGER(GRPC_ARG_ENABLE_RETRIES, 0),
                                      {0}};
static const test_field previous[] = {{"grpc-previous-rpc-attempts", "1", 0},
                                      {0}};

#define CALLED "outbound_calls 1 outbound_attempts "
#define TWICE                                                                  \
  CALLED "2 outbound_retries 1 outbound_errors 1 received_missing 2 "
#define MARKED "inbound_calls 1 inbound_retries 1 inbound_errors 1 "

typedef struct row {
  const char *name;
  const char *mode;           /* of the front's channel */
  const grpc_arg *outbound;   /* arguments of it */
  const grpc_arg *front;      /* and of the front's server */
  const test_field *metadata; /* of the client's request */
  unsigned attempts;          /* the back sees */
  const char *marks;
  const char *counts;
} row;

static const row rows[] = {
    {"no mark", "enforce", NULL, NULL, NULL, 2, "none,1",
     TWICE "retry_allowed 1 refused_attempts 1 inbound_calls 1 "
           "inbound_errors 1 sent_propagated 1"},
    {"mark", "enforce", NULL, NULL, mark, 2, "1,1",
     TWICE "retry_allowed 1 refused_attempts 1 " MARKED "sent_propagated 1"},
    {"gRPC's own", "enforce", NULL, NULL, previous, 2, "1,1",
     TWICE "retry_allowed 1 refused_attempts 1 " MARKED "sent_propagated 1"},
    {"mark, not believed", "enforce", NULL, boundary, mark, 2, "none,1",
     TWICE "retry_allowed 1 refused_attempts 1 inbound_calls 1 "
           "inbound_errors 1"},
    {"mark, not sent", "enforce", boundary, NULL, mark, 2, "none,none",
     TWICE "retry_allowed 1 refused_attempts 1 " MARKED "sent_propagated 1"},
    {"chain stop, no mark", "enforce", chain_stop, NULL, NULL, 2, "none,1",
     TWICE "retry_allowed 1 refused_attempts 1 inbound_calls 1 "
           "inbound_errors 1 sent_propagated 1"},
    {"chain stop", "enforce", chain_stop, NULL, mark, 1, "1",
     CALLED "1 outbound_errors 1 received_missing 1 stopped_chain 1 " MARKED
            "sent_propagated 1"},
    {"chain stop, gRPC's own", "enforce", chain_stop, NULL, previous, 1, "1",
     CALLED "1 outbound_errors 1 received_missing 1 stopped_chain 1 " MARKED
            "sent_propagated 1"},
    {"chain stop, observed", "observe", chain_stop, NULL, mark, 2, "1,1",
     TWICE "stopped_chain 1 refused_attempts 1 " MARKED "sent_propagated 1"},
};

static void check(const row *self) {
  TEST_TRACE("%s", self->name);
  test_hops hops = {.back = {.script = &fails},
                    .outbound = {.mode = self->mode,
                                 .arguments = self->outbound,
                                 .attempts = 2},
                    .front = {.mode = "enforce", .arguments = self->front},
                    .client = {.arguments = no_retries},
                    .request = {.metadata = self->metadata}};
  test_hops_result result;
  test_hops_run(&hops, &result);
  CHECK_EQ(GRPC_STATUS_UNAVAILABLE, result.reply.status);
  CHECK_EQ(self->attempts, result.back_attempts);
  CHECK_STREQ(self->marks, result.marks.text);
  CHECK_COUNTS(self->counts);
  test_reply_clear(&result.reply);
}

EOWN_TEST(Chain, EveryRow) {
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
    check(&rows[i]);
}
