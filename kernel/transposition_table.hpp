// A transposition table: a hash table of nimbers, shared by threads, within a memory limit.
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

  // An empty key means that a component does not fit. No component has this key.
  bool is_empty() const { return !(low | high); }

  bool operator==(const Key& other) const { return low == other.low && high == other.high; }

  // All bits affect the upper bits of the hash, which select the bucket.
  uint64_t hash() const {
    const uint64_t h = low * 0x9E3779B97F4A7C15ull + high * 0xBF58476D1CE4E5B9ull;
    return (h ^ (h >> 32)) * 0x94D049BB133111EBull;
  }
};

// Open addressing with buckets of one cache line: three keys and one word that holds their nimbers,
// a version and the bucket's lock. Readers take no lock: if the word is the same before and after
// reading the keys, the keys belong to it. The table grows until it would exceed its memory limit.
// From then on, a new entry evicts the entry of its bucket that took the least work.
class TranspositionTable {
 public:
  explicit TranspositionTable(size_t memory_limit)
      : memory_limit_(std::max(memory_limit, kInitialBuckets * sizeof(Bucket))) {
    rehash(kInitialBuckets);
  }

  TranspositionTable(const TranspositionTable&) = delete;
  TranspositionTable& operator=(const TranspositionTable&) = delete;

  // Threads that share the table hold this mutex, shared, while they call the functions below;
  // `grow` locks it exclusively.
  std::shared_mutex& resize_mutex() { return resize_mutex_; }

  void prefetch(uint64_t hash) const { __builtin_prefetch(&buckets_[bucket_index(hash)]); }

  // Return the nimber of a key, or -1.
  int find(const Key& key, uint64_t hash) const {
    for (size_t at = bucket_index(hash);;) {
      const Bucket& bucket = buckets_[at];
      const uint64_t before = bucket.nimbers.load(std::memory_order_acquire);
      const int found = find_in(bucket, before, key);
      std::atomic_thread_fence(std::memory_order_acquire);
      if ((before & kLocked) || bucket.nimbers.load(std::memory_order_relaxed) != before) continue;
      if (found >= 0 || !is_full(before)) return found;
      at = next_bucket(at);
    }
  }

  // Insert a key with its nimber and the work it took. Return whether the key is new.
  bool insert(const Key& key, uint64_t hash, int nimber, uint64_t work) {
    const uint8_t effort = effort_of(work);
    size_t at = bucket_index(hash);
    const bool evicts = !can_grow_.load(std::memory_order_relaxed) &&
                        count_.load(std::memory_order_relaxed) >= max_entries_;
    for (;; at = next_bucket(at)) {
      Bucket& bucket = buckets_[at];
      const uint64_t before = lock(bucket);
      if (find_in(bucket, before, key) >= 0) {
        unlock(bucket, before);
        return false;
      }
      // Lookups end at a bucket with a free slot, so some buckets must never become full.
      const int slots = evicts && !is_full(before) ? kSlots - 1 : kSlots;
      for (int slot = 0; slot < slots; slot++) {
        if (!byte(before, slot)) {
          write(bucket, before, slot, key, nimber, effort);
          count_.fetch_add(1, std::memory_order_relaxed);
          return true;
        }
      }
      if (evicts) {
        write(bucket, before, least_effort_slot(bucket, slots), key, nimber, effort);
        return true;
      }
      unlock(bucket, before);
    }
  }

  bool needs_to_grow() const {
    return can_grow_.load(std::memory_order_relaxed) &&
           count_.load(std::memory_order_relaxed) >= max_entries_;
  }

  // Grow if the memory limit allows it. The caller must not hold the mutex.
  void grow() {
    std::unique_lock<std::shared_mutex> lock(resize_mutex_);
    if (!needs_to_grow()) return;
    // The old table exists until its entries are copied. The last step uses all remaining memory.
    const size_t available = memory_limit_ / sizeof(Bucket), doubled = 2 * size_;
    const size_t size = 3 * doubled <= available ? doubled : available - size_;
    try {
      if (size >= size_ + size_ / 4) return rehash(size);
    } catch (const std::bad_alloc&) {  // there was less memory than the limit
    }
    can_grow_ = false;
    max_entries_ = size_ * kSlots / 20 * 19;
  }

 private:
  static constexpr int kSlots = 3;
  static constexpr size_t kInitialBuckets = 2048;
  static constexpr uint64_t kNimbers = (1ull << 8 * kSlots) - 1;
  static constexpr uint64_t kLocked = 1ull << 63;
  static constexpr uint64_t kVersion = 1ull << 32;  // a counter in the bits below the lock

  struct alignas(64) Bucket {
    // The nimbers of the slots plus one, from the lowest byte; 0 for an empty slot.
    std::atomic<uint64_t> nimbers;
    std::atomic<uint64_t> keys[2 * kSlots];
    std::atomic<uint8_t> efforts[8];
  };
  static_assert(sizeof(Bucket) == 64);

  struct FreeDeleter {
    void operator()(Bucket* buckets) const { std::free(buckets); }
  };

  static uint8_t byte(uint64_t word, int slot) { return uint8_t(word >> 8 * slot); }
  static bool is_full(uint64_t word) { return byte(word, kSlots - 1) != 0; }

  static uint8_t effort_of(uint64_t work) {
    return uint8_t(64 - __builtin_clzll(work | 1));
  }

  // Branch-free, because the slot of a key is unpredictable. An empty slot gives -1.
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

  static int least_effort_slot(const Bucket& bucket, int slots) {
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

  // Buckets are ordered by hash, so their number need not be a power of two.
  size_t bucket_index(uint64_t hash) const {
    return size_t((static_cast<unsigned __int128>(hash) * size_) >> 64);
  }
  size_t next_bucket(size_t at) const { return at + 1 == size_ ? 0 : at + 1; }

  void rehash(size_t size) {
    auto old = std::move(buckets_);
    const size_t old_size = size_;
    try {
      buckets_ = allocate(size);
    } catch (const std::bad_alloc&) {
      buckets_ = std::move(old);
      throw;
    }
    size_ = size;
    max_entries_ = size * kSlots / 2;
    count_ = 0;
    for (size_t at = 0; at < old_size; at++) {
      const uint64_t word = old[at].nimbers;
      for (int slot = 0; slot < kSlots && byte(word, slot); slot++) {
        const Key key{old[at].keys[2 * slot], old[at].keys[2 * slot + 1]};
        insert(key, key.hash(), byte(word, slot) - 1, 1ull << (old[at].efforts[slot] - 1));
      }
    }
  }

  static std::unique_ptr<Bucket[], FreeDeleter> allocate(size_t size) {
    const size_t bytes = size * sizeof(Bucket), page = size_t(2) << 20;
    const bool is_large = bytes >= 4 * page;
    const size_t rounded = is_large ? (bytes + page - 1) / page * page : bytes;
    void* memory = std::aligned_alloc(is_large ? page : 64, rounded);
    if (memory == nullptr) throw std::bad_alloc();
#if defined(__linux__)
    if (is_large) madvise(memory, rounded, MADV_HUGEPAGE);
#endif
    std::memset(memory, 0, rounded);
    return std::unique_ptr<Bucket[], FreeDeleter>(static_cast<Bucket*>(memory));
  }

  const size_t memory_limit_;
  std::unique_ptr<Bucket[], FreeDeleter> buckets_;
  size_t size_ = 0;
  std::atomic<size_t> max_entries_{0};
  std::atomic<size_t> count_{0};
  std::atomic<bool> can_grow_{true};
  std::shared_mutex resize_mutex_;
};
