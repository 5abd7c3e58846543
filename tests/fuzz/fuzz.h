/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_FUZZ_FUZZ_H
#define EOWN_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* The entry that libFuzzer and the replay driver call. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the program where `x` does not hold, in every build. */
#define FUZZ_ASSERT(x)                                                         \
  do {                                                                         \
    if (!(x)) {                                                                \
      fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #x);    \
      abort();                                                                 \
    }                                                                          \
  } while (0)

#endif /* EOWN_TESTS_FUZZ_FUZZ_H */
