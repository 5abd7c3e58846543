/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_MODEL_H
#define EOWN_LAB_MODEL_H

#include "fleet.h"
#include "retry_by.h"
#include "rules.h"

#include "eown/memory.h"

/* What holds retries back. */
typedef enum lab_mode {
  LAB_MODE_STOCK,      /* gRPC's retry policy, or a loop, alone */
  LAB_MODE_BUDGET,     /* eown's retry budget, no claims */
  LAB_MODE_THROTTLE,   /* gRPC's retryThrottling, no eown */
  LAB_MODE_CHAIN_STOP, /* a retry is not retried again below, no claims */
  LAB_MODE_OWNERSHIP,  /* claims, and budget or chain stop where they are set */
  LAB_MODE_N
} lab_mode;

/* "stock", "budget", "throttle", "chain_stop", "ownership", NULL. */
extern const char *const lab_mode_names[];

/* Where the dependency memory of a replica (rule 4) comes from: each replica
 * learns alone. Methods are named as lab_fleet_method does. */
typedef struct lab_memory_model {
  /* Makes one; `*self` is what the others get. */
  eown_memory (*make)(const lab_fleet *fleet, void **self);
  /* An inbound ended well and none of its outbounds failed. NULL: it need not
   * know. It is told of one in EOWN_MEMORY_SAMPLE. */
  void (*served)(void *self, const char *inbound, size_t length,
                 uint64_t now_ms);
  void (*clear)(void *self);
} lab_memory_model;

/* A memory that has learned all of it, and one that begins with nothing and
 * learns: eown's own. */
extern const lab_memory_model lab_memory_model_known;
extern const lab_memory_model lab_memory_model_learns;

/* The method of a service, in `text`; returns its length. */
#define LAB_METHOD_NAME 24
size_t lab_fleet_method(uint32_t service, char text[LAB_METHOD_NAME]);

/* A simulation without queues: what a root request meets depends on the dice,
 * and on the clock only through budgets and spells. */
typedef struct lab_model {
  const lab_fleet *fleet;
  const lab_rules *rules;
  lab_mode mode;
  lab_retry_by retry_by;
  unsigned attempts;  /* of each call, the first included: 1 to 5; by a loop
                         above a policy as many calls of as many attempts */
  double budget;      /* percent, in modes budget and ownership; < 0: none */
  bool chain_stop;    /* also in mode ownership */
  bool observe;       /* what would be stopped is counted, not stopped */
  double max_tokens;  /* of retryThrottling */
  double token_ratio; /* given back by a success */
  uint32_t spell_ms;  /* failures come in spells this long; 0: independent */
  double rate;        /* root requests a second */
  uint64_t requests;
  uint64_t healthy; /* requests of each replica before anybody fails; they count
                       for budgets only */
  uint64_t chunk;   /* requests of one replica; 0: chosen by the requests */
  uint64_t seed;
  unsigned threads;
  const lab_memory_model *memory; /* NULL: every edge is unknown */
} lab_model;

/* Fills in the defaults: ownership, two attempts, 100000 requests. */
void lab_model_init(lab_model *model, const lab_fleet *fleet);

/* Whether the services that have eown use it. */
static inline bool lab_model_eown(const lab_model *model) {
  return model->mode != LAB_MODE_STOCK && model->mode != LAB_MODE_THROTTLE;
}

/* Whether claims, the budget and chain stop are in force. */
static inline bool lab_model_claims(const lab_model *model) {
  return model->mode == LAB_MODE_OWNERSHIP;
}

static inline bool lab_model_budgets(const lab_model *model) {
  return model->budget >= 0 &&
         (model->mode == LAB_MODE_BUDGET || model->mode == LAB_MODE_OWNERSHIP);
}

static inline bool lab_model_chain_stop(const lab_model *model) {
  return model->mode == LAB_MODE_CHAIN_STOP ||
         (model->mode == LAB_MODE_OWNERSHIP && model->chain_stop);
}

#endif /* EOWN_LAB_MODEL_H */
