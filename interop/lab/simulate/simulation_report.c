/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "lab/base/table.h"
#include "simulation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void print_summary(const lab_simulation *simulation) {
  const lab_fleet *fleet = &simulation->fleet;
  char failing[LAB_FLEET_NAME], worst[LAB_FLEET_NAME];
  lab_table table;
  lab_table_init(&table, 10);
  lab_table_cell(&table, "mode");
  lab_table_cell(&table, "load at %s",
                 lab_fleet_name(fleet, simulation->failing, failing));
  lab_table_cell(&table, "highest");
  lab_table_cell(&table, "at");
  lab_table_cell(&table, "mean");
  lab_table_cell(&table, "availability");
  lab_table_cell(&table, "wasted");
  lab_table_cell(&table, "retries stopped");
  lab_table_cell(&table, "recovers");
  lab_table_cell(&table, "hops/s and core");
  for (size_t i = 0; i < simulation->count; i++) {
    const lab_run *run = &simulation->runs[i];
    const lab_counts *counts = &run->counts;
    uint32_t highest = lab_run_worst(run);
    uint64_t stopped = counts->throttled + counts->multiplied;
    for (int j = 0; j < EOWN_RETRY_N; j++)
      stopped += counts->stopped[j];
    lab_table_cell(&table, "%s", lab_mode_names[run->mode]);
    lab_table_cell(&table, "%.4g",
                   lab_counts_factor(counts, simulation->failing));
    lab_table_cell(&table, "%.4g", lab_counts_factor(counts, highest));
    lab_table_cell(&table, "%s", lab_fleet_name(fleet, highest, worst));
    lab_table_cell(&table, "%.4g", lab_run_mean_factor(run));
    lab_table_cell(&table, "%.4g %%", lab_run_availability(run) * 100);
    lab_table_cell(&table, "%.4g %%", lab_run_wasted(run) * 100);
    lab_table_cell(&table, "%" PRIu64, stopped);
    if (run->curve.count == 0)
      lab_table_cell(&table, "-");
    else if (run->curve.recovered < 0)
      lab_table_cell(&table, "never");
    else
      lab_table_cell(&table, "in %g s", run->curve.recovered);
    lab_table_cell(&table, "%.0f million", lab_run_speed(run) / 1e6);
  }
  lab_table_print(&table, stdout);
}

/* Every service's load factor, where they fit into a table. */
static void print_factors(const lab_simulation *simulation) {
  uint32_t services = simulation->fleet.count;
  char name[LAB_FLEET_NAME];
  if (services + 1 > LAB_TABLE_COLUMNS)
    return;
  lab_table table;
  lab_table_init(&table, services + 1);
  lab_table_cell(&table, "load");
  for (uint32_t i = 0; i < services; i++)
    lab_table_cell(&table, "%s", lab_fleet_name(&simulation->fleet, i, name));
  for (size_t i = 0; i < simulation->count; i++) {
    const lab_run *run = &simulation->runs[i];
    lab_table_cell(&table, "%s", lab_mode_names[run->mode]);
    for (uint32_t j = 0; j < services; j++)
      lab_table_cell(&table, "%.4g", lab_counts_factor(&run->counts, j));
  }
  putchar('\n');
  lab_table_print(&table, stdout);
}

void lab_simulation_print(const lab_simulation *simulation) {
  const lab_fleet *fleet = &simulation->fleet;
  print_summary(simulation);
  print_factors(simulation);
  if (simulation->overloaded)
    lab_curves_print(simulation);
  printf("\n%" PRIu32 " services, %" PRIu32 " edges", fleet->count,
         lab_fleet_count_edges(fleet));
  if (simulation->broken > 0)
    printf(" (%" PRIu32 " left out, as they close cycles)", simulation->broken);
  printf("; %u attempts, by %s; load is a service's calls over those it gets "
         "without any retry\n",
         simulation->model.attempts,
         lab_retry_by_names[simulation->model.retry_by]);
}
