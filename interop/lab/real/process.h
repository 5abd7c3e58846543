/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_PROCESS_H
#define EOWN_LAB_PROCESS_H

#include <stdbool.h>

#include <jansson.h>

/* A child process that speaks in JSON lines on its standard output. It gets
 * killed when this program ends, in whatever way. */
typedef struct lab_process lab_process;

/* Starts argv[0] (looked up in PATH where it has no slash). `name` (copied) is
 * how it is called in messages. Fails as lab_fail does. */
lab_process *lab_process_start(const char *name, char *const *argv);

/* Reads lines until one is an object whose "event" is `event`; the caller owns
 * the reference. Returns NULL when the process closed its output, nothing came
 * for `timeout_ms`, or the lab was interrupted. */
json_t *lab_process_read(lab_process *process, const char *event,
                         int timeout_ms);

/* Sends a signal; nothing happens where the process is gone. */
void lab_process_signal(lab_process *process, int signal_number);

/* Waits for its end, up to `timeout_ms`, then kills it. Returns whether it
 * ended with status 0. */
bool lab_process_wait(lab_process *process, int timeout_ms);

/* How it ended, "status 1" or "signal 11"; the caller owns the text. */
char *lab_process_end(const lab_process *process);

/* Shows what it wrote to standard error, each line with its name in front. */
void lab_process_show_errors(lab_process *process);

/* Kills it where it still runs, and frees. NULL is allowed. */
void lab_process_free(lab_process *process);

#endif /* EOWN_LAB_PROCESS_H */
