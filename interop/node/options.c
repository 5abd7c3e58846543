/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include "values.h"

#include <argp.h>
#include <eown/version.h>

#define FIRST_KEY 256 /* above the characters: no short options */
#define DAY_MS 86400000u

/* One option: its text in --help, and how its value is taken. */
typedef struct row {
  const char *name;
  const char *value; /* NULL: a flag */
  const char *text;
  take_fn *take;
  place place;
} row;

#define AT(member) .offset = offsetof(options, member)

static const row rows[] = {
    {"name",
     "NAME",
     "Name of this node and of its service (node)",
     take_name,
     {AT(name)}},
    {"listen",
     "HOST:PORT",
     "Address to serve; port 0 picks one (127.0.0.1:0)",
     take_address,
     {AT(listen)}},
    {"callee",
     "NAME=HOST:PORT[,fail-open]",
     "A node to call for each inbound call; may be repeated",
     take_callee,
     {AT(callees)}},
    {"parallel",
     NULL,
     "Call the callees all at once, not in order",
     take_flag,
     {AT(parallel)}},
    {"unpinned",
     NULL,
     "Set no eown.pins for fail-open callees: memory has to learn them",
     take_flag,
     {AT(unpinned)}},
    {"fail-rate",
     "RATE",
     "Share of calls this node fails by itself (0)",
     take_rate,
     {AT(fail_rate)}},
    {"fail-status",
     "STATUS",
     "Status of its own failures (UNAVAILABLE)",
     take_status,
     {AT(fail_status)}},
    {"healthy-first",
     "N",
     "The first N calls do not fail by themselves (0)",
     take_number,
     {AT(healthy_first), .max = UINT64_MAX}},
    {"fail-after-replies",
     "N",
     "Messages of a stream before it fails (0)",
     take_number,
     {AT(fail_after_replies), .max = 1000000}},
    {"pushback-ms",
     "N",
     "grpc-retry-pushback-ms with its own failures",
     take_pushback,
     {AT(pushback_ms), .max = DAY_MS}},
    {"seed",
     "N",
     "Seed of its random numbers (1)",
     take_number,
     {AT(seed), .max = UINT64_MAX}},
    {"attempts",
     "K",
     "Attempts at most, of its retry policy or loop; 1: no retry (1)",
     take_number,
     {AT(attempts), .min = 1, .max = 100}},
    {"retry-codes",
     "A,B,..",
     "Retryable status codes (the seven faults)",
     take_codes,
     {AT(retry_codes)}},
    {"retry-by",
     "WHO",
     "Who retries: grpc, application (a loop of the node's own) or both (grpc)",
     take_retry_by,
     {AT(retry_by)}},
    {"ownership",
     "MODE",
     "stock, off, observe or enforce (stock)",
     take_ownership,
     {AT(ownership)}},
    {"eown",
     "KEY=VALUE",
     "An eown setting of channels and server; repeatable",
     take_setting,
     {AT(settings), .min = SIDE_BOTH}},
    {"eown-channel",
     "KEY=VALUE",
     "The same, of the channels alone",
     take_setting,
     {AT(settings), .min = SIDE_CHANNEL}},
    {"eown-server",
     "KEY=VALUE",
     "The same, of the server alone",
     take_setting,
     {AT(settings), .min = SIDE_SERVER}},
    {"context",
     "WAY",
     "How outbound calls find their inbound: parent, thread, explicit or none "
     "(parent)",
     take_context,
     {AT(context)}},
    {"delay-ms",
     "N",
     "Time before each answer (0)",
     take_number,
     {AT(delay_ms), .max = DAY_MS}},
    {"timeout-ms",
     "N",
     "Deadline of outbound calls (the inbound's)",
     take_number,
     {AT(timeout_ms), .min = 1, .max = DAY_MS}},
    {"early-headers",
     NULL,
     "Send initial metadata at once",
     take_flag,
     {AT(early_headers)}},
    {"stream-replies",
     "N",
     "Messages of a stream (3)",
     take_number,
     {AT(stream_replies), .max = 1000000}},
    {"copy-trailers",
     NULL,
     "Copy the failed callee's trailers into the answer",
     take_flag,
     {AT(copy_trailers)}},
    {"tls",
     "DIR",
     "Use server.key, server.crt and ca.crt of this directory",
     take_text,
     {AT(tls)}},
    {"threads",
     "N",
     "Threads, each with a completion queue (2)",
     take_number,
     {AT(threads), .min = 1, .max = 64}},
    {"payload-bytes",
     "N",
     "Bytes to add to outbound requests (0)",
     take_number,
     {AT(payload_bytes), .max = 4000000}},
};
#define ROWS_N (sizeof rows / sizeof rows[0])

static const char text[] =
    "One node of a call graph: serves "
    "/eown.interop.v1.Node/{Call,Stream,Stats} "
    "and /NAME/{Call,Stream}, and calls its callees for each call, or with "
    "request metadata eown-node-callee that one alone."
    "\v"
    "Prints one line of JSON when it is ready and one with its counts at its "
    "exit, on SIGTERM or SIGINT. It ends with the process that started it.\n"
    "\n"
    "Examples:\n"
    "  A node that always fails:\n"
    "    eown-node --name D --listen 127.0.0.1:7004 --fail-rate 1\n"
    "  Its caller, with one retry and error ownership:\n"
    "    eown-node --name C --listen 127.0.0.1:7003 \\\n"
    "      --callee D=127.0.0.1:7004 --attempts 2 --ownership enforce\n"
    "  Two callees at once, one of which may fail, and a retry budget:\n"
    "    eown-node --name B --callee C=127.0.0.1:7003 \\\n"
    "      --callee X=127.0.0.1:7009,fail-open --parallel --attempts 2 \\\n"
    "      --ownership enforce --eown retry_budget_percent=10";

static error_t take_row(options *options, const row *row, const char *value,
                        struct argp_state *state) {
  char shown[128];
  snprintf(shown, sizeof shown, "%s", value != NULL ? value : "");
  const char *expected = row->take(options, &row->place, value);
  if (expected != NULL)
    argp_error(state, "--%s: got '%s', expected %s", row->name, shown,
               expected);
  return 0;
}

static error_t parse(int key, char *value, struct argp_state *state) {
  if (key == ARGP_KEY_ARG)
    argp_error(state, "got '%s', expected options only", value);
  if (key < FIRST_KEY || key >= FIRST_KEY + (int)ROWS_N)
    return ARGP_ERR_UNKNOWN;
  return take_row(state->input, &rows[key - FIRST_KEY], value, state);
}

static void set_defaults(options *options) {
  *options = (struct options){
      .name = "node",
      .listen = "127.0.0.1:0",
      .fail_status = EOWN_STATUS_UNAVAILABLE,
      .seed = 1,
      .attempts = 1,
      .retry_codes = eown_status_faults(),
      .retry_by = RETRY_BY_GRPC,
      .ownership = OWNERSHIP_STOCK,
      .context = CONTEXT_PARENT,
      .stream_replies = 3,
      .threads = 2,
  };
}

void options_parse(options *options, int argc, char **argv) {
  struct argp_option table[ROWS_N + 1] = {{0}};
  for (size_t i = 0; i < ROWS_N; i++)
    table[i] = (struct argp_option){.name = rows[i].name,
                                    .key = FIRST_KEY + (int)i,
                                    .arg = rows[i].value,
                                    .doc = rows[i].text};
  const struct argp argp = {.options = table, .parser = parse, .doc = text};
  argp_program_version = "eown-node " EOWN_VERSION;
  argp_err_exit_status = 2;
  set_defaults(options);
  argp_parse(&argp, argc, argv, 0, NULL, options);
}
