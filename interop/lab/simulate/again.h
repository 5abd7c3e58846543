/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_AGAIN_H
#define EOWN_LAB_AGAIN_H

#include "hop.h"

/* An attempt of the hop's outbound ended in an error with this claim. True:
 * gRPC's policy makes another one, or the application's loop another call, and
 * it is counted as begun. False: none is made, and `*covered` says whether a
 * policy or a loop covers the status (rule 2 c). */
bool lab_hop_once_more(lab_replica *replica, lab_hop *hop, eown_claim claim,
                       bool *covered);

#endif /* EOWN_LAB_AGAIN_H */
