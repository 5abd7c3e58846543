/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_MEMORY_H
#define EOWN_LAB_MEMORY_H

#include "hop.h"

/* What the replica's memory knows of an edge of `caller`; UNKNOWN where there
 * is none. */
eown_edge_kind lab_hop_edge_kind(const lab_replica *replica, uint32_t caller,
                                 uint32_t edge);

#endif /* EOWN_LAB_MEMORY_H */
