/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_ERROR_H
#define EOWN_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif

/* What a function of this library can answer: code and text. Nothing here
 * changes how a call ends: each of them leaves the program as it was. */
#define EOWN_ERROR_LIST(X)                                                     \
  X(OK, "no error")                                                            \
  X(INVALID_ARGUMENT, "an argument is not of the form the function takes")     \
  X(NO_MEMORY, "out of memory")                                                \
  X(TOO_LATE, "gRPC is configured already: call before any channel exists")    \
  X(VERSION, "the gRPC library loaded is not the one eown was built for")      \
  X(NOT_TIED, "the call has no eown filter or no inbound context")

typedef enum eown_error {
#define EOWN_ERROR_ENUM(name, text) EOWN_ERROR_##name,
  EOWN_ERROR_LIST(EOWN_ERROR_ENUM)
#undef EOWN_ERROR_ENUM
      EOWN_ERROR_N
} eown_error;

/* Returns a sentence for `error`; static text, never NULL. */
const char *eown_error_text(eown_error error);

#ifdef __cplusplus
}
#endif

#endif /* EOWN_ERROR_H */
