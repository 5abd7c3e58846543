/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_BENCH_CLAIM_H
#define EOWN_TESTS_BENCH_CLAIM_H

#include "row.h"

#include <grpc/grpc.h>
#include <stddef.h>

#define CLAIM_METADATA_MAX 3

/* The trailing metadata that a stock server's handler adds by hand to an error,
 * so that it sends what eown would: keys, and values of the same sizes. */
typedef struct claim {
  grpc_metadata metadata[CLAIM_METADATA_MAX];
  size_t count; /* 0 where the row's server has eown, which writes them */
} claim;

void claim_init(claim *claim, const row *row);
void claim_clear(claim *claim);

#endif /* EOWN_TESTS_BENCH_CLAIM_H */
