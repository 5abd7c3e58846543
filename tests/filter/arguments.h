/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_FILTER_ARGUMENTS_H
#define EOWN_TESTS_FILTER_ARGUMENTS_H

#include <grpc/grpc.h>
#include <stddef.h>

/* Channel arguments; a list of them ends with a NULL key. */
#define TEST_ARGUMENTS_MAX 12

#define TEST_STRING(name, text)                                                \
  {                                                                            \
    .type = GRPC_ARG_STRING, .key = (char *)(name),                            \
    .value.string = (char *)(text)                                             \
  }
#define TEST_INTEGER(name, number)                                             \
  { .type = GRPC_ARG_INTEGER, .key = (char *)(name), .value.integer = (number) }

typedef struct test_arguments {
  grpc_arg list[TEST_ARGUMENTS_MAX];
  grpc_channel_args args; /* hand &args to gRPC */
} test_arguments;

/* Joins the mode (NULL: no eown.mode argument) and `more` (NULL: none). */
void test_arguments_set(test_arguments *arguments, const char *mode,
                        const grpc_arg *more);
void test_arguments_add(test_arguments *arguments, grpc_arg argument);

#endif /* EOWN_TESTS_FILTER_ARGUMENTS_H */
