/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_ALLOCATOR_H
#define EOWN_ALLOCATOR_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where a function takes its memory from. Functions that take one accept NULL
 * for malloc and free. Both members must be safe under the threads that use
 * them; `allocate` may return NULL, which the library survives. */
typedef struct eown_allocator {
  void *(*allocate)(void *user, size_t size);
  void (*release)(void *user, void *pointer); /* NULL is a no-op */
  void *user;
} eown_allocator;

#ifdef __cplusplus
}
#endif

#endif /* EOWN_ALLOCATOR_H */
