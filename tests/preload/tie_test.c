/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* The rule for threads, with calls and queues that are none. */
#include "tie.h"

#include "eown/grpc.h"
#include "gtest_c.h"
#include "queue.h"

#include <pthread.h>

struct grpc_call {
  eown_context *context; /* NULL: a client call */
};
struct grpc_completion_queue {
  bool plucked;
};

eown_context *eown_context_from_call(struct grpc_call *call) {
  return call->context;
}

bool eown_queue_is_plucked(grpc_completion_queue *queue) {
  return queue->plucked;
}

static grpc_completion_queue pluck = {true}, next = {false};
static const grpc_op receive = {.op = GRPC_OP_RECV_CLOSE_ON_SERVER};
static const grpc_op answer[] = {{.op = GRPC_OP_SEND_INITIAL_METADATA},
                                 {.op = GRPC_OP_SEND_STATUS_FROM_SERVER}};

static grpc_call inbound(grpc_completion_queue *queue) {
  static bool made;
  if (!made)
    made = eown_context_pool_init() && eown_tie_init();
  grpc_call call = {eown_context_acquire()};
  CHECK_NOT_NULL(call.context);
  eown_tie_bound(&call, queue);
  return call;
}

static void end(grpc_call *call) { eown_context_unref(call->context); }

/* What a client call made now would be tied to. */
static eown_context *tied(grpc_call *parent) {
  eown_context_scope scope;
  if (!eown_tie_enter(&scope, parent))
    return NULL;
  eown_context *context = eown_context_current();
  eown_context_leave(&scope);
  return context;
}

EOWN_TEST(Tie, FromTheFirstBatchToTheAnswer) {
  grpc_call x = inbound(&pluck);
  CHECK_NULL(tied(NULL));
  eown_tie_started(&x, &receive, 1);
  CHECK_PTR_EQ(x.context, tied(NULL));
  CHECK_NULL(eown_context_current());
  eown_tie_started(&x, answer, 2);
  CHECK_NULL(tied(NULL));
  eown_tie_started(&x, &receive, 1); /* libgrpc++ may start one after it */
  CHECK_NULL(tied(NULL));
  end(&x);
}

EOWN_TEST(Tie, ToTheInboundOfTheLastBatch) {
  grpc_call x = inbound(&pluck), y = inbound(&pluck), client = {NULL};
  eown_tie_started(&x, &receive, 1);
  eown_tie_started(&y, &receive, 1);
  eown_tie_started(&client, &receive, 1);
  CHECK_PTR_EQ(y.context, tied(NULL));
  eown_tie_started(&x, answer, 2);
  CHECK_NULL(tied(NULL));
  end(&x);
  end(&y);
}

EOWN_TEST(Tie, NotToQueuesForNext) {
  grpc_call x = inbound(&next), y = inbound(&pluck);
  eown_tie_started(&x, &receive, 1);
  CHECK_NULL(tied(NULL));
  eown_tie_started(&y, &receive, 1);
  eown_tie_started(&x, &receive, 1);
  CHECK_NULL(tied(NULL));
  end(&x);
  end(&y);
}

EOWN_TEST(Tie, WhatTheApplicationSaysWins) {
  grpc_call x = inbound(&pluck), y = inbound(&next);
  eown_tie_started(&x, &receive, 1);
  CHECK_NULL(tied(&y));
  eown_context_scope scope;
  eown_context_enter(&scope, y.context);
  CHECK_NULL(tied(NULL));
  eown_context_leave(&scope);
  CHECK_PTR_EQ(x.context, tied(NULL));
  eown_tie_started(&x, answer, 2);
  end(&x);
  end(&y);
}

static void *answer_there(void *call) {
  CHECK_NULL(tied(NULL));
  eown_tie_started(call, answer, 2);
  return NULL;
}

static void run_thread(void *(*body)(void *), void *user) {
  pthread_t thread;
  REQUIRE_EQ(0, pthread_create(&thread, NULL, body, user));
  pthread_join(thread, NULL);
}

EOWN_TEST(Tie, AnotherThreadMayAnswer) {
  grpc_call x = inbound(&pluck);
  eown_tie_started(&x, &receive, 1);
  run_thread(answer_there, &x);
  CHECK_NULL(tied(NULL));
  end(&x);
}

static void *start_there(void *call) {
  eown_tie_started(call, &receive, 1);
  return NULL;
}

/* The place of a context that nobody holds is taken again. */
EOWN_TEST(Tie, EndsWithTheThread) {
  grpc_call x = inbound(&pluck);
  eown_context *place = x.context;
  run_thread(start_there, &x);
  end(&x);
  grpc_call again = inbound(&pluck);
  CHECK_PTR_EQ(place, again.context);
  CHECK_FALSE(eown_context_is_answered(again.context));
  end(&again);
}
