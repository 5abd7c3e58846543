/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* The back's beginning. */
#include "eown/grpc.h"
#include "eown/settings.h"

#include <stdio.h>
#include <stdlib.h>

#include "counters_file.h"
#include "hooks.h"
#include "tie.h"

static const eown_hooks tying = {eown_tie_bound, eown_tie_started,
                                 eown_tie_enter, eown_context_leave};

/* Without ties: the filters alone. */
static void no_queue(grpc_call *call, grpc_completion_queue *queue) {
  (void)call;
  (void)queue;
}

static void no_batch(grpc_call *call, const grpc_op *ops, size_t count) {
  (void)call;
  (void)ops;
  (void)count;
}

static bool no_scope(eown_context_scope *scope, grpc_call *parent) {
  (void)scope;
  (void)parent;
  return false;
}

static const eown_hooks plain = {no_queue, no_batch, no_scope,
                                 eown_context_leave};

const eown_hooks *eown_preload_start(char *message, size_t size) {
  const char *text = getenv("EOWN_MODE");
  eown_mode mode;
  if (text == NULL || !eown_mode_parse(text, &mode)) {
    snprintf(message, size,
             "EOWN_MODE: \"%.64s\" is not valid: expected off, observe, "
             "enforce (or 0, 1, 2)",
             text == NULL ? "" : text);
    return NULL;
  }
  eown_error error = eown_grpc_init();
  if (error != EOWN_ERROR_OK) {
    snprintf(message, size, "%s", eown_error_text(error));
    return NULL;
  }
  snprintf(message, size, "%s", eown_mode_name(mode));
  eown_counters_file_start();
  return eown_tie_init() ? &tying : &plain;
}
