/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* The application's retry loop:
 * 1. a call begins: it is tied, and marked where it is a retry;
 * 2. it ends: what filters or an interceptor did not see is counted and
 *    recorded here;
 * 3. rule 1 decides (eown_rule_loop), with the wait that a retry would have;
 * 4. the answer is counted; a retry is taken from the budget, an end with an
 *    error is told to the inbound's context, for rule 2. */
#include "eown/retry.h"

#include "eown/counters.h"
#include "hot/hot.h"
#include "retry_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PUSHBACK_KEY "grpc-retry-pushback-ms"

static eown_counter counter_of(eown_loop reason) {
  static const eown_counter counters[EOWN_LOOP_N] = {
      [EOWN_LOOP_OK] = EOWN_COUNTER_N, /* not counted */
      [EOWN_LOOP_CANCELLED] = EOWN_COUNTER_loop_refused_cancelled,
      [EOWN_LOOP_STATUS] = EOWN_COUNTER_loop_refused_status,
      [EOWN_LOOP_COMMITTED] = EOWN_COUNTER_loop_refused_committed,
      [EOWN_LOOP_ATTEMPTS] = EOWN_COUNTER_loop_refused_attempts,
      [EOWN_LOOP_DEADLINE] = EOWN_COUNTER_loop_refused_deadline,
      [EOWN_LOOP_UNCLAIMED] = EOWN_COUNTER_loop_stopped_unclaimed,
      [EOWN_LOOP_BUDGET] = EOWN_COUNTER_loop_stopped_budget,
      [EOWN_LOOP_CHAIN] = EOWN_COUNTER_loop_stopped_chain,
      [EOWN_LOOP_MULTIPLIED] = EOWN_COUNTER_loop_stopped_multiplied,
      [EOWN_LOOP_PUSHBACK] = EOWN_COUNTER_loop_refused_pushback,
      [EOWN_LOOP_RETRY] = EOWN_COUNTER_loop_allowed,
      [EOWN_LOOP_MISUSED] = EOWN_COUNTER_loop_misused,
  };
  return counters[reason];
}

/* --- a loop's life -------------------------------------------------------- */

/* One call, and no retry. */
static EOWN__NOINLINE eown_error refuse(eown_retry_loop *loop) {
  eown_count(EOWN_COUNTER_bad_settings);
  eown_retry_options_init(&loop->options);
  loop->options.max_attempts = 1;
  return EOWN_ERROR_INVALID_ARGUMENT;
}

static eown_error take_options(eown_retry_loop *loop,
                               const eown_retry_options *options) {
  if (options == NULL) {
    eown_retry_options_init(&loop->options);
    return EOWN_ERROR_OK;
  }
  loop->options = *options;
  return eown__retry_options_good(options) ? EOWN_ERROR_OK : refuse(loop);
}

eown_error eown_retry_init(eown_retry_loop *loop, eown_context *context,
                           const eown_retry_options *options) {
  eown_error error = take_options(loop, options);
  loop->next_backoff_ms = (double)loop->options.initial_backoff_ms;
  loop->context = context != NULL ? context : eown__hot_current();
  if (loop->context != NULL)
    eown__hot_ref(loop->context);
  loop->calls = 0;
  loop->attempts = 0;
  loop->started = 0;
  loop->busy = 0;
  loop->watched = false;
  loop->ended = false;
  return error;
}

void eown_retry_clear(eown_retry_loop *loop) {
  if (loop->context != NULL && eown__hot_unref(loop->context))
    eown__hot_end(loop->context);
  loop->context = NULL;
  loop->ended = true;
}

/* False: another thread is in here. */
static bool enter(eown_retry_loop *loop) {
  return __atomic_exchange_n(&loop->busy, 1, __ATOMIC_ACQUIRE) == 0;
}

static eown_retry_answer misused(void) {
  eown_count(EOWN_COUNTER_loop_misused);
  return (eown_retry_answer){.reason = EOWN_LOOP_MISUSED};
}

static void leave(eown_retry_loop *loop) {
  __atomic_store_n(&loop->busy, 0, __ATOMIC_RELEASE);
}

/* --- a call begins -------------------------------------------------------- */

static bool is_marked(const eown_retry_loop *loop) {
  return loop->calls > 1 ||
         (loop->context != NULL && eown_context_is_retry(loop->context));
}

bool eown_retry_begin(eown_retry_loop *loop, uint64_t now_ms) {
  if (!enter(loop)) {
    misused();
    return false;
  }
  loop->calls++;
  if (loop->context != NULL)
    loop->started = eown__hot_now(loop->context);
  if (loop->options.budget != NULL)
    eown_budget_deposit(loop->options.budget, now_ms);
  bool mark = is_marked(loop) && !loop->options.trust_boundary &&
              eown_mode_effective(loop->options.mode) != EOWN_MODE_OFF;
  leave(loop);
  return mark;
}

/* --- its trailing metadata ------------------------------------------------ */

/* gRPC reads a pushback that is no number as "no retry". */
static void read_pushback(eown_retry_end *end, const char *value,
                          size_t length) {
  char text[24];
  char *rest = text;
  end->pushback = EOWN_PUSHBACK_STOP;
  if (length == 0 || length >= sizeof(text) ||
      !((value[0] >= '0' && value[0] <= '9') || value[0] == '-'))
    return;
  memcpy(text, value, length);
  text[length] = '\0';
  errno = 0;
  long long wait = strtoll(text, &rest, 10);
  if (errno != 0 || *rest != '\0' || wait < 0)
    return;
  end->pushback = EOWN_PUSHBACK_WAIT;
  end->pushback_ms = (uint64_t)wait;
}

static bool is(const char *key, size_t length, const char *name) {
  return strlen(name) == length && memcmp(key, name, length) == 0;
}

void eown_retry_end_feed(eown_retry_end *end, const char *alias,
                         const char *key, size_t key_length, const char *value,
                         size_t value_length) {
  if (is(key, key_length, EOWN_CLAIM_KEY)) {
    eown_claim_reader_feed(&end->claim, false, value, value_length);
  } else if (is(key, key_length, EOWN_CLAIM_DETAIL_KEY)) {
    end->detail = (const uint8_t *)value;
    end->detail_length = value_length;
    end->details++;
  } else if (is(key, key_length, PUSHBACK_KEY)) {
    read_pushback(end, value, value_length);
  } else if (alias != NULL && alias[0] != '\0' && is(key, key_length, alias)) {
    eown_claim_reader_feed(&end->claim, true, value, value_length);
  }
}

/* --- a call ends ---------------------------------------------------------- */

/* What decides, once it is clear whose word counts. */
typedef struct call {
  const eown_retry_end *end;
  const char *method;
  size_t method_length;
  eown_mode mode;
  eown_context *context;
  eown_budget *budget;
  eown_claim claim;
  bool chain_stop;
} call;

static void count(const call *call, eown_counter counter) {
  if (call->method_length > 0)
    eown_count_method(counter, call->method, (uint32_t)call->method_length);
  else
    eown_count(counter);
}

static eown_claim read_claim(const eown_retry_loop *loop, const call *call) {
  bool malformed;
  eown_claim claim = eown_claim_reader_result(&call->end->claim, &malformed);
  if (malformed)
    count(call, EOWN_COUNTER_malformed_claim);
  return loop->options.trust_boundary ? EOWN_CLAIM_MISSING : claim;
}

static call settle(const eown_retry_loop *loop, const eown_retry_end *end) {
  call call = {.end = end, .context = loop->context};
  if (end->context != NULL)
    call.context = end->context;
  call.method = end->method != NULL ? end->method : loop->options.method;
  call.method_length = end->method != NULL   ? end->method_length
                       : call.method != NULL ? strlen(call.method)
                                             : 0;
  if (end->seen) {
    call.mode = end->mode;
    call.budget = end->budget;
    call.claim = end->seen_claim;
    call.chain_stop = end->chain_stop;
  } else {
    call.mode = eown_mode_effective(loop->options.mode);
    call.budget = loop->options.budget;
    call.claim = call.mode == EOWN_MODE_OFF ? EOWN_CLAIM_MISSING
                                            : read_claim(loop, &call);
    call.chain_stop = loop->options.chain_stop;
  }
  return call;
}

/* A detail that came more than once is taken for none. */
static void describe(const eown_retry_loop *loop, const call *call,
                     eown_outcome *outcome) {
  const eown_retry_end *end = call->end;
  outcome->claim = call->claim;
  outcome->attempts = end->attempts;
  if (end->details == 1 && !loop->options.trust_boundary) {
    outcome->detail_bytes = end->detail;
    outcome->detail_length = end->detail_length;
  } else if (end->details > 1) {
    count(call, EOWN_COUNTER_malformed_detail);
  }
}

/* Nobody else saw the call. Whether the loop covers its status is told when the
 * loop ends: until then the error is not final. */
static void record(const eown_retry_loop *loop, const call *call) {
  eown_status status = call->end->status;
  eown_count(EOWN_COUNTER_outbound_calls);
  if (status != EOWN_STATUS_OK) {
    count(call, EOWN_COUNTER_outbound_errors);
    eown_count_received(call->claim, call->method,
                        (uint32_t)call->method_length);
  }
  if (call->context == NULL)
    return;
  eown_outcome outcome = {.method = call->method != NULL ? call->method : "",
                          .method_length = call->method_length,
                          .started = loop->started,
                          .status = status,
                          .reached = true};
  if (status != EOWN_STATUS_OK)
    describe(loop, call, &outcome);
  eown_context_record(call->context, &outcome);
}

/* --- the decision --------------------------------------------------------- */

uint64_t eown_retry_jitter(double backoff_ms, uint32_t random) {
  double factor = 0.8 + 0.4 * ((double)random / 4294967296.0);
  return (uint64_t)(backoff_ms * factor + 0.5);
}

static uint64_t wait_of(const eown_retry_loop *loop, const eown_retry_end *end,
                        uint32_t random) {
  if (end->pushback == EOWN_PUSHBACK_WAIT)
    return end->pushback_ms;
  double backoff = loop->next_backoff_ms;
  double most = (double)loop->options.max_backoff_ms;
  return eown_retry_jitter(backoff < most ? backoff : most, random);
}

/* After a pushback the backoff starts anew, as in gRPC. */
static void advance(eown_retry_loop *loop, const eown_retry_end *end) {
  double most = (double)loop->options.max_backoff_ms;
  double next = loop->next_backoff_ms * loop->options.backoff_multiplier;
  loop->next_backoff_ms = next < most ? next : most;
  if (end->pushback == EOWN_PUSHBACK_WAIT)
    loop->next_backoff_ms = (double)loop->options.initial_backoff_ms;
}

static eown_loop_view view_of(const eown_retry_loop *loop, const call *call,
                              uint64_t wait, uint64_t now_ms) {
  const eown_retry_end *end = call->end;
  uint32_t most = (uint32_t)loop->options.max_attempts;
  eown_loop_view view = {
      .cancelled = end->cancelled || end->status == EOWN_STATUS_CANCELLED,
      .listed = eown_status_set_has(loop->options.codes, end->status),
      .committed = end->committed,
      .calls_left = loop->calls < most,
      .time_left = !end->has_deadline || wait < end->left_ms,
      .claim = call->claim,
      .chained = call->chain_stop && call->context != NULL &&
                 eown_context_is_retry(call->context),
      .attempts_left = loop->attempts < most,
      .refused = end->pushback == EOWN_PUSHBACK_STOP,
  };
  view.budget_empty =
      call->budget != NULL && !eown_budget_would_allow(call->budget, now_ms);
  return view;
}

static eown_retry_answer decide(const eown_retry_loop *loop, const call *call,
                                uint64_t now_ms, uint32_t random) {
  eown_retry_answer answer = {.wait_ms = wait_of(loop, call->end, random)};
  eown_loop_view view = view_of(loop, call, answer.wait_ms, now_ms);
  answer.reason = eown_rule_loop(&view, call->mode != EOWN_MODE_OFF);
  eown_loop in_force = eown_rule_loop(&view, call->mode == EOWN_MODE_ENFORCE);
  answer.again = in_force == EOWN_LOOP_RETRY;
  return answer;
}

/* Rule 2: a loop with two calls or more is a retry policy. */
static void tell_context(const eown_retry_loop *loop, const call *call,
                         eown_loop reason) {
  bool held_back =
      loop->options.max_attempts > 1 && eown_loop_is_held_back(reason);
  eown_context_note_loop(
      call->context, call->method != NULL ? call->method : "",
      call->method_length, call->end->status, loop->attempts, held_back);
}

static eown_retry_answer fail(eown_retry_loop *loop, const call *call,
                              uint64_t now_ms, uint32_t random) {
  loop->attempts += call->end->attempts > 1 ? call->end->attempts : 1;
  eown_retry_answer answer = decide(loop, call, now_ms, random);
  if (call->mode != EOWN_MODE_OFF)
    count(call, counter_of(answer.reason));
  if (!answer.again) {
    loop->ended = true;
    if (call->mode != EOWN_MODE_OFF && call->context != NULL)
      tell_context(loop, call, answer.reason);
    return answer;
  }
  if (call->mode != EOWN_MODE_OFF)
    count(call, EOWN_COUNTER_loop_retries);
  advance(loop, call->end);
  if (call->budget != NULL)
    eown_budget_withdraw_call(call->budget, now_ms);
  return answer;
}

static eown_retry_answer end_well(eown_retry_loop *loop) {
  loop->ended = true;
  return (eown_retry_answer){.reason = EOWN_LOOP_OK};
}

static EOWN__NOINLINE eown_retry_answer answer_to(eown_retry_loop *loop,
                                                  const eown_retry_end *end,
                                                  uint64_t now_ms,
                                                  uint32_t random) {
  if (loop->ended || loop->calls == 0)
    return misused();
  call call = settle(loop, end);
  if (!end->seen && call.mode != EOWN_MODE_OFF)
    record(loop, &call);
  if (end->status != EOWN_STATUS_OK)
    return fail(loop, &call, now_ms, random);
  return end_well(loop);
}

eown_retry_answer eown_retry_again(eown_retry_loop *loop,
                                   const eown_retry_end *end, uint64_t now_ms,
                                   uint32_t random) {
  if (!enter(loop))
    return misused();
  bool well = end->seen && end->status == EOWN_STATUS_OK && !loop->ended &&
              loop->calls > 0;
  eown_retry_answer answer =
      well ? end_well(loop) : answer_to(loop, end, now_ms, random);
  leave(loop);
  return answer;
}
