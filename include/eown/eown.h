/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_EOWN_H
#define EOWN_EOWN_H

/* Everything of the core; eown/grpc.h and eown/eown.hpp come on top. */
#include "eown/allocator.h"
#include "eown/budget.h"
#include "eown/claim.h"
#include "eown/context.h"
#include "eown/counters.h"
#include "eown/edge.h"
#include "eown/error.h"
#include "eown/memory.h"
#include "eown/memory_table.h"
#include "eown/outbound.h"
#include "eown/pins.h"
#include "eown/redis_address.h"
#include "eown/retry.h"
#include "eown/rules.h"
#include "eown/settings.h"
#include "eown/status.h"
#include "eown/version.h"

#endif /* EOWN_EOWN_H */
