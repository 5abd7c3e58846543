/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "eown/context.h"

#include "eown/counters.h"

#include <pthread.h>
#include <string.h>

#include "edges.h"
#include "hot/hot.h"
#include "pool.h"
#include "spare.h"

struct eown_context {
  eown__hot_context hot;
  pthread_mutex_t mutex; /* guards what follows */
  eown__edges edges;
};

static eown__pool pool;
static pthread_once_t pool_once = PTHREAD_ONCE_INIT;

static void make_pool(void) {
  size_t line = 64;
  size_t stride = (sizeof(eown_context) + line - 1) / line * line;
  eown__spare_init(&pool); /* first: what is taken may be given back at once */
  if (!eown__pool_make(&pool, stride, EOWN_CONTEXTS_MAX))
    eown_count(EOWN_COUNTER_no_memory);
}

bool eown_context_pool_init(void) {
  pthread_once(&pool_once, make_pool);
  return pool.base != NULL;
}

static EOWN__NOINLINE eown_context *begin_from_pool(void) {
  bool fresh;
  eown_context *context = eown__pool_take(&pool, &fresh);
  if (context == NULL)
    return NULL;
  if (fresh)
    pthread_mutex_init(&context->mutex, NULL);
  return eown__hot_begin(context);
}

eown_context *eown_context_acquire(void) {
  eown_context *context = eown__hot_take();
  return context != NULL ? context : begin_from_pool();
}

void eown__hot_end(eown_context *context) {
  if (context->hot.state.sequence != 0)
    eown__edges_clear(&context->edges);
  eown__spare_give(context);
}

eown_context *eown_context_ref(eown_context *context) {
  if (context != NULL)
    eown__hot_ref(context);
  return context;
}

eown_context *eown_context_try_ref(eown_context *context) {
  uint32_t held = __atomic_load_n(&context->hot.references, __ATOMIC_RELAXED);
  do {
    if (held == 0)
      return NULL;
  } while (!__atomic_compare_exchange_n(&context->hot.references, &held,
                                        held + 1, true, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED));
  return context;
}

void eown_context_unref(eown_context *context) {
  if (context != NULL && eown__hot_unref(context))
    eown__hot_end(context);
}

bool eown_context_is_context(const void *pointer) {
  return eown__pool_holds(&pool, pointer);
}

void eown_context_set_method(eown_context *context, const char *path,
                             size_t length) {
  eown__hot_set_method(context, path, length);
}

const char *eown_context_method(const eown_context *context) {
  return context->hot.method;
}

static void mark(eown_context *context, uint8_t bit) {
  __atomic_fetch_or(&context->hot.state.marks, bit, __ATOMIC_RELAXED);
}

void eown_context_mark_retry(eown_context *context) {
  mark(context, EOWN__MARK_RETRY);
}

bool eown_context_is_retry(const eown_context *context) {
  return eown__hot_is_marked(context, EOWN__MARK_RETRY);
}

void eown_context_mark_blocking(eown_context *context) {
  mark(context, EOWN__MARK_BLOCKING);
}

bool eown_context_is_blocking(const eown_context *context) {
  return eown__hot_is_marked(context, EOWN__MARK_BLOCKING);
}

void eown_context_mark_answered(eown_context *context) {
  mark(context, EOWN__MARK_ANSWERED);
}

bool eown_context_is_answered(const eown_context *context) {
  return eown__hot_is_marked(context, EOWN__MARK_ANSWERED);
}

void eown_context_set_claim(eown_context *context, eown_claim claim) {
  if (context != NULL)
    __atomic_store_n(&context->hot.state.claim, (uint8_t)claim,
                     __ATOMIC_RELAXED);
}

/* --- the thread's current context ---------------------------------------- */

void eown_context_enter(eown_context_scope *scope, eown_context *context) {
  scope->previous = eown__hot_thread.current;
  scope->entered = eown_context_ref(context);
  eown__hot_thread.current = context;
}

void eown_context_leave(eown_context_scope *scope) {
  eown_context *entered = scope->entered;
  scope->entered = NULL;
  eown__hot_thread.current = scope->previous;
  eown_context_unref(entered);
}

eown_context *eown_context_current(void) { return eown__hot_current(); }

/* --- correlation ---------------------------------------------------------- */

uint32_t eown_context_now(const eown_context *context) {
  return eown__hot_now(context);
}

static bool nothing_failed(const eown_context *context) {
  return eown__hot_now(context) == 0;
}

/* The sequence moves only under the lock, before the edges change, and is read
 * without it: a reader that sees the old value is ordered before the failure.
 */
void eown_context_record(eown_context *context, const eown_outcome *outcome) {
  bool ok = outcome->status == EOWN_STATUS_OK;
  if (ok && nothing_failed(context))
    return;
  pthread_mutex_lock(&context->mutex);
  uint32_t now = eown_context_now(context) + (ok ? 0u : 1u);
  eown__edges_record(&context->edges, outcome, now);
  __atomic_store_n(&context->hot.state.sequence, now, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&context->mutex);
}

bool eown_context_would_repeat(eown_context *context, const char *method,
                               size_t length) {
  if (nothing_failed(context))
    return false;
  pthread_mutex_lock(&context->mutex);
  bool failed = eown__edges_failed(&context->edges, method, length);
  pthread_mutex_unlock(&context->mutex);
  return failed;
}

void eown_context_set_retried(eown_context *context) {
  if (context == NULL || nothing_failed(context))
    return;
  pthread_mutex_lock(&context->mutex);
  eown__edges_set_retried(&context->edges);
  pthread_mutex_unlock(&context->mutex);
}

void eown_context_note_loop(eown_context *context, const char *method,
                            size_t length, eown_status status,
                            uint32_t attempts, bool held_back) {
  if (nothing_failed(context))
    return;
  pthread_mutex_lock(&context->mutex);
  eown__edges_note_loop(&context->edges, method, length, status, attempts,
                        held_back);
  pthread_mutex_unlock(&context->mutex);
}

/* --- the inbound's own word ---------------------------------------------- */

static void own_error(const eown_context *context,
                      const eown_context_view *view,
                      eown_claim_detail *detail) {
  eown_claim_detail_set_owner_path(detail, context->hot.method,
                                   context->hot.method_length);
  const char *name = view->service_name;
  if (name != NULL && name[0] != '\0') {
    char method[EOWN_OWNER_MAX + 1];
    memcpy(method, detail->owner_method, sizeof(method));
    eown_claim_detail_set_owner(detail, name, strlen(name), method,
                                strlen(method));
  }
  detail->hops = 0;
}

/* The owner is whom the callee named, or else the callee itself. */
static void passed_error(const eown__edge *edge, eown_claim_detail *detail) {
  bool named =
      eown__edge_detail(edge, detail) && detail->owner_service[0] != '\0';
  if (!named)
    eown_claim_detail_set_owner_path(detail, edge->name, edge->name_length);
  uint32_t hops = named ? detail->hops : 0;
  detail->hops = hops < UINT32_MAX ? hops + 1 : hops;
}

static eown_decision decide(eown_context *context, eown_status status,
                            const eown_context_view *view,
                            eown_claim_detail *detail) {
  const eown__edge *speaker;
  eown_reason reason = eown__edges_reason(&context->edges, status,
                                          context->hot.method, view, &speaker);
  eown_claim claim = eown_rule_claim(reason);
  eown_claim application =
      (eown_claim)__atomic_load_n(&context->hot.state.claim, __ATOMIC_RELAXED);
  if (application != EOWN_CLAIM_MISSING) {
    claim = application;
    reason = EOWN_REASON_APPLICATION;
  }
  if (claim == EOWN_CLAIM_UNCLAIMED && speaker != NULL)
    passed_error(speaker, detail);
  else
    own_error(context, view, detail);
  detail->attempts = speaker == NULL ? 0 : speaker->attempts;
  detail->reason = reason;
  eown_decision decision = {false, claim, reason};
  return decision;
}

eown_decision eown_context_decide(eown_context *context, eown_status status,
                                  const eown_context_view *view,
                                  eown_claim_detail *detail) {
  eown_decision decision = {false, EOWN_CLAIM_MISSING, EOWN_REASON_NONE};
  if (status == EOWN_STATUS_OK && nothing_failed(context))
    return decision;
  pthread_mutex_lock(&context->mutex);
  if (status != EOWN_STATUS_OK)
    decision = decide(context, status, view, detail);
  eown__edges_learn(&context->edges, status, context->hot.method, view);
  pthread_mutex_unlock(&context->mutex);
  return decision;
}
