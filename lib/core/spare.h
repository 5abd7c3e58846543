/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_SPARE_H
#define EOWN_SPARE_H

#include "hot/hot.h"
#include "pool.h"

/* One free context per thread (eown__hot_take takes it), kept for its next
 * inbound call: it is warm, and threads do not meet at the pool's head. It goes
 * back to the pool when the thread ends. */
void eown__spare_init(eown__pool *pool);

/* Gives a free context to the thread, or to the pool where it has one. */
void eown__spare_give(eown_context *context);

#endif /* EOWN_SPARE_H */
