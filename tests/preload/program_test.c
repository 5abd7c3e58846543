/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* Programs without gRPC, with another gRPC, and with eown of their own. */
#include "client.h"
#include "gtest_c.h"
#include "service.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Nothing of it but the front itself is in the process. */
EOWN_TEST(PreloadProgram, WithoutGrpcNothingIsLoaded) {
  e2e_run run;
  preload_run(PRELOAD_ENFORCE, E2E_WORDS("/bin/cat", "/proc/self/maps"), &run);
  CHECK_EQ(0, run.status);
  CHECK_STREQ("", run.errors);
  CHECK_CONTAINS("libeown-preload.so", run.output);
  CHECK_NULL(strstr(run.output, "libgrpc"));
  CHECK_NULL(strstr(run.output, "libeown-preload-grpc"));
  CHECK_NULL(strstr(run.output, "libeown.so"));
  CHECK_NULL(strstr(run.output, "libstdc++"));
  e2e_run_clear(&run);
}

EOWN_TEST(PreloadProgram, WithoutGrpcNothingIsSaid) {
  e2e_run run;
  preload_run(PRELOAD_ENFORCE,
              E2E_WORDS("/bin/sh", "-c", "ls -d / && echo done"), &run);
  CHECK_EQ(0, run.status);
  CHECK_STREQ("/\ndone\n", run.output);
  CHECK_STREQ("", run.errors);
  e2e_run_clear(&run);
}

/* The program says which grpc_init ran. */
static void check_stays_out(const char *const *words, const char *output,
                            const char *line) {
  TEST_TRACE("%s", words[0]);
  e2e_run run;
  preload_run(PRELOAD_ENFORCE, words, &run);
  CHECK_EQ(0, run.status);
  CHECK_STREQ(output, run.output);
  CHECK_CONTAINS("eown: off: ", run.errors);
  CHECK_CONTAINS(line, run.errors);
  CHECK_PTR_EQ(strrchr(run.errors, '\n'), strchr(run.errors, '\n'));
  e2e_run_clear(&run);
}

EOWN_TEST(PreloadProgram, AnotherVersionIsLeftAlone) {
  check_stays_out(E2E_WORDS(PRELOAD_USER_OLD), "old old\n",
                  "gRPC core 29.9.9 is loaded: expected 29.0.0");
}

EOWN_TEST(PreloadProgram, AnotherSonameIsLeftAlone) {
  check_stays_out(E2E_WORDS(PRELOAD_USER_NEW), "new new\n",
                  "expected it in libgrpc.so.29");
}

/* A plugin that brings its own gRPC gets its own, though nobody else sees it.
 */
EOWN_TEST(PreloadProgram, PluginsKeepTheirOwnGrpc) {
  check_stays_out(E2E_WORDS(PRELOAD_HOST, PRELOAD_PLUGIN), "plugin plugin\n",
                  "preload_plugin");
}

/* Nobody waits for the linker while it waits for them. */
EOWN_TEST(PreloadProgram, ThreadsThatLoadAndInitialise) {
  check_stays_out(E2E_WORDS(PRELOAD_THREADS, PRELOAD_LOADING), "oldold\n",
                  "gRPC core 29.9.9 is loaded: expected 29.0.0");
}

/* eown-node links the library and starts it by itself. */
EOWN_TEST(PreloadProgram, WithEownOfItsOwn) {
  setenv("LD_PRELOAD", PRELOAD_LIBRARY, 1);
  setenv("EOWN_MODE", "enforce", 1);
  setenv("EOWN_LOG", "0", 1);
  e2e_node d, c, b;
  e2e_node_start(&d, "D", NULL, E2E_WORDS("--fail-rate", "1"));
  e2e_node_start(&c, "C", &d, E2E_WORDS(NULL));
  e2e_node_start(&b, "B", &c, E2E_WORDS(NULL));
  unsetenv("LD_PRELOAD");
  unsetenv("EOWN_MODE");
  unsetenv("EOWN_LOG");
  e2e_answer answer;
  e2e_call(&b, 0, &answer);
  eown_claim_detail detail;
  e2e_answer_detail(&answer, &detail);
  CHECK_EQ(2u, detail.hops);
  CHECK_EQ(1u, e2e_answer_count(&answer, EOWN_CLAIM_KEY));
  e2e_answer_clear(&answer);
  json_t *b_counts = e2e_node_stop(&b);
  json_t *c_counts = e2e_node_stop(&c);
  json_t *d_counts = e2e_node_stop(&d);
  json_t *eown = json_object_get(b_counts, "eown");
  CHECK_EQ(1, json_integer_value(json_object_get(eown, "inbound_calls")));
  CHECK_EQ(1, json_integer_value(json_object_get(eown, "outbound_calls")));
  CHECK_EQ(1, json_integer_value(json_object_get(eown, "stopped_unclaimed")));
  CHECK_EQ(2, json_integer_value(json_object_get(d_counts, "served")));
  json_decref(b_counts);
  json_decref(c_counts);
  json_decref(d_counts);
}
