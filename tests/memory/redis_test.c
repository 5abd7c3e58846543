/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* Replicas that share their memory through a real Redis. */
#include "counted.h"
#include "eown/counters.h"
#include "eown/memory_redis.h"
#include "redis_server.h"

#include "gtest_c.h"

#include <stdio.h>
#include <string.h>

/* The longest there is: no bucket of time ends during a test. */
#define HALF_LIFE (UINT64_C(1073741824) * 1000)
#define REPLICAS 3

/* One replica: a table and its share. */
typedef struct replica {
  eown_memory_table *table;
  eown_memory_share *share;
} replica;

static void join_service(replica *self, const char *address,
                         const char *service) {
  self->table = eown_memory_table_create(256, HALF_LIFE, NULL);
  eown_memory_share_options options = {.table = self->table,
                                       .address = address,
                                       .service = service,
                                       .interval_ms = 10,
                                       .half_life_ms = HALF_LIFE,
                                       .edges = 256,
                                       .now_ms = test_now_ms};
  self->share = eown_memory_share_start(&options);
  CHECK_NOT_NULL(self->share);
}

static void leave_service(replica *self) {
  eown_memory_share_stop(self->share);
  eown_memory_table_destroy(self->table);
}

/* Waits until a table has so many failures of an edge. */
typedef struct wish {
  eown_memory_table *table;
  eown_edge edge;
  double failures;
  eown_memory_entry entry;
} wish;

static bool has_them(void *user) {
  wish *self = user;
  return counted_find(self->table, &self->edge, test_now_ms(), &self->entry) &&
         self->entry.failures >= self->failures - 0.01;
}

static void check_knows(const replica *self, const eown_edge *edge,
                        double failures, eown_edge_kind kind) {
  wish w = {.table = self->table, .edge = *edge, .failures = failures};
  CHECK_TRUE(test_wait(has_them, &w));
  CHECK_NEAR(failures, w.entry.failures, 0.01);
  CHECK_EQ(kind, w.entry.kind);
}

EOWN_TEST(Redis, ReplicasAddUpWhatEachHasSeen) {
  redis_server server;
  replica replicas[REPLICAS];
  counted_name names[2];
  eown_edge open = counted_edge(&names[0], 1, 1);
  eown_edge close = counted_edge(&names[1], 1, 2);
  redis_server_start(&server, NULL, NULL);
  for (int i = 0; i < REPLICAS; i++)
    join_service(&replicas[i], server.address, "shop");
  for (int i = 0; i < REPLICAS; i++) { /* none of them has enough alone */
    counted_fails(replicas[i].table, &open, false, 20, test_now_ms());
    counted_fails(replicas[i].table, &close, true, 4, test_now_ms());
  }
  for (int i = 0; i < REPLICAS; i++) {
    TEST_TRACE("replica %d", i);
    check_knows(&replicas[i], &open, 20 * REPLICAS, EOWN_EDGE_FAIL_OPEN);
    check_knows(&replicas[i], &close, 4 * REPLICAS, EOWN_EDGE_FAIL_CLOSE);
  }
  replica late;
  join_service(&late, server.address, "shop");
  check_knows(&late, &open, 20 * REPLICAS, EOWN_EDGE_FAIL_OPEN);
  check_knows(&late, &close, 4 * REPLICAS, EOWN_EDGE_FAIL_CLOSE);
  leave_service(&late);
  for (int i = 0; i < REPLICAS; i++)
    leave_service(&replicas[i]);
  redis_server_stop(&server);
}

EOWN_TEST(Redis, ServicesDoNotMix) {
  redis_server server;
  replica shop, cart, shop_too;
  counted_name name;
  eown_edge edge = counted_edge(&name, 1, 1);
  redis_server_start(&server, NULL, NULL);
  join_service(&shop, server.address, "shop");
  join_service(&cart, server.address, "cart {a} b");
  counted_fails(shop.table, &edge, false, 50, test_now_ms());
  join_service(&shop_too, server.address, "shop");
  check_knows(&shop_too, &edge, 50, EOWN_EDGE_FAIL_OPEN);
  CHECK_EQ(0, counted_edges(cart.table));
  leave_service(&shop);
  leave_service(&cart);
  leave_service(&shop_too);
  redis_server_stop(&server);
}

static bool exchange_fails(void *user) {
  (void)user;
  return eown_counter_read(EOWN_COUNTER_memory_exchange_errors) > 0;
}

/* Redis goes away in the middle and comes back with nothing: what was observed
 * meanwhile arrives, and nothing is forgotten. */
EOWN_TEST(Redis, KilledAndRestarted) {
  redis_server server;
  replica a, b;
  counted_name name;
  eown_edge edge = counted_edge(&name, 1, 1);
  redis_server_start(&server, NULL, NULL);
  join_service(&a, server.address, "shop");
  join_service(&b, server.address, "shop");
  counted_fails(a.table, &edge, false, 50, test_now_ms());
  check_knows(&b, &edge, 50, EOWN_EDGE_FAIL_OPEN);
  redis_server_kill(&server);
  eown_counters_reset();
  CHECK_TRUE(test_wait(exchange_fails, NULL));
  counted_fails(a.table, &edge, false, 30, test_now_ms());
  redis_server_restart(&server, NULL, NULL);
  /* An exchange on its way when Redis went may have been lost with it. */
  wish w = {.table = b.table, .edge = edge, .failures = 80};
  CHECK_TRUE(test_wait(has_them, &w));
  CHECK_EQ(EOWN_EDGE_FAIL_OPEN, counted_kind(b.table, &edge, test_now_ms()));
  leave_service(&a);
  leave_service(&b);
  redis_server_stop(&server);
}

/* A full Redis refuses what would take room; it is kept until there is some. */
EOWN_TEST(Redis, Full) {
  redis_server server;
  replica a;
  counted_name name;
  eown_edge edge = counted_edge(&name, 1, 1);
  redis_server_start(&server, "--maxmemory", "1");
  eown_counters_reset();
  join_service(&a, server.address, "shop");
  counted_fails(a.table, &edge, false, 50, test_now_ms());
  CHECK_TRUE(test_wait(exchange_fails, NULL));
  redis_server_kill(&server);
  redis_server_restart(&server, NULL, NULL);
  replica b;
  join_service(&b, server.address, "shop");
  check_knows(&b, &edge, 50, EOWN_EDGE_FAIL_OPEN);
  leave_service(&a);
  leave_service(&b);
  redis_server_stop(&server);
}

EOWN_TEST(Redis, Password) {
  redis_server server;
  replica good, bad;
  char address[256];
  counted_name name;
  eown_edge edge = counted_edge(&name, 1, 1);
  redis_server_start(&server, "--requirepass", "se:cr@et");
  snprintf(address, sizeof address, ":se:cr@et@%s", server.address);
  join_service(&good, address, "shop");
  counted_fails(good.table, &edge, false, 50, test_now_ms());
  eown_counters_reset();
  join_service(&bad, server.address, "shop");
  CHECK_TRUE(test_wait(exchange_fails, NULL));
  replica late;
  join_service(&late, address, "shop");
  check_knows(&late, &edge, 50, EOWN_EDGE_FAIL_OPEN);
  CHECK_EQ(0, counted_edges(bad.table));
  leave_service(&late);
  leave_service(&good);
  leave_service(&bad);
  redis_server_stop(&server);
}

EOWN_TEST(Redis, ReadOnce) {
  redis_server server;
  replica a;
  char message[512] = "";
  counted_name name;
  eown_edge edge = counted_edge(&name, 1, 1);
  redis_server_start(&server, NULL, NULL);
  join_service(&a, server.address, "shop");
  counted_fails(a.table, &edge, false, 50, test_now_ms());
  leave_service(&a); /* sends what is left */
  eown_memory_table *table = eown_memory_table_create(256, HALF_LIFE, NULL);
  CHECK_TRUE(eown_memory_share_read(table, server.address, "shop", HALF_LIFE,
                                    1000, message, sizeof message));
  CHECK_EQ(EOWN_EDGE_FAIL_OPEN, counted_kind(table, &edge, 1000));
  redis_server_stop(&server);
  CHECK_FALSE(eown_memory_share_read(table, server.address, "shop", HALF_LIFE,
                                     1000, message, sizeof message));
  CHECK_CONTAINS(server.address, message);
  eown_memory_table_destroy(table);
}

EOWN_TEST(Redis, BadAddress) {
  eown_memory_table *table = eown_memory_table_create(256, HALF_LIFE, NULL);
  eown_memory_share_options options = {.table = table,
                                       .address = "nowhere",
                                       .service = "shop",
                                       .interval_ms = 10,
                                       .half_life_ms = HALF_LIFE,
                                       .edges = 256,
                                       .now_ms = test_now_ms};
  CHECK_NULL(eown_memory_share_start(&options));
  eown_memory_share_stop(NULL);
  eown_memory_table_destroy(table);
}
