/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* The published chain, with A, B and C of one peer. All cases of a peer are up
 * at the same time, as its processes may be slow to start. */
#include "lab/base/failure.h"
#include "lab/chain/chain.h"
#include "mesh.h"

#include <string.h>

#define CONCURRENCY 8

/* One case: nodes by their letters. */
typedef struct mesh_case {
  const char *name;
  eown_mode mode;
  const char *no_retry;
  const char *stock;
  const char *drop;
  const char *killed;
  const char *retry_by; /* NULL: grpc */
  unsigned expected[LAB_MESH_CHAIN];
  unsigned looped[LAB_MESH_CHAIN]; /* of peers that loop only; 0: the same */
} mesh_case;

static const mesh_case cases[] = {
    {.name = "off", .mode = EOWN_MODE_OFF, .expected = {1, 2, 4, 8}},
    {.name = "observe", .mode = EOWN_MODE_OBSERVE, .expected = {1, 2, 4, 8}},
    {.name = "enforce", .mode = EOWN_MODE_ENFORCE, .expected = {1, 1, 1, 2}},
    {.name = "C without retries",
     .mode = EOWN_MODE_ENFORCE,
     .no_retry = "C",
     .expected = {1, 1, 2, 2}},
    {.name = "nobody with retries",
     .mode = EOWN_MODE_ENFORCE,
     .no_retry = "ABC",
     .expected = {1, 1, 1, 1}},
    {.name = "context drop at C",
     .mode = EOWN_MODE_ENFORCE,
     .drop = "C",
     .expected = {1, 1, 2, 4}},
    {.name = "stock B",
     .mode = EOWN_MODE_ENFORCE,
     .stock = "B",
     .expected = {1, 2, 2, 4},
     .looped = {1, 2, 4, 8}},
    {.name = "D killed",
     .mode = EOWN_MODE_ENFORCE,
     .killed = "D",
     .expected = {1, 1, 1, 0}},
    {.name = "application",
     .mode = EOWN_MODE_ENFORCE,
     .retry_by = "application",
     .expected = {1, 1, 1, 2}},
    {.name = "both, off",
     .mode = EOWN_MODE_OFF,
     .retry_by = "both",
     .expected = {1, 4, 16, 64}},
    {.name = "both",
     .mode = EOWN_MODE_ENFORCE,
     .retry_by = "both",
     .expected = {1, 1, 1, 2}},
};

#define CASES (sizeof(cases) / sizeof(*cases))

/* A peer without ownership knows the first case only, off; one that loops only
 * has looped in all of them that gRPC retries in others. */
static size_t cases_of(const lab_peer *peer) {
  size_t count = CASES;
  while (peer->loops_only && cases[count - 1].retry_by)
    count--;
  return peer->stock ? 1 : count;
}

static bool holds(const char *letters, size_t node) {
  return letters && strchr(letters, (int)('A' + node));
}

static void describe(const lab_mesh *mesh, const lab_peer *peer,
                     const mesh_case *row, lab_chain *chain) {
  lab_chain_init(chain);
  chain->nodes = LAB_MESH_CHAIN;
  chain->mode = row->mode;
  if (row->retry_by)
    chain->retry_by = row->retry_by;
  chain->requests = mesh->chain_requests;
  chain->concurrency = CONCURRENCY;
  chain->timeout_s = mesh->timeout_s;
  chain->binary = mesh->binary;
  for (size_t i = 0; i < LAB_MESH_CHAIN; i++)
    chain->node[i] = (lab_chain_node){
        .peer = i + 1 < LAB_MESH_CHAIN ? peer : &lab_peers[0],
        .fail_rate = i + 1 == LAB_MESH_CHAIN,
        .no_retry = holds(row->no_retry, i),
        .stock = holds(row->stock, i),
        .drop = holds(row->drop, i),
        .killed = holds(row->killed, i),
    };
}

static lab_mesh_chain *add_result(lab_mesh_result *result, const lab_peer *peer,
                                  const mesh_case *row) {
  lab_mesh_chain *chain = &result->chains[result->chains_count++];
  *chain = (lab_mesh_chain){.peer = peer, .name = row->name};
  bool looped = peer->loops_only && row->looped[0];
  memcpy(chain->expected, looped ? row->looped : row->expected,
         sizeof(chain->expected));
  return chain;
}

static void run_peer(const lab_mesh *mesh, const lab_peer *peer,
                     lab_mesh_result *result) {
  size_t count = cases_of(peer);
  lab_chain chains[CASES];
  lab_progress quiet = {0};
  lab_graph graph;
  lab_graph_init(&graph, mesh->binary, count * LAB_MESH_CHAIN);
  for (size_t i = 0; i < count; i++) {
    describe(mesh, peer, &cases[i], &chains[i]);
    lab_chain_describe(&chains[i], &graph, i * LAB_MESH_CHAIN);
  }
  lab_graph_start(&graph);
  for (size_t i = 0; i < count; i++) {
    lab_load_result ignored = {0};
    lab_chain_drive(&chains[i], &graph, i * LAB_MESH_CHAIN, &quiet, &ignored);
  }
  lab_graph_stop(&graph);
  for (size_t i = 0; i < count; i++) {
    lab_mesh_chain *chain = add_result(result, peer, &cases[i]);
    for (size_t k = 0; k < LAB_MESH_CHAIN; k++)
      chain->served[k] =
          lab_node_count(&graph.nodes[i * LAB_MESH_CHAIN + k], "served", NULL);
  }
  lab_graph_clear(&graph);
}

void lab_mesh_chains_run(const lab_mesh *mesh, lab_progress *progress,
                         lab_mesh_result *result) {
  result->chains =
      lab_allocate(mesh->peers_count * CASES, sizeof(*result->chains));
  for (size_t i = 0; i < mesh->peers_count; i++) {
    lab_progress_label(progress, "chains of %s", mesh->peers[i]->name);
    lab_progress_say(progress);
    run_peer(mesh, mesh->peers[i], result);
  }
}
