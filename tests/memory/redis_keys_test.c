/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* The keys' names: one hash tag for all keys of a service. */
#include "eown/claim.h"
#include "field.h"

#include "gtest_c.h"

#include <stdio.h>
#include <string.h>

#define KEY_SIZE (3 * EOWN_OWNER_MAX + 64)

static const char *const services[] = {
    "",    "shop", "shop.Cart", "cart {a} b", "a}b{c",  "{}",    "}",   "{",
    "x:y", "%",    "%25",       " ",          "\xff\n", "1:{x}", "a{}", "eown"};
#define SERVICES_N (sizeof services / sizeof *services)

/* Writes a key's hash tag as Redis finds it: what is between the first '{' and
 * the first '}' after it, where that is not empty. */
static void read_tag(const char *key, char tag[KEY_SIZE]) {
  const char *open = strchr(key, '{');
  const char *close = open != NULL ? strchr(open, '}') : NULL;
  REQUIRE_NOT_NULL(close);
  CHECK_GT(close - open, 1);
  CHECK_NULL(strchr(open + 1, '{')); /* and there is no other */
  CHECK_NULL(strchr(close + 1, '}'));
  snprintf(tag, KEY_SIZE, "%.*s", (int)(close - open - 1), open + 1);
}

static void check_tag(const char *service, char tag[KEY_SIZE]) {
  static const struct {
    uint64_t bucket;
    const char *end;
  } rows[] = {{0, ":1:0"},
              {1, ":1:1"},
              {500000, ":1:500000"},
              {UINT64_MAX, ":1:18446744073709551615"}};
  TEST_TRACE("service '%s'", service);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char key[KEY_SIZE], other[KEY_SIZE] = "";
    eown__key_write(service, rows[i].bucket, key, sizeof key);
    read_tag(key, i == 0 ? tag : other);
    if (i > 0)
      CHECK_STREQ(tag, other);
    CHECK_STREQ(rows[i].end, strchr(key, '}') + 1);
  }
}

EOWN_TEST(RedisKeys, HaveOneTagForEachService) {
  char tags[SERVICES_N][KEY_SIZE];
  for (size_t i = 0; i < SERVICES_N; i++) {
    check_tag(services[i], tags[i]);
    for (size_t j = 0; j < i; j++)
      CHECK_STRNE(tags[j], tags[i]);
  }
}

EOWN_TEST(RedisKeys, AreWholeForTheLongestService) {
  char service[2 * EOWN_OWNER_MAX], tag[KEY_SIZE];
  memset(service, '{', sizeof service);
  service[sizeof service - 1] = '\0';
  check_tag(service, tag);
  CHECK_EQ(3 * EOWN_OWNER_MAX, strlen(tag)); /* cut; each as %7B */
}
