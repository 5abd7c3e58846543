/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_CLAIM_H
#define EOWN_CLAIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a callee says of an error it returns. */
typedef enum eown_claim {
  EOWN_CLAIM_MISSING,   /* it says nothing, or nothing that can be believed */
  EOWN_CLAIM_CLAIMED,   /* it caused the error: it may be retried */
  EOWN_CLAIM_UNCLAIMED, /* it passes on somebody else's: do not retry */
  EOWN_CLAIM_N
} eown_claim;

/* Why a service says what it says of its own error. The order is the rank: of
 * several failed outbounds the one with the highest reason speaks. The numbers
 * are those of the wire (protos/eown/v1/error_claim.proto). */
typedef enum eown_reason {
  EOWN_REASON_NONE,          /* no error, nothing to say */
  EOWN_REASON_OWN,           /* no outbound failed */
  EOWN_REASON_COINCIDENTAL,  /* only fail-open outbounds failed */
  EOWN_REASON_UNREACHABLE,   /* the callee was never reached, and the service
                                owns such errors by option */
  EOWN_REASON_AT_LEAST_ONCE, /* an outbound failed that nobody has retried */
  EOWN_REASON_PROPAGATED,    /* an outbound failed that had its retry */
  EOWN_REASON_APPLICATION,   /* the application set the claim */
  EOWN_REASON_N
} eown_reason;

/* Keys of the claim in trailing metadata, and of the retry mark in request
 * metadata. */
#define EOWN_CLAIM_KEY "error-claim"
#define EOWN_CLAIM_DETAIL_KEY "error-claim-bin"
#define EOWN_RETRY_MARK_KEY "error-claim-retry"
#define EOWN_RETRY_MARK_VALUE "1"

/* Names of owners longer than this are cut, so that a detail message never
 * takes more than EOWN_CLAIM_DETAIL_MAX bytes. */
#define EOWN_OWNER_MAX 108
#define EOWN_CLAIM_DETAIL_MAX 256

/* The detail of a claim: who owns the error and how far away it is. A value:
 * it owns its bytes, NUL-terminated printable ASCII. */
typedef struct eown_claim_detail {
  char owner_service[EOWN_OWNER_MAX + 1];
  char owner_method[EOWN_OWNER_MAX + 1];
  uint32_t hops;     /* calls between the owner and the sender; 0: the owner */
  uint32_t attempts; /* the sender made on the failed outbound; 0: none */
  eown_reason reason;
} eown_claim_detail;

/* Returns "missing", "claimed" or "unclaimed"; static text. */
const char *eown_claim_name(eown_claim claim);

/* Returns the name of `reason` ("at_least_once"); static text. */
const char *eown_reason_name(eown_reason reason);

/* A reader of the claim values of one set of metadata: feed it each value under
 * the claim key or its alias, then ask for the result. A value type; zero it
 * (`= {0}`) before use. */
typedef struct eown_claim_reader {
  eown_claim claim;
  uint8_t primary_values;
  uint8_t alias_values;
  bool malformed;
} eown_claim_reader;

/* Takes one value of `length` bytes; `alias` says under which key it stood.
 * `value` is borrowed for the call. */
void eown_claim_reader_feed(eown_claim_reader *reader, bool alias,
                            const char *value, size_t length);

/* Returns the claim; MISSING where values are unknown, repeated under one key
 * or contradict each other, and then `*malformed` (may be NULL) becomes true.
 * Source: "Wire" in semantics, as the README tells it. */
eown_claim eown_claim_reader_result(const eown_claim_reader *reader,
                                    bool *malformed);

/* Encodes `detail` into `buffer` of `capacity` bytes (EOWN_CLAIM_DETAIL_MAX
 * always suffices) and returns the bytes written, 0 where the capacity does not
 * suffice or the detail says nothing. Allocates nothing. */
size_t eown_claim_detail_encode(const eown_claim_detail *detail,
                                uint8_t *buffer, size_t capacity);

/* Decodes `length` bytes. Returns false, with `*detail` untouched, where they
 * are more than EOWN_CLAIM_DETAIL_MAX, do not parse, or hold names that are not
 * printable ASCII. Names longer than EOWN_OWNER_MAX are cut, unknown fields are
 * ignored, an unknown reason reads as NONE. Allocates nothing on the heap. */
bool eown_claim_detail_decode(const uint8_t *data, size_t length,
                              eown_claim_detail *detail);

/* Sets the owner to `service` and `method` (borrowed, of the lengths given,
 * NULL where the length is 0), cut to EOWN_OWNER_MAX; bytes outside printable
 * ASCII become '?'. */
void eown_claim_detail_set_owner(eown_claim_detail *detail, const char *service,
                                 size_t service_length, const char *method,
                                 size_t method_length);

/* Splits a gRPC path "/package.Service/Method" and sets the owner from it; a
 * path of another form becomes the service's name as it is. */
void eown_claim_detail_set_owner_path(eown_claim_detail *detail,
                                      const char *path, size_t length);

#ifdef __cplusplus
}
#endif

#endif /* EOWN_CLAIM_H */
