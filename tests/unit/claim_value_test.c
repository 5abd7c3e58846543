/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* The values under the claim key and its alias. */
#include "eown/claim.h"

#include "gtest_c.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

/* Checks what a reader says, both with and without the malformed flag. */
static void check_result(const eown_claim_reader *reader, eown_claim claim,
                         bool malformed) {
  bool flag = !malformed;
  CHECK_EQ(claim, eown_claim_reader_result(reader, &flag));
  CHECK_EQ(malformed, flag);
  CHECK_EQ(claim, eown_claim_reader_result(reader, NULL));
}

static void feed(eown_claim_reader *reader, bool alias, const char *value) {
  /* A copy without NUL: reading past the end shows under AddressSanitizer. */
  size_t length = strlen(value);
  char *exact = malloc(length ? length : 1);
  REQUIRE_NOT_NULL(exact);
  memcpy(exact, value, length);
  eown_claim_reader_feed(reader, alias, exact, length);
  free(exact);
}

EOWN_TEST(ClaimValue, NothingFedIsMissing) {
  eown_claim_reader reader = {0};
  check_result(&reader, EOWN_CLAIM_MISSING, false);
}

EOWN_TEST(ClaimValue, TheTwoValues) {
  for (int alias = 0; alias < 2; alias++) {
    eown_claim_reader reader = {0};
    feed(&reader, alias, "claimed");
    check_result(&reader, EOWN_CLAIM_CLAIMED, false);
    reader = (eown_claim_reader){0};
    feed(&reader, alias, "unclaimed");
    check_result(&reader, EOWN_CLAIM_UNCLAIMED, false);
  }
}

EOWN_TEST(ClaimValue, AnythingElseIsMalformed) {
  static const char *const values[] = {
      "",          " ",           "Claimed",         "CLAIMED",
      "Unclaimed", "UNCLAIMED",   "claimed ",        " claimed",
      "claime",    "claimedx",    "unclaimed\n",     "un claimed",
      "missing",   "owned",       "claimed,claimed", "1",
      "true",      "\"claimed\"", "cl\xc3\xa4imed",  "\xff\xfe"};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    for (int alias = 0; alias < 2; alias++) {
      TEST_TRACE("value \"%s\", alias %d", values[i], alias);
      eown_claim_reader reader = {0};
      feed(&reader, alias, values[i]);
      check_result(&reader, EOWN_CLAIM_MISSING, true);
    }
}

EOWN_TEST(ClaimValue, LengthCountsNotNul) {
  eown_claim_reader reader = {0};
  eown_claim_reader_feed(&reader, false, "claimed", 8);
  check_result(&reader, EOWN_CLAIM_MISSING, true);
  reader = (eown_claim_reader){0};
  eown_claim_reader_feed(&reader, false, "claimed and more", 7);
  check_result(&reader, EOWN_CLAIM_CLAIMED, false);
}

EOWN_TEST(ClaimValue, OverLong) {
  enum { LENGTH = 100000 };
  char *value = malloc(LENGTH);
  REQUIRE_NOT_NULL(value);
  memset(value, 'c', LENGTH);
  memcpy(value, "claimed", 7);
  eown_claim_reader reader = {0};
  eown_claim_reader_feed(&reader, false, value, LENGTH);
  check_result(&reader, EOWN_CLAIM_MISSING, true);
  free(value);
}

EOWN_TEST(ClaimValue, RepeatedUnderOneKey) {
  static const char *const pairs[][2] = {{"claimed", "claimed"},
                                         {"unclaimed", "unclaimed"},
                                         {"claimed", "unclaimed"},
                                         {"unclaimed", "claimed"}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    for (int alias = 0; alias < 2; alias++) {
      TEST_TRACE("pair %zu, alias %d", i, alias);
      eown_claim_reader reader = {0};
      feed(&reader, alias, pairs[i][0]);
      feed(&reader, alias, pairs[i][1]);
      check_result(&reader, EOWN_CLAIM_MISSING, true);
    }
}

/* More values than a byte counts must not make the reader believe again. */
EOWN_TEST(ClaimValue, RepeatedManyTimes) {
  for (int count = 250; count < 520; count++) {
    TEST_TRACE("%d values", count);
    eown_claim_reader reader = {0};
    for (int i = 0; i < count; i++)
      eown_claim_reader_feed(&reader, count % 2 == 0, "claimed", 7);
    check_result(&reader, EOWN_CLAIM_MISSING, true);
  }
}

EOWN_TEST(ClaimValue, KeyAndAliasThatAgree) {
  for (int alias_first = 0; alias_first < 2; alias_first++) {
    eown_claim_reader reader = {0};
    feed(&reader, alias_first, "unclaimed");
    feed(&reader, !alias_first, "unclaimed");
    check_result(&reader, EOWN_CLAIM_UNCLAIMED, false);
  }
}

EOWN_TEST(ClaimValue, KeyAndAliasThatContradict) {
  for (int alias_first = 0; alias_first < 2; alias_first++) {
    eown_claim_reader reader = {0};
    feed(&reader, alias_first, "claimed");
    feed(&reader, !alias_first, "unclaimed");
    check_result(&reader, EOWN_CLAIM_MISSING, true);
  }
}

EOWN_TEST(ClaimValue, AgreementDoesNotHealRepetition) {
  eown_claim_reader reader = {0};
  feed(&reader, false, "claimed");
  feed(&reader, true, "claimed");
  feed(&reader, true, "claimed");
  check_result(&reader, EOWN_CLAIM_MISSING, true);
}

EOWN_TEST(ClaimValue, UnknownSpoilsAGoodOne) {
  for (int bad_first = 0; bad_first < 2; bad_first++)
    for (int alias = 0; alias < 2; alias++) {
      TEST_TRACE("bad first %d, bad under alias %d", bad_first, alias);
      eown_claim_reader reader = {0};
      if (bad_first)
        feed(&reader, alias, "maybe");
      feed(&reader, !alias, "claimed");
      if (!bad_first)
        feed(&reader, alias, "maybe");
      check_result(&reader, EOWN_CLAIM_MISSING, true);
    }
}

/* Every sequence of up to four values, against counting by hand. */
EOWN_TEST(ClaimValue, EverySequence) {
  static const char *const values[] = {"claimed", "unclaimed", "x"};
  for (unsigned code = 0; code < 6 * 6 * 6 * 6; code++) {
    eown_claim_reader reader = {0};
    int under[2] = {0, 0}, seen[3] = {0, 0, 0};
    unsigned rest = code;
    for (int i = 0; i < 4; i++, rest /= 6) {
      unsigned value = rest % 3, alias = rest / 3 % 2;
      eown_claim_reader_feed(&reader, alias, values[value],
                             strlen(values[value]));
      under[alias]++;
      seen[value]++;
      bool good = under[0] <= 1 && under[1] <= 1 && seen[2] == 0 &&
                  (seen[0] == 0 || seen[1] == 0);
      TEST_TRACE("code %u, value %d", code, i);
      eown_claim claim = seen[0] ? EOWN_CLAIM_CLAIMED : EOWN_CLAIM_UNCLAIMED;
      check_result(&reader, good ? claim : EOWN_CLAIM_MISSING, !good);
    }
  }
}
