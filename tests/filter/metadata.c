/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "metadata.h"

#include <grpc/support/alloc.h>
#include <string.h>

size_t test_metadata_fill(grpc_metadata *to, const test_field *fields) {
  size_t count = 0;
  for (; fields != NULL && fields[count].key != NULL; count++) {
    const test_field *field = &fields[count];
    size_t length = field->length > 0 ? field->length : strlen(field->value);
    to[count] = (grpc_metadata){
        .key = grpc_slice_from_static_string(field->key),
        .value = grpc_slice_from_static_buffer(field->value, length)};
  }
  return count;
}

static grpc_slice copy(grpc_slice slice) {
  return grpc_slice_from_copied_buffer(
      (const char *)GRPC_SLICE_START_PTR(slice), GRPC_SLICE_LENGTH(slice));
}

void test_metadata_keep(grpc_metadata_array *to,
                        const grpc_metadata_array *from) {
  grpc_metadata_array_init(to);
  if (from->count == 0)
    return;
  to->metadata = gpr_zalloc(from->count * sizeof(*to->metadata));
  to->capacity = to->count = from->count;
  for (size_t i = 0; i < from->count; i++) {
    to->metadata[i].key = copy(from->metadata[i].key);
    to->metadata[i].value = copy(from->metadata[i].value);
  }
}

void test_metadata_clear(grpc_metadata_array *array) {
  for (size_t i = 0; i < array->count; i++) {
    grpc_slice_unref(array->metadata[i].key);
    grpc_slice_unref(array->metadata[i].value);
  }
  grpc_metadata_array_destroy(array);
  grpc_metadata_array_init(array);
}

static void add(test_text *text, const grpc_slice *value) {
  size_t used = strlen(text->text);
  size_t length = GRPC_SLICE_LENGTH(*value);
  if (used + length + 2 > sizeof(text->text))
    return;
  if (used > 0)
    text->text[used++] = '|';
  memcpy(text->text + used, GRPC_SLICE_START_PTR(*value), length);
  text->text[used + length] = '\0';
}

test_text test_metadata_text(const grpc_metadata_array *array,
                             const char *key) {
  test_text text = {""};
  bool found = false;
  for (size_t i = 0; i < array->count; i++) {
    if (grpc_slice_str_cmp(array->metadata[i].key, key) != 0)
      continue;
    add(&text, &array->metadata[i].value);
    found = true;
  }
  if (!found)
    strcpy(text.text, "none");
  return text;
}

bool test_metadata_detail(const grpc_metadata_array *array,
                          eown_claim_detail *detail) {
  const grpc_slice *value = NULL;
  for (size_t i = 0; i < array->count; i++) {
    if (grpc_slice_str_cmp(array->metadata[i].key, EOWN_CLAIM_DETAIL_KEY) != 0)
      continue;
    if (value != NULL)
      return false;
    value = &array->metadata[i].value;
  }
  return value != NULL &&
         eown_claim_detail_decode(GRPC_SLICE_START_PTR(*value),
                                  GRPC_SLICE_LENGTH(*value), detail);
}
