/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_REDIS_ADDRESS_H
#define EOWN_REDIS_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EOWN_REDIS_TEXT_MAX 255

/* Where a Redis is. A value. */
typedef struct eown_redis_address {
  bool local;                             /* a unix socket */
  char host[EOWN_REDIS_TEXT_MAX + 1];     /* or the socket's path */
  uint16_t port;                          /* 0 where local */
  char password[EOWN_REDIS_TEXT_MAX + 1]; /* "": none */
} eown_redis_address;

/* Reads "HOST:PORT" or "unix:PATH", with ":PASSWORD@" before it where there is
 * one, and "redis://" before everything as an option. HOST is a name, an IPv4
 * address or an IPv6 one in brackets. Returns false, with `*address`
 * unspecified, where the text is of another form. */
bool eown_redis_address_parse(const char *text, eown_redis_address *address);

#ifdef __cplusplus
}
#endif

#endif /* EOWN_REDIS_ADDRESS_H */
