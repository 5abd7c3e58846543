/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_FILTER_LOG_H
#define EOWN_TESTS_FILTER_LOG_H

/* From here on, gRPC's log is kept, and not printed, for lines with "eown: " in
 * them; what was kept before is forgotten. */
void test_log_keep(void);

/* The lines kept, one after the other, ended by newlines, up to a stated size.
 * Not to be called while calls are being made. */
const char *test_log_text(void);

#endif /* EOWN_TESTS_FILTER_LOG_H */
