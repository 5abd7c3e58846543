/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "redis_server.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

_Noreturn static void run(const redis_server *server, const char *option,
                          const char *value) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  int null = open("/dev/null", O_RDWR);
  dup2(null, STDOUT_FILENO);
  dup2(null, STDERR_FILENO);
  execl(EOWN_REDIS_SERVER, EOWN_REDIS_SERVER, "--port", "0", "--unixsocket",
        server->socket, "--save", "", "--appendonly", "no", "--dir",
        server->folder.path, option, value, (char *)NULL);
  _exit(127);
}

static bool answers(void *user) {
  const redis_server *server = user;
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  memcpy(name.sun_path, server->socket, strlen(server->socket) + 1);
  int end = socket(AF_UNIX, SOCK_STREAM, 0);
  bool connected =
      connect(end, (const struct sockaddr *)&name, sizeof name) == 0;
  close(end);
  return connected;
}

void redis_server_restart(redis_server *server, const char *option,
                          const char *value) {
  server->pid = fork();
  if (server->pid == 0)
    run(server, option, value);
  if (server->pid < 0 || !test_wait(answers, server)) {
    fprintf(stderr, "redis-server does not come up\n");
    abort();
  }
}

void redis_server_start(redis_server *server, const char *option,
                        const char *value) {
  test_folder_make(&server->folder);
  test_folder_path(&server->folder, "redis.sock", server->socket);
  snprintf(server->address, sizeof server->address, "unix:%s", server->socket);
  redis_server_restart(server, option, value);
}

void redis_server_kill(redis_server *server) {
  kill(server->pid, SIGKILL);
  waitpid(server->pid, NULL, 0);
  unlink(server->socket);
}

void redis_server_stop(redis_server *server) {
  redis_server_kill(server);
  test_folder_remove(&server->folder);
}
