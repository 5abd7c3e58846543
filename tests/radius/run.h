/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_RADIUS_RUN_H
#define EOWN_TESTS_RADIUS_RUN_H

#include <jansson.h>
#include <stddef.h>

/* One run of `eown-lab radius`, by a program that has this command only, so
 * that it starts fast. */
typedef struct test_run {
  int status; /* exit status; -1: ended by a signal */
  char *out;  /* owned, as are the others */
  char *err;
  json_t *json; /* `out`, parsed; NULL where it is no JSON */
} test_run;

/* Writes `length` bytes to a file of its own and runs `eown-lab radius FILE
 * OPTIONS`; options are separated by single blanks. */
void test_run_bytes(test_run *run, const void *bytes, size_t length,
                    const char *options);

/* The same for text, and for text as gzip. */
void test_run_text(test_run *run, const char *text, const char *options);
void test_run_gzip(test_run *run, const char *text, const char *options);

/* Runs without a file of its own. */
void test_run_options(test_run *run, const char *options);

/* Runs another program on a file of that text, as the whole command line. */
void test_run_program(test_run *run, const char *program, const char *text);

void test_run_clear(test_run *run);

/* Compresses text; the caller frees the bytes. */
unsigned char *test_gzip(const char *text, size_t *length);

/* Writes text to a new file and returns its path, owned; remove it. */
char *test_file(const void *bytes, size_t length);

/* The number at a path such as "overall.radius_max.stock" or "roots.0.radius.
 * stock"; -1 where there is none. */
double test_number(const json_t *json, const char *path);

/* The same for strings; NULL where there is none. */
const char *test_string(const json_t *json, const char *path);

#endif /* EOWN_TESTS_RADIUS_RUN_H */
