/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "lab/base/failure.h"
#include "simulation.h"

#include <stdio.h>
#include <stdlib.h>

#define SERVICES_MAX 1000u /* of larger fleets those services are left out */

static json_t *name_of(const lab_simulation *simulation, uint32_t service) {
  char name[LAB_FLEET_NAME];
  return json_string(lab_fleet_name(&simulation->fleet, service, name));
}

static json_t *load_object(const lab_simulation *simulation,
                           const lab_run *run) {
  uint32_t worst = lab_run_worst(run);
  return json_pack("{s:f,s:f,s:o,s:f}", "failing",
                   lab_counts_factor(&run->counts, simulation->failing), "max",
                   lab_counts_factor(&run->counts, worst), "max_service",
                   name_of(simulation, worst), "mean",
                   lab_run_mean_factor(run));
}

static json_t *stopped_object(const lab_counts *counts) {
  return json_pack("{s:I,s:I,s:I,s:I,s:I}", "unclaimed",
                   (json_int_t)counts->stopped[EOWN_RETRY_STOP_UNCLAIMED],
                   "budget",
                   (json_int_t)counts->stopped[EOWN_RETRY_STOP_BUDGET], "chain",
                   (json_int_t)counts->stopped[EOWN_RETRY_STOP_CHAIN],
                   "multiplied", (json_int_t)counts->multiplied, "throttled",
                   (json_int_t)counts->throttled);
}

static json_t *services_array(const lab_simulation *simulation,
                              const lab_counts *counts) {
  json_t *services = json_array();
  for (uint32_t i = 0; i < counts->count && counts->count <= SERVICES_MAX;
       i++) {
    const lab_service_counts *service = &counts->services[i];
    json_array_append_new(services,
                          json_pack("{s:o,s:I,s:I,s:I,s:I,s:f}", "service",
                                    name_of(simulation, i), "served",
                                    (json_int_t)service->served, "first",
                                    (json_int_t)service->first, "retries",
                                    (json_int_t)service->retries, "failed",
                                    (json_int_t)service->failed, "load",
                                    lab_counts_factor(counts, i)));
  }
  return services;
}

/* Arrays by second, and null where it never recovers. */
static json_t *curve_object(const lab_curve *curve) {
  static const char *const names[] = {"requests", "failures", "load",
                                      "done",     "wasted",   "queue"};
  json_t *object = json_object();
  for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
    json_object_set_new(object, names[i], json_array());
  for (uint32_t i = 0; i < curve->count; i++) {
    const lab_second *second = &curve->seconds[i];
    const uint32_t values[] = {second->requests, second->failures,
                               second->load,     second->done,
                               second->wasted,   second->queue};
    for (size_t j = 0; j < sizeof(names) / sizeof(*names); j++)
      json_array_append_new(json_object_get(object, names[j]),
                            json_integer(values[j]));
  }
  json_object_set_new(object, "recovered_seconds",
                      curve->recovered < 0 ? json_null()
                                           : json_real(curve->recovered));
  return object;
}

static json_t *effort_object(const lab_run *run, unsigned threads) {
  return json_pack("{s:i,s:f,s:f,s:f}", "threads", (int)threads, "cpu_seconds",
                   run->effort.cpu_seconds, "wall_seconds",
                   run->effort.wall_seconds, "hops_per_core_second",
                   lab_run_speed(run));
}

static json_t *run_object(const lab_simulation *simulation,
                          const lab_run *run) {
  const lab_counts *counts = &run->counts;
  json_t *object = json_pack(
      "{s:s,s:I,s:I,s:f,s:I,s:f,s:o,s:o,s:o,s:o}", "mode",
      lab_mode_names[run->mode], "requests", (json_int_t)counts->requests,
      "failures", (json_int_t)counts->failures, "availability",
      lab_run_availability(run), "hops", (json_int_t)counts->hops, "wasted",
      lab_run_wasted(run), "load", load_object(simulation, run), "stopped",
      stopped_object(counts), "services", services_array(simulation, counts),
      "effort", effort_object(run, simulation->model.threads));
  if (run->curve.count > 0)
    json_object_set_new(object, "curve", curve_object(&run->curve));
  return object;
}

static json_t *overload_object(const lab_simulation *simulation) {
  const lab_overload *overload = &simulation->overload;
  return json_pack(
      "{s:o,s:f,s:I,s:f,s:{s:f,s:f,s:f}}", "service",
      name_of(simulation, overload->service), "capacity", overload->capacity,
      "queue", (json_int_t)overload->queue, "seconds", overload->seconds,
      "trigger", "start_seconds", overload->trigger_start, "length_seconds",
      overload->trigger_seconds, "factor", overload->trigger_factor);
}

json_t *lab_simulation_make_json(const lab_simulation *simulation) {
  const lab_fleet *fleet = &simulation->fleet;
  json_t *runs = json_array();
  for (size_t i = 0; i < simulation->count; i++)
    json_array_append_new(runs, run_object(simulation, &simulation->runs[i]));
  json_t *object = json_pack(
      "{s:I,s:I,s:I,s:o,s:i,s:s,s:I,s:o}", "services", (json_int_t)fleet->count,
      "edges", (json_int_t)lab_fleet_count_edges(fleet), "broken_edges",
      (json_int_t)simulation->broken, "failing",
      name_of(simulation, simulation->failing), "attempts",
      (int)simulation->model.attempts, "retry_by",
      lab_retry_by_names[simulation->model.retry_by], "seed",
      (json_int_t)simulation->model.seed, "runs", runs);
  if (simulation->overloaded)
    json_object_set_new(object, "overload", overload_object(simulation));
  return object;
}

void lab_simulation_print_json(const lab_simulation *simulation) {
  json_t *object = lab_simulation_make_json(simulation);
  char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(12));
  if (!text)
    lab_fail("out of memory");
  puts(text);
  free(text);
  json_decref(object);
}
