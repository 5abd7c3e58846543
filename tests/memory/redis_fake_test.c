/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* A Redis that speaks nonsense, or is slow, or never stops: the share counts
 * it, tries again, ends when it is told to, and learns nothing wrong. */
#include "counted.h"
#include "eown/counters.h"
#include "eown/memory_redis.h"
#include "fake_redis.h"

#include "gtest_c.h"

#include <stdio.h>
#include <string.h>

#define DAY EOWN_MEMORY_HALF_LIFE_DEFAULT_MS

static bool tried_again(void *user) {
  fake_redis *fake = user;
  return eown_counter_read(EOWN_COUNTER_memory_exchange_errors) >= 2 ||
         atomic_load(&fake->connections) >= 3;
}

static void check_survives(const char *answer, size_t length, bool endless) {
  fake_redis fake;
  counted_name name;
  eown_edge edge = counted_edge(&name, 1, 1);
  eown_counters_reset();
  fake_redis_start(&fake, answer, length, endless);
  eown_memory_table *table = eown_memory_table_create(16, DAY, NULL);
  eown_memory_share_options options = {.table = table,
                                       .address = fake.address,
                                       .service = "shop",
                                       .interval_ms = 10,
                                       .half_life_ms = DAY,
                                       .edges = 16,
                                       .now_ms = test_now_ms};
  eown_memory_share *share = eown_memory_share_start(&options);
  REQUIRE_NOT_NULL(share);
  counted_fails(table, &edge, false, 50, test_now_ms());
  CHECK_TRUE(test_wait(tried_again, &fake));
  CHECK_EQ(EOWN_EDGE_FAIL_OPEN, counted_kind(table, &edge, test_now_ms()));
  CHECK_EQ(1, counted_edges(table));
  eown_memory_share_stop(share);
  eown_memory_table_destroy(table);
  fake_redis_stop(&fake);
}

EOWN_TEST(RedisFake, Nonsense) {
  static const char *const answers[] = {
      "HTTP/1.1 400 Bad Request\r\n\r\n",
      "\r\n",
      "+OK\r\n",
      "-ERR no\r\n",
      "-MOVED 1 nowhere:x\r\n",
      ":99999999999999999999999\r\n",
      "$-5\r\n",
      "$2000000000\r\nx",
      "*2000000000\r\n",
      "*-7\r\n",
      "*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n",
      "*2\r\n$1\r\na\r\n:1\r\n",
  };
  for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
    TEST_TRACE("%s", answers[i]);
    check_survives(answers[i], strlen(answers[i]), false);
  }
}

EOWN_TEST(RedisFake, NeverAnswers) { check_survives(NULL, 0, false); }

EOWN_TEST(RedisFake, NeverStops) {
  static const char piece[] = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
  check_survives(piece, sizeof piece - 1, true);
}

/* One that hangs up while it is written to: that is no signal for the program.
 */
EOWN_TEST(RedisFake, HangsUp) {
  fake_redis fake;
  char address[200], message[512];
  fake_redis_start(&fake, "", 0, true);
  snprintf(address, sizeof address, ":secret@%s", fake.address);
  eown_memory_table *table = eown_memory_table_create(16, DAY, NULL);
  for (int i = 0; i < 50; i++) {
    message[0] = '\0';
    CHECK_FALSE(eown_memory_share_read(table, address, "shop", DAY, 1000,
                                       message, sizeof message));
    CHECK_CONTAINS(fake.address, message);
    CHECK_NULL(strstr(message, "secret"));
  }
  eown_memory_table_destroy(table);
  fake_redis_stop(&fake);
}
