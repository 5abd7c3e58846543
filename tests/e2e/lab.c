/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "lab.h"

#include "gtest_c.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

json_t *e2e_lab_parse(const e2e_run *run) {
  json_error_t error;
  json_t *object = json_loads(run->output, 0, &error);
  if (object == NULL || !json_is_object(object))
    FAIL_TEST("no JSON object (%s): %s", error.text, run->output);
  return object;
}

static json_t *check(const e2e_run *run) {
  CHECK_EQ(0, run->status);
  CHECK_STREQ("", run->errors);
  return run->status == 0 ? e2e_lab_parse(run) : NULL;
}

json_t *e2e_lab_chain(unsigned requests, const char *const *words,
                      const char *const *more) {
  char number[16];
  snprintf(number, sizeof number, "%u", requests);
  const char *all[E2E_WORDS_MAX] = {NULL};
  e2e_words_add(all,
                E2E_WORDS(E2E_LAB, "chain", "--json", "--requests", number));
  e2e_words_add(all, words);
  if (more != NULL)
    e2e_words_add(all, more);
  e2e_run run;
  e2e_run_words(all, &run);
  json_t *object = check(&run);
  e2e_run_clear(&run);
  return object;
}

static const json_t *step(const json_t *value, const char *key) {
  if (json_is_array(value) && isdigit((unsigned char)*key))
    return json_array_get(value, strtoul(key, NULL, 10));
  return json_object_get(value, key);
}

const json_t *e2e_json_find(const json_t *object, const char *path) {
  char copy[256];
  snprintf(copy, sizeof copy, "%s", path);
  char *rest = NULL;
  for (char *key = strtok_r(copy, ".", &rest); key != NULL;
       key = strtok_r(NULL, ".", &rest))
    object = step(object, key);
  return object;
}

int64_t e2e_json_integer(const json_t *object, const char *path) {
  const json_t *value = e2e_json_find(object, path);
  if (!json_is_integer(value))
    FAIL_TEST("%s: expected an integer", path);
  return json_integer_value(value);
}

double e2e_json_number(const json_t *object, const char *path) {
  const json_t *value = e2e_json_find(object, path);
  if (!json_is_number(value))
    FAIL_TEST("%s: expected a number", path);
  return json_number_value(value);
}

const char *e2e_json_text(const json_t *object, const char *path) {
  const json_t *value = e2e_json_find(object, path);
  if (!json_is_string(value) && !json_is_null(value))
    FAIL_TEST("%s: expected a text or null", path);
  return json_string_value(value);
}

int64_t e2e_node_integer(const json_t *object, char name, const char *path) {
  char full[256];
  snprintf(full, sizeof full, "nodes.%d.%s", name - 'A', path);
  return e2e_json_integer(object, full);
}
