/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "redis_scene.h"

#include "field.h"

#include "gtest_c.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* The program is linked with --wrap=clock_gettime. */
int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);

uint64_t wall_ms;

int __wrap_clock_gettime(clockid_t clock, struct timespec *now) {
  if (clock != CLOCK_REALTIME)
    return __real_clock_gettime(clock, now);
  now->tv_sec = (time_t)(wall_ms / 1000);
  now->tv_nsec = (long)(wall_ms % 1000 * 1000000);
  return 0;
}

void scene_init(scene *self, const char *option, const char *value) {
  wall_ms = (uint64_t)SCENE_BUCKET * HOUR;
  signal(SIGPIPE, SIG_IGN); /* the library's thread has signals blocked */
  redis_server_start(&self->server, option, value);
  self->redis = redisConnectUnix(self->server.socket);
  self->edge = counted_edge(&self->name, 1, 1);
}

void scene_clear(scene *self) {
  redisFree(self->redis);
  redis_server_stop(&self->server);
}

void scene_join(const scene *self, eown__exchange *replica, const char *service,
                uint64_t half_life_ms) {
  *replica = (eown__exchange){
      .table = eown_memory_table_create(64, half_life_ms, NULL),
      .service = service,
      .half_life_ms = half_life_ms,
      .connection.size_limit = 1 << 20};
  CHECK_TRUE(eown_redis_address_parse(self->server.address,
                                      &replica->connection.address));
  CHECK_TRUE(eown__ledger_init(&replica->ledger, 64));
}

void scene_leave(eown__exchange *replica) {
  eown__connection_close(&replica->connection);
  eown__ledger_clear(&replica->ledger);
  eown_memory_table_destroy(replica->table);
}

void scene_exchange(const scene *self, eown__exchange *replica,
                    unsigned failures) {
  counted_fails(replica->table, &self->edge, false, failures, 1000);
  CHECK_TRUE(eown__exchange_run(replica, 1000));
  CHECK_STREQ("", replica->connection.error);
}

void scene_exchange_fails(const scene *self, eown__exchange *replica,
                          unsigned failures, const char *error) {
  counted_fails(replica->table, &self->edge, false, failures, 1000);
  CHECK_FALSE(eown__exchange_run(replica, 1000));
  CHECK_CONTAINS(error, replica->connection.error);
}

void scene_check(const scene *self, const eown__exchange *replica,
                 double failures) {
  eown_memory_entry entry = {.failures = 0};
  counted_find(replica->table, &self->edge, 1000, &entry);
  CHECK_NEAR(failures, entry.failures, 0.01);
}

void scene_say(const scene *self, const char *command) {
  redisReply *reply = redisCommand(self->redis, command);
  TEST_TRACE("%s", command);
  CHECK_NOT_NULL(reply);
  if (reply != NULL && reply->type == REDIS_REPLY_ERROR)
    FAIL_TEST("%s", reply->str);
  freeReplyObject(reply);
}

/* What a command with one key, or two, is answered. */
long long scene_ask(const scene *self, const char *command, const char *key,
                    const char *second) {
  redisReply *reply =
      second != NULL
          ? redisCommand(self->redis, "%s %s %s", command, key, second)
          : redisCommand(self->redis, "%s %s", command, key);
  TEST_TRACE("%s %s", command, key);
  CHECK_NOT_NULL(reply);
  long long number = -1;
  if (reply != NULL && reply->type == REDIS_REPLY_INTEGER)
    number = reply->integer;
  else
    FAIL_TEST("no number: %s", reply && reply->str ? reply->str : "");
  freeReplyObject(reply);
  return number;
}

size_t scene_keys(const scene *self) {
  redisReply *reply = redisCommand(self->redis, "KEYS *");
  size_t count = reply != NULL ? reply->elements : 0;
  freeReplyObject(reply);
  return count;
}

/* What all replicas saw of the edge in one bucket. */
uint64_t scene_stored(const scene *self, const char *key) {
  char field[EOWN__FIELD_MAX];
  int64_t sum = 0;
  size_t length = eown__field_write(&self->edge, field);
  redisReply *reply =
      redisCommand(self->redis, "HGET %s %b", key, field, length);
  if (reply == NULL || reply->type != REDIS_REPLY_STRING ||
      !eown__counts_read(reply->str, reply->len, &sum))
    FAIL_TEST("%s: no sum", key);
  freeReplyObject(reply);
  return eown__counts_of(sum);
}
