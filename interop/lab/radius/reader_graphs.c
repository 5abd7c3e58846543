/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "cursor.h"
#include "reader.h"

#include <string.h>

#define EDGE "an edge [SOURCE,TARGET,WEIGHT,TYPE]"
#define GRAPH                                                                  \
  "a graph {\"service\":NAME,\"num\":NUMBER,\"edges\":[EDGES]} on one line"

static uint32_t take_end(radius_builder *builder, radius_place place,
                         const json_t *edge, size_t index, const char *what) {
  const json_t *name = json_array_get(edge, index);
  if (!json_is_string(name))
    radius_refuse(place, "the %s of an edge is no string: expected " EDGE,
                  what);
  return radius_builder_node(builder, place, json_string_value(name),
                             json_string_length(name));
}

static double take_weight(radius_place place, const json_t *edge) {
  const json_t *weight = json_array_get(edge, 2);
  if (!weight)
    return 0;
  if (!json_is_number(weight))
    radius_refuse(place, "the weight of an edge is no number: expected " EDGE);
  radius_check_count(place, "the weight of an edge is",
                     json_number_value(weight));
  return json_number_value(weight);
}

/* Weight and type may be left out; a type is not looked at. */
static void take_edge(radius_builder *builder, radius_place place,
                      const json_t *edge) {
  size_t size = json_array_size(edge);
  if (size < 2 || size > 4)
    radius_refuse(place, "not a list of 2 to 4 items: expected " EDGE);
  uint32_t caller = take_end(builder, place, edge, 0, "source");
  uint32_t callee = take_end(builder, place, edge, 1, "target");
  radius_builder_edge(builder, place, caller, callee, take_weight(place, edge));
}

static void take_edges(radius_builder *builder, radius_cursor *cursor) {
  radius_cursor_expect(cursor, '[', "a list of edges");
  for (size_t count = 0; radius_cursor_step(cursor, ']', &count);) {
    json_t *edge = radius_cursor_value(cursor);
    take_edge(builder, cursor->place, edge);
    json_decref(edge);
  }
}

/* One graph while it is read. */
typedef struct reading {
  radius_builder *builder;
  radius_place place;
  json_t *service;     /* NULL: none yet */
  radius_cursor edges; /* where they are, if they came before the service */
  double num;          /* 0: none yet */
  bool has_edges;
  bool taken; /* the edges are in the builder */
} reading;

static void begin(reading *self) {
  radius_builder_begin(self->builder, self->place,
                       json_string_value(self->service), 1);
  self->taken = true;
}

static void take_service(reading *self, radius_cursor *cursor) {
  json_t *service = radius_cursor_value(cursor);
  if (self->service || !json_string_length(service))
    radius_refuse(self->place, "\"service\" is %s: expected " GRAPH,
                  self->service ? "there twice" : "no name");
  self->service = service;
}

static void take_num(reading *self, radius_cursor *cursor) {
  json_t *num = radius_cursor_value(cursor);
  if (self->num > 0 || !json_is_number(num))
    radius_refuse(self->place, "\"num\" is %s: expected " GRAPH,
                  json_is_number(num) ? "there twice" : "no number");
  self->num = json_number_value(num);
  json_decref(num);
  radius_check_count(self->place, "\"num\"", self->num);
}

static void skip_edges(radius_cursor *cursor) {
  radius_cursor_expect(cursor, '[', "a list of edges");
  for (size_t count = 0; radius_cursor_step(cursor, ']', &count);)
    json_decref(radius_cursor_value(cursor));
}

/* The service is the scope of the names: edges before it have to wait. */
static void take_or_keep_edges(reading *self, radius_cursor *cursor) {
  if (self->has_edges)
    radius_refuse(self->place, "\"edges\" is there twice: expected " GRAPH);
  self->has_edges = true;
  if (!self->service) {
    self->edges = *cursor;
    skip_edges(cursor);
  } else {
    begin(self);
    take_edges(self->builder, cursor);
  }
}

static void take_member(reading *self, radius_cursor *cursor, const char *key) {
  if (!strcmp(key, "service"))
    take_service(self, cursor);
  else if (!strcmp(key, "num"))
    take_num(self, cursor);
  else if (!strcmp(key, "edges"))
    take_or_keep_edges(self, cursor);
  else
    json_decref(radius_cursor_value(cursor));
}

static void finish(reading *self) {
  if (!self->has_edges)
    radius_refuse(self->place, "no member \"edges\": expected " GRAPH);
  if (!self->taken) {
    begin(self);
    take_edges(self->builder, &self->edges);
  }
  if (self->num > 0)
    self->builder->graph.num = self->num;
  radius_builder_end(self->builder);
  json_decref(self->service);
}

static void take_graph(radius_builder *builder, radius_cursor *cursor) {
  reading self = {.builder = builder, .place = cursor->place};
  radius_cursor_expect(cursor, '{', GRAPH);
  for (size_t count = 0; radius_cursor_step(cursor, '}', &count);) {
    json_t *key = radius_cursor_key(cursor);
    take_member(&self, cursor, json_string_value(key));
    json_decref(key);
  }
  radius_cursor_finish(cursor);
  finish(&self);
}

void radius_read_graphs(radius_builder *builder, radius_input *input) {
  radius_text line;
  while (radius_input_line(input, &line)) {
    radius_cursor cursor = {.text = line, .place = input->place};
    if (radius_cursor_next(&cursor))
      take_graph(builder, &cursor);
    radius_input_advance(input);
  }
}
