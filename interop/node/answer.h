/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef NODE_ANSWER_H
#define NODE_ANSWER_H

#include "inbound.h"

/* Answers with an error of the node's own making; `text` is borrowed until
 * the inbound ends. */
void answer_error(inbound *inbound, grpc_status_code status, const char *text);

/* Answers a call whose callees were called: by what they and the dice say. */
void answer_call(inbound *inbound);

/* Answers with the counts, and resets them if asked. */
void answer_stats(inbound *inbound, bool reset);

#endif /* NODE_ANSWER_H */
