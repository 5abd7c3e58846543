/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "timing.h"

#include "event.h"
#include "loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { STOCK, ENFORCE, STOCK_AGAIN, SIDES_N };

static loop sides[SIDES_N];

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static double seconds(loop *loop, uint64_t rpcs, uint64_t width) {
  double begin = now();
  loop_run(loop, rpcs, width);
  return now() - begin;
}

/* One of each, in an order that turns from pair to pair. */
static void measure(double *taken, uint64_t pair, uint64_t rpcs,
                    uint64_t width) {
  for (uint64_t i = 0; i < SIDES_N; i++) {
    uint64_t side = (i + pair) % SIDES_N;
    taken[side] = seconds(&sides[side], rpcs, width);
  }
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a;
  double y = *(const double *)b;
  return (x > y) - (x < y);
}

static void print(const char *what, double *ratios, uint64_t n) {
  qsort(ratios, n, sizeof *ratios, compare);
  printf("%s %.4f %.4f %.4f\n", what, ratios[n / 2], ratios[n / 4],
         ratios[n - 1 - n / 4]);
}

typedef struct ratios {
  double *enforce;
  double *noise;
} ratios;

static void allocate(ratios *ratios, uint64_t pairs) {
  ratios->enforce = calloc(pairs, sizeof(double));
  ratios->noise = calloc(pairs, sizeof(double));
  if (ratios->enforce == NULL || ratios->noise == NULL)
    event_die("out of memory");
}

/* `width` calls at a time: 1 shows latency, more of them throughput. */
static void run(const char *const names[2], uint64_t pairs, uint64_t rpcs,
                uint64_t width) {
  ratios ratios;
  allocate(&ratios, pairs);
  for (uint64_t i = 0; i < pairs; i++) {
    double taken[SIDES_N];
    measure(taken, i, rpcs, width);
    ratios.enforce[i] = taken[ENFORCE] / taken[STOCK];
    ratios.noise[i] = taken[STOCK_AGAIN] / taken[STOCK];
  }
  print(names[0], ratios.enforce, pairs);
  print(names[1], ratios.noise, pairs);
  free(ratios.enforce);
  free(ratios.noise);
}

void timing_run(uint64_t pairs, uint64_t rpcs) {
  static const char *const latency[] = {"latency", "latency-noise"};
  static const char *const busy[] = {"time-at-32", "time-at-32-noise"};
  for (int i = 0; i < SIDES_N; i++) {
    loop_init(&sides[i], row_find(i == ENFORCE ? "enforce" : "stock"), false);
    loop_run(&sides[i], rpcs, 1);
  }
  run(latency, pairs, rpcs, 1);
  run(busy, pairs, rpcs, LOOP_WIDTH_MAX);
  for (int i = 0; i < SIDES_N; i++)
    loop_clear(&sides[i]);
}
