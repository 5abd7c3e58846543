/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "fake_grpc.h"

int main(void) {
  fake_user();
  return 0;
}
