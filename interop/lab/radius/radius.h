/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_RADIUS_H
#define EOWN_LAB_RADIUS_H

#include "advice.h"
#include "lab/base/arguments.h"
#include "reader.h"

#include <jansson.h>

/* What the command line of `radius` says. */
typedef struct radius_options {
  lab_arguments files;
  radius_format format;
  radius_policy policy;
  uint32_t top;     /* rows of each list for people */
  const char *html; /* the page to write; NULL: none */
  bool json;
} radius_options;

/* Reads the command line, and the policy file; ends the program with status 2
 * where it is bad. */
void radius_options_read(radius_options *options, int argc, char **argv);

void radius_options_clear(radius_options *options);

/* The result as one JSON object; the caller owns it. */
json_t *radius_make_json(const radius_survey *survey,
                         const radius_advice *advice);

/* Print the result on standard output: tables for people, of `options->top`
 * rows at most, or one JSON object. */
void radius_print_tables(const radius_options *options,
                         const radius_survey *survey,
                         const radius_advice *advice);
void radius_print_json(const radius_survey *survey,
                       const radius_advice *advice);

#endif /* EOWN_LAB_RADIUS_H */
