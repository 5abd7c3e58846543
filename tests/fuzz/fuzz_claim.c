/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* The claim as it comes from the wire. The first byte says what follows: 'v'
 * values of the claim keys, one a line, '+' before those of the alias;
 * 'p' a gRPC path; anything else a detail message. */
#include "eown/claim.h"

#include "fuzz.h"

#include <string.h>

static void read_values(const char *text, size_t size) {
  eown_claim_reader reader = {0};
  size_t values = 0;
  for (;;) {
    const char *end = memchr(text, '\n', size);
    size_t length = end ? (size_t)(end - text) : size;
    bool alias = length > 0 && text[0] == '+';
    eown_claim_reader_feed(&reader, alias, text + alias, length - alias);
    values++;
    if (!end)
      break;
    size -= length + 1;
    text = end + 1;
  }
  bool malformed = true;
  eown_claim claim = eown_claim_reader_result(&reader, &malformed);
  FUZZ_ASSERT(malformed == (claim == EOWN_CLAIM_MISSING));
  FUZZ_ASSERT(values <= 2 || malformed);
}

static void check_names(const eown_claim_detail *detail) {
  const char *const names[] = {detail->owner_service, detail->owner_method};
  for (int i = 0; i < 2; i++) {
    const char *end = memchr(names[i], '\0', EOWN_OWNER_MAX + 1);
    FUZZ_ASSERT(end);
    for (const char *byte = names[i]; byte < end; byte++)
      FUZZ_ASSERT(*byte >= ' ' && *byte <= '~');
  }
  FUZZ_ASSERT(detail->reason < EOWN_REASON_N);
}

/* What was read can be written, and reads the same again. */
static void check_round_trip(const eown_claim_detail *detail) {
  uint8_t buffer[EOWN_CLAIM_DETAIL_MAX];
  eown_claim_detail again;
  check_names(detail);
  size_t length = eown_claim_detail_encode(detail, buffer, sizeof buffer);
  FUZZ_ASSERT(length <= sizeof buffer);
  FUZZ_ASSERT(eown_claim_detail_decode(buffer, length, &again));
  FUZZ_ASSERT(!strcmp(detail->owner_service, again.owner_service));
  FUZZ_ASSERT(!strcmp(detail->owner_method, again.owner_method));
  FUZZ_ASSERT(detail->hops == again.hops);
  FUZZ_ASSERT(detail->attempts == again.attempts);
  FUZZ_ASSERT(detail->reason == again.reason);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  eown_claim_detail detail = {.reason = EOWN_REASON_OWN};
  if (size == 0)
    return 0;
  const char *text = (const char *)data + 1;
  if (data[0] == 'v') {
    read_values(text, size - 1);
  } else if (data[0] == 'p') {
    eown_claim_detail_set_owner_path(&detail, text, size - 1);
    check_round_trip(&detail);
  } else if (eown_claim_detail_decode(data + 1, size - 1, &detail)) {
    check_round_trip(&detail);
  }
  return 0;
}
