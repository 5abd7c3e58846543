/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "pointer.h"

#include <stdlib.h>
#include <string.h>

static json_t *step(const json_t *from, const char *name) {
  if (json_is_array(from))
    return json_array_get(from, strtoul(name, NULL, 10));
  return json_object_get(from, name);
}

json_t *page_pointer_find(const json_t *root, const char *path) {
  char names[PAGE_POINTER];
  char *rest = NULL;
  size_t length = strlen(path);
  if (length >= sizeof(names))
    return NULL;
  memcpy(names, path, length + 1);
  const json_t *at = root;
  for (char *name = strtok_r(names, "/", &rest); name && at;
       name = strtok_r(NULL, "/", &rest))
    at = step(at, name);
  return (json_t *)at;
}
