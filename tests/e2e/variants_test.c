/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* The rows under other statuses, attempts, kinds of call, ties and with TLS.
 * Under a sanitizer each variant is tried on one row only. */
#include "chain.h"
#include "gtest_c.h"

static void check_rows(const e2e_variant *variant) {
  if (E2E_QUICK)
    e2e_row_check(e2e_row_find("enforce"), variant);
  for (size_t i = 0; !E2E_QUICK && i < e2e_rows_n; i++)
    e2e_row_check(&e2e_rows[i], variant);
}

EOWN_TEST(Variants, Internal) {
  check_rows(&(e2e_variant){.name = "internal",
                            .options = {"--status", "INTERNAL"},
                            .status = "INTERNAL"});
}

EOWN_TEST(Variants, ResourceExhausted) {
  check_rows(&(e2e_variant){.name = "resource exhausted",
                            .options = {"--status", "RESOURCE_EXHAUSTED"},
                            .status = "RESOURCE_EXHAUSTED"});
}

EOWN_TEST(Variants, ThreeAttempts) {
  check_rows(&(e2e_variant){
      .name = "attempts 3", .options = {"--attempts", "3"}, .attempts = 3});
}

EOWN_TEST(Variants, FiveAttempts) {
  e2e_row_check(e2e_row_find("enforce"),
                &(e2e_variant){.name = "attempts 5",
                               .options = {"--attempts", "5"},
                               .attempts = 5});
}

EOWN_TEST(Variants, Stream) {
  check_rows(&(e2e_variant){.name = "stream", .options = {"--stream"}});
}

EOWN_TEST(Variants, Tls) {
  check_rows(&(e2e_variant){.name = "TLS", .options = {"--tls"}});
}

EOWN_TEST(Variants, ThreadContext) {
  check_rows(
      &(e2e_variant){.name = "thread", .options = {"--context", "thread"}});
}

EOWN_TEST(Variants, ExplicitContext) {
  check_rows(
      &(e2e_variant){.name = "explicit", .options = {"--context", "explicit"}});
}

/* The callers' own loops in place of gRPC's policy. */
EOWN_TEST(Variants, Loops) {
  check_rows(&(e2e_variant){.name = "loops",
                            .options = {"--retry-by", "application"},
                            .loops = true});
}

EOWN_TEST(Variants, LoopsOfThreeAttempts) {
  check_rows(&(e2e_variant){
      .name = "loops of 3 attempts",
      .options = {"--retry-by", "application", "--attempts", "3"},
      .attempts = 3,
      .loops = true});
}

EOWN_TEST(Variants, LoopsOverStreams) {
  check_rows(
      &(e2e_variant){.name = "loops over streams",
                     .options = {"--retry-by", "application", "--stream"},
                     .loops = true});
}

EOWN_TEST(Variants, LoopsTiedByThread) {
  e2e_row_check(e2e_row_find("enforce"),
                &(e2e_variant){.name = "loops tied by thread",
                               .options = {"--retry-by", "application",
                                           "--context", "thread"},
                               .loops = true});
}
