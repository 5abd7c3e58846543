/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "load.h"

#include "call.h"
#include "common/tls.h"
#include "lab/base/failure.h"
#include "lab/base/interrupt.h"

#include <grpc/grpc.h>
#include <grpc/support/time.h>

#include <stdlib.h>
#include <string.h>

#define REQUEST_TIMEOUT_S 120
#define POLL_MS 100

typedef struct driver {
  const lab_load *load;
  lab_load_result *result;
  lab_target target;
  lab_call *calls;
  uint64_t started;
  uint64_t finished;
  bool cancelled;
} driver;

static grpc_channel_credentials *make_credentials(const char *folder) {
  eown_interop_tls tls = {0};
  char message[512];
  if (folder && !eown_interop_tls_load(&tls, folder, message, sizeof(message)))
    lab_fail("--tls: %s", message);
  grpc_channel_credentials *credentials =
      eown_interop_channel_credentials(&tls);
  eown_interop_tls_clear(&tls);
  if (!credentials)
    lab_fail("--tls: gRPC cannot use the certificates in %s", folder);
  return credentials;
}

static grpc_channel *make_channel(const lab_load *load) {
  grpc_arg items[] = {
      {.type = GRPC_ARG_INTEGER, .key = GRPC_ARG_ENABLE_RETRIES},
      {.type = GRPC_ARG_INTEGER, .key = GRPC_ARG_ENABLE_HTTP_PROXY},
      {.type = GRPC_ARG_STRING,
       .key = GRPC_SSL_TARGET_NAME_OVERRIDE_ARG,
       .value.string = EOWN_INTEROP_TLS_NAME},
  };
  grpc_channel_args args = {load->tls ? 3 : 2, items};
  grpc_channel_credentials *credentials = make_credentials(load->tls);
  char *address = lab_format("127.0.0.1:%d", load->port);
  grpc_channel *channel = grpc_channel_create(address, credentials, &args);
  free(address);
  grpc_channel_credentials_release(credentials);
  return channel;
}

static void start_call(driver *self, lab_call *call) {
  unsigned timeout_s =
      self->load->timeout_s ? self->load->timeout_s : REQUEST_TIMEOUT_S;
  gpr_timespec deadline =
      gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC),
                   gpr_time_from_seconds((int64_t)timeout_s, GPR_TIMESPAN));
  lab_call_start(call, &self->target, ++self->started, deadline);
}

static bool key_is(const grpc_metadata *item, const char *key) {
  return grpc_slice_str_cmp(item->key, key) == 0;
}

/* Reads the last error's claim as any client of the root could. */
static void take_claim(lab_load_result *result,
                       const grpc_metadata_array *trailers) {
  eown_claim_reader reader = {0};
  result->has_detail = false;
  for (size_t i = 0; i < trailers->count; i++) {
    const grpc_metadata *item = &trailers->metadata[i];
    const uint8_t *value = GRPC_SLICE_START_PTR(item->value);
    size_t length = GRPC_SLICE_LENGTH(item->value);
    if (key_is(item, EOWN_CLAIM_KEY))
      eown_claim_reader_feed(&reader, false, (const char *)value, length);
    else if (key_is(item, EOWN_CLAIM_DETAIL_KEY))
      result->has_detail =
          eown_claim_detail_decode(value, length, &result->detail);
  }
  result->claim = eown_claim_reader_result(&reader, NULL);
  result->claims[result->claim]++;
}

static void take_result(driver *self, const lab_call *call) {
  size_t status = (size_t)call->status;
  if (status >= EOWN_STATUS_N)
    status = EOWN_STATUS_UNKNOWN;
  self->result->statuses[status]++;
  self->result->replies += call->replies;
  if (status != EOWN_STATUS_OK)
    take_claim(self->result, &call->trailers);
}

static void cancel_all(driver *self) {
  self->cancelled = true;
  for (size_t i = 0; i < self->load->concurrency; i++)
    if (self->calls[i].call)
      grpc_call_cancel(self->calls[i].call, NULL);
}

static void finish_call(driver *self, lab_call *call) {
  take_result(self, call);
  lab_call_finish(call);
  self->finished++;
  lab_progress_update(self->load->progress, self->finished,
                      self->load->requests);
  if (!self->cancelled && self->started < self->load->requests)
    start_call(self, call);
}

/* This thread starts the calls and polls the queue itself: one queue, no
 * hand-over to another thread. */
static void drive(driver *self) {
  grpc_completion_queue *queue = self->target.queue;
  for (size_t i = 0;
       i < self->load->concurrency && self->started < self->load->requests; i++)
    start_call(self, &self->calls[i]);
  while (self->finished < self->started) {
    gpr_timespec until =
        gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC),
                     gpr_time_from_millis(POLL_MS, GPR_TIMESPAN));
    grpc_event event = grpc_completion_queue_next(queue, until, NULL);
    lab_call *over =
        event.type == GRPC_OP_COMPLETE ? lab_call_advance(event.tag) : NULL;
    if (over)
      finish_call(self, over);
    if (lab_interrupted() && !self->cancelled)
      cancel_all(self);
  }
}

static void drain(grpc_completion_queue *queue) {
  grpc_completion_queue_shutdown(queue);
  while (grpc_completion_queue_next(queue, gpr_inf_future(GPR_CLOCK_MONOTONIC),
                                    NULL)
             .type != GRPC_QUEUE_SHUTDOWN)
    ;
  grpc_completion_queue_destroy(queue);
}

static grpc_slice make_path(const lab_load *load) {
  char *path =
      lab_format("/%s/%s", load->service, load->stream ? "Stream" : "Call");
  grpc_slice slice = grpc_slice_from_copied_string(path);
  free(path);
  return slice;
}

static grpc_metadata make_wish(const lab_load *load) {
  return (grpc_metadata){
      .key = grpc_slice_from_static_string("eown-node-callee"),
      .value = grpc_slice_from_static_string(load->callee ? load->callee : ""),
  };
}

void lab_load_run(const lab_load *load, lab_load_result *result) {
  grpc_metadata wish = make_wish(load);
  driver self = {
      .load = load,
      .result = result,
      .target = {.channel = make_channel(load),
                 .queue = grpc_completion_queue_create_for_next(NULL),
                 .path = make_path(load),
                 .stream = load->stream,
                 .metadata = &wish,
                 .metadata_count = load->callee ? 1 : 0},
      .calls = lab_allocate(load->concurrency, sizeof(*self.calls)),
  };
  uint64_t start_ms = lab_now_ms();
  drive(&self);
  result->seconds = (double)(lab_now_ms() - start_ms) / 1000.0;
  grpc_channel_destroy(self.target.channel);
  drain(self.target.queue);
  grpc_slice_unref(self.target.path);
  free(self.calls);
  lab_progress_clear(load->progress);
}

uint64_t lab_load_errors(const lab_load_result *result) {
  uint64_t errors = 0;
  for (size_t i = 0; i < EOWN_STATUS_N; i++)
    if (i != EOWN_STATUS_OK)
      errors += result->statuses[i];
  return errors;
}
