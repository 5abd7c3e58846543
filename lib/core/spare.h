/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_SPARE_H
#define EOWN_SPARE_H

#include "hot/hot.h"
#include "pool.h"

/* The free contexts that a thread keeps for its next inbound calls
 * (eown__hot_take takes them): they are warm, and threads do not meet at the
 * pool's head. They go back to the pool when the thread ends. */
#define EOWN__SPARES 8u

void eown__spare_init(eown__pool *pool);

/* Gives a free context to the thread, or to the pool where it has enough. */
void eown__spare_give(eown_context *context);

#endif /* EOWN_SPARE_H */
