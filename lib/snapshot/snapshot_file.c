/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */
#include "eown/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* More than a full table of the largest size takes. */
#define SIZE_LIMIT ((off_t)1 << 29)

static uint64_t wall_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* --- loading ---------------------------------------------------------------
 */

static size_t read_all(int file, uint8_t *data, size_t size) {
  size_t filled = 0;
  while (filled < size) {
    ssize_t got = read(file, data + filled, size - filled);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      break;
    filled += (size_t)got;
  }
  return filled;
}

static eown_snapshot_result load(eown_memory_table *table, int file,
                                 const char *service, uint64_t now_ms) {
  struct stat status;
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))
    return EOWN_SNAPSHOT_UNREADABLE;
  if (status.st_size > SIZE_LIMIT)
    return EOWN_SNAPSHOT_FOREIGN;
  size_t size = (size_t)status.st_size;
  uint8_t *data = malloc(size + 1);
  if (data == NULL)
    return EOWN_SNAPSHOT_NO_MEMORY;
  eown_snapshot_result result =
      read_all(file, data, size) == size
          ? eown_snapshot_decode(table, data, size, service, now_ms, wall_ms())
          : EOWN_SNAPSHOT_UNREADABLE;
  free(data);
  return result;
}

/* A file that is none (a pipe, a device) must not hold the opening up. */
eown_snapshot_result eown_snapshot_load(eown_memory_table *table,
                                        const char *path, const char *service,
                                        uint64_t now_ms) {
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return errno == ENOENT ? EOWN_SNAPSHOT_ABSENT : EOWN_SNAPSHOT_UNREADABLE;
  eown_snapshot_result result = load(table, file, service, now_ms);
  close(file);
  return result;
}

/* --- saving ----------------------------------------------------------------
 */

static bool fail(char *message, size_t size, const char *what,
                 const char *path) {
  snprintf(message, size, "memory file %s: cannot %s: %s", path, what,
           strerror(errno));
  return false;
}

static bool write_all(int file, const uint8_t *data, size_t size) {
  while (size > 0) {
    ssize_t put = write(file, data, size);
    if (put < 0 && errno == EINTR)
      continue;
    if (put <= 0)
      return false;
    data += put;
    size -= (size_t)put;
  }
  return true;
}

static bool sync_folder(const char *path) {
  char copy[PATH_MAX];
  snprintf(copy, sizeof(copy), "%s", path);
  int folder = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0)
    return false;
  bool synced = fsync(folder) == 0;
  close(folder);
  return synced;
}

/* The lock keeps two processes with the same settings from writing into each
 * other's file; it goes with the file descriptor, whatever ends the process. */
static const char *replace(const char *path, const char *new_path,
                           const uint8_t *data, size_t size) {
  int file = open(new_path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0)
    return "make the new file beside it";
  const char *failed = NULL;
  if (flock(file, LOCK_EX | LOCK_NB) != 0)
    failed = "have the new file for itself";
  else if (ftruncate(file, 0) != 0 || !write_all(file, data, size))
    failed = "write the new file";
  else if (fsync(file) != 0)
    failed = "sync the new file";
  else if (rename(new_path, path) != 0)
    failed = "put the new file in its place";
  else if (!sync_folder(path))
    failed = "sync its folder";
  int error = errno;
  close(file);
  errno = error;
  return failed;
}

bool eown_snapshot_save(eown_memory_table *table, const char *path,
                        const char *service, uint64_t now_ms, char *message,
                        size_t size) {
  char new_path[PATH_MAX];
  size_t length;
  uint8_t *data =
      eown_snapshot_encode(table, service, now_ms, wall_ms(), &length);
  if (data == NULL) {
    errno = ENOMEM;
    return fail(message, size, "encode it", path);
  }
  snprintf(new_path, sizeof(new_path), "%s.new", path);
  const char *failed = replace(path, new_path, data, length);
  int error = errno;
  free(data);
  errno = error;
  return failed == NULL || fail(message, size, failed, path);
}
