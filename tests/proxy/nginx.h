/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_PROXY_NGINX_H
#define EOWN_TESTS_PROXY_NGINX_H

#include "node.h"

#include "folder.h"

/* A real nginx that passes gRPC calls on to one node (grpc_pass). */
typedef struct nginx {
  test_folder folder;
  e2e_child child;
  int port;
} nginx;

/* Starts it in front of `node` and waits until it takes connections; ends the
 * program where it does not. */
void nginx_start(nginx *proxy, const e2e_node *node);

void nginx_stop(nginx *proxy);

#endif /* EOWN_TESTS_PROXY_NGINX_H */
