/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_LAB_PAGE_FILE_H
#define EOWN_LAB_PAGE_FILE_H

#include <stdio.h>

/* A file that appears under its name only once it is whole: until then it has a
 * name of its own in the same folder, and is removed where the program ends
 * before. There is one at a time. */
typedef struct page_file page_file;

/* Begins the file. Ends the program with status 2 and a message that names the
 * file where it cannot be written: call it before the work. NULL for NULL. */
page_file *page_file_open(const char *path);

/* The stream to write to. */
FILE *page_file_stream(const page_file *file);

/* Gives the file its name and frees `file`; ends the program as lab_fail does
 * where what was written did not get to the disk. */
void page_file_finish(page_file *file);

#endif /* EOWN_LAB_PAGE_FILE_H */
