/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_COMMAND_H
#define EOWN_LAB_COMMAND_H

/* A subcommand. `run` gets an argument vector whose first item is the name for
 * messages ("eown-lab chain"), and returns the exit status: 0, 1 for a result
 * that is not as it should be, 2 for bad arguments. */
typedef struct lab_command {
  const char *name;
  const char *summary;
  int (*run)(int argc, char **argv);
} lab_command;

int lab_chain_command(int argc, char **argv);
int lab_coincidence_command(int argc, char **argv);
int lab_memory_command(int argc, char **argv);
int lab_mesh_command(int argc, char **argv);
int lab_peers_command(int argc, char **argv);
int lab_published_command(int argc, char **argv);
int lab_radius_command(int argc, char **argv);
int lab_prove_command(int argc, char **argv);
int lab_simulate_command(int argc, char **argv);

#endif /* EOWN_LAB_COMMAND_H */
