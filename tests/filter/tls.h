/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_FILTER_TLS_H
#define EOWN_TESTS_FILTER_TLS_H

#include <grpc/grpc_security.h>
#include <stdbool.h>

/* Credentials from a certificate for "localhost" that signs itself, made by the
 * openssl command in a directory that is gone afterwards. */
typedef struct test_tls {
  grpc_server_credentials *server;
  grpc_channel_credentials *channel;
} test_tls;

/* Returns false where the command fails. */
bool test_tls_make(test_tls *tls);
void test_tls_clear(test_tls *tls);

#endif /* EOWN_TESTS_FILTER_TLS_H */
