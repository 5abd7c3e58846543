/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_PRELOAD_ATTACH_H
#define EOWN_PRELOAD_ATTACH_H

#include "gate.h"
#include "hooks.h"

/* Before a gRPC is initialised: decides, once for each in the process, whether
 * the filters go into it, puts them there, and says so. Thread-safe. */
void eown_attach(eown_gate *gate);

/* Returns the hooks where the gate's gRPC has the filters, else NULL. */
const eown_hooks *eown_attached(const eown_gate *gate);

#endif /* EOWN_PRELOAD_ATTACH_H */
