/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "chain_values.h"

#include "lab/base/failure.h"
#include "lab/base/option.h"

#include <stdlib.h>
#include <string.h>

#define TAKE(name)                                                             \
  void name(lab_chain_options *options, struct argp_state *state,              \
            const char *option, const char *value)

#define REQUESTS_MAX 100000000u
#define CONCURRENCY_MAX 4096u

/* Flags need neither of these. */
#define TAKE_FLAG(name, member)                                                \
  TAKE(name) {                                                                 \
    (void)state;                                                               \
    (void)option;                                                              \
    (void)value;                                                               \
    options->member = true;                                                    \
  }

TAKE_FLAG(lab_take_no_claims, chain.no_claims)
TAKE_FLAG(lab_take_stream, chain.stream)
TAKE_FLAG(lab_take_json, json)
TAKE_FLAG(lab_take_progress, progress)

static bool find_node(const lab_chain *chain, char letter, size_t *index) {
  *index = (size_t)(letter - 'A');
  return letter >= 'A' && *index < chain->nodes;
}

static char last_name(const lab_chain *chain) {
  return (char)('A' + chain->nodes - 1);
}

static lab_chain_node *one_node(lab_chain *chain, struct argp_state *state,
                                const char *option, const char *value) {
  size_t index = 0;
  if (!find_node(chain, value[0], &index) || value[1])
    lab_option_refuse(state, option, value, "the name of a node, A to %c",
                      last_name(chain));
  return &chain->node[index];
}

static lab_chain_node *one_caller(lab_chain *chain, struct argp_state *state,
                                  const char *option, const char *value) {
  size_t index = 0;
  if (!find_node(chain, value[0], &index) || value[1] ||
      index + 1 == chain->nodes)
    lab_option_refuse(state, option, value, "the name of a caller, A to %c",
                      last_name(chain) - 1);
  return &chain->node[index];
}

TAKE(lab_take_nodes) {
  options->chain.nodes =
      lab_option_integer(state, option, value, LAB_CHAIN_MIN, LAB_CHAIN_MAX);
}

TAKE(lab_take_fail) {
  lab_chain *chain = &options->chain;
  size_t index = 0;
  double rate = 0;
  if (!find_node(chain, value[0], &index) || value[1] != '=' ||
      !lab_number_parse(value + 2, &rate) || rate < 0 || rate > 1)
    lab_option_refuse(state, option, value,
                      "NODE=RATE, a node from A to %c and a rate from 0 to 1",
                      last_name(chain));
  chain->node[index].fail_rate = rate;
  options->failure_chosen = true;
}

TAKE(lab_take_fail_open) {
  lab_chain *chain = &options->chain;
  size_t index = 0;
  if (strlen(value) != 3 || value[1] != '-' || value[2] != value[0] + 1 ||
      !find_node(chain, value[0], &index) || index + 1 >= chain->nodes)
    lab_option_refuse(state, option, value,
                      "two neighbours of the chain, such as A-B");
  chain->node[index].fail_open = true;
}

TAKE(lab_take_kill) {
  one_node(&options->chain, state, option, value)->killed = true;
  options->failure_chosen = true;
}

static const lab_peer *one_peer(struct argp_state *state, const char *option,
                                const char *value, const char *name) {
  const lab_peer *peer = lab_peer_find(name, strlen(name));
  if (!peer) {
    char *names = lab_peer_names();
    lab_option_refuse(state, option, value, "PEER to be one of %s", names);
    free(names);
  }
  return peer;
}

TAKE(lab_take_peer) {
  lab_chain *chain = &options->chain;
  const char *equals = strchr(value, '=');
  size_t index = 0;
  if (!equals) {
    options->peer = one_peer(state, option, value, value);
    return;
  }
  if (equals != value + 1 || !find_node(chain, value[0], &index))
    lab_option_refuse(state, option, value,
                      "PEER or NODE=PEER with a node from A to %c",
                      last_name(chain));
  chain->node[index].peer = one_peer(state, option, value, equals + 1);
}

TAKE(lab_take_no_retry) {
  one_caller(&options->chain, state, option, value)->no_retry = true;
}

TAKE(lab_take_stock) {
  one_node(&options->chain, state, option, value)->stock = true;
}

TAKE(lab_take_drop) {
  one_caller(&options->chain, state, option, value)->drop = true;
}

TAKE(lab_take_status) {
  eown_status status = EOWN_STATUS_OK;
  if (!eown_status_parse(value, strlen(value), &status) ||
      status == EOWN_STATUS_OK)
    lab_option_refuse(state, option, value,
                      "the name of a status code of gRPC other than OK, such "
                      "as UNAVAILABLE");
  options->chain.status = eown_status_name(status);
}

TAKE(lab_take_attempts) {
  options->chain.attempts =
      (unsigned)lab_option_integer(state, option, value, 1, 5);
}

TAKE(lab_take_retry_by) {
  static const char *const words[] = {"grpc", "application", "both", NULL};
  options->chain.retry_by = words[lab_option_word(state, option, value, words)];
}

TAKE(lab_take_budget) {
  options->chain.budget = lab_option_number(state, option, value, 0, 1000);
}

TAKE(lab_take_mode) {
  static const char *const words[] = {[EOWN_MODE_OFF] = "off",
                                      [EOWN_MODE_OBSERVE] = "observe",
                                      [EOWN_MODE_ENFORCE] = "enforce",
                                      [EOWN_MODE_N] = NULL};
  options->chain.mode = (eown_mode)lab_option_word(state, option, value, words);
}

TAKE(lab_take_context) {
  static const char *const words[] = {"parent", "thread", "explicit", NULL};
  options->chain.context = words[lab_option_word(state, option, value, words)];
}

/* eown-node would refuse a bad setting too; here the message is the lab's. */
static void check_setting(struct argp_state *state, const char *option,
                          const char *key, const char *value) {
  char message[512];
  eown_settings scratch;
  eown_settings_init(&scratch, NULL);
  eown_error error =
      eown_settings_set(&scratch, key, value, message, sizeof(message));
  eown_settings_clear(&scratch);
  if (error != EOWN_ERROR_OK)
    argp_error(state, "%s: %s", option, message);
}

TAKE(lab_take_setting) {
  const char *equals = strchr(value, '=');
  if (!equals || equals == value) {
    lab_option_refuse(state, option, value, "KEY=VALUE, such as chain_stop=1");
    return;
  }
  char *key = lab_format("eown.%.*s", (int)(equals - value), value);
  check_setting(state, option, key, equals + 1);
  free(key);
  lab_arguments_add(&options->settings, "%s", value);
}

TAKE(lab_take_requests) {
  options->chain.requests =
      lab_option_integer(state, option, value, 1, REQUESTS_MAX);
}

TAKE(lab_take_concurrency) {
  options->chain.concurrency =
      lab_option_integer(state, option, value, 1, CONCURRENCY_MAX);
}

TAKE(lab_take_seed) {
  options->chain.seed = lab_option_integer(state, option, value, 0, UINT32_MAX);
}

/* The folder may stand apart ("--tls DIR") too: the command takes no other
 * words. */
TAKE(lab_take_tls) {
  (void)option;
  if (!value && state->next < state->argc && *state->argv[state->next] != '-')
    value = state->argv[state->next++];
  options->make_certificates = !value;
  options->chain.tls = value;
}

TAKE(lab_take_html) {
  (void)state;
  (void)option;
  options->html = value;
}

TAKE(lab_take_binary) {
  (void)state;
  (void)option;
  free(options->binary);
  options->binary = lab_format("%s", value);
}
