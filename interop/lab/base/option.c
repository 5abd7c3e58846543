/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "option.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void lab_option_refuse(const struct argp_state *state, const char *option,
                       const char *value, const char *format, ...) {
  char expected[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(expected, sizeof(expected), format, arguments);
  va_end(arguments);
  argp_error(state, "%s: '%s' is not valid: expected %s", option, value,
             expected);
}

uint64_t lab_option_integer(const struct argp_state *state, const char *option,
                            const char *value, uint64_t min, uint64_t max) {
  char *end = NULL;
  errno = 0;
  uint64_t number = strtoull(value, &end, 10);
  if (!isdigit((unsigned char)*value) || *end || errno || number < min ||
      number > max)
    lab_option_refuse(state, option, value,
                      "a whole number from %" PRIu64 " to %" PRIu64, min, max);
  return number;
}

bool lab_number_parse(const char *text, double *number) {
  char *end = NULL;
  double value = strtod(text, &end);
  if (end == text || *end || !isfinite(value) || isspace((unsigned char)*text))
    return false;
  *number = value;
  return true;
}

double lab_option_number(const struct argp_state *state, const char *option,
                         const char *value, double min, double max) {
  double number = 0;
  if (!lab_number_parse(value, &number) || number < min || number > max)
    lab_option_refuse(state, option, value, "a number from %g to %g", min, max);
  return number;
}

static void join(const char *const *words, char *text, size_t size) {
  *text = '\0';
  for (size_t i = 0; words[i]; i++) {
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", i ? ", " : "", words[i]);
  }
}

size_t lab_option_word(const struct argp_state *state, const char *option,
                       const char *value, const char *const *words) {
  for (size_t i = 0; words[i]; i++)
    if (!strcmp(words[i], value))
      return i;
  char choices[256];
  join(words, choices, sizeof(choices));
  lab_option_refuse(state, option, value, "one of %s", choices);
  return 0;
}
