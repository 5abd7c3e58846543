/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "chain_options.h"

#include "chain_peers.h"
#include "chain_values.h"
#include "lab/base/failure.h"
#include "lab/real/binary.h"

#include <stdlib.h>

#define FIRST_KEY 256 /* above the characters: no short options */

/* One option: its text in --help, and how its value is taken. */
typedef struct row {
  const char *name;
  const char *value; /* NULL: a flag */
  const char *text;
  int group;
  bool late;      /* names nodes: taken once --nodes is known */
  bool may_stand; /* without its value */
  lab_chain_take *take;
} row;

static const row rows[] = {
    {"nodes", "N", "Nodes A, B, C...: 2 to 26 (default 4)", 1,
     .take = lab_take_nodes},
    {"fail", "NODE=RATE",
     "This node fails, after calling its callee, at this rate from 0 to 1; may "
     "be repeated (default: the last node at rate 1)",
     1, .late = true, .take = lab_take_fail},
    {"status", "CODE", "Status of the failing nodes (default UNAVAILABLE)", 1,
     .take = lab_take_status},
    {"fail-open", "CALLER-CALLEE",
     "This caller carries on without its callee, for example A-B; may be "
     "repeated",
     1, .late = true, .take = lab_take_fail_open},
    {"kill", "NODE",
     "Kill this node's process before the load; may be repeated", 1,
     .late = true, .take = lab_take_kill},

    {"peer", "[NODE=]PEER",
     "This node, or every node that is not named, is a program in another "
     "language or form; eown-lab peers lists them; may be repeated (default c)",
     1, .late = true, .take = lab_take_peer},

    {"attempts", "K",
     "Attempts of each call, the first included: 1 to 5 (default 2)", 2,
     .take = lab_take_attempts},
    {"retry-by", "WHO",
     "Who makes them: grpc (its retry policy), application (a loop around each "
     "call) or both, a loop above a policy (default grpc)",
     2, .take = lab_take_retry_by},
    {"no-retry", "CALLER", "This caller does not retry; may be repeated", 2,
     .late = true, .take = lab_take_no_retry},
    {"budget", "PERCENT",
     "Retry budget of every caller, without a floor; eown holds it, so there "
     "is "
     "none in mode off",
     2, .take = lab_take_budget},

    {"mode", "MODE", "off, observe or enforce (default enforce)", 3,
     .take = lab_take_mode},
    {"stock", "NODE", "This node is gRPC without eown; may be repeated", 3,
     .late = true, .take = lab_take_stock},
    {"drop", "CALLER", "This caller loses the inbound context; may be repeated",
     3, .late = true, .take = lab_take_drop},
    {"no-claims", NULL, "Send and believe no claims: budgets alone", 3,
     .take = lab_take_no_claims},
    {"context", "HOW",
     "How outbound calls find their inbound: parent, thread or explicit "
     "(default parent)",
     3, .take = lab_take_context},
    {"eown", "KEY=VALUE",
     "A setting of eown for every node, such as chain_stop=1; may be repeated",
     3, .take = lab_take_setting},

    {"requests", "N", "Root requests (default 1000)", 4,
     .take = lab_take_requests},
    {"concurrency", "N", "Root requests in flight (default 32)", 4,
     .take = lab_take_concurrency},
    {"stream", NULL, "Server-streaming calls, not unary", 4,
     .take = lab_take_stream},
    {"tls", "DIR",
     "TLS everywhere, with server.key, server.crt and ca.crt of DIR; without "
     "DIR, with throw-away certificates made by openssl",
     4, .may_stand = true, .take = lab_take_tls},
    {"seed", "N", "Seed of the failures (default 1)", 4, .take = lab_take_seed},

    {"json", NULL, "Print one JSON object, not a table", 5,
     .take = lab_take_json},
    {"html", "FILE", "Also write the result as a page with pictures", 5,
     .take = lab_take_html},
    {"progress", NULL, "Show progress even where standard error is no terminal",
     5, .take = lab_take_progress},
    {"node-binary", "FILE",
     "The eown-node to start (default: beside this program, else in PATH)", 5,
     .take = lab_take_binary},
};

#define ROWS (sizeof(rows) / sizeof(*rows))

static const char documentation[] =
    "A chain of nodes: A calls B, B calls C, and so on. Prints how many "
    "requests "
    "each node served, which retries were stopped and why, and which claims "
    "were "
    "sent.\v"
    "Examples:\n"
    "  eown-lab chain --mode off                    # a storm: 1, 2, 4, 8\n"
    "  eown-lab chain                               # ownership: 1, 1, 1, 2\n"
    "  eown-lab chain --nodes 7 --fail D=1 --budget 10\n"
    "  eown-lab chain --nodes 7 --fail D=1 --budget 10 --no-claims\n"
    "  eown-lab chain --no-retry C --stock B --requests 200\n"
    "  eown-lab chain --retry-by both --mode off    # 1, 4, 16, 64\n"
    "  eown-lab chain --drop C --json\n"
    "  eown-lab chain --peer python --peer D=go     # A, B and C in Python\n"
    "  eown-lab chain --kill D --tls --stream";

/* An option whose value waits. */
typedef struct late_value {
  const row *row;
  const char *value;
} late_value;

typedef struct reading {
  lab_chain_options *options;
  late_value *late; /* as many as there are arguments */
  size_t late_count;
} reading;

static void take(const row *row, lab_chain_options *options,
                 struct argp_state *state, const char *value) {
  char *option = lab_format("--%s", row->name);
  row->take(options, state, option, value);
  free(option);
}

static void take_late(reading *self, struct argp_state *state) {
  for (size_t i = 0; i < self->late_count; i++)
    take(self->late[i].row, self->options, state, self->late[i].value);
}

static error_t parse(int key, char *value, struct argp_state *state) {
  reading *self = state->input;
  if (key == ARGP_KEY_END) {
    take_late(self, state);
    lab_chain_peers_check(self->options, state);
  }
  if (key == ARGP_KEY_ARG)
    argp_error(state, "'%s' is not valid: expected options only", value);
  if (key < FIRST_KEY || key >= FIRST_KEY + (int)ROWS)
    return ARGP_ERR_UNKNOWN;
  const row *row = &rows[key - FIRST_KEY];
  if (row->late)
    self->late[self->late_count++] = (late_value){row, value};
  else
    take(row, self->options, state, value);
  return 0;
}

static void fill_table(struct argp_option *table) {
  for (size_t i = 0; i < ROWS; i++)
    table[i] = (struct argp_option){
        .name = rows[i].name,
        .key = FIRST_KEY + (int)i,
        .arg = rows[i].value,
        .flags = rows[i].may_stand ? OPTION_ARG_OPTIONAL : 0,
        .doc = rows[i].text,
        .group = rows[i].group,
    };
}

static void set_defaults(lab_chain_options *options) {
  lab_chain *chain = &options->chain;
  if (!options->failure_chosen)
    chain->node[chain->nodes - 1].fail_rate = 1;
  if (!options->binary)
    options->binary = lab_binary_find("node", "eown-node");
  chain->binary = options->binary;
  chain->settings = &options->settings;
}

void lab_chain_options_read(lab_chain_options *options, int argc, char **argv) {
  struct argp_option table[ROWS + 1] = {{0}};
  fill_table(table);
  const struct argp parser = {
      .options = table, .parser = parse, .doc = documentation};
  *options = (lab_chain_options){0};
  lab_chain_init(&options->chain);
  reading self = {.options = options,
                  .late = lab_allocate((size_t)argc, sizeof(*self.late))};
  argp_parse(&parser, argc, argv, 0, NULL, &self);
  free(self.late);
  set_defaults(options);
}

void lab_chain_options_clear(lab_chain_options *options) {
  lab_arguments_clear(&options->settings);
  free(options->binary);
  *options = (lab_chain_options){0};
}
