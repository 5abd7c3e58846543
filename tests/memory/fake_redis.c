/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "fake_redis.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static bool wait_for(int end, short events) {
  struct pollfd one = {.fd = end, .events = events};
  return poll(&one, 1, 20) > 0;
}

static bool answer_once(const fake_redis *self, int end) {
  char asked[4096];
  if (!self->endless && recv(end, asked, sizeof asked, MSG_DONTWAIT) <= 0)
    return false;
  return self->answer == NULL ||
         send(end, self->answer, self->length, MSG_NOSIGNAL) > 0;
}

static void serve(fake_redis *self, int end) {
  short events = self->endless ? POLLOUT : POLLIN;
  while (!atomic_load(&self->stop))
    if (wait_for(end, events) && !answer_once(self, end))
      return;
}

static void *run(void *pointer) {
  fake_redis *self = pointer;
  while (!atomic_load(&self->stop)) {
    if (!wait_for(self->listener, POLLIN))
      continue;
    int end = accept(self->listener, NULL, NULL);
    atomic_fetch_add(&self->connections, 1);
    serve(self, end);
    close(end);
  }
  return NULL;
}

void fake_redis_start(fake_redis *self, const char *answer, size_t length,
                      bool endless) {
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  memset(self, 0, sizeof *self);
  self->answer = answer;
  self->length = length;
  self->endless = endless;
  test_folder_make(&self->folder);
  test_folder_path(&self->folder, "redis.sock", self->socket);
  snprintf(self->address, sizeof self->address, "unix:%s", self->socket);
  memcpy(name.sun_path, self->socket, strlen(self->socket) + 1);
  self->listener = socket(AF_UNIX, SOCK_STREAM, 0);
  if (bind(self->listener, (const struct sockaddr *)&name, sizeof name) != 0 ||
      listen(self->listener, 8) != 0 ||
      pthread_create(&self->thread, NULL, run, self) != 0)
    abort();
}

void fake_redis_stop(fake_redis *self) {
  atomic_store(&self->stop, true);
  pthread_join(self->thread, NULL);
  close(self->listener);
  test_folder_remove(&self->folder);
}
