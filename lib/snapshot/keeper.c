/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "eown/snapshot.h"

#include "eown/counters.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "worker.h"

struct eown_snapshot_keeper {
  eown_snapshot_options options; /* texts point to the copies below */
  eown__worker worker;
  bool failing;   /* the thread's own: the last save failed */
  bool hands_off; /* the thread's own: what could not be read is not replaced */
  char *path;
  char *service;
};

static void say(const eown_snapshot_keeper *keeper, const char *line) {
  if (keeper->options.log != NULL)
    keeper->options.log(keeper->options.user, line);
}

/* --- loading ---------------------------------------------------------------
 */

/* Returns what to say of the refused file's new place. */
static const char *set_aside(const eown_snapshot_keeper *keeper, char *aside,
                             size_t size) {
  snprintf(aside, size, "%s.refused", keeper->path);
  return rename(keeper->path, aside) == 0 ? "set aside as"
                                          : "and cannot be set aside as";
}

static void refuse(const eown_snapshot_keeper *keeper,
                   eown_snapshot_result result) {
  char aside[PATH_MAX];
  char line[2 * PATH_MAX + 256];
  const char *done = set_aside(keeper, aside, sizeof(aside));
  snprintf(line, sizeof(line),
           "memory file %s: refused: %s; %s %s; starting with nothing learned",
           keeper->path, eown_snapshot_text(result), done, aside);
  eown_count(EOWN_COUNTER_memory_refused);
  say(keeper, line);
}

static void pass_over(eown_snapshot_keeper *keeper,
                      eown_snapshot_result result) {
  char line[PATH_MAX + 128];
  snprintf(
      line, sizeof(line),
      "memory file %s: not loaded: %s; it is left as it is, and nothing saved",
      keeper->path, eown_snapshot_text(result));
  keeper->hands_off = true;
  say(keeper, line);
}

static void load(eown_snapshot_keeper *keeper) {
  const eown_snapshot_options *options = &keeper->options;
  eown_snapshot_result result = eown_snapshot_load(
      options->table, keeper->path, keeper->service, options->now_ms());
  switch (result) {
  case EOWN_SNAPSHOT_OK:
  case EOWN_SNAPSHOT_ABSENT:
  case EOWN_SNAPSHOT_N:
    break;
  case EOWN_SNAPSHOT_UNREADABLE:
  case EOWN_SNAPSHOT_NO_MEMORY:
    pass_over(keeper, result);
    break;
  case EOWN_SNAPSHOT_FOREIGN:
  case EOWN_SNAPSHOT_NEWER:
  case EOWN_SNAPSHOT_TRUNCATED:
  case EOWN_SNAPSHOT_CORRUPT:
  case EOWN_SNAPSHOT_OTHER_SERVICE:
    refuse(keeper, result);
    break;
  }
}

/* --- saving ----------------------------------------------------------------
 */

static void save(eown_snapshot_keeper *keeper) {
  const eown_snapshot_options *options = &keeper->options;
  if (keeper->hands_off) {
    eown_count(EOWN_COUNTER_memory_save_errors);
    return;
  }
  char message[PATH_MAX + 256];
  bool saved = eown_snapshot_save(options->table, keeper->path, keeper->service,
                                  options->now_ms(), message, sizeof(message));
  eown_count(saved ? EOWN_COUNTER_memory_saves
                   : EOWN_COUNTER_memory_save_errors);
  if (!saved && !keeper->failing)
    say(keeper, message);
  keeper->failing = !saved;
}

static void *work(void *pointer) {
  eown_snapshot_keeper *keeper = pointer;
  load(keeper);
  while (eown__worker_wait(&keeper->worker, keeper->options.interval_ms))
    save(keeper);
  save(keeper);
  return NULL;
}

/* --- life ------------------------------------------------------------------
 */

static void clear(eown_snapshot_keeper *keeper) {
  free(keeper->path);
  free(keeper->service);
  free(keeper);
}

eown_snapshot_keeper *
eown_snapshot_start(const eown_snapshot_options *options) {
  eown_snapshot_keeper *keeper = calloc(1, sizeof(*keeper));
  if (keeper == NULL)
    return NULL;
  keeper->options = *options;
  keeper->path = strdup(options->path);
  keeper->service = strdup(options->service);
  if (keeper->path == NULL || keeper->service == NULL) {
    clear(keeper);
    return NULL;
  }
  if (eown__worker_start(&keeper->worker, work, keeper))
    return keeper;
  clear(keeper);
  return NULL;
}

void eown_snapshot_stop(eown_snapshot_keeper *keeper) {
  if (keeper == NULL)
    return;
  eown__worker_stop(&keeper->worker);
  clear(keeper);
}
