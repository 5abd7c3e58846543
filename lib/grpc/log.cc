// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "log.h"

#include "compat.h"

#if EOWN_GRPC_SINCE(67)
#include <stdarg.h>
#include <stdio.h>

#include "absl/log/log.h"
#endif
#if EOWN_GRPC_SINCE(65)
#include "absl/strings/str_split.h"
#endif

namespace eown {

void LogError(const char *line) { EOWN_LOG_ERROR("eown: %s", line); }

#if EOWN_GRPC_SINCE(67)
void Log(bool error, const char *format, ...) {
  char line[1024];
  va_list values;
  va_start(values, format);
  vsnprintf(line, sizeof(line), format, values);
  va_end(values);
  if (error)
    LOG(ERROR) << line;
  else
    LOG(INFO) << line;
}
#endif

#if EOWN_GRPC_SINCE(65)
bool trace = false;

void ReadTrace() {
  const char *names = getenv("GRPC_TRACE");
  if (names == nullptr)
    return;
  for (absl::string_view name : absl::StrSplit(names, ',')) {
    bool on = !absl::ConsumePrefix(&name, "-");
    if (name == "eown" || name == "all" || name == "*")
      trace = on;
  }
}
#else
grpc_core::TraceFlag trace(false, "eown");

void ReadTrace() {}
#endif

} // namespace eown
