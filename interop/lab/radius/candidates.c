/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "candidates.h"

#include "lab/base/failure.h"
#include "room.h"

#include <stdlib.h>
#include <string.h>

/* A service inside a longest run of a root. */
typedef struct sighting {
  uint32_t name;
  uint32_t row;
} sighting;

typedef struct search {
  radius_trial *trial;
  uint32_t radius; /* the largest */
  uint32_t row;
  uint32_t *last_row; /* by name: the last row it was seen in, + 1 */
  double *scores;     /* by name */
  sighting *sightings;
  uint32_t count;
  uint32_t capacity;
} search;

/* A root counts for more the nearer to its middle the run is cut. */
static void see(void *user, uint32_t position, uint32_t above) {
  search *self = user;
  const radius_walk *walk = &self->trial->walk;
  const radius_survey *survey = self->trial->survey;
  uint32_t name = walk->graph->names[walk->nodes[position]];
  if (self->last_row[name] == self->row + 1)
    return;
  self->last_row[name] = self->row + 1;
  uint32_t below = self->radius - above;
  uint32_t shorter = above < below ? above : below;
  self->scores[name] +=
      survey->fleet->graphs[survey->rows[self->row].graph].num *
      (1 + (double)shorter / self->radius);
  self->sightings = radius_room(self->sightings, self->count, &self->capacity,
                                sizeof(*self->sightings));
  self->sightings[self->count++] = (sighting){name, self->row};
}

static void search_row(search *self, uint32_t row) {
  radius_trial *trial = self->trial;
  const radius_row *what = &trial->survey->rows[row];
  self->row = row;
  radius_walk_from(&trial->walk, &trial->survey->fleet->graphs[what->graph],
                   what->root);
  radius_storm_begin(&trial->storm, &trial->walk);
  for (uint32_t i = 0; i < trial->walk.count; i++) {
    radius_storm_fail(&trial->storm, i);
    if (radius_storm_run(&trial->storm, &trial->mode).radius == self->radius)
      radius_storm_inside(&trial->storm, see, self);
  }
}

/* Keeps the best in order; among equals the first name stays first. */
static void keep(radius_candidates *candidates, uint32_t name, double score) {
  uint32_t at = candidates->count;
  while (at && candidates->items[at - 1].score < score)
    at--;
  if (at == RADIUS_CANDIDATES_MAX)
    return;
  if (candidates->count < RADIUS_CANDIDATES_MAX)
    candidates->count++;
  memmove(&candidates->items[at + 1], &candidates->items[at],
          (candidates->count - at - 1) * sizeof(*candidates->items));
  candidates->items[at] = (radius_candidate){.name = name, .score = score};
}

static void take_rows(radius_candidates *candidates, const search *self) {
  for (uint32_t i = 0; i < candidates->count; i++) {
    radius_candidate *candidate = &candidates->items[i];
    uint32_t capacity = 0;
    for (uint32_t j = 0; j < self->count; j++)
      if (self->sightings[j].name == candidate->name) {
        candidate->rows = radius_room(candidate->rows, candidate->row_count,
                                      &capacity, sizeof(*candidate->rows));
        candidate->rows[candidate->row_count++] = self->sightings[j].row;
      }
  }
}

void radius_candidates_find(radius_candidates *candidates,
                            radius_trial *trial) {
  uint32_t names = trial->survey->fleet->names.count;
  uint32_t worst = radius_trial_total(trial, NULL).radius_max;
  search self = {
      .trial = trial,
      .radius = worst,
      .last_row = lab_allocate(names, sizeof(*self.last_row)),
      .scores = lab_allocate(names, sizeof(*self.scores)),
  };
  *candidates = (radius_candidates){0};
  for (uint32_t i = 0; i < trial->survey->count; i++)
    if (trial->standings[i].radius == worst)
      search_row(&self, i);
  for (uint32_t i = 0; i < names; i++)
    if (self.scores[i] > 0)
      keep(candidates, i, self.scores[i]);
  take_rows(candidates, &self);
  free(self.last_row);
  free(self.scores);
  free(self.sightings);
}

void radius_candidates_clear(radius_candidates *candidates) {
  for (uint32_t i = 0; i < candidates->count; i++)
    free(candidates->items[i].rows);
  *candidates = (radius_candidates){0};
}
