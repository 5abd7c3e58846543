/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "common/tls.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More than any chain of certificates needs. */
#define FILE_MAX ((size_t)1 << 20)

static char *read_stream(FILE *file) {
  char *text = malloc(FILE_MAX + 1);
  if (text == NULL)
    return NULL;
  size_t length = fread(text, 1, FILE_MAX, file);
  text[length] = '\0';
  char *fitted = realloc(text, length + 1);
  return fitted != NULL ? fitted : text;
}

static char *read_file(const char *directory, const char *name, char *message,
                       size_t size) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  FILE *file = fopen(path, "re");
  if (file == NULL) {
    snprintf(message, size, "%s: %s", path, strerror(errno));
    return NULL;
  }
  char *text = read_stream(file);
  fclose(file);
  if (text == NULL)
    snprintf(message, size, "%s: out of memory", path);
  return text;
}

bool eown_interop_tls_load(eown_interop_tls *tls, const char *directory,
                           char *message, size_t size) {
  *tls = (eown_interop_tls){0};
  tls->key = read_file(directory, "server.key", message, size);
  if (tls->key != NULL)
    tls->certificate = read_file(directory, "server.crt", message, size);
  if (tls->certificate != NULL)
    tls->authority = read_file(directory, "ca.crt", message, size);
  if (tls->authority != NULL)
    return true;
  eown_interop_tls_clear(tls);
  return false;
}

void eown_interop_tls_clear(eown_interop_tls *tls) {
  free(tls->key);
  free(tls->certificate);
  free(tls->authority);
  *tls = (eown_interop_tls){0};
}

grpc_channel_credentials *
eown_interop_channel_credentials(const eown_interop_tls *tls) {
  if (tls->authority == NULL)
    return grpc_insecure_credentials_create();
  return grpc_ssl_credentials_create_ex(tls->authority, NULL, NULL, NULL);
}

grpc_server_credentials *
eown_interop_server_credentials(const eown_interop_tls *tls) {
  if (tls->key == NULL)
    return grpc_insecure_server_credentials_create();
  grpc_ssl_pem_key_cert_pair pair = {tls->key, tls->certificate};
  return grpc_ssl_server_credentials_create_ex(
      NULL, &pair, 1, GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE, NULL);
}
