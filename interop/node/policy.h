/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef NODE_POLICY_H
#define NODE_POLICY_H

#include <eown/status.h>
#include <stdint.h>

/* A service config (JSON) with one retry policy for all methods: `attempts`
 * at most, of the status codes in `codes`, almost without backoff. The caller
 * frees it; NULL when out of memory.
 * Source: gRPC doc/service_config.md. */
char *policy_json(uint64_t attempts, eown_status_set codes);

#endif /* NODE_POLICY_H */
