/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_HOT_H
#define EOWN_HOT_H

/* What every call does, to be compiled in place by the core and by the filters:
 * there, calling a function of another library would cost more than most of
 * these do. The public functions of the same names (eown_count and so on) are
 * these ones out of line. C and C++, so the compiler's own atomics.
 *
 * Libraries that use it must be built together with the core. */
#include "eown/context.h"
#include "eown/counters.h"
#include "eown/memory_table.h"
#include "eown/settings.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The few bytes per thread that every call reads: at a fixed distance from the
 * thread's pointer, so that no call of __tls_get_addr is needed. A library
 * loaded later (dlopen) finds room in the surplus that libc keeps for this. */
#define EOWN__THREAD_LOCAL __thread __attribute__((tls_model("initial-exec")))

/* For what is seldom, so that what is not needs no stack frame for it. */
#define EOWN__NOINLINE __attribute__((noinline, cold))

typedef struct eown__hot_own {
  uint64_t *counts;      /* a stripe of the counters; first the common one */
  eown_context *current; /* of the innermost scope */
  eown_context *spare;   /* the first of the free ones; see spare.h */
  uint32_t room;         /* for so many more of them */
  bool asked;            /* libc, to say when the thread ends */
} eown__hot_own;
extern EOWN__THREAD_LOCAL eown__hot_own eown__hot_thread;

/* EOWN_MODE_N: none. Atomic. */
extern int eown__hot_mode_override;

static inline eown_mode eown__hot_mode(eown_mode own) {
  int mode = __atomic_load_n(&eown__hot_mode_override, __ATOMIC_RELAXED);
  return mode == EOWN_MODE_N ? own : (eown_mode)mode;
}

/* Gives the thread a stripe of its own where it has none; eown_count does, and
 * the first context that the thread gives back. */
void eown__hot_choose_counts(void);

static inline void eown__hot_count(eown_counter counter) {
  __atomic_fetch_add(&eown__hot_thread.counts[counter], 1, __ATOMIC_RELAXED);
}

/* How a context starts. What only failures touch comes behind it. Atomic, but
 * for the method. */
typedef struct eown__hot_context {
  uint32_t link; /* the pool's, while the place is free */
  uint32_t references;
  union {
    struct {
      uint32_t sequence; /* failures so far; 0: nothing to lock for */
      uint8_t claim;     /* the application's, MISSING: it has none */
      uint8_t marks;     /* what is known of the inbound itself */
    } state;
    uint64_t any;       /* 0: nothing of all that */
    eown_context *next; /* of a thread's spare ones */
  };
  uint16_t method_length;
  char method[EOWN_METHOD_MAX + 1];
} eown__hot_context;

enum { EOWN__MARK_RETRY = 1, EOWN__MARK_BLOCKING = 2, EOWN__MARK_ANSWERED = 4 };

/* From the context itself, in C and in C++. */
static inline eown__hot_context *eown__hot_of(const eown_context *context) {
  return (eown__hot_context *)(uintptr_t)context;
}

static inline void eown__hot_ref(eown_context *context) {
  __atomic_fetch_add(&eown__hot_of(context)->references, 1, __ATOMIC_RELAXED);
}

/* Whether nothing failed, and nothing is known of the inbound. */
static inline bool eown__hot_is_plain(const eown_context *context) {
  return __atomic_load_n(&eown__hot_of(context)->any, __ATOMIC_ACQUIRE) == 0;
}

/* Gives a reference back and says whether it was the last: then eown__hot_end
 * comes next. */
static inline bool eown__hot_unref(eown_context *context) {
  return __atomic_sub_fetch(&eown__hot_of(context)->references, 1,
                            __ATOMIC_ACQ_REL) == 0;
}
void eown__hot_end(eown_context *context);

/* A free context becomes one with one reference. It has no edges: they are left
 * behind where it ends. */
static inline eown_context *eown__hot_begin(eown_context *context) {
  eown__hot_context *hot = eown__hot_of(context);
  hot->any = 0;
  hot->method_length = 0;
  hot->method[0] = '\0';
  /* Last, for eown_context_try_ref. */
  __atomic_store_n(&hot->references, 1, __ATOMIC_RELEASE);
  return context;
}

static inline void eown__hot_set_method(eown_context *context, const char *path,
                                        size_t length) {
  eown__hot_context *hot = eown__hot_of(context);
  size_t kept = length < EOWN_METHOD_MAX ? length : EOWN_METHOD_MAX;
  if (kept >= 16 && kept <= 32) { /* as most are: two halves that overlap */
    memcpy(hot->method, path, 16);
    memcpy(hot->method + kept - 16, path + kept - 16, 16);
  } else {
    memcpy(hot->method, path, kept);
  }
  hot->method[kept] = '\0';
  hot->method_length = (uint16_t)kept;
}

/* eown_context_acquire where the thread has a spare one; NULL: it has none. */
static inline eown_context *eown__hot_take(void) {
  eown_context *spare = eown__hot_thread.spare;
  if (spare == NULL)
    return NULL;
  eown__hot_thread.spare = eown__hot_of(spare)->next;
  eown__hot_thread.room++;
  return eown__hot_begin(spare);
}

/* eown__hot_end where that is easy: nothing had failed, and the thread has room
 * for a spare context. Says whether it was so. */
static inline bool eown__hot_keep(eown_context *context) {
  if (!eown__hot_is_plain(context) || eown__hot_thread.room == 0)
    return false;
  eown__hot_thread.room--;
  eown__hot_of(context)->next = eown__hot_thread.spare;
  eown__hot_thread.spare = context;
  return true;
}

static inline uint32_t eown__hot_now(const eown_context *context) {
  return __atomic_load_n(&eown__hot_of(context)->state.sequence,
                         __ATOMIC_ACQUIRE);
}

static inline bool eown__hot_is_marked(const eown_context *context,
                                       uint8_t bit) {
  return (__atomic_load_n(&eown__hot_of(context)->state.marks,
                          __ATOMIC_RELAXED) &
          bit) != 0;
}

/* How a memory's table starts. */
typedef struct eown__hot_table {
  uint32_t edges; /* that are known; 0: there is nothing to learn of. Atomic */
} eown__hot_table;

/* NULL is empty. */
static inline bool eown__hot_table_empty(const eown_memory_table *table) {
  const eown__hot_table *hot = (const eown__hot_table *)(const void *)table;
  return hot == NULL || __atomic_load_n(&hot->edges, __ATOMIC_RELAXED) == 0;
}

static inline eown_context *eown__hot_current(void) {
  return eown__hot_thread.current;
}

#ifdef __cplusplus
}
#endif

#endif /* EOWN_HOT_H */
