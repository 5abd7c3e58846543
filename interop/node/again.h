/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef NODE_AGAIN_H
#define NODE_AGAIN_H

#include "outbound.h"

/* The node's own retry loop (--retry-by application or both): eown's, or under
 * stock gRPC one as people write them, which looks at the status and the number
 * of calls alone. Where there is none, nothing of this does anything. */

/* Before the first call. */
void again_init(outbound *outbound);

/* The call is created, its first batch not started. */
void again_begin(outbound *outbound);

/* The call is over: says whether it is to be made again, and after how long. */
bool again_wanted(outbound *outbound, uint64_t *wait_ms);

void again_clear(outbound *outbound);

#endif /* NODE_AGAIN_H */
