/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_WORKER_H
#define EOWN_WORKER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* A thread that works at intervals until it is told to stop. */
typedef struct eown__worker {
  pthread_t thread;
  pthread_mutex_t mutex; /* guards stop */
  pthread_cond_t stopped;
  bool stop;
} eown__worker;

/* Starts the thread, which runs `work(user)` once, with all signals blocked:
 * they are for the application's threads. False where no thread can be had. */
bool eown__worker_start(eown__worker *worker, void *(*work)(void *user),
                        void *user);

/* For the thread: waits; false when it is to stop. */
bool eown__worker_wait(eown__worker *worker, uint64_t ms);

/* Tells the thread to stop, and waits until it has. */
void eown__worker_stop(eown__worker *worker);

#endif /* EOWN_WORKER_H */
