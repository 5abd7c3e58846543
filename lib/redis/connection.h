/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_REDIS_CONNECTION_H
#define EOWN_REDIS_CONNECTION_H

#include "eown/redis_address.h"

#include <hiredis/hiredis.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A connection that trusts the other side with nothing: what it sends is
 * bounded in size, and each exchange in time. */
typedef struct eown__connection {
  eown_redis_address address; /* where it begins */
  redisContext *redis;        /* NULL: not connected */
  uint64_t until_ms;          /* the end of this exchange, on CLOCK_MONOTONIC */
  size_t size_limit;          /* bytes of replies that are buffered */
  char error[256];            /* why it failed */
} eown__connection;

/* Begins an exchange: sets its deadline, and connects where need be. */
bool eown__connection_begin(eown__connection *connection);

/* Goes on elsewhere, within the same deadline, where a cluster said so: `place`
 * is "HOST:PORT", as it writes it. False where it is of another form, or where
 * that fails. */
bool eown__connection_move(eown__connection *connection, const char *place);

/* Adds a command to what is sent next. */
bool eown__connection_command(eown__connection *connection, int argc,
                              const char **argv, const size_t *lengths);

/* The reply to the next command that has none yet; the caller frees it with
 * freeReplyObject. NULL where the connection has failed; it is closed then. An
 * error that Redis answers is a reply. */
redisReply *eown__connection_reply(eown__connection *connection);

/* Closes it, with the reason in `error` where that is not empty yet. */
void eown__connection_fail(eown__connection *connection, const char *reason);
void eown__connection_close(eown__connection *connection);

#endif /* EOWN_REDIS_CONNECTION_H */
