/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_PAGE_FOLDER_H
#define EOWN_TESTS_PAGE_FOLDER_H

/* Returns the path of a name in a folder for throw-away files, which is removed
 * at the end of the program. The caller owns it. */
char *page_folder_path(const char *name);

/* How many entries the folder has whose name begins with `prefix`. */
int page_folder_count(const char *prefix);

/* Reads and writes whole text files; ends the program where that cannot be. The
 * caller owns what is read. */
char *page_file_read(const char *path);
void page_file_write(const char *path, const char *text);

/* printf into a text that the caller owns. */
char *page_format(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

#endif /* EOWN_TESTS_PAGE_FOLDER_H */
