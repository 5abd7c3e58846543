/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "allocations.h"
#include "loop.h"
#include "options.h"
#include "timing.h"

#include <eown/grpc.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <valgrind/callgrind.h>

static loop measured;

/* Where things lie in the heap decides how often malloc finds a fitting chunk
 * at once, and by more than what eown costs. So before every call something
 * comes to lie there and something else goes, in every row the same, and the
 * mean is what counts. */
static void shift_heap(void) {
  static void *lying[61];
  static uint32_t state;
  for (int i = 0; i < 3; i++) {
    state = state * 1664525u + 1013904223u;
    void **place = &lying[(state >> 8) % 61];
    free(*place);
    *place = malloc(1100 + (state >> 16) % 14000);
  }
}

/* The instructions in here are what tests/bench/run reads. */
static uint64_t run_counted(uint64_t rpcs) {
  allocations_start();
  CALLGRIND_START_INSTRUMENTATION;
  for (uint64_t i = 0; i < rpcs; i++) {
    CALLGRIND_TOGGLE_COLLECT;
    shift_heap();
    CALLGRIND_TOGGLE_COLLECT;
    loop_run(&measured, 1, 1);
  }
  CALLGRIND_STOP_INSTRUMENTATION;
  return allocations_stop();
}

static uint64_t run_round(const options *options) {
  shift_heap();
  loop_init(&measured, options->row, options->error);
  loop_run(&measured, options->warmup, 1);
  uint64_t allocations = run_counted(options->rpcs);
  loop_clear(&measured);
  return allocations;
}

static void count(const options *options) {
  uint64_t allocations = 0;
  for (uint64_t i = 0; i < options->rounds; i++)
    allocations += run_round(options);
  printf("%s %s %" PRIu64 " %" PRIu64 "\n", options->row->name,
         options->error ? "error" : "ok", options->rpcs * options->rounds,
         allocations);
}

static bool init(const options *options) {
  bool stock = !options->time && options->row->mode == NULL;
  eown_error error = stock ? EOWN_ERROR_OK : eown_grpc_init();
  if (error != EOWN_ERROR_OK)
    fprintf(stderr, "eown-bench: eown_grpc_init: %s\n", eown_error_text(error));
  return error == EOWN_ERROR_OK;
}

int main(int argc, char **argv) {
  options options;
  options_read(&options, argc, argv);
  if (!allocations_check() || !init(&options))
    return 1;
  grpc_init();
  if (options.time)
    timing_run(options.pairs, options.rpcs);
  else
    count(&options);
  grpc_shutdown();
  return 0;
}
