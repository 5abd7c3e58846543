/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_REDIS_FIELD_H
#define EOWN_REDIS_FIELD_H

#include "eown/context.h"
#include "eown/memory_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An edge as a field's name, and its counts as a field's value; see
 * eown/memory_redis.h. */

/* Bytes of the longest field: two names, each byte as "%XX", and a space. */
#define EOWN__FIELD_MAX (6 * EOWN_METHOD_MAX + 1)

/* The names of a field, decoded. */
typedef struct eown__field_names {
  char inbound[EOWN_METHOD_MAX];
  char outbound[EOWN_METHOD_MAX];
} eown__field_names;

/* Writes the field of an edge to `field` and returns its length. */
size_t eown__field_write(const eown_edge *edge, char field[EOWN__FIELD_MAX]);

/* Reads a field; the edge points into `names`. False: it is none. */
bool eown__field_read(const char *field, size_t length,
                      eown__field_names *names, eown_edge *edge);

/* Counts in one integer; more than fit are cut. */
int64_t eown__counts_pack(uint64_t count, uint64_t together);
uint64_t eown__counts_of(int64_t value);
uint64_t eown__together_of(int64_t value);

/* Whether counts of which none ever shrinks can have gone from `old` to `sum`.
 */
bool eown__counts_grew(int64_t old, int64_t sum);

/* Reads a value; false where it is no pair of counts. */
bool eown__counts_read(const char *text, size_t length, int64_t *value);

/* Writes what a key of `service` begins with, the tag included, of at most
 * `size` bytes with the NUL. */
void eown__key_write(const char *service, uint64_t bucket, char *key,
                     size_t size);

#endif /* EOWN_REDIS_FIELD_H */
