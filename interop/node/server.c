/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "server.h"

#include "arguments.h"
#include "inbound.h"

#include <errno.h>
#include <time.h>

#define CALLS_AWAITED 64 /* for each queue */
#define GRACE_S 2

static void create(node *node) {
  arguments arguments = {.n = 0};
  arguments_set_integer(&arguments, GRPC_ARG_ALLOW_REUSEPORT, 0);
  if (node->options->ownership != OWNERSHIP_STOCK)
    arguments_set_text(&arguments, "eown.service_name", node->options->name);
  arguments_set_ownership(&arguments, node->options, SIDE_SERVER);
  grpc_channel_args view = arguments_view(&arguments);
  node->server = grpc_server_create(&view, NULL);
  for (size_t i = 0; i < node->queues_n; i++)
    grpc_server_register_completion_queue(node->server, node->queues[i].cq,
                                          NULL);
}

static bool bind_port(node *node, const eown_interop_tls *tls) {
  grpc_server_credentials *credentials = eown_interop_server_credentials(tls);
  node->port = grpc_server_add_http2_port(node->server, node->options->listen,
                                          credentials);
  grpc_server_credentials_release(credentials);
  if (node->port == 0)
    fprintf(stderr, "eown-node: cannot listen on %s\n", node->options->listen);
  return node->port != 0;
}

bool server_start(node *node, const eown_interop_tls *tls) {
  create(node);
  bool bound = bind_port(node, tls);
  grpc_server_start(node->server);
  for (size_t i = 0; bound && i < node->queues_n; i++)
    for (int call = 0; call < CALLS_AWAITED; call++)
      inbound_request(node, &node->queues[i]);
  return bound;
}

/* Waits until `semaphore` is posted or `seconds` (0: any time) are over. */
static bool await(sem_t *semaphore, time_t seconds) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += seconds;
  int result;
  do
    result =
        seconds > 0 ? sem_timedwait(semaphore, &until) : sem_wait(semaphore);
  while (result != 0 && errno == EINTR);
  return result == 0;
}

static void on_shut(void *arg, bool ok) {
  (void)ok;
  sem_post(arg);
}

static void cancel(node *node) {
  atomic_store(&node->cancelled, true);
  delay_flush(&node->delay);
  grpc_server_cancel_all_calls(node->server);
}

void server_stop(node *node) {
  sem_t shut;
  sem_init(&shut, 0, 0);
  event event = {on_shut, &shut};
  EOWN_INTEROP_RELEASE(&event);
  grpc_server_shutdown_and_notify(node->server, node->queues[0].cq, &event);
  if (!await(&shut, GRACE_S)) {
    cancel(node);
    await(&shut, 0);
  }
  delay_flush(&node->delay); /* for calls that are over for their callers */
  if (node->port != 0)
    await(&node->idle, 0);
  grpc_server_destroy(node->server);
  sem_destroy(&shut);
}
