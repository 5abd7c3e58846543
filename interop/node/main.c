/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "node.h"
#include "policy.h"
#include "server.h"

#include <eown/grpc.h>
#include <signal.h>
#include <sys/prctl.h>

/* SIGTERM and SIGINT are waited for, so no thread may be interrupted by them.
 * The first also comes when the process that started the node ends. */
static void block_signals(sigset_t *signals) {
  sigemptyset(signals);
  sigaddset(signals, SIGTERM);
  sigaddset(signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, signals, NULL);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
}

static bool start_ownership(const options *options) {
  if (options->ownership == OWNERSHIP_STOCK)
    return true;
  eown_error error = eown_grpc_init();
  if (error != EOWN_ERROR_OK)
    fprintf(stderr, "eown-node: eown_grpc_init: %s\n", eown_error_text(error));
  return error == EOWN_ERROR_OK;
}

static bool load_tls(eown_interop_tls *tls, const options *options) {
  char message[512];
  if (options->tls == NULL ||
      eown_interop_tls_load(tls, options->tls, message, sizeof message))
    return true;
  fprintf(stderr, "eown-node: --tls: %s\n", message);
  return false;
}

static void init(node *node, const options *options) {
  node->options = options;
  snprintf(node->call_path, PATH_MAX_LENGTH, "/%s/Call", options->name);
  snprintf(node->stream_path, PATH_MAX_LENGTH, "/%s/Stream", options->name);
  snprintf(node->own_message, sizeof node->own_message, "%s fails by itself",
           options->name);
  dice_init(&node->dice, options->seed, options->name, options->fail_rate,
            options->healthy_first);
  sem_init(&node->idle, 0, 0);
}

static void make_callees(node *node, const eown_interop_tls *tls) {
  const options *options = node->options;
  char *config = options->attempts > 1 && (options->retry_by & RETRY_BY_GRPC)
                     ? policy_json(options->attempts, options->retry_codes)
                     : NULL;
  for (size_t i = 0; i < options->callees_n; i++)
    callee_init(&node->callees[i], &options->callees[i], options, config, tls);
  node->callees_n = options->callees_n;
  free(config);
}

static bool start_threads(node *node) {
  node->queues_n = node->options->threads;
  node->queues = calloc(node->queues_n, sizeof *node->queues);
  bool started = node->queues != NULL && delay_start(&node->delay);
  for (size_t i = 0; started && i < node->queues_n; i++) {
    queue_init(&node->queues[i]);
    started = queue_start(&node->queues[i]);
  }
  if (!started)
    fprintf(stderr, "eown-node: no threads or no memory\n");
  return started;
}

static void clear(node *node) {
  for (size_t i = 0; i < node->callees_n; i++)
    callee_clear(&node->callees[i]);
  for (size_t i = 0; i < node->queues_n; i++)
    queue_stop(&node->queues[i]);
  delay_stop(&node->delay);
  free(node->queues);
  sem_destroy(&node->idle);
}

static void print_ready(const node *node) {
  printf("{\"event\":\"ready\",\"name\":\"%s\",\"port\":%d,\"language\":\"C\","
         "\"version\":\"11\",\"grpc\":\"gRPC C-core %s\"}\n",
         node->options->name, node->port, grpc_version_string());
  fflush(stdout);
}

static void print_exit(const node *node) {
  char *json = counts_json(node, "exit");
  if (json != NULL)
    printf("%s\n", json);
  fflush(stdout);
  free(json);
}

/* Serves until a signal comes. */
static bool serve(const options *options, const eown_interop_tls *tls,
                  const sigset_t *signals) {
  static node node;
  init(&node, options);
  if (!start_threads(&node))
    return false;
  make_callees(&node, tls);
  bool started = server_start(&node, tls);
  if (started) {
    int signal;
    print_ready(&node);
    sigwait(signals, &signal);
  }
  server_stop(&node);
  clear(&node);
  if (started)
    print_exit(&node);
  return started;
}

int main(int argc, char **argv) {
  static options options;
  options_parse(&options, argc, argv);
  sigset_t signals;
  block_signals(&signals);
  eown_interop_tls tls = {0};
  if (!load_tls(&tls, &options) || !start_ownership(&options))
    return EXIT_FAILURE;
  grpc_init();
  bool served = serve(&options, &tls, &signals);
  grpc_shutdown();
  eown_interop_tls_clear(&tls);
  return served ? EXIT_SUCCESS : EXIT_FAILURE;
}
