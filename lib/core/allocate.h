/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_ALLOCATE_H
#define EOWN_ALLOCATE_H

#include "eown/allocator.h"

#include <stdlib.h>

static inline void *eown__allocate(const eown_allocator *allocator,
                                   size_t size) {
  return allocator == NULL ? malloc(size)
                           : allocator->allocate(allocator->user, size);
}

static inline void eown__release(const eown_allocator *allocator,
                                 void *pointer) {
  if (allocator == NULL)
    free(pointer);
  else
    allocator->release(allocator->user, pointer);
}

#endif /* EOWN_ALLOCATE_H */
