/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_INTEROP_COMMON_TLS_H
#define EOWN_INTEROP_COMMON_TLS_H

#include <grpc/grpc.h>
#include <grpc/grpc_security.h>
#include <stdbool.h>
#include <stddef.h>

/* The name in the server's certificate; channels expect it whatever address
 * they connect to (GRPC_SSL_TARGET_NAME_OVERRIDE_ARG). */
#define EOWN_INTEROP_TLS_NAME "localhost"

/* The files of a TLS directory, in memory. Zero it (`= {0}`): no TLS. */
typedef struct eown_interop_tls {
  char *key;         /* server.key */
  char *certificate; /* server.crt */
  char *authority;   /* ca.crt */
} eown_interop_tls;

/* Reads the three files of `directory`. Returns false, with a sentence in
 * `message` (of `size` bytes), where one cannot be read. */
bool eown_interop_tls_load(eown_interop_tls *tls, const char *directory,
                           char *message, size_t size);

/* Frees what was read; `tls` is zero again. */
void eown_interop_tls_clear(eown_interop_tls *tls);

/* Credentials for a channel or a server: TLS where files were loaded, else
 * insecure ones. The caller releases them. */
grpc_channel_credentials *
eown_interop_channel_credentials(const eown_interop_tls *tls);
grpc_server_credentials *
eown_interop_server_credentials(const eown_interop_tls *tls);

#endif /* EOWN_INTEROP_COMMON_TLS_H */
