/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "lab/base/failure.h"
#include "lab/base/option.h"
#include "reader.h"

#include <errno.h>
#include <graphviz/cgraph.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALLS "calls"

/* What Graphviz's parser said: it reports through a function without a
 * context. */
static char complaint[512];

static int note_complaint(char *text) {
  size_t used = strlen(complaint);
  snprintf(complaint + used, sizeof(complaint) - used, "%s", text);
  return 0;
}

/* "Error: FILE: syntax error in line 3 near '->'", in pieces. */
static void refuse_syntax(const radius_input *input) {
  const char *line = strstr(complaint, "in line ");
  size_t number = line ? strtoul(line + strlen("in line "), NULL, 10) : 0;
  const char *near = strstr(complaint, " near ");
  radius_place place = input->place;
  if (number)
    place.line = input->place.line + number - 1;
  complaint[strcspn(complaint, "\n")] = '\0';
  radius_refuse(place,
                "syntax error%s: expected graphs in DOT, such as "
                "'digraph { A -> B [calls=10] }'",
                near ? near : "");
}

/* Graphviz keeps no lines: the first place that writes this value. */
static radius_place find_value(radius_place place, radius_text text,
                               const char *value) {
  const char *end = text.start + text.length;
  const char *at = text.start;
  for (;; at++) {
    at = memmem(at, (size_t)(end - at), CALLS, strlen(CALLS));
    if (!at)
      return (radius_place){place.path, 0};
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    size_t length = (size_t)((stop ? stop : end) - at);
    if (memmem(at, length, value, strlen(value)))
      break;
  }
  for (const char *byte = text.start; byte < at; byte++)
    place.line += *byte == '\n';
  return place;
}

static double take_calls(radius_place place, radius_text text, Agedge_t *edge) {
  char *value = agget(edge, CALLS);
  double calls = 0;
  if (!value || !*value)
    return 0;
  if (!lab_number_parse(value, &calls) || !(calls > 0) ||
      calls > RADIUS_CALLS_MAX)
    radius_refuse(find_value(place, text, value),
                  CALLS " '%s' from %s to %s: expected a number above 0, %g at "
                        "most",
                  value, agnameof(agtail(edge)), agnameof(aghead(edge)),
                  RADIUS_CALLS_MAX);
  return calls;
}

static uint32_t take_node(radius_builder *builder, radius_place place,
                          Agnode_t *node) {
  const char *name = agnameof(node);
  return radius_builder_node(builder, place, name, strlen(name));
}

static void take_graph(radius_builder *builder, radius_place place,
                       radius_text text, Agraph_t *graph) {
  if (!agisdirected(graph))
    radius_refuse(place, "an undirected graph: expected 'digraph'");
  radius_builder_begin(builder, place, NULL, 1);
  for (Agnode_t *node = agfstnode(graph); node; node = agnxtnode(graph, node)) {
    uint32_t caller = take_node(builder, place, node);
    for (Agedge_t *edge = agfstout(graph, node); edge;
         edge = agnxtout(graph, edge))
      radius_builder_edge(builder, place, caller,
                          take_node(builder, place, aghead(edge)),
                          take_calls(place, text, edge));
  }
  radius_builder_end(builder);
}

static void take_all(radius_builder *builder, radius_input *input,
                     radius_text text, FILE *file) {
  size_t graphs = 0;
  for (Agraph_t *graph; (graph = agread(file, NULL)); graphs++) {
    if (*complaint)
      refuse_syntax(input);
    take_graph(builder, input->place, text, graph);
    agclose(graph);
  }
  if (*complaint || !graphs)
    refuse_syntax(input);
}

void radius_read_dot(radius_builder *builder, radius_input *input) {
  radius_text text = radius_input_rest(input);
  FILE *file = fmemopen((void *)text.start, text.length, "r");
  if (!file)
    lab_fail("cannot read text: %s", strerror(errno));
  *complaint = '\0';
  agseterrf(note_complaint);
  agseterr(AGERR);
  agreadline(1);
  take_all(builder, input, text, file);
  fclose(file);
}
