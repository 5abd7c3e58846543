/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* The share's turns: how long it waits between exchanges, what it says and
 * counts, and what it knows by then. */
#include "eown/counters.h"
#include "eown/memory_redis.h"
#include "fake_worker.h"
#include "redis_scene.h"

#include "gtest_c.h"

#define INTERVAL 5000

static uint64_t table_clock(void) { return 1000; }

/* A replica that is run turn by turn, and what was seen of it. */
typedef struct turns {
  scene scene;
  eown__exchange other; /* another replica */
  eown_memory_table *table;
  eown_memory_share *share;
  int turn;  /* exchanges so far */
  int lines; /* logged so far */
} turns;

static void count_line(void *user, const char *line) {
  turns *self = user;
  CHECK_CONTAINS(self->scene.server.socket, line);
  self->lines++;
}

static void turns_init(turns *self) {
  *self = (turns){.turn = 0};
  scene_init(&self->scene, NULL, NULL);
  scene_join(&self->scene, &self->other, "shop", DAY);
  self->table = eown_memory_table_create(64, DAY, NULL);
  eown_memory_share_options options = {.table = self->table,
                                       .address = self->scene.server.address,
                                       .service = "shop",
                                       .interval_ms = INTERVAL,
                                       .half_life_ms = DAY,
                                       .edges = 64,
                                       .now_ms = table_clock,
                                       .log = count_line,
                                       .user = self};
  self->share = eown_memory_share_start(&options);
  eown_counters_reset();
}

static void turns_clear(turns *self) {
  eown_memory_share_stop(self->share);
  eown_memory_table_destroy(self->table);
  scene_leave(&self->other);
  scene_clear(&self->scene);
}

static void check_counted(uint64_t exchanges, uint64_t errors) {
  CHECK_EQ(exchanges, eown_counter_read(EOWN_COUNTER_memory_exchanges));
  CHECK_EQ(errors, eown_counter_read(EOWN_COUNTER_memory_exchange_errors));
}

static void check_wait(uint64_t longest, uint64_t ms) {
  CHECK_GE(ms, longest / 2); /* with jitter */
  CHECK_LE(ms, longest);
}

/* --- one interval ----------------------------------------------------------
 */

static void check_failures(turns *self, double failures) {
  eown_memory_entry entry = {.failures = 0};
  CHECK_TRUE(counted_find(self->table, &self->scene.edge, 1000, &entry));
  CHECK_NEAR(failures, entry.failures, 0.01);
  CHECK_EQ(EOWN_EDGE_FAIL_OPEN, entry.kind);
}

static bool learn_in_turns(void *user, uint64_t ms) {
  turns *self = user;
  CHECK_EQ(INTERVAL, ms);
  check_failures(self, 50 + 10 * self->turn);
  scene_exchange(&self->scene, &self->other, 10);
  return ++self->turn < 5;
}

EOWN_TEST(RedisTurns, WhatIsThereIsKnownInTheFirstAndNewsInTheNext) {
  turns self;
  turns_init(&self);
  scene_exchange(&self.scene, &self.other, 50);
  fake_worker_run(learn_in_turns, &self);
  CHECK_EQ(5, self.turn);
  check_counted(5, 0);
  CHECK_EQ(0, self.lines);
  turns_clear(&self);
}

/* --- backing off -----------------------------------------------------------
 */

static const uint64_t longest[] = {100,  200,   400,   800,   1600,  3200,
                                   6400, 12800, 25600, 30000, 30000, 30000};
#define LONGEST_N (int)(sizeof longest / sizeof *longest)

static bool back_off(void *user, uint64_t ms) {
  turns *self = user;
  TEST_TRACE("failure %d", self->turn);
  check_wait(longest[self->turn], ms);
  return ++self->turn < LONGEST_N;
}

EOWN_TEST(RedisTurns, WaitLongerFromFailureToFailure) {
  turns self;
  turns_init(&self);
  redis_server_kill(&self.scene.server);
  fake_worker_run(back_off, &self);
  CHECK_EQ(LONGEST_N, self.turn);
  check_counted(0, (uint64_t)LONGEST_N);
  CHECK_EQ(1, self.lines); /* not one for each */
  turns_clear(&self);
}

/* Redis is there, gone for three turns, back, and gone again. */
static bool come_and_go(void *user, uint64_t ms) {
  turns *self = user;
  TEST_TRACE("turn %d", self->turn);
  switch (self->turn++) {
  case 0:
    CHECK_EQ(INTERVAL, ms);
    redis_server_kill(&self->scene.server);
    return true;
  case 3:
    check_wait(400, ms);
    redis_server_restart(&self->scene.server, NULL, NULL);
    return true;
  case 4:
    CHECK_EQ(INTERVAL, ms);
    redis_server_kill(&self->scene.server);
    return true;
  case 5:
    check_wait(100, ms);
    return false;
  default:
    return true;
  }
}

EOWN_TEST(RedisTurns, BeginAnewAfterASuccess) {
  turns self;
  turns_init(&self);
  fake_worker_run(come_and_go, &self);
  CHECK_EQ(6, self.turn);
  check_counted(2, 4);
  CHECK_EQ(2, self.lines);
  turns_clear(&self);
}
