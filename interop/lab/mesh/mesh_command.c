/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "lab/base/failure.h"
#include "lab/base/option.h"
#include "lab/command.h"
#include "lab/real/binary.h"
#include "mesh.h"

#include <stdlib.h>
#include <string.h>

#define REQUESTS_MAX 1000000u

typedef struct options {
  lab_mesh mesh;
  const lab_peer **peers;
  char *binary;
  bool json;
  bool progress;
} options;

enum {
  KEY_PEERS = 256,
  KEY_REQUESTS,
  KEY_CHAIN_REQUESTS,
  KEY_TIMEOUT,
  KEY_JSON,
  KEY_PROGRESS,
  KEY_BINARY
};

static const struct argp_option table[] = {
    {"peers", KEY_PEERS, "LIST", 0,
     "These peers alone, with commas (default all; eown-lab peers lists them)",
     0},
    {"requests", KEY_REQUESTS, "N", 0,
     "Root requests of each pair (default 20)", 0},
    {"chain-requests", KEY_CHAIN_REQUESTS, "N", 0,
     "Root requests of each chain; 0: no chains (default 20)", 0},
    {"timeout", KEY_TIMEOUT, "SECONDS", 0,
     "Until a node that has not answered is given up (default 20)", 0},
    {"json", KEY_JSON, NULL, 0, "Print one JSON object, not tables", 0},
    {"progress", KEY_PROGRESS, NULL, 0,
     "Show progress even where standard error is no terminal", 0},
    {"node-binary", KEY_BINARY, "FILE", 0,
     "The eown-node to start (default: beside this program, else in PATH)", 0},
    {0}};

static bool is_chosen(const lab_mesh *mesh, const lab_peer *peer) {
  for (size_t i = 0; i < mesh->peers_count; i++)
    if (mesh->peers[i] == peer)
      return true;
  return false;
}

static void add_peer(options *o, const lab_peer *peer) {
  if (!is_chosen(&o->mesh, peer))
    o->peers[o->mesh.peers_count++] = peer;
}

static void take_peers(options *o, const struct argp_state *state,
                       const char *value) {
  for (const char *name = value;; name++) {
    size_t length = strcspn(name, ",");
    const lab_peer *peer = lab_peer_find(name, length);
    if (!peer) {
      char *names = lab_peer_names();
      lab_option_refuse(state, "--peers", value, "some of %s", names);
      free(names);
      return;
    }
    add_peer(o, peer);
    name += length;
    if (!*name)
      return;
  }
}

static error_t parse(int key, char *value, struct argp_state *state) {
  options *o = state->input;
  switch (key) {
  case KEY_PEERS:
    take_peers(o, state, value);
    return 0;
  case KEY_REQUESTS:
    o->mesh.requests =
        lab_option_integer(state, "--requests", value, 1, REQUESTS_MAX);
    return 0;
  case KEY_CHAIN_REQUESTS:
    o->mesh.chain_requests =
        lab_option_integer(state, "--chain-requests", value, 0, REQUESTS_MAX);
    return 0;
  case KEY_TIMEOUT:
    o->mesh.timeout_s =
        (unsigned)lab_option_integer(state, "--timeout", value, 1, 3600);
    return 0;
  case KEY_JSON:
    o->json = true;
    return 0;
  case KEY_PROGRESS:
    o->progress = true;
    return 0;
  case KEY_BINARY:
    free(o->binary);
    o->binary = lab_format("%s", value);
    return 0;
  case ARGP_KEY_ARG:
    argp_error(state, "'%s' is not valid: expected options only", value);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static void read_options(options *o, int argc, char **argv) {
  static const struct argp parser = {
      .options = table,
      .parser = parse,
      .doc = "Every peer calls every peer, 3 attempts at most: callees that "
             "caused their error, that pass one on, and that know nothing of "
             "ownership; callers with ownership and without. Counts the "
             "attempts that arrive and the claims that the callers read. Then "
             "the published chain, with A, B and C of one peer. The exit "
             "status is 1 where anything differs.\v"
             "Examples:\n"
             "  eown-lab mesh\n"
             "  eown-lab mesh --peers c,python,go\n"
             "  eown-lab mesh --peers c,cpp --chain-requests 0 --json"};
  o->mesh = (lab_mesh){.requests = 20, .chain_requests = 20, .timeout_s = 20};
  o->peers = lab_allocate(lab_peers_count, sizeof(*o->peers));
  o->mesh.peers = o->peers;
  argp_parse(&parser, argc, argv, 0, NULL, o);
  for (size_t i = 0; o->mesh.peers_count == 0 && i < lab_peers_count; i++)
    o->peers[i] = &lab_peers[i];
  if (o->mesh.peers_count == 0)
    o->mesh.peers_count = lab_peers_count;
  if (!o->binary)
    o->binary = lab_binary_find("node", "eown-node");
  o->mesh.binary = o->binary;
}

int lab_mesh_command(int argc, char **argv) {
  options o = {0};
  read_options(&o, argc, argv);
  lab_progress progress;
  lab_progress_init(&progress, o.progress);
  lab_mesh_result result;
  lab_mesh_run(&o.mesh, &progress, &result);
  bool passes = lab_mesh_passes(&o.mesh, &result);
  if (o.json)
    lab_mesh_print_json(&o.mesh, &result);
  else
    lab_mesh_print_text(&o.mesh, &result);
  lab_mesh_clear(&result);
  free(o.peers);
  free(o.binary);
  return passes ? 0 : 1;
}
