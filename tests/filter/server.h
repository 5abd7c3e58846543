/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_FILTER_SERVER_H
#define EOWN_TESTS_FILTER_SERVER_H

#include <grpc/grpc_security.h>

#include "arguments.h"
#include "inbound.h"

/* A real server in this process, on a port of its own. Its threads take one
 * attempt at a time each. */
typedef struct test_server test_server;

typedef void test_handler(test_inbound *inbound, void *user);

typedef struct test_server_options {
  const char *mode;          /* eown.mode; NULL: a server without eown */
  const grpc_arg *arguments; /* more of them */
  const test_answer *script; /* one answer for each attempt in turn; the last,
                                which has another status than OK or is the only
                                one, is repeated */
  unsigned answers;          /* in the script; 0: 1 */
  test_handler *handler;     /* instead of the script */
  void *user;                /* the handler's */
  unsigned threads;          /* 0: 1 */
  grpc_server_credentials *credentials; /* NULL: insecure. Borrowed */
  int port;                             /* 0: any that is free */
  int fd; /* connected socket to serve instead; 0: a port */
} test_server_options;

/* `options` and what it points to must outlive the server. */
test_server *test_server_start(const test_server_options *options);

/* Waits for the handlers, and ends the server. */
void test_server_stop(test_server *server);

/* "127.0.0.1:PORT" */
const char *test_server_target(const test_server *server);

/* Cancels all calls, as a dying server does. */
void test_server_cancel(test_server *server);

/* The attempts it has seen. */
unsigned test_server_attempts(const test_server *server);

/* What the metadata of an attempt said under `key`, as the handler saw it. The
 * first TEST_SEEN_MAX attempts are kept. */
#define TEST_SEEN_MAX 16
test_text test_server_saw(test_server *server, unsigned attempt,
                          const char *key);

#endif /* EOWN_TESTS_FILTER_SERVER_H */
