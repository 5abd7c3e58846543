/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* A real Redis Cluster of one node: all keys of a service are in one slot. */
#include "redis_scene.h"

#include "field.h"

#include "gtest_c.h"

#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* A port that nobody uses, for what nodes of a cluster tell each other. */
static int free_port(void) {
  struct sockaddr_in name = {.sin_family = AF_INET,
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof name;
  int end = socket(AF_INET, SOCK_STREAM, 0);
  CHECK_EQ(0, bind(end, (const struct sockaddr *)&name, size));
  getsockname(end, (struct sockaddr *)&name, &size);
  close(end);
  return ntohs(name.sin_port);
}

static void write_options(const char *path) {
  char text[128];
  int length = snprintf(text, sizeof text,
                        "bind 127.0.0.1\ncluster-enabled yes\n"
                        "cluster-port %d\n",
                        free_port());
  test_file_write(path, text, (size_t)length);
}

static bool serves(void *user) {
  const scene *self = user;
  redisReply *reply = redisCommand(self->redis, "CLUSTER INFO");
  bool good = reply != NULL && reply->str != NULL &&
              strstr(reply->str, "cluster_state:ok") != NULL;
  freeReplyObject(reply);
  return good;
}

static void take_all_slots(scene *self) {
  redisReply *reply =
      redisCommand(self->redis, "CLUSTER ADDSLOTSRANGE 0 16383");
  CHECK_STREQ("OK", reply != NULL ? reply->str : NULL);
  freeReplyObject(reply);
  CHECK_TRUE(test_wait(serves, self));
}

/* Two buckets of one replica; another one reads both. */
static void check_service(const scene *self, const char *service) {
  eown__exchange a, b;
  char first[512], second[512];
  TEST_TRACE("service '%s'", service);
  wall_ms = (uint64_t)SCENE_BUCKET * HOUR;
  scene_join(self, &a, service, DAY);
  scene_exchange(self, &a, 64);
  eown__key_write(service, a.bucket, first, sizeof first);
  wall_ms += HOUR;
  scene_exchange(self, &a, 7);
  eown__key_write(service, a.bucket, second, sizeof second);
  CHECK_STRNE(first, second);
  CHECK_EQ(scene_ask(self, "CLUSTER", "KEYSLOT", first),
           scene_ask(self, "CLUSTER", "KEYSLOT", second));
  CHECK_EQ(2, scene_ask(self, "EXISTS", first, second)); /* no CROSSSLOT */
  scene_join(self, &b, service, DAY);
  scene_exchange(self, &b, 0);
  scene_check(self, &b, 62 + 7); /* 64 * 2^(-1/24) are left */
  scene_leave(&b);
  scene_leave(&a);
}

EOWN_TEST(RedisCluster, KeepsAServiceInOneSlot) {
  scene s;
  test_folder folder;
  char options[128];
  test_folder_make(&folder);
  test_folder_path(&folder, "options", options);
  write_options(options);
  scene_init(&s, "--include", options);
  take_all_slots(&s);
  check_service(&s, "shop");
  check_service(&s, "cart {a} b");
  check_service(&s, "");
  CHECK_EQ(6, scene_keys(&s));
  scene_clear(&s);
  test_folder_remove(&folder);
}
