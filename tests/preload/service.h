/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_PRELOAD_SERVICE_H
#define EOWN_TESTS_PRELOAD_SERVICE_H

#include "node.h"
#include "run.h"

#include <stdint.h>

/* A service that knows nothing of eown, as a process. */
typedef struct preload_service {
  e2e_node node; /* for those that call it */
  char counters[64];
} preload_service;

/* What it left. */
typedef struct preload_left {
  e2e_run run;
  char *counters; /* the text of its file; "" where there is none */
} preload_left;

/* Variables for a preloaded program: NAME=VALUE up to NULL; later ones win. */
#define PRELOAD_ENFORCE E2E_WORDS("EOWN_MODE=enforce")

/* Runs a program to its end with libeown-preload.so, and without EOWN_MODE
 * where `variables` does not set it. */
void preload_run(const char *const *variables, const char *const *words,
                 e2e_run *run);

/* Starts PROGRAM NAME FORM CALLEE with libeown-preload.so and waits until it
 * serves. `program` "" is the relay in C++, else a script for Ruby. */
void preload_start(preload_service *service, const char *program,
                   const char *name, const char *form, const e2e_node *callee,
                   const char *const *variables);

/* How many files of this name (its beginning) the running service has loaded.
 */
size_t preload_copies(const preload_service *service, const char *name);

/* Ends it and checks that it ended well. Free it with preload_left_clear. */
void preload_stop(preload_service *service, preload_left *left);
void preload_left_clear(preload_left *left);

/* Reads eown_NAME_total; fails the test where it is missing. */
uint64_t preload_counter(const preload_left *left, const char *name);

#endif /* EOWN_TESTS_PRELOAD_SERVICE_H */
