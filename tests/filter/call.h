/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_FILTER_CALL_H
#define EOWN_TESTS_FILTER_CALL_H

#include "eown/context.h"
#include "eown/retry.h"

#include <grpc/grpc.h>
#include <stdbool.h>

#include "metadata.h"

/* The method called where a request names none. */
#define TEST_METHOD "/test.Back/Get"

/* One client call. */
typedef struct test_request {
  const char *method; /* NULL: TEST_METHOD */
  grpc_call *parent;  /* NULL: none */
  bool attach;        /* tie it to `context`, NULL too */
  eown_context *context;
  const test_field *metadata; /* NULL: none */
  eown_retry_loop *loop;      /* that the call is one of; NULL: none */
  size_t size;                /* of the message sent */
  unsigned deadline_ms;       /* 0: none that matters */
  bool wait_for_ready;
  bool streaming;    /* read messages one by one */
  bool cancelled;    /* before it starts */
  bool cancel_after; /* when it has ended */
} test_request;

typedef struct test_reply {
  grpc_status_code status;
  char message[256];
  unsigned messages;
  size_t bytes;
  grpc_metadata_array headers;
  grpc_metadata_array trailers;
  eown_retry_answer answer; /* of the loop */
} test_reply;

/* Makes the call and waits for its end. Clear the reply. */
void test_call_make(grpc_channel *channel, const test_request *request,
                    test_reply *reply);
void test_reply_clear(test_reply *reply);

/* Makes calls until the loop, just started, has ended: as an application does,
 * but without waiting. Returns the calls made; the reply is the last one's. */
unsigned test_call_loop(grpc_channel *channel, const test_request *request,
                        test_reply *reply);

/* The same in parts. */
typedef struct test_call test_call;
test_call *test_call_begin(grpc_channel *channel, const test_request *request);
/* Waits for headers (streaming calls only). */
void test_call_wait_headers(test_call *call);
void test_call_cancel(test_call *call);
void test_call_end(test_call *call, test_reply *reply);

#endif /* EOWN_TESTS_FILTER_CALL_H */
