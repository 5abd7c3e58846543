/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "fake_worker.h"

#include "worker.h"

#include <stddef.h>

static void *(*started)(void *user);
static void *started_user;
static bool (*waiting)(void *user, uint64_t ms);
static void *waiting_user;

bool eown__worker_start(eown__worker *worker, void *(*work)(void *user),
                        void *user) {
  (void)worker;
  started = work;
  started_user = user;
  return true;
}

bool eown__worker_wait(eown__worker *worker, uint64_t ms) {
  (void)worker;
  return waiting(waiting_user, ms);
}

void eown__worker_stop(eown__worker *worker) {
  (void)worker;
  started = NULL;
}

void fake_worker_run(bool (*wait)(void *user, uint64_t ms), void *user) {
  waiting = wait;
  waiting_user = user;
  started(started_user);
}
