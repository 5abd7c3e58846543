/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* Buckets of time: they begin, roll over, fade, expire and get lost. */
#include "redis_scene.h"

#include "gtest_c.h"

#define KEPT 48 /* buckets that are read at first */

EOWN_TEST(RedisBuckets, BeginWithTheHourAndExpireAfterTwoHalfLives) {
  scene s;
  eown__exchange a;
  const char *first = "eown:{shop}:1:500000", *second = "eown:{shop}:1:500001";
  scene_init(&s, NULL, NULL);
  scene_join(&s, &a, "shop", DAY);
  scene_exchange(&s, &a, 5);
  wall_ms += HOUR - 1; /* the bucket's last moment */
  scene_exchange(&s, &a, 6);
  CHECK_EQ(1, scene_keys(&s));
  CHECK_EQ(11, scene_stored(&s, first));
  wall_ms += 1;
  scene_exchange(&s, &a, 7);
  CHECK_EQ(2, scene_keys(&s));
  CHECK_EQ(11, scene_stored(&s, first));
  CHECK_EQ(7, scene_stored(&s, second));
  for (int i = 0; i < 2; i++) {
    long long left = scene_ask(&s, "PTTL", i == 0 ? first : second, NULL);
    CHECK_GT(left, (long long)KEPT * HOUR); /* as long as they are read */
    CHECK_LE(left, (long long)(KEPT + 1) * HOUR);
  }
  scene_exchange(&s, &a, 0);
  scene_check(&s, &a, 18); /* nothing of its own comes back */
  scene_leave(&a);
  scene_clear(&s);
}

/* A replica that starts reads all that is left, at the weight it has left. */
EOWN_TEST(RedisBuckets, FadeAndAreLeftOutInTheEnd) {
  scene s;
  eown__exchange a, late, later, reader;
  scene_init(&s, NULL, NULL);
  scene_join(&s, &a, "shop", DAY);
  scene_join(&s, &reader, "shop", DAY);
  scene_exchange(&s, &reader, 0);
  scene_exchange(&s, &a, 64);
  wall_ms += HOUR; /* over the end of a bucket nothing is lost */
  scene_exchange(&s, &reader, 0);
  scene_check(&s, &reader, 62); /* 64 * 2^(-1/24) */
  wall_ms += (KEPT - 2) * (uint64_t)HOUR;
  scene_join(&s, &late, "shop", DAY);
  scene_exchange(&s, &late, 0);
  scene_check(&s, &late, 16); /* 64 * 2^(-47/24) */
  wall_ms += HOUR;
  scene_join(&s, &later, "shop", DAY);
  scene_exchange(&s, &later, 0);
  scene_check(&s, &later, 0);
  scene_leave(&later);
  scene_leave(&late);
  scene_leave(&reader);
  scene_leave(&a);
  scene_clear(&s);
}

static bool has_no_keys(void *user) { return scene_keys(user) == 0; }

EOWN_TEST(RedisBuckets, ExpireInTruth) {
  scene s;
  eown__exchange a;
  scene_init(&s, NULL, NULL);
  scene_join(&s, &a, "shop", 240); /* buckets of 10 ms, kept for 490 */
  scene_exchange(&s, &a, 5);
  CHECK_TRUE(test_wait(has_no_keys, &s));
  scene_leave(&a);
  scene_clear(&s);
}

/* A Redis that lost everything: a replica does not learn from what it sends
 * itself then, and learns what another one sent first. */
EOWN_TEST(RedisBuckets, LostOnesAreNotLearnedFromTwice) {
  scene s;
  eown__exchange a, b;
  scene_init(&s, NULL, NULL);
  scene_join(&s, &a, "shop", DAY);
  scene_join(&s, &b, "shop", DAY);
  scene_exchange(&s, &a, 50);
  scene_exchange(&s, &b, 0);
  scene_say(&s, "FLUSHALL");
  scene_exchange(&s, &a, 10);
  scene_exchange(&s, &a, 0);
  scene_check(&s, &a, 60);
  scene_exchange(&s, &b, 3);
  scene_exchange(&s, &a, 0);
  scene_exchange(&s, &b, 0);
  scene_check(&s, &a, 63);
  scene_check(&s, &b, 63);
  scene_leave(&a);
  scene_leave(&b);
  scene_clear(&s);
}
