/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* Pins: a text that passes the check must be safe to search, also for names
 * made of the text itself. */
#include "eown/memory.h"

#include "fuzz.h"

#include <string.h>

static void search(const char *text, const char *inbound, size_t inbound_length,
                   const char *outbound, size_t outbound_length) {
  eown_edge edge = {inbound, inbound_length, outbound, outbound_length};
  eown_edge_kind kind = EOWN_EDGE_UNKNOWN;
  bool found = eown_pins_find(text, &edge, &kind);
  FUZZ_ASSERT(found == (kind != EOWN_EDGE_UNKNOWN));
  FUZZ_ASSERT(kind < EOWN_EDGE_KIND_N);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char message[96];
  char *text = malloc(size + 1);
  if (!text)
    return 0;
  if (size)
    memcpy(text, data, size);
  text[size] = '\0';
  memset(message, 'x', sizeof message);
  message[0] = '\0';
  bool good = eown_pins_check(text, message, sizeof message);
  FUZZ_ASSERT(memchr(message, '\0', sizeof message));
  FUZZ_ASSERT(good == eown_pins_check(text, NULL, 0));
  if (good) {
    size_t length = strlen(text), name = strcspn(text, "=>*");
    search(text, "", 0, "", 0);
    search(text, "/front.Shop/Buy", 15, "/shop.Cart/Get", 14);
    search(text, text, name, text, name);
    search(text, text, length, text, length);
  }
  free(text);
  return 0;
}
