/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "oracle.h"

#include <string.h>

typedef enum word { SAYS_NOTHING, SAYS_MINE, SAYS_NOT_MINE } word;

/* What a call gave back. */
typedef struct answer {
  bool failed;
  word claim;
} answer;

typedef struct play {
  const test_world *world;
  const test_setup *setup;
  oracle_way way;
  unsigned failing; /* WORLD_MAX: nobody fails */
  double load[WORLD_MAX];
  unsigned radius;
} play;

/* One request on its way. */
typedef struct request {
  double weight;    /* under a budget, a retry is a part of one */
  bool stems;       /* it is a retry, or stems from one */
  unsigned retries; /* in a row, this one the last */
} request;

static answer serve(play *self, unsigned service, request in);

static bool runs_eown(const play *self, unsigned service) {
  if (self->way == ORACLE_OWNERSHIP_FULL)
    return true;
  return self->way == ORACLE_OWNERSHIP && self->setup->eown[service];
}

static bool may_retry(const play *self, unsigned caller, unsigned callee,
                      const request *in, word claim) {
  if (self->setup->no_retry[caller][callee])
    return false;
  if (self->way == ORACLE_CHAIN_STOP && in->stems)
    return false;
  return claim != SAYS_NOT_MINE; /* which comes with a pushback */
}

/* Under a budget of B every failed call has B calls more, as far as the
 * attempts go: at most one whole call for each attempt. */
static double weight_of_attempt(const play *self, unsigned number) {
  if (number == 1 || self->way != ORACLE_BUDGET)
    return 1;
  double left = self->setup->budget - (number - 2);
  return left < 0 ? 0 : left > 1 ? 1 : left;
}

static answer attempt(play *self, unsigned callee, const request *in,
                      unsigned number) {
  request out = {.weight = in->weight * weight_of_attempt(self, number),
                 .stems = in->stems || number > 1,
                 .retries = number > 1 ? in->retries + 1 : 0};
  return serve(self, callee, out);
}

/* A call with all its attempts; says whether it was tried again. */
static answer call(play *self, unsigned caller, unsigned callee,
                   const request *in, unsigned *attempts) {
  answer last = attempt(self, callee, in, 1);
  *attempts = 1;
  while (last.failed && *attempts < self->setup->attempts &&
         may_retry(self, caller, callee, in, last.claim) &&
         weight_of_attempt(self, *attempts + 1) > 0)
    last = attempt(self, callee, in, ++*attempts);
  return last;
}

/* What a service says of its own error: it is its own unless a callee it cannot
 * do without failed, and somebody had the chance to try again. */
static word claim_for(bool passed_on, bool had_its_retry) {
  return passed_on && had_its_retry ? SAYS_NOT_MINE : SAYS_MINE;
}

static answer serve(play *self, unsigned service, request in) {
  const test_setup *setup = self->setup;
  bool passed_on = false;
  bool had_its_retry = false;
  self->load[service] += in.weight;
  if (service == self->failing && in.retries > self->radius)
    self->radius = in.retries;
  for (unsigned callee = service + 1; callee < self->world->services; callee++)
    for (unsigned i = 0; i < self->world->calls[service][callee]; i++) {
      unsigned attempts = 0;
      answer result = call(self, service, callee, &in, &attempts);
      if (!result.failed || setup->fail_open[service][callee])
        continue;
      passed_on = true;
      had_its_retry |=
          result.claim == SAYS_NOT_MINE || attempts > 1 ||
          (setup->attempts > 1 && !setup->no_retry[service][callee]);
    }
  answer out = {.failed = passed_on || service == self->failing};
  if (out.failed && runs_eown(self, service))
    out.claim = claim_for(passed_on, had_its_retry);
  return out;
}

static void play_out(play *self, unsigned failing) {
  self->failing = failing;
  self->radius = 0;
  memset(self->load, 0, sizeof(self->load));
  serve(self, 0, (request){.weight = 1});
}

oracle_result oracle_examine(const test_world *world, const test_setup *setup,
                             oracle_way way) {
  play calm = {.world = world, .setup = setup, .way = way};
  play storm = calm;
  oracle_result worst = {0, 1};
  play_out(&calm, WORLD_MAX);
  for (unsigned failing = 0; failing < world->services; failing++) {
    play_out(&storm, failing);
    if (storm.radius > worst.radius)
      worst.radius = storm.radius;
    for (unsigned i = 0; i < world->services; i++)
      if (calm.load[i] > 0 &&
          storm.load[i] / calm.load[i] > worst.amplification)
        worst.amplification = storm.load[i] / calm.load[i];
  }
  return worst;
}
