/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "chain_peers.h"

#include <string.h>

/* The first option given that eown-node alone has; NULL where there is none. */
static const char *option_of_own(const lab_chain_options *options) {
  const lab_chain *chain = &options->chain;
  const struct {
    const char *option;
    bool given;
  } table[] = {
      {"--tls", chain->tls || options->make_certificates},
      {"--stream", chain->stream},
      {"--budget", chain->budget >= 0},
      {"--no-claims", chain->no_claims},
      {"--eown", options->settings.count > 0},
      {"--context", strcmp(chain->context, "parent") != 0},
  };
  for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
    if (table[i].given)
      return table[i].option;
  return NULL;
}

static void check_node(const lab_chain_options *options, size_t index,
                       const struct argp_state *state) {
  const lab_chain *chain = &options->chain;
  const lab_chain_node *node = &chain->node[index];
  const char *option = option_of_own(options);
  char name = (char)('A' + index);
  if (!lab_peer_is_own(node->peer) && option)
    argp_error(state,
               "%s: expected nodes of peer c only, which alone has it, but %c "
               "is of peer %s",
               option, name, node->peer->name);
  if (node->peer->loops_only && strcmp(chain->retry_by, "both") == 0)
    argp_error(
        state,
        "--retry-by: %c is of peer %s, whose gRPC has no retry policies: "
        "expected application",
        name, node->peer->name);
  if (node->peer->stock && !node->stock && chain->mode != EOWN_MODE_OFF)
    argp_error(state,
               "--peer: %c is of peer %s, which is without ownership: expected "
               "--stock %c or --mode off",
               name, node->peer->name, name);
}

void lab_chain_peers_check(lab_chain_options *options,
                           const struct argp_state *state) {
  lab_chain *chain = &options->chain;
  const lab_peer *rest = options->peer ? options->peer : &lab_peers[0];
  for (size_t i = 0; i < chain->nodes; i++)
    if (!chain->node[i].peer)
      chain->node[i].peer = rest;
  for (size_t i = 0; i < chain->nodes; i++)
    check_node(options, i, state);
}
