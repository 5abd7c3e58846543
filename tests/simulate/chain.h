/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_SIMULATE_CHAIN_H
#define EOWN_TESTS_SIMULATE_CHAIN_H

#include "lab/simulate/walk.h"

/* A chain whose service `failing` fails at that rate, and a model of it. */
typedef struct chain {
  lab_fleet fleet;
  lab_model model;
  lab_counts counts; /* of the last run */
} chain;

void chain_make(chain *chain, uint32_t services, uint32_t failing, double rate);

/* Runs it; twice is fine. */
void chain_run(chain *chain);

void chain_clear(chain *chain);

/* Calls served, over root requests. */
double chain_load(const chain *chain, uint32_t service);

/* Root requests that fail, over all. */
double chain_errors(const chain *chain);

#endif /* EOWN_TESTS_SIMULATE_CHAIN_H */
