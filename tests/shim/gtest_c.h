/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_SHIM_GTEST_C_H
#define EOWN_TESTS_SHIM_GTEST_C_H

/* GoogleTest for tests written in C11. A test is
 *
 *   EOWN_TEST(Suite, Name) { CHECK_EQ(4, 2 + 2); }
 *
 * CHECK_… goes on after a failure and is an expression that is true where it
 * held; REQUIRE_… returns from the function (of type void) it stands in. Both
 * take the expected value first. They may be used on any thread. All of
 * GoogleTest's flags work. Make the program with eown_c_test() of
 * tests/shim/CMakeLists.txt; it brings main(). */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One test, in a list that constructors fill and main() hands to GoogleTest. */
typedef struct eown_test_case {
  const char *suite;
  const char *name;
  const char *file;
  int line;
  void (*body)(void);
  struct eown_test_case *next;
} eown_test_case;

void eown_test_add(eown_test_case *test);

#define EOWN_TEST(test_suite, test_name)                                       \
  static void test_suite##_##test_name(void);                                  \
  __attribute__((constructor)) static void test_suite##_##test_name##_add(     \
      void) {                                                                  \
    static eown_test_case self = {                                             \
        #test_suite, #test_name, __FILE__, __LINE__, test_suite##_##test_name, \
        NULL};                                                                 \
    eown_test_add(&self);                                                      \
  }                                                                            \
  static void test_suite##_##test_name(void)

/* Where a check stands; passed on to its failure. */
typedef struct eown_test_place {
  const char *file;
  int line;
  const char *expected; /* as written */
  const char *actual;
} eown_test_place;

/* An integer of any type without loss: sign and magnitude apart. */
typedef struct eown_test_number {
  bool negative;
  uintmax_t magnitude;
} eown_test_number;

eown_test_number eown_test_signed(intmax_t value);
eown_test_number eown_test_unsigned(uintmax_t value);

typedef enum eown_test_order {
  EOWN_TEST_EQ,
  EOWN_TEST_NE,
  EOWN_TEST_LT,
  EOWN_TEST_LE,
  EOWN_TEST_GT,
  EOWN_TEST_GE
} eown_test_order;

/* The checks; each returns whether it held, and reports a failure if not. */
bool eown_test_bool(eown_test_place place, bool expected, bool actual);
bool eown_test_compare(eown_test_place place, eown_test_order order,
                       eown_test_number a, eown_test_number b);
bool eown_test_near(eown_test_place place, double expected, double actual,
                    double tolerance);
bool eown_test_string(eown_test_place place, bool equal, const char *expected,
                      const char *actual);
bool eown_test_contains(eown_test_place place, const char *part,
                        const char *whole);
bool eown_test_memory(eown_test_place place, const void *expected,
                      const void *actual, size_t length);
bool eown_test_pointer(eown_test_place place, bool equal, uintptr_t expected,
                       uintptr_t actual);
void eown_test_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A trace: text that is added to every failure of this thread while it lives.
 */
void *eown_test_trace_push(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void eown_test_trace_pop(void **trace);

#ifndef __cplusplus

/* Picked by the type after promotion; enumerations go by their own type. */
#define EOWN_TEST_NUMBER(x)                                                    \
  _Generic((x), bool                                                           \
           : eown_test_unsigned, char                                          \
           : eown_test_signed, signed char                                     \
           : eown_test_signed, short                                           \
           : eown_test_signed, int                                             \
           : eown_test_signed, long                                            \
           : eown_test_signed, long long                                       \
           : eown_test_signed, unsigned char                                   \
           : eown_test_unsigned, unsigned short                                \
           : eown_test_unsigned, unsigned int                                  \
           : eown_test_unsigned, unsigned long                                 \
           : eown_test_unsigned, unsigned long long                            \
           : eown_test_unsigned)(x)

#define EOWN_TEST_PLACE(a, b)                                                  \
  (eown_test_place) { __FILE__, __LINE__, a, b }

#define EOWN_TEST_COMPARE(order, a, b)                                         \
  eown_test_compare(EOWN_TEST_PLACE(#a, #b), EOWN_TEST_##order,                \
                    EOWN_TEST_NUMBER(a), EOWN_TEST_NUMBER(b))

#define CHECK_TRUE(x) eown_test_bool(EOWN_TEST_PLACE("true", #x), true, (x))
#define CHECK_FALSE(x) eown_test_bool(EOWN_TEST_PLACE("false", #x), false, (x))

/* Integers and enumerations, of any signedness. */
#define CHECK_EQ(expected, actual) EOWN_TEST_COMPARE(EQ, expected, actual)
#define CHECK_NE(a, b) EOWN_TEST_COMPARE(NE, a, b)
#define CHECK_LT(a, b) EOWN_TEST_COMPARE(LT, a, b)
#define CHECK_LE(a, b) EOWN_TEST_COMPARE(LE, a, b)
#define CHECK_GT(a, b) EOWN_TEST_COMPARE(GT, a, b)
#define CHECK_GE(a, b) EOWN_TEST_COMPARE(GE, a, b)

#define CHECK_NEAR(expected, actual, tolerance)                                \
  eown_test_near(EOWN_TEST_PLACE(#expected, #actual), expected, actual,        \
                 tolerance)

/* Strings; NULL only equals NULL. */
#define CHECK_STREQ(expected, actual)                                          \
  eown_test_string(EOWN_TEST_PLACE(#expected, #actual), true, expected, actual)
#define CHECK_STRNE(expected, actual)                                          \
  eown_test_string(EOWN_TEST_PLACE(#expected, #actual), false, expected, actual)
#define CHECK_CONTAINS(part, whole)                                            \
  eown_test_contains(EOWN_TEST_PLACE(#part, #whole), part, whole)
#define CHECK_MEMEQ(expected, actual, length)                                  \
  eown_test_memory(EOWN_TEST_PLACE(#expected, #actual), expected, actual,      \
                   length)

/* As numbers: the compiler need not think that we read what is behind. */
#define EOWN_TEST_POINTER(equal, expected, text, actual)                       \
  eown_test_pointer(EOWN_TEST_PLACE(text, #actual), equal,                     \
                    (uintptr_t)(const void *)(expected),                       \
                    (uintptr_t)(const void *)(actual))
#define CHECK_PTR_EQ(expected, actual)                                         \
  EOWN_TEST_POINTER(true, expected, #expected, actual)
#define CHECK_PTR_NE(a, b) EOWN_TEST_POINTER(false, a, #a, b)
#define CHECK_NULL(x) EOWN_TEST_POINTER(true, NULL, "NULL", x)
#define CHECK_NOT_NULL(x) EOWN_TEST_POINTER(false, NULL, "NULL", x)

#define EOWN_TEST_REQUIRE(check)                                               \
  do {                                                                         \
    if (!(check))                                                              \
      return;                                                                  \
  } while (0)
#define REQUIRE_TRUE(x) EOWN_TEST_REQUIRE(CHECK_TRUE(x))
#define REQUIRE_FALSE(x) EOWN_TEST_REQUIRE(CHECK_FALSE(x))
#define REQUIRE_EQ(expected, actual)                                           \
  EOWN_TEST_REQUIRE(CHECK_EQ(expected, actual))
#define REQUIRE_LE(a, b) EOWN_TEST_REQUIRE(CHECK_LE(a, b))
#define REQUIRE_STREQ(expected, actual)                                        \
  EOWN_TEST_REQUIRE(CHECK_STREQ(expected, actual))
#define REQUIRE_NULL(x) EOWN_TEST_REQUIRE(CHECK_NULL(x))
#define REQUIRE_NOT_NULL(x) EOWN_TEST_REQUIRE(CHECK_NOT_NULL(x))

/* Fails the test and goes on; printf style. */
#define FAIL_TEST(...) eown_test_fail(__FILE__, __LINE__, __VA_ARGS__)

/* Adds printf-style text to all failures up to the end of the block. */
#define EOWN_TEST_JOIN_(a, b) a##b
#define EOWN_TEST_JOIN(a, b) EOWN_TEST_JOIN_(a, b)
#define TEST_TRACE(...)                                                        \
  __attribute__((cleanup(eown_test_trace_pop), unused)) void *EOWN_TEST_JOIN(  \
      test_trace_, __LINE__) =                                                 \
      eown_test_trace_push(__FILE__, __LINE__, __VA_ARGS__)

#endif /* !__cplusplus */

#ifdef __cplusplus
}
#endif

#endif /* EOWN_TESTS_SHIM_GTEST_C_H */
