/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_VERSION_H
#define EOWN_VERSION_H

#ifdef __cplusplus
extern "C" {
#endif

#define EOWN_VERSION_MAJOR 0
#define EOWN_VERSION_MINOR 1
#define EOWN_VERSION_PATCH 0
#define EOWN_VERSION "0.1.0"

/* Returns the version of the library at run time ("0.1.0"); static text. */
const char *eown_version(void);

#ifdef __cplusplus
}
#endif

#endif /* EOWN_VERSION_H */
