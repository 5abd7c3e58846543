/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "advice.h"

#include "advice_edges.h"
#include "candidates.h"
#include "lab/base/failure.h"
#include "lab/base/interrupt.h"

#include <stdlib.h>

/* Work beyond as much as the survey took: then the search ends. */
#define STEPS_MORE 100000000u

static bool better(const radius_total *a, const radius_total *b) {
  if (a->radius_max != b->radius_max)
    return a->radius_max < b->radius_max;
  if (a->at_radius != b->at_radius)
    return a->at_radius < b->at_radius;
  return a->runs < b->runs;
}

/* The total if `candidate` ran eown too, as far as the worst rows tell. */
static radius_total try_service(radius_trial *trial,
                                const radius_candidate *candidate,
                                radius_standing *instead) {
  trial->eown[candidate->name] = true;
  for (uint32_t i = 0; i < candidate->row_count; i++)
    instead[candidate->rows[i]] = radius_trial_row(trial, candidate->rows[i]);
  radius_total total = radius_trial_total(trial, instead);
  trial->eown[candidate->name] = false;
  for (uint32_t i = 0; i < candidate->row_count; i++)
    instead[candidate->rows[i]].radius = RADIUS_NONE;
  return total;
}

/* The best candidate; NULL where none is better than what is. */
static const radius_candidate *choose(radius_trial *trial,
                                      const radius_candidates *candidates,
                                      radius_standing *instead,
                                      uint64_t steps_max) {
  const radius_candidate *chosen = NULL;
  radius_total best = radius_trial_total(trial, NULL);
  for (uint32_t i = 0; i < candidates->count; i++) {
    radius_total total = try_service(trial, &candidates->items[i], instead);
    if (better(&total, &best)) {
      best = total;
      chosen = &candidates->items[i];
    }
    lab_interrupt_check();
    if (trial->storm.steps > steps_max)
      break;
  }
  return chosen;
}

/* One step; false where there is none. */
static bool add_service(radius_advice *advice, radius_trial *trial,
                        radius_standing *instead, uint64_t steps_max) {
  radius_candidates candidates;
  radius_candidates_find(&candidates, trial);
  const radius_candidate *chosen =
      choose(trial, &candidates, instead, steps_max);
  if (chosen) {
    trial->eown[chosen->name] = true;
    radius_trial_renew(trial, chosen->name);
    radius_total total = radius_trial_total(trial, NULL);
    advice->steps[advice->count++] = (radius_step){
        .name = chosen->name,
        .callee = RADIUS_NONE,
        .radius_max = total.radius_max,
        .reach_max = total.reach_max,
        .radius_mean = total.mean,
        .roots_at_max = total.at_radius,
    };
  }
  radius_candidates_clear(&candidates);
  return chosen != NULL;
}

static radius_standing *nothing_instead(uint32_t count) {
  radius_standing *instead = lab_allocate(count, sizeof(*instead));
  for (uint32_t i = 0; i < count; i++)
    instead[i].radius = RADIUS_NONE;
  return instead;
}

void radius_advice_find(radius_advice *advice, const radius_survey *survey,
                        const radius_policy *policy, const bool *eown,
                        uint32_t top) {
  radius_trial trial;
  uint64_t steps_max = survey->steps + STEPS_MORE;
  *advice = (radius_advice){
      .steps = lab_allocate((size_t)top + 1, sizeof(*advice->steps))};
  radius_trial_init(&trial, survey, policy, eown);
  radius_standing *instead = nothing_instead(survey->count);
  while (advice->count < top && trial.storm.steps <= steps_max &&
         radius_trial_total(&trial, NULL).radius_max > 1)
    if (!add_service(advice, &trial, instead, steps_max))
      break;
  free(instead);
  radius_advice_edges(advice, &trial, top, steps_max);
  radius_trial_clear(&trial);
}

void radius_advice_clear(radius_advice *advice) {
  free(advice->steps);
  *advice = (radius_advice){0};
}
