/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "hop.h"

#include <stdlib.h>

/* So long that a budget has forgotten: far more than EOWN_BUDGET_WINDOW_MS. */
#define REPLICA_MS UINT64_C(1000000000)

void lab_replica_init(lab_replica *replica, const lab_model *model,
                      unsigned number) {
  *replica = (lab_replica){.model = model};
  replica->sites = lab_allocate_lines(model->fleet->count, sizeof(lab_site));
  for (uint32_t i = 0; i < model->fleet->count; i++)
    replica->sites[i].service = model->fleet->services[i];
  lab_limits_init(&replica->limits, model, number);
}

static void forget(lab_replica *replica) {
  const lab_memory_model *source = replica->model->memory;
  if (source && replica->memory_self)
    source->clear(replica->memory_self);
  replica->memory = (eown_memory){0};
  replica->memory_self = NULL;
}

void lab_replica_reset(lab_replica *replica, uint64_t number) {
  const lab_model *model = replica->model;
  lab_random_seed(&replica->random, model->seed, number);
  lab_limits_reset(&replica->limits);
  forget(replica);
  if (model->memory)
    replica->memory = model->memory->make(model->fleet, &replica->memory_self);
  replica->now_ms = replica->clock_ms = (number + 1) * REPLICA_MS;
  replica->spells = lab_random_mix(model->seed ^ lab_random_mix(number));
}

void lab_replica_collect(const lab_replica *replica, lab_counts *counts) {
  lab_counts_add(counts, &replica->counts);
  for (uint32_t i = 0; i < counts->count; i++)
    lab_service_counts_add(&counts->services[i], &replica->sites[i].counts);
}

void lab_replica_clear(lab_replica *replica) {
  forget(replica);
  free(replica->sites);
  lab_limits_clear(&replica->limits);
}
