/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "eown/version.h"

const char *eown_version(void) { return EOWN_VERSION; }
