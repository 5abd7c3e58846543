/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef EOWN_TESTS_MEMORY_FOLDER_H
#define EOWN_TESTS_MEMORY_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A folder of its own for one test. */
typedef struct test_folder {
  char path[64];
} test_folder;

/* Makes it; ends the program where that cannot be done. */
void test_folder_make(test_folder *folder);

/* Removes it with its files. */
void test_folder_remove(const test_folder *folder);

/* Writes the path of a file in it to `path`, of 128 bytes. */
void test_folder_path(const test_folder *folder, const char *name, char *path);

bool test_file_exists(const char *path);
void test_file_write(const char *path, const void *data, size_t size);

/* Reads all of a file; the caller frees it. NULL: there is none. */
uint8_t *test_file_read(const char *path, size_t *size);

/* A clock for tables, in milliseconds; and waiting for something that another
 * thread or process does: false after half a minute. */
uint64_t test_now_ms(void);
bool test_wait(bool (*done)(void *user), void *user);

#endif /* EOWN_TESTS_MEMORY_FOLDER_H */
