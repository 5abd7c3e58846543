/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "vectors.h"

#include <stdio.h>
#include <string.h>

json_t *vectors_load(void) {
  json_error_t error;
  json_t *vectors = json_load_file(EOWN_VECTORS, 0, &error);
  if (vectors == NULL)
    fprintf(stderr, "%s:%d: %s\n", EOWN_VECTORS, error.line, error.text);
  return vectors;
}

const char *vectors_text(const json_t *row, const char *key) {
  const char *text = json_string_value(json_object_get(row, key));
  return text == NULL ? "" : text;
}

bool vectors_bool(const json_t *row, const char *key) {
  return json_is_true(json_object_get(row, key));
}

static unsigned find(const char *text, const char *const *names, unsigned n) {
  unsigned i = 0;
  while (i < n && strcmp(names[i], text) != 0)
    i++;
  return i;
}

eown_claim vectors_claim(const json_t *row, const char *key) {
  static const char *const names[] = {"missing", "claimed", "unclaimed"};
  return (eown_claim)find(vectors_text(row, key), names, EOWN_CLAIM_N);
}

eown_policy vectors_policy(const json_t *row, const char *key) {
  static const char *const names[] = {"none", "not_listed", "covers"};
  return (eown_policy)find(vectors_text(row, key), names, EOWN_POLICY_N);
}

eown_callee vectors_callee(const json_t *row, const char *key) {
  static const char *const names[] = {"ok", "missing", "claimed", "unclaimed"};
  return (eown_callee)find(vectors_text(row, key), names, EOWN_CALLEE_N);
}

eown_edge_kind vectors_edge(const json_t *row, const char *key) {
  static const char *const names[] = {"unknown", "fail_close", "fail_open"};
  return (eown_edge_kind)find(vectors_text(row, key), names, EOWN_EDGE_KIND_N);
}

static unsigned digit(char c) {
  static const char digits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  return (unsigned)(strchr(digits, c) - digits);
}

size_t vectors_bytes(const char *text, uint8_t *bytes, size_t capacity) {
  size_t count = 0;
  unsigned bits = 0;
  unsigned value = 0;
  for (; *text != '\0' && *text != '='; text++) {
    value = value << 6 | digit(*text);
    bits += 6;
    if (bits >= 8 && count < capacity) {
      bits -= 8;
      bytes[count++] = (uint8_t)(value >> bits);
    }
  }
  return count;
}
