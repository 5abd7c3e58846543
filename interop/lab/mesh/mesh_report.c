/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "lab/base/table.h"
#include "mesh.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The callees of a peer, in the order of a cell's numbers. */
static const eown_claim order[EOWN_CLAIM_N] = {
    EOWN_CLAIM_CLAIMED, EOWN_CLAIM_UNCLAIMED, EOWN_CLAIM_MISSING};

static const char *mark(bool passes) { return passes ? "✓" : "✗"; }

/* One of a caller's pairs; NULL where the peer has no such callee. */
static const lab_mesh_pair *find_pair(const lab_mesh_pair *pairs, size_t count,
                                      const lab_peer *peer, eown_claim sends) {
  for (size_t i = 0; i < count; i++)
    if (pairs[i].callee->peer == peer && pairs[i].callee->sends == sends)
      return &pairs[i];
  return NULL;
}

/* "3 1 3 ✓", and "-" for a callee that is not there. */
static void add_cell(lab_table *table, const lab_mesh *mesh,
                     const lab_mesh_pair *pairs, size_t count,
                     const lab_peer *peer) {
  char text[96] = "";
  bool passes = true;
  for (size_t i = 0; i < EOWN_CLAIM_N; i++) {
    const lab_mesh_pair *pair = find_pair(pairs, count, peer, order[i]);
    size_t used = strlen(text);
    if (pair)
      snprintf(text + used, sizeof(text) - used, "%.3g ",
               (double)pair->served / (double)mesh->requests);
    else
      snprintf(text + used, sizeof(text) - used, "- ");
    passes = passes && (!pair || lab_mesh_pair_passes(mesh, pair));
  }
  lab_table_cell(table, "%s%s", text, mark(passes));
}

static void add_caller(lab_table *table, const lab_mesh *mesh,
                       const lab_mesh_pair *pairs, size_t count) {
  lab_table_cell(table, "%s%s", pairs->caller->peer->name,
                 pairs->caller->stock ? ", stock" : "");
  for (size_t i = 0; i < mesh->peers_count; i++)
    add_cell(table, mesh, pairs, count, mesh->peers[i]);
}

static void add_names(lab_table *table, const lab_mesh *mesh) {
  for (size_t i = 0; i < mesh->peers_count; i++)
    lab_table_cell(table, "%s", mesh->peers[i]->name);
}

static void print_matrix(const lab_mesh *mesh, const lab_mesh_result *result) {
  lab_table table;
  lab_table_init(&table, 1 + mesh->peers_count);
  lab_table_cell(&table, "%s", "caller");
  add_names(&table, mesh);
  for (size_t i = 0; i < result->callers_count; i++)
    add_caller(&table, mesh, &result->pairs[i * result->callees_count],
               result->callees_count);
  puts("Attempts at a callee that says claimed, that says unclaimed, and that "
       "says nothing:\nexpected 3 1 3, and 3 3 3 of stock callers that loop");
  lab_table_print(&table, stdout);
  putchar('\n');
}

/* The chain of this peer and case; NULL where it was not run. */
static const lab_mesh_chain *find_chain(const lab_mesh_result *result,
                                        const lab_peer *peer,
                                        const char *name) {
  for (size_t i = 0; i < result->chains_count; i++)
    if (result->chains[i].peer == peer && !strcmp(result->chains[i].name, name))
      return &result->chains[i];
  return NULL;
}

static bool is_first_of_case(const lab_mesh_result *result, size_t index) {
  for (size_t i = 0; i < index; i++)
    if (!strcmp(result->chains[i].name, result->chains[index].name))
      return false;
  return true;
}

/* What was served where that is not what was expected. */
static void add_chain(lab_table *table, const lab_mesh *mesh,
                      const lab_mesh_chain *chain) {
  double served[LAB_MESH_CHAIN];
  if (!chain || lab_mesh_chain_passes(mesh, chain)) {
    lab_table_cell(table, "%s", chain ? mark(true) : "");
    return;
  }
  for (size_t i = 0; i < LAB_MESH_CHAIN; i++)
    served[i] = (double)chain->served[i] / (double)mesh->chain_requests;
  lab_table_cell(table, "%.3g %.3g %.3g %.3g %s", served[0], served[1],
                 served[2], served[3], mark(false));
}

static void add_case(lab_table *table, const lab_mesh *mesh,
                     const lab_mesh_result *result,
                     const lab_mesh_chain *first) {
  const unsigned *e = first->expected;
  lab_table_cell(table, "%s", first->name);
  lab_table_cell(table, "%u %u %u %u", e[0], e[1], e[2], e[3]);
  for (size_t i = 0; i < mesh->peers_count; i++)
    add_chain(table, mesh, find_chain(result, mesh->peers[i], first->name));
}

static void print_chains(const lab_mesh *mesh, const lab_mesh_result *result) {
  lab_table table;
  if (result->chains_count == 0)
    return;
  lab_table_init(&table, 2 + mesh->peers_count);
  lab_table_cell(&table, "%s", "chain A, B, C of");
  lab_table_cell(&table, "%s", "A B C D");
  add_names(&table, mesh);
  for (size_t i = 0; i < result->chains_count; i++)
    if (is_first_of_case(result, i))
      add_case(&table, mesh, result, &result->chains[i]);
  lab_table_print(&table, stdout);
  putchar('\n');
}

static void print_claims(const uint64_t *claims) {
  const char *separator = "";
  for (int i = 0; i < EOWN_CLAIM_N; i++)
    if (claims[i]) {
      printf("%s%" PRIu64 " %s", separator, claims[i],
             eown_claim_name((eown_claim)i));
      separator = ", ";
    }
  if (!*separator)
    fputs("none", stdout);
}

static void print_failure(const lab_mesh *mesh, const lab_mesh_pair *pair) {
  uint64_t requests = mesh->requests;
  uint64_t errors = requests * lab_mesh_errors_expected(pair);
  printf("✗ %s%s to %s, %s: %" PRIu64 " attempts, claims read ",
         pair->caller->peer->name, pair->caller->stock ? ", stock," : "",
         pair->callee->peer->name, eown_claim_name(pair->callee->sends),
         pair->served);
  print_claims(pair->reads);
  fputs(", answered ", stdout);
  print_claims(pair->answers);
  printf("; expected %" PRIu64 " attempts, %" PRIu64 " %s, %" PRIu64 " %s\n",
         requests * lab_mesh_attempts_expected(pair), errors,
         eown_claim_name(pair->callee->sends), requests,
         eown_claim_name(lab_mesh_answer_expected(pair)));
}

static size_t print_failures(const lab_mesh *mesh,
                             const lab_mesh_result *result) {
  size_t failures = 0;
  for (size_t i = 0; i < result->pairs_count; i++)
    if (!lab_mesh_pair_passes(mesh, &result->pairs[i])) {
      print_failure(mesh, &result->pairs[i]);
      failures++;
    }
  return failures;
}

static size_t count_chain_failures(const lab_mesh *mesh,
                                   const lab_mesh_result *result) {
  size_t failures = 0;
  for (size_t i = 0; i < result->chains_count; i++)
    failures += !lab_mesh_chain_passes(mesh, &result->chains[i]);
  return failures;
}

static const lab_mesh_caller *find_caller(const lab_mesh_result *result,
                                          const lab_peer *peer) {
  size_t i = 0;
  while (result->callers[i].peer != peer)
    i++;
  return &result->callers[i];
}

static void print_programs(const lab_mesh *mesh,
                           const lab_mesh_result *result) {
  lab_table table;
  lab_table_init(&table, 3);
  for (size_t i = 0; i < mesh->peers_count; i++) {
    const lab_mesh_caller *caller = find_caller(result, mesh->peers[i]);
    lab_table_cell(&table, "%s", caller->peer->name);
    lab_table_cell(&table, "%s", caller->program.language);
    lab_table_cell(&table, "%s", caller->program.version);
  }
  lab_table_print(&table, stdout);
  putchar('\n');
}

void lab_mesh_print_text(const lab_mesh *mesh, const lab_mesh_result *result) {
  print_programs(mesh, result);
  print_matrix(mesh, result);
  print_chains(mesh, result);
  size_t pairs = result->pairs_count - print_failures(mesh, result);
  size_t chains = result->chains_count - count_chain_failures(mesh, result);
  printf("%zu of %zu pairs and %zu of %zu chains are as they should be, with "
         "%" PRIu64 " and %" PRIu64 " requests each, in %.1f s\n",
         pairs, result->pairs_count, chains, result->chains_count,
         mesh->requests, mesh->chain_requests, result->seconds);
}
