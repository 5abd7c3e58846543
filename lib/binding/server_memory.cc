// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
#include "server_memory.h"

#include <stdlib.h>
#include <string.h>

#include <mutex>
#include <new>
#include <string>

#include "eown/counters.h"
#ifdef EOWN_WITH_REDIS
#include "eown/memory_redis.h"
#endif
#include "eown/snapshot.h"
#include "log.h"
#include "process.h"

namespace eown {
namespace {

// What makes two servers share a memory.
struct Key {
  explicit Key(const eown_settings &s)
      : service(s.service_name), edges(s.memory_edges),
        half_life_ms(s.memory_half_life_ms),
        file(s.memory_file == nullptr ? "" : s.memory_file),
        redis(s.memory_redis == nullptr ? "" : s.memory_redis) {}

  bool operator==(const Key &other) const {
    return service == other.service && edges == other.edges &&
           half_life_ms == other.half_life_ms && file == other.file &&
           redis == other.redis;
  }

  std::string service;
  uint32_t edges;
  uint64_t half_life_ms;
  std::string file;
  std::string redis;
};

struct Memory {
  explicit Memory(const Key &k) : key(k) {}
  Key key;
  eown_memory_table *table = nullptr;
  eown_snapshot_keeper *keeper = nullptr;
  struct eown_memory_share *share = nullptr;
  Memory *next = nullptr;
};

std::mutex *mutex = new std::mutex; // outlives every destructor
Memory *all = nullptr;

void Log(void *, const char *line) { LogError(line); }

void StartKeeper(Memory *memory, const eown_settings &settings) {
  eown_snapshot_options options = {};
  options.table = memory->table;
  options.path = memory->key.file.c_str();
  options.service = memory->key.service.c_str();
  options.interval_ms = settings.memory_file_interval_ms;
  options.now_ms = Now;
  options.log = Log;
  memory->keeper = eown_snapshot_start(&options);
  if (memory->keeper == nullptr)
    LogError("no thread for the memory file: it is not used");
}

#ifdef EOWN_WITH_REDIS
void StartShare(Memory *memory, const eown_settings &settings) {
  eown_memory_share_options options = {};
  options.table = memory->table;
  options.address = memory->key.redis.c_str();
  options.service = memory->key.service.c_str();
  options.interval_ms = settings.memory_redis_interval_ms;
  options.half_life_ms = memory->key.half_life_ms;
  options.edges = memory->key.edges;
  options.now_ms = Now;
  options.log = Log;
  memory->share = eown_memory_share_start(&options);
  if (memory->share == nullptr)
    LogError("no thread for the shared memory: it is not used");
}

void StopShare(Memory *memory) {
  eown_memory_share_stop(memory->share);
  memory->share = nullptr;
}
#else
void StartShare(Memory *, const eown_settings &) {
  eown_count(EOWN_COUNTER_bad_settings);
  LogError("eown.memory_redis is not used: built without Redis");
}

void StopShare(Memory *) {}
#endif

bool FileIsTaken(const Key &key) {
  for (Memory *m = all; m != nullptr; m = m->next) {
    if (m->keeper != nullptr && m->key.file == key.file)
      return true;
  }
  return false;
}

void Start(Memory *memory, const eown_settings &settings) {
  const Key &key = memory->key;
  if (!key.file.empty() && FileIsTaken(key)) {
    eown_count(EOWN_COUNTER_bad_settings);
    LogError(("memory file " + key.file +
              " is another server's of this process: this server's memory is "
              "not saved")
                 .c_str());
  } else if (!key.file.empty()) {
    StartKeeper(memory, settings);
  }
  if (!key.redis.empty())
    StartShare(memory, settings);
}

// At the exit of the process. Calls may still run: the tables stay.
void StopAll() {
  std::lock_guard<std::mutex> lock(*mutex);
  for (Memory *m = all; m != nullptr; m = m->next) {
    StopShare(m);
    eown_snapshot_stop(m->keeper);
    m->keeper = nullptr;
  }
}

Memory *Make(const Key &key, const eown_settings &settings) {
  static const int registered = atexit(StopAll);
  (void)registered;
  auto *memory = new Memory(key);
  memory->table =
      eown_memory_table_create(key.edges, key.half_life_ms, nullptr);
  if (memory->table == nullptr) {
    delete memory;
    return nullptr;
  }
  Start(memory, settings);
  memory->next = all;
  all = memory;
  return memory;
}

Memory *Find(const Key &key) {
  Memory *memory = all;
  while (memory != nullptr && !(memory->key == key))
    memory = memory->next;
  return memory;
}

eown_memory_table *FindOrMake(const eown_settings &settings) {
  Key key(settings);
  std::lock_guard<std::mutex> lock(*mutex);
  Memory *memory = Find(key);
  if (memory == nullptr)
    memory = Make(key, settings);
  return memory == nullptr ? nullptr : memory->table;
}

} // namespace

eown_memory_table *ServerMemory(const eown_settings &settings) {
  if (!settings.memory)
    return nullptr;
  eown_memory_table *table = nullptr;
  try {
    table = FindOrMake(settings);
  } catch (const std::bad_alloc &) {
  }
  if (table == nullptr)
    eown_count(EOWN_COUNTER_no_memory);
  return table;
}

// Memories are added in front and stay: the list behind the first one that was
// seen never changes.
void EachServerMemory(MemoryVisit visit, void *user) {
  mutex->lock();
  const Memory *memory = all;
  mutex->unlock();
  for (; memory != nullptr; memory = memory->next)
    visit(user, memory->key.service.c_str(), memory->table, Now());
}

} // namespace eown
