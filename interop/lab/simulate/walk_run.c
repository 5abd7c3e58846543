/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "walk.h"

#include "lab/base/failure.h"
#include "lab/base/interrupt.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHUNK_MIN 1000u
#define CHUNK_MAX 10000u
#define CHUNKS 64u

/* What the threads share. */
typedef struct run {
  const lab_model *model;
  uint64_t chunk;
  uint64_t chunks;
  atomic_uint_fast64_t next; /* chunk to be taken */
} run;

typedef struct worker {
  run *run;
  unsigned number;
  pthread_t thread;
  lab_replica replica;
  lab_walker *walkers;
  double cpu_seconds;
} worker;

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Depends on the model alone, never on the threads. */
static uint64_t chunk_of(const lab_model *model) {
  uint64_t chunk = model->chunk ? model->chunk : model->requests / CHUNKS;
  if (model->chunk)
    return chunk;
  return chunk < CHUNK_MIN ? CHUNK_MIN : chunk > CHUNK_MAX ? CHUNK_MAX : chunk;
}

/* Healthy requests fill the budgets, all at one time; they do not count. */
static void warm_up(lab_replica *replica, lab_walker *walkers) {
  uint32_t count = replica->model->fleet->count;
  lab_counts kept = replica->counts;
  lab_service_counts *services = lab_allocate(count, sizeof(*services));
  for (uint32_t i = 0; i < count; i++)
    services[i] = replica->sites[i].counts;
  replica->healthy = true;
  lab_walk_requests(replica, walkers, replica->model->healthy, 0);
  replica->healthy = false;
  for (uint32_t i = 0; i < count; i++)
    replica->sites[i].counts = services[i];
  replica->counts = kept;
  free(services);
}

static void run_chunk(worker *self, uint64_t number, uint64_t requests) {
  const lab_model *model = self->run->model;
  lab_replica_reset(&self->replica, number);
  if (model->healthy)
    warm_up(&self->replica, self->walkers);
  lab_walk_requests(&self->replica, self->walkers, requests,
                    1000 / model->rate);
}

static void *work(void *argument) {
  worker *self = argument;
  run *run = self->run;
  double start = seconds(CLOCK_THREAD_CPUTIME_ID);
  for (;;) {
    uint64_t number = atomic_fetch_add(&run->next, 1);
    if (number >= run->chunks)
      break;
    uint64_t left = run->model->requests - number * run->chunk;
    run_chunk(self, number, left < run->chunk ? left : run->chunk);
  }
  self->cpu_seconds = seconds(CLOCK_THREAD_CPUTIME_ID) - start;
  return NULL;
}

static void start(worker *worker) {
  int error = pthread_create(&worker->thread, NULL, work, worker);
  if (error)
    lab_fail("cannot start a thread: %s", strerror(error));
}

static void run_workers(worker *workers, unsigned threads, lab_counts *counts,
                        lab_effort *effort) {
  double begin = seconds(CLOCK_MONOTONIC);
  for (unsigned i = 1; i < threads; i++)
    start(&workers[i]);
  work(&workers[0]);
  for (unsigned i = 1; i < threads; i++)
    pthread_join(workers[i].thread, NULL);
  for (unsigned i = 0; i < threads; i++)
    effort->cpu_seconds += workers[i].cpu_seconds;
  effort->wall_seconds = seconds(CLOCK_MONOTONIC) - begin;
  lab_interrupt_check();
  for (unsigned i = 0; i < threads; i++)
    lab_replica_collect(&workers[i].replica, counts);
}

void lab_walk_run(const lab_model *model, lab_counts *counts,
                  lab_effort *effort) {
  run run = {.model = model, .chunk = chunk_of(model)};
  run.chunks = (model->requests + run.chunk - 1) / run.chunk;
  unsigned threads = model->threads ? model->threads : 1;
  if (threads > run.chunks)
    threads = run.chunks ? (unsigned)run.chunks : 1;
  worker *workers = lab_allocate(threads, sizeof(*workers));
  for (unsigned i = 0; i < threads; i++) {
    workers[i].run = &run;
    workers[i].walkers = lab_allocate(LAB_WALKERS, sizeof(lab_walker));
    lab_replica_init(&workers[i].replica, model, i);
  }
  lab_counts_init(counts, model->fleet->count);
  *effort = (lab_effort){0};
  run_workers(workers, threads, counts, effort);
  for (unsigned i = 0; i < threads; i++) {
    lab_replica_clear(&workers[i].replica);
    free(workers[i].walkers);
  }
  free(workers);
}
