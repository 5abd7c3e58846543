/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "path.h"

#include "lab/base/failure.h"
#include "worst.h"

#include <stdlib.h>

/* What the path is looked for in. Inbounds and loads are by position. */
typedef struct search {
  radius_walk walk;
  radius_storm storm;
  uint32_t failing;   /* position */
  uint32_t *runs;     /* edges in the longest run that ends here */
  uint32_t *inbounds; /* of the path, from the failing service up */
  uint32_t count;
} search;

/* Callers come before their callees. */
static void find_runs(search *search) {
  const radius_walk *walk = &search->walk;
  for (uint32_t i = 0; i < search->storm.set_count; i++) {
    uint32_t at = search->storm.set[i];
    for (uint32_t j = walk->first[at]; j < walk->first[at + 1]; j++) {
      uint32_t run = search->runs[walk->inbounds[j].caller] + 1;
      if (search->storm.repeats[j] > 0 && run > search->runs[at])
        search->runs[at] = run;
    }
  }
}

/* The inbound on the longest run, or any where there is none. */
static uint32_t choose(const search *search, uint32_t at) {
  const radius_walk *walk = &search->walk;
  for (uint32_t j = walk->first[at]; j < walk->first[at + 1]; j++)
    if (search->storm.repeats[j] > 0 &&
        search->runs[walk->inbounds[j].caller] + 1 == search->runs[at])
      return j;
  return walk->first[at];
}

/* The root has position 0. */
static void climb(search *search) {
  uint32_t at = search->failing;
  while (at != 0) {
    uint32_t inbound = choose(search, at);
    search->inbounds[search->count++] = inbound;
    at = search->walk.inbounds[inbound].caller;
  }
}

static void begin(search *search, const radius_survey *survey,
                  const radius_row *row) {
  *search = (struct search){0};
  radius_walk_from(&search->walk, &survey->fleet->graphs[row->graph],
                   row->root);
  radius_storm_begin(&search->storm, &search->walk);
  search->failing = search->walk.positions[row->failing];
  radius_storm_fail(&search->storm, search->failing);
  search->runs = lab_allocate(search->walk.count, sizeof(*search->runs));
  search->inbounds =
      lab_allocate(search->walk.count, sizeof(*search->inbounds));
  radius_storm_run(&search->storm, &survey->modes[RADIUS_STOCK]);
  find_runs(search);
  climb(search);
}

static void end(search *search) {
  radius_walk_clear(&search->walk);
  radius_storm_clear(&search->storm);
  free(search->runs);
  free(search->inbounds);
}

/* Notes what the last run brought. */
static void note(const search *search, uint32_t way, radius_path *path) {
  const radius_walk *walk = &search->walk;
  for (uint32_t i = 0; i < path->count; i++) {
    bool last = i == search->count;
    uint32_t inbound = last ? 0 : search->inbounds[search->count - 1 - i];
    uint32_t at = last ? search->failing : walk->inbounds[inbound].caller;
    radius_path_node *node = &path->nodes[i];
    node->node = walk->nodes[at];
    node->load[way] = radius_storm_load(&search->storm, at);
    node->multiplies[way] = !last && search->storm.repeats[inbound] > 0;
  }
}

void radius_path_find(radius_path *path, const radius_survey *survey) {
  radius_order order;
  search search;
  radius_order_roots(&order, survey, 1);
  const radius_row *row = &survey->rows[order.items[0]];
  radius_order_clear(&order);
  begin(&search, survey, row);
  path->graph = search.walk.graph;
  path->count = search.count + 1;
  path->nodes = lab_allocate(path->count, sizeof(*path->nodes));
  for (uint32_t way = 0; way < survey->ways; way++) {
    radius_storm_run(&search.storm, &survey->modes[way]);
    note(&search, way, path);
  }
  end(&search);
}

void radius_path_clear(radius_path *path) {
  free(path->nodes);
  *path = (radius_path){0};
}
