/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "service.h"

#include "gtest_c.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define STEP_US 5000

static void add_preload(const char **all, const char *const *variables) {
  e2e_words_add(all, E2E_WORDS("/usr/bin/env", "-u", "EOWN_MODE",
                               "LD_PRELOAD=" PRELOAD_LIBRARY));
  e2e_words_add(all, variables);
}

void preload_run(const char *const *variables, const char *const *words,
                 e2e_run *run) {
  const char *all[E2E_WORDS_MAX] = {NULL};
  add_preload(all, variables);
  e2e_words_add(all, words);
  e2e_run_words(all, run);
}

static bool is_alive(pid_t pid) {
  siginfo_t info = {0};
  waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT);
  return info.si_pid == 0;
}

/* Its first line, without moving the child's own offset. */
static int read_port(const e2e_child *child) {
  char text[256];
  ssize_t got = pread(fileno(child->output), text, sizeof text - 1, 0);
  text[got > 0 ? got : 0] = '\0';
  int port = 0;
  if (strchr(text, '\n') == NULL)
    return 0;
  sscanf(text, "{\"event\":\"ready\",\"port\":%d}", &port);
  return port;
}

static void await_ready(preload_service *service) {
  e2e_node *node = &service->node;
  while ((node->port = read_port(&node->child)) == 0) {
    if (!is_alive(node->child.pid)) {
      FAIL_TEST("service %s did not come up", node->name);
      return;
    }
    usleep(STEP_US);
  }
}

void preload_start(preload_service *service, const char *program,
                   const char *name, const char *form, const e2e_node *callee,
                   const char *const *variables) {
  *service = (preload_service){0};
  snprintf(service->node.name, sizeof service->node.name, "%s", name);
  snprintf(service->counters, sizeof service->counters,
           "/tmp/eown-preload-%d-%s.prom", (int)getpid(), name);
  char counters[96], target[64];
  snprintf(counters, sizeof counters, "EOWN_COUNTERS=%s", service->counters);
  snprintf(target, sizeof target, "%s=127.0.0.1:%d", callee->name,
           callee->port);
  const char *all[E2E_WORDS_MAX] = {NULL};
  add_preload(all, E2E_WORDS(counters));
  e2e_words_add(all, variables);
  if (program[0] == '\0')
    e2e_words_add(all, E2E_WORDS(PRELOAD_RELAY));
  else
    e2e_words_add(all, E2E_WORDS("ruby", program));
  e2e_words_add(all, E2E_WORDS(name, form, target));
  e2e_child_start(&service->node.child, all);
  await_ready(service);
}

/* The file that a line of /proc/PID/maps names, without folder; or NULL. */
static const char *file_in(char *line) {
  line[strcspn(line, "\n")] = '\0';
  char *slash = strrchr(line, '/');
  return slash == NULL ? NULL : slash + 1;
}

/* The lines of one file stand together. */
size_t preload_copies(const preload_service *service, const char *name) {
  char path[64], line[512], last[256] = "";
  snprintf(path, sizeof path, "/proc/%d/maps", (int)service->node.child.pid);
  FILE *maps = fopen(path, "r");
  size_t copies = 0;
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
    const char *file = file_in(line);
    if (file == NULL || strncmp(file, name, strlen(name)) != 0)
      continue;
    copies += strcmp(file, last) != 0;
    snprintf(last, sizeof last, "%s", file);
  }
  if (maps != NULL)
    fclose(maps);
  return copies;
}

static char *read_text(const char *path) {
  char *text = NULL;
  size_t size = 0;
  FILE *file = fopen(path, "r");
  if (file == NULL || getdelim(&text, &size, '\0', file) < 0) {
    free(text);
    text = strdup("");
  }
  if (file != NULL)
    fclose(file);
  return text;
}

void preload_stop(preload_service *service, preload_left *left) {
  TEST_TRACE("service %s", service->node.name);
  kill(service->node.child.pid, SIGTERM);
  e2e_child_finish(&service->node.child, &left->run);
  left->counters = read_text(service->counters);
  unlink(service->counters);
  CHECK_EQ(0, left->run.status);
}

void preload_left_clear(preload_left *left) {
  e2e_run_clear(&left->run);
  free(left->counters);
  left->counters = NULL;
}

uint64_t preload_counter(const preload_left *left, const char *name) {
  char line[96];
  snprintf(line, sizeof line, "\neown_%s_total ", name);
  const char *found = strstr(left->counters, line);
  uint64_t value = 0;
  if (found == NULL || sscanf(found + strlen(line), "%" SCNu64, &value) != 1)
    FAIL_TEST("no counter %s in \"%.200s\"", name, left->counters);
  return value;
}
