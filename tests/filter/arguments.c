/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "arguments.h"

#include <stdio.h>
#include <stdlib.h>

void test_arguments_add(test_arguments *arguments, grpc_arg argument) {
  if (arguments->args.num_args == TEST_ARGUMENTS_MAX) {
    fprintf(stderr, "too many channel arguments\n");
    abort();
  }
  arguments->list[arguments->args.num_args++] = argument;
}

void test_arguments_set(test_arguments *arguments, const char *mode,
                        const grpc_arg *more) {
  arguments->args = (grpc_channel_args){0, arguments->list};
  if (mode != NULL)
    test_arguments_add(arguments, (grpc_arg)TEST_STRING("eown.mode", mode));
  for (; more != NULL && more->key != NULL; more++)
    test_arguments_add(arguments, *more);
}
