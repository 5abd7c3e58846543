// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "gtest_c.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

// Constructors run before GoogleTest's own globals are made, so they only link
// their test in here; main() registers them.
eown_test_case *first_test;
eown_test_case **last_test = &first_test;

class CTest : public testing::Test {
public:
  explicit CTest(void (*body)()) : body_(body) {}
  void TestBody() override { body_(); }

private:
  void (*body_)();
};

std::string Format(const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, again);
  va_end(again);
  if (length < 0)
    return format;
  std::vector<char> text(static_cast<size_t>(length) + 1);
  std::vsnprintf(text.data(), text.size(), format, arguments);
  return std::string(text.data(), static_cast<size_t>(length));
}

std::string Text(eown_test_number number) {
  return (number.negative ? "-" : "") + std::to_string(number.magnitude);
}

std::string Text(const char *string) {
  return string ? testing::PrintToString(std::string(string)) : "NULL";
}

std::string PointerText(uintptr_t pointer) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%jx", static_cast<uintmax_t>(pointer));
  return pointer ? text : "NULL";
}

// -1, 0 or 1 as a is less than, equal to or greater than b.
int Compare(eown_test_number a, eown_test_number b) {
  if (a.negative != b.negative)
    return a.negative ? -1 : 1;
  if (a.magnitude == b.magnitude)
    return 0;
  return (a.magnitude < b.magnitude) != a.negative ? -1 : 1;
}

bool Holds(eown_test_order order, int compared) {
  switch (order) {
  case EOWN_TEST_EQ:
    return compared == 0;
  case EOWN_TEST_NE:
    return compared != 0;
  case EOWN_TEST_LT:
    return compared < 0;
  case EOWN_TEST_LE:
    return compared <= 0;
  case EOWN_TEST_GT:
    return compared > 0;
  case EOWN_TEST_GE:
    return compared >= 0;
  }
  return false;
}

const char *Sign(eown_test_order order) {
  static const char *const kSigns[] = {"==", "!=", "<", "<=", ">", ">="};
  return kSigns[order];
}

// Reports "expected: a sign b" with both values where a check did not hold.
bool Report(bool held, const eown_test_place &place, const char *sign,
            const std::string &a, const std::string &b) {
  if (!held)
    ADD_FAILURE_AT(place.file, place.line)
        << "Expected: (" << place.expected << ") " << sign << " ("
        << place.actual << ")\n  Actual: " << a << " against " << b;
  return held;
}

// Some bytes around where two pieces of memory differ.
std::string Bytes(const unsigned char *data, size_t at, size_t length) {
  const size_t from = at < 8 ? 0 : at - 8;
  std::string text = "at " + std::to_string(at) + ": ";
  char one[4];
  for (size_t i = from; i < length && i < at + 8; i++) {
    std::snprintf(one, sizeof one, "%02x ", data[i]);
    text += one;
  }
  return text;
}

} // namespace

void eown_test_add(eown_test_case *test) {
  *last_test = test;
  last_test = &test->next;
}

eown_test_number eown_test_signed(intmax_t value) {
  const auto bits = static_cast<uintmax_t>(value);
  return {value < 0, value < 0 ? 0 - bits : bits};
}

eown_test_number eown_test_unsigned(uintmax_t value) { return {false, value}; }

bool eown_test_bool(eown_test_place place, bool expected, bool actual) {
  return Report(expected == actual, place, "==", expected ? "true" : "false",
                actual ? "true" : "false");
}

bool eown_test_compare(eown_test_place place, eown_test_order order,
                       eown_test_number a, eown_test_number b) {
  const bool held = Holds(order, Compare(a, b));
  return held || Report(false, place, Sign(order), Text(a), Text(b));
}

bool eown_test_near(eown_test_place place, double expected, double actual,
                    double tolerance) {
  const bool held = std::fabs(expected - actual) <= tolerance;
  return Report(held, place, "near", std::to_string(expected),
                std::to_string(actual));
}

bool eown_test_string(eown_test_place place, bool equal, const char *expected,
                      const char *actual) {
  const bool same = expected && actual ? std::strcmp(expected, actual) == 0
                                       : expected == actual;
  return same == equal ||
         Report(false, place, equal ? "==" : "!=", Text(expected),
                Text(actual));
}

bool eown_test_contains(eown_test_place place, const char *part,
                        const char *whole) {
  const bool held = part && whole && std::strstr(whole, part);
  return held || Report(false, place, "part of", Text(part), Text(whole));
}

bool eown_test_memory(eown_test_place place, const void *expected,
                      const void *actual, size_t length) {
  const auto *a = static_cast<const unsigned char *>(expected);
  const auto *b = static_cast<const unsigned char *>(actual);
  const auto at =
      static_cast<size_t>(std::mismatch(a, a + length, b).first - a);
  return at == length || Report(false, place, "== bytes of",
                                Bytes(a, at, length), Bytes(b, at, length));
}

bool eown_test_pointer(eown_test_place place, bool equal, uintptr_t expected,
                       uintptr_t actual) {
  return (expected == actual) == equal ||
         Report(false, place, equal ? "==" : "!=", PointerText(expected),
                PointerText(actual));
}

void eown_test_fail(const char *file, int line, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const std::string text = Format(format, arguments);
  va_end(arguments);
  ADD_FAILURE_AT(file, line) << text;
}

void *eown_test_trace_push(const char *file, int line, const char *format,
                           ...) {
  va_list arguments;
  va_start(arguments, format);
  const std::string text = Format(format, arguments);
  va_end(arguments);
  return new testing::ScopedTrace(file, line, text);
}

void eown_test_trace_pop(void **trace) {
  delete static_cast<testing::ScopedTrace *>(*trace);
}

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  // A program whose tests got lost must not look like one whose tests passed.
  if (!first_test) {
    std::fprintf(stderr, "no test is registered\n");
    return 1;
  }
  for (const eown_test_case *test = first_test; test; test = test->next) {
    const auto body = test->body;
    testing::RegisterTest(
        test->suite, test->name, nullptr, nullptr, test->file, test->line,
        [body]() -> testing::Test * { return new CTest(body); });
  }
  return RUN_ALL_TESTS();
}
