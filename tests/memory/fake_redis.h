/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_MEMORY_FAKE_REDIS_H
#define EOWN_TESTS_MEMORY_FAKE_REDIS_H

#include "folder.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* Something on a unix socket that answers whatever it is sent with the same
 * bytes, again and again or once. */
typedef struct fake_redis {
  test_folder folder;
  char socket[128];
  char address[160];
  const char *answer; /* NULL: it never answers */
  size_t length;
  bool endless; /* without being asked, as fast as it can */
  int listener;
  _Atomic int connections; /* so far */
  _Atomic bool stop;
  pthread_t thread;
} fake_redis;

void fake_redis_start(fake_redis *fake, const char *answer, size_t length,
                      bool endless);
void fake_redis_stop(fake_redis *fake);

#endif /* EOWN_TESTS_MEMORY_FAKE_REDIS_H */
