/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_OPTION_H
#define EOWN_LAB_OPTION_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reading option values. Each function ends the program with status 2, through
 * argp, and a message that names the option, the value and what was expected,
 * where the value is not of its form. */

/* Says that `value` of `option` ("--nodes") is not what was expected. */
void lab_option_refuse(const struct argp_state *state, const char *option,
                       const char *value, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

uint64_t lab_option_integer(const struct argp_state *state, const char *option,
                            const char *value, uint64_t min, uint64_t max);

double lab_option_number(const struct argp_state *state, const char *option,
                         const char *value, double min, double max);

/* Returns the place of `value` in `words`, which ends with NULL. */
size_t lab_option_word(const struct argp_state *state, const char *option,
                       const char *value, const char *const *words);

/* Parses a number as a whole; false where the text is none. */
bool lab_number_parse(const char *text, double *number);

#endif /* EOWN_LAB_OPTION_H */
