/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_FILTER_HOPS_H
#define EOWN_TESTS_FILTER_HOPS_H

#include "pair.h"

/* Two hops in one process: client -> front -> back. The front's handler makes
 * outbound calls and then answers. */
#define TEST_FRONT_METHOD "/test.Front/Call"

/* What a front that forwards looks for: the keys that eown reads or writes. */
#define TEST_FORWARDED_KEYS                                                    \
  "grpc-previous-rpc-attempts", "error-claim-retry", "error-claim",            \
      "error-claim-bin", "x-alias", "grpc-retry-pushback-ms"

/* How the front ties an outbound to its inbound. */
typedef enum test_tie {
  TEST_TIE_PARENT, /* gRPC's parent call */
  TEST_TIE_SCOPE,  /* the thread's current context */
  TEST_TIE_ATTACH, /* by name */
  TEST_TIE_NONE,   /* not at all */
  TEST_TIE_UNTIED, /* parent and thread say so, but the call is untied */
  TEST_TIE_N
} test_tie;

/* One outbound of the front. */
typedef struct test_step {
  test_tie tie;
  const char *method; /* NULL: TEST_METHOD */
  bool nowhere;       /* over a channel to a port where nobody listens */
  bool cancelled;     /* by the front, before it starts */
  unsigned deadline_ms;
  int32_t loop; /* repeated by a loop of so many attempts; 0: once */
} test_step;

typedef struct test_hops {
  test_server_options back;
  test_channel_options outbound; /* of the front to the back */
  test_server_options front;     /* without script and handler */
  test_channel_options client;
  test_request request; /* the client's; its method is filled in */
  test_step steps[4];
  unsigned steps_count;    /* 0: 1 */
  grpc_status_code status; /* of the front's answer; OK: of the last step */
  bool recovers;           /* the front answers OK */
  bool retried;            /* the front says that it has retried */
  void *tracing;           /* the application's in gRPC's tracing slot */
  bool forwards;           /* the front hands its caller's metadata on */
  bool copies;             /* and its callee's trailers back */
} test_hops;

typedef struct test_hops_result {
  test_reply reply;
  unsigned front_attempts;
  unsigned back_attempts;
  test_text marks; /* that the back saw, joined by ',' */
} test_hops_result;

/* Runs one client call with all counters at zero. Clear the reply. */
void test_hops_run(const test_hops *hops, test_hops_result *result);

#endif /* EOWN_TESTS_FILTER_HOPS_H */
