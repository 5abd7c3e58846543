/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "overload.h"

#include "lab/base/failure.h"

#include <math.h>
#include <stdlib.h>

void lab_overload_init(lab_overload *overload, lab_fleet *fleet,
                       uint32_t service) {
  if (fleet)
    fleet->services[service].overloaded = true;
  *overload = (lab_overload){
      .service = service,
      .capacity = 1000,
      .queue = 2000,
      .patience_ms = 500,
      .timeout_growth = 1,
      .backoff_ms = 10,
      .hop_ms = 1,
      .seconds = 60,
      .trigger_start = 10,
      .trigger_seconds = 10,
      .trigger_factor = 0.1,
  };
}

/* Callees have larger numbers. */
double *lab_overload_make_timeouts(const lab_overload *overload,
                                   const lab_fleet *fleet) {
  double *timeouts = lab_allocate(fleet->count, sizeof(*timeouts));
  for (uint32_t i = fleet->count; i-- > 0;) {
    const lab_fleet_service *service = &fleet->services[i];
    timeouts[i] = overload->timeout_ms;
    for (uint32_t j = 0; j < service->edges; j++) {
      uint32_t callee = fleet->edges[service->first + j].callee;
      timeouts[i] =
          fmax(timeouts[i], timeouts[callee] * overload->timeout_growth);
    }
  }
  return timeouts;
}

void lab_curve_init(lab_curve *curve, const lab_overload *overload) {
  *curve = (lab_curve){.count = (uint32_t)ceil(overload->seconds)};
  curve->seconds = lab_allocate(curve->count, sizeof(*curve->seconds));
}

static bool is_well(const lab_second *second) {
  return (double)(second->requests - second->failures) >=
             LAB_RECOVERED_SHARE * (double)second->requests &&
         second->requests > 0;
}

void lab_curve_find_recovery(lab_curve *curve, const lab_overload *overload) {
  double end = overload->trigger_start + overload->trigger_seconds;
  uint32_t well = curve->count;
  while (well > 0 && is_well(&curve->seconds[well - 1]))
    well--;
  curve->recovered = well == curve->count ? -1 : fmax(0, well - end);
}

void lab_curve_clear(lab_curve *curve) {
  free(curve->seconds);
  *curve = (lab_curve){0};
}
