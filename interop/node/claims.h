/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef NODE_CLAIMS_H
#define NODE_CLAIMS_H

#include <grpc/grpc.h>
#include <jansson.h>
#include <stdatomic.h>
#include <stdint.h>

/* What the application saw of a callee: calls, and the value of error-claim in
 * the trailing metadata of each error. It is read with or without eown, as any
 * client could. */
typedef struct claims {
  _Atomic uint64_t calls;
  _Atomic uint64_t errors;
  _Atomic uint64_t claimed;
  _Atomic uint64_t unclaimed;
  _Atomic uint64_t missing;
  _Atomic uint64_t other; /* another value, or more than one */
} claims;

/* Counts an error and what its trailing metadata says. */
void claims_note_error(claims *claims, const grpc_metadata_array *trailing);

/* The counts as an object that begins with `name`; the caller owns it. */
json_t *claims_json(const claims *claims, const char *name);

void claims_reset(claims *claims);

#endif /* NODE_CLAIMS_H */
