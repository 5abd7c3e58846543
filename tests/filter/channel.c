/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "channel.h"

#include <grpc/grpc.h>
#include <stdio.h>

static void write_policy(char *text, size_t size, int attempts) {
  snprintf(text, size,
           ",\"retryPolicy\":{\"maxAttempts\":%d,\"initialBackoff\":\"0.001s\","
           "\"maxBackoff\":\"0.001s\",\"backoffMultiplier\":1,"
           "\"retryableStatusCodes\":[\"UNAVAILABLE\"]}",
           attempts);
}

static void write_config(char *text, size_t size,
                         const test_channel_options *options) {
  char policy[256] = "";
  if (options->attempts > 0)
    write_policy(policy, sizeof(policy), options->attempts);
  const char *throttling = options->throttling;
  snprintf(text, size, "{\"methodConfig\":[{\"name\":[{}]%s}]%s%s}", policy,
           throttling == NULL ? "" : ",\"retryThrottling\":",
           throttling == NULL ? "" : throttling);
}

grpc_channel *test_channel_make(const char *target,
                                const test_channel_options *options) {
  char config[512];
  write_config(config, sizeof(config), options);
  test_arguments arguments;
  test_arguments_set(&arguments, options->mode, options->arguments);
  test_arguments_add(&arguments,
                     (grpc_arg)TEST_STRING(GRPC_ARG_SERVICE_CONFIG, config));
  grpc_channel_credentials *own =
      options->credentials == NULL ? grpc_insecure_credentials_create() : NULL;
  grpc_channel *channel = grpc_channel_create(
      target, own == NULL ? options->credentials : own, &arguments.args);
  if (own != NULL)
    grpc_channel_credentials_release(own);
  return channel;
}
