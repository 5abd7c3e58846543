/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_E2E_SCRATCH_H
#define EOWN_TESTS_E2E_SCRATCH_H

#include <stdbool.h>

/* A folder for one test. */
typedef struct e2e_scratch {
  char folder[64];
  char script[80]; /* "": none */
} e2e_scratch;

void e2e_scratch_init(e2e_scratch *scratch);

/* Writes a shell script and returns its path, valid as long as the folder. */
const char *e2e_scratch_script(e2e_scratch *scratch, const char *text);

bool e2e_scratch_is_empty(const e2e_scratch *scratch);

/* Removes the folder, which holds nothing but the script. */
void e2e_scratch_clear(e2e_scratch *scratch);

#endif /* EOWN_TESTS_E2E_SCRATCH_H */
