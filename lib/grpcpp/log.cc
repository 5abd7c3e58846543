// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "log.h"

#include <stdio.h>

namespace eown {

// gRPC's own log has changed its interface between versions; standard error is
// where it writes to.
void LogError(const char *line) { fprintf(stderr, "eown: %s\n", line); }

} // namespace eown
