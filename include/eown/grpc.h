/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_GRPC_H
#define EOWN_GRPC_H

#include "eown/context.h"
#include "eown/error.h"
#include "eown/memory_table.h"
#include "eown/retry.h"

#ifdef __cplusplus
extern "C" {
#endif

struct grpc_call;

/* Registers eown's filters with gRPC C-core. Call it once, before the first
 * channel or server exists (before or after grpc_init). From then on every
 * channel and server that carries the argument `eown.mode` has the filters;
 * with the environment variable EOWN_MODE set, every one has.
 *
 * Returns OK (also when called again); TOO_LATE when gRPC's configuration is
 * already built, VERSION when the gRPC library loaded is not the one built
 * against, NO_MEMORY. After an error nothing has changed and gRPC runs as
 * without eown. Not to be called on two threads at once. */
eown_error eown_grpc_init(void);

/* Returns the version of gRPC this library was built against; static text. */
const char *eown_grpc_version(void);

/* Returns the inbound context of a server call, borrowed as long as the call
 * lives (take a reference with eown_context_ref to keep it), or NULL where the
 * server has no filter, the mode is off or the pool was empty. NULL is allowed.
 * Thread-safe. */
eown_context *eown_context_from_call(struct grpc_call *call);

/* Ties one outbound (client) call to `context`, whatever its parent or the
 * thread says. NULL unties a call that they had tied: on purpose, so it does
 * not count as a context drop. Call it between creating the call and its first
 * batch. Returns NOT_TIED where the channel has no eown filter. */
eown_error eown_context_attach(eown_context *context, struct grpc_call *call);

/* The next call of the application's retry loop (eown/retry.h) is `call`, just
 * created: ties it to the loop's inbound and marks it where it is a retry. In
 * place of eown_retry_begin. Returns whether the application has to put the
 * retry mark into the request itself: where the channel has no eown filter.
 * Call it between creating the call and its first batch. */
bool eown_grpc_retry_begin(eown_retry_loop *loop, struct grpc_call *call);

/* The call has ended with `end->status`: fills in what the filters know of it,
 * the callee's pushback among it, and asks eown_retry_again. The trailing
 * metadata need be fed only where the channel may have no eown filter. `random`
 * are 32 random bits. Call it once the call's status has come. */
eown_retry_answer eown_grpc_retry_again(eown_retry_loop *loop,
                                        struct grpc_call *call,
                                        eown_retry_end *end, uint32_t random);

/* The first half of it: fills in what the filters know; where the channel has
 * no eown filter, nothing (`end->seen` stays false). What `end` gets lives as
 * long as the call and the channel. */
void eown_grpc_retry_read(struct grpc_call *call, eown_retry_end *end);

/* Calls `visit` for each dependency memory of this process, in no order: the
 * name of its service ("" where it has none), its table and the time by the
 * table's clock, as eown_memory_each and eown_memory_json (eown/memory_json.h)
 * take them. Both live as long as the process. A server's memory is there from
 * its first connection on; servers of one name and the same memory settings
 * have one in common. No lock is held during the visit. Thread-safe. */
void eown_grpc_memory_each(void (*visit)(void *user, const char *service,
                                         eown_memory_table *table,
                                         uint64_t now_ms),
                           void *user);

#ifdef __cplusplus
}
#endif

#endif /* EOWN_GRPC_H */
