/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_FILTER_REFUSED_H
#define EOWN_TESTS_FILTER_REFUSED_H

/* Checks that gRPC works as without eown, whatever the channel arguments say,
 * in a process where eown was not registered. */
void test_refused_check(void);

#endif /* EOWN_TESTS_FILTER_REFUSED_H */
