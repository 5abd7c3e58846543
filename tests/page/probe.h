/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_PAGE_PROBE_H
#define EOWN_TESTS_PAGE_PROBE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Opens copies of pages, with a script in them, 360 wide, as on a phone, and
 * returns what the scripts found, by page:
 *
 *   {"width":360,"dark":false,"wide":[…],"small":[…],"faint":[…]}
 *
 * what is wider than the screen, text that is shown smaller than 11 pixels, and
 * text whose contrast to its ground is below 4.5. The caller owns it; NULL, and
 * a failure, where it failed. */
json_t *page_probe(const char *const *paths, size_t count, bool dark);

#endif /* EOWN_TESTS_PAGE_PROBE_H */
