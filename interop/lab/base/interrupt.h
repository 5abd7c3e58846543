/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_INTERRUPT_H
#define EOWN_LAB_INTERRUPT_H

#include <stdbool.h>

/* Turns SIGINT, SIGTERM and SIGHUP into a flag that the loops look at, so that
 * nodes and scratch folders are cleaned up on the ordinary way out. SIGPIPE is
 * ignored: a closed pipe is a failed write. */
void lab_interrupt_catch(void);

/* Gives a child process the default actions back; async-signal-safe. */
void lab_interrupt_restore(void);

/* Says whether one of the signals came. */
bool lab_interrupted(void);

/* Ends the program with 128 + signal where one came. */
void lab_interrupt_check(void);

#endif /* EOWN_LAB_INTERRUPT_H */
