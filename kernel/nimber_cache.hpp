// What a search has found out, within one ceiling of memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "transposition_table.hpp"

// The nimbers of the few components that no key can hold, by all their words. Several threads may
// use it. Beyond its ceiling of memory it forgets them all.
class Large {
 public:
  using Words = std::vector<uint64_t>;

  explicit Large(size_t ceiling) : ceiling_(std::max(ceiling, kLeast)) {}

  int find(const Words& words) const {
    std::lock_guard<std::mutex> alone(gate_);
    const auto entry = nimbers_.find(words);
    return entry == nimbers_.end() ? -1 : entry->second;
  }

  // Returns whether the component is new.
  bool put(const Words& words, int nimber) {
    std::lock_guard<std::mutex> alone(gate_);
    const size_t bytes = sizeof(uint64_t) * words.size() + kOverhead;
    if (bytes_ + bytes > ceiling_) {
      nimbers_.clear();
      bytes_ = 0;
    }
    const bool is_new = nimbers_.emplace(words, nimber).second;
    if (is_new) bytes_ += bytes;
    return is_new;
  }

 private:
  static constexpr size_t kLeast = 1 << 20;
  static constexpr size_t kOverhead = 128;  // bytes of an entry but for its words, about

  const size_t ceiling_;
  mutable std::mutex gate_;
  std::map<Words, int> nimbers_;
  size_t bytes_ = 0;
};

// The nimbers of components, as far as they are known. Several threads may use it.
struct Known {
  explicit Known(size_t memory) : table(memory - memory / 64), large(memory / 64) {}

  Table table;
  Large large;
};
