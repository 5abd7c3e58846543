/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_E2E_WATCH_H
#define EOWN_TESTS_E2E_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Waits until `parent` has `n` children of this name (the first 15 characters
 * count) and takes their ids; false where it ends before. */
bool e2e_watch_children(pid_t parent, const char *name, pid_t *children,
                        size_t n);

/* Whether the process lives and has this name. */
bool e2e_watch_is_alive(pid_t process, const char *name);

#endif /* EOWN_TESTS_E2E_WATCH_H */
