/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "again.h"

#include "inbound.h"

#include <eown/grpc.h>
#include <grpc/support/time.h>

#define BACKOFF_MS 1
#define BACKOFF_MOST_MS 2

static const options *options_of(const outbound *outbound) {
  return outbound->inbound->node->options;
}

static bool has_loop(const options *options) {
  return options->attempts > 1 && (options->retry_by & RETRY_BY_APPLICATION);
}

static bool is_owned(const options *options) {
  return has_loop(options) && options->ownership != OWNERSHIP_STOCK;
}

static eown_mode mode_of(ownership ownership) {
  static const eown_mode modes[OWNERSHIP_N] = {
      [OWNERSHIP_STOCK] = EOWN_MODE_OFF,
      [OWNERSHIP_OFF] = EOWN_MODE_OFF,
      [OWNERSHIP_OBSERVE] = EOWN_MODE_OBSERVE,
      [OWNERSHIP_ENFORCE] = EOWN_MODE_ENFORCE,
  };
  return modes[ownership];
}

/* Calls tied to nothing on purpose are a loop tied to nothing. */
static eown_context *context_of(const outbound *outbound) {
  return options_of(outbound)->context == CONTEXT_NONE
             ? NULL
             : eown_context_from_call(outbound->inbound->call);
}

void again_init(outbound *outbound) {
  const options *options = options_of(outbound);
  if (!is_owned(options))
    return;
  eown_retry_options loop;
  eown_retry_options_init(&loop);
  loop.max_attempts = (int32_t)options->attempts;
  loop.codes = options->retry_codes;
  loop.initial_backoff_ms = BACKOFF_MS;
  loop.max_backoff_ms = BACKOFF_MOST_MS;
  loop.mode = mode_of(options->ownership);
  loop.method = outbound->stream ? outbound->callee->stream_path
                                 : outbound->callee->call_path;
  eown_retry_init(&outbound->loop, context_of(outbound), &loop);
}

void again_begin(outbound *outbound) {
  if (is_owned(options_of(outbound)))
    eown_grpc_retry_begin(&outbound->loop, outbound->call);
}

void again_clear(outbound *outbound) {
  if (is_owned(options_of(outbound)))
    eown_retry_clear(&outbound->loop);
}

static uint64_t ms_until(gpr_timespec deadline) {
  gpr_timespec left = gpr_time_sub(deadline, gpr_now(GPR_CLOCK_MONOTONIC));
  int32_t ms = gpr_time_to_millis(left);
  return ms > 0 ? (uint64_t)ms : 0;
}

static bool is_cancelled(const outbound *outbound) {
  return outbound->inbound->cancelled != 0 ||
         atomic_load(&outbound->inbound->node->cancelled);
}

static bool ask_loop(outbound *outbound, uint64_t *wait_ms) {
  eown_retry_end end = {
      .status = (eown_status)outbound->status,
      .committed = outbound->replied,
      .cancelled = is_cancelled(outbound),
      .has_deadline = true,
      .left_ms = ms_until(inbound_deadline(outbound->inbound)),
  };
  eown_retry_answer answer = eown_grpc_retry_again(
      &outbound->loop, outbound->call, &end, arc4random());
  *wait_ms = answer.wait_ms;
  return answer.again;
}

/* Cancelled calls are the only failures that nobody repeats by hand. */
static bool would_by_hand(const outbound *outbound) {
  const options *options = options_of(outbound);
  eown_status status = (eown_status)outbound->status;
  return status != EOWN_STATUS_OK && status != EOWN_STATUS_CANCELLED &&
         !is_cancelled(outbound) &&
         eown_status_set_has(options->retry_codes, status) &&
         !outbound->replied && outbound->calls < options->attempts;
}

bool again_wanted(outbound *outbound, uint64_t *wait_ms) {
  const options *options = options_of(outbound);
  *wait_ms = BACKOFF_MS;
  if (is_owned(options))
    return ask_loop(outbound, wait_ms);
  return has_loop(options) && would_by_hand(outbound);
}
