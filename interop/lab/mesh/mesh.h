/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_MESH_H
#define EOWN_LAB_MESH_H

#include "lab/real/graph.h"
#include "lab/real/load.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LAB_MESH_ATTEMPTS 3 /* of every caller */
#define LAB_MESH_CHAIN 4    /* nodes of a chain */

/* What is to be measured. All members are borrowed. */
typedef struct lab_mesh {
  const lab_peer *const *peers; /* without repetition */
  size_t peers_count;
  uint64_t requests;       /* root requests of each pair */
  uint64_t chain_requests; /* of each chain; 0: no chains */
  unsigned timeout_s;      /* of each root request */
  const char *binary;      /* of eown-node */
} lab_mesh;

/* What a node's program says of itself. Owned texts. */
typedef struct lab_mesh_program {
  char *language;
  char *version; /* and that of its gRPC */
} lab_mesh_program;

/* A node that calls every callee: with ownership, or plain gRPC. */
typedef struct lab_mesh_caller {
  const lab_peer *peer;
  bool stock;
  size_t node; /* its place in the graph */
  lab_mesh_program program;
} lab_mesh_caller;

/* A node that always fails. It caused its errors (claimed), has them from
 * another node (unclaimed), or knows nothing of claims (missing). */
typedef struct lab_mesh_callee {
  const lab_peer *peer;
  eown_claim sends;
  size_t node;
  uint64_t served; /* up to the last pair */
  lab_mesh_program program;
} lab_mesh_callee;

/* What became of one caller's calls to one callee. */
typedef struct lab_mesh_pair {
  const lab_mesh_caller *caller;
  const lab_mesh_callee *callee;
  uint64_t served;                /* attempts that reached the callee */
  uint64_t errors;                /* that the caller's application got */
  uint64_t reads[EOWN_CLAIM_N];   /* the claims it read in these */
  uint64_t answers[EOWN_CLAIM_N]; /* the claims of its own errors */
} lab_mesh_pair;

/* A chain A, B, C of one peer whose D, an eown-node, always fails. */
typedef struct lab_mesh_chain {
  const lab_peer *peer;
  const char *name; /* of the case; static */
  unsigned expected[LAB_MESH_CHAIN];
  uint64_t served[LAB_MESH_CHAIN];
} lab_mesh_chain;

/* All that was measured. Free it with lab_mesh_clear. */
typedef struct lab_mesh_result {
  lab_mesh_caller *callers;
  size_t callers_count;
  lab_mesh_callee *callees;
  size_t callees_count;
  lab_mesh_pair *pairs; /* caller by caller */
  size_t pairs_count;
  lab_mesh_chain *chains;
  size_t chains_count;
  double seconds;
} lab_mesh_result;

/* Starts the nodes of all pairs, then of all chains, and measures. Fails as
 * lab_fail does where a node does not come up or does not answer. */
void lab_mesh_run(const lab_mesh *mesh, lab_progress *progress,
                  lab_mesh_result *result);
void lab_mesh_clear(lab_mesh_result *result);

/* The steps of a run. */
void lab_mesh_nodes_make(const lab_mesh *mesh, lab_graph *graph,
                         lab_mesh_result *result);
void lab_mesh_programs_read(const lab_graph *graph, lab_mesh_result *result);
void lab_mesh_pairs_run(const lab_mesh *mesh, const lab_graph *graph,
                        lab_progress *progress, lab_mesh_result *result);
void lab_mesh_chains_run(const lab_mesh *mesh, lab_progress *progress,
                         lab_mesh_result *result);

/* Attempts of each request, the errors that the caller's application gets of
 * them (each attempt's where it loops, else the last one's), and the claim with
 * which the caller answers. */
unsigned lab_mesh_attempts_expected(const lab_mesh_pair *pair);
unsigned lab_mesh_errors_expected(const lab_mesh_pair *pair);
eown_claim lab_mesh_answer_expected(const lab_mesh_pair *pair);

/* Whether every request of a pair, every chain, or all of a run came out
 * exactly as it should. */
bool lab_mesh_pair_passes(const lab_mesh *mesh, const lab_mesh_pair *pair);
bool lab_mesh_chain_passes(const lab_mesh *mesh, const lab_mesh_chain *chain);
bool lab_mesh_passes(const lab_mesh *mesh, const lab_mesh_result *result);

/* Prints a matrix, the chains and what did not pass, or one JSON object. */
void lab_mesh_print_text(const lab_mesh *mesh, const lab_mesh_result *result);
void lab_mesh_print_json(const lab_mesh *mesh, const lab_mesh_result *result);

#endif /* EOWN_LAB_MESH_H */
