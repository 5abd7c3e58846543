/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "peer.h"

#include "lab/base/failure.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const lab_peer *lab_peer_find(const char *name, size_t length) {
  for (size_t i = 0; i < lab_peers_count; i++)
    if (strlen(lab_peers[i].name) == length &&
        !strncmp(lab_peers[i].name, name, length))
      return &lab_peers[i];
  return NULL;
}

bool lab_peer_is_own(const lab_peer *peer) { return !peer->folder; }

void lab_peer_add_retry_by(const lab_peer *peer, const char *retry_by,
                           lab_arguments *argv) {
  lab_arguments_add(argv, "--retry-by");
  lab_arguments_add(argv, "%s", peer->loops_only ? "application" : retry_by);
}

char *lab_peer_names(void) {
  char *names = lab_format("%s", lab_peers[0].name);
  for (size_t i = 1; i < lab_peers_count; i++) {
    char *longer = lab_format("%s, %s", names, lab_peers[i].name);
    free(names);
    names = longer;
  }
  return names;
}

char *lab_peer_path(const lab_peer *peer, const char *program) {
  const char *folder = getenv("EOWN_PEERS_DIR");
  return lab_format("%s/%s/%s", folder && *folder ? folder : EOWN_LAB_PEERS_DIR,
                    peer->folder, program);
}

static void check(const lab_peer *peer, const char *program) {
  if (access(program, X_OK) == 0)
    return;
  int error = errno;
  char *setup = lab_peer_path(peer, "setup");
  lab_fail("peer %s: cannot run %s: %s; it is set up by %s, and "
           "EOWN_PEERS_DIR names the folder of all peers",
           peer->name, program, strerror(error), setup);
}

void lab_peer_add_program(const lab_peer *peer, const char *binary,
                          lab_arguments *argv) {
  if (lab_peer_is_own(peer)) {
    lab_arguments_add(argv, "%s", binary);
    return;
  }
  char *program = lab_peer_path(peer, "node");
  check(peer, program);
  lab_arguments_add(argv, "%s", program);
  free(program);
  for (size_t i = 0; peer->arguments[i]; i++)
    lab_arguments_add(argv, "%s", peer->arguments[i]);
}
