/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_LOAD_H
#define EOWN_LAB_LOAD_H

#include "lab/base/progress.h"

#include "eown/claim.h"
#include "eown/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Root requests to one node: plain gRPC, one attempt each. */
typedef struct lab_load {
  int port;
  const char *service; /* the node's name */
  const char *callee;  /* the only one it shall call; NULL: all */
  const char *tls;     /* a folder with ca.crt; NULL: plain text */
  bool stream;         /* call Stream instead of Call */
  uint64_t requests;
  size_t concurrency;
  unsigned timeout_s; /* of each request; 0: two minutes */
  lab_progress *progress;
} lab_load;

/* What the caller of the root saw. */
typedef struct lab_load_result {
  uint64_t statuses[EOWN_STATUS_N];
  uint64_t replies;
  double seconds;
  uint64_t claims[EOWN_CLAIM_N]; /* of all errors */
  eown_claim claim;              /* of the last error */
  bool has_detail; /* the last error came with a detail that could be read */
  eown_claim_detail detail;
} lab_load_result;

/* Sends the load from this thread and adds what came back to `*result`, except
 * for the time and the last error, which are replaced. Comes back early when
 * the lab is interrupted. gRPC must be initialised. */
void lab_load_run(const lab_load *load, lab_load_result *result);

/* Requests that ended with an error. */
uint64_t lab_load_errors(const lab_load_result *result);

#endif /* EOWN_LAB_LOAD_H */
