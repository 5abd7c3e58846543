/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_CONFORMANCE_VECTORS_H
#define EOWN_TESTS_CONFORMANCE_VECTORS_H

#include "eown/eown.h"

#include <jansson.h>

/* Reads the vectors; NULL, with a message on standard error, where they cannot
 * be read. The caller owns the reference. */
json_t *vectors_load(void);

/* The names of the vectors as the core's values; the last value of the kind
 * (…_N) for a name that is none. */
eown_claim vectors_claim(const json_t *row, const char *key);
eown_policy vectors_policy(const json_t *row, const char *key);
eown_callee vectors_callee(const json_t *row, const char *key);
eown_edge_kind vectors_edge(const json_t *row, const char *key);

/* A member of a row as text, "" where there is none; or as truth. */
const char *vectors_text(const json_t *row, const char *key);
bool vectors_bool(const json_t *row, const char *key);

/* Decodes base64 text into `bytes` of `capacity`; the bytes written. */
size_t vectors_bytes(const char *text, uint8_t *bytes, size_t capacity);

#endif /* EOWN_TESTS_CONFORMANCE_VECTORS_H */
