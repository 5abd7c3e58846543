/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* The functions that the front puts before gRPC's own, under their names. */
#include "attach.h"
#include "gate.h"
#include "hooks.h"

#include <grpc/grpc.h>

#define CALLER __builtin_extract_return_addr(__builtin_return_address(0))

/* A function pointer from a data pointer, as POSIX has it for dlsym. */
#define REAL(gate, name, type)                                                 \
  type *real;                                                                  \
  *(void **)&real = eown_gate_real(gate, EOWN_FUNCTION_##name)

typedef void init_fn(void);
typedef grpc_call_error start_batch_fn(grpc_call *, const grpc_op *, size_t,
                                       void *, void *);
typedef grpc_call *create_call_fn(grpc_channel *, grpc_call *, uint32_t,
                                  grpc_completion_queue *, grpc_slice,
                                  const grpc_slice *, gpr_timespec, void *);
typedef grpc_call *create_registered_call_fn(grpc_channel *, grpc_call *,
                                             uint32_t, grpc_completion_queue *,
                                             void *, gpr_timespec, void *);
typedef void set_queue_fn(grpc_call *, grpc_completion_queue *);

/* Every program calls it before anything else of gRPC, C++ ones through
 * libgrpc++. */
void grpc_init(void) {
  eown_gate *gate = eown_gate_find(CALLER);
  eown_attach(gate);
  REAL(gate, init, init_fn);
  real();
}

grpc_call_error grpc_call_start_batch(grpc_call *call, const grpc_op *ops,
                                      size_t nops, void *tag, void *reserved) {
  const eown_gate *gate = eown_gate_find(CALLER);
  const eown_hooks *hooks = eown_attached(gate);
  if (hooks != NULL)
    hooks->started(call, ops, nops);
  REAL(gate, start_batch, start_batch_fn);
  return real(call, ops, nops, tag, reserved);
}

static bool enter(const eown_hooks *hooks, eown_context_scope *scope,
                  grpc_call *parent) {
  return hooks != NULL && hooks->enter(scope, parent);
}

grpc_call *grpc_channel_create_call(grpc_channel *channel, grpc_call *parent,
                                    uint32_t propagation,
                                    grpc_completion_queue *queue,
                                    grpc_slice method, const grpc_slice *host,
                                    gpr_timespec deadline, void *reserved) {
  const eown_gate *gate = eown_gate_find(CALLER);
  const eown_hooks *hooks = eown_attached(gate);
  REAL(gate, create_call, create_call_fn);
  eown_context_scope scope;
  bool entered = enter(hooks, &scope, parent);
  grpc_call *call = real(channel, parent, propagation, queue, method, host,
                         deadline, reserved);
  if (entered)
    hooks->leave(&scope);
  return call;
}

grpc_call *
grpc_channel_create_registered_call(grpc_channel *channel, grpc_call *parent,
                                    uint32_t propagation,
                                    grpc_completion_queue *queue, void *method,
                                    gpr_timespec deadline, void *reserved) {
  const eown_gate *gate = eown_gate_find(CALLER);
  const eown_hooks *hooks = eown_attached(gate);
  REAL(gate, create_registered_call, create_registered_call_fn);
  eown_context_scope scope;
  bool entered = enter(hooks, &scope, parent);
  grpc_call *call =
      real(channel, parent, propagation, queue, method, deadline, reserved);
  if (entered)
    hooks->leave(&scope);
  return call;
}

/* libgrpc's own, under its name in C++. */
void eown_set_queue(grpc_call *call, grpc_completion_queue *queue) __asm__(
    "_Z30grpc_call_set_completion_queueP9grpc_callP21grpc_completion_queue");

void eown_set_queue(grpc_call *call, grpc_completion_queue *queue) {
  const eown_gate *gate = eown_gate_find(CALLER);
  const eown_hooks *hooks = eown_attached(gate);
  if (hooks != NULL)
    hooks->bound(call, queue);
  REAL(gate, set_queue, set_queue_fn);
  real(call, queue);
}
