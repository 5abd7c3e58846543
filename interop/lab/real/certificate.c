/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "certificate.h"

#include "common/tls.h"
#include "lab/base/arguments.h"
#include "lab/base/failure.h"
#include "lab/base/scratch.h"
#include "process.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OPENSSL_TIMEOUT_MS 30000

static void run(const lab_arguments *argv) {
  lab_process *process = lab_process_start("openssl", argv->items);
  if (!lab_process_wait(process, OPENSSL_TIMEOUT_MS)) {
    lab_process_show_errors(process);
    lab_fail("openssl could not make the certificates (is it installed?)");
  }
  lab_process_free(process);
}

static void make_certificate(const char *folder) {
  static const char *const fixed[] = {
      "openssl",
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:prime256v1",
      "-nodes",
      "-days",
      "2",
      "-subj",
      "/CN=" EOWN_INTEROP_TLS_NAME,
      "-addext",
      "subjectAltName=IP:127.0.0.1,DNS:" EOWN_INTEROP_TLS_NAME,
  };
  lab_arguments argv = {0};
  for (size_t i = 0; i < sizeof(fixed) / sizeof(*fixed); i++)
    lab_arguments_add(&argv, "%s", fixed[i]);
  lab_arguments_add(&argv, "-keyout");
  lab_arguments_add(&argv, "%s/server.key", folder);
  lab_arguments_add(&argv, "-out");
  lab_arguments_add(&argv, "%s/server.crt", folder);
  run(&argv);
  lab_arguments_clear(&argv);
}

/* One self-signed certificate, which is its own authority. */
const char *lab_certificate_make(void) {
  const char *folder = lab_scratch_folder();
  make_certificate(folder);
  char *authority = lab_format("%s/ca.crt", folder);
  if (symlink("server.crt", authority) < 0)
    lab_fail("cannot make %s: %s", authority, strerror(errno));
  free(authority);
  return folder;
}
