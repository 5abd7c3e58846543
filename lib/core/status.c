/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "eown/status.h"

#include <string.h>
#include <strings.h>

static const char *const names[EOWN_STATUS_N] = {
#define EOWN_STATUS_NAME(number, name, fault) [number] = #name,
    EOWN_STATUS_LIST(EOWN_STATUS_NAME)
#undef EOWN_STATUS_NAME
};

eown_status_set eown_status_faults(void) {
  return 0
#define EOWN_STATUS_FAULT(number, name, fault) | ((fault) ? 1u << (number) : 0u)
      EOWN_STATUS_LIST(EOWN_STATUS_FAULT)
#undef EOWN_STATUS_FAULT
          ;
}

static unsigned known(eown_status status) {
  unsigned number = (unsigned)status;
  return number < EOWN_STATUS_N ? number : (unsigned)EOWN_STATUS_UNKNOWN;
}

bool eown_status_set_has(eown_status_set set, eown_status status) {
  return (set >> known(status) & 1u) != 0;
}

const char *eown_status_name(eown_status status) {
  return names[known(status)];
}

bool eown_status_parse(const char *name, size_t length, eown_status *status) {
  for (unsigned i = 0; i < EOWN_STATUS_N; i++) {
    if (strlen(names[i]) == length &&
        strncasecmp(names[i], name, length) == 0) {
      *status = (eown_status)i;
      return true;
    }
  }
  return false;
}
