/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
/* Runs a plugin's fake_user. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
  void *plugin = argc == 2 ? dlopen(argv[1], RTLD_LAZY | RTLD_LOCAL) : NULL;
  if (plugin == NULL) {
    fprintf(stderr, "fake_host: expected a plugin that can be loaded\n");
    return 2;
  }
  void (*user)(void) = NULL;
  *(void **)&user = dlsym(plugin, "fake_user");
  if (user == NULL)
    return 2;
  user();
  return 0;
}
