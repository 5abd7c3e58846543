/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_EDGE_H
#define EOWN_EDGE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An edge of the call graph: (inbound method here -> outbound method there),
 * both as gRPC paths. The names are borrowed and need no NUL. An inbound of
 * length 0 stands for work that has no inbound call. */
typedef struct eown_edge {
  const char *inbound;
  size_t inbound_length;
  const char *outbound;
  size_t outbound_length;
} eown_edge;

#ifdef __cplusplus
}
#endif

#endif /* EOWN_EDGE_H */
