/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* The detail message: encoding, and what a decoder must take and refuse. */
#include "eown/claim.h"

#include "gtest_c.h"
#include "support.h"
#include "wire.h"

#include <stdlib.h>
#include <string.h>

static const eown_claim_detail sample = {"shop.Cart", "Get", 3, 2,
                                         EOWN_REASON_PROPAGATED};

static void check_same(const eown_claim_detail *expected,
                       const eown_claim_detail *actual) {
  CHECK_STREQ(expected->owner_service, actual->owner_service);
  CHECK_STREQ(expected->owner_method, actual->owner_method);
  CHECK_EQ(expected->hops, actual->hops);
  CHECK_EQ(expected->attempts, actual->attempts);
  CHECK_EQ(expected->reason, actual->reason);
}

/* Decodes a copy of exactly the first `length` bytes. */
static bool decode(const wire *in, size_t length, eown_claim_detail *detail) {
  uint8_t *exact = wire_exact(in, length);
  bool good = eown_claim_detail_decode(exact, length, detail);
  free(exact);
  return good;
}

/* Checks that the message is refused and nothing is written. */
static void check_refused(const wire *in, size_t length) {
  eown_claim_detail detail, before;
  memset(&detail, 0x5a, sizeof detail);
  memcpy(&before, &detail, sizeof detail);
  CHECK_FALSE(decode(in, length, &detail));
  CHECK_MEMEQ(&before, &detail, sizeof detail);
}

static void check_taken(const wire *in, const eown_claim_detail *expected) {
  eown_claim_detail detail;
  memset(&detail, 0x5a, sizeof detail);
  REQUIRE_TRUE(decode(in, in->length, &detail));
  check_same(expected, &detail);
}

static void check_round_trip(const eown_claim_detail *detail) {
  wire out = {.length = 0};
  out.length = eown_claim_detail_encode(detail, out.bytes, sizeof out.bytes);
  CHECK_LE(out.length, EOWN_CLAIM_DETAIL_MAX);
  check_taken(&out, detail);
}

static void fill(char *name, size_t length, char byte) {
  memset(name, byte, length);
  name[length] = '\0';
}

EOWN_TEST(ClaimDetail, RoundTrip) {
  check_round_trip(&sample);
  for (int reason = 1; reason < EOWN_REASON_N; reason++) {
    eown_claim_detail detail = {"", "", 0, 0, (eown_reason)reason};
    check_round_trip(&detail);
  }
}

EOWN_TEST(ClaimDetail, EmptyMessageIsAllDefaults) {
  wire empty = {.length = 0};
  eown_claim_detail zero = {0};
  check_taken(&empty, &zero);
}

EOWN_TEST(ClaimDetail, LongestFits) {
  eown_claim_detail detail = {.hops = UINT32_MAX,
                              .attempts = UINT32_MAX,
                              .reason = EOWN_REASON_APPLICATION};
  fill(detail.owner_service, EOWN_OWNER_MAX, 's');
  fill(detail.owner_method, EOWN_OWNER_MAX, 'm');
  uint8_t buffer[EOWN_CLAIM_DETAIL_MAX];
  CHECK_LT(0, eown_claim_detail_encode(&detail, buffer, sizeof buffer));
  check_round_trip(&detail);
}

EOWN_TEST(ClaimDetail, EncodesIntoJustEnoughAndNoLess) {
  uint8_t whole[EOWN_CLAIM_DETAIL_MAX];
  size_t length = eown_claim_detail_encode(&sample, whole, sizeof whole);
  REQUIRE_TRUE(length > 0);
  for (size_t capacity = 0; capacity <= length; capacity++) {
    uint8_t *buffer = malloc(capacity ? capacity : 1);
    REQUIRE_NOT_NULL(buffer);
    CHECK_EQ(capacity < length ? 0 : length,
             eown_claim_detail_encode(&sample, buffer, capacity));
    if (capacity == length)
      CHECK_MEMEQ(whole, buffer, length);
    free(buffer);
  }
}

EOWN_TEST(ClaimDetail, EveryTruncation) {
  wire message = {.length = 0};
  size_t ends[5];
  eown_claim_detail partial[5];
  wire_text(&message, 1, sample.owner_service);
  ends[0] = message.length;
  wire_text(&message, 2, sample.owner_method);
  ends[1] = message.length;
  wire_number(&message, 3, 300);
  ends[2] = message.length;
  wire_number(&message, 4, 70000);
  ends[3] = message.length;
  wire_number(&message, 5, EOWN_REASON_OWN);
  ends[4] = message.length;
  memset(partial, 0, sizeof partial);
  for (int i = 0; i < 5; i++) {
    strcpy(partial[i].owner_service, sample.owner_service);
    strcpy(partial[i].owner_method, i >= 1 ? sample.owner_method : "");
    partial[i].hops = i >= 2 ? 300 : 0;
    partial[i].attempts = i >= 3 ? 70000 : 0;
    partial[i].reason = i >= 4 ? EOWN_REASON_OWN : EOWN_REASON_NONE;
  }
  int next = 0;
  for (size_t length = 1; length <= message.length; length++) {
    TEST_TRACE("%zu bytes", length);
    if (length < ends[next]) {
      check_refused(&message, length);
      continue;
    }
    wire cut = message;
    cut.length = length;
    check_taken(&cut, &partial[next++]);
  }
  CHECK_EQ(5, next);
}

EOWN_TEST(ClaimDetail, SizeLimit) {
  wire message = {.length = 0};
  wire_text(&message, 1, "owner");
  char padding[EOWN_CLAIM_DETAIL_MAX];
  size_t room = EOWN_CLAIM_DETAIL_MAX - message.length - 3;
  fill(padding, room, 'p');
  wire_text(&message, 15, padding); /* an unknown field: 3 bytes of header */
  REQUIRE_EQ(EOWN_CLAIM_DETAIL_MAX, message.length);
  eown_claim_detail expected = {.owner_service = "owner"};
  check_taken(&message, &expected);

  message.length = 0;
  wire_text(&message, 1, "owner");
  fill(padding, room + 1, 'p');
  wire_text(&message, 15, padding);
  check_refused(&message, message.length);
}

EOWN_TEST(ClaimDetail, RefusesNamesThatAreNotPrintableAscii) {
  static const char *const names[] = {
      "a\001b",       "\t",   "new\nline", "\x7f",     "caf\xc3\xa9",
      "\xe2\x82\xac", "\xc3", "\x80",      "\xff\xff", "\xed\xa0\x80"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    for (uint32_t field = 1; field <= 2; field++) {
      TEST_TRACE("name %zu in field %u", i, field);
      wire message = {.length = 0};
      wire_text(&message, field, names[i]);
      wire_number(&message, 5, EOWN_REASON_OWN);
      check_refused(&message, message.length);
    }
}

EOWN_TEST(ClaimDetail, RefusesNulInNames) {
  for (uint8_t field = 1; field <= 2; field++) {
    const uint8_t bytes[] = {(uint8_t)(field << 3 | 2), 3, 'a', 0, 'b'};
    wire message = {.length = 0};
    wire_bytes(&message, bytes, sizeof bytes);
    check_refused(&message, message.length);
  }
}

EOWN_TEST(ClaimDetail, TakesEveryPrintableByte) {
  eown_claim_detail detail = {.reason = EOWN_REASON_OWN};
  for (char byte = ' '; byte <= '~'; byte++)
    detail.owner_service[byte - ' '] = byte;
  check_round_trip(&detail);
}

/* Names of others may be longer than ours: cut, as ours are. */
EOWN_TEST(ClaimDetail, CutsLongNames) {
  char longer[201];
  fill(longer, 200, 'n');
  wire message = {.length = 0};
  wire_text(&message, 1, longer);
  wire_text(&message, 2, "Get");
  eown_claim_detail expected = {.owner_method = "Get"};
  fill(expected.owner_service, EOWN_OWNER_MAX, 'n');
  check_taken(&message, &expected);
}

EOWN_TEST(ClaimDetail, IgnoresUnknownFields) {
  static const uint32_t fields[] = {6, 7, 15, 16, 1000, 19000, 536870911};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    TEST_TRACE("field %u", fields[i]);
    wire message = {.length = 0};
    wire_number(&message, fields[i], 5);
    wire_text(&message, 1, sample.owner_service);
    wire_text(&message, fields[i], "\xff unknown");
    wire_text(&message, 2, sample.owner_method);
    wire_varint(&message, (uint64_t)fields[i] << 3 | 1);
    wire_bytes(&message, "12345678", 8);
    wire_number(&message, 3, sample.hops);
    wire_varint(&message, (uint64_t)fields[i] << 3 | 5);
    wire_bytes(&message, "1234", 4);
    wire_number(&message, 4, sample.attempts);
    wire_number(&message, 5, sample.reason);
    check_taken(&message, &sample);
  }
}

EOWN_TEST(ClaimDetail, IgnoresAsManyUnknownFieldsAsFit) {
  for (size_t count = 1; count <= 116; count++) {
    TEST_TRACE("%zu unknown fields", count);
    wire message = {.length = 0};
    wire_text(&message, 1, "shop.Cart");
    for (size_t i = 0; i < count; i++)
      wire_number(&message, 6 + (uint32_t)(i % 10), i % 100);
    wire_number(&message, 3, 7);
    CHECK_LE(message.length, EOWN_CLAIM_DETAIL_MAX);
    eown_claim_detail expected = {.owner_service = "shop.Cart", .hops = 7};
    check_taken(&message, &expected);
  }
}

EOWN_TEST(ClaimDetail, LastOfARepeatedFieldWins) {
  wire message = {.length = 0};
  for (int i = 0; i < 20; i++) {
    wire_text(&message, 1, "first");
    wire_number(&message, 3, 9);
  }
  wire_text(&message, 1, "last");
  wire_number(&message, 3, 1);
  eown_claim_detail expected = {.owner_service = "last", .hops = 1};
  check_taken(&message, &expected);
}

EOWN_TEST(ClaimDetail, UnknownReasonIsNone) {
  static const uint64_t reasons[] = {EOWN_REASON_N, 8,          100,
                                     INT32_MAX,     UINT32_MAX, UINT64_MAX};
  for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
    TEST_TRACE("reason %llu", (unsigned long long)reasons[i]);
    wire message = {.length = 0};
    wire_text(&message, 1, "owner");
    wire_number(&message, 5, reasons[i]);
    eown_claim_detail expected = {.owner_service = "owner"};
    check_taken(&message, &expected);
  }
}

EOWN_TEST(ClaimDetail, RefusesWhatIsNoProtobuf) {
  static const struct {
    const char *bytes;
    size_t length;
  } messages[] = {
      {"\x00\x01", 2},                                       /* field 0 */
      {"\x0f", 1},                                           /* wire type 7 */
      {"\x0e\x01", 2},                                       /* wire type 6 */
      {"\x0a\xff\xff\xff\xff\x0f", 6},                       /* length > rest */
      {"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01x", 12}, /* 2^64 - 1 */
      {"\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12}, /* 11 bytes */
      {"\x18\x80\x80\x80", 4},                                  /* no end */
      {"\x0a", 1},
      {"\x18", 1},
  };
  for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
    TEST_TRACE("message %zu", i);
    wire message = {.length = 0};
    wire_bytes(&message, messages[i].bytes, messages[i].length);
    check_refused(&message, message.length);
  }
}
