/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "tie.h"

#include "eown/grpc.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "queue.h"

/* The inbound call that this thread serves; a reference. */
static _Thread_local eown_context *served;
/* Gives the reference back when the thread ends. */
static pthread_key_t at_end;

static void serve(eown_context *context) {
  if (served == context)
    return;
  eown_context_unref(served);
  served = eown_context_ref(context);
  pthread_setspecific(at_end, served);
}

static void end_thread(void *context) {
  eown_context_unref(context);
  served = NULL;
}

bool eown_tie_init(void) {
  const char *wish = getenv("EOWN_TIE");
  bool wanted = wish == NULL || strcmp(wish, "0") != 0;
  return wanted && pthread_key_create(&at_end, end_thread) == 0;
}

void eown_tie_bound(grpc_call *call, grpc_completion_queue *queue) {
  eown_context *context = eown_context_from_call(call);
  if (context != NULL && eown_queue_is_plucked(queue))
    eown_context_mark_blocking(context);
}

static bool answers(const grpc_op *ops, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (ops[i].op == GRPC_OP_SEND_STATUS_FROM_SERVER)
      return true;
  return false;
}

void eown_tie_started(grpc_call *call, const grpc_op *ops, size_t count) {
  eown_context *context = eown_context_from_call(call);
  if (context == NULL)
    return; /* a client call */
  if (answers(ops, count))
    eown_context_mark_answered(context);
  bool tied =
      eown_context_is_blocking(context) && !eown_context_is_answered(context);
  serve(tied ? context : NULL);
}

bool eown_tie_enter(eown_context_scope *scope, grpc_call *parent) {
  if (served == NULL || parent != NULL || eown_context_current() != NULL)
    return false;
  if (eown_context_is_answered(served)) {
    serve(NULL);
    return false;
  }
  eown_context_enter(scope, served);
  return true;
}
