/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "chain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const e2e_row e2e_rows[] = {
    {
        .name = "off",
        .options = {"--mode", "off"},
        .served = "0123",
        .says = "----",
        .stops = "----",
        .claim = "missing",
    },
    {
        .name = "enforce",
        .served = "0001",
        .says = "uuuc",
        .stops = "ss--",
        .claim = "unclaimed",
        .owner = "D",
        .hops = 3,
    },
    {
        .name = "budget",
        .options = {"--budget", "10"},
        .served = "000+",
        .says = "uuuc",
        .stops = "ss--",
        .claim = "unclaimed",
        .owner = "D",
        .hops = 3,
    },
    {
        /* Nobody retried D's error at C, so C claims it and B retries C. */
        .name = "C without retries",
        .options = {"--no-retry", "C"},
        .served = "0011",
        .says = "uucc",
        .stops = "s---",
        .claim = "unclaimed",
        .owner = "C",
        .hops = 2,
    },
    {
        .name = "nobody with retries",
        .options = {"--no-retry", "A", "--no-retry", "B", "--no-retry", "C"},
        .served = "0000",
        .says = "cccc",
        .stops = "----",
        .claim = "claimed",
        .owner = "A",
        .hops = 0,
    },
    {
        .name = "context drop at C",
        .options = {"--drop", "C"},
        .served = "0012",
        .says = "uucc",
        .stops = "s---",
        .claim = "unclaimed",
        .owner = "C",
        .hops = 2,
        .counts = {{'C', "eown.context_drops"}},
        .counts_calls = true,
    },
    {
        /* C's pushback stops B; B says nothing, so A retries B. */
        .name = "stock B",
        .options = {"--stock", "B"},
        .served = "0112",
        .looped = "0123", /* but no loop by hand heeds a pushback */
        .says = "u-uc",
        .stops = "----",
        .claim = "unclaimed",
        .owner = "B",
        .hops = 1,
    },
    {
        .name = "D killed",
        .options = {"--kill", "D"},
        .served = "000-",
        .says = "uuu-",
        .stops = "ss--",
        .claim = "unclaimed",
        .owner = "D",
        .hops = 3,
        .status = "UNAVAILABLE",
        .counts = {{'C', "eown.unreached"}, {'C', "eown.local"}},
        .counts_calls = true,
    },
    {
        .name = "observe",
        .options = {"--mode", "observe"},
        .served = "0123",
        .says = "uuuc",
        .stops = "ss--",
        .claim = "unclaimed",
        .owner = "D",
        .hops = 3,
        .observes = true,
    },
    {
        /* All of D's errors are C's to swallow; C fails by itself. */
        .name = "fail-open",
        .options = {"--fail-open", "C-D", "--fail", "C=1", "--fail", "D=1"},
        .served = "0012",
        .says = "uucc",
        .stops = "s---",
        .claim = "unclaimed",
        .owner = "C",
        .hops = 2,
        .counts = {{'C', "eown.sent_coincidental"}},
    },
    {
        /* C's broken link to D does not speak for C: B may try again. */
        .name = "own_unreachable",
        .options = {"--kill", "D", "--eown", "own_unreachable=1"},
        .served = "001-",
        .says = "uuc-",
        .stops = "s---",
        .claim = "unclaimed",
        .owner = "C",
        .hops = 2,
        .status = "UNAVAILABLE",
        .counts = {{'C', "eown.sent_unreachable"}},
    },
};

const size_t e2e_rows_n = sizeof e2e_rows / sizeof e2e_rows[0];

const e2e_row *e2e_row_find(const char *name) {
  for (size_t i = 0; i < e2e_rows_n; i++)
    if (strcmp(e2e_rows[i].name, name) == 0)
      return &e2e_rows[i];
  fprintf(stderr, "no row \"%s\"\n", name);
  abort();
}
