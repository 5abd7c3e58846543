/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_RULES_H
#define EOWN_RULES_H

#include "eown/claim.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The decisions of error ownership, as pure functions over tables. The filters,
 * the lab and the simulator all call these. Thread-safe, without state. */

/* Rule 1: may this attempt be retried? */
typedef enum eown_retry {
  EOWN_RETRY_OK,             /* the attempt succeeded: nothing to retry */
  EOWN_RETRY_ALLOWED,        /* gRPC's retry policy decides */
  EOWN_RETRY_STOP_UNCLAIMED, /* the callee passes on somebody else's error */
  EOWN_RETRY_STOP_BUDGET,    /* the retry budget is empty */
  EOWN_RETRY_STOP_CHAIN,     /* chain stop: this inbound is a retry itself */
  EOWN_RETRY_N
} eown_retry;

/* Decides rule 1. `budget_empty` is false where no budget is set, `chained` is
 * true where chain stop is on and the inbound is itself a retry. */
eown_retry eown_rule_retry(bool error, eown_claim claim, bool budget_empty,
                           bool chained);

/* Says whether `retry` is one of the stops. */
bool eown_retry_is_stop(eown_retry retry);

/* Returns the name of `retry` ("unclaimed"); static text. */
const char *eown_retry_name(eown_retry retry);

/* Rule 1 for the application's own retry loop, which repeats calls: why it goes
 * on or ends. In the order in which it is asked: the first that holds is the
 * answer. Source: PROTOCOL.md, the application's own retry loop. */
typedef enum eown_loop {
  EOWN_LOOP_OK,         /* the call ended well */
  EOWN_LOOP_CANCELLED,  /* it was cancelled, or its inbound was */
  EOWN_LOOP_STATUS,     /* a status that the loop does not retry */
  EOWN_LOOP_COMMITTED,  /* the application has a part of the answer */
  EOWN_LOOP_ATTEMPTS,   /* the loop has made its maximum of calls */
  EOWN_LOOP_DEADLINE,   /* no time is left after the wait */
  EOWN_LOOP_UNCLAIMED,  /* rule 1: as EOWN_RETRY_STOP_UNCLAIMED */
  EOWN_LOOP_BUDGET,     /* rule 1: as EOWN_RETRY_STOP_BUDGET */
  EOWN_LOOP_CHAIN,      /* rule 1: as EOWN_RETRY_STOP_CHAIN */
  EOWN_LOOP_MULTIPLIED, /* gRPC's attempts count: the maximum is used up */
  EOWN_LOOP_PUSHBACK,   /* the callee asks for no retry */
  EOWN_LOOP_RETRY,      /* the loop calls again */
  EOWN_LOOP_MISUSED,    /* asked after its end, or by two threads at once */
  EOWN_LOOP_N
} eown_loop;

/* What a loop knows when a call has ended. */
typedef struct eown_loop_view {
  bool ok;
  bool cancelled;
  bool listed; /* the loop retries this status */
  bool committed;
  bool calls_left;
  bool time_left;
  eown_claim claim;
  bool budget_empty;
  bool chained;       /* chain stop is on and the inbound is itself a retry */
  bool attempts_left; /* gRPC's own counted */
  bool refused;       /* by the callee's pushback */
} eown_loop_view;

/* Decides (never MISUSED) with ownership (`owns`) or without: then the four
 * reasons that are ownership's do not count. NULL is not allowed. */
eown_loop eown_rule_loop(const eown_loop_view *view, bool owns);

/* Says whether `loop` is one of ownership's four stops. */
bool eown_loop_is_stop(eown_loop loop);

/* Says whether an error that a loop ended with for this reason has had its
 * retry (rule 2 c): the loop covers its status, and something held it back. */
bool eown_loop_is_held_back(eown_loop loop);

/* Returns the name of `loop` ("unclaimed"); static text. */
const char *eown_loop_name(eown_loop loop);

/* How the method's retry policy relates to the status the call ended with. */
typedef enum eown_policy {
  EOWN_POLICY_NONE,       /* no retry policy for the method */
  EOWN_POLICY_NOT_LISTED, /* there is one, but it does not list the status */
  EOWN_POLICY_COVERS,     /* there is one, and it lists the status */
  EOWN_POLICY_N
} eown_policy;

/* Rule 2: are the retry criteria satisfied for a failed outbound call: has
 * somebody at or below this hop had the chance to retry this error? `retried`:
 * two or more attempts were made (transparent retries not counted), or the
 * application called again after a failure, and that failed too. `application`:
 * the application says so. */
bool eown_rule_criteria(eown_claim claim, bool retried, eown_policy policy,
                        bool application);

/* How the outbound call ended. */
typedef enum eown_callee {
  EOWN_CALLEE_OK,
  EOWN_CALLEE_MISSING,   /* failed, without a claim */
  EOWN_CALLEE_CLAIMED,   /* failed, and owns the error */
  EOWN_CALLEE_UNCLAIMED, /* failed, and passes the error on */
  EOWN_CALLEE_N
} eown_callee;

/* What the dependency memory knows of an edge. */
typedef enum eown_edge_kind {
  EOWN_EDGE_UNKNOWN,    /* not yet known: treated as fail-close */
  EOWN_EDGE_FAIL_CLOSE, /* its failure makes the inbound fail */
  EOWN_EDGE_FAIL_OPEN,  /* the service carries on without it */
  EOWN_EDGE_KIND_N
} eown_edge_kind;

/* One row of the decision matrix. */
typedef struct eown_decision {
  bool retry;         /* may the outbound be retried? (rule 1) */
  eown_claim claim;   /* what the inbound's error says (rule 3) */
  eown_reason reason; /* and why */
} eown_decision;

/* Looks up the decision matrix: one outbound that ended as `callee`, the
 * inbound failing or not, what memory knows of the edge, and rule 2. */
eown_decision eown_rule_matrix(eown_callee callee, bool inbound_failed,
                               eown_edge_kind edge, bool criteria);

/* Rule 3 for several outbounds: the higher-ranking reason speaks. */
eown_reason eown_rule_strongest(eown_reason a, eown_reason b);

/* The claim that goes with a reason; MISSING for NONE, and for APPLICATION
 * (where the application chose). */
eown_claim eown_rule_claim(eown_reason reason);

/* Whether an error that leaves with `claim` takes a pushback along that stops
 * standard clients: unclaimed ones do, where the mode is to enforce and the
 * setting `eown.send_pushback` is on. */
bool eown_rule_pushback(eown_claim claim, bool enforces, bool sends_pushback);

#ifdef __cplusplus
}
#endif

#endif /* EOWN_RULES_H */
