/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "arguments.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The place of `key`, taken or new. */
static grpc_arg *place_of(arguments *arguments, const char *key) {
  size_t i = 0;
  while (i < arguments->n && strcmp(arguments->list[i].key, key) != 0)
    i++;
  if (i == arguments->n)
    arguments->n++;
  return &arguments->list[i];
}

void arguments_set_integer(arguments *arguments, const char *key, int value) {
  *place_of(arguments, key) = (grpc_arg){
      .type = GRPC_ARG_INTEGER, .key = (char *)key, .value.integer = value};
}

void arguments_set_text(arguments *arguments, const char *key,
                        const char *value) {
  *place_of(arguments, key) = (grpc_arg){.type = GRPC_ARG_STRING,
                                         .key = (char *)key,
                                         .value.string = (char *)value};
}

static bool parse_integer(const char *text, int *integer) {
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10);
  *integer = (int)value;
  return end != text && *end == '\0' && errno == 0 && value >= INT_MIN &&
         value <= INT_MAX;
}

static void set_setting(arguments *arguments, const setting_option *setting) {
  int integer;
  if (parse_integer(setting->value, &integer))
    arguments_set_integer(arguments, setting->key, integer);
  else
    arguments_set_text(arguments, setting->key, setting->value);
}

void arguments_set_ownership(arguments *arguments, const options *options,
                             side side) {
  if (options->ownership == OWNERSHIP_STOCK)
    return;
  arguments_set_text(arguments, "eown.mode",
                     ownership_name(options->ownership));
  for (size_t i = 0; i < options->settings_n; i++)
    if ((options->settings[i].side & side) != 0)
      set_setting(arguments, &options->settings[i]);
}

grpc_channel_args arguments_view(arguments *arguments) {
  return (grpc_channel_args){.num_args = arguments->n, .args = arguments->list};
}
