/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* Linked into each program that registers eown as an application does: once,
 * before any channel or server exists. */
#include "eown/grpc.h"

#include <grpc/grpc.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((constructor)) static void start(void) {
  eown_error error = eown_grpc_init();
  if (error != EOWN_ERROR_OK) {
    fprintf(stderr, "eown_grpc_init: %s\n", eown_error_text(error));
    exit(1);
  }
  grpc_init();
}

__attribute__((destructor)) static void stop(void) { grpc_shutdown_blocking(); }
