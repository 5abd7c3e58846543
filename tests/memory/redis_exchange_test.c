/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* Keys, buckets of time and a cluster: exchanges step by step, by a wall clock
 * that the test sets. */
#include "counted.h"
#include "exchange.h"
#include "field.h"
#include "redis_server.h"

#include "gtest_c.h"

#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define HOUR 3600000
#define DAY (24 * (uint64_t)HOUR)
#define BUCKET 500000 /* hours since 1970: in 2027 */
#define KEPT 48       /* buckets that are read at first */
#define KEY_SIZE (3 * EOWN_OWNER_MAX + 64)

/* The program is linked with --wrap=clock_gettime. */
int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);

static uint64_t wall_ms;

int __wrap_clock_gettime(clockid_t clock, struct timespec *now) {
  if (clock != CLOCK_REALTIME)
    return __real_clock_gettime(clock, now);
  now->tv_sec = (time_t)(wall_ms / 1000);
  now->tv_nsec = (long)(wall_ms % 1000 * 1000000);
  return 0;
}

/* --- a replica, and a look into Redis --------------------------------------
 */

typedef struct scene {
  redis_server server;
  redisContext *redis;
  counted_name name;
  eown_edge edge;
} scene;

static void scene_init(scene *self, const char *option, const char *value) {
  wall_ms = (uint64_t)BUCKET * HOUR;
  redis_server_start(&self->server, option, value);
  self->redis = redisConnectUnix(self->server.socket);
  self->edge = counted_edge(&self->name, 1, 1);
}

static void scene_clear(scene *self) {
  redisFree(self->redis);
  redis_server_stop(&self->server);
}

static void join_as(const scene *self, eown__exchange *replica,
                    const char *service, uint64_t half_life_ms) {
  *replica = (eown__exchange){
      .table = eown_memory_table_create(64, half_life_ms, NULL),
      .service = service,
      .half_life_ms = half_life_ms,
      .connection.size_limit = 1 << 20};
  CHECK_TRUE(eown_redis_address_parse(self->server.address,
                                      &replica->connection.address));
  CHECK_TRUE(eown__ledger_init(&replica->ledger, 64));
}

static void leave(eown__exchange *replica) {
  eown__connection_close(&replica->connection);
  eown__ledger_clear(&replica->ledger);
  eown_memory_table_destroy(replica->table);
}

static void exchange_after(const scene *self, eown__exchange *replica,
                           unsigned failures) {
  counted_fails(replica->table, &self->edge, false, failures, 1000);
  CHECK_TRUE(eown__exchange_run(replica, 1000));
  CHECK_STREQ("", replica->connection.error);
}

static void check_failures(const scene *self, const eown__exchange *replica,
                           double failures) {
  eown_memory_entry entry = {.failures = 0};
  counted_find(replica->table, &self->edge, 1000, &entry);
  CHECK_NEAR(failures, entry.failures, 0.01);
}

/* What a command with one key, or two, is answered. */
static long long ask(const scene *self, const char *command, const char *key,
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

static size_t count_keys(const scene *self) {
  redisReply *reply = redisCommand(self->redis, "KEYS *");
  size_t count = reply != NULL ? reply->elements : 0;
  freeReplyObject(reply);
  return count;
}

/* What all replicas saw of the edge in one bucket. */
static uint64_t stored(const scene *self, const char *key) {
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

/* --- keys ------------------------------------------------------------------
 */

static const char *const services[] = {
    "",    "shop", "shop.Cart", "cart {a} b", "a}b{c",  "{}",    "}",   "{",
    "x:y", "%",    "%25",       " ",          "\xff\n", "1:{x}", "a{}", "eown"};
#define SERVICES_N (sizeof services / sizeof *services)

/* Writes a key's hash tag as Redis finds it: what is between the first '{' and
 * the first '}' after it, where that is not empty. */
static void read_tag(const char *key, char tag[KEY_SIZE]) {
  const char *open = strchr(key, '{');
  const char *close = open != NULL ? strchr(open, '}') : NULL;
  REQUIRE_NOT_NULL(close);
  CHECK_GT(close - open, 1);
  CHECK_NULL(strchr(open + 1, '{')); /* and there is no other */
  CHECK_NULL(strchr(close + 1, '}'));
  snprintf(tag, KEY_SIZE, "%.*s", (int)(close - open - 1), open + 1);
}

static void check_tag(const char *service, char tag[KEY_SIZE]) {
  static const struct {
    uint64_t bucket;
    const char *end;
  } rows[] = {{0, ":1:0"},
              {1, ":1:1"},
              {500000, ":1:500000"},
              {UINT64_MAX, ":1:18446744073709551615"}};
  TEST_TRACE("service '%s'", service);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char key[KEY_SIZE], other[KEY_SIZE] = "";
    eown__key_write(service, rows[i].bucket, key, sizeof key);
    read_tag(key, i == 0 ? tag : other);
    if (i > 0)
      CHECK_STREQ(tag, other);
    CHECK_STREQ(rows[i].end, strchr(key, '}') + 1);
  }
}

EOWN_TEST(RedisKeys, HaveOneTagForEachService) {
  char tags[SERVICES_N][KEY_SIZE];
  for (size_t i = 0; i < SERVICES_N; i++) {
    check_tag(services[i], tags[i]);
    for (size_t j = 0; j < i; j++)
      CHECK_STRNE(tags[j], tags[i]);
  }
}

EOWN_TEST(RedisKeys, AreWholeForTheLongestService) {
  char service[2 * EOWN_OWNER_MAX], tag[KEY_SIZE];
  memset(service, '{', sizeof service);
  service[sizeof service - 1] = '\0';
  check_tag(service, tag);
  CHECK_EQ(3 * EOWN_OWNER_MAX, strlen(tag)); /* cut; each as %7B */
}

/* --- buckets ---------------------------------------------------------------
 */

EOWN_TEST(RedisBuckets, BeginWithTheHourAndExpireAfterTwoHalfLives) {
  scene s;
  eown__exchange a;
  const char *first = "eown:{shop}:1:500000", *second = "eown:{shop}:1:500001";
  scene_init(&s, NULL, NULL);
  join_as(&s, &a, "shop", DAY);
  exchange_after(&s, &a, 5);
  wall_ms += HOUR - 1; /* the bucket's last moment */
  exchange_after(&s, &a, 6);
  CHECK_EQ(1, count_keys(&s));
  CHECK_EQ(11, stored(&s, first));
  wall_ms += 1;
  exchange_after(&s, &a, 7);
  CHECK_EQ(2, count_keys(&s));
  CHECK_EQ(11, stored(&s, first));
  CHECK_EQ(7, stored(&s, second));
  for (int i = 0; i < 2; i++) {
    long long left = ask(&s, "PTTL", i == 0 ? first : second, NULL);
    CHECK_GT(left, (long long)KEPT * HOUR); /* as long as they are read */
    CHECK_LE(left, (long long)(KEPT + 1) * HOUR);
  }
  exchange_after(&s, &a, 0);
  check_failures(&s, &a, 18); /* nothing of its own comes back */
  leave(&a);
  scene_clear(&s);
}

/* A replica that starts reads all that is left, at the weight it has left. */
EOWN_TEST(RedisBuckets, FadeAndAreLeftOutInTheEnd) {
  scene s;
  eown__exchange a, late, later, reader;
  scene_init(&s, NULL, NULL);
  join_as(&s, &a, "shop", DAY);
  join_as(&s, &reader, "shop", DAY);
  exchange_after(&s, &reader, 0);
  exchange_after(&s, &a, 64);
  wall_ms += HOUR; /* over the end of a bucket nothing is lost */
  exchange_after(&s, &reader, 0);
  check_failures(&s, &reader, 62); /* 64 * 2^(-1/24) */
  wall_ms += (KEPT - 2) * (uint64_t)HOUR;
  join_as(&s, &late, "shop", DAY);
  exchange_after(&s, &late, 0);
  check_failures(&s, &late, 16); /* 64 * 2^(-47/24) */
  wall_ms += HOUR;
  join_as(&s, &later, "shop", DAY);
  exchange_after(&s, &later, 0);
  check_failures(&s, &later, 0);
  leave(&later);
  leave(&late);
  leave(&reader);
  leave(&a);
  scene_clear(&s);
}

static bool has_no_keys(void *user) { return count_keys(user) == 0; }

EOWN_TEST(RedisBuckets, ExpireInTruth) {
  scene s;
  eown__exchange a;
  scene_init(&s, NULL, NULL);
  join_as(&s, &a, "shop", 240); /* buckets of 10 ms, kept for 490 */
  exchange_after(&s, &a, 5);
  CHECK_TRUE(test_wait(has_no_keys, &s));
  leave(&a);
  scene_clear(&s);
}

/* A Redis that lost everything: a replica does not learn from what it sends
 * itself then, and learns what another one sent first. */
EOWN_TEST(RedisBuckets, LostOnesAreNotLearnedFromTwice) {
  scene s;
  eown__exchange a, b;
  scene_init(&s, NULL, NULL);
  join_as(&s, &a, "shop", DAY);
  join_as(&s, &b, "shop", DAY);
  exchange_after(&s, &a, 50);
  exchange_after(&s, &b, 0);
  freeReplyObject(redisCommand(s.redis, "FLUSHALL"));
  exchange_after(&s, &a, 10);
  exchange_after(&s, &a, 0);
  check_failures(&s, &a, 60);
  exchange_after(&s, &b, 3);
  exchange_after(&s, &a, 0);
  exchange_after(&s, &b, 0);
  check_failures(&s, &a, 63);
  check_failures(&s, &b, 63);
  leave(&a);
  leave(&b);
  scene_clear(&s);
}
