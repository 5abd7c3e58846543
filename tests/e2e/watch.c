/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "watch.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STEP_US 10000

/* What /proc/ID/stat says of a process. */
typedef struct facts {
  char name[16];
  char state;
  int parent;
} facts;

static bool read_facts(pid_t process, facts *facts) {
  char path[32];
  snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
  FILE *file = fopen(path, "re");
  if (file == NULL)
    return false;
  int got = fscanf(file, "%*d (%15[^)]) %c %d", facts->name, &facts->state,
                   &facts->parent);
  fclose(file);
  return got == 3;
}

static bool is_child(pid_t process, pid_t parent, const char *name) {
  facts facts;
  return read_facts(process, &facts) && facts.parent == parent &&
         strncmp(facts.name, name, 15) == 0;
}

static size_t find_children(pid_t parent, const char *name, pid_t *children,
                            size_t n) {
  size_t found = 0;
  DIR *directory = opendir("/proc");
  if (directory == NULL)
    return 0;
  for (struct dirent *entry; found < n && (entry = readdir(directory));) {
    pid_t process = (pid_t)strtol(entry->d_name, NULL, 10);
    if (process > 0 && is_child(process, parent, name))
      children[found++] = process;
  }
  closedir(directory);
  return found;
}

bool e2e_watch_children(pid_t parent, const char *name, pid_t *children,
                        size_t n) {
  facts facts;
  while (find_children(parent, name, children, n) < n) {
    if (!read_facts(parent, &facts) || facts.state == 'Z')
      return false;
    usleep(STEP_US);
  }
  return true;
}

bool e2e_watch_is_alive(pid_t process, const char *name) {
  facts facts;
  return read_facts(process, &facts) && facts.state != 'Z' &&
         strncmp(facts.name, name, 15) == 0;
}
