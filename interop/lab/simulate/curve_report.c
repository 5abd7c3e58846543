/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "lab/base/table.h"
#include "simulation.h"

#include <stdio.h>

#define ROWS 15 /* about as many moments in the table */

/* A value as one of eight heights, 0 as a space. */
static const char *bar(double value, double most) {
  static const char *const bars[] = {" ", "▁", "▂", "▃", "▄",
                                     "▅", "▆", "▇", "█"};
  if (value <= 0 || most <= 0)
    return bars[0];
  int height = 1 + (int)(value / most * 7.999);
  return bars[height > 8 ? 8 : height];
}

static double success(const lab_second *second) {
  return second->requests
             ? 1 - (double)second->failures / (double)second->requests
             : 0;
}

static double most_load(const lab_simulation *simulation) {
  double most = 0;
  for (size_t i = 0; i < simulation->count; i++)
    for (uint32_t j = 0; j < simulation->runs[i].curve.count; j++)
      if (simulation->runs[i].curve.seconds[j].load > most)
        most = simulation->runs[i].curve.seconds[j].load;
  return most;
}

static void print_lines(const lab_run *run, double most) {
  const lab_curve *curve = &run->curve;
  printf("%-10s succeed |", lab_mode_names[run->mode]);
  for (uint32_t i = 0; i < curve->count; i++)
    fputs(bar(success(&curve->seconds[i]), 1), stdout);
  printf("|\n%-10s load    |", "");
  for (uint32_t i = 0; i < curve->count; i++)
    fputs(bar(curve->seconds[i].load, most), stdout);
  puts("|");
}

static void add_second(lab_table *table, const lab_simulation *simulation,
                       uint32_t at) {
  lab_table_cell(table, "%u", at);
  for (size_t i = 0; i < simulation->count; i++) {
    const lab_second *second = &simulation->runs[i].curve.seconds[at];
    if (second->requests)
      lab_table_cell(table, "%.0f %%, %u", success(second) * 100, second->load);
    else
      lab_table_cell(table, "-, %u", second->load);
  }
}

static void print_table(const lab_simulation *simulation) {
  uint32_t count = simulation->runs[0].curve.count;
  uint32_t step = (count + ROWS - 1) / ROWS;
  lab_table table;
  lab_table_init(&table, simulation->count + 1);
  lab_table_cell(&table, "second");
  for (size_t i = 0; i < simulation->count; i++)
    lab_table_cell(&table, "%s", lab_mode_names[simulation->runs[i].mode]);
  for (uint32_t i = 0; i < count; i += step)
    add_second(&table, simulation, i);
  lab_table_print(&table, stdout);
}

void lab_curves_print(const lab_simulation *simulation) {
  const lab_overload *overload = &simulation->overload;
  char name[LAB_FLEET_NAME];
  double most = most_load(simulation);
  lab_fleet_name(&simulation->fleet, overload->service, name);
  printf("\n%s serves %g calls a second, from second %g for %g seconds %g; "
         "requests that succeed and calls to %s, a sign a second (highest: "
         "%.0f calls)\n",
         name, overload->capacity, overload->trigger_start,
         overload->trigger_seconds,
         overload->capacity * overload->trigger_factor, name, most);
  for (size_t i = 0; i < simulation->count; i++)
    print_lines(&simulation->runs[i], most);
  printf("\nrequests that succeed, and calls to %s, in that second\n", name);
  print_table(simulation);
}
