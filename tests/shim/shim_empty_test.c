/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* A program without a test: main() of the shim must fail. */
#include "gtest_c.h"

extern int eown_shim_empty;
int eown_shim_empty;
