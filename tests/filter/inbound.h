/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_FILTER_INBOUND_H
#define EOWN_TESTS_FILTER_INBOUND_H

#include <grpc/grpc.h>
#include <stdbool.h>
#include <stddef.h>

#include "metadata.h"

/* An attempt as its server sees it; used by one thread. */
typedef struct test_inbound {
  grpc_call *call;
  grpc_completion_queue *queue;
  grpc_call_details details;
  grpc_metadata_array metadata;
  unsigned number; /* the server's first attempt is 0 */
  int cancelled;   /* known after test_inbound_close */
  bool closed;
} test_inbound;

/* How an attempt is answered. */
typedef struct test_answer {
  grpc_status_code status;
  const char *message; /* NULL: "" */
  bool early;          /* headers leave on their own, before the status */
  unsigned messages;   /* sent before the status */
  size_t size;         /* of each */
  test_field headers[TEST_FIELDS_MAX];
  test_field trailers[TEST_FIELDS_MAX];
} test_answer;

/* Reads the request's message; false where none comes any more. */
bool test_inbound_read(test_inbound *inbound, size_t *size);

/* Sends headers and messages before anything else is. */
void test_inbound_send(test_inbound *inbound, const test_answer *answer);

/* Sends the status; with the headers where these were not sent (`first`). */
void test_inbound_finish(test_inbound *inbound, const test_answer *answer,
                         bool first);

/* Both, as the answer says. */
void test_inbound_answer(test_inbound *inbound, const test_answer *answer);

/* For the server: before and after the handler. `close` waits until the call is
 * over; a handler may do so itself, to wait until its client is gone. */
void test_inbound_open(test_inbound *inbound);
void test_inbound_close(test_inbound *inbound);

#endif /* EOWN_TESTS_FILTER_INBOUND_H */
