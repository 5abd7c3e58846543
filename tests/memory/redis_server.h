/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_MEMORY_REDIS_SERVER_H
#define EOWN_TESTS_MEMORY_REDIS_SERVER_H

#include "folder.h"

#include <sys/types.h>

/* A real redis-server on a unix socket in a folder of its own. */
typedef struct redis_server {
  test_folder folder;
  char socket[128];
  char address[160]; /* "unix:..." */
  pid_t pid;
} redis_server;

/* Starts it, with `option` and `value` on its command line (NULL: none), and
 * waits until it answers; ends the program where it does not. */
void redis_server_start(redis_server *server, const char *option,
                        const char *value);

/* Starts it once more, after redis_server_kill: it has lost everything. */
void redis_server_restart(redis_server *server, const char *option,
                          const char *value);
void redis_server_kill(redis_server *server);

/* Kills it and removes the folder. */
void redis_server_stop(redis_server *server);

#endif /* EOWN_TESTS_MEMORY_REDIS_SERVER_H */
