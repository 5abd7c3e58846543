/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_SNAPSHOT_H
#define EOWN_SNAPSHOT_H

#include "eown/memory_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The dependency memory in a file, so that it survives a restart. The format is
 * described in protos/eown/v1/memory.proto. Link with eown::snapshot. */

/* What came of reading one: name and text. */
#define EOWN_SNAPSHOT_LIST(X)                                                  \
  X(OK, "read")                                                                \
  X(ABSENT, "there is none")                                                   \
  X(UNREADABLE, "it cannot be read")                                           \
  X(FOREIGN, "it is no memory of eown's")                                      \
  X(NEWER, "it is of a newer version")                                         \
  X(TRUNCATED, "it is truncated")                                              \
  X(CORRUPT, "it is corrupt")                                                  \
  X(OTHER_SERVICE, "it is the memory of another service")                      \
  X(NO_MEMORY, "out of memory")

typedef enum eown_snapshot_result {
#define EOWN_SNAPSHOT_ENUM(name, text) EOWN_SNAPSHOT_##name,
  EOWN_SNAPSHOT_LIST(EOWN_SNAPSHOT_ENUM)
#undef EOWN_SNAPSHOT_ENUM
      EOWN_SNAPSHOT_N
} eown_snapshot_result;

/* Returns a phrase for `result`, as above; static text. */
const char *eown_snapshot_text(eown_snapshot_result result);

/* Encodes the table as the memory of `service` ("" where it has no name), saved
 * at `wall_ms` since 1970, which is `now_ms` by the table's clock. Returns the
 * bytes, which the caller frees with free(), and their number in `*size`; NULL
 * when out of memory. */
uint8_t *eown_snapshot_encode(eown_memory_table *table, const char *service,
                              uint64_t now_ms, uint64_t wall_ms, size_t *size);

/* Adds what `size` bytes hold to the table; what lies between the time it was
 * saved and `wall_ms` counts as passed. Checks everything before it changes
 * anything: on a result other than OK the table is as before. `service` NULL
 * takes any. */
eown_snapshot_result eown_snapshot_decode(eown_memory_table *table,
                                          const uint8_t *data, size_t size,
                                          const char *service, uint64_t now_ms,
                                          uint64_t wall_ms);

/* The same from a file, by the wall clock of the machine. */
eown_snapshot_result eown_snapshot_load(eown_memory_table *table,
                                        const char *path, const char *service,
                                        uint64_t now_ms);

/* Saves the table to a file: writes PATH.new, syncs it, renames it to PATH and
 * syncs the folder, so that at any moment PATH is the old file or the new one.
 * Returns false, with a sentence in `message` (of `size` bytes), where that
 * fails, or where another process is writing PATH.new. */
bool eown_snapshot_save(eown_memory_table *table, const char *path,
                        const char *service, uint64_t now_ms, char *message,
                        size_t size);

/* Keeps a table in a file, on a thread of its own. */
typedef struct eown_snapshot_keeper eown_snapshot_keeper;

/* What a keeper works with. Texts are copied. */
typedef struct eown_snapshot_options {
  eown_memory_table *table; /* must outlive the keeper */
  const char *path;
  const char *service;      /* "": no name */
  uint64_t interval_ms;     /* between saves; not 0 */
  uint64_t (*now_ms)(void); /* the table's clock; safe on any thread */
  void (*log)(void *user, const char *line); /* NULL: silent */
  void *user;
} eown_snapshot_options;

/* Starts the thread. It loads the file first, and so never holds up its caller:
 * until it has, edges are unknown. A file that is refused is logged in one line
 * and set aside as PATH.refused. Then it saves at intervals; a failure is
 * logged when it begins, not each time. Returns NULL where memory or a thread
 * are not to be had. */
eown_snapshot_keeper *eown_snapshot_start(const eown_snapshot_options *options);

/* Saves a last time, ends the thread and frees the keeper; NULL is allowed. */
void eown_snapshot_stop(eown_snapshot_keeper *keeper);

#ifdef __cplusplus
}
#endif

#endif /* EOWN_SNAPSHOT_H */
