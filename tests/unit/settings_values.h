/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_UNIT_SETTINGS_VALUES_H
#define EOWN_TESTS_UNIT_SETTINGS_VALUES_H

#include "eown/settings.h"

/* Good and bad texts of every setting, by hand from their documented form. */
typedef struct settings_value {
  eown_setting setting;
  bool good;
  const char *value;
} settings_value;

extern const settings_value settings_values[];
extern const size_t settings_values_count;

/* 108 and 109 printable bytes, 63 and 64 key bytes. */
#define TEN(c) c c c c c c c c c c
#define NAME_108 TEN(TEN("n")) "nnnnnnnn"
#define NAME_109 NAME_108 "n"
#define KEY_63 TEN("kkkkkk") "kkk"
#define KEY_64 KEY_63 "k"

#endif /* EOWN_TESTS_UNIT_SETTINGS_VALUES_H */
