// Nimbers of games in which taking a number removes others.
//
// The same search as in solve/nimbers.py, which explains the mathematics. The positions after all
// moves of a component are looked up together, so that one entry is fetched from memory while the
// next key is packed.
#pragma once

#include <atomic>
#include <bitset>
#include <cstdint>
#include <functional>
#include <shared_mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "board.hpp"
#include "nimber_cache.hpp"

// The search of one thread. `poll` is called regularly and may throw to end the search.
template <typename Mask>
class NimberSearch {
 public:
  // `evaluated` counts the components that all threads have evaluated.
  NimberSearch(const Board<Mask>& board, NimberCache& cache, std::atomic<uint64_t>& evaluated,
               int thread, std::function<void()> poll)
      : board_(board),
        cache_(cache),
        evaluated_(evaluated),
        thread_(thread),
        poll_(std::move(poll)) {}

  int nimber(const Position<Mask>& position) {
    Options options;
    options.nimbers[0] = position.detached_nimber;
    evaluate_options(options, [&] {
      if (position.smooth) enqueue_lookup(options, 0, position, board_.pack(position));
    });
    return options.nimbers[0];
  }

 private:
  // The nimbers of the positions after each move, as far as they are known.
  struct Options {
    int count = 0;
    int nimbers[kMaxNumbers];

    int mex() const {
      std::bitset<kMaxNumbers + 2> found;
      for (int at = 0; at < count; at++) found.set(nimbers[at]);
      int nimber = 0;
      while (found[nimber]) nimber++;
      return nimber;
    }
  };

  // A position after a move, or a component of one.
  struct Lookup {
    Key key;
    uint64_t hash;  // of the key; for an empty key, the component's index in `oversized_`
    int option;
    int nimber = -1;  // -1 until it is known
  };

  // Return the mex of the options of a component.
  int solve(const Lookup& component) {
    if (++solved_ % kPollInterval == 0) poll_();
    Options options;
    evaluate_options(options, [&] { list_moves(options, component); });
    return options.mex();
  }

  // List the moves of a component.
  void list_moves(Options& options, const Lookup& component) {
    const bool is_packed = !component.key.is_empty();
    const Position<Mask> from =
        is_packed ? board_.unpack(component.key) : oversized_[component.hash];
    board_.for_each_move(from, [&](const Position<Mask>& to, bool has_same_pieces) {
      options.nimbers[options.count] = to.detached_nimber;
      if (to.smooth) {
        enqueue_lookup(options, options.count, to,
                       has_same_pieces && is_packed
                           ? board_.remove_smooth(component.key, from.smooth & ~to.smooth)
                           : board_.pack(to));
      }
      options.count++;
    });
  }

  // Queue the position after a move for lookup. If it does not fit into a key, split it at once.
  void enqueue_lookup(Options& options, int option, const Position<Mask>& to, const Key& key) {
    if (key.is_empty()) return split(options.nimbers[option], option, to);
    const Lookup& lookup = lookups_[lookup_count_++] = {key, key.hash(), option};
    cache_.table.prefetch(lookup.hash);
  }

  // List moves and find the nimbers of the positions they lead to.
  template <typename ListMoves>
  void evaluate_options(Options& options, ListMoves list_moves) {
    const size_t first_component = components_.size(), first_oversized = oversized_.size();
    const size_t first_split = splits_.size();
    TranspositionTable& table = cache_.table;
    if (table.needs_to_grow()) table.grow();
    {
      std::shared_lock<std::shared_mutex> reading(table.resize_mutex());
      list_moves();
      for (int at = 0; at < lookup_count_; at++) resolve(options, lookups_[at]);
      lookup_count_ = 0;
      for (size_t at = first_component; at < components_.size(); at++) {
        components_[at].nimber = find(components_[at]);
      }
    }
    evaluate_components(options, first_component);
    oversized_.erase(oversized_.begin() + first_oversized, oversized_.end());
    for (size_t at = first_split; at < splits_.size(); at++) {
      splits_[at].nimber ^= options.nimbers[splits_[at].option];
      recent_split(splits_[at].hash) = splits_[at];
    }
    splits_.resize(first_split);
  }

  // Use the nimber of a position if it is known; otherwise split the position.
  void resolve(Options& options, const Lookup& lookup) {
    int& option = options.nimbers[lookup.option];
    if (const int nimber = cache_.table.find(lookup.key, lookup.hash); nimber >= 0) {
      option ^= nimber;
    } else if (const Lookup& previous = recent_split(lookup.hash); previous.key == lookup.key) {
      option ^= previous.nimber;
    } else {
      splits_.push_back({lookup.key, lookup.hash, lookup.option, option});
      split(option, lookup.option, board_.unpack(lookup.key));
    }
  }

  void split(int& nimber, int option, const Position<Mask>& position) {
    board_.for_each_component(position, [&](const Position<Mask>& component) {
      if (component.is_single_number()) {
        nimber ^= 1;
      } else if (const Key key = board_.pack(component); key.is_empty()) {
        components_.push_back({key, oversized_.size(), option});
        oversized_.push_back(component);
      } else {
        components_.push_back({key, key.hash(), option});
        cache_.table.prefetch(components_.back().hash);
      }
    });
  }

  void evaluate_components(Options& options, size_t first) {
    const size_t end = components_.size();
    for (size_t step = 0; step < end - first; step++) {
      // Half of the threads start at the other end, so that they seldom do the same work.
      const size_t at = thread_ % 2 ? end - 1 - step : first + step;
      if (components_[at].nimber < 0) {
        components_[at].nimber = evaluate_component(Lookup(components_[at]));
      }
      options.nimbers[components_[at].option] ^= components_[at].nimber;
    }
    components_.resize(first);
  }

  // Return the nimber of a component. Checks the cache again first: another thread may have stored
  // it.
  int evaluate_component(const Lookup& component) {
    TranspositionTable& table = cache_.table;
    {
      std::shared_lock<std::shared_mutex> reading(table.resize_mutex());
      if (const int nimber = find(component); nimber >= 0) return nimber;
    }
    const uint64_t before = solved_;
    const int nimber = solve(component);
    std::shared_lock<std::shared_mutex> writing(table.resize_mutex());
    const bool is_new = component.key.is_empty()
                            ? cache_.overflow.insert(oversized_[component.hash].words(), nimber)
                            : table.insert(component.key, component.hash, nimber, solved_ - before);
    if (is_new) evaluated_.fetch_add(1, std::memory_order_relaxed);
    return nimber;
  }

  // Return the cached nimber of a component, or -1. The caller holds the table's resize mutex.
  int find(const Lookup& component) const {
    return component.key.is_empty() ? cache_.overflow.find(oversized_[component.hash].words())
                                    : cache_.table.find(component.key, component.hash);
  }

  Lookup& recent_split(uint64_t hash) { return recent_splits_[hash >> (64 - kRecentBits)]; }

  static constexpr uint64_t kPollInterval = 16;
  static constexpr int kRecentBits = 13;

  const Board<Mask>& board_;
  NimberCache& cache_;
  std::atomic<uint64_t>& evaluated_;
  const int thread_;
  const std::function<void()> poll_;
  Lookup lookups_[kMaxNumbers];  // positions after the moves at the current depth
  int lookup_count_ = 0;
  std::vector<Lookup> components_;  // a stack: components of positions, all depths
  std::vector<Position<Mask>> oversized_;  // a stack: those that do not fit into a key
  std::vector<Lookup> splits_;  // a stack: positions that were split, all depths
  // The same position often recurs soon; this cache saves splitting it again.
  std::vector<Lookup> recent_splits_ = std::vector<Lookup>(size_t(1) << kRecentBits);
  uint64_t solved_ = 0;
};

// Finds nimbers of one game. A mask has one bit per smooth number.
template <typename Mask>
class Nimbers {
 public:
  Nimbers(Layout<Mask> layout, size_t memory) : board(std::move(layout)), cache_(memory) {}

  // Return the nimber of a position and how many components were evaluated. All threads share one
  // transposition table. `poll` is called regularly with the number of components so far; an
  // exception it throws ends the search.
  std::pair<int, uint64_t> nimber(const Position<Mask>& position, int threads,
                                  const std::function<void(uint64_t)>& poll) {
    const uint64_t before = evaluated_;
    std::atomic<bool> stop{false};
    std::vector<std::thread> helpers;
    struct JoinOnExit {
      std::atomic<bool>& stop;
      std::vector<std::thread>& helpers;
      ~JoinOnExit() {
        stop = true;
        for (std::thread& helper : helpers) helper.join();
      }
    } join_on_exit{stop, helpers};
    try {
      for (int thread = 1; thread < threads; thread++) {
        helpers.emplace_back([&, thread] { run_helper(position, thread, stop); });
      }
    } catch (const std::system_error&) {  // continue with the threads that exist
    }
    const auto evaluated_so_far = [&] { return evaluated_ - before; };
    NimberSearch<Mask> search(board, cache_, evaluated_, 0, [&] { poll(evaluated_so_far()); });
    const int found = search.nimber(position);
    return {found, evaluated_so_far()};
  }

  const Board<Mask> board;

 private:
  struct Stopped {};

  void run_helper(const Position<Mask>& position, int thread, const std::atomic<bool>& stop) {
    const auto poll = [&stop] {
      if (stop) throw Stopped{};
    };
    try {
      NimberSearch<Mask>(board, cache_, evaluated_, thread, poll).nimber(position);
    } catch (const Stopped&) {
    } catch (const std::bad_alloc&) {  // the main thread continues alone
    }
  }

  NimberCache cache_;
  std::atomic<uint64_t> evaluated_{0};  // components evaluated by all threads
};
