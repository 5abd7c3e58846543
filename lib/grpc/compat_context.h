// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#ifndef EOWN_GRPC_COMPAT_CONTEXT_H
#define EOWN_GRPC_COMPAT_CONTEXT_H

// What gRPC's versions differ in about a call's context: where the filters put
// what they look for later, and where they find gRPC's own.
#include "compat.h"

#if EOWN_GRPC_SINCE(65)

namespace eown {

// The type of our slot in the arena that every call has. What is in it belongs
// to the filters.
struct Slot;
using CallContext = grpc_core::Arena;

} // namespace eown

template <>
struct grpc_core::ArenaContextType<eown::Slot> {
  static void Destroy(eown::Slot *) {}
};

namespace eown {

inline CallContext *ContextOf(const grpc_call_element_args &args) {
  return args.arena;
}

// What the parent call handed on, or null. It may be another library's.
inline void *ParentIn(CallContext *context) {
  return context->GetContext<census_context>();
}

// The client call that PutCall put there; null where there is none.
inline void *CallIn(CallContext *context) {
  return context->GetContext<Slot>();
}

inline void PutCall(CallContext *context, void *call) {
  context->SetContext<Slot>(reinterpret_cast<Slot *>(call));
}

// The one slot is for looking the context up, the other is what gRPC hands on
// to calls made with this one as their parent, which stays another's where it
// is taken.
inline void PutInbound(CallContext *context, void *inbound) {
  context->SetContext<Slot>(reinterpret_cast<Slot *>(inbound));
  if (ParentIn(context) == nullptr)
    context->SetContext<census_context>(
        reinterpret_cast<census_context *>(inbound));
}

// Arenas that are older than our slot have no room for it: where eown was not
// registered in time, FindIn must not be called.
constexpr bool kSlotNeedsInit = true;
// What PutCall or PutInbound put there.
inline void *FindIn(grpc_call *call) {
  return grpc_call_get_arena(call)->GetContext<Slot>();
}

inline const grpc_core::ServiceConfigCallData *
ServiceConfigIn(CallContext *context) {
  return context->GetContext<grpc_core::ServiceConfigCallData>();
}

// gRPC numbers the slots, this library's last, with a counter that is defined
// in both and that they have in common (see eown-grpc.map), but for a libgrpc
// that keeps its symbols to itself. It has eight slots at least; the headers
// alone name fewer.
inline bool HasSlot() {
  return grpc_core::arena_detail::ArenaContextTraits<Slot>::id() >= 8;
}

#else // until 1.64: an array of slots

namespace eown {

using CallContext = grpc_call_context_element;

// Marks the slot in the context array as ours.
inline void Ours(void *) {}

inline CallContext *ContextOf(const grpc_call_element_args &args) {
  return args.context;
}

inline void *ParentIn(const CallContext *context) {
  return context[GRPC_CONTEXT_TRACING].value;
}

inline void *CallIn(const CallContext *context) {
  const grpc_call_context_element &slot = context[GRPC_CONTEXT_TRAFFIC];
  return slot.destroy == Ours ? slot.value : nullptr;
}

inline void PutCall(CallContext *context, void *call) {
  grpc_call_context_element &slot = context[GRPC_CONTEXT_TRAFFIC];
  if (ABSL_PREDICT_TRUE(slot.value == nullptr))
    slot = {call, Ours};
}

// Both slots stay another's where they are taken.
inline void PutInbound(CallContext *context, void *inbound) {
  for (int slot : {GRPC_CONTEXT_TRAFFIC, GRPC_CONTEXT_TRACING}) {
    if (ABSL_PREDICT_TRUE(context[slot].value == nullptr))
      context[slot].value = inbound;
  }
}

constexpr bool kSlotNeedsInit = false;
inline void *FindIn(grpc_call *call) {
  return grpc_call_context_get(call, GRPC_CONTEXT_TRAFFIC);
}

inline const grpc_core::ServiceConfigCallData *
ServiceConfigIn(const CallContext *context) {
  return static_cast<grpc_core::ServiceConfigCallData *>(
      context[GRPC_CONTEXT_SERVICE_CONFIG_CALL_DATA].value);
}

inline bool HasSlot() { return true; }

#endif

// The method's path is known to a call from its start until 1.71; later it
// comes with the metadata.
constexpr bool kPathComesLate = EOWN_GRPC_SINCE(72);
inline grpc_slice PathOf(const grpc_call_element_args &args) {
#if EOWN_GRPC_SINCE(72)
  (void)args;
  return grpc_empty_slice();
#else
  return grpc_core::CSliceRef(args.path);
#endif
}

} // namespace eown

#endif // EOWN_GRPC_COMPAT_CONTEXT_H
