/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_PRELOAD_SAY_H
#define EOWN_PRELOAD_SAY_H

/* Writes a line "eown: ..." to standard error, printf style; nothing where
 * EOWN_LOG is 0. */
void eown_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif /* EOWN_PRELOAD_SAY_H */
