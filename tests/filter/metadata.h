/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_FILTER_METADATA_H
#define EOWN_TESTS_FILTER_METADATA_H

#include "eown/claim.h"

#include <grpc/grpc.h>
#include <stdbool.h>
#include <stddef.h>

/* One field of metadata; a list of them ends with a NULL key. */
typedef struct test_field {
  const char *key;
  const char *value;
  size_t length; /* of the value; 0: it is text */
} test_field;

#define TEST_FIELDS_MAX 8

/* Text of a metadata key that is sent often. */
#define TEST_PUSHBACK_KEY "grpc-retry-pushback-ms"

/* Fills `to` (room for TEST_FIELDS_MAX) from `fields` (NULL: none), borrowing
 * their bytes, and returns how many there are. */
size_t test_metadata_fill(grpc_metadata *to, const test_field *fields);

/* Makes `to`, which must be empty, a deep copy of `from`; clear it. */
void test_metadata_keep(grpc_metadata_array *to,
                        const grpc_metadata_array *from);
void test_metadata_clear(grpc_metadata_array *array);

typedef struct test_text {
  char text[1024];
} test_text;

/* All values under `key`, joined by '|'; "none" where there is none. */
test_text test_metadata_text(const grpc_metadata_array *array, const char *key);

/* Decodes the one error-claim-bin; false where there is not exactly one. */
bool test_metadata_detail(const grpc_metadata_array *array,
                          eown_claim_detail *detail);

#endif /* EOWN_TESTS_FILTER_METADATA_H */
