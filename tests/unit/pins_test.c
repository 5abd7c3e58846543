/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* Edges fixed by hand: the text form, and which entry fits. */
#include "eown/memory.h"

#include "gtest_c.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

EOWN_TEST(Pins, GoodTexts) {
  static const char *const texts[] = {
      "*=fail-open",
      "*=fail-close",
      "/shop.Cart/Get=fail-open",
      "/shop.Cart/*=fail-open",
      "/shop.*=fail-close",
      "/front.Shop/Buy>/shop.Cart/Get=fail-open",
      "/front.Shop/*>/shop.Cart/*=fail-close",
      "*>*=fail-open",
      "*>/shop.Cart/Get=fail-open",
      "/a.B/C=fail-open,/a.B/D=fail-close,*=fail-open",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    TEST_TRACE("\"%s\"", texts[i]);
    char message[256] = "";
    CHECK_TRUE(eown_pins_check(texts[i], message, sizeof message));
    CHECK_TRUE(eown_pins_check(texts[i], NULL, 0));
  }
}

EOWN_TEST(Pins, BadTexts) {
  /* The text, and the entry that the message must name. */
  static const char *const texts[][2] = {
      {",", ""},
      {"/a.B/C", "/a.B/C"},
      {"/a.B/C=", "/a.B/C="},
      {"/a.B/C=open", "/a.B/C=open"},
      {"/a.B/C=fail", "/a.B/C=fail"},
      {"/a.B/C=fail-opened", "/a.B/C=fail-opened"},
      {"/a.B/C=Fail-Open", "/a.B/C=Fail-Open"},
      {"/a.B/C=fail-open=fail-open", "/a.B/C"},
      {"=fail-open", "=fail-open"},
      {">/a.B/C=fail-open", ">/a.B/C=fail-open"},
      {"/a.B/C>=fail-open", "/a.B/C>=fail-open"},
      {">=fail-open", ">=fail-open"},
      {"/a.B/C=fail-open,", ""},
      {",/a.B/C=fail-open", ""},
      {"/a.B/C=fail-open,,/a.B/D=fail-open", ""},
      {"/a.B/C=fail-open,/a.B/D", "/a.B/D"},
      {"/a.B/C=fail-open;/a.B/D=fail-open", "/a.B/C"},
      {"/a>/b>/c=fail-open", "/a>/b>/c=fail-open"},
      {"/a*b=fail-open", "/a*b=fail-open"},
      {"/a.B/C=fail-open\n", "/a.B/C"},
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    TEST_TRACE("\"%s\"", texts[i][0]);
    char message[256] = "";
    CHECK_FALSE(eown_pins_check(texts[i][0], message, sizeof message));
    CHECK_LT(0, strlen(message));
    CHECK_CONTAINS(texts[i][1], message);
    CHECK_FALSE(eown_pins_check(texts[i][0], NULL, 0));
  }
}

EOWN_TEST(Pins, AsManyAsAllowed) {
  enum { ENTRY = sizeof "/s/m00000=fail-open," - 1 };
  char *text = malloc((size_t)(EOWN_PINS_MAX + 1) * ENTRY + 1);
  REQUIRE_NOT_NULL(text);
  for (int count = EOWN_PINS_MAX; count <= EOWN_PINS_MAX + 1; count++) {
    for (int i = 0; i < count; i++)
      snprintf(text + i * ENTRY, ENTRY + 1, "/s/m%05d=fail-open,", i);
    text[count * ENTRY - 1] = '\0'; /* no comma after the last */
    char message[256] = "";
    CHECK_EQ(count <= EOWN_PINS_MAX,
             eown_pins_check(text, message, sizeof message));
    CHECK_EQ(count > EOWN_PINS_MAX, strlen(message) > 0);
  }
  free(text);
}

EOWN_TEST(Pins, MessageKeepsItsSize) {
  static char text[3000];
  memset(text, 'p', sizeof text - 1);
  for (size_t size = 1; size < 400; size += size < 20 ? 1 : 61) {
    char *message = malloc(size);
    REQUIRE_NOT_NULL(message);
    memset(message, 'x', size);
    CHECK_FALSE(eown_pins_check(text, message, size));
    CHECK_NOT_NULL(memchr(message, '\0', size));
    free(message);
  }
}

/* A copy without NUL: reading past the end shows under AddressSanitizer. */
static char *exact(const char *text) {
  size_t length = strlen(text);
  char *copy = malloc(length ? length : 1);
  if (!copy)
    abort();
  memcpy(copy, text, length);
  return copy;
}

/* Returns the kind, or -1 where no pin fits. */
static int find(const char *text, const char *inbound, const char *outbound) {
  char *in = exact(inbound), *out = exact(outbound);
  eown_edge edge = {in, strlen(inbound), out, strlen(outbound)};
  eown_edge_kind kind = EOWN_EDGE_KIND_N;
  bool found = eown_pins_find(text, &edge, &kind);
  CHECK_EQ(found, kind != EOWN_EDGE_KIND_N);
  free(out);
  free(in);
  return found ? (int)kind : -1;
}

EOWN_TEST(Pins, WhichFits) {
  enum { NONE = -1, OPEN = EOWN_EDGE_FAIL_OPEN, CLOSE = EOWN_EDGE_FAIL_CLOSE };
  static const struct {
    const char *text, *inbound, *outbound;
    int kind;
  } rows[] = {
      {"/a.B/C=fail-open", "/i", "/a.B/C", OPEN},
      {"/a.B/C=fail-close", "/i", "/a.B/C", CLOSE},
      {"/a.B/C=fail-open", "", "/a.B/C", OPEN},
      /* the whole name, nothing more or less, in this case */
      {"/a.B/C=fail-open", "/i", "/a.B/CC", NONE},
      {"/a.B/C=fail-open", "/i", "/a.B/", NONE},
      {"/a.B/C=fail-open", "/i", "/a.b/c", NONE},
      {"/a.B/C=fail-open", "/a.B/C", "/i", NONE},
      {"/a.B/C=fail-open", "/i", "", NONE},
      /* wildcards */
      {"*=fail-open", "", "/x.Y/Z", OPEN},
      {"*=fail-open", "/i", "", OPEN},
      {"/a.B/*=fail-open", "/i", "/a.B/C", OPEN},
      {"/a.B/*=fail-open", "/i", "/a.B/", OPEN},
      {"/a.B/*=fail-open", "/i", "/a.B", NONE},
      {"/a.B/*=fail-open", "/i", "/a.BB/C", NONE},
      {"/a.*=fail-open", "/i", "/a.B/C", OPEN},
      /* inbound and outbound */
      {"/i.I/M>/a.B/C=fail-open", "/i.I/M", "/a.B/C", OPEN},
      {"/i.I/M>/a.B/C=fail-open", "/i.I/N", "/a.B/C", NONE},
      {"/i.I/M>/a.B/C=fail-open", "", "/a.B/C", NONE},
      {"/i.I/*>/a.B/*=fail-open", "/i.I/N", "/a.B/D", OPEN},
      {"/i.I/*>/a.B/*=fail-open", "/j.I/N", "/a.B/D", NONE},
      {"*>/a.B/C=fail-open", "", "/a.B/C", OPEN},
      {"/i.I/M>*=fail-close", "/i.I/M", "/x", CLOSE},
      /* the first that fits */
      {"/a.B/C=fail-open,*=fail-close", "/i", "/a.B/C", OPEN},
      {"/a.B/C=fail-open,*=fail-close", "/i", "/a.B/D", CLOSE},
      {"*=fail-close,/a.B/C=fail-open", "/i", "/a.B/C", CLOSE},
      {"/j>*=fail-open,/i>*=fail-close,*=fail-open", "/i", "/o", CLOSE},
      {"/a.B/C=fail-open,/a.B/C=fail-close", "/i", "/a.B/C", OPEN},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    TEST_TRACE("\"%s\" for %s>%s", rows[i].text, rows[i].inbound,
               rows[i].outbound);
    REQUIRE_TRUE(eown_pins_check(rows[i].text, NULL, 0));
    CHECK_EQ(rows[i].kind,
             find(rows[i].text, rows[i].inbound, rows[i].outbound));
  }
}

EOWN_TEST(Pins, NoTextFitsNothing) { CHECK_EQ(-1, find(NULL, "/i", "/o")); }

/* Work without an inbound call has no name at all. */
EOWN_TEST(Pins, InboundMayBeNull) {
  eown_edge edge = {NULL, 0, "/a.B/C", 6};
  eown_edge_kind kind = EOWN_EDGE_UNKNOWN;
  CHECK_TRUE(eown_pins_find("/i>/a.B/C=fail-close,*=fail-open", &edge, &kind));
  CHECK_EQ(EOWN_EDGE_FAIL_OPEN, kind);
}
