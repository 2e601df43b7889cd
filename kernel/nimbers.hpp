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
#include <map>
#include <mutex>
#include <shared_mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "board.hpp"
#include "table.hpp"

// The nimbers of components, as far as they are known. Several threads may use it.
template <typename Mask>
class Known {
 public:
  explicit Known(size_t memory) : table(memory) {}

  int find(const Query<Mask>& query) {
    if (query.is_packed) {
      std::shared_lock<std::shared_mutex> reading(table.gate());
      return table.find(query.key, query.hash);
    }
    std::lock_guard<std::mutex> alone(large_gate_);
    const auto entry = large_.find(query.position.words());
    return entry == large_.end() ? -1 : entry->second;
  }

  void put(const Query<Mask>& query, int nimber, uint64_t work) {
    bool is_new;
    if (query.is_packed) {
      std::shared_lock<std::shared_mutex> writing(table.gate());
      is_new = table.put(query.key, query.hash, nimber, work);
    } else {
      std::lock_guard<std::mutex> alone(large_gate_);
      is_new = large_.emplace(query.position.words(), nimber).second;
    }
    if (is_new) positions.fetch_add(1, std::memory_order_relaxed);
  }

  Table table;
  std::atomic<uint64_t> positions{0};

 private:
  std::mutex large_gate_;
  std::map<std::vector<uint64_t>, int> large_;  // the few components that no key can hold
};

// One thread's search. `look` is called now and then, and may throw to end it.
template <typename Mask>
class Search {
 public:
  Search(const Board<Mask>& board, Known<Mask>& known, int number, std::function<void()> look)
      : board_(board), known_(known), number_(number), look_(std::move(look)) {}

  int nimber(const Position<Mask>& position) {
    work_out([&] { add(position); });
    return sums_[0];
  }

 private:
  // A position that is not in the table as a whole; its nimber, once its parts are worked out.
  struct Fallen {
    Key key;
    uint64_t hash;
    int move;
    int nimber;

    bool is(const Query<Mask>& query) const {
      return query.is_packed && key.low == query.key.low && key.high == query.key.high;
    }
  };

  // The mex of what the moves of a component lead to.
  int solve(const Query<Mask>& component) {
    if (++solved_ % kLookEvery == 0) look_();
    const size_t first = sums_.size();
    work_out([&] { list_moves(component); });
    std::bitset<kMostNumbers + 2> options;
    for (size_t move = first; move < sums_.size(); move++) options.set(sums_[move]);
    sums_.resize(first);
    int nimber = 0;
    while (options[nimber]) nimber++;
    return nimber;
  }

  void list_moves(const Query<Mask>& component) {
    struct {
      Search& search;
      const Query<Mask>& component;
      void operator()(const Position<Mask>& to) const { search.add(to); }
      void operator()(Mask smooth) const { search.add(component, smooth); }
    } visit{*this, component};
    board_.each_move(component.position, visit);
  }

  // Add a move that leads to a position.
  void add(const Position<Mask>& to) {
    sums_.push_back(to.loose);
    if (!to.smooth) return;
    positions_.emplace_back(to, int(sums_.size() - 1));
    board_.pack(positions_.back());
    fetch(positions_.back());
  }

  // Add a move that takes nothing but smooth numbers.
  void add(const Query<Mask>& from, Mask smooth) {
    sums_.push_back(0);
    if (!smooth) return;
    positions_.push_back(from);
    Query<Mask>& query = positions_.back();
    query.move = int(sums_.size() - 1);
    query.nimber = -1;
    board_.pack_anew(query, smooth);
    fetch(query);
  }

  // List moves, and find the nimbers that they lead to.
  template <typename List>
  void work_out(List list) {
    const size_t first_part = parts_.size(), first_fallen = fallen_.size();
    Table& table = known_.table;
    if (table.wants_to_grow()) table.grow();
    {
      std::shared_lock<std::shared_mutex> reading(table.gate());
      list();
      for (Query<Mask>& query : positions_) look_up(query);
      for (const Query<Mask>& query : positions_) use(query);
      positions_.clear();
      for (size_t at = first_part; at < parts_.size(); at++) look_up(parts_[at]);
    }
    work_out_parts(first_part);
    for (size_t at = first_fallen; at < fallen_.size(); at++) {
      fallen_[at].nimber ^= sums_[fallen_[at].move];
      recent(fallen_[at].hash) = fallen_[at];
    }
    fallen_.resize(first_fallen);
  }

  // Begin to bring the entry for a key to the cache.
  void fetch(const Query<Mask>& query) const { known_.table.prefetch(query.hash); }

  void look_up(Query<Mask>& query) const {
    if (query.is_packed) query.nimber = known_.table.find(query.key, query.hash);
  }

  // Use the nimber of a position, or split it to find out.
  void use(const Query<Mask>& query) {
    if (query.nimber >= 0) {
      sums_[query.move] ^= query.nimber;
    } else if (recent(query.hash).is(query)) {
      sums_[query.move] ^= recent(query.hash).nimber;
    } else {
      if (query.is_packed) {
        fallen_.push_back({query.key, query.hash, query.move, sums_[query.move]});
      }
      split(query);
    }
  }

  void split(const Query<Mask>& query) {
    board_.each_component(query.position, [&](const Position<Mask>& part) {
      if (part.is_single()) {
        sums_[query.move] ^= 1;
      } else {
        parts_.emplace_back(part, query.move);
        board_.pack(parts_.back());
        fetch(parts_.back());
      }
    });
  }

  void work_out_parts(size_t first) {
    const size_t end = parts_.size();
    for (size_t step = 0; step < end - first; step++) {
      // Threads begin at different ends, so that they seldom do the same work.
      const size_t at = number_ % 2 ? end - 1 - step : first + step;
      if (parts_[at].nimber < 0) parts_[at].nimber = component(Query<Mask>(parts_[at]));
      sums_[parts_[at].move] ^= parts_[at].nimber;
    }
    parts_.erase(parts_.begin() + first, parts_.end());
  }

  // The nimber of a component; it may have become known meanwhile.
  int component(const Query<Mask>& query) {
    int nimber = known_.find(query);
    if (nimber < 0) {
      const uint64_t before = solved_;
      nimber = solve(query);
      known_.put(query, nimber, solved_ - before);
    }
    return nimber;
  }

  Fallen& recent(uint64_t hash) { return recent_[hash >> (64 - kRecentBits)]; }

  static constexpr uint64_t kLookEvery = 16;
  static constexpr int kRecentBits = 13;

  const Board<Mask>& board_;
  Known<Mask>& known_;
  const int number_;
  const std::function<void()> look_;
  std::vector<Query<Mask>> positions_;  // after the moves of this level
  std::vector<Query<Mask>> parts_;      // a stack: the components of positions of all levels
  std::vector<int> sums_;               // a stack: the nimbers that moves of all levels lead to
  std::vector<Fallen> fallen_;          // a stack: positions of all levels that were split
  // The same position often comes again soon, and need not be split again.
  std::vector<Fallen> recent_ = std::vector<Fallen>(size_t(1) << kRecentBits);
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
    const uint64_t before = known_.positions;
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
    const auto so_far = [&] { return known_.positions - before; };
    const int found = Search<Mask>(board, known_, 0, [&] { look(so_far()); }).nimber(position);
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
      Search<Mask>(board, known_, number, look).nimber(position);
    } catch (const Stopped&) {
    } catch (const std::bad_alloc&) {  // the first thread goes on alone
    }
  }

  Known<Mask> known_;
};
