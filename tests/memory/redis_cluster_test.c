/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* A real Redis Cluster: all keys of a service are in one slot, which is found.
 */
#include "redis_scene.h"

#include "field.h"

#include "gtest_c.h"

#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* A port that nobody uses, below those that the system hands out by itself. */
static int free_port(void) {
  static int port;
  struct sockaddr_in name = {.sin_family = AF_INET,
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  bool found = false;
  if (port == 0)
    port = 10000 + getpid() % 20000;
  for (int tries = 0; !found && tries < 1000; tries++) {
    int end = socket(AF_INET, SOCK_STREAM, 0);
    name.sin_port = htons((uint16_t)++port);
    found = bind(end, (const struct sockaddr *)&name, sizeof name) == 0;
    close(end);
  }
  CHECK_TRUE(found);
  return port;
}

/* A node of a cluster: its Redis, and where the others reach it. */
typedef struct node {
  scene scene;
  test_folder folder;
  int port;
  int bus; /* for what nodes tell each other */
} node;

static void node_init(node *self) {
  char path[128], text[128];
  self->port = free_port();
  self->bus = free_port();
  int length = snprintf(text, sizeof text,
                        "bind 127.0.0.1\nport %d\ncluster-enabled yes\n"
                        "cluster-port %d\n",
                        self->port, self->bus);
  test_folder_make(&self->folder);
  test_folder_path(&self->folder, "options", path);
  test_file_write(path, text, (size_t)length);
  scene_init(&self->scene, "--include", path);
}

static void node_clear(node *self) {
  scene_clear(&self->scene);
  test_folder_remove(&self->folder);
}

static bool serves(void *user) {
  const scene *self = user;
  redisReply *reply = redisCommand(self->redis, "CLUSTER INFO");
  bool good = reply != NULL && reply->str != NULL &&
              strstr(reply->str, "cluster_state:ok") != NULL;
  freeReplyObject(reply);
  return good;
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
  node one;
  node_init(&one);
  scene_say(&one.scene, "CLUSTER ADDSLOTSRANGE 0 16383");
  CHECK_TRUE(test_wait(serves, &one.scene));
  check_service(&one.scene, "shop");
  check_service(&one.scene, "cart {a} b");
  check_service(&one.scene, "");
  CHECK_EQ(6, scene_keys(&one.scene));
  node_clear(&one);
}

/* A replica that knows one node only finds a service's keys at the other. */
static void check_both(node *first, node *second, const char *service) {
  eown__exchange a, b;
  TEST_TRACE("service '%s'", service);
  wall_ms = (uint64_t)SCENE_BUCKET * HOUR;
  scene_join(&first->scene, &a, service, DAY);
  scene_join(&second->scene, &b, service, DAY);
  scene_exchange(&first->scene, &a, 5);
  wall_ms += HOUR - 1;
  scene_exchange(&first->scene, &a, 6);
  scene_exchange(&second->scene, &b, 0);
  scene_check(&second->scene, &b, 11);
  scene_leave(&b);
  scene_leave(&a);
}

EOWN_TEST(RedisCluster, GoesOnAtTheNodeThatHasTheSlot) {
  node low, high;
  char meet[64];
  node_init(&low);
  node_init(&high);
  scene_say(&low.scene, "CLUSTER ADDSLOTSRANGE 0 8191");
  scene_say(&high.scene, "CLUSTER ADDSLOTSRANGE 8192 16383");
  snprintf(meet, sizeof meet, "CLUSTER MEET 127.0.0.1 %d %d", high.port,
           high.bus);
  scene_say(&low.scene, meet);
  CHECK_TRUE(test_wait(serves, &low.scene));
  CHECK_TRUE(test_wait(serves, &high.scene));
  check_both(&low, &high, "shop");
  check_both(&low, &high, "cart");
  check_both(&low, &high, "stock");
  check_both(&low, &high, "");
  CHECK_EQ(4, scene_keys(&low.scene) + scene_keys(&high.scene));
  CHECK_GT(scene_keys(&low.scene), 0); /* both nodes have some */
  CHECK_GT(scene_keys(&high.scene), 0);
  node_clear(&low);
  node_clear(&high);
}
