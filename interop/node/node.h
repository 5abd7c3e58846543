/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef NODE_NODE_H
#define NODE_NODE_H

#include "callee.h"
#include "counts.h"
#include "delay.h"
#include "dice.h"
#include "event.h"
#include "options.h"
#include "queue.h"

#include <semaphore.h>

/* All that the calls of this process share. Lives as long as any of them. */
struct node {
  const options *options;
  char call_path[PATH_MAX_LENGTH];
  char stream_path[PATH_MAX_LENGTH];
  char own_message[NAME_MAX_LENGTH + 32]; /* of its own failures */

  counts counts;
  dice dice;
  delay delay;
  queue *queues;
  size_t queues_n;
  callee callees[CALLEES_MAX];
  size_t callees_n;

  grpc_server *server;
  int port;
  _Atomic size_t live;   /* inbound calls, those waited for among them */
  sem_t idle;            /* posted when live is 0 again */
  atomic_bool cancelled; /* calls that are left shall end at once */
};

#endif /* NODE_NODE_H */
