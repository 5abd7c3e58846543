/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "table.h"

#include "failure.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void lab_table_init(lab_table *table, size_t columns) {
  *table = (lab_table){.columns = columns};
}

static void grow(lab_table *table) {
  size_t capacity = table->capacity ? table->capacity * 2 : 64;
  char **text = realloc(table->text, capacity * sizeof(*text));
  if (!text)
    lab_fail("out of memory");
  table->text = text;
  table->capacity = capacity;
}

void lab_table_cell(lab_table *table, const char *format, ...) {
  if (table->cells == table->capacity)
    grow(table);
  char *text = NULL;
  va_list arguments;
  va_start(arguments, format);
  int length = vasprintf(&text, format, arguments);
  va_end(arguments);
  if (length < 0)
    lab_fail("out of memory");
  table->text[table->cells++] = text;
}

/* Characters of UTF-8 text, each one column wide. */
static int width_of(const char *text) {
  int width = 0;
  for (; *text; text++)
    width += ((unsigned char)*text & 0xc0) != 0x80;
  return width;
}

static void pad(int columns, FILE *file) {
  for (int i = 0; i < columns; i++)
    fputc(' ', file);
}

static void measure(const lab_table *table, int *widths) {
  for (size_t i = 0; i < table->cells; i++) {
    int width = width_of(table->text[i]);
    if (width > widths[i % table->columns])
      widths[i % table->columns] = width;
  }
}

static void print_row(const lab_table *table, size_t first, const int *widths,
                      FILE *file) {
  for (size_t column = 0; column < table->columns; column++) {
    const char *text = table->text[first + column];
    int space = widths[column] - width_of(text);
    pad(column == 0 ? 0 : 2 + space, file);
    fputs(text, file);
    pad(column == 0 ? space : 0, file);
  }
  fputc('\n', file);
}

void lab_table_print(lab_table *table, FILE *file) {
  int widths[LAB_TABLE_COLUMNS] = {0};
  measure(table, widths);
  for (size_t i = 0; i + table->columns <= table->cells; i += table->columns)
    print_row(table, i, widths, file);
  for (size_t i = 0; i < table->cells; i++)
    free(table->text[i]);
  free(table->text);
  *table = (lab_table){0};
}
