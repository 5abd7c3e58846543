/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* EOWN_MODE, which is read once: the program starts itself anew for each value
 * (TEST_EXPECTED says to the new one what to expect). */
#include "eown/grpc.h"
#include "gtest_c.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "counts.h"
#include "log.h"
#include "pair.h"

static const test_answer unclaimed = {
    .status = GRPC_STATUS_UNAVAILABLE,
    .trailers = {{"error-claim", "unclaimed", 0}}};

static int run_anew(const char *mode, const char *expected) {
  pid_t pid = fork();
  if (pid == 0) {
    if (mode == NULL)
      unsetenv("EOWN_MODE");
    else
      setenv("EOWN_MODE", mode, 1);
    setenv("TEST_EXPECTED", expected, 1);
    setenv("GRPC_VERBOSITY", "error", 1);
    execl("/proc/self/exe", "environment_test", "--gtest_brief=1",
          "--gtest_filter=Environment.Child", (char *)NULL);
    _exit(127);
  }
  int status = -1;
  waitpid(pid, &status, 0);
  return status;
}

EOWN_TEST(Environment, EveryValue) {
  if (getenv("TEST_EXPECTED") != NULL)
    return;
  CHECK_EQ(0, run_anew(NULL, "own"));
  CHECK_EQ(0, run_anew("", "own"));
  CHECK_EQ(0, run_anew("off", "off"));
  CHECK_EQ(0, run_anew("0", "off"));
  CHECK_EQ(0, run_anew("observe", "observe"));
  CHECK_EQ(0, run_anew("enforce", "enforce"));
  CHECK_EQ(0, run_anew("2", "enforce"));
  CHECK_EQ(0, run_anew("ENFORCE", "bad"));
  CHECK_EQ(0, run_anew("on", "bad"));
}

/* Unclaimed by word and by hand, so that it is with and without the filter. */
static void unclaim(test_inbound *inbound, void *user) {
  (void)user;
  eown_context_set_claim(eown_context_from_call(inbound->call),
                         EOWN_CLAIM_UNCLAIMED);
  test_inbound_answer(inbound, &unclaimed);
}

/* Three attempts are allowed. */
static void check(const char *mode, const char *expected) {
  TEST_TRACE("channel and server of mode %s", mode == NULL ? "none" : mode);
  bool enforced = strcmp(expected, "enforce") == 0;
  bool observed = strcmp(expected, "observe") == 0;
  test_reply reply;
  test_server_options server = {.mode = mode, .handler = unclaim};
  test_channel_options channel = {.mode = mode, .attempts = 3};
  CHECK_EQ(enforced ? 1u : 3u, test_pair_run(&server, &channel, &reply));
  CHECK_EQ(enforced   ? 1u
           : observed ? 2u
                      : 0u,
           eown_counter_read(EOWN_COUNTER_stopped_unclaimed));
  CHECK_EQ(enforced   ? 1u
           : observed ? 3u
                      : 0u,
           eown_counter_read(EOWN_COUNTER_sent_application_unclaimed));
  test_reply_clear(&reply);
}

/* "own": as if the variable were not there. */
static void check_expected(const char *expected) {
  bool own = strcmp(expected, "own") == 0 || strcmp(expected, "bad") == 0;
  check(NULL, own ? "off" : expected);
  check("off", own ? "off" : expected);
  check("observe", own ? "observe" : expected);
  check("enforce", own ? "enforce" : expected);
}

/* Initialises by itself, to see what is logged and counted. */
EOWN_TEST(Environment, Child) {
  const char *expected = getenv("TEST_EXPECTED");
  if (expected == NULL)
    return;
  test_log_keep();
  REQUIRE_EQ(EOWN_ERROR_OK, eown_grpc_init());
  bool bad = strcmp(expected, "bad") == 0;
  CHECK_EQ(bad ? 1u : 0u, eown_counter_read(EOWN_COUNTER_bad_settings));
  if (bad)
    CHECK_CONTAINS("EOWN_MODE", test_log_text());
  else
    CHECK_STREQ("", test_log_text());
  grpc_init();
  check_expected(expected);
  grpc_shutdown_blocking();
}
