/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "advice_edges.h"

#include "lab/base/failure.h"
#include "room.h"

#include <stdlib.h>

/* So many edges are looked at: those the input names first. */
#define EDGES_MAX 64u

/* An edge without a retry policy, in all graphs that have it. */
typedef struct gap {
  uint32_t caller; /* names */
  uint32_t callee;
} gap;

typedef struct gaps {
  gap items[EDGES_MAX];
  uint32_t count;
} gaps;

static bool is_gap(const radius_graph *graph, const radius_edge *edge,
                   const gap *what) {
  return graph->names[edge->caller] == what->caller &&
         graph->names[edge->callee] == what->callee;
}

static void note(gaps *self, const radius_graph *graph,
                 const radius_edge *edge) {
  for (uint32_t i = 0; i < self->count; i++)
    if (is_gap(graph, edge, &self->items[i]))
      return;
  if (self->count < EDGES_MAX)
    self->items[self->count++] =
        (gap){graph->names[edge->caller], graph->names[edge->callee]};
}

static void find_gaps(gaps *self, const radius_fleet *fleet) {
  self->count = 0;
  for (uint32_t i = 0; i < fleet->count; i++)
    for (uint32_t j = 0; j < fleet->graphs[i].edge_count; j++)
      if (fleet->graphs[i].edges[j].no_retry)
        note(self, &fleet->graphs[i], &fleet->graphs[i].edges[j]);
}

static void set(const radius_fleet *fleet, const gap *what, bool no_retry) {
  for (uint32_t i = 0; i < fleet->count; i++)
    for (uint32_t j = 0; j < fleet->graphs[i].edge_count; j++) {
      radius_edge *edge = &fleet->graphs[i].edges[j];
      if (is_gap(&fleet->graphs[i], edge, what))
        edge->no_retry = no_retry;
    }
}

static bool better(const radius_total *a, const radius_total *b) {
  if (a->radius_max > b->radius_max || a->mean > b->mean)
    return false;
  if (a->reach_max != b->reach_max)
    return a->reach_max < b->reach_max;
  return a->at_reach < b->at_reach;
}

/* The total with the edge's policy; the trial keeps these standings. */
static radius_total with_policy(radius_trial *trial, const gap *what) {
  set(trial->survey->fleet, what, false);
  radius_trial_renew(trial, what->caller);
  return radius_trial_total(trial, NULL);
}

static void without_policy(radius_trial *trial, const gap *what) {
  set(trial->survey->fleet, what, true);
  radius_trial_renew(trial, what->caller);
}

/* Takes the best edge out of the gaps; false where none is better than what
 * is. */
static bool choose(radius_trial *trial, gaps *open, gap *chosen,
                   uint64_t steps_max) {
  radius_total best = radius_trial_total(trial, NULL);
  uint32_t at = RADIUS_NONE;
  for (uint32_t i = 0; i < open->count && trial->storm.steps <= steps_max;
       i++) {
    radius_total total = with_policy(trial, &open->items[i]);
    without_policy(trial, &open->items[i]);
    if (better(&total, &best)) {
      best = total;
      at = i;
    }
  }
  if (at == RADIUS_NONE)
    return false;
  *chosen = open->items[at];
  open->items[at] = open->items[--open->count];
  return true;
}

static void add_edge(radius_advice *advice, radius_trial *trial,
                     const gap *what) {
  radius_total total = with_policy(trial, what);
  advice->steps[advice->count++] = (radius_step){
      .retry = true,
      .name = what->caller,
      .callee = what->callee,
      .radius_max = total.radius_max,
      .reach_max = total.reach_max,
      .radius_mean = total.mean,
      .roots_at_max = total.at_radius,
  };
}

void radius_advice_edges(radius_advice *advice, radius_trial *trial,
                         uint32_t top, uint64_t steps_max) {
  gaps open;
  gap chosen;
  find_gaps(&open, trial->survey->fleet);
  uint32_t first = advice->count;
  while (advice->count < top && choose(trial, &open, &chosen, steps_max))
    add_edge(advice, trial, &chosen);
  for (uint32_t i = first; i < advice->count; i++)
    set(trial->survey->fleet,
        &(gap){advice->steps[i].name, advice->steps[i].callee}, true);
}
