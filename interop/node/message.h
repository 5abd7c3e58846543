/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef NODE_MESSAGE_H
#define NODE_MESSAGE_H

#include <grpc/byte_buffer.h>
#include <stdbool.h>
#include <stdint.h>

/* The messages of node.proto, from and to the bytes gRPC carries. Slices that
 * are returned belong to the caller. */

/* Reads a CallRequest and makes of it the request for the callees, with
 * `added` more bytes of payload. False: not a CallRequest. */
bool message_read_call(grpc_byte_buffer *buffer, uint64_t added,
                       grpc_slice *onward);

/* Reads a StatsRequest; false: not one. */
bool message_read_stats(grpc_byte_buffer *buffer, bool *reset);

/* Reads nodes_below of a CallReply; 0 where it is none. */
uint32_t message_read_reply(grpc_byte_buffer *buffer);

grpc_slice message_reply(const char *node, uint32_t nodes_below);
grpc_slice message_stats(const char *json);

#endif /* NODE_MESSAGE_H */
