/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* What only a server that is not gRPC's does: going away with requests that it
 * did not look at (gRPC repeats them by itself, which is no configured retry),
 * connections that break, and values that gRPC would not send. */
#include "eown/grpc.h"
#include "gtest_c.h"

#include <string.h>

#include "call.h"
#include "channel.h"
#include "counts.h"
#include "http2.h"

#define CALLED "outbound_calls 1 outbound_attempts "
#define OK                                                                     \
  {                                                                            \
    TEST_HTTP2_ANSWER, "0", {                                                  \
      { 0 }                                                                    \
    }                                                                          \
  }
#define UNAVAILABLE(...)                                                       \
  {                                                                            \
    TEST_HTTP2_ANSWER, "14", { __VA_ARGS__ }                                   \
  }
#define CLAIM(value)                                                           \
  { "error-claim", value, 0 }
#define GO_AWAY                                                                \
  {                                                                            \
    TEST_HTTP2_GOAWAY, NULL, {                                                 \
      { 0 }                                                                    \
    }                                                                          \
  }
#define REFUSE                                                                 \
  {                                                                            \
    TEST_HTTP2_REFUSE, NULL, {                                                 \
      { 0 }                                                                    \
    }                                                                          \
  }
#define RESET                                                                  \
  {                                                                            \
    TEST_HTTP2_RESET, NULL, {                                                  \
      { 0 }                                                                    \
    }                                                                          \
  }
#define CLOSE                                                                  \
  {                                                                            \
    TEST_HTTP2_CLOSE, NULL, {                                                  \
      { 0 }                                                                    \
    }                                                                          \
  }

typedef struct row {
  const char *name;
  test_http2_step steps[4];
  unsigned count;
  grpc_status_code status;
  unsigned requests;
  const char *counts;
} row;

/* Four attempts allowed. An OK without a message is INTERNAL to unary calls, so
 * the calls are streaming ones. */
static const row rows[] = {
    {"answers at once", {OK}, 1, GRPC_STATUS_OK, 1, CALLED "1"},
    {"claimed",
     {UNAVAILABLE(CLAIM("claimed"))},
     1,
     GRPC_STATUS_UNAVAILABLE,
     4,
     CALLED "4 outbound_retries 3 outbound_errors 1 received_claimed 4 "
            "retry_allowed 3 refused_attempts 1"},
    {"unclaimed",
     {UNAVAILABLE(CLAIM("unclaimed"))},
     1,
     GRPC_STATUS_UNAVAILABLE,
     1,
     CALLED "1 outbound_errors 1 received_unclaimed 1 stopped_unclaimed 1"},
    /* gRPC 1.51 does not tell REFUSED_STREAM from other breaks. */
    {"refused, then answered",
     {REFUSE, OK},
     2,
     GRPC_STATUS_OK,
     2,
     CALLED "2 outbound_retries 1 local 1 retry_allowed 1"},
    {"refused, then unclaimed",
     {REFUSE, UNAVAILABLE(CLAIM("unclaimed"))},
     2,
     GRPC_STATUS_UNAVAILABLE,
     2,
     CALLED "2 outbound_retries 1 outbound_errors 1 received_unclaimed 1 "
            "local 1 retry_allowed 1 stopped_unclaimed 1"},
    {"refused for ever",
     {REFUSE},
     1,
     GRPC_STATUS_UNAVAILABLE,
     4,
     CALLED "4 outbound_retries 3 outbound_errors 1 local 4 retry_allowed 3 "
            "refused_attempts 1"},
    {"gone away, then answered",
     {GO_AWAY, OK},
     2,
     GRPC_STATUS_OK,
     2,
     "outbound_calls 1"},
    /* The transparent retry of a retry is no further retry. */
    {"fails, then gone away, then answered",
     {UNAVAILABLE({0}), GO_AWAY, OK},
     3,
     GRPC_STATUS_OK,
     3,
     "outbound_calls 1 outbound_retries 1 received_missing 1 "
     "retry_allowed 1"},
    {"gone away, then unclaimed",
     {GO_AWAY, UNAVAILABLE(CLAIM("unclaimed"))},
     2,
     GRPC_STATUS_UNAVAILABLE,
     2,
     "outbound_calls 1 outbound_errors 1 received_unclaimed 1 "
     "stopped_unclaimed 1"},
    {"gone away, then claimed",
     {GO_AWAY, UNAVAILABLE(CLAIM("claimed"))},
     2,
     GRPC_STATUS_UNAVAILABLE,
     5,
     "outbound_calls 1 outbound_retries 3 outbound_errors 1 received_claimed 4 "
     "retry_allowed 3 refused_attempts 1"},
    /* Only the first is transparent. */
    {"gone away for ever",
     {GO_AWAY},
     1,
     GRPC_STATUS_UNAVAILABLE,
     5,
     "outbound_calls 1 outbound_retries 3 outbound_errors 1 local 4 "
     "retry_allowed 3 refused_attempts 1"},
    {"reset",
     {RESET},
     1,
     GRPC_STATUS_INTERNAL,
     1,
     CALLED "1 outbound_errors 1 local 1 refused_status 1"},
    {"not ASCII",
     {UNAVAILABLE(CLAIM("uncl\xc3\xa4med"))},
     1,
     GRPC_STATUS_UNAVAILABLE,
     4,
     CALLED "4 outbound_retries 3 outbound_errors 1 received_missing 4 "
            "retry_allowed 3 refused_attempts 1 malformed_claim 4"},
    {"a NUL in it",
     {UNAVAILABLE({"error-claim", "unclaimed\0", 10})},
     1,
     GRPC_STATUS_UNAVAILABLE,
     4,
     CALLED "4 outbound_retries 3 outbound_errors 1 received_missing 4 "
            "retry_allowed 3 refused_attempts 1 malformed_claim 4"},
    {"two in one value",
     {UNAVAILABLE(CLAIM("unclaimed,unclaimed"))},
     1,
     GRPC_STATUS_UNAVAILABLE,
     4,
     CALLED "4 outbound_retries 3 outbound_errors 1 received_missing 4 "
            "retry_allowed 3 refused_attempts 1 malformed_claim 4"},
    /* To gRPC itself this is an error of the call's. */
    {"a detail that is not base64",
     {UNAVAILABLE(CLAIM("unclaimed"), {"error-claim-bin", "\x07", 1})},
     1,
     GRPC_STATUS_UNKNOWN,
     1,
     CALLED "1 outbound_errors 1 received_unclaimed 1 refused_status 1"},
};

/* So that a new connection is made without a wait. */
static const grpc_arg quick[] = {
    TEST_INTEGER(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100),
    TEST_INTEGER(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 100),
    {0}};

/* Where a connection goes away, gRPC may try it once more before it sees this:
 * without "outbound_attempts" in the expectation, there may be any number. */
static void check_counts(const char *expected) {
  bool all = strstr(expected, "outbound_attempts") != NULL;
  CHECK_STREQ(
      expected,
      test_counts_without(all ? EOWN_COUNTER_N : EOWN_COUNTER_outbound_attempts)
          .text);
}

static void check(const row *self, const char *mode, const char *counts,
                  int attempts) {
  TEST_TRACE("%s, %s", self->name, mode == NULL ? "none" : mode);
  test_reply reply;
  test_http2 *server = test_http2_start(self->steps, self->count);
  grpc_channel *channel = test_channel_make(
      test_http2_target(server), &(test_channel_options){.mode = mode,
                                                         .arguments = quick,
                                                         .attempts = attempts});
  eown_counters_reset();
  test_call_make(channel,
                 &(test_request){.streaming = true, .wait_for_ready = true},
                 &reply);
  grpc_channel_destroy(channel);
  unsigned requests = test_http2_stop(server);
  CHECK_EQ(self->status, reply.status);
  if (counts != NULL) {
    CHECK_EQ(self->requests, requests);
    check_counts(counts);
  }
  test_reply_clear(&reply);
}

EOWN_TEST(Transparent, Enforced) {
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
    check(&rows[i], "enforce", rows[i].counts, 4);
}

/* The status is the same in every mode. */
EOWN_TEST(Transparent, StatusInEveryMode) {
  static const char *const modes[] = {NULL, "off", "observe"};
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
    for (unsigned m = 0; m < 3; m++)
      check(&rows[i], modes[m], NULL, 4);
  }
}

/* Without a retry policy, as a retry may meet the broken connection again. */
EOWN_TEST(Transparent, ConnectionBreaks) {
  static const row self = {"connection breaks",
                           {CLOSE},
                           1,
                           GRPC_STATUS_UNAVAILABLE,
                           1,
                           CALLED "1 outbound_errors 1 local 1 "
                                  "refused_no_policy 1"};
  check(&self, "enforce", self.counts, 0);
  check(&self, "off", NULL, 0);
  check(&self, NULL, NULL, 0);
}
