/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "attach.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "say.h"

/* The gRPC with the filters, known by its grpc_init. `hooks` comes last. */
static void *attached_to;
static _Atomic(const eown_hooks *) attached_hooks;

/* Those that were asked about, under the lock. The linker is not asked under
 * it, for it has a lock of its own: under that, constructors of what is loaded
 * on another thread may wait for ours. */
#define ASKED_MAX 16u
static void *asked[ASKED_MAX];
static unsigned asked_n;
static pthread_mutex_t asking = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

/* On this thread: what is loaded meanwhile may initialise gRPC. */
static _Thread_local bool loading;

#define MESSAGE_SIZE 384u
typedef char message[MESSAGE_SIZE];

/* --- the conditions, in order; each says in `why` what is not met ----------
 */

static bool is_wanted(char *why) {
  const char *mode = getenv("EOWN_MODE");
  if (mode == NULL || mode[0] == '\0') {
    snprintf(why, MESSAGE_SIZE,
             "EOWN_MODE is not set: expected observe or enforce");
    return false;
  }
  if (strcmp(mode, "off") == 0 || strcmp(mode, "0") == 0) {
    snprintf(why, MESSAGE_SIZE, "EOWN_MODE is \"%.16s\"", mode);
    return false;
  }
  return true;
}

static const char *file_of(const void *symbol) {
  Dl_info info;
  bool known =
      symbol != NULL && dladdr(symbol, &info) != 0 && info.dli_fname != NULL;
  return known ? info.dli_fname : "(unknown)";
}

/* The library's handle, or NULL. */
static void *find_library(const void *init, char *why) {
  void *library = dlopen(EOWN_GRPC_SONAME, RTLD_LAZY | RTLD_NOLOAD);
  if (library != NULL && dlsym(library, "grpc_init") == init)
    return library;
  snprintf(why, MESSAGE_SIZE, "gRPC is in %.256s: expected it in %s",
           file_of(init), EOWN_GRPC_SONAME);
  return NULL;
}

static bool has_version(void *library, char *why) {
  const char *(*version)(void) = NULL;
  *(void **)&version = dlsym(library, "grpc_version_string");
  const char *loaded = version == NULL ? "unknown" : version();
  if (strcmp(loaded, EOWN_GRPC_CORE_VERSION) == 0)
    return true;
  snprintf(why, MESSAGE_SIZE, "gRPC core %.32s is loaded: expected %s", loaded,
           EOWN_GRPC_CORE_VERSION);
  return false;
}

/* $ORIGIN is where this library lies. */
static eown_preload_start_fn *load_back(char *why) {
  void *back = dlopen("$ORIGIN/" EOWN_BACK, RTLD_NOW | RTLD_LOCAL);
  eown_preload_start_fn *start = NULL;
  if (back != NULL)
    *(void **)&start = dlsym(back, "eown_preload_start");
  if (start == NULL)
    snprintf(why, MESSAGE_SIZE, "%.360s", dlerror());
  return start;
}

static eown_preload_start_fn *find_start(const void *init, char *why) {
  if (!is_wanted(why))
    return NULL;
  void *library = find_library(init, why);
  if (library == NULL || !has_version(library, why))
    return NULL;
  return load_back(why);
}

/* ------------------------------------------------------------------------- */

static bool is_new(const void *init) {
  for (unsigned i = 0; i < asked_n; i++)
    if (asked[i] == init)
      return false;
  return true;
}

static bool was_asked(const void *init) {
  pthread_mutex_lock(&asking);
  bool known = !is_new(init);
  pthread_mutex_unlock(&asking);
  return known;
}

/* Under the lock: of several threads that came this far, the first one. */
static void attach(void *init, eown_preload_start_fn *start, char *why) {
  if (!is_new(init))
    return;
  if (asked_n < ASKED_MAX)
    asked[asked_n++] = init;
  const eown_hooks *hooks = start == NULL ? NULL : start(why, MESSAGE_SIZE);
  if (hooks == NULL) {
    eown_say("off: %s", why);
    return;
  }
  attached_to = init;
  atomic_store_explicit(&attached_hooks, hooks, memory_order_release);
  eown_say("on (%s), gRPC core %s", why, EOWN_GRPC_CORE_VERSION);
}

static void ask(void *init) {
  message why = "";
  loading = true;
  eown_preload_start_fn *start = find_start(init, why);
  loading = false;
  pthread_mutex_lock(&asking);
  attach(init, start, why);
  pthread_mutex_unlock(&asking);
}

void eown_attach(eown_gate *gate) {
  if (loading || atomic_load_explicit(&gate->asked, memory_order_acquire))
    return;
  void *init = gate->real[EOWN_FUNCTION_init];
  if (init != NULL && !was_asked(init))
    ask(init);
  atomic_store_explicit(&gate->asked, true, memory_order_release);
}

const eown_hooks *eown_attached(const eown_gate *gate) {
  const eown_hooks *hooks =
      atomic_load_explicit(&attached_hooks, memory_order_acquire);
  bool same = hooks != NULL && gate->real[EOWN_FUNCTION_init] == attached_to;
  return same ? hooks : NULL;
}
