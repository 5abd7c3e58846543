/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_MEMORY_REDIS_SCENE_H
#define EOWN_TESTS_MEMORY_REDIS_SCENE_H

#include "counted.h"
#include "exchange.h"
#include "redis_server.h"

#include <stddef.h>
#include <stdint.h>

#define HOUR 3600000
#define DAY (24 * (uint64_t)HOUR)
#define SCENE_BUCKET 500000 /* hours since 1970: in 2027 */

/* The wall clock, for this whole program; it does not move by itself. */
extern uint64_t wall_ms;

/* Exchanges step by step, without threads, and a look into their Redis. Tests
 * that do so link with --wrap=clock_gettime. */
typedef struct scene {
  redis_server server;
  redisContext *redis;
  counted_name name;
  eown_edge edge; /* the one that fails */
} scene;

/* Starts a Redis, with the wall clock at the begin of SCENE_BUCKET. */
void scene_init(scene *self, const char *option, const char *value);
void scene_clear(scene *self);

/* A new replica of a service; end it with scene_leave. */
void scene_join(const scene *self, eown__exchange *replica, const char *service,
                uint64_t half_life_ms);
void scene_leave(eown__exchange *replica);

/* Lets the edge fail so often, and then exchanges; that must succeed. */
void scene_exchange(const scene *self, eown__exchange *replica,
                    unsigned failures);

/* The same where the exchange must fail, with this in its error. */
void scene_exchange_fails(const scene *self, eown__exchange *replica,
                          unsigned failures, const char *error);

/* Checks how many failures of the edge a replica knows. */
void scene_check(const scene *self, const eown__exchange *replica,
                 double failures);

/* Says something to Redis that it must take. */
void scene_say(const scene *self, const char *command);

/* The number that a command with one key, or two, is answered. */
long long scene_ask(const scene *self, const char *command, const char *key,
                    const char *second);

/* How many keys there are. */
size_t scene_keys(const scene *self);

/* What all replicas saw of the edge, by the bucket of this key. */
uint64_t scene_stored(const scene *self, const char *key);

#endif /* EOWN_TESTS_MEMORY_REDIS_SCENE_H */
