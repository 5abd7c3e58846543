/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* Each reads a value into its place, or refuses. */
#include "settings_readers.h"

#include "eown/memory_table.h"
#include "eown/redis_address.h"

#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "allocate.h"

static eown_error given(bool good) {
  return good ? EOWN_ERROR_OK : EOWN_ERROR_INVALID_ARGUMENT;
}

static eown_error read_mode(eown__assignment *assignment) {
  return given(eown_mode_parse(assignment->value, &assignment->settings->mode));
}

static bool is_printable(const char *text, size_t most) {
  size_t length = 0;
  while (text[length] >= ' ' && text[length] <= '~')
    length++;
  return text[length] == '\0' && length >= 1 && length <= most;
}

static eown_error read_service_name(eown__assignment *assignment) {
  if (!is_printable(assignment->value, EOWN_OWNER_MAX))
    return EOWN_ERROR_INVALID_ARGUMENT;
  strcpy(assignment->settings->service_name, assignment->value);
  return EOWN_ERROR_OK;
}

static bool read_number(const char *text, double most, double *number) {
  if (text[0] == '\0' || text[strspn(text, "0123456789.")] != '\0')
    return false;
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (plain == (locale_t)0)
    return false;
  char *end;
  double read = strtod_l(text, &end, plain);
  freelocale(plain);
  if (*end != '\0' || !(read >= 0 && read <= most))
    return false;
  *number = read;
  return true;
}

static eown_error read_percent(eown__assignment *assignment) {
  double *percent = &assignment->settings->retry_budget_percent;
  if (strcmp(assignment->value, "-1") == 0) {
    *percent = -1;
    return EOWN_ERROR_OK;
  }
  return given(read_number(assignment->value, 1000, percent));
}

static eown_error read_floor(eown__assignment *assignment) {
  return given(read_number(assignment->value, 1e6,
                           &assignment->settings->retry_budget_min_per_second));
}

static eown_error read_flag(const char *text, bool *flag) {
  if (strcmp(text, "0") != 0 && strcmp(text, "1") != 0)
    return EOWN_ERROR_INVALID_ARGUMENT;
  *flag = text[0] == '1';
  return EOWN_ERROR_OK;
}

static eown_error read_pushback(eown__assignment *assignment) {
  return read_flag(assignment->value, &assignment->settings->send_pushback);
}

static eown_error read_boundary(eown__assignment *assignment) {
  return read_flag(assignment->value, &assignment->settings->trust_boundary);
}

static eown_error read_chain(eown__assignment *assignment) {
  return read_flag(assignment->value, &assignment->settings->chain_stop);
}

static eown_error read_unreachable(eown__assignment *assignment) {
  return read_flag(assignment->value, &assignment->settings->own_unreachable);
}

/* A metadata key as gRPC allows it for text, that is nobody else's. */
/* Keys of HTTP and gRPC, whose values have other readers; with the prefix
 * "grpc-" and our own, all that an alias cannot be. */
static bool is_taken(const char *key) {
  static const char *const taken[] = {EOWN_CLAIM_KEY,
                                      EOWN_RETRY_MARK_KEY,
                                      "accept-encoding",
                                      "connection",
                                      "content-encoding",
                                      "content-length",
                                      "content-type",
                                      "date",
                                      "host",
                                      "te",
                                      "trailer",
                                      "transfer-encoding",
                                      "user-agent"};
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
    if (strcmp(key, taken[i]) == 0)
      return true;
  }
  return strncmp(key, "grpc-", 5) == 0;
}

static bool is_key(const char *key) {
  size_t length = strspn(key, "abcdefghijklmnopqrstuvwxyz0123456789-_.");
  if (length == 0 || length > EOWN_ALIAS_MAX || key[length] != '\0')
    return false;
  bool binary = length >= 4 && strcmp(key + length - 4, "-bin") == 0;
  return !binary && !is_taken(key);
}

static eown_error read_alias(eown__assignment *assignment) {
  if (!is_key(assignment->value))
    return EOWN_ERROR_INVALID_ARGUMENT;
  strcpy(assignment->settings->claim_key_alias, assignment->value);
  return EOWN_ERROR_OK;
}

static eown_error read_faults(eown__assignment *assignment) {
  eown_status_set set = 0;
  const char *rest = assignment->value;
  for (;;) {
    size_t length = strcspn(rest, ",");
    eown_status status;
    if (!eown_status_parse(rest, length, &status) || status == EOWN_STATUS_OK)
      return EOWN_ERROR_INVALID_ARGUMENT;
    set |= 1u << status;
    if (rest[length] == '\0')
      break;
    rest += length + 1;
  }
  assignment->settings->faults = set;
  return EOWN_ERROR_OK;
}

static eown_error copy_text(const eown__assignment *assignment, char **text) {
  const eown_allocator *allocator = assignment->settings->allocator;
  size_t size = strlen(assignment->value) + 1;
  char *copy = eown__allocate(allocator, size);
  if (copy == NULL)
    return EOWN_ERROR_NO_MEMORY;
  memcpy(copy, assignment->value, size);
  eown__release(allocator, *text);
  *text = copy;
  return EOWN_ERROR_OK;
}

static eown_error read_pins(eown__assignment *assignment) {
  const char *value = assignment->value;
  if (value[0] == '\0' || !eown_pins_check(value, NULL, 0))
    return EOWN_ERROR_INVALID_ARGUMENT;
  return copy_text(assignment, &assignment->settings->pins);
}

/* --- readers of the memory's settings --- */

static eown_error read_memory(eown__assignment *assignment) {
  return read_flag(assignment->value, &assignment->settings->memory);
}

static bool read_whole(const char *text, uint64_t least, uint64_t most,
                       uint64_t *number) {
  char *end;
  errno = 0;
  uint64_t read = strtoull(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 ||
      read < least || read > most)
    return false;
  *number = read;
  return true;
}

static eown_error read_edges(eown__assignment *assignment) {
  uint64_t edges;
  if (!read_whole(assignment->value, 1, EOWN_MEMORY_EDGES_MAX, &edges))
    return EOWN_ERROR_INVALID_ARGUMENT;
  assignment->settings->memory_edges = (uint32_t)edges;
  return EOWN_ERROR_OK;
}

static eown_error read_half_life(eown__assignment *assignment) {
  uint64_t seconds;
  if (!read_whole(assignment->value, 1, 1u << 30, &seconds))
    return EOWN_ERROR_INVALID_ARGUMENT;
  assignment->settings->memory_half_life_ms = seconds * 1000;
  return EOWN_ERROR_OK;
}

static eown_error read_interval(const char *text, uint64_t *interval) {
  return given(read_whole(text, 10, 86400000, interval));
}

static eown_error read_file_interval(eown__assignment *assignment) {
  return read_interval(assignment->value,
                       &assignment->settings->memory_file_interval_ms);
}

static eown_error read_redis_interval(eown__assignment *assignment) {
  return read_interval(assignment->value,
                       &assignment->settings->memory_redis_interval_ms);
}

static eown_error read_file(eown__assignment *assignment) {
  size_t length = strlen(assignment->value);
  if (length == 0 || length > EOWN_MEMORY_FILE_MAX)
    return EOWN_ERROR_INVALID_ARGUMENT;
  return copy_text(assignment, &assignment->settings->memory_file);
}

static eown_error read_redis(eown__assignment *assignment) {
  eown_redis_address address;
  if (!eown_redis_address_parse(assignment->value, &address))
    return EOWN_ERROR_INVALID_ARGUMENT;
  return copy_text(assignment, &assignment->settings->memory_redis);
}

static eown_error (*const readers[EOWN_SETTING_N])(eown__assignment *) = {
    [EOWN_SETTING_mode] = read_mode,
    [EOWN_SETTING_service_name] = read_service_name,
    [EOWN_SETTING_retry_budget_percent] = read_percent,
    [EOWN_SETTING_retry_budget_min_per_second] = read_floor,
    [EOWN_SETTING_send_pushback] = read_pushback,
    [EOWN_SETTING_trust_boundary] = read_boundary,
    [EOWN_SETTING_claim_key_alias] = read_alias,
    [EOWN_SETTING_chain_stop] = read_chain,
    [EOWN_SETTING_own_unreachable] = read_unreachable,
    [EOWN_SETTING_faults] = read_faults,
    [EOWN_SETTING_pins] = read_pins,
    [EOWN_SETTING_memory] = read_memory,
    [EOWN_SETTING_memory_edges] = read_edges,
    [EOWN_SETTING_memory_half_life_s] = read_half_life,
    [EOWN_SETTING_memory_file] = read_file,
    [EOWN_SETTING_memory_file_interval_ms] = read_file_interval,
    [EOWN_SETTING_memory_redis] = read_redis,
    [EOWN_SETTING_memory_redis_interval_ms] = read_redis_interval,
};

eown_error eown__settings_read(eown_setting setting,
                               eown__assignment *assignment) {
  return readers[setting](assignment);
}
