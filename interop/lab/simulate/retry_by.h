/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_RETRY_BY_H
#define EOWN_LAB_RETRY_BY_H

#include <stdbool.h>

/* Who makes a caller's attempts: gRPC's retry policy, a loop of the application
 * around the call, or such a loop above such a policy, each of as many. */
typedef enum lab_retry_by {
  LAB_RETRY_BY_GRPC,
  LAB_RETRY_BY_APPLICATION,
  LAB_RETRY_BY_BOTH,
  LAB_RETRY_BY_N
} lab_retry_by;

/* "grpc", "application", "both", NULL. */
extern const char *const lab_retry_by_names[];

/* Whether gRPC's policy has a part in it, and whether a loop has. */
static inline bool lab_retry_by_policy(lab_retry_by by) {
  return by != LAB_RETRY_BY_APPLICATION;
}

static inline bool lab_retry_by_loop(lab_retry_by by) {
  return by != LAB_RETRY_BY_GRPC;
}

#endif /* EOWN_LAB_RETRY_BY_H */
