/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* The detail message under random values and random damage, against what
 * protobuf-c makes of it. The seeds are fixed. */
#include "eown/claim.h"

#include "gtest_c.h"
#include "support.h"
#include "wire.h"

#include "eown/v1/error_claim.pb-c.h"

#include <stdlib.h>
#include <string.h>

static void random_name(test_random *random, char *name) {
  uint32_t length = test_random_below(random, EOWN_OWNER_MAX + 1);
  for (uint32_t i = 0; i < length; i++)
    name[i] = (char)(' ' + test_random_below(random, '~' - ' ' + 1));
  name[length] = '\0';
}

static eown_claim_detail random_detail(test_random *random) {
  eown_claim_detail detail = {0};
  random_name(random, detail.owner_service);
  random_name(random, detail.owner_method);
  detail.hops =
      (uint32_t)test_random_next(random) >> test_random_below(random, 32);
  detail.attempts = test_random_below(random, 6);
  detail.reason = (eown_reason)test_random_below(random, EOWN_REASON_N);
  return detail;
}

/* Whether `detail` is a value that the header allows at all. */
static void check_sane(const eown_claim_detail *detail) {
  const char *const names[] = {detail->owner_service, detail->owner_method};
  for (int i = 0; i < 2; i++) {
    const char *end = memchr(names[i], '\0', EOWN_OWNER_MAX + 1);
    REQUIRE_NOT_NULL(end);
    for (const char *byte = names[i]; byte < end; byte++)
      CHECK_TRUE(*byte >= ' ' && *byte <= '~');
  }
  CHECK_LT(detail->reason, EOWN_REASON_N);
}

EOWN_TEST(ClaimFuzzed, EncodesWhatProtobufDecodes) {
  test_random random = {11};
  for (int round = 0; round < 2000; round++) {
    TEST_TRACE("round %d", round);
    eown_claim_detail detail = random_detail(&random);
    uint8_t buffer[EOWN_CLAIM_DETAIL_MAX];
    size_t length = eown_claim_detail_encode(&detail, buffer, sizeof buffer);
    Eown__V1__ErrorClaim *message =
        eown__v1__error_claim__unpack(NULL, length, buffer);
    REQUIRE_NOT_NULL(message);
    CHECK_STREQ(detail.owner_service, message->owner_service);
    CHECK_STREQ(detail.owner_method, message->owner_method);
    CHECK_EQ(detail.hops, message->hops);
    CHECK_EQ(detail.attempts, message->attempts);
    CHECK_EQ((int)detail.reason, (int)message->reason);
    eown__v1__error_claim__free_unpacked(message, NULL);
  }
}

EOWN_TEST(ClaimFuzzed, DecodesWhatProtobufEncodes) {
  test_random random = {12};
  for (int round = 0; round < 2000; round++) {
    TEST_TRACE("round %d", round);
    eown_claim_detail detail = random_detail(&random), read = {0};
    Eown__V1__ErrorClaim message = EOWN__V1__ERROR_CLAIM__INIT;
    message.owner_service = detail.owner_service;
    message.owner_method = detail.owner_method;
    message.hops = detail.hops;
    message.attempts = detail.attempts;
    message.reason = (Eown__V1__ErrorClaim__Reason)detail.reason;
    uint8_t buffer[EOWN_CLAIM_DETAIL_MAX];
    REQUIRE_LE(eown__v1__error_claim__get_packed_size(&message), sizeof buffer);
    size_t length = eown__v1__error_claim__pack(&message, buffer);
    REQUIRE_TRUE(eown_claim_detail_decode(buffer, length, &read));
    CHECK_STREQ(detail.owner_service, read.owner_service);
    CHECK_STREQ(detail.owner_method, read.owner_method);
    CHECK_EQ(detail.hops, read.hops);
    CHECK_EQ(detail.attempts, read.attempts);
    CHECK_EQ(detail.reason, read.reason);
  }
}

/* The reasons on the wire are those of the header. */
EOWN_TEST(ClaimFuzzed, ReasonNumbersAreTheWires) {
  const ProtobufCEnumDescriptor *reasons =
      &eown__v1__error_claim__reason__descriptor;
  CHECK_EQ(EOWN_REASON_N, reasons->n_values);
  for (unsigned i = 0; i < reasons->n_values; i++) {
    CHECK_EQ(i, reasons->values[i].value);
    char lower[64];
    size_t j = 0;
    for (const char *c = reasons->values[i].name; *c; c++)
      lower[j++] = (char)(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
    lower[j] = '\0';
    CHECK_STREQ(lower, eown_reason_name((eown_reason)i));
  }
}

/* Damages a message in one to eight places. */
static void damage(test_random *random, wire *message) {
  for (uint32_t n = 1 + test_random_below(random, 8); n > 0; n--) {
    if (message->length == 0)
      return;
    uint32_t at = test_random_below(random, (uint32_t)message->length);
    switch (test_random_below(random, 4)) {
    case 0:
      message->bytes[at] ^= (uint8_t)(1u << test_random_below(random, 8));
      break;
    case 1:
      message->bytes[at] = (uint8_t)test_random_next(random);
      break;
    case 2:
      message->length = at;
      break;
    default:
      wire_bytes(message, message->bytes + at,
                 test_random_below(random, (uint32_t)message->length - at));
      break;
    }
    if (message->length > 300)
      message->length = 300;
  }
}

/* What decodes is sane, stable, and what protobuf-c decodes too. */
static void check_decoded(const wire *message) {
  uint8_t *exact = wire_exact(message, message->length);
  eown_claim_detail detail, again;
  memset(&detail, 0x5a, sizeof detail);
  memcpy(&again, &detail, sizeof detail);
  if (!eown_claim_detail_decode(exact, message->length, &detail)) {
    CHECK_MEMEQ(&again, &detail, sizeof detail);
    free(exact);
    return;
  }
  check_sane(&detail);
  CHECK_LE(message->length, EOWN_CLAIM_DETAIL_MAX);
  Eown__V1__ErrorClaim *unpacked =
      eown__v1__error_claim__unpack(NULL, message->length, exact);
  CHECK_NOT_NULL(unpacked);
  if (unpacked) {
    CHECK_EQ(unpacked->hops, detail.hops);
    CHECK_EQ(unpacked->attempts, detail.attempts);
    eown__v1__error_claim__free_unpacked(unpacked, NULL);
  }
  uint8_t buffer[EOWN_CLAIM_DETAIL_MAX];
  size_t length = eown_claim_detail_encode(&detail, buffer, sizeof buffer);
  CHECK_TRUE(eown_claim_detail_decode(buffer, length, &again));
  CHECK_STREQ(detail.owner_service, again.owner_service);
  CHECK_EQ(detail.reason, again.reason);
  free(exact);
}

EOWN_TEST(ClaimFuzzed, SurvivesDamage) {
  test_random random = {13};
  for (int round = 0; round < 20000; round++) {
    eown_claim_detail detail = random_detail(&random);
    wire message = {.length = 0};
    message.length =
        eown_claim_detail_encode(&detail, message.bytes, EOWN_CLAIM_DETAIL_MAX);
    damage(&random, &message);
    check_decoded(&message);
  }
}

EOWN_TEST(ClaimFuzzed, SurvivesNoise) {
  test_random random = {14};
  for (int round = 0; round < 20000; round++) {
    wire message = {.length = test_random_below(&random, 300)};
    for (size_t i = 0; i < message.length; i++)
      message.bytes[i] = (uint8_t)test_random_next(&random);
    check_decoded(&message);
  }
}
