/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "allocations.h"

#include <eown/settings.h>
#include <stdio.h>
#include <stdlib.h>

/* Setting pins copies the text: at least one allocation of eown's. */
static uint64_t count_pins(void) {
  eown_settings settings;
  eown_settings_init(&settings, NULL);
  allocations_start();
  eown_error error =
      eown_settings_set(&settings, "eown.pins", "/a/B=fail-open", NULL, 0);
  uint64_t count = allocations_stop();
  eown_settings_clear(&settings);
  return error == EOWN_ERROR_OK ? count : 0;
}

/* An allocation of the program's own does not count. */
static uint64_t count_other(void) {
  allocations_start();
  void *volatile pointer = malloc(100);
  uint64_t count = allocations_stop();
  free(pointer);
  return count;
}

bool allocations_check(void) {
  uint64_t pins = count_pins();
  uint64_t other = count_other();
  if (pins > 0 && other == 0)
    return true;
  fprintf(stderr,
          "eown-bench: the count of allocations is wrong: eown.pins made %llu "
          "(expected 1 or more), a malloc of the program's %llu (expected 0)\n",
          (unsigned long long)pins, (unsigned long long)other);
  return false;
}
