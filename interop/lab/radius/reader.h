/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_RADIUS_READER_H
#define EOWN_LAB_RADIUS_READER_H

#include "builder.h"
#include "input.h"

/* How call graphs are written down. */
typedef enum radius_format {
  RADIUS_FORMAT_GUESS,
  RADIUS_FORMAT_JAEGER, /* {"data":[links]} */
  RADIUS_FORMAT_ZIPKIN, /* [{"parent","child","callCount"}, ...] */
  RADIUS_FORMAT_GRAPHS, /* JSON lines: {"service","num","edges":[...]} */
  RADIUS_FORMAT_DOT,    /* Graphviz, directed; calls=N on an edge */
  RADIUS_FORMAT_CSV,    /* caller,callee,calls */
  RADIUS_FORMAT_N
} radius_format;

/* Reads a file into the builder's fleet; bad input ends the program with status
 * 2 and a message that names file, line and what was expected. */
void radius_read(radius_builder *builder, const char *path,
                 radius_format format);

/* The readers of the formats: `input` stands at the first byte that is no white
 * space. Links of Jaeger and of Zipkin are the same in two wrappings, each of
 * which is taken for either. */
void radius_read_links(radius_builder *builder, radius_input *input);
void radius_read_graphs(radius_builder *builder, radius_input *input);
void radius_read_dot(radius_builder *builder, radius_input *input);
void radius_read_csv(radius_builder *builder, radius_input *input);

#endif /* EOWN_LAB_RADIUS_READER_H */
