/* Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0 */

/* Runs a fuzz target without libFuzzer: over each file of the directories
 * given, and over damages of each that are the same in every run. Fails where a
 * directory holds no file, so that a lost corpus shows. */
#include "fuzz.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

enum { INPUT_MAX = 8192, DAMAGES = 3000 };

static uint64_t random_state;

static uint32_t random_below(uint32_t bound) {
  random_state ^= random_state >> 12;
  random_state ^= random_state << 25;
  random_state ^= random_state >> 27;
  return (uint32_t)(random_state * UINT64_C(2685821657736338717) >> 32) % bound;
}

/* Hands the target a copy of exactly `size` bytes, so that AddressSanitizer
 * sees any read past them. */
static void run(const uint8_t *data, size_t size) {
  uint8_t *exact = malloc(size ? size : 1);
  FUZZ_ASSERT(exact);
  memcpy(exact, data, size);
  LLVMFuzzerTestOneInput(exact, size);
  free(exact);
}

static size_t insert(uint8_t *data, size_t size, size_t at, uint8_t byte) {
  if (size >= INPUT_MAX)
    return size;
  memmove(data + at + 1, data + at, size - at);
  data[at] = byte;
  return size + 1;
}

static size_t duplicate(uint8_t *data, size_t size, size_t at) {
  size_t length = size - at;
  if (length > 64)
    length = 64;
  if (length > INPUT_MAX - size)
    return size;
  memmove(data + size, data + at, length);
  return size + length;
}

/* One change of the bytes; returns the new size. */
static size_t damage(uint8_t *data, size_t size) {
  static const char special[] = "\0\x01\x7f\x80\xff,=>*/ \n+-.019";
  uint8_t byte =
      random_below(2)
          ? (uint8_t)random_below(256)
          : (uint8_t)special[random_below((uint32_t)sizeof special - 1)];
  size_t at = size ? random_below((uint32_t)size) : 0;
  if (size == 0)
    return insert(data, size, 0, byte);
  switch (random_below(6)) {
  case 0:
    data[at] ^= (uint8_t)(1u << random_below(8));
    return size;
  case 1:
    data[at] = byte;
    return size;
  case 2:
    return insert(data, size, at, byte);
  case 3:
    memmove(data + at, data + at + 1, size - at - 1);
    return size - 1;
  case 4:
    return at; /* cut */
  default:
    return duplicate(data, size, at);
  }
}

static void replay(const uint8_t *seed, size_t size) {
  static uint8_t data[INPUT_MAX];
  run(seed, size);
  random_state = 0x5eed;
  for (int i = 0; i < DAMAGES; i++) {
    memcpy(data, seed, size);
    size_t length = size;
    for (uint32_t n = 1 + random_below(4); n > 0; n--)
      length = damage(data, length);
    run(data, length);
  }
}

static int replay_directory(const char *path) {
  static uint8_t data[INPUT_MAX];
  DIR *directory = opendir(path);
  const struct dirent *entry;
  int files = 0;
  FUZZ_ASSERT(directory);
  while ((entry = readdir(directory))) {
    char name[4096];
    struct stat status;
    snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
    if (stat(name, &status) != 0 || !S_ISREG(status.st_mode))
      continue;
    FILE *file = fopen(name, "rb");
    FUZZ_ASSERT(file);
    size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    replay(data, size);
    files++;
  }
  closedir(directory);
  return files;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: %s CORPUS...\n", argv[0]);
    return 2;
  }
  for (int i = 1; i < argc; i++) {
    int files = replay_directory(argv[i]);
    printf("%s: %d files, %d damages of each\n", argv[i], files, DAMAGES);
    if (files == 0)
      return 1;
  }
  return 0;
}
