/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "simulate_values.h"

#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#define FIRST_KEY 256 /* above the characters: no short options */

#define AT(member) .offset = offsetof(lab_simulate_options, member)
#define FROM(low, high) .min = (low), .max = (high)

static const lab_simulate_row rows[] = {
    {"services", "N", "Services of a made-up fleet (default 7)", 1,
     lab_simulate_take_small, AT(shape.services),
     FROM(1, LAB_FLEET_SERVICES_MAX)},
    {"depth", "D",
     "Levels of it: a service calls those of the next (default: as many as "
     "services, at most 7)",
     1, lab_simulate_take_small, AT(depth), FROM(1, LAB_FLEET_DEPTH_MAX)},
    {"callees", "N", "Services that a service knows (default 4)", 1,
     lab_simulate_take_small, AT(shape.callees), FROM(1, 10000)},
    {"fan-out", "CALLS",
     "Calls that a service makes for each call it gets, to callees drawn by "
     "weight, or to each once where it knows no more (default 1)",
     1, lab_simulate_take_number, AT(shape.fan_out), FROM(0, 1000)},
    {"graph", "FILE",
     "The fleet is that of a file, as for eown-lab radius: calls of Jaeger or "
     "Zipkin, call graphs, DOT or CSV",
     1, lab_simulate_take_text, AT(graph)},
    {"root", "SERVICE", "Where requests come in (default: the largest root)", 1,
     lab_simulate_take_text, AT(root)},

    {"fail", "SERVICE=RATE",
     "This service fails, after calling its callees, at this rate from 0 to 1; "
     "may be repeated (default: the first service of the last level at rate 1)",
     2, lab_simulate_take_failing, AT(failing), FROM(0, 1)},
    {"fail-all", "RATE", "Every service fails at this rate (default 0)", 2,
     lab_simulate_take_number, AT(fail_all), FROM(0, 1)},
    {"correlated", "MS",
     "Failures come in spells this long (default 1000), so that a retry fails "
     "too",
     2, lab_simulate_take_number, AT(correlated_ms), FROM(1000, 3600000),
     .may_stand = true},
    {"overload", "SERVICE=CAPACITY",
     "This service has a queue and serves so many calls a second; load has an "
     "effect",
     2, lab_simulate_take_overloaded, AT(overloaded), FROM(0.1, 1e6)},

    {"attempts", "K",
     "Attempts of each call, the first included: 1 to 5 (default 2)", 3,
     lab_simulate_take_small, AT(model.attempts), FROM(1, 5)},
    {"retry-by", "WHO",
     "Who makes them: grpc (its retry policy), application (a loop around each "
     "call) or both, a loop above a policy (default grpc)",
     3, lab_simulate_take_retry_by, AT(model.retry_by)},
    {"budget", "PERCENT",
     "Retry budget of every caller in modes budget (default 10) and ownership "
     "(default: none)",
     3, lab_simulate_take_number, AT(model.budget), FROM(0, 1000)},
    {"throttle-tokens", "N",
     "maxTokens of gRPC's retryThrottling in mode throttle (default 10; a "
     "success gives 0.1 back)",
     3, lab_simulate_take_number, AT(throttle_tokens), FROM(1, 1000)},
    {"chain-stop", NULL, "Chain stop in mode ownership, too", 3,
     lab_simulate_take_flag, AT(model.chain_stop)},
    {"no-retry-share", "PERCENT", "Edges without a retry policy (default 0)", 3,
     lab_simulate_take_percent, AT(gaps.no_retry)},
    {"fail-open-share", "PERCENT",
     "Edges whose caller carries on without the callee (default 0)", 3,
     lab_simulate_take_percent, AT(gaps.fail_open)},

    {"mode", "MODE[,MODE...]",
     "What holds retries back: stock, budget, throttle, chain_stop, ownership "
     "(default stock,ownership)",
     4, lab_simulate_take_modes, AT(modes)},
    {"eown-share", "PERCENT", "Services that run eown (default 100)", 4,
     lab_simulate_take_percent, AT(eown_share)},
    {"drop-share", "PERCENT", "Services that lose the context (default 0)", 4,
     lab_simulate_take_percent, AT(gaps.lost)},
    {"memory", "on|off",
     "Services learn which edges are fail-open (default off)", 4,
     lab_simulate_take_switch, AT(memory)},

    {"requests", "N", "Root requests (default 100000)", 5,
     lab_simulate_take_count, AT(model.requests), FROM(1, 1e12)},
    {"rate", "N", "Root requests a second (default 1000)", 5,
     lab_simulate_take_number, AT(model.rate), FROM(0.001, 1e6)},
    {"seed", "N", "Seed of all dice (default 1)", 5, lab_simulate_take_count,
     AT(model.seed), FROM(0, 4294967295.0)},
    {"threads", "N", "Threads (default: one a core); the result is the same", 5,
     lab_simulate_take_small, AT(model.threads), FROM(1, 256)},

    {"queue", "N", "Places in the overloaded service's queue (default 2000)", 6,
     lab_simulate_take_small, AT(overload.queue), FROM(1, 1e6)},
    {"patience", "MS",
     "A call that waited longer fails once it was served (default 500)", 6,
     lab_simulate_take_number, AT(overload.patience_ms), FROM(0, 1e6)},
    {"timeout", "MS",
     "Callers give up an attempt after this, and retry (default: never)", 6,
     lab_simulate_take_number, AT(overload.timeout_ms), FROM(0, 1e6)},
    {"timeout-growth", "FACTOR",
     "The timeout is so many times longer for each level towards the root "
     "(default 1: the same everywhere)",
     6, lab_simulate_take_number, AT(overload.timeout_growth), FROM(1, 100)},
    {"trigger", "START,LENGTH,FACTOR",
     "From this second for so many the capacity is FACTOR times what it was "
     "(default 10,10,0.1)",
     6, lab_simulate_take_trigger, AT(overload), FROM(0, 3600)},
    {"seconds", "S", "Seconds to simulate (default 60)", 6,
     lab_simulate_take_number, AT(overload.seconds), FROM(1, 3600)},

    {"scenario", "NAME",
     "metastable, timeouts or incident, for later options to change", 7,
     lab_simulate_take_scenario, AT(simulation)},
    {"json", NULL, "Print one JSON object, not tables", 7,
     lab_simulate_take_flag, AT(json)},
    {"html", "FILE", "Also write the result as a page with pictures", 7,
     lab_simulate_take_text, AT(html)},
};

#define ROWS (sizeof(rows) / sizeof(*rows))

static const char documentation[] =
    "Simulates a fleet, request by request, by the rules of the core: who gets "
    "how much load, and what becomes of the requests.\v"
    "Examples:\n"
    "  eown-lab simulate                          # a chain of seven\n"
    "  eown-lab simulate --mode budget,ownership --fail D=1\n"
    "  eown-lab simulate --services 20000 --depth 10 --fan-out 1.5 "
    "--requests 1000000\n"
    "  eown-lab simulate --eown-share 80 --drop-share 5 --no-retry-share 10\n"
    "  eown-lab simulate --retry-by both --services 4   # 64 and 2, not 8 and "
    "2\n"
    "  eown-lab simulate --graph links.json --fail-all 0.02 --json\n"
    "  eown-lab simulate --scenario metastable\n"
    "  eown-lab simulate --scenario metastable --rate 450 --budget 10";

static error_t parse(int key, char *value, struct argp_state *state) {
  lab_simulate_options *options = state->input;
  if (key == ARGP_KEY_END)
    lab_simulate_options_finish(options, state);
  if (key == ARGP_KEY_ARG)
    argp_error(state, "'%s' is not valid: expected options only", value);
  if (key < FIRST_KEY || key >= FIRST_KEY + (int)ROWS)
    return ARGP_ERR_UNKNOWN;
  const lab_simulate_row *row = &rows[key - FIRST_KEY];
  char option[64];
  snprintf(option, sizeof(option), "--%s", row->name);
  row->take(row, options, state, option, value);
  options->fleet_chosen |= row->group == 1;
  options->overload_chosen |= row->group == 6;
  return 0;
}

static void set_defaults(lab_simulate_options *options) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  *options = (lab_simulate_options){.eown_share = 1, .throttle_tokens = 10};
  options->shape = (lab_shape){.services = 7, .callees = 4, .fan_out = 1};
  lab_model_init(&options->model, NULL);
  options->model.threads = cores > 0 ? (unsigned)cores : 1;
  lab_overload_init(&options->overload, NULL, 0);
  options->modes[0] = LAB_MODE_STOCK;
  options->modes[1] = LAB_MODE_OWNERSHIP;
  options->mode_count = 2;
}

void lab_simulate_options_read(lab_simulate_options *options, int argc,
                               char **argv) {
  struct argp_option table[ROWS + 1] = {{0}};
  for (size_t i = 0; i < ROWS; i++)
    table[i] = (struct argp_option){
        .name = rows[i].name,
        .key = FIRST_KEY + (int)i,
        .arg = rows[i].value,
        .flags = rows[i].may_stand ? OPTION_ARG_OPTIONAL : 0,
        .doc = rows[i].text,
        .group = rows[i].group,
    };
  const struct argp parser = {
      .options = table, .parser = parse, .doc = documentation};
  set_defaults(options);
  argp_parse(&parser, argc, argv, 0, NULL, options);
}
