/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "loop.h"

#include <eown/context.h>
#include <grpc/grpc_security.h>
#include <stdio.h>
#include <string.h>

#define ARGS_MAX 5

static const char retry_policy[] =
    "{\"methodConfig\":[{\"name\":[{}],\"retryPolicy\":{\"maxAttempts\":3,"
    "\"initialBackoff\":\"0.01s\",\"maxBackoff\":\"0.01s\","
    "\"backoffMultiplier\":1,\"retryableStatusCodes\":[\"UNAVAILABLE\"]}}]}";

static grpc_arg string_arg(const char *key, const char *value) {
  grpc_arg arg = {.type = GRPC_ARG_STRING, .key = (char *)key};
  arg.value.string = (char *)value;
  return arg;
}

static grpc_arg int_arg(const char *key, int value) {
  grpc_arg arg = {.type = GRPC_ARG_INTEGER, .key = (char *)key};
  arg.value.integer = value;
  return arg;
}

/* Measuring the connection's bandwidth depends on time: off, in every row, so
 * that two runs count the same. */
static size_t common_args(grpc_arg *args, const row *row) {
  size_t n = 0;
  args[n++] = int_arg(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  if (row->mode != NULL)
    args[n++] = string_arg("eown.mode", row->mode);
  if (row->forgetful)
    args[n++] = int_arg("eown.memory", 0);
  return n;
}

static void make_server(service *service, char *address, size_t size) {
  grpc_arg args[ARGS_MAX];
  grpc_channel_args all = {common_args(args, service->row), args};
  service->server = grpc_server_create(&all, NULL);
  grpc_server_register_completion_queue(service->server, service->cq, NULL);
  grpc_server_credentials *credentials =
      grpc_insecure_server_credentials_create();
  int port =
      grpc_server_add_http2_port(service->server, "127.0.0.1:0", credentials);
  grpc_server_credentials_release(credentials);
  if (port == 0)
    event_die("no port on 127.0.0.1 could be had");
  grpc_server_start(service->server);
  snprintf(address, size, "127.0.0.1:%d", port);
}

static void make_channel(service *service, const char *address) {
  grpc_arg args[ARGS_MAX];
  grpc_channel_args all = {common_args(args, service->row), args};
  args[all.num_args++] = int_arg(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  if (service->row->unclaimed)
    args[all.num_args++] = string_arg(GRPC_ARG_SERVICE_CONFIG, retry_policy);
  grpc_channel_credentials *credentials = grpc_insecure_credentials_create();
  service->channel = grpc_channel_create(address, credentials, &all);
  grpc_channel_credentials_release(credentials);
}

static void on_end(void *owner, grpc_status_code status);

static void start_parts(loop *loop) {
  for (int i = 0; i < 2 * LOOP_WIDTH_MAX; i++)
    inbound_start(&loop->inbounds[i], &loop->service);
  for (int i = 0; i < LOOP_WIDTH_MAX; i++) {
    struct client *client = &loop->clients[i];
    outbound_init(&client->outbound, loop->service.channel, loop->service.cq);
    client->outbound.loop = loop->service.row->loop;
    client->outbound.on_end = on_end;
    client->outbound.owner = client;
    client->loop = loop;
  }
}

static void renew_inbound(loop *loop) {
  if (loop->service.row->mode == NULL)
    return;
  eown_context_unref(loop->inbound);
  loop->inbound = eown_context_acquire();
}

void loop_init(loop *loop, const row *row, bool error) {
  char address[32];
  memset(loop, 0, sizeof *loop);
  loop->expected = error ? GRPC_STATUS_UNAVAILABLE : GRPC_STATUS_OK;
  loop->service.row = row;
  loop->service.error = error;
  loop->service.cq = grpc_completion_queue_create_for_next(NULL);
  claim_init(&loop->service.claim, row);
  make_server(&loop->service, address, sizeof address);
  make_channel(&loop->service, address);
  start_parts(loop);
  renew_inbound(loop);
}

/* The calls belong to an inbound, as a service's do: one without would be
 * counted as lost in a process that serves. A failure ends the inbound. */
static void start_one(struct client *client) {
  struct loop *loop = client->loop;
  eown_context_scope scope;
  loop->to_start--;
  eown_context_enter(&scope, loop->inbound);
  outbound_start(&client->outbound, OUTBOUND_ROOT_PATH, NULL);
  eown_context_leave(&scope);
}

static void on_end(void *owner, grpc_status_code status) {
  struct client *client = owner;
  loop *loop = client->loop;
  if (status != loop->expected)
    event_die("a call ended with another status than expected");
  loop->to_end--;
  if (status != GRPC_STATUS_OK)
    renew_inbound(loop);
  if (loop->to_start > 0)
    start_one(client);
}

/* The client may see the end of a call before the server's handler does. */
static bool is_busy(const loop *loop) {
  bool busy = loop->to_end > 0;
  for (int i = 0; i < 2 * LOOP_WIDTH_MAX && !busy; i++)
    busy = loop->inbounds[i].pending > 0;
  return busy;
}

void loop_run(loop *loop, uint64_t calls, uint64_t width) {
  loop->to_start = loop->to_end = calls;
  for (uint64_t i = 0; i < width && loop->to_start > 0; i++)
    start_one(&loop->clients[i]);
  while (loop->to_end > 0)
    event_next(loop->service.cq);
  while (is_busy(loop))
    event_next(loop->service.cq);
}

static void ignore(void *owner, bool ok) {
  (void)owner;
  (void)ok;
}

void loop_clear(loop *loop) {
  event stopped = {ignore, NULL};
  grpc_channel_destroy(loop->service.channel);
  grpc_server_shutdown_and_notify(loop->service.server, loop->service.cq,
                                  &stopped);
  grpc_server_cancel_all_calls(loop->service.server);
  grpc_completion_queue_shutdown(loop->service.cq);
  while (event_next(loop->service.cq))
    continue;
  grpc_server_destroy(loop->service.server);
  grpc_completion_queue_destroy(loop->service.cq);
  claim_clear(&loop->service.claim);
  eown_context_unref(loop->inbound);
}
