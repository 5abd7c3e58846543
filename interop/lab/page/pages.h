/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_PAGES_H
#define EOWN_LAB_PAGES_H

#include "file.h"

#include <jansson.h>

/* Each writes the page of one command's result to `file`, and finishes it; does
 * nothing where `file` is NULL. */
void page_write_chain(page_file *file, const json_t *result);
void page_write_published(page_file *file, const json_t *result);
void page_write_radius(page_file *file, const json_t *result);
void page_write_simulate(page_file *file, const json_t *result);

/* How these commands print numbers, for json_dumps. */
#define PAGE_CHAIN_FLAGS (JSON_COMPACT | JSON_REAL_PRECISION(9))
#define PAGE_PUBLISHED_FLAGS PAGE_CHAIN_FLAGS
#define PAGE_RADIUS_FLAGS PAGE_CHAIN_FLAGS
#define PAGE_SIMULATE_FLAGS (JSON_COMPACT | JSON_REAL_PRECISION(12))

#endif /* EOWN_LAB_PAGES_H */
