/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_RULES_H
#define EOWN_LAB_RULES_H

#include "eown/rules.h"

#include <stdbool.h>

/* What gRPC's own retry policy knows of an attempt that ended in an error. */
typedef struct lab_grpc_retry {
  bool covers;       /* a policy lists the status */
  bool throttled;    /* the channel's retryThrottling bucket is half empty */
  bool pushback;     /* a negative grpc-retry-pushback-ms came with the error */
  unsigned attempts; /* made so far */
  unsigned limit;    /* of the policy; gRPC allows 5 at most */
} lab_grpc_retry;

/* What an application's retry loop knows when a call of it ended in an error.
 * Here nobody cancels, has a part of an answer or runs out of time. */
typedef struct lab_loop_retry {
  bool covers;       /* the loop retries the status */
  unsigned calls;    /* made so far */
  unsigned attempts; /* that they took, gRPC's own among them */
  unsigned limit;    /* of the calls, and of the attempts */
  eown_claim claim;  /* received with the error */
  bool budget_empty;
  bool chained;
  bool pushback; /* a negative grpc-retry-pushback-ms came with the error */
} lab_loop_retry;

/* Every decision that the explorer and the simulator take: the core's own
 * functions, and gRPC's retry policy as the lab models it. Tests put broken
 * ones in their place. */
typedef struct lab_rules {
  eown_retry (*retry)(bool error, eown_claim claim, bool budget_empty,
                      bool chained);
  eown_loop (*loop)(const eown_loop_view *view, bool owns);
  bool (*criteria)(eown_claim claim, bool retried, eown_policy policy,
                   bool application);
  eown_decision (*matrix)(eown_callee callee, bool inbound_failed,
                          eown_edge_kind edge, bool criteria);
  eown_reason (*strongest)(eown_reason a, eown_reason b);
  eown_claim (*claim)(eown_reason reason);
  bool (*grpc)(const lab_grpc_retry *retry);
} lab_rules;

/* The rules as they are. */
extern const lab_rules lab_rules_core;

/* gRPC's retry filter, in its order: status, throttle, attempts, pushback.
 * Nothing is ever committed here: no callee sends a message before it fails. */
bool lab_grpc_would_retry(const lab_grpc_retry *retry);

/* The same as the core's rule for loops takes it. */
eown_loop_view lab_loop_view(const lab_loop_retry *retry);

/* A loop written by hand, without eown: it looks at status and count alone. */
bool lab_hand_would_retry(const lab_loop_retry *retry);

/* A failed outbound call, as rules 2 and 3 take it. */
typedef struct lab_failed_outbound {
  eown_claim claim; /* received with the last error */
  unsigned attempts;
  bool covered; /* a retry policy or a loop covers the status */
  eown_edge_kind edge;
} lab_failed_outbound;

/* What the failed outbound makes the inbound say: rules 2 and 3. */
eown_reason lab_rules_reason(const lab_rules *rules,
                             const lab_failed_outbound *outbound);

#endif /* EOWN_LAB_RULES_H */
