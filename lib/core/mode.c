/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "eown/settings.h"

#include "hot/hot.h"

#include <string.h>

int eown__hot_mode_override = EOWN_MODE_N;

static const char *const mode_names[EOWN_MODE_N] = {
    [EOWN_MODE_OFF] = "off",
    [EOWN_MODE_OBSERVE] = "observe",
    [EOWN_MODE_ENFORCE] = "enforce",
};

const char *eown_mode_name(eown_mode mode) {
  return (unsigned)mode < EOWN_MODE_N ? mode_names[mode] : "unknown";
}

bool eown_mode_parse(const char *text, eown_mode *mode) {
  for (int i = 0; i < EOWN_MODE_N; i++) {
    char number[2] = {(char)('0' + i), '\0'};
    if (strcmp(text, mode_names[i]) == 0 || strcmp(text, number) == 0) {
      *mode = (eown_mode)i;
      return true;
    }
  }
  return false;
}

void eown_mode_override(eown_mode mode) {
  __atomic_store_n(&eown__hot_mode_override, (int)mode, __ATOMIC_RELAXED);
}

eown_mode eown_mode_effective(eown_mode own) { return eown__hot_mode(own); }
