/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_MEMORY_FAKE_WORKER_H
#define EOWN_TESTS_MEMORY_FAKE_WORKER_H

#include <stdbool.h>
#include <stdint.h>

/* A worker without a thread and without time, in place of lib/worker: its work
 * runs when the test says so, and tells it of each wait. */

/* Runs the work of the worker that was started last; `wait` is called instead
 * of waiting, with what is waited for, and ends the work with false. */
void fake_worker_run(bool (*wait)(void *user, uint64_t ms), void *user);

#endif /* EOWN_TESTS_MEMORY_FAKE_WORKER_H */
