/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "chain.h"

#include "lab/base/failure.h"
#include "lab/base/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const reasons[] = {"unclaimed", "budget", "chain",
                                      "multiplied"};
static const char *const claims[] = {"claimed", "unclaimed"};

#define REASONS (sizeof(reasons) / sizeof(*reasons))
#define CLAIMS (sizeof(claims) / sizeof(*claims))

/* The owner as the caller of A reads it; NULL where A's errors had no claim. */
static const char *owner(const lab_load_result *load) {
  if (load->claim == EOWN_CLAIM_MISSING || !load->has_detail)
    return NULL;
  return load->detail.owner_service;
}

static void add_header(lab_table *table) {
  static const char *const titles[] = {"node",
                                       "served",
                                       "ratio",
                                       "stopped:unclaimed",
                                       "stopped:budget",
                                       "stopped:chain",
                                       "stopped:multiplied",
                                       "sent:claimed",
                                       "sent:unclaimed"};
  lab_table_init(table, sizeof(titles) / sizeof(*titles));
  for (size_t i = 0; i < sizeof(titles) / sizeof(*titles); i++)
    lab_table_cell(table, "%s", titles[i]);
}

static void add_name(lab_table *table, const lab_node *node) {
  bool own = lab_peer_is_own(node->peer);
  if (own && !node->killed)
    lab_table_cell(table, "%s", node->name);
  else
    lab_table_cell(
        table, "%s (%s%s%s)", node->name, own ? "" : node->peer->name,
        !own && node->killed ? ", " : "", node->killed ? "killed" : "");
}

static void add_node(lab_table *table, const lab_chain *chain,
                     const lab_chain_result *result, size_t index) {
  const lab_node *node = &result->graph.nodes[index];
  add_name(table, node);
  lab_table_cell(table, "%" PRIu64, lab_node_count(node, "served", NULL));
  lab_table_cell(table, "%.3f", lab_chain_ratio(chain, result, index));
  for (size_t i = 0; i < REASONS; i++)
    lab_table_cell(table, "%" PRIu64,
                   lab_node_count(node, "retries_stopped", reasons[i]));
  for (size_t i = 0; i < CLAIMS; i++)
    lab_table_cell(table, "%" PRIu64,
                   lab_node_count(node, "claims_sent", claims[i]));
}

static void print_statuses(const lab_load_result *load) {
  const char *separator = " (";
  for (int i = 0; i < EOWN_STATUS_N; i++)
    if (i != EOWN_STATUS_OK && load->statuses[i]) {
      printf("%s%s %" PRIu64, separator, eown_status_name((eown_status)i),
             load->statuses[i]);
      separator = ", ";
    }
  if (lab_load_errors(load))
    putchar(')');
}

static void print_owner(const lab_load_result *load) {
  if (!lab_load_errors(load))
    return;
  if (owner(load))
    printf("; error owned by %s, %" PRIu32 " hop%s away", owner(load),
           load->detail.hops, load->detail.hops == 1 ? "" : "s");
  else
    printf("; error without an owner");
}

void lab_chain_print_table(const lab_chain *chain,
                           const lab_chain_result *result) {
  const lab_load_result *load = &result->load;
  lab_table table;
  add_header(&table);
  for (size_t i = 0; i < chain->nodes; i++)
    add_node(&table, chain, result, i);
  lab_table_print(&table, stdout);
  printf("root: %" PRIu64 " ok, %" PRIu64 " errors",
         load->statuses[EOWN_STATUS_OK], lab_load_errors(load));
  print_statuses(load);
  print_owner(load);
  printf("\n%" PRIu64 " requests in %.1f s, mode %s\n", chain->requests,
         load->seconds, eown_mode_name(chain->mode));
}

static json_t *integer(uint64_t value) {
  return json_integer((json_int_t)value);
}

static json_t *counts(const lab_node *node, const char *key,
                      const char *const *inner, size_t count) {
  json_t *object = json_object();
  for (size_t i = 0; i < count; i++)
    json_object_set_new(object, inner[i],
                        integer(lab_node_count(node, key, inner[i])));
  return object;
}

/* Begins with what the node itself reported, so that nothing it counts is lost;
 * the members that readers rely on are there even where the report is not. */
static json_t *node_object(const lab_chain *chain,
                           const lab_chain_result *result, size_t index) {
  const lab_node *node = &result->graph.nodes[index];
  json_t *object = json_object();
  json_object_set_new(object, "name", json_string(node->name));
  json_object_set_new(object, "peer", json_string(node->peer->name));
  json_object_set_new(object, "served",
                      integer(lab_node_count(node, "served", NULL)));
  json_object_set_new(object, "ratio",
                      json_real(lab_chain_ratio(chain, result, index)));
  json_object_set_new(object, "retries_stopped",
                      counts(node, "retries_stopped", reasons, REASONS));
  json_object_set_new(object, "claims_sent",
                      counts(node, "claims_sent", claims, CLAIMS));
  json_object_set_new(object, "killed", json_boolean(node->killed));
  if (node->report)
    json_object_update_missing(object, node->report);
  json_object_del(object, "event");
  return object;
}

static json_t *statuses_object(const lab_load_result *load) {
  json_t *object = json_object();
  for (int i = 0; i < EOWN_STATUS_N; i++)
    if (load->statuses[i])
      json_object_set_new(object, eown_status_name((eown_status)i),
                          integer(load->statuses[i]));
  return object;
}

static json_t *root_object(const lab_load_result *load) {
  const char *name = owner(load);
  json_t *object = json_object();
  json_object_set_new(object, "ok", integer(load->statuses[EOWN_STATUS_OK]));
  json_object_set_new(object, "errors", integer(lab_load_errors(load)));
  json_object_set_new(object, "owner", name ? json_string(name) : json_null());
  json_object_set_new(object, "hops",
                      name ? json_integer(load->detail.hops) : json_null());
  json_object_set_new(object, "claim",
                      json_string(eown_claim_name(load->claim)));
  json_object_set_new(object, "reason",
                      name ? json_string(eown_reason_name(load->detail.reason))
                           : json_null());
  json_object_set_new(object, "status", statuses_object(load));
  json_object_set_new(object, "replies", integer(load->replies));
  return object;
}

json_t *lab_chain_make_json(const lab_chain *chain,
                            const lab_chain_result *result) {
  json_t *nodes = json_array();
  for (size_t i = 0; i < chain->nodes; i++)
    json_array_append_new(nodes, node_object(chain, result, i));
  json_t *object = json_object();
  json_object_set_new(object, "mode", json_string(eown_mode_name(chain->mode)));
  json_object_set_new(object, "retry_by", json_string(chain->retry_by));
  json_object_set_new(object, "requests", integer(chain->requests));
  json_object_set_new(object, "seconds", json_real(result->load.seconds));
  json_object_set_new(object, "nodes", nodes);
  json_object_set_new(object, "root", root_object(&result->load));
  return object;
}

void lab_chain_print_json(const lab_chain *chain,
                          const lab_chain_result *result) {
  json_t *object = lab_chain_make_json(chain, result);
  char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(9));
  if (!text)
    lab_fail("out of memory");
  puts(text);
  free(text);
  json_decref(object);
}
