/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "lab/base/table.h"
#include "radius.h"
#include "worst.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const titles[RADIUS_WAYS] = {
    [RADIUS_STOCK] = "stock",
    [RADIUS_BUDGET] = "budget",
    [RADIUS_CHAIN_STOP] = "chain stop",
    [RADIUS_OWNERSHIP] = "ownership",
    [RADIUS_OWNERSHIP_FULL] = "everywhere",
};

static void add_titles(lab_table *table, const radius_survey *survey,
                       const char *first) {
  lab_table_cell(table, "%s", first);
  for (uint32_t way = 0; way < survey->ways; way++)
    lab_table_cell(table, "%s", titles[way]);
}

static void add_radii(lab_table *table, const radius_survey *survey,
                      const char *title, const uint32_t *values) {
  lab_table_cell(table, "%s", title);
  for (uint32_t way = 0; way < survey->ways; way++)
    lab_table_cell(table, "%" PRIu32, values[way]);
}

static void add_numbers(lab_table *table, const radius_survey *survey,
                        const char *title, const double *values) {
  lab_table_cell(table, "%s", title);
  for (uint32_t way = 0; way < survey->ways; way++)
    lab_table_cell(table, "%.4g", values[way]);
}

static bool is_weighted(const radius_fleet *fleet) {
  for (uint32_t i = 0; i < fleet->count; i++)
    if (fleet->graphs[i].num != 1)
      return true;
  return false;
}

static void print_overall(const radius_survey *survey) {
  lab_table table;
  lab_table_init(&table, survey->ways + 1);
  add_titles(&table, survey, "over all roots");
  add_radii(&table, survey, "radius, largest", survey->all.radius);
  add_numbers(&table, survey, "radius, mean", survey->means.plain);
  if (is_weighted(survey->fleet))
    add_numbers(&table, survey, "radius, mean by num", survey->means.weighted);
  add_numbers(&table, survey, "amplification, largest",
              survey->all.amplification);
  lab_table_print(&table, stdout);
}

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

static void print_input(const radius_options *options,
                        const radius_survey *survey) {
  const radius_fleet *fleet = survey->fleet;
  printf("%" PRIu32 " graph%s, %" PRIu32 " root%s, %" PRIu32 " service%s; "
         "%u attempts, budget %g %%\n",
         fleet->count, plural(fleet->count), survey->count,
         plural(survey->count), fleet->names.count, plural(fleet->names.count),
         options->policy.attempts, options->policy.budget * 100);
  if (survey->cycles)
    printf("%" PRIu64 " edge%s left out where the walk from a root closes a "
           "cycle (%" PRIu64 " of them self-calls)\n",
           survey->cycles, plural(survey->cycles), survey->self_calls);
  if (fleet->duplicates)
    printf("%" PRIu64 " duplicate edge%s added up\n", fleet->duplicates,
           plural(fleet->duplicates));
  if (survey->rootless)
    printf("%" PRIu32 " graph%s without a root (neither USER nor a service "
           "that nobody calls): the first caller is taken\n",
           survey->rootless, plural(survey->rootless));
  if (survey->unreached)
    printf("%" PRIu64 " service%s left out: no root reaches them\n",
           survey->unreached, plural(survey->unreached));
}

static void add_worst(lab_table *table, const radius_survey *survey,
                      const radius_worst *worst) {
  for (uint32_t way = 0; way < survey->ways; way++)
    if (way != RADIUS_BUDGET) /* as many hops as stock */
      lab_table_cell(table, "%" PRIu32, worst->radius[way]);
  for (uint32_t way = 0; way < survey->ways; way++)
    lab_table_cell(table, "%.4g", worst->amplification[way]);
}

/* Radius of each way but the budget's, amplification of each way. */
static void begin_worst(lab_table *table, const radius_survey *survey,
                        const char *what, const char *last) {
  uint32_t columns = 2 * survey->ways + (last ? 1 : 0);
  lab_table_init(table, columns);
  lab_table_cell(table, "%s", what);
  for (uint32_t way = 0; way < survey->ways; way++)
    if (way != RADIUS_BUDGET)
      lab_table_cell(table, way ? "%s" : "radius: %s", titles[way]);
  for (uint32_t way = 0; way < survey->ways; way++)
    lab_table_cell(table, way ? "%s" : "load: %s", titles[way]);
  if (last)
    lab_table_cell(table, "%s", last);
}

static void add_name(lab_table *table, const radius_fleet *fleet,
                     uint32_t service, const char *name) {
  const char *scope = radius_service_name(fleet, service);
  lab_table_cell(table, "%s%s%s", scope ? scope : "", scope ? "/" : "", name);
}

static void print_roots(const radius_options *options,
                        const radius_survey *survey) {
  const radius_fleet *fleet = survey->fleet;
  radius_order order;
  lab_table table;
  radius_order_roots(&order, survey, options->top);
  begin_worst(&table, survey, "worst roots", "when this fails");
  for (uint32_t i = 0; i < order.count; i++) {
    const radius_row *row = &survey->rows[order.items[i]];
    const radius_graph *graph = &fleet->graphs[row->graph];
    add_name(&table, fleet, graph->service,
             radius_node_name(fleet, graph, row->root));
    add_worst(&table, survey, &row->worst);
    lab_table_cell(&table, "%s", radius_node_name(fleet, graph, row->failing));
  }
  lab_table_print(&table, stdout);
  radius_order_clear(&order);
}

static void print_services(const radius_options *options,
                           const radius_survey *survey) {
  const radius_fleet *fleet = survey->fleet;
  radius_order order;
  lab_table table;
  radius_order_services(&order, survey, options->top);
  begin_worst(&table, survey, "worst services to fail", NULL);
  for (uint32_t i = 0; i < order.count; i++) {
    const radius_name *name = &fleet->names.items[order.items[i]];
    add_name(&table, fleet, name->scope, name->text);
    add_worst(&table, survey, &survey->services[order.items[i]]);
  }
  lab_table_print(&table, stdout);
  radius_order_clear(&order);
}

static void add_step(lab_table *table, const radius_fleet *fleet,
                     const radius_step *step) {
  const radius_name *name = &fleet->names.items[step->name];
  const char *scope = radius_service_name(fleet, name->scope);
  lab_table_cell(table, "%s %s%s%s%s%s",
                 step->retry ? "retry policy for" : "eown in",
                 scope ? scope : "", scope ? "/" : "", name->text,
                 step->retry ? " -> " : "",
                 step->retry ? fleet->names.items[step->callee].text : "");
  lab_table_cell(table, "%" PRIu32, step->radius_max);
  lab_table_cell(table, "%.12g", step->roots_at_max);
  lab_table_cell(table, "%.4g", step->radius_mean);
  lab_table_cell(table, "%" PRIu32, step->reach_max);
}

static void print_advice(const radius_survey *survey,
                         const radius_advice *advice) {
  static const char *const heads[] = {"what to do next", "radius, largest",
                                      "roots with it", "radius, mean", "reach"};
  lab_table table;
  if (!advice->count)
    return;
  lab_table_init(&table, sizeof(heads) / sizeof(*heads));
  for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++)
    lab_table_cell(&table, "%s", heads[i]);
  for (uint32_t i = 0; i < advice->count; i++)
    add_step(&table, survey->fleet, &advice->steps[i]);
  putchar('\n');
  lab_table_print(&table, stdout);
  puts("reach: hops between a failing service and the farthest caller that "
       "calls again");
}

void radius_print_tables(const radius_options *options,
                         const radius_survey *survey,
                         const radius_advice *advice) {
  print_input(options, survey);
  puts("radius: consecutive hops over which attempts multiply when one service "
       "fails\nload: of a service over its load without retries (the "
       "amplification)\n");
  print_overall(survey);
  putchar('\n');
  print_roots(options, survey);
  putchar('\n');
  print_services(options, survey);
  print_advice(survey, advice);
}
