/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* Counters: totals, and the table of outbound methods. */
#include "eown/counters.h"

#include "gtest_c.h"
#include "support.h"

#include <stdio.h>
#include <string.h>

/* What eown_counters_each shows of one method. */
typedef struct seen {
  const char *method;
  eown_counter counter;
  uint64_t value;
  int visits;
} seen;

static void look(void *user, const char *method, const uint64_t *values) {
  seen *self = user;
  if (strcmp(method, self->method) != 0)
    return;
  self->visits++;
  self->value = values[self->counter];
}

static seen find(const char *method, eown_counter counter) {
  seen result = {.method = method, .counter = counter};
  eown_counters_each(look, &result);
  return result;
}

static void count_method(eown_counter counter, const char *method) {
  eown_count_method(counter, method, (uint32_t)strlen(method));
}

EOWN_TEST(Counters, NamesAreUnique) {
  for (int i = 0; i < EOWN_COUNTER_N; i++) {
    const char *name = eown_counter_name((eown_counter)i);
    REQUIRE_NOT_NULL(name);
    CHECK_EQ(strlen(name), strspn(name, "abcdefghijklmnopqrstuvwxyz_"));
    CHECK_LT(0, strlen(eown_counter_text((eown_counter)i)));
    for (int j = 0; j < i; j++)
      CHECK_STRNE(name, eown_counter_name((eown_counter)j));
  }
  CHECK_STREQ("outbound_calls", eown_counter_name(EOWN_COUNTER_outbound_calls));
}

EOWN_TEST(Counters, EachCountsItselfOnly) {
  eown_counters_reset();
  for (int i = 0; i < EOWN_COUNTER_N; i++)
    for (int n = 0; n <= i; n++)
      eown_count((eown_counter)i);
  for (int i = 0; i < EOWN_COUNTER_N; i++)
    CHECK_EQ(i + 1, eown_counter_read((eown_counter)i));
  eown_counters_reset();
  for (int i = 0; i < EOWN_COUNTER_N; i++)
    CHECK_EQ(0, eown_counter_read((eown_counter)i));
}

EOWN_TEST(Counters, MethodCountsToBoth) {
  eown_counters_reset();
  for (int i = 0; i < 3; i++)
    count_method(EOWN_COUNTER_outbound_errors, "/a.B/C");
  count_method(EOWN_COUNTER_local, "/a.B/C");
  count_method(EOWN_COUNTER_outbound_errors, "/a.B/D");
  eown_count(EOWN_COUNTER_outbound_errors);
  CHECK_EQ(5, eown_counter_read(EOWN_COUNTER_outbound_errors));
  CHECK_EQ(1, eown_counter_read(EOWN_COUNTER_local));
  seen one = find("/a.B/C", EOWN_COUNTER_outbound_errors);
  CHECK_EQ(1, one.visits);
  CHECK_EQ(3, one.value);
  CHECK_EQ(1, find("/a.B/C", EOWN_COUNTER_local).value);
  CHECK_EQ(1, find("/a.B/D", EOWN_COUNTER_outbound_errors).value);
  CHECK_EQ(0, find("/a.B/D", EOWN_COUNTER_local).value);
}

EOWN_TEST(Counters, MethodsAreToldApartByLength) {
  eown_counters_reset();
  static const char text[] = "/a.B/LongName";
  eown_count_method(EOWN_COUNTER_local, text, 8);
  eown_count_method(EOWN_COUNTER_local, text, 9);
  eown_count_method(EOWN_COUNTER_local, text, 9);
  CHECK_EQ(1, find("/a.B/Lon", EOWN_COUNTER_local).value);
  CHECK_EQ(2, find("/a.B/Long", EOWN_COUNTER_local).value);
}

EOWN_TEST(Counters, ResetForgetsMethods) {
  eown_counters_reset();
  count_method(EOWN_COUNTER_local, "/a.B/C");
  eown_counters_reset();
  CHECK_EQ(0, find("/a.B/C", EOWN_COUNTER_local).visits);
  count_method(EOWN_COUNTER_local, "/a.B/C");
  CHECK_EQ(1, find("/a.B/C", EOWN_COUNTER_local).value);
}

EOWN_TEST(Counters, OddNamesAreSurvived) {
  eown_counters_reset();
  char longer[5000];
  memset(longer, 'l', sizeof longer);
  eown_count_method(EOWN_COUNTER_local, "", 0);
  eown_count_method(EOWN_COUNTER_local, longer, sizeof longer);
  CHECK_EQ(2, eown_counter_read(EOWN_COUNTER_local));
}

enum { ROUNDS = 5000 };

static void count_many(unsigned index, void *user) {
  (void)user;
  char own[] = "/t.S/0";
  own[5] = (char)('0' + index);
  for (int i = 0; i < ROUNDS; i++) {
    eown_count(EOWN_COUNTER_inbound_calls);
    count_method(EOWN_COUNTER_local, "/t.S/Shared");
    count_method(EOWN_COUNTER_outbound_errors, own);
  }
}

EOWN_TEST(Counters, NothingIsLostUnderThreads) {
  eown_counters_reset();
  test_on_threads(count_many, NULL);
  CHECK_EQ(ROUNDS * TEST_THREADS,
           eown_counter_read(EOWN_COUNTER_inbound_calls));
  CHECK_EQ(ROUNDS * TEST_THREADS, eown_counter_read(EOWN_COUNTER_local));
  seen shared = find("/t.S/Shared", EOWN_COUNTER_local);
  CHECK_EQ(1, shared.visits);
  CHECK_EQ(ROUNDS * TEST_THREADS, shared.value);
  for (unsigned i = 0; i < TEST_THREADS; i++) {
    char own[] = "/t.S/0";
    own[5] = (char)('0' + i);
    CHECK_EQ(ROUNDS, find(own, EOWN_COUNTER_outbound_errors).value);
  }
}
