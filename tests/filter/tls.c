/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "tls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct pem {
  char text[8192];
} pem;

static bool read_pem(const char *directory, const char *name, pem *to) {
  char path[64];
  snprintf(path, sizeof(path), "%s/%s", directory, name);
  FILE *file = fopen(path, "re");
  if (file == NULL)
    return false;
  to->text[fread(to->text, 1, sizeof(to->text) - 1, file)] = '\0';
  fclose(file);
  unlink(path);
  return true;
}

static bool make_files(const char *directory) {
  char command[512];
  snprintf(command, sizeof(command),
           "cd %s && openssl req -x509 -newkey ec -pkeyopt "
           "ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost "
           "-addext subjectAltName=DNS:localhost -keyout key -out certificate "
           "2>log || { cat log; false; }",
           directory);
  return system(command) == 0;
}

static bool make_pair(pem *key, pem *certificate) {
  char directory[] = "/tmp/eown-tls-XXXXXX";
  pem log;
  if (mkdtemp(directory) == NULL)
    return false;
  bool made = make_files(directory);
  made = read_pem(directory, "key", key) && made;
  made = read_pem(directory, "certificate", certificate) && made;
  read_pem(directory, "log", &log);
  rmdir(directory);
  return made;
}

bool test_tls_make(test_tls *tls) {
  pem key;
  pem certificate;
  if (!make_pair(&key, &certificate))
    return false;
  grpc_ssl_pem_key_cert_pair pair = {key.text, certificate.text};
  tls->server = grpc_ssl_server_credentials_create_ex(
      NULL, &pair, 1, GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE, NULL);
  tls->channel =
      grpc_ssl_credentials_create_ex(certificate.text, NULL, NULL, NULL);
  return true;
}

void test_tls_clear(test_tls *tls) {
  grpc_server_credentials_release(tls->server);
  grpc_channel_credentials_release(tls->channel);
}
