/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "trial.h"

#include "gtest_c.h"

#include <limits.h>
#include <stdlib.h>

#define FAILURES_BEFORE 1000

/* One run's part of the result. */
typedef struct run {
  unsigned first; /* 0: never */
  unsigned wrong;
  unsigned after;
  unsigned unknown;
} run;

static void begin(world *w, const trial *t, uint64_t seed) {
  world_init(w, seed);
  w->own = t->own;
  world_add(w, t->rate, t->flips ? t->power_before : t->power);
  if (t->second_rate > 0) {
    world_add(w, t->second_rate, t->second_power);
    w->edges[1].with_first = t->second_together;
  }
  for (int i = 0; t->flips && i < FAILURES_BEFORE; i++)
    world_until_failure(w);
  w->edges[0].power = t->power;
}

static void look(run *r, eown_edge_kind now, eown_edge_kind wanted,
                 unsigned failure, bool flips) {
  if (now == wanted && r->first == 0)
    r->first = failure;
  bool opposite = now != wanted && now != EOWN_EDGE_UNKNOWN;
  if (opposite && !(flips && r->first == 0)) /* the old verdict is no mistake */
    r->wrong++;
  if (r->first != 0) {
    r->after++;
    r->unknown += now == EOWN_EDGE_UNKNOWN;
  }
}

static run run_once(const trial *t, eown_edge_kind wanted, uint64_t seed) {
  world w;
  run r = {0};
  begin(&w, t, seed);
  for (unsigned i = 1; i <= t->failures; i++) {
    world_until_failure(&w);
    look(&r, world_kind(&w, 0), wanted, i, t->flips);
  }
  world_clear(&w);
  return r;
}

static int ascending(const void *a, const void *b) {
  unsigned left = *(const unsigned *)a, right = *(const unsigned *)b;
  return (left > right) - (left < right);
}

trial_result trial_run(const trial *t, eown_edge_kind wanted) {
  unsigned *firsts = calloc(t->runs, sizeof *firsts);
  trial_result result = {0};
  double wrong = 0, after = 0, unknown = 0;
  if (!firsts)
    abort();
  for (unsigned i = 0; i < t->runs; i++) {
    run r = run_once(t, wanted, i + 1);
    firsts[i] = r.first != 0 ? r.first : UINT_MAX;
    result.never += r.first == 0;
    result.wrong_runs += r.wrong > 0;
    wrong += r.wrong;
    after += r.after;
    unknown += r.unknown;
  }
  qsort(firsts, t->runs, sizeof *firsts, ascending);
  result.median = firsts[t->runs / 2];
  result.p95 = firsts[t->runs * 95 / 100];
  result.wrong_share = wrong / ((double)t->runs * t->failures);
  result.unknown_share = after > 0 ? unknown / after : 0;
  free(firsts);
  return result;
}
