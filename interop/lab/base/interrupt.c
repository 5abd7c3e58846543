/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <stdlib.h>

static volatile sig_atomic_t received;

static const int caught[] = {SIGINT, SIGTERM, SIGHUP};

static void remember(int signal_number) { received = signal_number; }

/* Without SA_RESTART: a poll() that waits for a node must come back. */
void lab_interrupt_catch(void) {
  struct sigaction action = {.sa_handler = remember};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof(caught) / sizeof(*caught); i++)
    sigaction(caught[i], &action, NULL);
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, NULL);
}

void lab_interrupt_restore(void) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  sigemptyset(&action.sa_mask);
  sigaction(SIGPIPE, &action, NULL);
}

bool lab_interrupted(void) { return received != 0; }

void lab_interrupt_check(void) {
  if (received)
    exit(128 + received);
}
