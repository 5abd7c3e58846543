/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* Bad channel arguments: logged, counted, and the default stays in force. */
#include "eown/grpc.h"
#include "gtest_c.h"

#include <grpc/support/log.h>

#include "counts.h"
#include "log.h"
#include "pair.h"

static const test_answer unclaimed = {
    .status = GRPC_STATUS_UNAVAILABLE,
    .trailers = {{"error-claim", "unclaimed", 0}}};

typedef struct row {
  grpc_arg argument;
  const char *key;
  const char *value;
  const char *expected;
} row;

static const row rows[] = {
    {TEST_STRING("eown.mode", "on"), "eown.mode", "on", "enforce"},
    {TEST_INTEGER("eown.mode", 3), "eown.mode", "3", "observe"},
    {TEST_STRING("eown.service_name", ""), "eown.service_name", "\"\"",
     "printable ASCII"},
    {TEST_STRING("eown.retry_budget_percent", "ten"),
     "eown.retry_budget_percent", "ten", "0 to 1000"},
    {TEST_INTEGER("eown.retry_budget_percent", -2), "eown.retry_budget_percent",
     "-2", "-1 for no budget"},
    {TEST_INTEGER("eown.send_pushback", 2), "eown.send_pushback", "2",
     "0 or 1"},
    {TEST_STRING("eown.claim_key_alias", "grpc-status"), "eown.claim_key_alias",
     "grpc-status", "metadata key"},
    {TEST_STRING("eown.faults", "OK"), "eown.faults", "OK", "status codes"},
    {TEST_STRING("eown.pins", "/a=open"), "eown.pins", "/a=open", "fail-open"},
    {TEST_STRING("eown.moed", "enforce"), "eown.moed", "enforce",
     "unknown setting"},
};

static void keep_log(void) {
  gpr_set_log_verbosity(GPR_LOG_SEVERITY_ERROR);
  test_log_keep();
}

static void check_log(const row *self, unsigned times) {
  CHECK_EQ(times, eown_counter_read(EOWN_COUNTER_bad_settings));
  CHECK_CONTAINS(self->key, test_log_text());
  CHECK_CONTAINS(self->value, test_log_text());
  CHECK_CONTAINS(self->expected, test_log_text());
}

/* The mode itself, where it is bad, stays off. */
static bool is_mode(const row *self) {
  return self->argument.key[5] == 'm' && self->argument.key[6] == 'o' &&
         self->argument.key[7] == 'd';
}

static void check_channel(const row *self) {
  TEST_TRACE("%s", self->key);
  grpc_arg arguments[] = {self->argument, {0}};
  keep_log();
  unsigned attempts = test_pair_attempts(
      &(test_server_options){.script = &unclaimed},
      &(test_channel_options){.mode = is_mode(self) ? NULL : "enforce",
                              .arguments = arguments,
                              .attempts = 4});
  CHECK_EQ(is_mode(self) ? 4u : 1u, attempts);
  check_log(self, 1);
}

EOWN_TEST(SettingsArguments, OfAChannel) {
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
    check_channel(&rows[i]);
}

/* A server reads its settings for each connection. */
static void check_server(const row *self) {
  TEST_TRACE("%s", self->key);
  grpc_arg arguments[] = {self->argument, {0}};
  test_reply reply;
  keep_log();
  test_pair_run(&(test_server_options){.mode = is_mode(self) ? NULL : "enforce",
                                       .arguments = arguments,
                                       .script = &unclaimed},
                &(test_channel_options){0}, &reply);
  CHECK_STREQ(is_mode(self) ? "unclaimed" : "claimed",
              test_metadata_text(&reply.trailers, "error-claim").text);
  check_log(self, 1);
  test_reply_clear(&reply);
}

EOWN_TEST(SettingsArguments, OfAServer) {
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
    check_server(&rows[i]);
}

static void *copy_pointer(void *pointer) { return pointer; }
static void drop_pointer(void *pointer) { (void)pointer; }
static int compare_pointers(void *a, void *b) { return a < b ? -1 : a > b; }

EOWN_TEST(SettingsArguments, APointerIsRefused) {
  static const grpc_arg_pointer_vtable vtable = {copy_pointer, drop_pointer,
                                                 compare_pointers};
  static int pointee;
  row self = {{.type = GRPC_ARG_POINTER,
               .key = (char *)"eown.chain_stop",
               .value.pointer = {&pointee, &vtable}},
              "eown.chain_stop",
              "pointer",
              "string or an integer"};
  check_channel(&self);
}
