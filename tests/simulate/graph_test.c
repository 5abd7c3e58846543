/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* Fleets from files. The formats themselves are tested with radius. */
#include "lab/simulate/fleet_graph.h"
#include "lab/simulate/simulation.h"

#include "gtest_c.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void read_text(lab_fleet *fleet, const char *text, const char *root,
                      uint32_t *broken) {
  char path[] = "/tmp/eown-graph-XXXXXX";
  int file = mkstemp(path);
  REQUIRE_TRUE(file >= 0);
  CHECK_GT(dprintf(file, "%s", text), 0);
  close(file);
  lab_fleet_read(fleet, path, root, broken);
  unlink(path);
}

EOWN_TEST(SimulatedGraph, CallsByWeight) {
  lab_fleet fleet;
  uint32_t broken = 9;
  read_text(&fleet,
            "caller,callee,calls\n"
            "USER,shop,100\nshop,cart,200\nshop,user,50\ncart,store,100\n",
            NULL, &broken);
  CHECK_EQ(0, broken);
  CHECK_EQ(4, fleet.count);
  CHECK_EQ(0, lab_fleet_find(&fleet, "shop"));
  CHECK_EQ(3, lab_fleet_count_edges(&fleet));
  /* 1 + 2 + 0.5 + 1 */
  CHECK_NEAR(4.5, lab_fleet_hops(&fleet), 1e-3);
  uint32_t store = lab_fleet_find(&fleet, "store");
  CHECK_EQ(store, lab_fleet_deepest(&fleet));
  lab_fleet_clear(&fleet);
}

EOWN_TEST(SimulatedGraph, CyclesAreBroken) {
  lab_fleet fleet;
  uint32_t broken = 0;
  read_text(&fleet, "caller,callee,calls\na,b,1\nb,c,1\nc,b,1\nc,c,1\nc,d,1\n",
            NULL, &broken);
  CHECK_EQ(2, broken);
  CHECK_EQ(4, fleet.count);
  CHECK_EQ(3, lab_fleet_count_edges(&fleet));
  for (uint32_t i = 0; i < fleet.count; i++)
    for (uint32_t j = 0; j < fleet.services[i].edges; j++)
      CHECK_LT(i, fleet.edges[fleet.services[i].first + j].callee);
  lab_fleet_clear(&fleet);
}

/* The root that reaches most is taken, or the one asked for. */
EOWN_TEST(SimulatedGraph, Roots) {
  static const char text[] = "caller,callee,calls\na,x,1\nb,x,1\nb,y,1\n";
  lab_fleet fleet;
  uint32_t broken = 0;
  char name[LAB_FLEET_NAME];
  read_text(&fleet, text, NULL, &broken);
  CHECK_STREQ("b", lab_fleet_name(&fleet, 0, name));
  CHECK_EQ(3, fleet.count);
  lab_fleet_clear(&fleet);
  read_text(&fleet, text, "a", &broken);
  CHECK_STREQ("a", lab_fleet_name(&fleet, 0, name));
  CHECK_EQ(2, fleet.count);
  lab_fleet_clear(&fleet);
}
