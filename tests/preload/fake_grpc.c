/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* As much of a gRPC as eown looks at: FAKE_NAME names it. */
#include "fake_grpc.h"

#include <stdio.h>

void grpc_init(void) { fputs(FAKE_NAME, stdout); }

const char *grpc_version_string(void) { return "29.9.9"; }
