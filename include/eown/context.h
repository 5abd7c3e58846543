/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_CONTEXT_H
#define EOWN_CONTEXT_H

#include "eown/claim.h"
#include "eown/memory.h"
#include "eown/rules.h"
#include "eown/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The inbound context: what one inbound call knows of the outbound calls made
 * for it. Counted references; every function is safe under many threads.
 *
 * Contexts come from one process-wide pool of EOWN_CONTEXTS_MAX places that the
 * operating system backs as they are touched, so taking one allocates nothing
 * and locks nothing. */
typedef struct eown_context eown_context;

/* How many inbound calls can have a context at the same time. Those beyond run
 * as under plain gRPC and are counted (context_limit). */
#define EOWN_CONTEXTS_MAX 65536

/* Failed edges a context keeps apart. Further ones are kept as a summary that
 * no later success clears, in which a failure after another counts as its
 * retry, and which only pins where the call was made can make fail-open: so the
 * error may go unretried by the caller, but never multiplies. */
#define EOWN_CONTEXT_EDGES 8

/* Bytes of a gRPC path that are kept, for the inbound and for each outbound;
 * longer ones are told apart by their hash but named by their beginning. */
#define EOWN_METHOD_MAX 127

/* Makes the pool. Called by eown_grpc_init; calling it again does nothing.
 * Returns false when the address space for it cannot be had; then no context
 * can be taken and everything runs as plain gRPC. */
bool eown_context_pool_init(void);

/* Takes a context from the pool with one reference for the caller. Returns NULL
 * when the pool is empty or was never made. */
eown_context *eown_context_acquire(void);

/* Adds a reference. NULL is allowed and returned. */
eown_context *eown_context_ref(eown_context *context);

/* Adds a reference where there is one at all, and returns `context`; else NULL.
 * For a pointer that may have outlived its inbound call: at worst it finds the
 * call that has the place now. */
eown_context *eown_context_try_ref(eown_context *context);

/* Gives a reference back; the last one returns the context to the pool. NULL is
 * allowed. */
void eown_context_unref(eown_context *context);

/* Says whether `pointer` is a context: used to tell our own value from another
 * library's in a slot that gRPC shares. Reads nothing behind the pointer. */
bool eown_context_is_context(const void *pointer);

/* Sets the inbound's method, a gRPC path of `length` bytes (copied, cut to
 * EOWN_METHOD_MAX). Call it before the context is shared with other threads. */
void eown_context_set_method(eown_context *context, const char *path,
                             size_t length);

/* Returns the inbound's method, NUL-terminated, valid as long as the caller's
 * reference. */
const char *eown_context_method(const eown_context *context);

/* Marks this inbound as itself a retry, and asks for the mark (rule 6). */
void eown_context_mark_retry(eown_context *context);
bool eown_context_is_retry(const eown_context *context);

/* Marks for a binding that ties by thread: the inbound is served by threads
 * that wait for its batches one by one, and: its answer has been given. The
 * library itself neither sets nor reads them. Thread-safe. */
void eown_context_mark_blocking(eown_context *context);
bool eown_context_is_blocking(const eown_context *context);
void eown_context_mark_answered(eown_context *context);
bool eown_context_is_answered(const eown_context *context);

/* The application's own word on the error this inbound is about to end with
 * (rule 3): CLAIMED or UNCLAIMED; MISSING takes it back. It wins over
 * everything that was correlated. NULL context: nothing happens. */
void eown_context_set_claim(eown_context *context, eown_claim claim);

/* The application says that what failed so far for this inbound has had its
 * retry (rule 2 d), for example because it retried by means of its own. NULL
 * context: nothing happens. */
void eown_context_set_retried(eown_context *context);

/* The thread's current context: a stack of scopes that the application (or a
 * binding) enters and leaves in order on one thread. Outbound calls started
 * inside are tied to the context. */
typedef struct eown_context_scope {
  eown_context *previous;
  eown_context *entered;
} eown_context_scope;

/* Makes `context` (NULL: none) the thread's current one. `scope` must live
 * until eown_context_leave on the same thread; the scope holds a reference. */
void eown_context_enter(eown_context_scope *scope, eown_context *context);
void eown_context_leave(eown_context_scope *scope);

/* Returns the thread's current context, borrowed from the innermost scope, or
 * NULL. */
eown_context *eown_context_current(void);

/* The moment an outbound call starts, in the context's own order of events: a
 * later success clears only failures from before its start. */
uint32_t eown_context_now(const eown_context *context);

/* How an outbound call ended, for eown_context_record. */
typedef struct eown_outcome {
  const char *method; /* gRPC path or any name of a dependency; borrowed */
  size_t method_length;
  uint32_t started;    /* eown_context_now at its start */
  eown_status status;  /* OK too */
  eown_claim claim;    /* received with the error */
  eown_policy policy;  /* of the method, for this status */
  uint32_t attempts;   /* made, without transparent retries; 0: none was seen */
  bool reached;        /* an attempt reached a callee */
  bool retried;        /* the application says so (rule 2 d) */
  eown_edge_kind edge; /* pinned where the call was made; else UNKNOWN */
  const eown_claim_detail *detail; /* received; NULL: none. Borrowed. It
                                      counts only with a claim */
  /* Instead of `detail`, as it was received: read (eown_claim_detail_decode)
   * only where the inbound passes the error on, and counted there where it does
   * not parse (malformed_detail). Borrowed; longer than EOWN_CLAIM_DETAIL_MAX
   * does not parse. */
  const uint8_t *detail_bytes;
  size_t detail_length;
} eown_outcome;

/* Records the end of an outbound call. A success costs one load where nothing
 * failed before; anything else takes a lock of this context. */
void eown_context_record(eown_context *context, const eown_outcome *outcome);

/* Says whether a call now started on `method` repeats one that failed: the
 * application's own retry. One load where nothing failed before. */
bool eown_context_would_repeat(eown_context *context, const char *method,
                               size_t length);

/* A loop of the application's ended with `status`, a failure of `method`
 * (`length` bytes, borrowed): it took `attempts` attempts in all its calls, and
 * the failure has had its retry where the loop says so (`held_back`,
 * eown_loop_is_held_back). Where this method did not fail last, nothing
 * happens. */
void eown_context_note_loop(eown_context *context, const char *method,
                            size_t length, eown_status status,
                            uint32_t attempts, bool held_back);

/* What the deciding side knows. */
typedef struct eown_context_view {
  eown_status_set faults;    /* statuses that count as failures */
  bool own_unreachable;      /* option `eown.own_unreachable` */
  const char *service_name;  /* owner's name; NULL or "": from the method */
  const char *pins;          /* text that passed eown_pins_check, or NULL */
  const eown_memory *memory; /* NULL: everything is unknown */
  uint64_t now_ms;           /* for the memory */
} eown_context_view;

/* Rule 3: what the inbound that ends with `status` says of its own error. OK:
 * nothing ({false, MISSING, NONE}). Fills `*detail` (not NULL) for errors. Also
 * tells the memory, so call it once, when the inbound ends. */
eown_decision eown_context_decide(eown_context *context, eown_status status,
                                  const eown_context_view *view,
                                  eown_claim_detail *detail);

#ifdef __cplusplus
}
#endif

#endif /* EOWN_CONTEXT_H */
