/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_PAGE_NUMBER_H
#define EOWN_LAB_PAGE_NUMBER_H

#include <jansson.h>

/* What a number is. */
typedef enum page_unit {
  PAGE_PLAIN,
  PAGE_TIMES, /* a factor: "×8" */
  PAGE_SHARE  /* of 1, shown in percent: "12.5 %" */
} page_unit;

#define PAGE_NUMBER 64

/* Writes a JSON number for people to `text`, and returns it: whole numbers as
 * they are, others with four digits that count; a narrow space between groups
 * of three from five digits on. */
const char *page_number_format(const json_t *number, page_unit unit,
                               char text[PAGE_NUMBER]);

#endif /* EOWN_LAB_PAGE_NUMBER_H */
