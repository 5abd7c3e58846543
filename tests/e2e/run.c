/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "run.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

_Noreturn static void give_up(const char *what) {
  perror(what);
  abort();
}

static FILE *file_without_name(void) {
  FILE *file = tmpfile();
  if (file == NULL || fcntl(fileno(file), F_SETFD, FD_CLOEXEC) < 0)
    give_up("tmpfile");
  return file;
}

/* Between fork and exec. */
_Noreturn static void become(const e2e_child *child, const char *const *words) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  dup2(fileno(child->output), STDOUT_FILENO);
  dup2(fileno(child->errors), STDERR_FILENO);
  execv(words[0], (char *const *)words);
  perror(words[0]);
  _exit(127);
}

void e2e_child_start(e2e_child *child, const char *const *words) {
  child->output = file_without_name();
  child->errors = file_without_name();
  fflush(NULL);
  child->pid = fork();
  if (child->pid < 0)
    give_up("fork");
  if (child->pid == 0)
    become(child, words);
}

static char *take_text(FILE *file) {
  fseek(file, 0, SEEK_END);
  size_t size = (size_t)ftell(file);
  rewind(file);
  char *text = malloc(size + 1);
  if (text == NULL)
    give_up("malloc");
  text[fread(text, 1, size, file)] = '\0';
  fclose(file);
  return text;
}

void e2e_child_finish(e2e_child *child, e2e_run *run) {
  int status = 0;
  if (waitpid(child->pid, &status, 0) != child->pid)
    give_up("waitpid");
  run->status =
      WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  run->output = take_text(child->output);
  run->errors = take_text(child->errors);
}

void e2e_run_words(const char *const *words, e2e_run *run) {
  e2e_child child;
  e2e_child_start(&child, words);
  e2e_child_finish(&child, run);
}

void e2e_run_clear(e2e_run *run) {
  free(run->output);
  free(run->errors);
  *run = (e2e_run){0};
}

void e2e_words_add(const char **to, const char *const *words) {
  size_t n = 0, added = 0;
  while (to[n] != NULL)
    n++;
  for (; words[added] != NULL; added++) {
    if (n + added + 1 >= E2E_WORDS_MAX)
      give_up("too many words");
    to[n + added] = words[added];
  }
  to[n + added] = NULL;
}
