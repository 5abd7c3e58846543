/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef NODE_OPTIONS_H
#define NODE_OPTIONS_H

#include <eown/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NAME_MAX_LENGTH 63
#define CALLEES_MAX 128
#define SETTINGS_MAX 64

/* How an outbound call finds its inbound context. */
typedef enum context_way {
  CONTEXT_PARENT,   /* by gRPC's parent call */
  CONTEXT_THREAD,   /* by the thread's current context */
  CONTEXT_EXPLICIT, /* by eown_context_attach */
  CONTEXT_NONE,     /* not at all */
  CONTEXT_WAY_N
} context_way;

typedef enum ownership {
  OWNERSHIP_STOCK, /* plain gRPC: eown is not even registered */
  OWNERSHIP_OFF,
  OWNERSHIP_OBSERVE,
  OWNERSHIP_ENFORCE,
  OWNERSHIP_N
} ownership;

/* Who makes the retries; a set of bits. */
typedef enum retry_by {
  RETRY_BY_GRPC = 1,        /* its retry policy */
  RETRY_BY_APPLICATION = 2, /* a loop of the node's own */
  RETRY_BY_BOTH = 3         /* such a loop above such a policy */
} retry_by;

/* Which side an eown setting is for; a set of bits. */
typedef enum side { SIDE_CHANNEL = 1, SIDE_SERVER = 2, SIDE_BOTH = 3 } side;

typedef struct callee_option {
  char name[NAME_MAX_LENGTH + 1];
  char target[256]; /* HOST:PORT */
  bool fail_open;
} callee_option;

typedef struct setting_option {
  side side;
  char key[64]; /* "eown.…" */
  const char *value;
} setting_option;

/* The command line, as read. Texts are those of argv. */
typedef struct options {
  const char *name;
  const char *listen;
  callee_option callees[CALLEES_MAX];
  size_t callees_n;
  bool parallel;
  bool unpinned;

  double fail_rate;
  eown_status fail_status;
  uint64_t healthy_first;
  uint64_t seed;
  uint64_t fail_after_replies;
  bool has_pushback;
  uint64_t pushback_ms;

  uint64_t attempts;
  eown_status_set retry_codes;
  retry_by retry_by;

  ownership ownership;
  setting_option settings[SETTINGS_MAX];
  size_t settings_n;
  context_way context;

  uint64_t delay_ms;
  uint64_t timeout_ms; /* 0: the inbound's deadline */
  bool early_headers;
  uint64_t stream_replies;
  bool copy_trailers;
  const char *tls;
  uint64_t threads;
  uint64_t payload_bytes;

  char complaint[256]; /* what a value should have been */
} options;

/* Reads the command line. A bad one ends the process with status 2 and a
 * message that names the option, the value and what was expected. */
void options_parse(options *options, int argc, char **argv);

/* "stock", "off", "observe" or "enforce"; static text. */
const char *ownership_name(ownership ownership);

#endif /* NODE_OPTIONS_H */
