/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_MEMORY_TABLE_H
#define EOWN_MEMORY_TABLE_H

#include "eown/allocator.h"
#include "eown/memory.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The dependency memory that learns (rule 4): for each edge, whether the
 * inbound fails because the outbound did.
 *
 * What is asked. Let q be the rate at which the inbound fails while the edge
 * does not, and p the rate at which it fails when the edge did. The edge's
 * power is (p - q) / (1 - q): the share of its failures that make the inbound
 * fail (Cheng, "From covariation to causation", 1997). A fail-close edge has a
 * power of 1, a fail-open one of 0. Power, not p, is what matters: where an
 * edge of power c is taken for fail-open, a share c of its failures is claimed
 * and so retried once too often, whatever else fails.
 *
 * How it is decided. By Wald's sequential probability ratio test between power
 * 0 and power EOWN_MEMORY_POWER, on the inbounds in which the edge failed last.
 * The test is the one that needs the fewest observations for its error rates:
 * an edge of that power or more is called fail-open with a probability of at
 * most e^-11.5 = 1e-5, one of power 0 is called fail-close with at most
 * e^-6.9 = 1e-3. Calling a fail-close edge fail-open feeds a storm, the other
 * mistake costs a retry: so the first is the rarer by far. Moreover an inbound
 * that failed never speaks for fail-open, so an edge that always takes its
 * inbound along can never be called so, however long it fails.
 *
 * The score is kept between the two thresholds (as in Page's CUSUM test), so
 * that a changed edge is found after a fixed number of observations, not after
 * as many as there were before. Hysteresis: a verdict is taken back when the
 * score has lost three quarters of its threshold.
 *
 * The base rate q is that of the same inbound method, over about the last
 * EOWN_MEMORY_WINDOW inbounds in which the edge did not fail; inbounds that
 * end well count by a sample. Until there are enough of them it is drawn
 * towards EOWN_MEMORY_PRIOR_RATE, and it is never taken to be below
 * EOWN_MEMORY_FLOOR_RATE, so that one coincidence decides nothing.
 *
 * Explaining away. An inbound that failed while another edge, known as
 * fail-close (learned or pinned), had failed too is explained: it says nothing
 * of this edge, and is left out of the base rate. Edges that always fail
 * together cannot be told apart: all are called fail-close when one of them is,
 * until one fails alone.
 *
 * Time. Everything learned halves in a half-life (default a day); with no
 * failure of the edge for two half-lives its verdict is forgotten.
 *
 * Error rates, by simulation with fixed seeds (tests/memory asserts them).
 * Observations are failures of the edge; own: the inbound's own error rate.
 *
 *
 *   edge fails at     fail-open edge: failures    fail-close edge: failures
 *     (own errors)    until it is known           until it is known
 *                     median   95 % of runs       median   95 % of runs
 *   0.1 %  (none)       40         40                3          4
 *   0.1 %  (1 %)        54         90                4          4
 *   0.1 %  (10 %)       95        230                6          7
 *   1 %    (none)       40         40                4          5
 *   1 %    (1 %)        41         66                4          5
 *   1 %    (10 %)       80        165                6          8
 *   10 %   (none)       40         40                5          6
 *   10 %   (1 %)        41         66                5          7
 *   10 %   (10 %)       80        165                7         10
 *
 *   fail-close called fail-open: in none of the runs of any line, nor an
 *     edge of power 0.25 or 0.5, in 200 runs of 400 failures each; an edge of
 *     power 0.1 may be called either
 *   fail-open called fail-close: in at most 1 % of the runs, and for at most
 *     0.1 % of the failures; without a verdict again, once it had one: at most
 *     0.5 %. With own errors of 30 % and an edge that fails half of the time it
 *     is called so in a third of the runs at first: a retry lost, no storm
 *   two that always fail together, one of them fail-close: both fail-close;
 *     none of them fail-close: both fail-open, as for one alone
 *   a deploy, after 1,000 failures, own errors 10 %: to fail-close in 17 (95 %:
 *     20) failures, and treated so after 8; to fail-open in 125 (210)
 */

/* The least power that counts as fail-close. */
#define EOWN_MEMORY_POWER 0.25
/* Thresholds of the score: ln 1e5 and ln 1e3. */
#define EOWN_MEMORY_OPEN_SCORE 11.5
#define EOWN_MEMORY_CLOSE_SCORE 6.9
/* The part of its threshold at which a verdict is taken back. */
#define EOWN_MEMORY_HYSTERESIS 0.25
/* Of the base rate. */
#define EOWN_MEMORY_WINDOW 2048.0
#define EOWN_MEMORY_PRIOR_RATE 0.1
#define EOWN_MEMORY_PRIOR_INBOUNDS 30.0
#define EOWN_MEMORY_FLOOR_RATE 0.01
/* One in so many inbounds that ended well is counted, as so many. */
#define EOWN_MEMORY_SAMPLE 8u

#define EOWN_MEMORY_EDGES_DEFAULT 4096u
#define EOWN_MEMORY_EDGES_MAX 1048576u
#define EOWN_MEMORY_HALF_LIFE_DEFAULT_MS 86400000u

/* A table of edges in fixed space: about 350 bytes for each edge and each
 * inbound method, which the operating system backs as they are used. When it is
 * full the least recently failed edge goes: of those that share one of 16 locks
 * with the new one, which are those of its inbound and of a sixteenth of the
 * other inbounds. Edges enter when they fail for the first time, so neither
 * traffic nor invented inbound names take room.
 *
 * All functions are safe under many threads. The error path takes one lock of
 * the 16 (by inbound), for a few hundred nanoseconds, and allocates nothing. */
typedef struct eown_memory_table eown_memory_table;

/* Makes a table for `edges` edges (1 to EOWN_MEMORY_EDGES_MAX) that forgets by
 * `half_life_ms` (not 0). `allocator` (NULL: malloc) must outlive it. Returns
 * NULL when out of memory. */
eown_memory_table *eown_memory_table_create(uint32_t edges,
                                            uint64_t half_life_ms,
                                            const eown_allocator *allocator);

/* Frees it; NULL is allowed. Nobody may use it or its view any more. */
void eown_memory_table_destroy(eown_memory_table *table);

/* Returns the table as the inbound context sees it, valid as long as the table.
 * Its time is any clock in milliseconds that does not go back. */
eown_memory eown_memory_table_view(eown_memory_table *table);

/* For an inbound that ended well and had no failed outbound: says whether it is
 * in the sample of one in EOWN_MEMORY_SAMPLE. A table that knows no edge, and
 * NULL, want none, for nothing would be counted. Costs a few instructions on a
 * number of the thread's own; the sample is pseudo-random, so that traffic of a
 * regular pattern does not slip through it. */
bool eown_memory_sample(const eown_memory_table *table);

/* Counts an inbound that was in the sample. Takes no lock that is not free: it
 * rather leaves the inbound out. `inbound` of `length` bytes is borrowed. */
void eown_memory_table_served(eown_memory_table *table, const char *inbound,
                              size_t length, uint64_t now_ms);

/* What is known of one edge. Counts are decayed to the time asked for. */
typedef struct eown_memory_entry {
  eown_edge edge;        /* valid during the call */
  eown_edge_kind kind;   /* learned */
  eown_edge_kind pinned; /* as last seen where it failed; UNKNOWN: not */
  double failures;       /* of the edge */
  double together;       /* of these, with a failure of the inbound */
  double score;          /* of the test; below 0: for fail-open */
  double confidence;     /* 0.5 to 1 */
  double base_rate;      /* q */
  uint64_t age_ms;       /* since the edge failed last */
  /* Recent inbounds that no other edge explains, and those that failed: all,
   * and those in which this edge failed. */
  double inbounds, inbounds_failed;
  double shared, shared_failed;
} eown_memory_entry;

typedef void eown_memory_visit(void *user, const eown_memory_entry *entry);

/* Calls `visit` for each edge, in no order, without any lock held. Edges that
 * come or go meanwhile may be missed. */
void eown_memory_each(eown_memory_table *table, uint64_t now_ms,
                      eown_memory_visit *visit, void *user);

/* Adds what an earlier table knew of an edge `ago_ms` before `now_ms`; all
 * members but `confidence` and `base_rate` are read. */
void eown_memory_restore(eown_memory_table *table,
                         const eown_memory_entry *entry, uint64_t ago_ms,
                         uint64_t now_ms);

/* Evidence as plain counts, to be summed up over the replicas of a service. */
typedef struct eown_memory_counts {
  eown_edge edge;    /* outbound_length 0: the inbound itself */
  uint64_t count;    /* failures of the edge; inbounds of the inbound */
  uint64_t together; /* of these, with a failure of the inbound */
} eown_memory_counts;

/* Calls `visit` with what was observed here (not restored or merged) since the
 * last call of this function, without any lock held. One thread at a time. */
void eown_memory_drain(eown_memory_table *table,
                       void (*visit)(void *user,
                                     const eown_memory_counts *counts),
                       void *user);

/* Learns from what others observed of one inbound: its own counts, and `edges`
 * of its edges (their `edge.inbound` is not read). Without edges, counts of an
 * inbound that is not known here are left out. */
void eown_memory_merge(eown_memory_table *table,
                       const eown_memory_counts *inbound,
                       const eown_memory_counts *edges, size_t edge_count,
                       uint64_t now_ms);

#ifdef __cplusplus
}
#endif

#endif /* EOWN_MEMORY_TABLE_H */
