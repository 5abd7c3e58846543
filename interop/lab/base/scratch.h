/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_SCRATCH_H
#define EOWN_LAB_SCRATCH_H

/* Returns a new folder for throw-away files, made on the first call and removed
 * with its files at the exit of the program. Static text. */
const char *lab_scratch_folder(void);

#endif /* EOWN_LAB_SCRATCH_H */
