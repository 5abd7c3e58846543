/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef NODE_SERVER_H
#define NODE_SERVER_H

#include "node.h"

/* Starts serving; false, with a message on standard error, where it cannot. */
bool server_start(node *node, const eown_interop_tls *tls);

/* Takes no more calls, gives those under way two seconds, cancels the rest and
 * waits for all of them to end. */
void server_stop(node *node);

#endif /* NODE_SERVER_H */
