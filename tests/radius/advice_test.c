/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "gtest_c.h"
#include "run.h"
#include "world.h"

#include <stdlib.h>
#include <string.h>

/* In a chain the middle comes first: it halves the storm. */
EOWN_TEST(RadiusAdvice, ChainOfSeven) {
  test_run run;
  test_run_text(&run, "A,B\nB,C\nC,D\nD,E\nE,F\nF,G\n", "--json");
  CHECK_STREQ("eown", test_string(run.json, "advice.0.action"));
  CHECK_STREQ("D", test_string(run.json, "advice.0.at"));
  CHECK_NEAR(3, test_number(run.json, "advice.0.radius_max"), 0);
  CHECK_NEAR(1, test_number(run.json, "advice.4.radius_max"), 0);
  CHECK_NULL(test_string(run.json, "advice.5.action"));
  test_run_clear(&run);
}

EOWN_TEST(RadiusAdvice, NothingToDo) {
  test_run run;
  test_run_text(&run, "A,B\nB,C\nC,D\n", "--json --eown all");
  CHECK_EQ(0u, json_array_size(json_object_get(run.json, "advice")));
  test_run_clear(&run);
  test_run_text(&run, "A,B\nA,C\n", "--json");
  CHECK_EQ(0u, json_array_size(json_object_get(run.json, "advice")));
  test_run_clear(&run);
}

EOWN_TEST(RadiusAdvice, Top) {
  test_run run;
  test_run_text(&run, "A,B\nB,C\nC,D\nD,E\nE,F\nF,G\n", "--json --top 2");
  CHECK_EQ(2u, json_array_size(json_object_get(run.json, "advice")));
  test_run_clear(&run);
}

/* Where two branches are the worst, both are cut, one after the other. */
EOWN_TEST(RadiusAdvice, TwoBranches) {
  test_run run;
  test_run_text(&run, "A,B\nB,C\nA,X\nX,Y\n", "--json");
  CHECK_STREQ("B", test_string(run.json, "advice.0.at"));
  CHECK_NEAR(2, test_number(run.json, "advice.0.radius_max"), 0);
  CHECK_STREQ("X", test_string(run.json, "advice.1.at"));
  CHECK_NEAR(1, test_number(run.json, "advice.1.radius_max"), 0);
  test_run_clear(&run);
}

/* With eown everywhere an edge without a policy only costs reach. */
EOWN_TEST(RadiusAdvice, RetryPolicy) {
  test_run run;
  test_run_text(&run, "A,B\nB,C\nC,D\n",
                "--json --eown all --no-retry B-C --no-retry C-D");
  CHECK_STREQ("retry", test_string(run.json, "advice.0.action"));
  CHECK_STREQ("B", test_string(run.json, "advice.0.caller"));
  CHECK_STREQ("C", test_string(run.json, "advice.0.callee"));
  CHECK_NEAR(2, test_number(run.json, "advice.0.reach_max"), 0);
  CHECK_STREQ("C", test_string(run.json, "advice.1.caller"));
  CHECK_NEAR(1, test_number(run.json, "advice.1.reach_max"), 0);
  CHECK_NEAR(1, test_number(run.json, "advice.1.radius_max"), 0);
  test_run_clear(&run);
}

EOWN_TEST(RadiusAdvice, NamesItsService) {
  test_run run;
  test_run_text(&run,
                "{\"service\":\"S\",\"edges\":[[\"A\",\"B\"],[\"B\",\"C\"]]}",
                "--json");
  CHECK_STREQ("S", test_string(run.json, "advice.0.service"));
  CHECK_STREQ("B", test_string(run.json, "advice.0.at"));
  test_run_clear(&run);
}

/* The radius that the advice promises is the one that a run with its services
 * has; `list` holds what it named so far. */
static void check_promise(const char *text, const json_t *step, char *list) {
  char options[128];
  test_run run;
  if (*list)
    strcat(list, ",");
  strcat(list, test_string(step, "at"));
  snprintf(options, sizeof(options), "--json --eown %s", list);
  test_run_text(&run, text, options);
  CHECK_NEAR(test_number(step, "radius_max"),
             test_number(run.json, "overall.radius_max.ownership"), 0);
  CHECK_NEAR(test_number(step, "radius_mean"),
             test_number(run.json, "overall.radius_mean.ownership"), 1e-8);
  test_run_clear(&run);
}

/* Every first step is at least as good as any single service. */
static void check_greedy(const char *text, const json_t *first) {
  for (char name = 'A'; name <= 'E'; name++) {
    char options[32];
    test_run run;
    snprintf(options, sizeof(options), "--json --eown %c", name);
    test_run_text(&run, text, options);
    if (run.status == 0) /* else it has no such service */
      CHECK_TRUE(test_number(first, "radius_max") <=
                 test_number(run.json, "overall.radius_max.ownership"));
    test_run_clear(&run);
  }
}

EOWN_TEST(RadiusAdvice, KeepsItsPromises) {
  unsigned long long state = 7;
  for (unsigned draw = 0; draw < 12; draw++) {
    test_world world;
    test_world_choose(&world, 5, test_draw(&state, test_world_count(5)) | 1);
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    test_world_write(&world, file);
    fclose(file);
    TEST_TRACE("%s", text);
    test_run run;
    test_run_text(&run, text, "--json");
    const json_t *advice = json_object_get(run.json, "advice");
    char list[32] = "";
    for (size_t i = 0; i < json_array_size(advice); i++)
      check_promise(text, json_array_get(advice, i), list);
    if (json_array_size(advice))
      check_greedy(text, json_array_get(advice, 0));
    test_run_clear(&run);
    free(text);
  }
}
