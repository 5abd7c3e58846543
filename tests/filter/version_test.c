/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* Another gRPC than eown was built for: this program puts a version of its own
 * before the library's. */
#include "eown/grpc.h"
#include "gtest_c.h"

#include <grpc/grpc.h>
#include <stdlib.h>

#include "log.h"
#include "refused.h"

const char *grpc_version_string(void) { return "29.9.9"; }

EOWN_TEST(Version, AnotherGrpcIsLoaded) {
  setenv("GRPC_VERBOSITY", "error", 1);
  test_log_keep();
  CHECK_EQ(EOWN_ERROR_VERSION, eown_grpc_init());
  CHECK_CONTAINS("29.9.9", test_log_text());
  CHECK_CONTAINS(eown_grpc_version(), test_log_text());
  grpc_init();
  test_refused_check();
  grpc_shutdown_blocking();
}
