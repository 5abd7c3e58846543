/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "run.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#define ARGUMENTS_MAX 64

static void check(int condition, const char *what) {
  if (condition)
    return;
  perror(what);
  abort();
}

static char *temporary(int *descriptor) {
  const char *folder = getenv("TMPDIR");
  char *path = NULL;
  check(asprintf(&path, "%s/radius-test.XXXXXX",
                 folder && *folder ? folder : "/tmp") > 0,
        "asprintf");
  *descriptor = mkstemp(path);
  check(*descriptor >= 0, "mkstemp");
  return path;
}

char *test_file(const void *bytes, size_t length) {
  int descriptor = -1;
  char *path = temporary(&descriptor);
  check(write(descriptor, bytes, length) == (ssize_t)length, "write");
  close(descriptor);
  return path;
}

static char *slurp(const char *path) {
  FILE *file = fopen(path, "rb");
  check(file != NULL, "fopen");
  fseek(file, 0, SEEK_END);
  size_t size = (size_t)ftell(file);
  rewind(file);
  char *text = calloc(size + 1, 1);
  check(text && fread(text, 1, size, file) == size, "fread");
  fclose(file);
  return text;
}

static pid_t start(char **arguments, int out, int err) {
  posix_spawn_file_actions_t actions;
  pid_t pid = -1;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  check(!posix_spawn(&pid, arguments[0], &actions, NULL, arguments, environ),
        "posix_spawn");
  posix_spawn_file_actions_destroy(&actions);
  return pid;
}

static void execute(test_run *run, char **arguments) {
  int out = -1;
  int err = -1;
  char *out_path = temporary(&out);
  char *err_path = temporary(&err);
  pid_t pid = start(arguments, out, err);
  int status = 0;
  check(waitpid(pid, &status, 0) == pid, "waitpid");
  run->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  run->out = slurp(out_path);
  run->err = slurp(err_path);
  run->json = json_loads(run->out, 0, NULL);
  close(out);
  close(err);
  unlink(out_path);
  unlink(err_path);
  free(out_path);
  free(err_path);
}

static void run_with(test_run *run, char *file, const char *options) {
  char *arguments[ARGUMENTS_MAX + 4] = {(char *)RADIUS_PROGRAM,
                                        (char *)"radius"};
  size_t count = 2;
  char *words = strdup(options);
  check(words != NULL, "strdup");
  char *state = NULL;
  if (file)
    arguments[count++] = file;
  for (char *word = strtok_r(words, " ", &state);
       word && count < ARGUMENTS_MAX + 3; word = strtok_r(NULL, " ", &state))
    arguments[count++] = word;
  execute(run, arguments);
  free(words);
}

void test_run_options(test_run *run, const char *options) {
  run_with(run, NULL, options);
}

void test_run_program(test_run *run, const char *program, const char *text) {
  char *path = test_file(text, strlen(text));
  char *arguments[] = {(char *)program, (char *)"radius", path,
                       (char *)"--json", NULL};
  execute(run, arguments);
  unlink(path);
  free(path);
}

void test_run_bytes(test_run *run, const void *bytes, size_t length,
                    const char *options) {
  char *path = test_file(bytes, length);
  run_with(run, path, options);
  unlink(path);
  free(path);
}

void test_run_text(test_run *run, const char *text, const char *options) {
  test_run_bytes(run, text, strlen(text), options);
}

unsigned char *test_gzip(const char *text, size_t *length) {
  z_stream stream = {.next_in = (z_const Bytef *)text,
                     .avail_in = (uInt)strlen(text)};
  check(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) ==
            Z_OK,
        "deflateInit2");
  *length = deflateBound(&stream, strlen(text));
  unsigned char *bytes = malloc(*length);
  stream.next_out = bytes;
  stream.avail_out = (uInt)*length;
  check(deflate(&stream, Z_FINISH) == Z_STREAM_END, "deflate");
  *length = stream.total_out;
  deflateEnd(&stream);
  return bytes;
}

void test_run_gzip(test_run *run, const char *text, const char *options) {
  size_t length = 0;
  unsigned char *bytes = test_gzip(text, &length);
  test_run_bytes(run, bytes, length, options);
  free(bytes);
}

void test_run_clear(test_run *run) {
  free(run->out);
  free(run->err);
  json_decref(run->json);
  *run = (test_run){0};
}

static const json_t *find(const json_t *json, const char *path) {
  char *words = strdup(path);
  check(words != NULL, "strdup");
  char *state = NULL;
  for (char *word = strtok_r(words, ".", &state); word;
       word = strtok_r(NULL, ".", &state))
    json = json_is_array(json) ? json_array_get(json, strtoul(word, NULL, 10))
                               : json_object_get(json, word);
  free(words);
  return json;
}

double test_number(const json_t *json, const char *path) {
  const json_t *value = find(json, path);
  return json_is_number(value) ? json_number_value(value) : -1;
}

const char *test_string(const json_t *json, const char *path) {
  return json_string_value(find(json, path));
}
