/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "retry_by.h"

#include <stddef.h>

const char *const lab_retry_by_names[] = {
    [LAB_RETRY_BY_GRPC] = "grpc",
    [LAB_RETRY_BY_APPLICATION] = "application",
    [LAB_RETRY_BY_BOTH] = "both",
    [LAB_RETRY_BY_N] = NULL,
};
