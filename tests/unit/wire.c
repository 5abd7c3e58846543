/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "wire.h"

#include <stdlib.h>
#include <string.h>

void wire_bytes(wire *out, const void *bytes, size_t length) {
  if (length > sizeof out->bytes - out->length)
    abort();
  memcpy(out->bytes + out->length, bytes, length);
  out->length += length;
}

void wire_varint(wire *out, uint64_t value) {
  do {
    uint8_t byte = (uint8_t)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
    wire_bytes(out, &byte, 1);
    value >>= 7;
  } while (value);
}

void wire_number(wire *out, uint32_t field, uint64_t value) {
  wire_varint(out, (uint64_t)field << 3);
  wire_varint(out, value);
}

void wire_text(wire *out, uint32_t field, const char *text) {
  wire_varint(out, (uint64_t)field << 3 | 2);
  wire_varint(out, strlen(text));
  wire_bytes(out, text, strlen(text));
}

uint8_t *wire_exact(const wire *in, size_t length) {
  uint8_t *copy = malloc(length ? length : 1);
  if (!copy || length > in->length)
    abort();
  memcpy(copy, in->bytes, length);
  return copy;
}
