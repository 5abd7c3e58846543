/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_MESH_FAKE_H
#define EOWN_TESTS_MESH_FAKE_H

#include "run.h"

/* A folder of peers, one of which is there: a shell script. */
typedef struct fake {
  char folder[64];
  char peer[80];
  char node[96];
} fake;

/* Makes the peer in `folder` ("python") with the script `text`; NULL: without
 * a program. */
void fake_init(fake *fake, const char *folder, const char *text);
void fake_clear(fake *fake);

/* Runs eown-lab with `words` (up to NULL) and these peers. */
void fake_run(const fake *fake, const char *const *words, e2e_run *run);

#endif /* EOWN_TESTS_MESH_FAKE_H */
