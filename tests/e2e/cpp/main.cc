// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "eown/grpc.h"

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  if (eown_grpc_init() != EOWN_ERROR_OK)
    return 1;
  return RUN_ALL_TESTS();
}
