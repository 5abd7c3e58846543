/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "gate.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>

#include "say.h"

/* Gates are only added, and read without the lock. */
#define GATES_MAX 64u
static eown_gate gates[GATES_MAX];
static _Atomic unsigned gates_n;
static pthread_mutex_t adding = PTHREAD_MUTEX_INITIALIZER;

static const char *const symbols[EOWN_FUNCTION_N] = {
#define EOWN_GATE_SYMBOL(name, symbol) [EOWN_FUNCTION_##name] = symbol,
    EOWN_GATE_LIST(EOWN_GATE_SYMBOL)
#undef EOWN_GATE_SYMBOL
};

static eown_gate *find(uintptr_t address) {
  unsigned n = atomic_load_explicit(&gates_n, memory_order_acquire);
  for (unsigned i = 0; i < n; i++)
    if (address >= gates[i].low && address < gates[i].high)
      return &gates[i];
  return NULL;
}

/* An object finds its gRPC in itself or in what it was linked with, which for a
 * plugin need not be in the program's scope. So we ask as the object would, and
 * it stays loaded. The program's own scope begins before ours: ask what comes
 * after us. */
static void *scope_of(const struct link_map *object) {
  if (object == NULL || object->l_name[0] == '\0')
    return RTLD_NEXT;
  void *scope = dlopen(object->l_name, RTLD_LAZY | RTLD_NOLOAD);
  return scope == NULL ? RTLD_NEXT : scope;
}

static void look_up(eown_gate *gate, void *scope) {
  for (int i = 0; i < EOWN_FUNCTION_N; i++)
    gate->real[i] = dlsym(scope, symbols[i]);
}

/* An object that was called instead of returned to (a jump in the place of its
 * last call) may know no gRPC; then it is the program's, or the library's. */
static void resolve(eown_gate *gate, const struct link_map *object) {
  void *scope = scope_of(object);
  look_up(gate, scope);
  if (gate->real[EOWN_FUNCTION_init] == NULL && scope != RTLD_NEXT)
    look_up(gate, RTLD_NEXT);
  if (gate->real[EOWN_FUNCTION_init] == NULL) {
    void *library = dlopen(EOWN_GRPC_SONAME, RTLD_LAZY | RTLD_NOLOAD);
    if (library != NULL)
      look_up(gate, library);
  }
}

/* Where all places are taken, the last one serves everything else as the
 * program's. */
static eown_gate *add(const eown_gate *made) {
  pthread_mutex_lock(&adding);
  eown_gate *gate = find(made->low);
  unsigned n = atomic_load_explicit(&gates_n, memory_order_relaxed);
  if (gate == NULL && n < GATES_MAX) {
    gate = &gates[n];
    *gate = *made;
    atomic_store_explicit(&gates_n, n + 1, memory_order_release);
  }
  pthread_mutex_unlock(&adding);
  return gate;
}

/* For what lies in no object (code made at run time) or found no place. */
static eown_gate elsewhere;
static pthread_once_t elsewhere_once = PTHREAD_ONCE_INIT;

static void resolve_elsewhere(void) { resolve(&elsewhere, NULL); }

static eown_gate *find_elsewhere(void) {
  pthread_once(&elsewhere_once, resolve_elsewhere);
  return &elsewhere;
}

/* The lock is not held while the linker is asked, which has one of its own. */
static eown_gate *make(const void *caller) {
  struct dl_find_object object;
  if (_dl_find_object((void *)(uintptr_t)caller, &object) != 0)
    return find_elsewhere();
  eown_gate made = {.low = (uintptr_t)object.dlfo_map_start,
                    .high = (uintptr_t)object.dlfo_map_end};
  resolve(&made, object.dlfo_link_map);
  eown_gate *gate = add(&made);
  return gate == NULL ? find_elsewhere() : gate;
}

eown_gate *eown_gate_find(const void *caller) {
  eown_gate *gate = find((uintptr_t)caller);
  return gate == NULL ? make(caller) : gate;
}

void *eown_gate_real(const eown_gate *gate, eown_function function) {
  void *real = gate->real[function];
  if (real == NULL) {
    eown_say("%s was called, but no gRPC with it is loaded", symbols[function]);
    abort();
  }
  return real;
}
