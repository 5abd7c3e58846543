/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* Status codes, error texts and versions. */
#include "eown/error.h"
#include "eown/status.h"
#include "eown/version.h"

#include "gtest_c.h"

#include <ctype.h>
#include <protobuf-c/protobuf-c.h>
#include <stdio.h>
#include <string.h>

/* gRPC's doc/statuscodes.md, by hand. */
static const char *const names[] = {
    "OK",
    "CANCELLED",
    "UNKNOWN",
    "INVALID_ARGUMENT",
    "DEADLINE_EXCEEDED",
    "NOT_FOUND",
    "ALREADY_EXISTS",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION",
    "ABORTED",
    "OUT_OF_RANGE",
    "UNIMPLEMENTED",
    "INTERNAL",
    "UNAVAILABLE",
    "DATA_LOSS",
    "UNAUTHENTICATED",
};

static const int undefined[] = {17, 18, 31, 32, 33, 64, 1000, -1, -32};

EOWN_TEST(Status, NamesAreGrpcs) {
  REQUIRE_EQ(EOWN_STATUS_N, sizeof names / sizeof *names);
  for (int i = 0; i < EOWN_STATUS_N; i++)
    CHECK_STREQ(names[i], eown_status_name((eown_status)i));
  for (size_t i = 0; i < sizeof undefined / sizeof *undefined; i++)
    CHECK_STREQ("UNKNOWN", eown_status_name((eown_status)undefined[i]));
}

EOWN_TEST(Status, ParsesInAnyCase) {
  for (int i = 0; i < EOWN_STATUS_N; i++)
    for (int style = 0; style < 3; style++) {
      char text[32];
      size_t length = strlen(names[i]);
      for (size_t j = 0; j < length; j++)
        text[j] =
            (char)(style == 0 || (style == 1 && j % 2) ? names[i][j]
                                                       : tolower(names[i][j]));
      memcpy(text + length, "tail", 5); /* behind the length: not read */
      eown_status status = EOWN_STATUS_N;
      CHECK_TRUE(eown_status_parse(text, length, &status));
      CHECK_EQ(i, (int)status);
    }
}

EOWN_TEST(Status, RefusesOtherNames) {
  static const char *const others[] = {
      "",          "O", "OKAY", "UNAVAIL",   "UNAVAILABLEX", " OK", "OK ",
      "NOT FOUND", "1", "14",   "NOT-FOUND", "CANCELED",     "NOPE"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    TEST_TRACE("\"%s\"", others[i]);
    eown_status status = EOWN_STATUS_N;
    CHECK_FALSE(eown_status_parse(others[i], strlen(others[i]), &status));
    CHECK_EQ(EOWN_STATUS_N, status);
  }
  eown_status status = EOWN_STATUS_N;
  CHECK_FALSE(eown_status_parse("OK\0", 3, &status));
  CHECK_EQ(EOWN_STATUS_N, status);
}

EOWN_TEST(Status, FaultsAreTheSeven) {
  static const int faults[] = {2, 4, 8, 10, 13, 14, 15};
  eown_status_set expected = 0;
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
    expected |= 1u << faults[i];
  CHECK_EQ(expected, eown_status_faults());
}

EOWN_TEST(Status, SetHoldsItsBits) {
  for (int in = 0; in < EOWN_STATUS_N; in++)
    for (int asked = 0; asked < EOWN_STATUS_N; asked++)
      CHECK_EQ(in == asked, eown_status_set_has(1u << in, (eown_status)asked));
}

EOWN_TEST(Status, UndefinedNumbersAreHeldAsUnknown) {
  const eown_status_set unknown = 1u << EOWN_STATUS_UNKNOWN;
  for (size_t i = 0; i < sizeof undefined / sizeof *undefined; i++) {
    TEST_TRACE("number %d", undefined[i]);
    CHECK_TRUE(eown_status_set_has(unknown, (eown_status)undefined[i]));
    CHECK_FALSE(eown_status_set_has(~unknown, (eown_status)undefined[i]));
  }
}

EOWN_TEST(Error, EveryErrorHasAText) {
  for (int i = 0; i < EOWN_ERROR_N; i++) {
    const char *text = eown_error_text((eown_error)i);
    REQUIRE_NOT_NULL(text);
    CHECK_LT(0, strlen(text));
    for (int j = 0; j < i; j++)
      CHECK_STRNE(text, eown_error_text((eown_error)j));
  }
  CHECK_STREQ("out of memory", eown_error_text(EOWN_ERROR_NO_MEMORY));
  CHECK_NOT_NULL(eown_error_text(EOWN_ERROR_N));
  CHECK_NOT_NULL(eown_error_text((eown_error)-1));
}

EOWN_TEST(Version, HeaderAndLibraryAgree) {
  char text[32];
  snprintf(text, sizeof text, "%d.%d.%d", EOWN_VERSION_MAJOR,
           EOWN_VERSION_MINOR, EOWN_VERSION_PATCH);
  CHECK_STREQ(text, EOWN_VERSION);
  CHECK_STREQ(EOWN_VERSION, eown_version());
}

/* The generated code may not be newer than the library it runs on. */
EOWN_TEST(Version, ProtobufIsNewEnough) {
  CHECK_LE((uint32_t)PROTOBUF_C_VERSION_NUMBER, protobuf_c_version_number());
}
