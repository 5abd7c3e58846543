/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_MEMORY_JSON_H
#define EOWN_MEMORY_JSON_H

#include "eown/memory_table.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes what a table knows as one JSON object, for people and dashboards. Link
 * with eown::json.
 *
 *   {"edges": [{"inbound": "/shop.Cart/Get", "outbound": "/stock.Stock/Get",
 *               "verdict": "fail-open", "confidence": 0.99998, "score": -11.5,
 *               "failures": 60.0, "together": 0.0, "base_rate": 0.023,
 *               "pin": null, "age_ms": 1200}]}
 *
 * The members are those of eown_memory_entry. Edges come in the order of
 * inbound and outbound. "verdict" is "fail-open", "fail-close" or "unknown", as
 * is "pin" where the edge is pinned. In a name that is not UTF-8 each byte
 * that is not printable ASCII is written as %XX.
 *
 * `now_ms` is the time by the table's clock. Returns the text, NUL-terminated
 * and in one line, which the caller frees with free(); NULL when out of memory.
 * Thread-safe, and slow beside everything else that is done with a table: not
 * for the path of calls. */
char *eown_memory_json(eown_memory_table *table, uint64_t now_ms);

#ifdef __cplusplus
}
#endif

#endif /* EOWN_MEMORY_JSON_H */
