/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_FILTER_HTTP2_H
#define EOWN_TESTS_FILTER_HTTP2_H

#include "metadata.h"

/* A server of our own that speaks just enough HTTP/2 to do what gRPC's own
 * never does. It follows a script, one step for each request in turn; the last
 * step is repeated. */
typedef enum test_http2_action {
  TEST_HTTP2_ANSWER, /* Trailers-Only with status and fields */
  TEST_HTTP2_GOAWAY, /* the request was not looked at: GOAWAY, last stream 0 */
  TEST_HTTP2_REFUSE, /* RST_STREAM, REFUSED_STREAM */
  TEST_HTTP2_RESET,  /* RST_STREAM, INTERNAL_ERROR */
  TEST_HTTP2_CLOSE   /* the connection ends */
} test_http2_action;

typedef struct test_http2_step {
  test_http2_action action;
  const char *status; /* of the answer, "14" */
  test_field fields[TEST_FIELDS_MAX];
} test_http2_step;

typedef struct test_http2 test_http2;

/* `steps` must outlive the server. */
test_http2 *test_http2_start(const test_http2_step *steps, unsigned count);
const char *test_http2_target(const test_http2 *server);

/* Ends the server, after all channels to it, and returns how many requests it
 * got. */
unsigned test_http2_stop(test_http2 *server);

#endif /* EOWN_TESTS_FILTER_HTTP2_H */
