/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "spare.h"

#include <pthread.h>

static eown__pool *home;
static pthread_key_t at_end;
static bool has_key;

/* A thread keeps nothing any more once it has ended: what ends after it could
 * leave another. */
static void end(void *own) {
  eown__hot_own *thread = own;
  eown_context *spare = thread->spare;
  thread->spare = NULL;
  thread->keeps = EOWN__KEEPS_NOTHING;
  if (spare != NULL)
    eown__pool_give(home, spare);
}

void eown__spare_init(eown__pool *pool) {
  home = pool;
  has_key = pthread_key_create(&at_end, end) == 0;
}

void eown__spare_give(eown_context *context) {
  eown__hot_own *own = &eown__hot_thread;
  if (own->keeps == EOWN__KEEPS_UNASKED) {
    own->keeps = has_key && pthread_setspecific(at_end, own) == 0
                     ? EOWN__KEEPS_ONE
                     : EOWN__KEEPS_NOTHING;
    eown__hot_choose_counts();
  }
  if (own->spare == NULL && own->keeps == EOWN__KEEPS_ONE)
    own->spare = context;
  else
    eown__pool_give(home, context);
}
