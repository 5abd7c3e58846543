/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef NODE_ARGUMENTS_H
#define NODE_ARGUMENTS_H

#include "options.h"

#include <grpc/grpc.h>

/* The arguments of a channel or server. Keys and texts are borrowed. */
typedef struct arguments {
  grpc_arg list[SETTINGS_MAX + 16];
  size_t n;
} arguments;

void arguments_set_integer(arguments *arguments, const char *key, int value);
void arguments_set_text(arguments *arguments, const char *key,
                        const char *value);

/* Sets eown.mode and the settings given for `side`, as integers where they
 * are; nothing under plain gRPC. Later settings of a key replace earlier. */
void arguments_set_ownership(arguments *arguments, const options *options,
                             side side);

/* What grpc_channel_create and grpc_server_create take. */
grpc_channel_args arguments_view(arguments *arguments);

#endif /* NODE_ARGUMENTS_H */
