/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "memory.h"

#include "lab/base/failure.h"

#include "eown/memory_json.h"
#include "eown/snapshot.h"
#ifdef EOWN_WITH_REDIS
#include "eown/memory_redis.h"
#endif

#include <string.h>

/* The table's clock: what was learned is looked at in one moment. */
#define NOW_MS 1000

static void read_file(eown_memory_table *table, const char *path,
                      const char *service) {
  eown_snapshot_result result =
      eown_snapshot_load(table, path, service, NOW_MS);
  if (result != EOWN_SNAPSHOT_OK)
    lab_fail("%s: %s", path, eown_snapshot_text(result));
}

static void read_redis(eown_memory_table *table, const char *address,
                       const char *service, uint64_t half_life_ms) {
#ifdef EOWN_WITH_REDIS
  char message[512];
  if (!service)
    lab_fail("--service: missing: expected the name of the service whose "
             "memory is in %s",
             address);
  if (!eown_memory_share_read(table, address, service, half_life_ms, NOW_MS,
                              message, sizeof(message)))
    lab_fail("%s", message);
#else
  (void)table;
  (void)service;
  (void)half_life_ms;
  lab_fail("%s: built without Redis", address);
#endif
}

char *lab_memory_read(const char *source, const char *service,
                      uint64_t half_life_ms) {
  eown_memory_table *table =
      eown_memory_table_create(EOWN_MEMORY_EDGES_MAX, half_life_ms, NULL);
  if (!table)
    lab_fail("out of memory");
  if (strncmp(source, "redis://", 8) == 0)
    read_redis(table, source, service, half_life_ms);
  else
    read_file(table, source, service);
  char *json = eown_memory_json(table, NOW_MS);
  if (!json)
    lab_fail("out of memory");
  eown_memory_table_destroy(table);
  return json;
}
