/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "storm.h"

#include "room.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A service, during one run. */
typedef struct radius_spot {
  double base;    /* load without retries */
  double fresh;   /* load over that: requests that are no retries, */
  double marked;  /* and those that are, or stem from one */
  double runs;    /* ways to the longest run that ends here */
  uint32_t run;   /* its edges */
  uint32_t reach; /* hops to the farthest caller that repeats */
  uint32_t next;  /* inbound to follow */
  uint32_t seen;  /* the epoch of its place in the set */
  eown_reason reason;
  bool fails;
} radius_spot;

static void make_room(radius_storm *storm, const radius_walk *walk) {
  uint32_t inbounds = walk->first[walk->count];
  uint32_t had = storm->spots_capacity;
  storm->spots = radius_room_for(storm->spots, walk->count,
                                 &storm->spots_capacity, sizeof(radius_spot));
  for (uint32_t i = had; i < storm->spots_capacity; i++)
    storm->spots[i] = (radius_spot){0};
  storm->set = radius_room_for(storm->set, walk->count, &storm->set_capacity,
                               sizeof(*storm->set));
  storm->stack = radius_room_for(storm->stack, walk->count,
                                 &storm->stack_capacity, sizeof(*storm->stack));
  storm->shares = radius_room_for(
      storm->shares, inbounds, &storm->shares_capacity, sizeof(*storm->shares));
  storm->repeats =
      radius_room_for(storm->repeats, inbounds, &storm->repeats_capacity,
                      sizeof(*storm->repeats));
}

static double load_of(const radius_storm *storm, const radius_inbound *call) {
  return storm->spots[call->caller].base *
         storm->walk->graph->edges[call->edge].weight;
}

static void share_load(radius_storm *storm, uint32_t position) {
  const radius_walk *walk = storm->walk;
  double base = position == 0; /* the root's one request */
  for (uint32_t i = walk->first[position]; i < walk->first[position + 1]; i++)
    base += storm->shares[i] = load_of(storm, &walk->inbounds[i]);
  if (!isnormal(base))
    radius_refuse(walk->graph->place,
                  "calls multiply to %g along a path: expected counts that "
                  "stay between %g and %g",
                  base, 2.3e-308, 1.7e308);
  storm->spots[position].base = base;
  for (uint32_t i = walk->first[position]; i < walk->first[position + 1]; i++)
    storm->shares[i] /= base;
}

void radius_storm_begin(radius_storm *storm, const radius_walk *walk) {
  make_room(storm, walk);
  storm->walk = walk;
  for (uint32_t i = 0; i < walk->count; i++)
    share_load(storm, i);
}

static void enter(radius_storm *storm, uint32_t position, uint32_t *depth) {
  radius_spot *spot = &storm->spots[position];
  spot->seen = storm->epoch;
  spot->next = storm->walk->first[position];
  storm->stack[(*depth)++] = position;
}

/* Takes the next caller of `position` that is new; false where there is none.
 */
static bool step(radius_storm *storm, uint32_t position, uint32_t *caller) {
  radius_spot *spot = &storm->spots[position];
  while (spot->next < storm->walk->first[position + 1]) {
    *caller = storm->walk->inbounds[spot->next++].caller;
    if (storm->spots[*caller].seen != storm->epoch)
      return true;
  }
  return false;
}

/* A depth-first walk towards the root: each joins the set after its callers. */
void radius_storm_fail(radius_storm *storm, uint32_t position) {
  uint32_t depth = 0;
  storm->epoch++;
  storm->failing = position;
  storm->set_count = 0;
  enter(storm, position, &depth);
  while (depth) {
    uint32_t at = storm->stack[depth - 1];
    uint32_t caller = 0;
    if (step(storm, at, &caller)) {
      enter(storm, caller, &depth);
    } else {
      depth--;
      storm->set[storm->set_count++] = at;
      storm->steps += 1 + storm->walk->first[at + 1] - storm->walk->first[at];
    }
  }
}

/* The caller hears of the error and answers. */
static void hear(radius_storm *storm, const radius_mode *mode, uint32_t inbound,
                 eown_claim claim) {
  const radius_inbound *call = &storm->walk->inbounds[inbound];
  const radius_edge *edge = &storm->walk->graph->edges[call->edge];
  const radius_answer *answer =
      &mode->answers[claim][edge->no_retry][edge->fail_open];
  radius_spot *caller = &storm->spots[call->caller];
  storm->repeats[inbound] = answer->repeats ? mode->repeats : 0;
  caller->reason = eown_rule_strongest(caller->reason, answer->reason);
  caller->fails |= !edge->fail_open;
}

static eown_claim claim_of(const radius_storm *storm, const radius_mode *mode,
                           uint32_t position) {
  const radius_walk *walk = storm->walk;
  return radius_mode_claim(mode, walk->graph->names[walk->nodes[position]],
                           storm->spots[position].reason);
}

/* From the failing service to the root: callees before their callers. */
static void send_errors(radius_storm *storm, const radius_mode *mode) {
  const radius_walk *walk = storm->walk;
  for (uint32_t i = 0; i < storm->set_count; i++) {
    storm->spots[storm->set[i]].fails = storm->set[i] == storm->failing;
    storm->spots[storm->set[i]].reason = EOWN_REASON_NONE;
  }
  storm->spots[storm->failing].reason = EOWN_REASON_OWN;
  for (uint32_t i = storm->set_count; i--;) {
    uint32_t at = storm->set[i];
    bool fails = storm->spots[at].fails;
    eown_claim claim = fails ? claim_of(storm, mode, at) : EOWN_CLAIM_MISSING;
    for (uint32_t j = walk->first[at]; j < walk->first[at + 1]; j++)
      if (fails)
        hear(storm, mode, j, claim);
      else
        storm->repeats[j] = 0;
  }
}

/* The first attempt goes on as the request came; the others are retries. With
 * chain stop a request that is a retry has one attempt. */
static void add_load(const radius_storm *storm, const radius_mode *mode,
                     uint32_t inbound, radius_spot *spot) {
  const radius_spot *caller =
      &storm->spots[storm->walk->inbounds[inbound].caller];
  double again = storm->repeats[inbound];
  double share = storm->shares[inbound];
  spot->fresh += share * caller->fresh;
  spot->marked += share * (caller->fresh * again +
                           caller->marked * (mode->nested ? 1 + again : 1));
}

static void add_run(const radius_storm *storm, const radius_mode *mode,
                    uint32_t inbound, radius_spot *spot) {
  const radius_spot *caller =
      &storm->spots[storm->walk->inbounds[inbound].caller];
  bool repeats = storm->repeats[inbound] > 0;
  uint32_t reach = caller->reach ? caller->reach + 1 : repeats;
  if (reach > spot->reach)
    spot->reach = reach;
  if (!repeats)
    return;
  bool longer = mode->nested && caller->run;
  uint32_t run = longer ? caller->run + 1 : 1;
  double runs = longer ? caller->runs : 1;
  if (run > spot->run) {
    spot->run = run;
    spot->runs = runs;
  } else if (run == spot->run) {
    spot->runs += runs;
  }
}

static void receive(radius_storm *storm, const radius_mode *mode,
                    uint32_t position) {
  const radius_walk *walk = storm->walk;
  radius_spot *spot = &storm->spots[position];
  spot->fresh = position == 0;
  spot->marked = 0;
  spot->run = 0;
  spot->runs = 0;
  spot->reach = 0;
  for (uint32_t i = walk->first[position]; i < walk->first[position + 1]; i++) {
    add_load(storm, mode, i, spot);
    add_run(storm, mode, i, spot);
  }
}

radius_outcome radius_storm_run(radius_storm *storm, const radius_mode *mode) {
  send_errors(storm, mode);
  double worst = 1;
  for (uint32_t i = 0; i < storm->set_count; i++) {
    const radius_spot *spot = &storm->spots[storm->set[i]];
    receive(storm, mode, storm->set[i]);
    worst = fmax(worst, spot->fresh + spot->marked);
  }
  const radius_spot *failing = &storm->spots[storm->failing];
  return (radius_outcome){failing->run, failing->runs, failing->reach, worst};
}

double radius_storm_load(const radius_storm *storm, uint32_t position) {
  return storm->spots[position].fresh + storm->spots[position].marked;
}

static bool continues(const radius_storm *storm, uint32_t inbound,
                      uint32_t run) {
  uint32_t caller = storm->walk->inbounds[inbound].caller;
  uint32_t above = storm->spots[caller].run;
  return storm->repeats[inbound] > 0 && above && above + 1 == run &&
         storm->spots[caller].seen != storm->epoch;
}

void radius_storm_inside(radius_storm *storm,
                         void (*take)(void *user, uint32_t position,
                                      uint32_t above),
                         void *user) {
  const radius_walk *walk = storm->walk;
  uint32_t count = 0;
  storm->epoch++;
  storm->stack[count++] = storm->failing;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t at = storm->stack[i];
    uint32_t run = storm->spots[at].run;
    if (i)
      take(user, at, run);
    for (uint32_t j = walk->first[at]; j < walk->first[at + 1]; j++)
      if (continues(storm, j, run)) {
        storm->spots[walk->inbounds[j].caller].seen = storm->epoch;
        storm->stack[count++] = walk->inbounds[j].caller;
      }
  }
}

void radius_storm_clear(radius_storm *storm) {
  free(storm->set);
  free(storm->stack);
  free(storm->spots);
  free(storm->shares);
  free(storm->repeats);
  *storm = (radius_storm){0};
}
