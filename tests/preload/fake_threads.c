/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* Initialises gRPC while another thread loads a plugin that does so as well. */
#include "fake_grpc.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#define PATIENCE_S 30
#define STEP_US 1000

static void *load(void *plugin) { return dlopen(plugin, RTLD_NOW); }

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  alarm(PATIENCE_S);
  /* So the front has looked at this program when the linker is busy. */
  grpc_call_start_batch();
  pthread_t loader;
  if (pthread_create(&loader, NULL, load, argv[1]) != 0)
    return 2;
  while (!fake_is_loading)
    usleep(STEP_US);
  grpc_init();
  void *plugin = NULL;
  pthread_join(loader, &plugin);
  putchar('\n');
  return plugin == NULL ? 2 : 0;
}
