/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "eown/error.h"

static const char *const texts[EOWN_ERROR_N] = {
#define EOWN_ERROR_TEXT(name, text) [EOWN_ERROR_##name] = text,
    EOWN_ERROR_LIST(EOWN_ERROR_TEXT)
#undef EOWN_ERROR_TEXT
};

const char *eown_error_text(eown_error error) {
  return (unsigned)error < EOWN_ERROR_N ? texts[error] : "unknown error";
}
