/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "log.h"

#include <grpc/support/log.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char kept[4096];

static void keep(gpr_log_func_args *args) {
  if (strstr(args->message, "eown: ") == NULL)
    return;
  pthread_mutex_lock(&mutex);
  size_t used = strlen(kept);
  snprintf(kept + used, sizeof(kept) - used, "%s\n", args->message);
  pthread_mutex_unlock(&mutex);
}

void test_log_keep(void) {
  pthread_mutex_lock(&mutex);
  kept[0] = '\0';
  pthread_mutex_unlock(&mutex);
  gpr_set_log_function(keep);
}

const char *test_log_text(void) { return kept; }
