/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "hops.h"

#include "eown/grpc.h"

#include <grpc/census.h>
#include <string.h>

typedef struct front {
  const test_hops *hops;
  grpc_channel *back;
  grpc_channel *nowhere;
} front;

static bool has_parent(test_tie tie) {
  return tie == TEST_TIE_PARENT || tie == TEST_TIE_UNTIED;
}

static bool has_scope(test_tie tie) {
  return tie == TEST_TIE_SCOPE || tie == TEST_TIE_UNTIED;
}

/* The fields of `from` that a careless handler hands on, as text. */
typedef struct copied {
  test_field fields[TEST_FIELDS_MAX];
  test_text values[TEST_FIELDS_MAX];
} copied;

static void copy_known(const grpc_metadata_array *from, copied *to) {
  static const char *const keys[] = {TEST_FORWARDED_KEYS};
  size_t count = 0;
  for (size_t i = 0; i < from->count; i++)
    for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++)
      if (count + 1 < TEST_FIELDS_MAX &&
          grpc_slice_str_cmp(from->metadata[i].key, keys[k]) == 0) {
        grpc_slice value = from->metadata[i].value;
        size_t length = GRPC_SLICE_LENGTH(value);
        memcpy(to->values[count].text, GRPC_SLICE_START_PTR(value), length);
        to->fields[count] =
            (test_field){keys[k], to->values[count].text, length};
        count++;
      }
}

static void loop_out(grpc_channel *channel, const test_request *request,
                     const test_step *step, eown_context *context,
                     test_reply *reply) {
  eown_retry_loop loop;
  eown_retry_options options;
  eown_retry_options_init(&options);
  options.max_attempts = step->loop;
  options.method = step->method == NULL ? TEST_METHOD : step->method;
  eown_retry_init(&loop, context, &options);
  test_request call = *request;
  call.loop = &loop;
  test_call_loop(channel, &call, reply);
  eown_retry_clear(&loop);
}

static void call_out(const front *self, test_inbound *inbound,
                     const test_step *step, test_reply *reply) {
  eown_context *context = eown_context_from_call(inbound->call);
  eown_context_scope scope;
  copied forwarded = {0};
  if (self->hops->forwards)
    copy_known(&inbound->metadata, &forwarded);
  test_request request = {
      .method = step->method,
      .parent = has_parent(step->tie) ? inbound->call : NULL,
      .attach = step->tie == TEST_TIE_ATTACH || step->tie == TEST_TIE_UNTIED,
      .context = step->tie == TEST_TIE_ATTACH ? context : NULL,
      .metadata = forwarded.fields,
      .cancelled = step->cancelled,
      .deadline_ms = step->deadline_ms};
  grpc_channel *channel = step->nowhere ? self->nowhere : self->back;
  if (has_scope(step->tie))
    eown_context_enter(&scope, context);
  if (step->loop > 0)
    loop_out(channel, &request, step,
             step->tie == TEST_TIE_NONE ? NULL : context, reply);
  else
    test_call_make(channel, &request, reply);
  if (has_scope(step->tie))
    eown_context_leave(&scope);
}

/* The last step's reply; clear it. */
static void make_steps(const front *self, test_inbound *inbound,
                       test_reply *reply) {
  const test_hops *hops = self->hops;
  unsigned count = hops->steps_count == 0 ? 1 : hops->steps_count;
  for (unsigned i = 0; i < count; i++) {
    if (i > 0)
      test_reply_clear(reply);
    call_out(self, inbound, &hops->steps[i], reply);
  }
}

static void handle(test_inbound *inbound, void *user) {
  const front *self = user;
  const test_hops *hops = self->hops;
  size_t size;
  test_inbound_read(inbound, &size);
  if (hops->tracing != NULL)
    grpc_census_call_set_context(inbound->call, hops->tracing);
  test_reply reply;
  make_steps(self, inbound, &reply);
  if (hops->retried)
    eown_context_set_retried(eown_context_from_call(inbound->call));
  copied trailers = {0};
  if (hops->copies)
    copy_known(&reply.trailers, &trailers);
  test_answer failed = {
      .status = hops->status != GRPC_STATUS_OK ? hops->status : reply.status};
  memcpy(failed.trailers, trailers.fields, sizeof(failed.trailers));
  test_answer recovered = {.status = GRPC_STATUS_OK, .messages = 1};
  bool ok = hops->recovers || failed.status == GRPC_STATUS_OK;
  test_inbound_answer(inbound, ok ? &recovered : &failed);
  test_reply_clear(&reply);
}

static test_text marks_of(test_server *back, unsigned attempts) {
  test_text marks = {""};
  for (unsigned i = 0; i < attempts && i < TEST_SEEN_MAX; i++) {
    strcat(marks.text, i > 0 ? "," : "");
    strcat(marks.text, test_server_saw(back, i, EOWN_RETRY_MARK_KEY).text);
  }
  return marks;
}

static void call_front(const test_hops *hops, front *self,
                       test_hops_result *result) {
  test_pair pair;
  test_server_options options = hops->front;
  test_request request = hops->request;
  options.handler = handle;
  options.user = self;
  request.method = TEST_FRONT_METHOD;
  test_pair_start(&pair, &options, &hops->client);
  result->front_attempts = test_pair_call(&pair, &request, &result->reply);
  test_pair_stop(&pair);
}

void test_hops_run(const test_hops *hops, test_hops_result *result) {
  test_server *back = test_server_start(&hops->back);
  front self = {hops,
                test_channel_make(test_server_target(back), &hops->outbound),
                test_channel_make("127.0.0.1:1", &hops->outbound)};
  call_front(hops, &self, result);
  result->back_attempts = test_server_attempts(back);
  result->marks = marks_of(back, result->back_attempts);
  grpc_channel_destroy(self.back);
  grpc_channel_destroy(self.nowhere);
  test_server_stop(back);
}
