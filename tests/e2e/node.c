/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "node.h"

#include "gtest_c.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define STEP_US 5000
#define LINE_MAX_BYTES 65536

/* Reads the line of this event, or returns NULL. */
static json_t *find_event(const char *text, const char *event) {
  while (*text != '\0') {
    size_t length = strcspn(text, "\n");
    json_t *object = json_loadb(text, length, 0, NULL);
    const char *found = json_string_value(json_object_get(object, "event"));
    if (found != NULL && strcmp(found, event) == 0)
      return object;
    json_decref(object);
    text += text[length] == '\n' ? length + 1 : length;
  }
  return NULL;
}

/* Looks at what was written so far, without moving the child's own offset. */
static json_t *look(const e2e_child *child, const char *event) {
  static char text[LINE_MAX_BYTES];
  ssize_t got = pread(fileno(child->output), text, sizeof text - 1, 0);
  text[got > 0 ? got : 0] = '\0';
  return find_event(text, event);
}

static bool is_alive(const e2e_child *child) {
  siginfo_t info = {0};
  waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT);
  return info.si_pid == 0;
}

static void await_ready(e2e_node *node) {
  json_t *ready = NULL;
  while ((ready = look(&node->child, "ready")) == NULL) {
    if (!is_alive(&node->child)) {
      FAIL_TEST("node %s did not come up", node->name);
      return;
    }
    usleep(STEP_US);
  }
  node->port = (int)json_integer_value(json_object_get(ready, "port"));
  json_decref(ready);
}

void e2e_node_start(e2e_node *node, const char *name, const e2e_node *callee,
                    const char *const *words) {
  *node = (e2e_node){0};
  snprintf(node->name, sizeof node->name, "%s", name);
  const char *all[E2E_WORDS_MAX] = {NULL};
  e2e_words_add(all, E2E_WORDS(E2E_NODE, "--name", name, "--attempts", "2",
                               "--ownership", "enforce"));
  char target[64];
  if (callee != NULL) {
    snprintf(target, sizeof target, "%s=127.0.0.1:%d", callee->name,
             callee->port);
    e2e_words_add(all, E2E_WORDS("--callee", target));
  }
  e2e_words_add(all, words);
  e2e_child_start(&node->child, all);
  await_ready(node);
}

json_t *e2e_node_stop(e2e_node *node) {
  TEST_TRACE("node %s", node->name);
  kill(node->child.pid, SIGTERM);
  e2e_run run;
  e2e_child_finish(&node->child, &run);
  CHECK_EQ(0, run.status);
  CHECK_STREQ("", run.errors);
  json_t *object = find_event(run.output, "exit");
  CHECK_NOT_NULL(object);
  e2e_run_clear(&run);
  return object;
}
