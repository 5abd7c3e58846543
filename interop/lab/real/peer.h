/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_PEER_H
#define EOWN_LAB_PEER_H

#include "lab/base/arguments.h"

#include <stdbool.h>
#include <stddef.h>

/* A program that can be a node of a call graph (interop/peers/README.md). */
typedef struct lab_peer {
  const char *name;
  const char *folder;       /* under interop/peers; NULL: eown-node itself */
  const char *arguments[5]; /* put before all others, up to NULL */
  bool stock;               /* knows nothing of ownership */
  bool loops_only;  /* its gRPC has no retry policies: loops make them */
  const char *text; /* what it is, for people */
} lab_peer;

/* All peers, eown-node ("c") first. */
extern const lab_peer lab_peers[];
extern const size_t lab_peers_count;

/* The peer of this name, of `length` characters; NULL where there is none. */
const lab_peer *lab_peer_find(const char *name, size_t length);

/* Whether it is eown-node, which takes every option. */
bool lab_peer_is_own(const lab_peer *peer);

/* Adds who makes the retries: grpc, application or both. */
void lab_peer_add_retry_by(const lab_peer *peer, const char *retry_by,
                           lab_arguments *argv);

/* The names of all peers, with commas; the caller owns the text. */
char *lab_peer_names(void);

/* The path of `program` ("node", "setup") in a peer's folder, which is looked
 * for in $EOWN_PEERS_DIR, else in the source tree. The caller owns the text. */
char *lab_peer_path(const lab_peer *peer, const char *program);

/* Adds the program and the arguments that come first; `binary` is eown-node.
 * Fails as lab_fail does, and says how to set the peer up, where the program is
 * not there. */
void lab_peer_add_program(const lab_peer *peer, const char *binary,
                          lab_arguments *argv);

#endif /* EOWN_LAB_PEER_H */
