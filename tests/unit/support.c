/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "support.h"

#include "gtest_c.h"

#include <pthread.h>
#include <stdlib.h>

uint64_t test_random_next(test_random *random) {
  random->state ^= random->state >> 12;
  random->state ^= random->state << 25;
  random->state ^= random->state >> 27;
  return random->state * UINT64_C(2685821657736338717);
}

uint32_t test_random_below(test_random *random, uint32_t bound) {
  return (uint32_t)((test_random_next(random) >> 32) % bound);
}

static void *allocate(void *user, size_t size) {
  test_allocator *self = user;
  unsigned long number =
      __atomic_add_fetch(&self->allocations, 1, __ATOMIC_RELAXED);
  if (number == self->fail_at)
    return NULL;
  void *pointer = malloc(size ? size : 1);
  if (pointer)
    __atomic_add_fetch(&self->live, 1, __ATOMIC_RELAXED);
  return pointer;
}

static void release(void *user, void *pointer) {
  test_allocator *self = user;
  if (pointer)
    __atomic_sub_fetch(&self->live, 1, __ATOMIC_RELAXED);
  free(pointer);
}

void test_allocator_init(test_allocator *allocator, unsigned long fail_at) {
  *allocator = (test_allocator){.base = {allocate, release, allocator},
                                .fail_at = fail_at};
}

typedef struct worker {
  void (*run)(unsigned index, void *user);
  void *user;
  pthread_barrier_t *start;
  unsigned index;
} worker;

static void *work(void *pointer) {
  worker *self = pointer;
  pthread_barrier_wait(self->start);
  self->run(self->index, self->user);
  return NULL;
}

void test_on_threads(void (*run)(unsigned index, void *user), void *user) {
  pthread_t threads[TEST_THREADS];
  worker workers[TEST_THREADS];
  pthread_barrier_t start;
  REQUIRE_EQ(0, pthread_barrier_init(&start, NULL, TEST_THREADS));
  for (unsigned i = 0; i < TEST_THREADS; i++) {
    workers[i] = (worker){run, user, &start, i};
    /* A barrier that lacks a thread would hang: give up at once. */
    if (pthread_create(&threads[i], NULL, work, &workers[i]) != 0)
      abort();
  }
  for (unsigned i = 0; i < TEST_THREADS; i++)
    CHECK_EQ(0, pthread_join(threads[i], NULL));
  pthread_barrier_destroy(&start);
}
