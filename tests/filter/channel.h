/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_FILTER_CHANNEL_H
#define EOWN_TESTS_FILTER_CHANNEL_H

#include <grpc/grpc_security.h>

#include "arguments.h"

/* How a client's channel is set up. */
typedef struct test_channel_options {
  const char *mode;          /* eown.mode; NULL: a channel without eown */
  const grpc_arg *arguments; /* more of them */
  int attempts;              /* of the retry policy; 0: no retry policy */
  const char *throttling;    /* JSON of retryThrottling; NULL: none */
  grpc_channel_credentials *credentials; /* NULL: insecure. Borrowed */
} test_channel_options;

/* The retry policy covers UNAVAILABLE and, like gRPC's defaults never do,
 * waits a millisecond. The caller destroys the channel. */
grpc_channel *test_channel_make(const char *target,
                                const test_channel_options *options);

#endif /* EOWN_TESTS_FILTER_CHANNEL_H */
