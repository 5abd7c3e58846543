/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* As much of a gRPC as eown looks at: FAKE_NAME names it. */
#include "fake_grpc.h"

#include <stdio.h>

atomic_bool fake_is_loading;

void grpc_init(void) { fputs(FAKE_NAME, stdout); }

void grpc_call_start_batch(void) {}

const char *grpc_version_string(void) { return "29.9.9"; }
