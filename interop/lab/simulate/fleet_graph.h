/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_FLEET_GRAPH_H
#define EOWN_LAB_FLEET_GRAPH_H

#include "fleet.h"

/* Reads a fleet from a file, in the formats of `eown-lab radius`, with the
 * services' names. A file may hold many graphs and a graph many roots: taken is
 * what `root` calls in the first graph where it is a root, or, where it is
 * NULL, what the root of the largest graph calls that reaches most services.
 * Edges that close a cycle are left out; `*broken` says how many. Calls per
 * inbound call are the edges' weights (radius_graph). Bad input ends the
 * program with status 2. */
void lab_fleet_read(lab_fleet *fleet, const char *path, const char *root,
                    uint32_t *broken);

#endif /* EOWN_LAB_FLEET_GRAPH_H */
