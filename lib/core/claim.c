/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "eown/claim.h"

#include "eown/v1/error_claim.pb-c.h"

#include <string.h>

const char *eown_claim_name(eown_claim claim) {
  static const char *const names[EOWN_CLAIM_N] = {
      [EOWN_CLAIM_MISSING] = "missing",
      [EOWN_CLAIM_CLAIMED] = "claimed",
      [EOWN_CLAIM_UNCLAIMED] = "unclaimed",
  };
  return (unsigned)claim < EOWN_CLAIM_N ? names[claim] : "unknown";
}

const char *eown_reason_name(eown_reason reason) {
  static const char *const names[EOWN_REASON_N] = {
      [EOWN_REASON_NONE] = "none",
      [EOWN_REASON_OWN] = "own",
      [EOWN_REASON_COINCIDENTAL] = "coincidental",
      [EOWN_REASON_UNREACHABLE] = "unreachable",
      [EOWN_REASON_AT_LEAST_ONCE] = "at_least_once",
      [EOWN_REASON_PROPAGATED] = "propagated",
      [EOWN_REASON_APPLICATION] = "application",
  };
  return (unsigned)reason < EOWN_REASON_N ? names[reason] : "unknown";
}

static eown_claim parse(const char *value, size_t length) {
  for (unsigned i = EOWN_CLAIM_CLAIMED; i < EOWN_CLAIM_N; i++) {
    const char *name = eown_claim_name((eown_claim)i);
    if (strlen(name) == length && memcmp(name, value, length) == 0)
      return (eown_claim)i;
  }
  return EOWN_CLAIM_MISSING;
}

void eown_claim_reader_feed(eown_claim_reader *reader, bool alias,
                            const char *value, size_t length) {
  uint8_t *values = alias ? &reader->alias_values : &reader->primary_values;
  eown_claim claim = parse(value, length);
  bool contradicts =
      reader->claim != EOWN_CLAIM_MISSING && claim != reader->claim;
  if (claim == EOWN_CLAIM_MISSING || contradicts || *values > 0)
    reader->malformed = true;
  *values = 1;
  reader->claim = claim;
}

eown_claim eown_claim_reader_result(const eown_claim_reader *reader,
                                    bool *malformed) {
  if (malformed != NULL)
    *malformed = reader->malformed;
  return reader->malformed ? EOWN_CLAIM_MISSING : reader->claim;
}

/* --- detail ------------------------------------------------------------- */

size_t eown_claim_detail_encode(const eown_claim_detail *detail,
                                uint8_t *buffer, size_t capacity) {
  Eown__V1__ErrorClaim message = EOWN__V1__ERROR_CLAIM__INIT;
  /* protobuf-c only reads through these pointers when it packs. */
  message.owner_service = (char *)(uintptr_t)detail->owner_service;
  message.owner_method = (char *)(uintptr_t)detail->owner_method;
  message.hops = detail->hops;
  message.attempts = detail->attempts;
  message.reason = (Eown__V1__ErrorClaim__Reason)detail->reason;
  /* Names have their bounds, so that every message keeps within the limit. */
  if (capacity < EOWN_CLAIM_DETAIL_MAX &&
      eown__v1__error_claim__get_packed_size(&message) > capacity)
    return 0;
  return eown__v1__error_claim__pack(&message, buffer);
}

/* protobuf-c takes what it needs to unpack from here: 256 bytes hold at most
 * 128 fields, for which it wants some 16 KB, so a bounded stack buffer serves
 * and the heap is left alone. A message that needs more does not parse. */
typedef struct scratch {
  size_t used;
  _Alignas(max_align_t) uint8_t bytes[20480];
} scratch;

static void *scratch_take(void *user, size_t size) {
  scratch *s = user;
  size_t rounded = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) *
                   sizeof(max_align_t);
  if (rounded < size || rounded > sizeof(s->bytes) - s->used)
    return NULL;
  void *taken = s->bytes + s->used;
  s->used += rounded;
  return taken;
}

static void scratch_keep(void *user, void *pointer) {
  (void)user;
  (void)pointer;
}

static bool printable(const char *text) {
  size_t n = 0;
  while (text[n] >= ' ' && text[n] <= '~')
    n++;
  return text[n] == '\0';
}

/* protobuf-c ends a string at its first NUL. Where the message has one, the
 * field's length on the wire tells whether the string was whole (names of more
 * than 127 bytes have a longer length). */
static bool whole(const char *name, uint8_t tag, const uint8_t *data,
                  size_t length) {
  size_t n = strlen(name);
  if (n == 0 || memchr(data, '\0', length) == NULL)
    return printable(name);
  uint8_t head[3] = {tag, (uint8_t)n, 1};
  size_t size = 2;
  if (n > 127) {
    head[1] = (uint8_t)(n | 0x80u);
    size = 3;
  }
  const uint8_t *at = memmem(data, length, head, size);
  return at != NULL && printable(name);
}

static void read_message(const Eown__V1__ErrorClaim *message,
                         eown_claim_detail *detail) {
  const char *service = message->owner_service;
  const char *method = message->owner_method;
  eown_claim_detail_set_owner(detail, service, strlen(service), method,
                              strlen(method));
  detail->hops = message->hops;
  detail->attempts = message->attempts;
  detail->reason = (unsigned)message->reason < EOWN_REASON_N
                       ? (eown_reason)message->reason
                       : EOWN_REASON_NONE;
}

bool eown_claim_detail_decode(const uint8_t *data, size_t length,
                              eown_claim_detail *detail) {
  if (length > EOWN_CLAIM_DETAIL_MAX)
    return false;
  scratch memory;
  memory.used = 0;
  ProtobufCAllocator allocator = {scratch_take, scratch_keep, &memory};
  const Eown__V1__ErrorClaim *message =
      eown__v1__error_claim__unpack(&allocator, length, data);
  if (message == NULL || !whole(message->owner_service, 0x0a, data, length) ||
      !whole(message->owner_method, 0x12, data, length))
    return false;
  read_message(message, detail);
  return true;
}

static void set_name(char *to, const char *from, size_t length) {
  size_t kept = length < EOWN_OWNER_MAX ? length : EOWN_OWNER_MAX;
  for (size_t i = 0; i < kept; i++)
    to[i] = from[i] >= ' ' && from[i] <= '~' ? from[i] : '?';
  to[kept] = '\0';
}

void eown_claim_detail_set_owner(eown_claim_detail *detail, const char *service,
                                 size_t service_length, const char *method,
                                 size_t method_length) {
  set_name(detail->owner_service, service, service_length);
  set_name(detail->owner_method, method, method_length);
}

void eown_claim_detail_set_owner_path(eown_claim_detail *detail,
                                      const char *path, size_t length) {
  const char *service = path;
  size_t service_length = length;
  const char *method = NULL;
  size_t method_length = 0;
  const char *slash =
      length > 1 && path[0] == '/' ? memchr(path + 1, '/', length - 1) : NULL;
  if (slash != NULL) {
    service = path + 1;
    service_length = (size_t)(slash - service);
    method = slash + 1;
    method_length = (size_t)(path + length - method);
  }
  eown_claim_detail_set_owner(detail, service, service_length, method,
                              method_length);
}
