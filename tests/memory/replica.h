/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_MEMORY_REPLICA_H
#define EOWN_TESTS_MEMORY_REPLICA_H

#include "node.h"

/* An eown-node as a replica of the service "C": it carries on without its
 * callee, and shares its memory through Redis. */
#define REPLICA_SERVICE "C"
/* The longest half-life: nothing fades, and buckets last for more than a year,
 * so that the sums are whole numbers. */
#define REPLICA_HALF_LIFE "1073741824"

/* Starts one, with a first connection: a server's memory begins with that.
 * `file` is its memory file. */
void replica_start(e2e_node *replica, const e2e_node *callee, const char *redis,
                   const char *file);

/* Calls it so often; all calls must end well. */
void replica_drive(const e2e_node *replica, int calls);

/* Waits until it has logged that it goes on without Redis; that is counted
 * first. */
void replica_wait_complaint(e2e_node *replica);

/* Ends it, which must have complained, and returns what it counted; the caller
 * owns the object. */
json_t *replica_stop(e2e_node *replica);

#endif /* EOWN_TESTS_MEMORY_REPLICA_H */
