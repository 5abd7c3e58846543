/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "answer.h"

#include "message.h"

#include <inttypes.h>

static void on_sent(void *arg, bool ok);

static size_t add_headers(inbound *inbound, grpc_op *op) {
  if (inbound->headers_sent)
    return 0;
  op->op = GRPC_OP_SEND_INITIAL_METADATA;
  inbound->headers_sent = true;
  return 1;
}

static size_t add_reply(inbound *inbound, grpc_op *op) {
  if (inbound->replies_left == 0)
    return 0;
  inbound->replies_left--;
  grpc_byte_buffer_destroy(inbound->sending);
  inbound->sending = grpc_raw_byte_buffer_create(&inbound->reply, 1);
  op->op = GRPC_OP_SEND_MESSAGE;
  op->data.send_message.send_message = inbound->sending;
  return 1;
}

static size_t add_status(inbound *inbound, grpc_op *op, grpc_slice *details) {
  if (inbound->replies_left > 0)
    return 0;
  op->op = GRPC_OP_SEND_STATUS_FROM_SERVER;
  op->data.send_status_from_server.status = inbound->status;
  op->data.send_status_from_server.status_details = details;
  op->data.send_status_from_server.trailing_metadata = inbound->trailing;
  op->data.send_status_from_server.trailing_metadata_count =
      inbound->trailing_n;
  return 1;
}

static grpc_slice details_of(const inbound *inbound) {
  if (inbound->text != NULL)
    return grpc_slice_from_copied_string(inbound->text);
  if (inbound->failed != NULL)
    return grpc_slice_ref(inbound->failed->details);
  return grpc_empty_slice();
}

/* Sends the next message, and the status where no other message follows: an
 * error with nothing before it goes out as Trailers-Only. */
static void send_next(inbound *inbound) {
  grpc_op ops[3] = {{0}};
  grpc_slice details = details_of(inbound);
  size_t n = add_headers(inbound, ops);
  n += add_reply(inbound, ops + n);
  n += add_status(inbound, ops + n, &details);
  inbound_batch(inbound, &inbound->sent, ops, n);
  grpc_slice_unref(details);
}

static void on_sent(void *arg, bool ok) {
  inbound *inbound = arg;
  if (ok && inbound->replies_left > 0)
    send_next(inbound);
  inbound_release(inbound);
}

static void start(inbound *inbound, grpc_status_code status, uint64_t replies,
                  const char *text) {
  inbound->sent = (event){on_sent, inbound};
  inbound->status = status;
  inbound->replies_left = replies;
  inbound->text = text;
  bool counted =
      inbound->method == METHOD_CALL || inbound->method == METHOD_STREAM;
  if (counted && status != GRPC_STATUS_OK)
    count(&inbound->node->counts.errors);
  send_next(inbound);
}

void answer_error(inbound *inbound, grpc_status_code status, const char *text) {
  start(inbound, status, 0, text);
}

static void add_pushback(inbound *inbound) {
  const options *options = inbound->node->options;
  if (!options->has_pushback)
    return;
  inbound->trailing = calloc(1, sizeof *inbound->trailing);
  if (inbound->trailing == NULL)
    return;
  snprintf(inbound->pushback, sizeof inbound->pushback, "%" PRIu64,
           options->pushback_ms);
  inbound->trailing[0].key =
      grpc_slice_from_static_string("grpc-retry-pushback-ms");
  inbound->trailing[0].value = grpc_slice_from_static_string(inbound->pushback);
  inbound->trailing_n = 1;
}

/* Copies what the failed callee sent, as a careless handler does. The slices
 * belong to the outbound, which lives as long as the inbound. */
static void copy_trailers(inbound *inbound) {
  const grpc_metadata_array *from = &inbound->failed->trailing;
  if (!inbound->node->options->copy_trailers || from->count == 0)
    return;
  inbound->trailing = calloc(from->count, sizeof *inbound->trailing);
  if (inbound->trailing == NULL)
    return;
  for (size_t i = 0; i < from->count; i++) {
    inbound->trailing[i].key = from->metadata[i].key;
    inbound->trailing[i].value = from->metadata[i].value;
  }
  inbound->trailing_n = from->count;
}

static void fail(inbound *inbound, grpc_status_code status, const char *text) {
  uint64_t replies = inbound->method == METHOD_STREAM
                         ? inbound->node->options->fail_after_replies
                         : 0;
  start(inbound, status, replies, text);
}

void answer_call(inbound *inbound) {
  const options *options = inbound->node->options;
  inbound->reply = message_reply(options->name, inbound->nodes_below);
  if (inbound->fails) {
    count(&inbound->node->counts.own_failures);
    add_pushback(inbound);
    fail(inbound, (grpc_status_code)options->fail_status,
         inbound->node->own_message);
  } else if (inbound->failed != NULL) {
    copy_trailers(inbound);
    fail(inbound, inbound->failed->status, NULL);
  } else {
    start(inbound, GRPC_STATUS_OK,
          inbound->method == METHOD_STREAM ? options->stream_replies : 1, NULL);
  }
}

void answer_stats(inbound *inbound, bool reset) {
  node *node = inbound->node;
  char *json = counts_json(node, "stats");
  if (json == NULL) {
    answer_error(inbound, GRPC_STATUS_RESOURCE_EXHAUSTED, "out of memory");
    return;
  }
  inbound->reply = message_stats(json);
  free(json);
  if (reset)
    counts_reset(node);
  start(inbound, GRPC_STATUS_OK, 1, NULL);
}
