/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "world.h"

#include <string.h>

unsigned test_world_count(unsigned services) {
  return 1u << (services * (services - 1) / 2);
}

void test_world_choose(test_world *world, unsigned services, unsigned index) {
  *world = (test_world){.services = services};
  for (unsigned i = 0; i < services; i++)
    for (unsigned j = i + 1; j < services; j++, index >>= 1)
      world->calls[i][j] = index & 1;
  test_world_trim(world);
}

/* Requests of each service for one of A's. */
static void count_requests(const test_world *world, unsigned *requests) {
  memset(requests, 0, WORLD_MAX * sizeof(*requests));
  requests[0] = 1;
  for (unsigned i = 0; i < world->services; i++)
    for (unsigned j = i + 1; j < world->services; j++)
      requests[j] += requests[i] * world->calls[i][j];
}

void test_world_trim(test_world *world) {
  unsigned requests[WORLD_MAX];
  count_requests(world, requests);
  for (unsigned i = 0; i < world->services; i++)
    if (!requests[i])
      memset(world->calls[i], 0, sizeof(world->calls[i]));
}

void test_world_write(const test_world *world, FILE *file) {
  unsigned requests[WORLD_MAX];
  count_requests(world, requests);
  fprintf(file, "{\"service\":\"S\",\"num\":1,\"edges\":[[\"USER\",\"A\",1]");
  for (unsigned i = 0; i < world->services; i++)
    for (unsigned j = i + 1; j < world->services; j++)
      if (world->calls[i][j])
        fprintf(file, ",[\"%c\",\"%c\",%u,\"rpc\"]", 'A' + i, 'A' + j,
                requests[i] * world->calls[i][j]);
  fprintf(file, "]}\n");
}

static void write_edges(const bool edges[WORLD_MAX][WORLD_MAX],
                        unsigned services, const char *option, FILE *file) {
  for (unsigned i = 0; i < services; i++)
    for (unsigned j = i + 1; j < services; j++)
      if (edges[i][j])
        fprintf(file, " %s %c-%c", option, 'A' + i, 'A' + j);
}

void test_setup_write(const test_setup *setup, unsigned services, FILE *file) {
  const char *separator = " --eown ";
  fprintf(file, "--attempts %u --budget %.17g", setup->attempts,
          setup->budget * 100);
  for (unsigned i = 0; i < services; i++)
    if (setup->eown[i]) {
      fprintf(file, "%s%c", separator, 'A' + i);
      separator = ",";
    }
  if (*separator == ' ')
    fprintf(file, " --eown none");
  write_edges(setup->no_retry, services, "--no-retry", file);
  write_edges(setup->fail_open, services, "--fail-open", file);
}

unsigned test_draw(unsigned long long *state, unsigned bound) {
  *state = *state * 6364136223846793005ull + 1442695040888963407ull;
  return (unsigned)(*state >> 33) % bound;
}

void test_setup_draw(test_setup *setup, unsigned services, unsigned rarity,
                     unsigned long long *state) {
  *setup = (test_setup){.attempts = 1 + test_draw(state, 3),
                        .budget = test_draw(state, 4) * 0.25};
  for (unsigned i = 0; i < services; i++) {
    setup->eown[i] = test_draw(state, 2);
    for (unsigned j = i + 1; j < services; j++) {
      setup->no_retry[i][j] = !test_draw(state, rarity);
      setup->fail_open[i][j] = !test_draw(state, rarity);
    }
  }
}
