/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "eown/redis_address.h"

#include <stdlib.h>
#include <string.h>

static bool starts(const char **text, const char *prefix) {
  size_t length = strlen(prefix);
  bool found = strncmp(*text, prefix, length) == 0;
  if (found)
    *text += length;
  return found;
}

static bool copy(char to[EOWN_REDIS_TEXT_MAX + 1], const char *from,
                 size_t length) {
  if (length == 0 || length > EOWN_REDIS_TEXT_MAX)
    return false;
  memcpy(to, from, length);
  to[length] = '\0';
  return true;
}

/* The last '@' ends the password, which may hold any character. */
static bool read_password(const char **text, eown_redis_address *address) {
  const char *end = strrchr(*text, '@');
  address->password[0] = '\0';
  if (**text != ':')
    return true;
  if (end == NULL ||
      !copy(address->password, *text + 1, (size_t)(end - *text - 1)))
    return false;
  *text = end + 1;
  return true;
}

static bool read_port(const char *text, uint16_t *port) {
  size_t length = strspn(text, "0123456789");
  if (length == 0 || length > 5 || text[length] != '\0')
    return false;
  unsigned long number = strtoul(text, NULL, 10);
  *port = (uint16_t)number;
  return number >= 1 && number <= UINT16_MAX;
}

static bool read_host(const char *text, eown_redis_address *address) {
  const char *colon = strrchr(text, ':');
  if (colon == NULL || !read_port(colon + 1, &address->port))
    return false;
  size_t length = (size_t)(colon - text);
  bool brackets = length > 2 && text[0] == '[' && colon[-1] == ']';
  if (brackets)
    return copy(address->host, text + 1, length - 2);
  return memchr(text, ':', length) == NULL && strpbrk(text, "/@ ") == NULL &&
         copy(address->host, text, length);
}

bool eown_redis_address_parse(const char *text, eown_redis_address *address) {
  starts(&text, "redis://");
  if (!read_password(&text, address))
    return false;
  address->port = 0;
  address->local = starts(&text, "unix:");
  return address->local ? copy(address->host, text, strlen(text))
                        : read_host(text, address);
}
