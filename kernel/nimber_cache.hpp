// The cached nimbers of components, within a memory limit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "transposition_table.hpp"

// The nimbers of the few components that do not fit into a key. Thread-safe. Clears itself when it
// reaches its memory limit.
class OverflowMap {
 public:
  using Words = std::vector<uint64_t>;

  explicit OverflowMap(size_t memory_limit) : memory_limit_(std::max(memory_limit, kMinMemory)) {}

  int find(const Words& words) const {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto entry = nimbers_.find(words);
    return entry == nimbers_.end() ? -1 : entry->second;
  }

  // Return whether the component is new.
  bool insert(const Words& words, int nimber) {
    std::lock_guard<std::mutex> lock(mutex_);
    const size_t bytes = sizeof(uint64_t) * words.size() + kOverhead;
    if (bytes_ + bytes > memory_limit_) {
      nimbers_.clear();
      bytes_ = 0;
    }
    const bool is_new = nimbers_.emplace(words, nimber).second;
    if (is_new) bytes_ += bytes;
    return is_new;
  }

 private:
  static constexpr size_t kMinMemory = 1 << 20;
  static constexpr size_t kOverhead = 128;  // approximate bytes of an entry besides its words

  const size_t memory_limit_;
  mutable std::mutex mutex_;
  std::map<Words, int> nimbers_;
  size_t bytes_ = 0;
};

// All cached nimbers. Threads that share it hold the resize mutex of `table`, shared.
struct NimberCache {
  explicit NimberCache(size_t memory) : table(memory - memory / 64), overflow(memory / 64) {}

  TranspositionTable table;
  OverflowMap overflow;
};
