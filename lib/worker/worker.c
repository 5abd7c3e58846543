/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "worker.h"

#include <signal.h>
#include <time.h>

static void init(eown__worker *worker) {
  pthread_condattr_t monotonic;
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init(&worker->stopped, &monotonic);
  pthread_condattr_destroy(&monotonic);
  pthread_mutex_init(&worker->mutex, NULL);
  worker->stop = false;
}

static void clear(eown__worker *worker) {
  pthread_cond_destroy(&worker->stopped);
  pthread_mutex_destroy(&worker->mutex);
}

bool eown__worker_start(eown__worker *worker, void *(*work)(void *user),
                        void *user) {
  sigset_t all;
  sigset_t before;
  init(worker);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool started = pthread_create(&worker->thread, NULL, work, user) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (!started)
    clear(worker);
  return started;
}

static struct timespec after(uint64_t ms) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_sec += (time_t)(ms / 1000);
  until.tv_nsec += (long)(ms % 1000) * 1000000;
  if (until.tv_nsec >= 1000000000) {
    until.tv_nsec -= 1000000000;
    until.tv_sec++;
  }
  return until;
}

bool eown__worker_wait(eown__worker *worker, uint64_t ms) {
  struct timespec until = after(ms);
  int over = 0;
  pthread_mutex_lock(&worker->mutex);
  while (!worker->stop && over == 0)
    over = pthread_cond_timedwait(&worker->stopped, &worker->mutex, &until);
  bool stop = worker->stop;
  pthread_mutex_unlock(&worker->mutex);
  return !stop;
}

void eown__worker_stop(eown__worker *worker) {
  pthread_mutex_lock(&worker->mutex);
  worker->stop = true;
  pthread_cond_signal(&worker->stopped);
  pthread_mutex_unlock(&worker->mutex);
  pthread_join(worker->thread, NULL);
  clear(worker);
}
