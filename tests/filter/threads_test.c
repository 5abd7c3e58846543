/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* Many calls at the same time, of all kinds, through two hops. */
#include "eown/grpc.h"
#include "eown/settings.h"
#include "gtest_c.h"

#include <pthread.h>
#include <stdatomic.h>

#include "counts.h"
#include "pair.h"

#define THREADS 4u
#define CALLS 50u

typedef struct load {
  test_pair back;
  test_pair front;
  _Atomic unsigned turn; /* of the back's answers */
  _Atomic unsigned failed;
} load;

/* Every third attempt succeeds. */
static void answer_back(test_inbound *inbound, void *user) {
  static const test_answer answers[] = {{.messages = 1, .size = 100},
                                        {.status = GRPC_STATUS_UNAVAILABLE},
                                        {.status = GRPC_STATUS_INTERNAL}};
  load *self = user;
  test_inbound_answer(inbound, &answers[atomic_fetch_add(&self->turn, 1) % 3]);
}

static void answer_front(test_inbound *inbound, void *user) {
  load *self = user;
  test_reply reply;
  test_call_make(self->back.channel, &(test_request){.parent = inbound->call},
                 &reply);
  test_answer failed = {.status = reply.status};
  test_answer ok = {.messages = 1, .size = 10};
  test_inbound_answer(inbound, reply.status == GRPC_STATUS_OK ? &ok : &failed);
  test_reply_clear(&reply);
}

static void *call_often(void *user) {
  load *self = user;
  for (unsigned i = 0; i < CALLS; i++) {
    test_reply reply;
    test_call_make(self->front.channel, &(test_request){.size = 100}, &reply);
    if (reply.status != GRPC_STATUS_OK)
      atomic_fetch_add(&self->failed, 1);
    test_reply_clear(&reply);
  }
  return NULL;
}

static void run_threads(load *self) {
  pthread_t threads[THREADS];
  for (unsigned i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, call_often, self);
  for (unsigned i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
}

static uint64_t count(eown_counter counter) {
  return eown_counter_read(counter);
}

/* What must hold however the calls fell together. */
static void check_sums(const load *self) {
  uint64_t sent = count(EOWN_COUNTER_sent_own) +
                  count(EOWN_COUNTER_sent_propagated) +
                  count(EOWN_COUNTER_sent_at_least_once);
  CHECK_EQ(count(EOWN_COUNTER_inbound_errors), sent);
  CHECK_EQ(count(EOWN_COUNTER_outbound_attempts),
           count(EOWN_COUNTER_inbound_calls));
  CHECK_EQ(count(EOWN_COUNTER_outbound_attempts),
           count(EOWN_COUNTER_outbound_calls) +
               count(EOWN_COUNTER_outbound_retries));
  CHECK_EQ(count(EOWN_COUNTER_outbound_retries),
           count(EOWN_COUNTER_retry_allowed));
  CHECK_EQ(count(EOWN_COUNTER_inbound_errors),
           count(EOWN_COUNTER_received_claimed) +
               count(EOWN_COUNTER_received_unclaimed));
  CHECK_EQ((uint64_t)THREADS * CALLS, count(EOWN_COUNTER_context_drops));
  CHECK_EQ(0u, count(EOWN_COUNTER_received_missing));
  CHECK_EQ(0u, count(EOWN_COUNTER_local));
  CHECK_GT(self->failed, 0u);
  CHECK_GT(count(EOWN_COUNTER_stopped_unclaimed), 0u);
}

EOWN_TEST(Threads, TwoHops) {
  static load self;
  test_channel_options channel = {.mode = "enforce", .attempts = 2};
  test_server_options back = {.mode = "enforce",
                              .handler = answer_back,
                              .user = &self,
                              .threads = THREADS};
  test_server_options front = back;
  front.handler = answer_front;
  test_pair_start(&self.back, &back, &channel);
  test_pair_start(&self.front, &front, &channel);
  run_threads(&self);
  test_pair_stop(&self.front);
  test_pair_stop(&self.back);
  check_sums(&self);
}

static void *switch_modes(void *user) {
  _Atomic bool *done = user;
  for (unsigned i = 0; !atomic_load(done); i++)
    eown_mode_override((eown_mode)(i % (EOWN_MODE_N + 1)));
  eown_mode_override(EOWN_MODE_N);
  return NULL;
}

/* The switch is thrown all the time: statuses stay right. */
EOWN_TEST(Threads, WhileTheModeChanges) {
  static load self;
  static _Atomic bool done;
  static const test_answer answer = {.messages = 1, .size = 100};
  pthread_t thread;
  test_server_options server = {
      .mode = "off", .script = &answer, .threads = THREADS};
  test_channel_options channel = {.mode = "off", .attempts = 2};
  test_pair_start(&self.front, &server, &channel);
  pthread_create(&thread, NULL, switch_modes, &done);
  run_threads(&self);
  atomic_store(&done, true);
  pthread_join(thread, NULL);
  test_pair_stop(&self.front);
  CHECK_EQ(0u, self.failed);
  CHECK_EQ(0u, count(EOWN_COUNTER_inbound_errors));
}
