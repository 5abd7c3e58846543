/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* Exchanges that fail: nothing is lost by them, and nothing learned twice. */
#include "redis_scene.h"

#include "gtest_c.h"

#include <signal.h>

#define AGO(buckets) (SCENE_BUCKET - (buckets))

/* One bucket that cannot be read: what lies before it is learned once, however
 * often it is tried, and what lies behind it when it can be read again. */
EOWN_TEST(RedisTrouble, ABucketThatCannotBeReadIsWaitedFor) {
  scene s;
  eown__exchange a, b;
  scene_init(&s, NULL, NULL);
  scene_join(&s, &a, "shop", DAY);
  wall_ms = AGO(24) * (uint64_t)HOUR;
  scene_exchange(&s, &a, 64);
  wall_ms = SCENE_BUCKET * (uint64_t)HOUR;
  scene_exchange(&s, &a, 10);
  scene_say(&s, "SET eown:{shop}:1:499990 nonsense"); /* ten hours ago */
  scene_join(&s, &b, "shop", DAY);
  for (int i = 0; i < 5; i++) {
    scene_exchange_fails(&s, &b, 1, "WRONGTYPE");
    scene_check(&s, &b, 32 + 1 + i); /* a day old: half of it */
  }
  CHECK_EQ(10, scene_stored(&s, "eown:{shop}:1:500000"));
  scene_say(&s, "DEL eown:{shop}:1:499990");
  scene_exchange(&s, &b, 0);
  scene_check(&s, &b, 32 + 5 + 10);
  CHECK_EQ(15, scene_stored(&s, "eown:{shop}:1:500000"));
  scene_exchange(&s, &b, 0);
  scene_check(&s, &b, 32 + 5 + 10);
  scene_leave(&b);
  scene_leave(&a);
  scene_clear(&s);
}

/* Hours without an exchange: the buckets that went by are read, and what was
 * known of the first of them is not learned again. */
EOWN_TEST(RedisTrouble, BucketsThatWentByAreRead) {
  scene s;
  eown__exchange a, b;
  scene_init(&s, NULL, NULL);
  scene_join(&s, &a, "shop", DAY);
  scene_join(&s, &b, "shop", DAY);
  scene_exchange(&s, &a, 8);
  scene_exchange(&s, &b, 4);
  scene_exchange(&s, &a, 16); /* b does not see it any more */
  wall_ms += 6 * HOUR;
  scene_exchange(&s, &a, 64);
  wall_ms += 18 * HOUR;
  scene_exchange(&s, &b, 1);
  /* Of a's last 16 half is left, and of its 64 2^(-18/24). */
  scene_check(&s, &b, 8 + 4 + 8 + 38 + 1);
  scene_exchange(&s, &b, 0);
  scene_check(&s, &b, 8 + 4 + 8 + 38 + 1);
  scene_leave(&b);
  scene_leave(&a);
  scene_clear(&s);
}

/* A Redis that hangs, and then goes on where it stood. */
EOWN_TEST(RedisTrouble, ASlowRedisLosesNothing) {
  scene s;
  eown__exchange a, b;
  scene_init(&s, NULL, NULL);
  scene_join(&s, &a, "shop", DAY);
  scene_join(&s, &b, "shop", DAY);
  scene_exchange(&s, &a, 5);
  kill(s.server.pid, SIGSTOP);
  scene_exchange_fails(&s, &a, 6, "no answer in time");
  kill(s.server.pid, SIGCONT);
  scene_exchange(&s, &a, 7);
  scene_exchange(&s, &b, 0);
  scene_check(&s, &a, 18);
  scene_check(&s, &b, 18);
  scene_leave(&b);
  scene_leave(&a);
  scene_clear(&s);
}

/* A full Redis can be read; what it refuses is sent when it has room again. */
EOWN_TEST(RedisTrouble, AFullRedisIsReadAndGetsTheRestLater) {
  scene s;
  eown__exchange a, b;
  scene_init(&s, "--maxmemory-policy", "noeviction");
  scene_join(&s, &a, "shop", DAY);
  scene_join(&s, &b, "shop", DAY);
  scene_exchange(&s, &a, 50);
  scene_say(&s, "CONFIG SET maxmemory 1");
  for (int i = 0; i < 3; i++)
    scene_exchange_fails(&s, &b, 2, "OOM");
  scene_check(&s, &b, 56);
  CHECK_EQ(50, scene_stored(&s, "eown:{shop}:1:500000"));
  scene_say(&s, "CONFIG SET maxmemory 0");
  scene_exchange(&s, &b, 0);
  scene_exchange(&s, &a, 0);
  scene_check(&s, &b, 56);
  scene_check(&s, &a, 56);
  scene_leave(&b);
  scene_leave(&a);
  scene_clear(&s);
}

/* One that answers everything with an error, and one that is not there. */
EOWN_TEST(RedisTrouble, ErrorsAndAbsenceLoseNothing) {
  scene s;
  eown__exchange a, b;
  scene_init(&s, NULL, NULL);
  scene_join(&s, &a, "shop", DAY);
  scene_exchange(&s, &a, 1);
  scene_say(&s, "ACL SETUSER default -@all");
  scene_exchange_fails(&s, &a, 2, "NOPERM");
  redis_server_kill(&s.server);
  scene_exchange_fails(&s, &a, 4, "");
  CHECK_STRNE("", a.connection.error);
  scene_exchange_fails(&s, &a, 8, "No such file");
  redis_server_restart(&s.server, NULL, NULL);
  scene_join(&s, &b, "shop", DAY);
  scene_exchange(&s, &a, 16);
  scene_exchange(&s, &b, 0);
  scene_check(&s, &a, 31);
  scene_check(&s, &b, 30); /* the first went with the Redis that was killed */
  scene_leave(&b);
  scene_leave(&a);
  scene_clear(&s);
}
