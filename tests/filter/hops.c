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

static grpc_status_code call_out(const front *self, test_inbound *inbound,
                                 const test_step *step) {
  eown_context *context = eown_context_from_call(inbound->call);
  eown_context_scope scope;
  test_reply reply;
  test_request request = {
      .method = step->method,
      .parent = has_parent(step->tie) ? inbound->call : NULL,
      .attach = step->tie == TEST_TIE_ATTACH || step->tie == TEST_TIE_UNTIED,
      .context = step->tie == TEST_TIE_ATTACH ? context : NULL,
      .cancelled = step->cancelled,
      .deadline_ms = step->deadline_ms};
  if (has_scope(step->tie))
    eown_context_enter(&scope, context);
  test_call_make(step->nowhere ? self->nowhere : self->back, &request, &reply);
  if (has_scope(step->tie))
    eown_context_leave(&scope);
  grpc_status_code status = reply.status;
  test_reply_clear(&reply);
  return status;
}

static grpc_status_code make_steps(const front *self, test_inbound *inbound) {
  const test_hops *hops = self->hops;
  grpc_status_code status = GRPC_STATUS_OK;
  unsigned count = hops->steps_count == 0 ? 1 : hops->steps_count;
  for (unsigned i = 0; i < count; i++)
    status = call_out(self, inbound, &hops->steps[i]);
  return status;
}

static void handle(test_inbound *inbound, void *user) {
  const front *self = user;
  const test_hops *hops = self->hops;
  size_t size;
  test_inbound_read(inbound, &size);
  if (hops->tracing != NULL)
    grpc_census_call_set_context(inbound->call, hops->tracing);
  grpc_status_code status = make_steps(self, inbound);
  if (hops->retried)
    eown_context_set_retried(eown_context_from_call(inbound->call));
  if (hops->status != GRPC_STATUS_OK)
    status = hops->status;
  test_answer failed = {.status = status};
  test_answer recovered = {.status = GRPC_STATUS_OK, .messages = 1};
  test_inbound_answer(inbound, hops->recovers ? &recovered : &failed);
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
