/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* A plugin that initialises gRPC while the linker still loads it: under the
 * linker's lock, and late enough for the program to be at it too. */
#include "fake_grpc.h"

#include <unistd.h>

#define LATE_US 200000

__attribute__((constructor)) static void initialise(void) {
  fake_is_loading = true;
  usleep(LATE_US);
  grpc_init();
}
