/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_REDIS_NEWS_H
#define EOWN_REDIS_NEWS_H

#include "exchange.h"

/* Learns what is new in the sums of one bucket, a reply to HGETALL, and
 * accounts for it. Fields and values of another form are left out. */
void eown__news_learn(eown__exchange *exchange, const redisReply *hash,
                      uint64_t bucket);

#endif /* EOWN_REDIS_NEWS_H */
