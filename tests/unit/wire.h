/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_UNIT_WIRE_H
#define EOWN_TESTS_UNIT_WIRE_H

#include <stddef.h>
#include <stdint.h>

/* Protobuf written by hand, byte by byte, also what no encoder would write. */
typedef struct wire {
  uint8_t bytes[1024];
  size_t length;
} wire;

void wire_bytes(wire *out, const void *bytes, size_t length);
void wire_varint(wire *out, uint64_t value);
/* A field of wire type 0 or 2; `field` as in the .proto file. */
void wire_number(wire *out, uint32_t field, uint64_t value);
void wire_text(wire *out, uint32_t field, const char *text);

/* A copy of exactly `length` bytes on the heap, so that AddressSanitizer sees
 * any read past them; never NULL. free() it. */
uint8_t *wire_exact(const wire *in, size_t length);

#endif /* EOWN_TESTS_UNIT_WIRE_H */
