/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "chain.h"

void chain_make(chain *chain, uint32_t services, uint32_t failing,
                double rate) {
  *chain = (struct chain){0};
  lab_fleet_make(&chain->fleet, &(lab_shape){.services = services,
                                             .depth = services,
                                             .callees = 1,
                                             .fan_out = 1});
  chain->fleet.services[failing].fails = lab_chance_of(rate);
  lab_model_init(&chain->model, &chain->fleet);
  chain->model.requests = 2000;
}

void chain_run(chain *chain) {
  lab_effort effort;
  lab_counts_clear(&chain->counts);
  lab_walk_run(&chain->model, &chain->counts, &effort);
}

void chain_clear(chain *chain) {
  lab_counts_clear(&chain->counts);
  lab_fleet_clear(&chain->fleet);
}

double chain_load(const chain *chain, uint32_t service) {
  return (double)chain->counts.services[service].served /
         (double)chain->counts.requests;
}

double chain_errors(const chain *chain) {
  return (double)chain->counts.failures / (double)chain->counts.requests;
}
