/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_PRELOAD_HOOKS_H
#define EOWN_PRELOAD_HOOKS_H

#include "eown/context.h"

#include <grpc/grpc.h>
#include <stdbool.h>
#include <stddef.h>

/* Between the two halves of preloading. The front (libeown-preload.so) is in
 * every process and needs nothing but libc; the back (libeown-preload-grpc.so)
 * is loaded by the front where gRPC is, and needs it. */

/* What the back does as gRPC's functions are called; each is quick and cannot
 * fail. */
typedef struct eown_hooks {
  /* A server call got the queue on which its batches end. */
  void (*bound)(grpc_call *call, grpc_completion_queue *queue);
  /* A batch is about to start. */
  void (*started)(grpc_call *call, const grpc_op *ops, size_t count);
  /* A client call is about to be created: true where `scope` was entered, to be
   * left on this thread once the call is there. */
  bool (*enter)(eown_context_scope *scope, grpc_call *parent);
  void (*leave)(eown_context_scope *scope);
} eown_hooks;

/* The back's one symbol: puts the filters into gRPC. Returns the hooks, valid
 * for good, and in `message` the name of the mode; or NULL, and why not. */
const eown_hooks *eown_preload_start(char *message, size_t size);
typedef const eown_hooks *eown_preload_start_fn(char *message, size_t size);

#endif /* EOWN_PRELOAD_HOOKS_H */
