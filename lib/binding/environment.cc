// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "environment.h"

#include <stdio.h>
#include <stdlib.h>

#include "eown/counters.h"
#include "eown/settings.h"
#include "log.h"

namespace eown {

bool ReadEnvironment() {
  const char *text = getenv("EOWN_MODE");
  if (text == nullptr || text[0] == '\0')
    return false;
  eown_mode mode;
  if (eown_mode_parse(text, &mode)) {
    eown_mode_override(mode);
    return true;
  }
  char line[256];
  snprintf(line, sizeof(line),
           "environment variable EOWN_MODE: \"%.64s\" is not valid: expected "
           "off, observe, enforce (or 0, 1, 2); it is ignored",
           text);
  eown_count(EOWN_COUNTER_bad_settings);
  LogError(line);
  return false;
}

} // namespace eown
