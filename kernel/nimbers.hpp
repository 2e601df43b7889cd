// Nimbers of games in which taking a number rules others out.
//
// The same search as in solve/nimbers.py, where the mathematics is explained. What all the moves of
// a component lead to is looked up together, so that the memory fetches one entry while the next
// key is made.
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

// One thread's search. `look` is called now and then, and may throw to end it.
template <typename Mask>
class Search {
 public:
  // `positions` counts the components that all threads have worked out.
  Search(const Board<Mask>& board, Known& known, std::atomic<uint64_t>& positions, int number,
         std::function<void()> look)
      : board_(board),
        known_(known),
        positions_worked_out_(positions),
        number_(number),
        look_(std::move(look)) {}

  int nimber(const Position<Mask>& position) {
    Options options;
    options.nimbers[0] = position.loose;
    work_out(options, [&] {
      if (position.smooth) ask(options, 0, position, board_.pack(position));
    });
    return options.nimbers[0];
  }

 private:
  // The nimbers that moves lead to, as far as they are known.
  struct Options {
    int count = 0;
    int nimbers[kMostNumbers];

    int mex() const {
      std::bitset<kMostNumbers + 2> found;
      for (int at = 0; at < count; at++) found.set(nimbers[at]);
      int nimber = 0;
      while (found[nimber]) nimber++;
      return nimber;
    }
  };

  // A position that a move leads to, or a component of one.
  struct Query {
    Key key;
    uint64_t hash;  // of the key; where there is none, the place of the component in `large_`
    int option;
    int nimber = -1;  // until it is known
  };

  // The mex of what the moves of a component lead to.
  int solve(const Query& component) {
    if (++solved_ % kLookEvery == 0) look_();
    Options options;
    work_out(options, [&] { list(options, component); });
    return options.mex();
  }

  // List the moves of a component.
  void list(Options& options, const Query& component) {
    const bool is_packed = !component.key.is_none();
    const Position<Mask> from = is_packed ? board_.unpack(component.key) : large_[component.hash];
    board_.each_move(from, [&](const Position<Mask>& to, bool has_same_pieces) {
      options.nimbers[options.count] = to.loose;
      if (to.smooth) {
        ask(options, options.count, to,
            has_same_pieces && is_packed
                ? board_.without(component.key, from.smooth & ~to.smooth)
                : board_.pack(to));
      }
      options.count++;
    });
  }

  // Begin to look up a position that a move leads to. Without a key it is split at once.
  void ask(Options& options, int option, const Position<Mask>& to, const Key& key) {
    if (key.is_none()) return split(options.nimbers[option], option, to);
    const Query& query = positions_[asked_++] = {key, key.hash(), option};
    known_.table.prefetch(query.hash);
  }

  // List moves, and find the nimbers that they lead to.
  template <typename List>
  void work_out(Options& options, List list) {
    const size_t first_part = parts_.size(), first_large = large_.size();
    const size_t first_fallen = fallen_.size();
    Table& table = known_.table;
    if (table.wants_to_grow()) table.grow();
    {
      std::shared_lock<std::shared_mutex> reading(table.gate());
      list();
      for (int at = 0; at < asked_; at++) use(options, positions_[at]);
      asked_ = 0;
      for (size_t at = first_part; at < parts_.size(); at++) parts_[at].nimber = find(parts_[at]);
    }
    work_out_parts(options, first_part);
    large_.erase(large_.begin() + first_large, large_.end());
    for (size_t at = first_fallen; at < fallen_.size(); at++) {
      fallen_[at].nimber ^= options.nimbers[fallen_[at].option];
      recent(fallen_[at].hash) = fallen_[at];
    }
    fallen_.resize(first_fallen);
  }

  // Use the nimber of a position, or split it to find out.
  void use(Options& options, const Query& query) {
    int& option = options.nimbers[query.option];
    if (const int nimber = known_.table.find(query.key, query.hash); nimber >= 0) {
      option ^= nimber;
    } else if (const Query& same = recent(query.hash); same.key == query.key) {
      option ^= same.nimber;
    } else {
      fallen_.push_back({query.key, query.hash, query.option, option});
      split(option, query.option, board_.unpack(query.key));
    }
  }

  void split(int& nimber, int option, const Position<Mask>& position) {
    board_.each_component(position, [&](const Position<Mask>& part) {
      if (part.is_single()) {
        nimber ^= 1;
      } else if (const Key key = board_.pack(part); key.is_none()) {
        parts_.push_back({key, large_.size(), option});
        large_.push_back(part);
      } else {
        parts_.push_back({key, key.hash(), option});
        known_.table.prefetch(parts_.back().hash);
      }
    });
  }

  void work_out_parts(Options& options, size_t first) {
    const size_t end = parts_.size();
    for (size_t step = 0; step < end - first; step++) {
      // Threads begin at different ends, so that they seldom do the same work.
      const size_t at = number_ % 2 ? end - 1 - step : first + step;
      if (parts_[at].nimber < 0) parts_[at].nimber = work_out_component(Query(parts_[at]));
      options.nimbers[parts_[at].option] ^= parts_[at].nimber;
    }
    parts_.resize(first);
  }

  // The nimber of a component; it may have become known meanwhile.
  int work_out_component(const Query& component) {
    Table& table = known_.table;
    {
      std::shared_lock<std::shared_mutex> reading(table.gate());
      if (const int known = find(component); known >= 0) return known;
    }
    const uint64_t before = solved_;
    const int nimber = solve(component);
    std::shared_lock<std::shared_mutex> writing(table.gate());
    const bool is_new = component.key.is_none()
                            ? known_.large.put(large_[component.hash].words(), nimber)
                            : table.put(component.key, component.hash, nimber, solved_ - before);
    if (is_new) positions_worked_out_.fetch_add(1, std::memory_order_relaxed);
    return nimber;
  }

  // The nimber of a component if it is known, otherwise -1. The gate of the table is held.
  int find(const Query& component) const {
    return component.key.is_none() ? known_.large.find(large_[component.hash].words())
                                   : known_.table.find(component.key, component.hash);
  }

  Query& recent(uint64_t hash) { return recent_[hash >> (64 - kRecentBits)]; }

  static constexpr uint64_t kLookEvery = 16;
  static constexpr int kRecentBits = 13;

  const Board<Mask>& board_;
  Known& known_;
  std::atomic<uint64_t>& positions_worked_out_;
  const int number_;
  const std::function<void()> look_;
  Query positions_[kMostNumbers];      // after the moves of this level
  int asked_ = 0;                      // how many they are
  std::vector<Query> parts_;           // a stack: the components of positions of all levels
  std::vector<Position<Mask>> large_;  // a stack: those of them that no key can hold
  std::vector<Query> fallen_;          // a stack: positions of all levels that were split
  // The same position often comes again soon, and need not be split again.
  std::vector<Query> recent_ = std::vector<Query>(size_t(1) << kRecentBits);
  uint64_t solved_ = 0;
};

// The nimbers of one game. A mask has a bit for every smooth number.
template <typename Mask>
class Nimbers {
 public:
  Nimbers(Layout<Mask> layout, size_t memory) : board(std::move(layout)), known_(memory) {}

  // The nimber of a position, and how many components were worked out for it, by several threads
  // over one table. `look` hears now and then how many; what it throws ends the search.
  std::pair<int, uint64_t> nimber(const Position<Mask>& position, int threads,
                                  const std::function<void(uint64_t)>& look) {
    const uint64_t before = positions_;
    std::atomic<bool> stop{false};
    std::vector<std::thread> others;
    struct Joining {
      std::atomic<bool>& stop;
      std::vector<std::thread>& others;
      ~Joining() {
        stop = true;
        for (std::thread& other : others) other.join();
      }
    } joining{stop, others};
    try {
      for (int number = 1; number < threads; number++) {
        others.emplace_back([&, number] { help(position, number, stop); });
      }
    } catch (const std::system_error&) {  // no more threads to be had
    }
    const auto so_far = [&] { return positions_ - before; };
    Search<Mask> search(board, known_, positions_, 0, [&] { look(so_far()); });
    const int found = search.nimber(position);
    return {found, so_far()};
  }

  const Board<Mask> board;

 private:
  struct Stopped {};

  void help(const Position<Mask>& position, int number, const std::atomic<bool>& stop) {
    const auto look = [&stop] {
      if (stop) throw Stopped{};
    };
    try {
      Search<Mask>(board, known_, positions_, number, look).nimber(position);
    } catch (const Stopped&) {
    } catch (const std::bad_alloc&) {  // the first thread goes on alone
    }
  }

  Known known_;
  std::atomic<uint64_t> positions_{0};  // components that were worked out
};
