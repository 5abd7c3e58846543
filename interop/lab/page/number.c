/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define NARROW_SPACE "\xe2\x80\xaf" /* U+202F, does not break */
#define TIMES "\xc3\x97"
#define GROUPED_FROM 5u /* digits */
#define PLAIN 48        /* bytes */
#define PLAIN_MAX 1e15  /* beyond, with an exponent */

/* Copies the digits of a whole number, with its sign, in groups. */
static void group(const char *digits, char text[PLAIN]) {
  size_t sign = *digits == '-';
  size_t count = strlen(digits) - sign;
  size_t used = 0;
  for (size_t i = 0; digits[i]; i++) {
    size_t left = count + sign - i;
    if (i > sign && left % 3 == 0 && count >= GROUPED_FROM) {
      memcpy(text + used, NARROW_SPACE, strlen(NARROW_SPACE));
      used += strlen(NARROW_SPACE);
    }
    text[used++] = digits[i];
  }
  text[used] = '\0';
}

/* Four digits that count, also of what is too large for %g to show plainly. */
static void format_real(double value, char text[PLAIN]) {
  char digits[PLAIN / 2];
  if (fabs(value) < 9999.5 || fabs(value) >= PLAIN_MAX) {
    snprintf(text, PLAIN, "%.4g", value);
    return;
  }
  double unit = pow(10, floor(log10(fabs(value))) - 3);
  snprintf(digits, sizeof(digits), "%.0f", round(value / unit) * unit);
  group(digits, text);
}

static void format_whole(json_int_t value, char text[PLAIN]) {
  char digits[PLAIN / 2];
  snprintf(digits, sizeof(digits), "%" JSON_INTEGER_FORMAT, value);
  group(digits, text);
}

const char *page_number_format(const json_t *number, page_unit unit,
                               char text[PAGE_NUMBER]) {
  char plain[PLAIN];
  if (unit == PAGE_SHARE)
    format_real(json_number_value(number) * 100, plain);
  else if (json_is_integer(number))
    format_whole(json_integer_value(number), plain);
  else
    format_real(json_number_value(number), plain);
  snprintf(text, PAGE_NUMBER, "%s%s%s", unit == PAGE_TIMES ? TIMES : "", plain,
           unit == PAGE_SHARE ? NARROW_SPACE "%" : "");
  return text;
}
