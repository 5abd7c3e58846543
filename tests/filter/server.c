/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "server.h"

#include <grpc/grpc_posix.h>
#include <grpc/support/time.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "queue.h"
#include "tsan.h"
#include "warm_up.h"

#define THREADS_MAX 8

typedef struct worker {
  test_server *server;
  pthread_t thread;
  grpc_completion_queue *requests;
} worker;

struct test_server {
  const test_server_options *options;
  grpc_server *server;
  grpc_completion_queue *shutdown_queue;
  char target[32];
  unsigned workers_count;
  worker workers[THREADS_MAX];
  _Atomic unsigned attempts;
  pthread_mutex_t mutex; /* guards seen */
  grpc_metadata_array seen[TEST_SEEN_MAX];
};

static void keep(test_server *server, const test_inbound *inbound) {
  if (inbound->number >= TEST_SEEN_MAX)
    return;
  pthread_mutex_lock(&server->mutex);
  test_metadata_keep(&server->seen[inbound->number], &inbound->metadata);
  pthread_mutex_unlock(&server->mutex);
}

static void follow_script(const test_server_options *options,
                          test_inbound *inbound) {
  unsigned answers = options->answers == 0 ? 1 : options->answers;
  unsigned number = inbound->number < answers ? inbound->number : answers - 1;
  const test_answer *answer = &options->script[number];
  size_t size;
  test_inbound_read(inbound, &size);
  test_inbound_answer(inbound, answer);
}

static void serve(test_server *server, test_inbound *inbound) {
  const test_server_options *options = server->options;
  inbound->number = atomic_fetch_add(&server->attempts, 1);
  keep(server, inbound);
  test_inbound_open(inbound);
  if (options->handler != NULL)
    options->handler(inbound, options->user);
  else
    follow_script(options, inbound);
  test_inbound_close(inbound);
  grpc_call_unref(inbound->call);
}

static bool accept_one(const worker *self, test_inbound *inbound) {
  TEST_RELEASE(inbound);
  if (grpc_server_request_call(self->server->server, &inbound->call,
                               &inbound->details, &inbound->metadata,
                               inbound->queue, self->requests,
                               inbound) != GRPC_CALL_OK)
    return false;
  grpc_event event = grpc_completion_queue_next(
      self->requests, gpr_inf_future(GPR_CLOCK_REALTIME), NULL);
  TEST_ACQUIRE(inbound);
  return event.type == GRPC_OP_COMPLETE && event.success;
}

static bool take_one(const worker *self) {
  test_inbound inbound = {.queue =
                              grpc_completion_queue_create_for_pluck(NULL)};
  grpc_call_details_init(&inbound.details);
  grpc_metadata_array_init(&inbound.metadata);
  bool accepted = accept_one(self, &inbound);
  if (accepted)
    serve(self->server, &inbound);
  grpc_metadata_array_destroy(&inbound.metadata);
  grpc_call_details_destroy(&inbound.details);
  test_queue_close(inbound.queue);
  return accepted;
}

static void *work(void *pointer) {
  const worker *self = pointer;
  while (take_one(self))
    continue;
  return NULL;
}

static void listen_on_port(test_server *server) {
  grpc_server_credentials *credentials = server->options->credentials;
  grpc_server_credentials *own =
      credentials == NULL ? grpc_insecure_server_credentials_create() : NULL;
  char address[32];
  snprintf(address, sizeof(address), "127.0.0.1:%d", server->options->port);
  int port = grpc_server_add_http2_port(
      server->server, address, credentials == NULL ? own : credentials);
  if (own != NULL)
    grpc_server_credentials_release(own);
  snprintf(server->target, sizeof(server->target), "127.0.0.1:%d", port);
}

static void serve_fd(test_server *server) {
  grpc_server_credentials *insecure = grpc_insecure_server_credentials_create();
  grpc_server_add_channel_from_fd(server->server, server->options->fd,
                                  insecure);
  grpc_server_credentials_release(insecure);
}

static void register_queues(test_server *server) {
  server->shutdown_queue = grpc_completion_queue_create_for_pluck(NULL);
  for (unsigned i = 0; i < server->workers_count; i++) {
    worker *self = &server->workers[i];
    self->server = server;
    self->requests = grpc_completion_queue_create_for_next(NULL);
    grpc_server_register_completion_queue(server->server, self->requests, NULL);
  }
  grpc_server_register_completion_queue(server->server, server->shutdown_queue,
                                        NULL);
}

test_server *test_server_start(const test_server_options *options) {
  if (options->mode != NULL)
    test_warm_up();
  test_server *server = calloc(1, sizeof(*server));
  test_arguments arguments;
  test_arguments_set(&arguments, options->mode, options->arguments);
  server->options = options;
  server->workers_count = options->threads == 0 ? 1 : options->threads;
  pthread_mutex_init(&server->mutex, NULL);
  server->server = grpc_server_create(&arguments.args, NULL);
  register_queues(server);
  if (options->fd == 0)
    listen_on_port(server);
  grpc_server_start(server->server);
  if (options->fd != 0)
    serve_fd(server);
  for (unsigned i = 0; i < server->workers_count; i++)
    pthread_create(&server->workers[i].thread, NULL, work, &server->workers[i]);
  return server;
}

static void join(worker *self) {
  pthread_join(self->thread, NULL);
  test_queue_close(self->requests);
}

void test_server_stop(test_server *server) {
  grpc_server_shutdown_and_notify(server->server, server->shutdown_queue,
                                  server);
  for (unsigned i = 0; i < server->workers_count; i++)
    join(&server->workers[i]);
  test_queue_wait(server->shutdown_queue, server);
  grpc_server_destroy(server->server);
  test_queue_close(server->shutdown_queue);
  for (unsigned i = 0; i < TEST_SEEN_MAX; i++)
    test_metadata_clear(&server->seen[i]);
  pthread_mutex_destroy(&server->mutex);
  free(server);
}

void test_server_cancel(test_server *server) {
  grpc_server_cancel_all_calls(server->server);
}

const char *test_server_target(const test_server *server) {
  return server->target;
}

unsigned test_server_attempts(const test_server *server) {
  return atomic_load(&server->attempts);
}

test_text test_server_saw(test_server *server, unsigned attempt,
                          const char *key) {
  pthread_mutex_lock(&server->mutex);
  test_text text = test_metadata_text(&server->seen[attempt], key);
  pthread_mutex_unlock(&server->mutex);
  return text;
}
