/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "fake_grpc.h"

#include <stdio.h>

/* Each call is followed by something, so that it is not a jump. */
void fake_user(void) {
  grpc_init();
  putchar(' ');
  grpc_init();
  putchar('\n');
}
