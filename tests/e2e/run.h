/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_E2E_RUN_H
#define EOWN_TESTS_E2E_RUN_H

#include <stdio.h>
#include <sys/types.h>

/* Words for a command line; NULL ends each list. */
#define E2E_WORDS_MAX 64

/* A program that was started. It ends with this process. Its output goes to
 * files without a name, so that it never waits for a reader. */
typedef struct e2e_child {
  pid_t pid;
  FILE *output;
  FILE *errors;
} e2e_child;

/* What a program left. Free it with e2e_run_clear. */
typedef struct e2e_run {
  int status;   /* its exit status; 128 + the signal that ended it */
  char *output; /* NUL-terminated, as is `errors` */
  char *errors;
} e2e_run;

/* Starts `words[0]`, a path, with the words up to NULL. Ends the test program
 * where that cannot be. */
void e2e_child_start(e2e_child *child, const char *const *words);

/* Waits for the end and takes what was written. */
void e2e_child_finish(e2e_child *child, e2e_run *run);

/* Both: runs a program to its end. */
void e2e_run_words(const char *const *words, e2e_run *run);

void e2e_run_clear(e2e_run *run);

/* Adds `words` (up to NULL) to the list `to`, which stays ended by NULL. */
void e2e_words_add(const char **to, const char *const *words);

/* A list in place. */
#define E2E_WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

#endif /* EOWN_TESTS_E2E_RUN_H */
