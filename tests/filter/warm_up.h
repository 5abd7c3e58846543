/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_FILTER_WARM_UP_H
#define EOWN_TESTS_FILTER_WARM_UP_H

/* Context drops are counted from the first connection on that a server with
 * eown takes. The first call of this function makes one, so that tests count
 * the same in whatever order they run. */
void test_warm_up(void);

#endif /* EOWN_TESTS_FILTER_WARM_UP_H */
