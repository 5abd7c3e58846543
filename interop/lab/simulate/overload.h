/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_OVERLOAD_H
#define EOWN_LAB_OVERLOAD_H

#include "walk.h"

/* A simulation in which load has an effect: one service works off a queue at a
 * limited rate. What waited too long fails after it was worked on, so load
 * above the capacity turns work into waste, and a storm can keep the service
 * down when what set it off is long gone. */
typedef struct lab_overload {
  uint32_t service;   /* the one with the queue */
  double capacity;    /* calls a second */
  uint32_t queue;     /* places; beyond, calls fail at once */
  double patience_ms; /* a call that waited longer fails when it was served */
  double timeout_ms;  /* callers give up an attempt after this; 0: never. The
                         callee works on. Nothing is known of its claim */
  double timeout_growth; /* for each level towards the root, times this */
  double backoff_ms;     /* mean time before a retry */
  double hop_ms;         /* a service's own work before it calls others */
  double seconds;        /* simulated; the model's requests do not matter */
  double trigger_start;  /* in seconds: from here on the capacity is ... */
  double trigger_seconds;
  double trigger_factor; /* ... times this */
} lab_overload;

/* One second of it. */
typedef struct lab_second {
  uint32_t requests; /* at the root, that ended in this second */
  uint32_t failures; /* of these */
  uint32_t load;     /* calls that came to the overloaded service */
  uint32_t done;     /* calls it served in time */
  uint32_t wasted;   /* calls it served too late */
  uint32_t queue;    /* waiting at the end of the second */
} lab_second;

/* The curve of a run. */
typedef struct lab_curve {
  uint32_t count;
  lab_second *seconds;
  double recovered; /* seconds from the trigger's end until nearly all requests
                       succeed and go on to; < 0: never */
} lab_curve;

#define LAB_RECOVERED_SHARE 0.99

/* Fills in the defaults, and marks the service of the fleet (may be NULL):
 * 1000 calls a second, all but down for ten seconds. */
void lab_overload_init(lab_overload *overload, lab_fleet *fleet,
                       uint32_t service);

/* Runs it, on this thread alone, and fills `*counts` and `*curve`. */
void lab_overload_run(const lab_model *model, const lab_overload *overload,
                      lab_counts *counts, lab_curve *curve, lab_effort *effort);

/* Each service's timeout, as its callers set it; the caller owns the array. */
double *lab_overload_make_timeouts(const lab_overload *overload,
                                   const lab_fleet *fleet);

/* Makes an empty curve; finds out from a full one when it recovered. */
void lab_curve_init(lab_curve *curve, const lab_overload *overload);
void lab_curve_find_recovery(lab_curve *curve, const lab_overload *overload);

void lab_curve_clear(lab_curve *curve);

#endif /* EOWN_LAB_OVERLOAD_H */
