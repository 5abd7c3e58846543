/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "client.h"

#include "common/tsan.h"
#include "gtest_c.h"

#include <grpc/byte_buffer.h>
#include <grpc/grpc_security.h>
#include <grpc/slice.h>
#include <grpc/support/time.h>
#include <string.h>

/* One call and its only batch. */
typedef struct exchange {
  grpc_completion_queue *queue;
  grpc_call *call;
  grpc_byte_buffer *request;
  grpc_byte_buffer *reply;
  grpc_metadata wish; /* for one callee alone */
  size_t wishes;
  grpc_metadata_array headers;
  e2e_answer *answer;
} exchange;

static grpc_channel *make_channel(const e2e_node *node) {
  grpc_arg items[] = {
      {.type = GRPC_ARG_INTEGER, .key = GRPC_ARG_ENABLE_RETRIES},
      {.type = GRPC_ARG_INTEGER, .key = GRPC_ARG_ENABLE_HTTP_PROXY},
  };
  grpc_channel_args args = {2, items};
  char target[32];
  snprintf(target, sizeof target, "127.0.0.1:%d", node->port);
  grpc_channel_credentials *plain = grpc_insecure_credentials_create();
  grpc_channel *channel = grpc_channel_create(target, plain, &args);
  grpc_channel_credentials_release(plain);
  return channel;
}

static void create_call(exchange *self, grpc_channel *channel,
                        const e2e_node *node, int timeout_ms) {
  char path[32];
  snprintf(path, sizeof path, "/%s/Call", node->name);
  gpr_timespec deadline = gpr_inf_future(GPR_CLOCK_MONOTONIC);
  if (timeout_ms > 0)
    deadline = gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC),
                            gpr_time_from_millis(timeout_ms, GPR_TIMESPAN));
  grpc_slice method = grpc_slice_from_copied_string(path);
  self->call =
      grpc_channel_create_call(channel, NULL, GRPC_PROPAGATE_DEFAULTS,
                               self->queue, method, NULL, deadline, NULL);
  grpc_slice_unref(method);
}

static void run_batch(exchange *self) {
  grpc_op ops[6] = {
      {.op = GRPC_OP_SEND_INITIAL_METADATA,
       .data.send_initial_metadata = {.count = self->wishes,
                                      .metadata = &self->wish}},
      {.op = GRPC_OP_SEND_MESSAGE,
       .data.send_message.send_message = self->request},
      {.op = GRPC_OP_SEND_CLOSE_FROM_CLIENT},
      {.op = GRPC_OP_RECV_INITIAL_METADATA,
       .data.recv_initial_metadata.recv_initial_metadata = &self->headers},
      {.op = GRPC_OP_RECV_MESSAGE,
       .data.recv_message.recv_message = &self->reply},
      {.op = GRPC_OP_RECV_STATUS_ON_CLIENT,
       .data.recv_status_on_client = {.trailing_metadata =
                                          &self->answer->trailers,
                                      .status = &self->answer->status,
                                      .status_details =
                                          &self->answer->message}},
  };
  EOWN_INTEROP_RELEASE(self);
  CHECK_EQ(GRPC_CALL_OK, grpc_call_start_batch(self->call, ops, 6, self, NULL));
  grpc_completion_queue_pluck(self->queue, self,
                              gpr_inf_future(GPR_CLOCK_MONOTONIC), NULL);
  EOWN_INTEROP_ACQUIRE(self);
}

static void clear(exchange *self) {
  self->answer->call = self->call;
  grpc_byte_buffer_destroy(self->request);
  grpc_byte_buffer_destroy(self->reply);
  grpc_metadata_array_destroy(&self->headers);
  grpc_slice_unref(self->wish.value);
  grpc_completion_queue_shutdown(self->queue);
  grpc_completion_queue_destroy(self->queue);
}

static void call(const e2e_node *node, int timeout_ms, const char *callee,
                 e2e_answer *answer) {
  grpc_init();
  grpc_metadata_array_init(&answer->trailers);
  grpc_slice nothing = grpc_empty_slice(); /* an empty CallRequest */
  exchange self = {
      .queue = grpc_completion_queue_create_for_pluck(NULL),
      .request = grpc_raw_byte_buffer_create(&nothing, 1),
      .wish = {.key = grpc_slice_from_static_string("eown-node-callee"),
               .value =
                   grpc_slice_from_copied_string(callee != NULL ? callee : "")},
      .wishes = callee != NULL ? 1 : 0,
      .answer = answer};
  grpc_metadata_array_init(&self.headers);
  grpc_channel *channel = make_channel(node);
  create_call(&self, channel, node, timeout_ms);
  run_batch(&self);
  clear(&self);
  grpc_channel_destroy(channel);
}

void e2e_call(const e2e_node *node, int timeout_ms, e2e_answer *answer) {
  call(node, timeout_ms, NULL, answer);
}

void e2e_call_callee(const e2e_node *node, const char *callee,
                     e2e_answer *answer) {
  call(node, 0, callee, answer);
}

void e2e_answer_clear(e2e_answer *answer) {
  grpc_slice_unref(answer->message);
  grpc_metadata_array_destroy(&answer->trailers);
  grpc_call_unref(answer->call);
  grpc_shutdown();
}

static const grpc_metadata *find(const e2e_answer *answer, const char *key,
                                 size_t *count) {
  const grpc_metadata *first = NULL;
  *count = 0;
  for (size_t i = answer->trailers.count; i-- > 0;)
    if (grpc_slice_str_cmp(answer->trailers.metadata[i].key, key) == 0) {
      first = &answer->trailers.metadata[i];
      ++*count;
    }
  return first;
}

size_t e2e_answer_count(const e2e_answer *answer, const char *key) {
  size_t count = 0;
  find(answer, key, &count);
  return count;
}

void e2e_answer_text(const e2e_answer *answer, const char *key, char *text,
                     size_t size) {
  size_t count = 0;
  const grpc_metadata *item = find(answer, key, &count);
  int length = item != NULL ? (int)GRPC_SLICE_LENGTH(item->value) : 0;
  snprintf(text, size, "%.*s", length,
           item != NULL ? (const char *)GRPC_SLICE_START_PTR(item->value) : "");
}

void e2e_answer_message(const e2e_answer *answer, char *text, size_t size) {
  snprintf(text, size, "%.*s", (int)GRPC_SLICE_LENGTH(answer->message),
           (const char *)GRPC_SLICE_START_PTR(answer->message));
}

void e2e_answer_detail(const e2e_answer *answer, eown_claim_detail *detail) {
  size_t count = 0;
  const grpc_metadata *item = find(answer, EOWN_CLAIM_DETAIL_KEY, &count);
  *detail = (eown_claim_detail){0};
  if (item == NULL ||
      !eown_claim_detail_decode(GRPC_SLICE_START_PTR(item->value),
                                GRPC_SLICE_LENGTH(item->value), detail))
    FAIL_TEST("the answer has no claim detail that can be read");
}
