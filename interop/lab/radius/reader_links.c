/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "cursor.h"
#include "reader.h"

#include <string.h>

#define LINK "a link {\"parent\":NAME,\"child\":NAME,\"callCount\":NUMBER}"

static uint32_t take_name(radius_builder *builder, radius_place place,
                          const json_t *link, const char *key) {
  const json_t *name = json_object_get(link, key);
  if (!json_is_string(name))
    radius_refuse(place, "\"%s\" is %s: expected " LINK, key,
                  name ? "no string" : "missing");
  return radius_builder_node(builder, place, json_string_value(name),
                             json_string_length(name));
}

static void take_link(radius_builder *builder, radius_place place,
                      const json_t *link) {
  if (!json_is_object(link))
    radius_refuse(place, "not an object: expected " LINK);
  uint32_t caller = take_name(builder, place, link, "parent");
  uint32_t callee = take_name(builder, place, link, "child");
  const json_t *count = json_object_get(link, "callCount");
  if (!json_is_number(count))
    radius_refuse(place, "\"callCount\" is %s: expected " LINK,
                  count ? "no number" : "missing");
  radius_check_count(place, "\"callCount\"", json_number_value(count));
  radius_builder_edge(builder, place, caller, callee, json_number_value(count));
}

static void take_links(radius_builder *builder, radius_cursor *cursor) {
  radius_cursor_expect(cursor, '[', "a list of links");
  for (size_t count = 0; radius_cursor_step(cursor, ']', &count);) {
    radius_cursor_next(cursor); /* to the line of the value */
    radius_place place = cursor->place;
    json_t *link = radius_cursor_value(cursor);
    take_link(builder, place, link);
    json_decref(link);
  }
}

/* {"data":[links], ...}: all other members are passed over. */
static void take_wrapped(radius_builder *builder, radius_cursor *cursor) {
  bool found = false;
  radius_cursor_expect(cursor, '{', "an object with \"data\"");
  for (size_t count = 0; radius_cursor_step(cursor, '}', &count);) {
    json_t *key = radius_cursor_key(cursor);
    if (!found && !strcmp(json_string_value(key), "data")) {
      found = true;
      take_links(builder, cursor);
    } else {
      json_decref(radius_cursor_value(cursor));
    }
    json_decref(key);
  }
  if (!found)
    radius_refuse(builder->graph.place,
                  "no member \"data\": expected {\"data\":[links]}");
}

void radius_read_links(radius_builder *builder, radius_input *input) {
  radius_builder_begin(builder, input->place, NULL, 1);
  radius_cursor cursor = {.place = input->place};
  cursor.text = radius_input_rest(input);
  if (radius_cursor_next(&cursor) == '{')
    take_wrapped(builder, &cursor);
  else
    take_links(builder, &cursor);
  radius_cursor_finish(&cursor);
  radius_builder_end(builder);
}
