/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "process.h"

#include "lab/base/failure.h"
#include "lab/base/interrupt.h"
#include "lab/base/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define LINE_MAX_BYTES 65536
#define WAIT_STEP_US 2000

struct lab_process {
  char *name;
  pid_t pid; /* 0: gone */
  int status;
  int output;
  FILE *errors; /* a file without a name: never blocks the process */
  size_t filled;
  char line[LINE_MAX_BYTES];
  lab_process *next;
};

/* All processes that were started and not freed, for the end of the program. */
static lab_process *all;

static void kill_all(void) {
  for (lab_process *process = all; process; process = process->next)
    if (process->pid)
      kill(process->pid, SIGKILL);
  for (lab_process *process = all; process; process = process->next)
    if (process->pid)
      waitpid(process->pid, NULL, 0);
}

static void add(lab_process *process) {
  static bool registered;
  if (!registered)
    atexit(kill_all);
  registered = true;
  process->next = all;
  all = process;
}

/* Between fork and exec: async-signal-safe calls only. A group of its own keeps
 * the terminal's SIGINT away, so that the lab can stop the nodes in order. */
_Noreturn static void run_child(char *const *argv, int output, int errors,
                                pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(127);
  lab_interrupt_restore();
  int null = open("/dev/null", O_RDONLY);
  dup2(null, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  execvp(argv[0], argv);
  dprintf(STDERR_FILENO, "cannot run %s: %s\n", argv[0], strerror(errno));
  _exit(127);
}

static FILE *anonymous_file(void) {
  FILE *file = tmpfile();
  if (!file || fcntl(fileno(file), F_SETFD, FD_CLOEXEC) < 0)
    lab_fail("cannot make a temporary file: %s", strerror(errno));
  return file;
}

lab_process *lab_process_start(const char *name, char *const *argv) {
  lab_process *process = lab_allocate(1, sizeof(*process));
  process->name = lab_format("%s", name);
  process->errors = anonymous_file();
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0)
    lab_fail("cannot make a pipe for node %s: %s", name, strerror(errno));
  pid_t parent = getpid();
  pid_t pid = fork();
  if (pid == 0)
    run_child(argv, ends[1], fileno(process->errors), parent);
  if (pid < 0)
    lab_fail("cannot start node %s: %s", name, strerror(errno));
  close(ends[1]);
  process->pid = pid;
  process->output = ends[0];
  add(process);
  return process;
}

/* Takes the first whole line out of the buffer: an object or, where the line is
 * none, JSON null. Returns NULL where there is no whole line. */
static json_t *take_line(lab_process *process) {
  char *end = memchr(process->line, '\n', process->filled);
  if (!end)
    return NULL;
  size_t length = (size_t)(end - process->line);
  json_t *object = json_loadb(process->line, length, 0, NULL);
  process->filled -= length + 1;
  memmove(process->line, end + 1, process->filled);
  return object ? object : json_null();
}

/* Reads more into the buffer; false at the end of the output, on timeout or
 * interruption. A line longer than the buffer is dropped. */
static bool fill(lab_process *process, uint64_t until_ms) {
  uint64_t now = lab_now_ms();
  struct pollfd wanted = {.fd = process->output, .events = POLLIN};
  if (now >= until_ms || poll(&wanted, 1, (int)(until_ms - now)) <= 0)
    return false;
  if (process->filled == sizeof(process->line))
    process->filled = 0;
  ssize_t got = read(process->output, process->line + process->filled,
                     sizeof(process->line) - process->filled);
  if (got <= 0)
    return false;
  process->filled += (size_t)got;
  return true;
}

json_t *lab_process_read(lab_process *process, const char *event,
                         int timeout_ms) {
  uint64_t until_ms = lab_now_ms() + (uint64_t)timeout_ms;
  do {
    for (json_t *object; (object = take_line(process));) {
      const char *found = json_string_value(json_object_get(object, "event"));
      if (found && !strcmp(found, event))
        return object;
      json_decref(object);
    }
  } while (fill(process, until_ms));
  return NULL;
}

void lab_process_signal(lab_process *process, int signal_number) {
  if (process->pid)
    kill(process->pid, signal_number);
}

static void reap(lab_process *process, int flags) {
  if (waitpid(process->pid, &process->status, flags) == process->pid)
    process->pid = 0;
}

bool lab_process_wait(lab_process *process, int timeout_ms) {
  uint64_t until_ms = lab_now_ms() + (uint64_t)timeout_ms;
  while (process->pid) {
    reap(process, WNOHANG);
    if (!process->pid)
      break;
    if (lab_now_ms() >= until_ms) {
      kill(process->pid, SIGKILL);
      reap(process, 0);
      break;
    }
    usleep(WAIT_STEP_US);
  }
  return WIFEXITED(process->status) && WEXITSTATUS(process->status) == 0;
}

char *lab_process_end(const lab_process *process) {
  int status = process->status;
  return WIFSIGNALED(status) ? lab_format("signal %d", WTERMSIG(status))
                             : lab_format("status %d", WEXITSTATUS(status));
}

void lab_process_show_errors(lab_process *process) {
  char *line = NULL;
  size_t size = 0;
  rewind(process->errors);
  for (ssize_t got; (got = getline(&line, &size, process->errors)) > 0;)
    fprintf(stderr, "%s: %s%s", process->name, line,
            line[got - 1] == '\n' ? "" : "\n");
  free(line);
}

static void forget(const lab_process *process) {
  for (lab_process **place = &all; *place; place = &(*place)->next)
    if (*place == process) {
      *place = process->next;
      return;
    }
}

void lab_process_free(lab_process *process) {
  if (!process)
    return;
  lab_process_wait(process, 0);
  forget(process);
  close(process->output);
  fclose(process->errors);
  free(process->name);
  free(process);
}
