/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_CERTIFICATE_H
#define EOWN_LAB_CERTIFICATE_H

/* Makes throw-away certificates with the openssl command in the scratch folder,
 * under the names that common/tls.h reads, and returns the folder; static
 * text. */
const char *lab_certificate_make(void);

#endif /* EOWN_LAB_CERTIFICATE_H */
