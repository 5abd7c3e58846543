/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "http2.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PREFACE_SIZE 24
#define FRAME_MAX 16384

enum {
  DATA = 0,
  HEADERS = 1,
  RST_STREAM = 3,
  SETTINGS = 4,
  PING = 6,
  GOAWAY = 7
};
enum { END_STREAM = 1, ACK = 1, END_HEADERS = 4 };

struct test_http2 {
  const test_http2_step *steps;
  unsigned count;
  unsigned requests;
  int listener;
  char target[32];
  pthread_t thread;
};

typedef struct frame {
  uint32_t length;
  uint8_t type;
  uint8_t flags;
  uint32_t stream;
  uint8_t payload[FRAME_MAX];
} frame;

/* --- frames ----------------------------------------------------------------
 */

static bool read_all(int fd, uint8_t *to, size_t size) {
  while (size > 0) {
    ssize_t got = recv(fd, to, size, 0);
    if (got <= 0)
      return false;
    to += got;
    size -= (size_t)got;
  }
  return true;
}

static uint32_t number(const uint8_t *bytes, unsigned count) {
  uint32_t value = 0;
  for (unsigned i = 0; i < count; i++)
    value = value << 8 | bytes[i];
  return value;
}

static void put(uint8_t *to, uint32_t value, unsigned count) {
  while (count > 0) {
    to[--count] = (uint8_t)value;
    value >>= 8;
  }
}

static bool read_frame(int fd, frame *f) {
  uint8_t head[9];
  if (!read_all(fd, head, sizeof(head)))
    return false;
  f->length = number(head, 3);
  f->type = head[3];
  f->flags = head[4];
  f->stream = number(head + 5, 4) & 0x7fffffffu;
  return f->length <= FRAME_MAX && read_all(fd, f->payload, f->length);
}

static bool write_frame(int fd, const frame *f) {
  uint8_t bytes[9 + FRAME_MAX];
  put(bytes, f->length, 3);
  bytes[3] = f->type;
  bytes[4] = f->flags;
  put(bytes + 5, f->stream, 4);
  memcpy(bytes + 9, f->payload, f->length);
  size_t size = 9 + f->length;
  return send(fd, bytes, size, MSG_NOSIGNAL) == (ssize_t)size;
}

/* --- answers ----------------------------------------------------------------
 */

/* HPACK: a string without Huffman coding, its length in a prefix of 7 bits. */
static void add_string(frame *f, const char *text, size_t length) {
  size_t rest = length;
  if (length < 127) {
    f->payload[f->length++] = (uint8_t)length;
  } else {
    f->payload[f->length++] = 127;
    for (rest = length - 127; rest >= 128; rest >>= 7)
      f->payload[f->length++] = (uint8_t)(rest | 128);
    f->payload[f->length++] = (uint8_t)rest;
  }
  memcpy(f->payload + f->length, text, length);
  f->length += (uint32_t)length;
}

/* A literal field that is not indexed, with a new name. */
static void add_field(frame *f, const char *key, const char *value,
                      size_t length) {
  f->payload[f->length++] = 0;
  add_string(f, key, strlen(key));
  add_string(f, value, length > 0 ? length : strlen(value));
}

static bool answer(int fd, uint32_t stream, const test_http2_step *step) {
  frame f = {
      .type = HEADERS, .flags = END_HEADERS | END_STREAM, .stream = stream};
  f.payload[f.length++] = 0x88; /* :status 200, of the static table */
  add_field(&f, "content-type", "application/grpc", 0);
  add_field(&f, "grpc-status", step->status, 0);
  for (const test_field *field = step->fields; field->key != NULL; field++)
    add_field(&f, field->key, field->value, field->length);
  return write_frame(fd, &f);
}

static bool reset(int fd, uint32_t stream, uint32_t code) {
  frame f = {.type = RST_STREAM, .stream = stream, .length = 4};
  put(f.payload, code, 4);
  return write_frame(fd, &f);
}

/* The connection stays open to read until the client has closed its side. */
static bool go_away(int fd) {
  frame f = {.type = GOAWAY, .length = 8};
  return write_frame(fd, &f) && shutdown(fd, SHUT_WR) == 0;
}

static bool act(test_http2 *self, int fd, uint32_t stream) {
  unsigned last = self->count - 1;
  unsigned turn = self->requests++;
  const test_http2_step *step = &self->steps[turn < last ? turn : last];
  switch (step->action) {
  case TEST_HTTP2_ANSWER:
    return answer(fd, stream, step);
  case TEST_HTTP2_GOAWAY:
    return go_away(fd);
  case TEST_HTTP2_REFUSE:
    return reset(fd, stream, 7);
  case TEST_HTTP2_RESET:
    return reset(fd, stream, 2);
  case TEST_HTTP2_CLOSE:
    return false;
  }
  return false;
}

/* --- connections
 * -------------------------------------------------------------- */

static bool heed(test_http2 *self, int fd, frame *f) {
  bool request = f->type == DATA || f->type == HEADERS;
  if (request && (f->flags & END_STREAM) != 0)
    return act(self, fd, f->stream);
  if ((f->type == SETTINGS || f->type == PING) && (f->flags & ACK) == 0) {
    f->flags = ACK;
    f->length = f->type == PING ? 8 : 0;
    return write_frame(fd, f);
  }
  return true;
}

static void serve(test_http2 *self, int fd) {
  frame f = {.type = SETTINGS};
  uint8_t preface[PREFACE_SIZE];
  bool good = read_all(fd, preface, sizeof(preface)) && write_frame(fd, &f);
  while (good && read_frame(fd, &f))
    good = heed(self, fd, &f);
  close(fd);
}

static void *work(void *pointer) {
  test_http2 *self = pointer;
  int fd;
  while ((fd = accept(self->listener, NULL, NULL)) >= 0)
    serve(self, fd);
  return NULL;
}

test_http2 *test_http2_start(const test_http2_step *steps, unsigned count) {
  test_http2 *self = calloc(1, sizeof(*self));
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t size = sizeof(address);
  self->steps = steps;
  self->count = count;
  self->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  bind(self->listener, (struct sockaddr *)&address, size);
  listen(self->listener, 16);
  getsockname(self->listener, (struct sockaddr *)&address, &size);
  snprintf(self->target, sizeof(self->target), "127.0.0.1:%d",
           ntohs(address.sin_port));
  pthread_create(&self->thread, NULL, work, self);
  return self;
}

const char *test_http2_target(const test_http2 *self) { return self->target; }

unsigned test_http2_stop(test_http2 *self) {
  shutdown(self->listener, SHUT_RDWR);
  pthread_join(self->thread, NULL);
  close(self->listener);
  unsigned requests = self->requests;
  free(self);
  return requests;
}
