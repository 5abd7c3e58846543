/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* A running service looks at its own memory, and gives it away as JSON. */
#include "counted.h"
#include "eown/grpc.h"
#include "eown/memory_json.h"
#include "hops.h"

#include "gtest_c.h"

#include <stdlib.h>
#include <string.h>

#define CALLS 50

/* What was seen of one service's memories. */
typedef struct sight {
  const char *service;
  int memories;
  char *json; /* of the last one */
} sight;

static void look(void *user, const char *service, eown_memory_table *table,
                 uint64_t now_ms) {
  sight *self = user;
  if (strcmp(service, self->service) != 0)
    return;
  self->memories++;
  free(self->json);
  self->json = eown_memory_json(table, now_ms);
}

static void check_service(const char *service, int memories,
                          const char *const *parts) {
  sight self = {.service = service};
  TEST_TRACE("service '%s'", service);
  eown_grpc_memory_each(look, &self);
  CHECK_EQ(memories, self.memories);
  for (; *parts != NULL; parts++)
    CHECK_CONTAINS(*parts, self.json);
  free(self.json);
}

#define PARTS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define NOTHING ((const char *const[]){NULL})

/* A front that carries on without its outbound. */
static void run(const char *service) {
  static const test_answer unavailable = {.status = GRPC_STATUS_UNAVAILABLE};
  const grpc_arg arguments[] = {TEST_STRING("eown.service_name", service),
                                {.key = NULL}};
  const test_hops hops = {.back = {.script = &unavailable},
                          .front = {.mode = "enforce", .arguments = arguments},
                          .outbound = {.mode = "enforce"},
                          .recovers = true};
  for (int i = 0; i < CALLS; i++) {
    test_hops_result result;
    test_hops_run(&hops, &result);
    CHECK_EQ(GRPC_STATUS_OK, result.reply.status);
    test_reply_clear(&result.reply);
  }
}

EOWN_TEST(ServerMemory, IsSeenFromWithin) {
  check_service("shop.Cart", 0, NOTHING);
  run("shop.Cart");
  check_service("shop.Cart", 1,
                PARTS("\"inbound\":\"" TEST_FRONT_METHOD "\"",
                      "\"outbound\":\"" TEST_METHOD "\"",
                      "\"verdict\":\"fail-open\"", "\"together\":0.0"));
  check_service("shop.Stock", 0, NOTHING);
  run("shop.Stock");
  check_service("shop.Stock", 1, PARTS("\"verdict\":\"fail-open\""));
  check_service("shop.Cart", 1, PARTS("\"verdict\":\"fail-open\""));
}
