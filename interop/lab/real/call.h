/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_CALL_H
#define EOWN_LAB_CALL_H

#include <grpc/grpc.h>

#include <stdbool.h>
#include <stdint.h>

/* One root call: one attempt, unary or server-streaming. Used again and again
 * for one request after the other. */
typedef struct lab_call {
  grpc_call *call;
  bool stream;
  unsigned open_batches; /* the call is over when it is 0 */
  uint64_t replies;
  grpc_byte_buffer *request;
  grpc_byte_buffer *reply;
  grpc_metadata_array headers;
  grpc_metadata_array trailers;
  grpc_status_code status;
  grpc_slice message;
  struct lab_tag {
    struct lab_call *call;
    bool reads_reply;
  } tags[3];
} lab_call;

typedef struct lab_tag lab_tag;

/* Where root calls go. All members are borrowed. */
typedef struct lab_target {
  grpc_channel *channel;
  grpc_completion_queue *queue;
  grpc_slice path;
  bool stream;
  grpc_metadata *metadata; /* of each request */
  size_t metadata_count;
} lab_target;

/* Starts the root request `id` on `call` (zeroed, or finished before). */
void lab_call_start(lab_call *call, const lab_target *target, uint64_t id,
                    gpr_timespec deadline);

/* Takes the completion of a batch. Returns the call where it is over now; its
 * status and trailers are valid until lab_call_finish. */
lab_call *lab_call_advance(lab_tag *tag);

/* Gives back what the last request held. */
void lab_call_finish(lab_call *call);

#endif /* EOWN_LAB_CALL_H */
