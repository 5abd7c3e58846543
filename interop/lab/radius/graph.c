/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "graph.h"

#include <stdlib.h>

const char *radius_node_name(const radius_fleet *fleet,
                             const radius_graph *graph, uint32_t node) {
  return fleet->names.items[graph->names[node]].text;
}

const char *radius_service_name(const radius_fleet *fleet, uint32_t service) {
  return service == RADIUS_NONE ? NULL : fleet->services.items[service].text;
}

void radius_fleet_clear(radius_fleet *fleet) {
  for (uint32_t i = 0; i < fleet->count; i++) {
    radius_graph *graph = &fleet->graphs[i];
    free(graph->names);
    free(graph->edges);
    free(graph->first);
    free(graph->roots);
  }
  free(fleet->graphs);
  radius_names_clear(&fleet->services);
  radius_names_clear(&fleet->names);
  *fleet = (radius_fleet){0};
}
