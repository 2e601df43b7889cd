// A hash table of nimbers that several threads share and that keeps to a ceiling of memory.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <shared_mutex>

#if defined(__linux__)
#include <sys/mman.h>
#endif

// A component, packed without loss.
struct Key {
  uint64_t low, high;

  // Whether it stands for a component that no key can hold. (No other is empty.)
  bool is_none() const { return !(low | high); }

  bool operator==(const Key& other) const { return low == other.low && high == other.high; }

  // Every bit counts for the upper bits of the hash, which choose the bucket.
  uint64_t hash() const {
    const uint64_t h = low * 0x9E3779B97F4A7C15ull + high * 0xBF58476D1CE4E5B9ull;
    return (h ^ (h >> 32)) * 0x94D049BB133111EBull;
  }
};

// Open addressing by buckets of one cache line: three keys, and one word with their nimbers, which
// is also the bucket's lock. A bucket is read without a lock: if its word is the same before and
// after, so were the keys. The table grows until it would pass its ceiling; from then on a new
// entry takes the place of the one in its bucket that took the least work.
class Table {
 public:
  explicit Table(size_t ceiling) : ceiling_(std::max(ceiling, kFirst * sizeof(Bucket))) {
    replace_with(kFirst);
  }

  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  // Whoever uses the functions below holds this, shared: the table grows under it alone.
  std::shared_mutex& gate() { return gate_; }

  void prefetch(uint64_t hash) const { __builtin_prefetch(&buckets_[place(hash)]); }

  // The nimber of a key, or -1.
  int find(const Key& key, uint64_t hash) const {
    for (size_t at = place(hash);;) {
      const Bucket& bucket = buckets_[at];
      const uint64_t before = bucket.nimbers.load(std::memory_order_acquire);
      const int found = find_in(bucket, before, key);
      std::atomic_thread_fence(std::memory_order_acquire);
      if ((before & kLocked) || bucket.nimbers.load(std::memory_order_relaxed) != before) continue;
      if (found >= 0 || !is_full(before)) return found;
      at = following(at);
    }
  }

  // Put in a key with its nimber and the work it took. Returns whether it is new.
  bool put(const Key& key, uint64_t hash, int nimber, uint64_t work) {
    const uint8_t effort = effort_of(work);
    size_t at = place(hash);
    const bool forgets = !may_grow_.load(std::memory_order_relaxed) &&
                         count_.load(std::memory_order_relaxed) >= most_;
    for (;; at = following(at)) {
      Bucket& bucket = buckets_[at];
      const uint64_t before = lock(bucket);
      if (find_in(bucket, before, key) >= 0) {
        unlock(bucket, before);
        return false;
      }
      // A search for a key ends at a bucket that is not full, so some must never be.
      const int slots = forgets && !is_full(before) ? kSlots - 1 : kSlots;
      for (int slot = 0; slot < slots; slot++) {
        if (!byte(before, slot)) {
          write(bucket, before, slot, key, nimber, effort);
          count_.fetch_add(1, std::memory_order_relaxed);
          return true;
        }
      }
      if (forgets) {
        write(bucket, before, cheapest(bucket, slots), key, nimber, effort);
        return true;
      }
      unlock(bucket, before);
    }
  }

  bool wants_to_grow() const {
    return may_grow_.load(std::memory_order_relaxed) &&
           count_.load(std::memory_order_relaxed) >= most_;
  }

  // Grow, or find out that there is no room to. Nobody may hold the gate.
  void grow() {
    std::unique_lock<std::shared_mutex> alone(gate_);
    if (!wants_to_grow()) return;
    // For a while the old table is there as well. The last step takes all the room there is.
    const size_t room = ceiling_ / sizeof(Bucket), twice = 2 * size_;
    const size_t size = 3 * twice <= room ? twice : room - size_;
    try {
      if (size >= size_ + size_ / 4) return replace_with(size);
    } catch (const std::bad_alloc&) {  // less room than was thought
    }
    may_grow_ = false;
    most_ = size_ * kSlots / 20 * 19;
  }

 private:
  static constexpr int kSlots = 3;
  static constexpr size_t kFirst = 2048;
  static constexpr uint64_t kNimbers = (1ull << 8 * kSlots) - 1;
  static constexpr uint64_t kLocked = 1ull << 63;
  static constexpr uint64_t kVersion = 1ull << 32;  // a counter that fills the bits up to the lock

  struct alignas(64) Bucket {
    // From the lowest byte: the nimbers of the slots, plus one, 0 where a slot is empty.
    std::atomic<uint64_t> nimbers;
    std::atomic<uint64_t> keys[2 * kSlots];
    std::atomic<uint8_t> efforts[8];
  };
  static_assert(sizeof(Bucket) == 64);

  struct Freeing {
    void operator()(Bucket* buckets) const { std::free(buckets); }
  };

  static uint8_t byte(uint64_t word, int slot) { return uint8_t(word >> 8 * slot); }
  static bool is_full(uint64_t word) { return byte(word, kSlots - 1) != 0; }

  static uint8_t effort_of(uint64_t work) {
    return uint8_t(64 - __builtin_clzll(work | 1));
  }

  // Without a branch, for nothing tells in which slot a key is. An empty slot has no nimber.
  static int find_in(const Bucket& bucket, uint64_t word, const Key& key) {
    int found = kSlots;
#pragma GCC unroll 3
    for (int slot = 0; slot < kSlots; slot++) {
      const uint64_t low = bucket.keys[2 * slot].load(std::memory_order_relaxed);
      const uint64_t high = bucket.keys[2 * slot + 1].load(std::memory_order_relaxed);
      found = (low ^ key.low) | (high ^ key.high) ? found : slot;
    }
    return byte(word & kNimbers, found) - 1;
  }

  static int cheapest(const Bucket& bucket, int slots) {
    int found = 0;
    for (int slot = 1; slot < slots; slot++) {
      if (bucket.efforts[slot].load(std::memory_order_relaxed) <
          bucket.efforts[found].load(std::memory_order_relaxed)) {
        found = slot;
      }
    }
    return found;
  }

  static uint64_t lock(Bucket& bucket) {
    for (;;) {
      uint64_t word = bucket.nimbers.load(std::memory_order_relaxed);
      if (!(word & kLocked) &&
          bucket.nimbers.compare_exchange_weak(word, word | kLocked, std::memory_order_acquire)) {
        std::atomic_thread_fence(std::memory_order_release);
        return word;
      }
    }
  }

  static void unlock(Bucket& bucket, uint64_t word) {
    bucket.nimbers.store(word, std::memory_order_release);
  }

  static void write(Bucket& bucket, uint64_t word, int slot, const Key& key, int nimber,
                    uint8_t effort) {
    bucket.keys[2 * slot].store(key.low, std::memory_order_relaxed);
    bucket.keys[2 * slot + 1].store(key.high, std::memory_order_relaxed);
    bucket.efforts[slot].store(effort, std::memory_order_relaxed);
    word &= ~(0xFFull << 8 * slot);
    word |= uint64_t(nimber + 1) << 8 * slot;
    unlock(bucket, (word + kVersion) & ~kLocked);
  }

  // Buckets follow the order of hashes, so the size need not be a power of two.
  size_t place(uint64_t hash) const {
    return size_t((static_cast<unsigned __int128>(hash) * size_) >> 64);
  }
  size_t following(size_t at) const { return at + 1 == size_ ? 0 : at + 1; }

  void replace_with(size_t size) {
    auto old = std::move(buckets_);
    const size_t old_size = size_;
    try {
      buckets_ = allocate(size);
    } catch (const std::bad_alloc&) {
      buckets_ = std::move(old);
      throw;
    }
    size_ = size;
    most_ = size * kSlots / 2;
    count_ = 0;
    for (size_t at = 0; at < old_size; at++) {
      const uint64_t word = old[at].nimbers;
      for (int slot = 0; slot < kSlots && byte(word, slot); slot++) {
        const Key key{old[at].keys[2 * slot], old[at].keys[2 * slot + 1]};
        put(key, key.hash(), byte(word, slot) - 1, 1ull << (old[at].efforts[slot] - 1));
      }
    }
  }

  static std::unique_ptr<Bucket[], Freeing> allocate(size_t size) {
    const size_t bytes = size * sizeof(Bucket), page = size_t(2) << 20;
    const bool is_large = bytes >= 4 * page;
    const size_t rounded = is_large ? (bytes + page - 1) / page * page : bytes;
    void* room = std::aligned_alloc(is_large ? page : 64, rounded);
    if (room == nullptr) throw std::bad_alloc();
#if defined(__linux__)
    if (is_large) madvise(room, rounded, MADV_HUGEPAGE);
#endif
    std::memset(room, 0, rounded);
    return std::unique_ptr<Bucket[], Freeing>(static_cast<Bucket*>(room));
  }

  const size_t ceiling_;
  std::unique_ptr<Bucket[], Freeing> buckets_;
  size_t size_ = 0;
  std::atomic<size_t> most_{0};
  std::atomic<size_t> count_{0};
  std::atomic<bool> may_grow_{true};
  std::shared_mutex gate_;
};
