/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_NODE_STATS_H
#define EOWN_LAB_NODE_STATS_H

#include <jansson.h>

/* Asks a running node on this machine for its counts; the same object that it
 * prints at its exit. Ends the program where it does not answer. The caller
 * owns the object. gRPC must be initialised. */
json_t *lab_node_stats(int port);

#endif /* EOWN_LAB_NODE_STATS_H */
