/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "connection.h"

#include "eown/memory_redis.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Elements of one reply: a hash of the largest table's fields and values. */
#define ELEMENTS_MAX 8388608

static const char late[] = "no answer in time";

static uint64_t clock_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static bool time_left(const eown__connection *connection,
                      struct timeval *left) {
  uint64_t now = clock_ms();
  if (now >= connection->until_ms)
    return false;
  uint64_t ms = connection->until_ms - now;
  left->tv_sec = (time_t)(ms / 1000);
  left->tv_usec = (suseconds_t)(ms % 1000 * 1000);
  return true;
}

void eown__connection_close(eown__connection *connection) {
  if (connection->redis != NULL)
    redisFree(connection->redis);
  connection->redis = NULL;
}

void eown__connection_fail(eown__connection *connection, const char *reason) {
  if (connection->error[0] == '\0')
    snprintf(connection->error, sizeof(connection->error), "%s", reason);
  eown__connection_close(connection);
}

/* A read or write that ran out of time has an error number for a reason. */
static void fail_as_redis(eown__connection *connection) {
  char reason[256];
  struct timeval left;
  const redisContext *redis = connection->redis;
  snprintf(reason, sizeof(reason), "%s",
           !time_left(connection, &left)               ? late
           : redis != NULL && redis->errstr[0] != '\0' ? redis->errstr
                                                       : "out of memory");
  eown__connection_fail(connection, reason);
}

/* --- commands and replies --------------------------------------------------
 */

bool eown__connection_command(eown__connection *connection, int argc,
                              const char **argv, const size_t *lengths) {
  if (connection->redis == NULL)
    return false;
  if (redisAppendCommandArgv(connection->redis, argc, argv, lengths) ==
      REDIS_OK)
    return true;
  fail_as_redis(connection);
  return false;
}

/* Gives each read and write what is left of the time. */
static bool in_time(eown__connection *connection) {
  struct timeval left;
  if (!time_left(connection, &left)) {
    eown__connection_fail(connection, late);
    return false;
  }
  redisSetTimeout(connection->redis, left);
  return true;
}

static bool send_all(eown__connection *connection) {
  int done = 0;
  while (!done) {
    if (!in_time(connection))
      return false;
    if (redisBufferWrite(connection->redis, &done) != REDIS_OK) {
      fail_as_redis(connection);
      return false;
    }
  }
  return true;
}

static bool receive_some(eown__connection *connection) {
  if (!in_time(connection))
    return false;
  if (redisBufferRead(connection->redis) != REDIS_OK) {
    fail_as_redis(connection);
    return false;
  }
  if (connection->redis->reader->len <= connection->size_limit)
    return true;
  eown__connection_fail(connection, "an answer too large");
  return false;
}

redisReply *eown__connection_reply(eown__connection *connection) {
  void *reply = NULL;
  if (connection->redis == NULL || !send_all(connection))
    return NULL;
  for (;;) {
    if (redisGetReplyFromReader(connection->redis, &reply) != REDIS_OK) {
      fail_as_redis(connection);
      return NULL;
    }
    if (reply != NULL)
      return reply;
    if (!receive_some(connection))
      return NULL;
  }
}

/* --- connecting ------------------------------------------------------------
 */

static redisContext *open_socket(const eown__connection *connection,
                                 const eown_redis_address *address) {
  struct timeval left = {0};
  if (!time_left(connection, &left))
    return NULL;
  return address->local
             ? redisConnectUnixWithTimeout(address->host, left)
             : redisConnectWithTimeout(address->host, address->port, left);
}

/* hiredis makes room for as many elements as a reply says that it has: no more
 * than a sound one holds. */
static redisReplyObjectFunctions bounded;
static redisReplyObjectFunctions *unbounded;
static pthread_once_t bounded_once = PTHREAD_ONCE_INIT;

#if HIREDIS_MAJOR >= 1
typedef size_t element_count;
#else
typedef int element_count;
#endif

static void *create_array(const redisReadTask *task, element_count elements) {
  return (long long)elements < 0 || (long long)elements > ELEMENTS_MAX
             ? NULL
             : unbounded->createArray(task, elements);
}

static void make_bounded(void) {
  redisReader *reader = redisReaderCreate();
  if (reader == NULL)
    return;
  unbounded = reader->fn;
  bounded = *unbounded;
  bounded.createArray = create_array;
  redisReaderFree(reader);
}

static bool bound_replies(redisContext *redis) {
  pthread_once(&bounded_once, make_bounded);
  if (unbounded == NULL)
    return false;
  redis->reader->fn = &bounded;
  return true;
}

static bool authenticate(eown__connection *connection) {
  const char *password = connection->address.password;
  if (password[0] == '\0')
    return true;
  const char *argv[] = {"AUTH", password};
  size_t lengths[] = {4, strlen(password)};
  if (!eown__connection_command(connection, 2, argv, lengths))
    return false;
  redisReply *reply = eown__connection_reply(connection);
  bool good = reply != NULL && reply->type == REDIS_REPLY_STATUS;
  freeReplyObject(reply);
  if (!good)
    eown__connection_fail(connection, "the password is refused");
  return good;
}

static bool open_connection(eown__connection *connection,
                            const eown_redis_address *address) {
  connection->redis = open_socket(connection, address);
  if (connection->redis == NULL || connection->redis->err != 0 ||
      !bound_replies(connection->redis)) {
    fail_as_redis(connection);
    return false;
  }
  return authenticate(connection);
}

bool eown__connection_begin(eown__connection *connection) {
  connection->until_ms = clock_ms() + EOWN_MEMORY_SHARE_DEADLINE_MS;
  connection->error[0] = '\0';
  return connection->redis != NULL ||
         open_connection(connection, &connection->address);
}

/* A cluster writes an IPv6 address without brackets, and no host where it is
 * the one that was asked. */
static bool read_place(const char *place, const eown_redis_address *asked,
                       eown_redis_address *address) {
  char text[EOWN_REDIS_TEXT_MAX + 16];
  const char *colon = strrchr(place, ':');
  if (colon == NULL || (colon == place && asked->local))
    return false;
  if (colon == place)
    snprintf(text, sizeof(text), "[%s]%s", asked->host, colon);
  else
    snprintf(text, sizeof(text), "[%.*s]%s", (int)(colon - place), place,
             colon);
  return eown_redis_address_parse(text, address);
}

bool eown__connection_move(eown__connection *connection, const char *place) {
  eown_redis_address address;
  if (!read_place(place, &connection->address, &address))
    return false;
  eown__connection_close(connection);
  connection->error[0] = '\0';
  return open_connection(connection, &address);
}
