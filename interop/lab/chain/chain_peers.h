/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_CHAIN_PEERS_H
#define EOWN_LAB_CHAIN_PEERS_H

#include "chain_options.h"

#include <argp.h>

/* Gives the nodes without a peer of their own that of all, and refuses, through
 * argp, options that a node's peer does not have. To be called once all options
 * are known. */
void lab_chain_peers_check(lab_chain_options *options,
                           const struct argp_state *state);

#endif /* EOWN_LAB_CHAIN_PEERS_H */
