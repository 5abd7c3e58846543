/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* A call from this process to itself with the filters on both sides: prints the
 * gRPC it ran with, and "claimed" where the error came with its claim. */
#include <eown/counters.h>
#include <eown/grpc.h>
#include <grpc/grpc.h>
#include <grpc/grpc_security.h>
#include <stdio.h>
#include <string.h>

static grpc_completion_queue *queue;

static void *tag(int number) { return (void *)(intptr_t)number; }

static void wait(int number) {
  grpc_completion_queue_pluck(queue, tag(number),
                              gpr_inf_future(GPR_CLOCK_MONOTONIC), NULL);
}

static grpc_server *make_server(const grpc_channel_args *args, int *port) {
  grpc_server *server = grpc_server_create(args, NULL);
  grpc_server_credentials *plain = grpc_insecure_server_credentials_create();
  *port = grpc_server_add_http2_port(server, "127.0.0.1:0", plain);
  grpc_server_credentials_release(plain);
  grpc_server_register_completion_queue(server, queue, NULL);
  grpc_server_start(server);
  return server;
}

static grpc_channel *make_channel(const grpc_channel_args *args, int port) {
  char target[32];
  snprintf(target, sizeof target, "127.0.0.1:%d", port);
  grpc_channel_credentials *plain = grpc_insecure_credentials_create();
  grpc_channel *channel = grpc_channel_create(target, plain, args);
  grpc_channel_credentials_release(plain);
  return channel;
}

/* Starts the call; its end is tag 1. */
static grpc_call *start(grpc_channel *channel, grpc_metadata_array *initial,
                        grpc_metadata_array *trailing, grpc_status_code *status,
                        grpc_slice *message) {
  grpc_call *call = grpc_channel_create_call(
      channel, NULL, GRPC_PROPAGATE_DEFAULTS, queue,
      grpc_slice_from_static_string("/test.Service/Fail"), NULL,
      gpr_inf_future(GPR_CLOCK_MONOTONIC), NULL);
  grpc_op ops[4] = {{.op = GRPC_OP_SEND_INITIAL_METADATA},
                    {.op = GRPC_OP_SEND_CLOSE_FROM_CLIENT},
                    {.op = GRPC_OP_RECV_INITIAL_METADATA},
                    {.op = GRPC_OP_RECV_STATUS_ON_CLIENT}};
  ops[2].data.recv_initial_metadata.recv_initial_metadata = initial;
  ops[3].data.recv_status_on_client.trailing_metadata = trailing;
  ops[3].data.recv_status_on_client.status = status;
  ops[3].data.recv_status_on_client.status_details = message;
  grpc_call_start_batch(call, ops, 4, tag(1), NULL);
  return call;
}

/* Takes the one call and fails it. */
static void serve(grpc_server *server) {
  grpc_call *call;
  grpc_call_details details;
  grpc_metadata_array metadata;
  grpc_call_details_init(&details);
  grpc_metadata_array_init(&metadata);
  grpc_server_request_call(server, &call, &details, &metadata, queue, queue,
                           tag(2));
  wait(2);
  grpc_op ops[2] = {{.op = GRPC_OP_SEND_INITIAL_METADATA},
                    {.op = GRPC_OP_SEND_STATUS_FROM_SERVER}};
  ops[1].data.send_status_from_server.status = GRPC_STATUS_UNAVAILABLE;
  grpc_call_start_batch(call, ops, 2, tag(3), NULL);
  wait(3);
  grpc_call_unref(call);
  grpc_call_details_destroy(&details);
  grpc_metadata_array_destroy(&metadata);
}

static void print_claim(const grpc_metadata_array *trailing) {
  for (size_t i = 0; i < trailing->count; i++) {
    if (grpc_slice_str_cmp(trailing->metadata[i].key, "error-claim") == 0)
      printf("%.*s\n", (int)GRPC_SLICE_LENGTH(trailing->metadata[i].value),
             (const char *)GRPC_SLICE_START_PTR(trailing->metadata[i].value));
  }
}

static void run(grpc_server *server, grpc_channel *channel) {
  grpc_metadata_array initial, trailing;
  grpc_status_code status;
  grpc_slice message;
  grpc_metadata_array_init(&initial);
  grpc_metadata_array_init(&trailing);
  grpc_call *call = start(channel, &initial, &trailing, &status, &message);
  serve(server);
  wait(1);
  printf("gRPC %s, status %d\n", grpc_version_string(), (int)status);
  print_claim(&trailing);
  grpc_call_unref(call);
  grpc_slice_unref(message);
  grpc_metadata_array_destroy(&initial);
  grpc_metadata_array_destroy(&trailing);
}

static void clear(grpc_server *server, grpc_channel *channel) {
  grpc_channel_destroy(channel);
  grpc_server_shutdown_and_notify(server, queue, tag(4));
  wait(4);
  grpc_server_destroy(server);
  grpc_completion_queue_shutdown(queue);
  grpc_completion_queue_destroy(queue);
}

int main(void) {
  eown_error error = eown_grpc_init();
  if (error != EOWN_ERROR_OK) {
    fprintf(stderr, "eown_grpc_init: %s\n", eown_error_text(error));
    return 1;
  }
  grpc_init();
  grpc_arg mode = {.type = GRPC_ARG_STRING, .key = "eown.mode"};
  mode.value.string = "enforce";
  grpc_channel_args args = {1, &mode};
  queue = grpc_completion_queue_create_for_pluck(NULL);
  int port;
  grpc_server *server = make_server(&args, &port);
  grpc_channel *channel = make_channel(&args, port);
  run(server, channel);
  clear(server, channel);
  grpc_shutdown();
  return eown_counter_read(EOWN_COUNTER_sent_own) == 1 ? 0 : 1;
}
