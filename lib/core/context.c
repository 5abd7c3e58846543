/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "eown/context.h"

#include "eown/counters.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "edges.h"
#include "pool.h"
#include "thread_local.h"

/* A context starts with what every inbound call touches; what only failures
 * touch comes after. */
struct eown_context {
  eown__pool_link link;
  _Atomic uint32_t references;
  _Atomic uint32_t sequence; /* failures so far; 0: nothing to lock for */
  _Atomic uint8_t claim;     /* the application's, MISSING: it has none */
  _Atomic uint8_t marks;     /* what is known of the inbound itself */
  uint32_t method_length;
  char method[EOWN_METHOD_MAX + 1];
  pthread_mutex_t mutex; /* guards what follows */
  eown__edges edges;
};

enum { MARK_RETRY = 1, MARK_BLOCKING = 2, MARK_ANSWERED = 4 };

static eown__pool pool;
static pthread_once_t pool_once = PTHREAD_ONCE_INIT;
static EOWN__THREAD_LOCAL eown_context *current;

static void make_pool(void) {
  size_t line = 64;
  size_t stride = (sizeof(eown_context) + line - 1) / line * line;
  if (!eown__pool_make(&pool, stride, EOWN_CONTEXTS_MAX))
    eown_count(EOWN_COUNTER_no_memory);
}

bool eown_context_pool_init(void) {
  pthread_once(&pool_once, make_pool);
  return pool.base != NULL;
}

eown_context *eown_context_acquire(void) {
  bool fresh;
  eown_context *context = eown__pool_take(&pool, &fresh);
  if (context == NULL)
    return NULL;
  if (fresh)
    pthread_mutex_init(&context->mutex, NULL);
  atomic_store_explicit(&context->references, 1, memory_order_relaxed);
  atomic_store_explicit(&context->sequence, 0, memory_order_relaxed);
  atomic_store_explicit(&context->claim, EOWN_CLAIM_MISSING,
                        memory_order_relaxed);
  atomic_store_explicit(&context->marks, 0, memory_order_relaxed);
  context->method_length = 0;
  context->method[0] = '\0';
  eown__edges_clear(&context->edges);
  return context;
}

eown_context *eown_context_ref(eown_context *context) {
  if (context != NULL)
    atomic_fetch_add_explicit(&context->references, 1, memory_order_relaxed);
  return context;
}

eown_context *eown_context_try_ref(eown_context *context) {
  uint32_t held =
      atomic_load_explicit(&context->references, memory_order_relaxed);
  do {
    if (held == 0)
      return NULL;
  } while (!atomic_compare_exchange_weak_explicit(
      &context->references, &held, held + 1, memory_order_acquire,
      memory_order_relaxed));
  return context;
}

void eown_context_unref(eown_context *context) {
  if (context != NULL && atomic_fetch_sub_explicit(&context->references, 1,
                                                   memory_order_acq_rel) == 1)
    eown__pool_give(&pool, context);
}

bool eown_context_is_context(const void *pointer) {
  return eown__pool_holds(&pool, pointer);
}

void eown_context_set_method(eown_context *context, const char *path,
                             size_t length) {
  size_t kept = length < EOWN_METHOD_MAX ? length : EOWN_METHOD_MAX;
  memcpy(context->method, path, kept);
  context->method[kept] = '\0';
  context->method_length = (uint32_t)kept;
}

const char *eown_context_method(const eown_context *context) {
  return context->method;
}

static void mark(eown_context *context, uint8_t bit) {
  atomic_fetch_or_explicit(&context->marks, bit, memory_order_relaxed);
}

static bool is_marked(const eown_context *context, uint8_t bit) {
  return (atomic_load_explicit(&context->marks, memory_order_relaxed) & bit) !=
         0;
}

void eown_context_mark_retry(eown_context *context) {
  mark(context, MARK_RETRY);
}

bool eown_context_is_retry(const eown_context *context) {
  return is_marked(context, MARK_RETRY);
}

void eown_context_mark_blocking(eown_context *context) {
  mark(context, MARK_BLOCKING);
}

bool eown_context_is_blocking(const eown_context *context) {
  return is_marked(context, MARK_BLOCKING);
}

void eown_context_mark_answered(eown_context *context) {
  mark(context, MARK_ANSWERED);
}

bool eown_context_is_answered(const eown_context *context) {
  return is_marked(context, MARK_ANSWERED);
}

void eown_context_set_claim(eown_context *context, eown_claim claim) {
  if (context != NULL)
    atomic_store_explicit(&context->claim, (uint8_t)claim,
                          memory_order_relaxed);
}

/* --- the thread's current context ---------------------------------------- */

void eown_context_enter(eown_context_scope *scope, eown_context *context) {
  scope->previous = current;
  scope->entered = eown_context_ref(context);
  current = context;
}

void eown_context_leave(eown_context_scope *scope) {
  current = scope->previous;
  eown_context_unref(scope->entered);
  scope->entered = NULL;
}

eown_context *eown_context_current(void) { return current; }

/* --- correlation ---------------------------------------------------------- */

uint32_t eown_context_now(const eown_context *context) {
  return atomic_load_explicit(&context->sequence, memory_order_acquire);
}

static bool nothing_failed(const eown_context *context) {
  return eown_context_now(context) == 0;
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
  atomic_store_explicit(&context->sequence, now, memory_order_release);
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

/* --- the inbound's own word ---------------------------------------------- */

static void own_error(const eown_context *context,
                      const eown_context_view *view,
                      eown_claim_detail *detail) {
  eown_claim_detail_set_owner_path(detail, context->method,
                                   context->method_length);
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
                                          context->method, view, &speaker);
  eown_claim claim = eown_rule_claim(reason);
  eown_claim application =
      (eown_claim)atomic_load_explicit(&context->claim, memory_order_relaxed);
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
  eown__edges_learn(&context->edges, status, context->method, view);
  pthread_mutex_unlock(&context->mutex);
  return decision;
}
