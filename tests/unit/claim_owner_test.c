/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* Setting the owner of an error. */
#include "eown/claim.h"

#include "gtest_c.h"

#include <string.h>

static void set_path(eown_claim_detail *detail, const char *path) {
  eown_claim_detail_set_owner_path(detail, path, strlen(path));
}

EOWN_TEST(ClaimOwner, TakesBothNamesAndNothingElse) {
  eown_claim_detail detail = {"old.Service.Of.Old", "OldMethod", 4, 5,
                              EOWN_REASON_OWN};
  eown_claim_detail_set_owner(&detail, "shop.Cart", 9, "Get", 3);
  CHECK_STREQ("shop.Cart", detail.owner_service);
  CHECK_STREQ("Get", detail.owner_method);
  CHECK_EQ(4, detail.hops);
  CHECK_EQ(5, detail.attempts);
  CHECK_EQ(EOWN_REASON_OWN, detail.reason);
}

EOWN_TEST(ClaimOwner, TakesNullOfLengthZero) {
  eown_claim_detail detail = {.owner_service = "old", .owner_method = "old"};
  eown_claim_detail_set_owner(&detail, NULL, 0, NULL, 0);
  CHECK_STREQ("", detail.owner_service);
  CHECK_STREQ("", detail.owner_method);
}

EOWN_TEST(ClaimOwner, ReadsNoMoreThanTheLength) {
  const char service[] = {'a', 'b'}, method[] = {'c'};
  eown_claim_detail detail = {0};
  eown_claim_detail_set_owner(&detail, service, 2, method, 1);
  CHECK_STREQ("ab", detail.owner_service);
  CHECK_STREQ("c", detail.owner_method);
}

EOWN_TEST(ClaimOwner, CutsAtTheLimit) {
  char name[EOWN_OWNER_MAX + 50];
  memset(name, 'n', sizeof name);
  for (size_t length = EOWN_OWNER_MAX - 1; length <= sizeof name; length++) {
    eown_claim_detail detail = {0};
    eown_claim_detail_set_owner(&detail, name, length, name, length);
    size_t kept = length < EOWN_OWNER_MAX ? length : EOWN_OWNER_MAX;
    CHECK_EQ(kept, strlen(detail.owner_service));
    CHECK_EQ(kept, strlen(detail.owner_method));
  }
}

EOWN_TEST(ClaimOwner, ReplacesWhatIsNotPrintable) {
  eown_claim_detail detail = {0};
  eown_claim_detail_set_owner(&detail, "a\0b\x7f\xc3\xa9~ ", 8, "\x1f!\t", 3);
  CHECK_STREQ("a?b???~ ", detail.owner_service);
  CHECK_STREQ("?!?", detail.owner_method);
}

EOWN_TEST(ClaimOwner, SplitsPaths) {
  static const struct {
    const char *path, *service, *method;
  } rows[] = {
      {"/shop.Cart/Get", "shop.Cart", "Get"},
      {"/S/M", "S", "M"},
      {"/a.b.c.D/Method_1", "a.b.c.D", "Method_1"},
      /* of another form: the service as it is */
      {"redis", "redis", ""},
      {"", "", ""},
      {"/nomethod", "/nomethod", ""},
      {"shop.Cart/Get", "shop.Cart/Get", ""},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    TEST_TRACE("path \"%s\"", rows[i].path);
    eown_claim_detail detail = {.owner_service = "old", .owner_method = "old"};
    set_path(&detail, rows[i].path);
    CHECK_STREQ(rows[i].service, detail.owner_service);
    CHECK_STREQ(rows[i].method, detail.owner_method);
  }
}

/* Odd forms: whatever they become, it is printable and ends. */
EOWN_TEST(ClaimOwner, SurvivesOddPaths) {
  static const char *const paths[] = {"/", "//", "///", "/a/", "//b", "/a/b/c"};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    eown_claim_detail detail;
    memset(&detail, 0x5a, sizeof detail);
    set_path(&detail, paths[i]);
    CHECK_NOT_NULL(memchr(detail.owner_service, 0, EOWN_OWNER_MAX + 1));
    CHECK_NOT_NULL(memchr(detail.owner_method, 0, EOWN_OWNER_MAX + 1));
  }
}

EOWN_TEST(ClaimOwner, SplitsLongPaths) {
  char path[2 * (EOWN_OWNER_MAX + 20) + 3];
  size_t half = EOWN_OWNER_MAX + 20;
  memset(path, 's', sizeof path);
  path[0] = '/';
  path[1 + half] = '/';
  memset(path + half + 2, 'm', half);
  eown_claim_detail detail = {0};
  eown_claim_detail_set_owner_path(&detail, path, 2 * half + 2);
  CHECK_EQ(EOWN_OWNER_MAX, strlen(detail.owner_service));
  CHECK_EQ(EOWN_OWNER_MAX, strlen(detail.owner_method));
  CHECK_EQ('s', detail.owner_service[EOWN_OWNER_MAX - 1]);
  CHECK_EQ('m', detail.owner_method[0]);
}
