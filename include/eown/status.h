/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_STATUS_H
#define EOWN_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The status codes of gRPC: number, name, and whether the code speaks of a
 * fault (then a call that ends with it counts as failed) or answers the
 * request (then it does not, unless the inbound ends with the same one).
 * Source: gRPC doc/statuscodes.md. */
#define EOWN_STATUS_LIST(X)                                                    \
  X(0, OK, false)                                                              \
  X(1, CANCELLED, false)                                                       \
  X(2, UNKNOWN, true)                                                          \
  X(3, INVALID_ARGUMENT, false)                                                \
  X(4, DEADLINE_EXCEEDED, true)                                                \
  X(5, NOT_FOUND, false)                                                       \
  X(6, ALREADY_EXISTS, false)                                                  \
  X(7, PERMISSION_DENIED, false)                                               \
  X(8, RESOURCE_EXHAUSTED, true)                                               \
  X(9, FAILED_PRECONDITION, false)                                             \
  X(10, ABORTED, true)                                                         \
  X(11, OUT_OF_RANGE, false)                                                   \
  X(12, UNIMPLEMENTED, false)                                                  \
  X(13, INTERNAL, true)                                                        \
  X(14, UNAVAILABLE, true)                                                     \
  X(15, DATA_LOSS, true)                                                       \
  X(16, UNAUTHENTICATED, false)

typedef enum eown_status {
#define EOWN_STATUS_ENUM(number, name, fault) EOWN_STATUS_##name = number,
  EOWN_STATUS_LIST(EOWN_STATUS_ENUM)
#undef EOWN_STATUS_ENUM
      EOWN_STATUS_N
} eown_status;

/* A set of status codes: bit n stands for code n. */
typedef uint32_t eown_status_set;

/* Returns the status codes that speak of a fault: UNKNOWN, DEADLINE_EXCEEDED,
 * RESOURCE_EXHAUSTED, ABORTED, INTERNAL, UNAVAILABLE and DATA_LOSS. */
eown_status_set eown_status_faults(void);

/* Says whether `set` holds `status`. A number gRPC does not define is held by
 * a set that holds UNKNOWN, as gRPC maps it. */
bool eown_status_set_has(eown_status_set set, eown_status status);

/* Returns the name of `status` ("UNAVAILABLE"), "UNKNOWN" for a number gRPC
 * does not define. The text is static. */
const char *eown_status_name(eown_status status);

/* Finds a status code by its name, of `length` bytes, in any case. Writes it to
 * `*status` (not NULL) and returns true; returns false, and writes nothing,
 * when there is none of that name. */
bool eown_status_parse(const char *name, size_t length, eown_status *status);

#ifdef __cplusplus
}
#endif

#endif /* EOWN_STATUS_H */
