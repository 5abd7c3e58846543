/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_SETTINGS_H
#define EOWN_SETTINGS_H

#include "eown/allocator.h"
#include "eown/claim.h"
#include "eown/error.h"
#include "eown/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum eown_mode {
  EOWN_MODE_OFF,     /* nothing is computed */
  EOWN_MODE_OBSERVE, /* all is computed, counted, claims are sent; no retry is
                        stopped and no pushback sent */
  EOWN_MODE_ENFORCE,
  EOWN_MODE_N
} eown_mode;

/* Returns "off", "observe" or "enforce"; static text. */
const char *eown_mode_name(eown_mode mode);

/* Reads a mode from its name or number ("enforce", "2"); false where it is
 * neither, and then `*mode` is untouched. */
bool eown_mode_parse(const char *text, eown_mode *mode);

/* The process-wide switch: wins over every channel's and server's own mode from
 * the next call on. EOWN_MODE_N takes the switch back. Thread-safe. The
 * environment variable EOWN_MODE sets it at eown_grpc_init. */
void eown_mode_override(eown_mode mode);

/* Returns the mode in force where `own` is set: the switch's, or `own`. */
eown_mode eown_mode_effective(eown_mode own);

#define EOWN_ALIAS_MAX 63
#define EOWN_MEMORY_FILE_MAX 1023

/* The settings of one channel or server. A value: make it with
 * eown_settings_init, give it back with eown_settings_clear. */
typedef struct eown_settings {
  eown_mode mode;
  char service_name[EOWN_OWNER_MAX + 1]; /* "": from the method */
  double retry_budget_percent;           /* < 0: no budget */
  double retry_budget_min_per_second;
  bool send_pushback;
  bool trust_boundary;
  bool chain_stop;
  bool own_unreachable;
  char claim_key_alias[EOWN_ALIAS_MAX + 1]; /* "": none */
  eown_status_set faults;
  char *pins; /* owned; NULL: none */
  bool memory;
  uint32_t memory_edges;
  uint64_t memory_half_life_ms;
  char *memory_file; /* owned; NULL: none */
  uint64_t memory_file_interval_ms;
  char *memory_redis; /* owned; NULL: none */
  uint64_t memory_redis_interval_ms;
  const eown_allocator *allocator;
} eown_settings;

/* The settings by name: key, default as text, form and meaning. */
#define EOWN_SETTING_LIST(X)                                                   \
  X(mode, "off", "off, observe, enforce (or 0, 1, 2)",                         \
    "what the library does on this channel or server")                         \
  X(service_name, "", "1 to 108 printable ASCII bytes",                        \
    "the owner's name in claims; default: the service of the method called")   \
  X(retry_budget_percent, "-1", "0 to 1000, or -1 for no budget",              \
    "retries allowed, in percent of first attempts to the same target")        \
  X(retry_budget_min_per_second, "10", "0 to 1000000",                         \
    "retries a second allowed on top, for low traffic")                        \
  X(send_pushback, "1", "0 or 1",                                              \
    "send grpc-retry-pushback-ms: -1 with unclaimed errors")                   \
  X(trust_boundary, "0", "0 or 1",                                             \
    "believe and send no claim and no retry mark here")                        \
  X(claim_key_alias, "", "a metadata key: a-z 0-9 - _ .",                      \
    "a second key for the claim, read and written")                            \
  X(chain_stop, "0", "0 or 1",                                                 \
    "no retry for inbound calls that are retries themselves")                  \
  X(own_unreachable, "0", "0 or 1",                                            \
    "claim errors whose callee was never reached")                             \
  X(faults, "", "names of status codes, separated by commas",                  \
    "the status codes that count as failures; default: the seven faults")      \
  X(pins, "", "[inbound>]outbound=fail-open|fail-close, comma-separated",      \
    "edges fixed by hand")                                                     \
  X(memory, "1", "0 or 1",                                                     \
    "learn which outbound calls the inbound ones depend on (servers)")         \
  X(memory_edges, "4096", "1 to 1048576",                                      \
    "edges the memory holds; then the least recently failed one goes")         \
  X(memory_half_life_s, "86400", "1 to 1073741824",                            \
    "seconds in which what was learned loses half of its weight")              \
  X(memory_file, "", "a path of 1 to 1023 bytes",                              \
    "a file the memory is loaded from and saved to")                           \
  X(memory_file_interval_ms, "60000", "10 to 86400000", "time between saves")  \
  X(memory_redis, "", "[:PASSWORD@]HOST:PORT or [:PASSWORD@]unix:PATH",        \
    "a Redis through which the replicas of a service share their memory")      \
  X(memory_redis_interval_ms, "5000", "10 to 86400000",                        \
    "time between exchanges with Redis")

typedef enum eown_setting {
#define EOWN_SETTING_ENUM(name, value, form, text) EOWN_SETTING_##name,
  EOWN_SETTING_LIST(EOWN_SETTING_ENUM)
#undef EOWN_SETTING_ENUM
      EOWN_SETTING_N
} eown_setting;

/* The channel argument of a setting ("eown.mode"), its form and its meaning;
 * static text. */
const char *eown_setting_key(eown_setting setting);
const char *eown_setting_form(eown_setting setting);
const char *eown_setting_text(eown_setting setting);
const char *eown_setting_default(eown_setting setting);

#define EOWN_VARIABLE_MAX 63

/* Writes the environment variable that gives the setting's default in a process
 * with the filters: its channel argument in capitals ("EOWN_SERVICE_NAME").
 * EOWN_MODE is more than a default: see eown_mode_override. */
void eown_setting_variable(eown_setting setting,
                           char name[EOWN_VARIABLE_MAX + 1]);

/* Fills `settings` with the defaults. `allocator` (NULL: malloc) must outlive
 * it. Cannot fail. */
void eown_settings_init(eown_settings *settings,
                        const eown_allocator *allocator);

/* Frees what the settings own. */
void eown_settings_clear(eown_settings *settings);

/* Sets one setting from text (NUL-terminated, copied). `key` is the channel
 * argument's name. On INVALID_ARGUMENT (unknown key or bad value) and NO_MEMORY
 * nothing changes, and `message` (of `size` bytes, may be NULL) gets a sentence
 * that names the key, the value and what was expected. */
eown_error eown_settings_set(eown_settings *settings, const char *key,
                             const char *value, char *message, size_t size);

/* The same for an integer value, for the settings that take numbers. */
eown_error eown_settings_set_int(eown_settings *settings, const char *key,
                                 int value, char *message, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* EOWN_SETTINGS_H */
