/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_BINARY_H
#define EOWN_LAB_BINARY_H

/* Finds the program `name`, whose folder in the build tree is `folder`: in
 * ../folder/ beside the lab's own, else in the lab's own folder, else `name`
 * itself, for PATH. The caller owns the text. */
char *lab_binary_find(const char *folder, const char *name);

#endif /* EOWN_LAB_BINARY_H */
