/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_OUTBOUND_H
#define EOWN_OUTBOUND_H

#include "eown/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An outbound call that eown's filters do not see, a query to a database for
 * example, taking part in the correlation. A value of the caller's; one thread
 * at a time. */
typedef struct eown_outbound {
  eown_context *context;
  uint32_t started;
} eown_outbound;

/* Begins an outbound for `context` (NULL: the thread's current one; where there
 * is none either, the outbound is a context drop and the rest does nothing).
 * Holds a reference until eown_outbound_end. */
void eown_outbound_begin(eown_outbound *outbound, eown_context *context);

/* Ends it: `name` (NUL-terminated, borrowed) names the dependency, `status`
 * says how it ended, `claim` what the dependency said of its error (MISSING
 * where it says nothing), `retried` whether it had its retry (rule 2 d). */
void eown_outbound_end(eown_outbound *outbound, const char *name,
                       eown_status status, eown_claim claim, bool retried);

#ifdef __cplusplus
}
#endif

#endif /* EOWN_OUTBOUND_H */
