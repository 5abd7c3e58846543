/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_PRELOAD_GATE_H
#define EOWN_PRELOAD_GATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* gRPC's functions that the front stands before. The last is one of libgrpc's
 * own: its server calls it for each inbound call. */
#define EOWN_GATE_LIST(X)                                                      \
  X(init, "grpc_init")                                                         \
  X(start_batch, "grpc_call_start_batch")                                      \
  X(create_call, "grpc_channel_create_call")                                   \
  X(create_registered_call, "grpc_channel_create_registered_call")             \
  X(set_queue,                                                                 \
    "_Z30grpc_call_set_completion_queueP9grpc_callP21grpc_completion_queue")

typedef enum eown_function {
#define EOWN_GATE_ENUM(name, symbol) EOWN_FUNCTION_##name,
  EOWN_GATE_LIST(EOWN_GATE_ENUM)
#undef EOWN_GATE_ENUM
      EOWN_FUNCTION_N
} eown_function;

/* For one shared object (or the program): the gRPC that its calls mean. There
 * may be several in a process: libgrpc.so, and copies that plugins bring. */
typedef struct eown_gate {
  uintptr_t low, high;         /* where the object lies */
  void *real[EOWN_FUNCTION_N]; /* NULL: it has none of this name */
  _Atomic bool asked;          /* eown_attach has seen its gRPC */
} eown_gate;

/* Finds the gate of the object that holds `caller`, a return address. Never
 * NULL; valid for good. */
eown_gate *eown_gate_find(const void *caller);

/* The real function, or the end of the program where there is none: the caller
 * could not have been linked. */
void *eown_gate_real(const eown_gate *gate, eown_function function);

#endif /* EOWN_PRELOAD_GATE_H */
