/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* eown-lab peers: what can be a node, and how it is set up. */
#include "lab/base/failure.h"
#include "lab/base/option.h"
#include "lab/command.h"
#include "lab/real/peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_SETUP = 256 };

typedef struct choice {
  const lab_peer **peers; /* none: all */
  size_t count;
  bool setup;
} choice;

static void add_peer(choice *choice, const struct argp_state *state,
                     const char *name) {
  const lab_peer *peer = lab_peer_find(name, strlen(name));
  if (!peer) {
    char *names = lab_peer_names();
    lab_option_refuse(state, "PEER", name, "one of %s", names);
    free(names);
  }
  choice->peers[choice->count++] = peer;
}

static error_t parse(int key, char *value, struct argp_state *state) {
  choice *choice = state->input;
  if (key == OPTION_SETUP)
    choice->setup = true;
  else if (key == ARGP_KEY_ARG)
    add_peer(choice, state, value);
  else
    return ARGP_ERR_UNKNOWN;
  return 0;
}

static void print_list(const choice *choice) {
  for (size_t i = 0; i < choice->count; i++) {
    const lab_peer *peer = choice->peers[i];
    char *setup = lab_peer_is_own(peer) ? lab_format("nothing to set up")
                                        : lab_peer_path(peer, "setup");
    printf("%-13s %-44s %s\n", peer->name, peer->text, setup);
    free(setup);
  }
}

static bool is_first_of_folder(const choice *choice, size_t index) {
  for (size_t i = 0; i < index; i++)
    if (!lab_peer_is_own(choice->peers[i]) &&
        !strcmp(choice->peers[i]->folder, choice->peers[index]->folder))
      return false;
  return true;
}

static void print_setups(const choice *choice) {
  for (size_t i = 0; i < choice->count; i++)
    if (!lab_peer_is_own(choice->peers[i]) && is_first_of_folder(choice, i)) {
      char *setup = lab_peer_path(choice->peers[i], "setup");
      puts(setup);
      free(setup);
    }
}

static void choose_all(choice *choice) {
  for (size_t i = 0; choice->count < lab_peers_count; i++)
    choice->peers[choice->count++] = &lab_peers[i];
}

int lab_peers_command(int argc, char **argv) {
  static const struct argp_option table[] = {
      {"setup", OPTION_SETUP, NULL, 0,
       "Print the programs that set them up, each once", 0},
      {0}};
  static const struct argp parser = {
      .options = table,
      .parser = parse,
      .args_doc = "[PEER...]",
      .doc = "Lists the programs in other languages and forms that can be "
             "nodes: of chain with --peer, and of mesh.\v"
             "They are looked for in the source tree this program was built "
             "from, or in the folder that EOWN_PEERS_DIR names.\n"
             "\n"
             "Examples:\n"
             "  eown-lab peers\n"
             "  eown-lab peers --setup cpp cpp-async go"};
  choice choice = {
      .peers =
          lab_allocate((size_t)argc + lab_peers_count, sizeof(*choice.peers)),
  };
  argp_parse(&parser, argc, argv, 0, NULL, &choice);
  if (choice.count == 0)
    choose_all(&choice);
  if (choice.setup)
    print_setups(&choice);
  else
    print_list(&choice);
  free(choice.peers);
  return 0;
}
