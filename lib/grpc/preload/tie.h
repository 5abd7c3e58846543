/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_PRELOAD_TIE_H
#define EOWN_PRELOAD_TIE_H

#include "hooks.h"

/* Ties a service's outbound calls to its inbound ones where neither knows of
 * the other: by the thread, where the service waits for its calls.
 *
 * A server call whose batches end on a queue for plucking is served by
 * blocking: whoever starts a batch on it waits for that batch before doing
 * anything else. libgrpc++'s sync servers and ruby-grpc's servers are of this
 * kind. So:
 *
 *   A thread serves the inbound call on which it last started a batch, until it
 *   starts one on another inbound call, or the answer (the status) is given, by
 *   whichever thread. Client calls that it creates meanwhile are tied to that
 *   inbound call, unless they have a parent or a current context of their own.
 *
 * What this does not cover runs as if its context were lost, and is counted as
 * a context drop; it is never tied to another inbound call:
 *
 * - Callback servers and servers on queues for "next": a thread of theirs works
 *   for many calls in turn, and a batch does not say for which one it works
 *   next. Starting a batch on such a call unties the thread. Their outbound
 *   calls need FromServerContext or FromCallbackServerContext.
 * - Threads that a handler starts or hands work to.
 * - A handler that calls out before its first batch on the inbound call: in
 * Ruby one that takes a stream of requests and has read none.
 *
 * It is wrong where one thread runs several handlers in turns while they block:
 * coroutines or green threads over plucking, which neither binding has. For
 * these EOWN_TIE=0 turns it off. */
void eown_tie_bound(grpc_call *call, grpc_completion_queue *queue);
void eown_tie_started(grpc_call *call, const grpc_op *ops, size_t count);
bool eown_tie_enter(eown_context_scope *scope, grpc_call *parent);

/* Makes what the functions above need; false where it cannot be had, or is not
 * wanted. */
bool eown_tie_init(void);

#endif /* EOWN_PRELOAD_TIE_H */
