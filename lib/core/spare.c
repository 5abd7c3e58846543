/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "spare.h"

#include <pthread.h>

static eown__pool *home;
static pthread_key_t at_end;
static bool has_key;

/* No room is left: what ends after the thread could leave another one. */
static void end(void *own) {
  eown__hot_own *thread = own;
  eown_context *spare = thread->spare;
  thread->spare = NULL;
  thread->room = 0;
  while (spare != NULL) {
    eown_context *next = eown__hot_of(spare)->next;
    eown__pool_give(home, spare);
    spare = next;
  }
}

void eown__spare_init(eown__pool *pool) {
  home = pool;
  has_key = pthread_key_create(&at_end, end) == 0;
}

/* A thread has no room before libc has agreed to say when it ends (for which it
 * may allocate, once in a thread). */
static void ask(eown__hot_own *own) {
  own->asked = true;
  if (has_key && pthread_setspecific(at_end, own) == 0)
    own->room = EOWN__SPARES;
  eown__hot_choose_counts();
}

void eown__spare_give(eown_context *context) {
  eown__hot_own *own = &eown__hot_thread;
  if (!own->asked)
    ask(own);
  eown__hot_of(context)->any = 0; /* what it was is over */
  if (!eown__hot_keep(context))
    eown__pool_give(home, context);
}
