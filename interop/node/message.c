/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "message.h"

#include "eown/interop/v1/node.pb-c.h"

#include <grpc/byte_buffer_reader.h>
#include <stdlib.h>
#include <string.h>

typedef Eown__Interop__V1__CallRequest call_request;
typedef Eown__Interop__V1__CallReply call_reply;
typedef Eown__Interop__V1__StatsRequest stats_request;
typedef Eown__Interop__V1__StatsReply stats_reply;

/* All bytes of a buffer as one message of the type; NULL: they are none. */
static ProtobufCMessage *unpack(const ProtobufCMessageDescriptor *type,
                                grpc_byte_buffer *buffer) {
  grpc_byte_buffer_reader reader;
  if (buffer == NULL || !grpc_byte_buffer_reader_init(&reader, buffer))
    return NULL;
  grpc_slice bytes = grpc_byte_buffer_reader_readall(&reader);
  ProtobufCMessage *message = protobuf_c_message_unpack(
      type, NULL, GRPC_SLICE_LENGTH(bytes), GRPC_SLICE_START_PTR(bytes));
  grpc_slice_unref(bytes);
  grpc_byte_buffer_reader_destroy(&reader);
  return message;
}

static grpc_slice pack(const ProtobufCMessage *message) {
  grpc_slice bytes =
      grpc_slice_malloc(protobuf_c_message_get_packed_size(message));
  protobuf_c_message_pack(message, GRPC_SLICE_START_PTR(bytes));
  return bytes;
}

/* Adds to the payload, in the message's own memory; out of memory: it stays. */
static void grow(ProtobufCBinaryData *payload, size_t added) {
  if (added == 0)
    return;
  uint8_t *data = realloc(payload->data, payload->len + added);
  if (data == NULL)
    return;
  memset(data + payload->len, 'x', added);
  payload->data = data;
  payload->len += added;
}

bool message_read_call(grpc_byte_buffer *buffer, uint64_t added,
                       grpc_slice *onward) {
  call_request *request = (call_request *)unpack(
      &eown__interop__v1__call_request__descriptor, buffer);
  if (request == NULL)
    return false;
  grow(&request->payload, (size_t)added);
  *onward = pack(&request->base);
  eown__interop__v1__call_request__free_unpacked(request, NULL);
  return true;
}

bool message_read_stats(grpc_byte_buffer *buffer, bool *reset) {
  stats_request *request = (stats_request *)unpack(
      &eown__interop__v1__stats_request__descriptor, buffer);
  if (request == NULL)
    return false;
  *reset = request->reset != 0;
  eown__interop__v1__stats_request__free_unpacked(request, NULL);
  return true;
}

uint32_t message_read_reply(grpc_byte_buffer *buffer) {
  call_reply *reply =
      (call_reply *)unpack(&eown__interop__v1__call_reply__descriptor, buffer);
  if (reply == NULL)
    return 0;
  uint32_t nodes = reply->nodes_below;
  eown__interop__v1__call_reply__free_unpacked(reply, NULL);
  return nodes;
}

grpc_slice message_reply(const char *node, uint32_t nodes_below) {
  call_reply reply = EOWN__INTEROP__V1__CALL_REPLY__INIT;
  reply.node = (char *)node;
  reply.nodes_below = nodes_below;
  return pack(&reply.base);
}

grpc_slice message_stats(const char *json) {
  stats_reply reply = EOWN__INTEROP__V1__STATS_REPLY__INIT;
  reply.json = (char *)json;
  return pack(&reply.base);
}
