/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_TABLE_H
#define EOWN_LAB_TABLE_H

#include <stddef.h>
#include <stdio.h>

#define LAB_TABLE_COLUMNS 32

/* Rows of text, printed in aligned columns: the first column to the left, the
 * others to the right. */
typedef struct lab_table {
  size_t columns;
  size_t cells; /* filled so far */
  size_t capacity;
  char **text; /* owned, row by row */
} lab_table;

/* Begins a table of `columns` columns, at most LAB_TABLE_COLUMNS. */
void lab_table_init(lab_table *table, size_t columns);

/* Fills the next cell. */
void lab_table_cell(lab_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints the table and frees what it holds. */
void lab_table_print(lab_table *table, FILE *file);

#endif /* EOWN_LAB_TABLE_H */
