/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef NODE_CALLEE_H
#define NODE_CALLEE_H

#include "claims.h"
#include "common/tls.h"
#include "options.h"

#include <grpc/grpc.h>

#define PATH_MAX_LENGTH (NAME_MAX_LENGTH + 9) /* "/NAME/Stream" */

/* A node that this node calls, and the channel to it. */
typedef struct callee {
  const char *name; /* borrowed from the options */
  grpc_channel *channel;
  char call_path[PATH_MAX_LENGTH];
  char stream_path[PATH_MAX_LENGTH];
  bool fail_open;
  claims claims;
} callee;

/* Makes the channel. `service_config` may be NULL; `tls` is zero for none. */
void callee_init(callee *callee, const callee_option *option,
                 const options *options, const char *service_config,
                 const eown_interop_tls *tls);
void callee_clear(callee *callee);

#endif /* NODE_CALLEE_H */
