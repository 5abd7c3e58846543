/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "say.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* In one write, and past the program's own buffers. */
void eown_say(const char *format, ...) {
  const char *wish = getenv("EOWN_LOG");
  if (wish != NULL && strcmp(wish, "0") == 0)
    return;
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  dprintf(STDERR_FILENO, "eown: %s\n", text);
}
