/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "lab/base/failure.h"
#include "lab/base/interrupt.h"

#include "eown/version.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const lab_command commands[] = {
    {"chain", "A chain of nodes, one of them failing: who serves how much?",
     lab_chain_command},
    {"published", "Measured with real processes beside what was published",
     lab_published_command},
    {"mesh", "Every language and form calls every other: do they agree?",
     lab_mesh_command},
    {"peers", "The programs in other languages that can be nodes",
     lab_peers_command},
    {"coincidence", "A service's own errors beside those it carries on from",
     lab_coincidence_command},
    {"memory", "What a service has learned of its outbound calls",
     lab_memory_command},
    {"radius", "Call graphs you have: how far would a retry storm spread?",
     lab_radius_command},
    {"simulate", "A fleet of any size, without processes",
     lab_simulate_command},
    {"prove", "Every case of small fleets: which invariants hold?",
     lab_prove_command},
};

#define COMMANDS (sizeof(commands) / sizeof(*commands))

static const char before_options[] =
    "The storm lab of eown: starts nodes (eown-node) as processes of their "
    "own, "
    "drives load into them and counts what each of them serves.\v";

static const char examples[] =
    "Examples:\n"
    "  eown-lab chain --mode off            # a retry storm: 1, 2, 4, 8\n"
    "  eown-lab chain                       # the same with error ownership\n"
    "  eown-lab chain --nodes 7 --fail D=1 --budget 10\n"
    "  eown-lab published                   # every published figure, checked\n"
    "  eown-lab mesh                        # every language calls every "
    "other\n"
    "  eown-lab coincidence --memory off    # own errors taken for others'\n"
    "  eown-lab memory FILE                 # what a service has learned\n"
    "  eown-lab simulate --scenario metastable\n"
    "  eown-lab prove                       # what holds in every case\n"
    "\n"
    "eown-lab COMMAND --help says more about each.";

/* The list of subcommands is made from the table. */
static char *help_filter(int key, const char *text, void *input) {
  (void)input;
  if (key != ARGP_KEY_HELP_POST_DOC)
    return (char *)text;
  char *list = lab_format("Commands:\n");
  for (size_t i = 0; i < COMMANDS; i++) {
    char *longer = lab_format("%s  %-11s %s\n", list, commands[i].name,
                              commands[i].summary);
    free(list);
    list = longer;
  }
  char *help = lab_format("%s\n%s", list, examples);
  free(list);
  return help;
}

static const lab_command *find(const char *name) {
  for (size_t i = 0; i < COMMANDS; i++)
    if (!strcmp(commands[i].name, name))
      return &commands[i];
  return NULL;
}

/* `fault` says what was found in the command's place. */
static void refuse(const struct argp_state *state, const char *fault) {
  char known[256] = "";
  for (size_t i = 0; i < COMMANDS; i++) {
    size_t used = strlen(known);
    snprintf(known + used, sizeof(known) - used, "%s%s", i ? ", " : "",
             commands[i].name);
  }
  argp_error(state, "COMMAND: %s: expected one of %s", fault, known);
}

static void refuse_name(const struct argp_state *state, const char *name) {
  char *fault = lab_format("'%s' is not valid", name);
  refuse(state, fault);
  free(fault);
}

typedef struct choice {
  const lab_command *command;
  int first; /* index of the command's name */
} choice;

static error_t parse(int key, char *text, struct argp_state *state) {
  choice *chosen = state->input;
  switch (key) {
  case ARGP_KEY_ARG:
    chosen->command = find(text);
    if (!chosen->command)
      refuse_name(state, text);
    chosen->first = state->next - 1;
    state->next = state->argc; /* the rest is the command's */
    return 0;
  case ARGP_KEY_NO_ARGS:
    refuse(state, "missing");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static int run(const choice *chosen, int argc, char **argv) {
  char *name = lab_format("eown-lab %s", chosen->command->name);
  argv[chosen->first] = name;
  int status = chosen->command->run(argc - chosen->first, argv + chosen->first);
  free(name);
  if (fflush(stdout) != 0 || ferror(stdout))
    lab_fail("cannot write the result to standard output");
  return status;
}

/* What would change a measurement from outside: a proxy between the nodes, or
 * a process-wide mode. */
static void clean_environment(void) {
  setenv("no_grpc_proxy", "127.0.0.1", 1);
  unsetenv("EOWN_MODE");
}

int main(int argc, char **argv) {
  static const struct argp parser = {.parser = parse,
                                     .args_doc = "COMMAND [OPTION...]",
                                     .doc = before_options,
                                     .help_filter = help_filter};
  argp_program_version = "eown-lab " EOWN_VERSION;
  argp_err_exit_status = 2;
  choice chosen = {0};
  argp_parse(&parser, argc, argv, ARGP_IN_ORDER, NULL, &chosen);
  lab_interrupt_catch();
  clean_environment();
  return run(&chosen, argc, argv);
}
