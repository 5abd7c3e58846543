// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_BINDING_LOG_H
#define EOWN_BINDING_LOG_H

namespace eown {

// Logs one line as an error, the way the binding at hand logs: each of them
// defines it.
void LogError(const char *line);

} // namespace eown

#endif // EOWN_BINDING_LOG_H
