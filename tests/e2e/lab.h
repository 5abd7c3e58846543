/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_E2E_LAB_H
#define EOWN_TESTS_E2E_LAB_H

#include "run.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Runs `eown-lab chain` with `requests` root requests, `words` and `more` (each
 * up to NULL; `more` may be NULL) and returns the object it printed. Fails the
 * test and returns NULL where it did not end with status 0, wrote to standard
 * error or printed anything but one JSON object. The caller owns the object. */
json_t *e2e_lab_chain(unsigned requests, const char *const *words,
                      const char *const *more);

/* Parses a program's whole standard output as one JSON object; NULL, and the
 * test failed, where it is none. */
json_t *e2e_lab_parse(const e2e_run *run);

/* A member by path ("root.status.UNAVAILABLE", "nodes.2.eown.local"); NULL
 * where there is none. Borrowed. */
const json_t *e2e_json_find(const json_t *object, const char *path);

/* The same as a number or text. A missing or other member fails the test. */
int64_t e2e_json_integer(const json_t *object, const char *path);
double e2e_json_number(const json_t *object, const char *path);
const char *e2e_json_text(const json_t *object, const char *path);

/* A member of node `name` ('A'...), such as "eown.local". */
int64_t e2e_node_integer(const json_t *object, char name, const char *path);

#endif /* EOWN_TESTS_E2E_LAB_H */
