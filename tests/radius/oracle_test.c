/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "gtest_c.h"
#include "oracle.h"
#include "run.h"

#include <stdlib.h>

/* All graphs of so many services under one setup, in one run. */
static char *all_graphs(unsigned services) {
  char *text = NULL;
  size_t length = 0;
  FILE *file = open_memstream(&text, &length);
  for (unsigned i = 0; i < test_world_count(services); i++) {
    test_world world;
    test_world_choose(&world, services, i);
    test_world_write(&world, file);
  }
  fclose(file);
  return text;
}

static char *options_of(const test_setup *setup, unsigned services) {
  char *text = NULL;
  size_t length = 0;
  FILE *file = open_memstream(&text, &length);
  test_setup_write(setup, services, file);
  fprintf(file, " --top 1 --json");
  fclose(file);
  return text;
}

static double at(const json_t *row, const char *figure, const char *way) {
  return json_number_value(json_object_get(json_object_get(row, figure), way));
}

static void check_radius(const json_t *row, const test_world *world,
                         const test_setup *setup, oracle_way way,
                         const char *name) {
  TEST_TRACE("radius %s", name);
  oracle_result expected = oracle_examine(world, setup, way);
  CHECK_EQ(expected.radius, (unsigned)at(row, "radius", name));
}

static void check_load(const json_t *row, const test_world *world,
                       const test_setup *setup, oracle_way way,
                       const char *name) {
  TEST_TRACE("amplification %s", name);
  double expected = oracle_examine(world, setup, way).amplification;
  CHECK_NEAR(expected, at(row, "amplification", name), expected * 1e-8);
}

static void check_row(const json_t *row, const test_world *world,
                      const test_setup *setup) {
  check_radius(row, world, setup, ORACLE_STOCK, "stock");
  check_radius(row, world, setup, ORACLE_CHAIN_STOP, "chain_stop");
  check_radius(row, world, setup, ORACLE_OWNERSHIP, "ownership");
  check_radius(row, world, setup, ORACLE_OWNERSHIP_FULL, "ownership_full");
  check_load(row, world, setup, ORACLE_STOCK, "stock");
  check_load(row, world, setup, ORACLE_BUDGET, "budget");
  check_load(row, world, setup, ORACLE_OWNERSHIP, "ownership");
  check_load(row, world, setup, ORACLE_OWNERSHIP_FULL, "ownership_full");
}

static void check_graphs(const char *text, const test_world *worlds,
                         unsigned count, const test_setup *setup) {
  char *options = options_of(setup, worlds->services);
  TEST_TRACE("%s", options);
  test_run run;
  test_run_text(&run, text, options);
  CHECK_EQ(0, run.status);
  CHECK_STREQ("", run.err);
  const json_t *roots = json_object_get(run.json, "roots");
  if (CHECK_EQ((size_t)count, json_array_size(roots)))
    for (unsigned i = 0; i < count; i++) {
      TEST_TRACE("graph %u", i);
      check_row(json_array_get(roots, i), &worlds[i], setup);
    }
  test_run_clear(&run);
  free(options);
}

static test_world *worlds_of(unsigned services) {
  unsigned count = test_world_count(services);
  test_world *worlds = calloc(count, sizeof(*worlds));
  for (unsigned i = 0; i < count; i++)
    test_world_choose(&worlds[i], services, i);
  return worlds;
}

/* Every roll-out, each with some draws of the rest. */
EOWN_TEST(RadiusOracle, AllGraphsOfFourEveryRollOut) {
  unsigned long long state = 1;
  char *text = all_graphs(4);
  test_world *worlds = worlds_of(4);
  for (unsigned rollout = 0; rollout < 16; rollout++)
    for (unsigned draw = 0; draw < 4; draw++) {
      test_setup setup;
      test_setup_draw(&setup, 4, draw < 2 ? 4 : 10, &state);
      setup.attempts = rollout == 7 && !draw ? 1 : 2 + (draw & 1);
      for (unsigned i = 0; i < 4; i++)
        setup.eown[i] = rollout >> i & 1;
      check_graphs(text, worlds, test_world_count(4), &setup);
    }
  free(worlds);
  free(text);
}

/* Each single edge without a policy, and fail-open, by itself. */
EOWN_TEST(RadiusOracle, AllGraphsOfFourEachEdge) {
  char *text = all_graphs(4);
  test_world *worlds = worlds_of(4);
  for (unsigned caller = 0; caller < 4; caller++)
    for (unsigned callee = caller + 1; callee < 4; callee++)
      for (unsigned kind = 1; kind < 4; kind++) {
        test_setup setup = {.attempts = 2, .budget = 0.1, .eown = {0, 1, 0, 1}};
        setup.no_retry[caller][callee] = kind & 1;
        setup.fail_open[caller][callee] = kind & 2;
        check_graphs(text, worlds, test_world_count(4), &setup);
      }
  free(worlds);
  free(text);
}

EOWN_TEST(RadiusOracle, AllGraphsOfFive) {
  unsigned long long state = 2;
  char *text = all_graphs(5);
  test_world *worlds = worlds_of(5);
  for (unsigned draw = 0; draw < 10; draw++) {
    test_setup setup;
    test_setup_draw(&setup, 5, draw < 5 ? 6 : 12, &state);
    check_graphs(text, worlds, test_world_count(5), &setup);
  }
  free(worlds);
  free(text);
}

static void draw_world(test_world *world, unsigned long long *state) {
  *world = (test_world){.services = WORLD_MAX};
  for (unsigned i = 0; i < WORLD_MAX; i++)
    for (unsigned j = i + 1; j < WORLD_MAX; j++)
      world->calls[i][j] = test_draw(state, 4);
  test_world_trim(world);
}

/* Several calls of a caller to one callee; the first graph has every edge, so
 * that the options always name edges that are there. */
EOWN_TEST(RadiusOracle, GraphsWithSeveralCalls) {
  unsigned long long state = 3;
  enum { GRAPHS = 20 };
  for (unsigned draw = 0; draw < 10; draw++) {
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    test_world worlds[GRAPHS];
    for (unsigned i = 0; i < GRAPHS; i++) {
      draw_world(&worlds[i], &state);
      if (i == 0)
        test_world_choose(&worlds[0], WORLD_MAX,
                          test_world_count(WORLD_MAX) - 1);
      test_world_write(&worlds[i], file);
    }
    fclose(file);
    test_setup setup;
    test_setup_draw(&setup, WORLD_MAX, 8, &state);
    if (setup.attempts > 2)
      setup.attempts = 2; /* the trees grow fast */
    check_graphs(text, worlds, GRAPHS, &setup);
    free(text);
  }
}
