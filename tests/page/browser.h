/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_PAGE_BROWSER_H
#define EOWN_TESTS_PAGE_BROWSER_H

#include "run.h"

#include <stdbool.h>

/* Opens a file in Chromium, without a window and without a network, and takes
 * the page as it is once it has loaded (`output`) and what was said meanwhile
 * (`errors`). Fails the test where there is no Chromium. Free it with
 * e2e_run_clear. */
void page_browser_open(const char *path, bool dark, e2e_run *run);

/* Whether the page wrote something to its console, as for any error in it. */
bool page_browser_complained(const e2e_run *run);

#endif /* EOWN_TESTS_PAGE_BROWSER_H */
