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

/* The instructions in here are what tests/bench/run reads. */
static uint64_t run_counted(uint64_t rpcs) {
  allocations_start();
  CALLGRIND_START_INSTRUMENTATION;
  loop_run(&measured, rpcs, 1);
  CALLGRIND_STOP_INSTRUMENTATION;
  return allocations_stop();
}

/* Where things lie in the heap decides how often malloc finds a fitting chunk
 * at once. Each round has other places, so that their mean is what counts. */
static void shift_heap(uint64_t round) {
  static void *volatile kept;
  for (uint64_t i = 0; i <= round; i++)
    kept = malloc(800 + 208 * ((i * 7 + round) % 19));
  (void)kept; /* left to lie there */
}

static uint64_t run_round(const options *options, uint64_t round) {
  shift_heap(round);
  loop_init(&measured, options->row, options->error);
  loop_run(&measured, options->warmup, 1);
  uint64_t allocations = run_counted(options->rpcs);
  loop_clear(&measured);
  return allocations;
}

static void count(const options *options) {
  uint64_t allocations = 0;
  for (uint64_t i = 0; i < options->rounds; i++)
    allocations += run_round(options, i);
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
