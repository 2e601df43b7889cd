// Nimbers of games in which taking a number rules others out.
//
// The same search as in solve/nimbers.py, where the mathematics is explained. A component is its
// smooth numbers and the sorted pieces of its columns, packed into a key. What all its moves lead
// to is looked up together, so that the memory fetches one entry while the next key is made.
#pragma once

#include <algorithm>
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

#include "pieces.hpp"
#include "table.hpp"

constexpr int kMostMultipliers = 14;
constexpr int kMostPieces = 96;
constexpr int kMostNumbers = 254;  // so that every nimber, and one more, fits a byte

// The nimbers of one game. A mask has a bit for every smooth number.
template <typename Mask>
class Nimbers {
 public:
  Nimbers(Layout<Mask> layout, size_t memory)
      : layout_(std::move(layout)),
        pieces_(layout_),
        smooth_ties_(layout_.smooth_ties()),
        equals_cancel_(columns_take_only_themselves(layout_)),
        table_(memory) {}

  // Whether a position is one of the game, and small enough.
  bool holds(Wide smooth, const std::vector<uint32_t>& patterns) const {
    int numbers = 0;
    for (const uint32_t pattern : patterns) {
      if (pattern >> layout_.multipliers()) return false;
      numbers += __builtin_popcount(pattern);
    }
    const size_t size = smooth_ties_.size();
    return (size == 128 || !(smooth >> size)) && numbers <= kMostPieces;
  }

  // The nimber of a position, and how many components were worked out for it, by several threads
  // over one table. `look` hears now and then how many; what it throws ends the search.
  std::pair<int, uint64_t> nimber(Mask smooth, const std::vector<uint32_t>& patterns, int threads,
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
        others.emplace_back([&, number] { help(smooth, patterns, number, stop); });
      }
    } catch (const std::system_error&) {  // no more threads to be had
    }
    const int found = Search(*this, 0, [&] { look(positions_ - before); }).of(smooth, patterns);
    return {found, positions_ - before};
  }

 private:
  using Id = typename Pieces<Mask>::Id;

  // Numbers that are playable; the pieces are in descending order.
  struct Position {
    Mask smooth;
    int count;
    Id pieces[kMostPieces];

    Position() {}  // the pieces are written before they are read
    Position(const Position& other) { *this = other; }
    Position& operator=(const Position& other) {
      smooth = other.smooth;
      count = other.count;
      std::copy_n(other.pieces, count, pieces);
      return *this;
    }
  };

  // Something to look up: the position after a move, or a component of it.
  struct Query {
    int move;
    int nimber;  // -1 until it is known
    bool is_packed;
    Key key;
    uint64_t hash;
    Position position;

    Query(int move, const Position& position) : move(move), nimber(-1), position(position) {}
  };

  struct Stopped {};

  // One thread's search.
  class Search {
   public:
    Search(Nimbers& game, int number, std::function<void()> look)
        : game_(game), number_(number), look_(std::move(look)) {}

    int of(Mask smooth, const std::vector<uint32_t>& patterns) {
      work_out([&] {
        Position position;
        begin_move(position, smooth);
        for (const uint32_t pattern : patterns) add_pattern(position, pattern);
        end_move(position);
      });
      return sums_[0];
    }

   private:
    // A position that is not in the table as a whole; its nimber, once its parts are worked out.
    struct Fallen {
      Key key;
      uint64_t hash;
      int move;
      int nimber;

      bool is(const Query& query) const {
        return query.is_packed && key.low == query.key.low && key.high == query.key.high;
      }
    };

    static size_t place(uint64_t hash) { return hash >> (64 - kRecentBits); }

    // The mex of what the moves of a component lead to.
    int solve(const Query& component) {
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

    void list_moves(const Query& component) {
      const Layout<Mask>& layout = game_.layout_;
      const Position& from = component.position;
      Position to;
      for (Mask rest = from.smooth; rest; rest &= rest - 1) {
        const int index = lowest(rest);
        const Mask smooth = from.smooth & ~layout.smooth_takes_smooth[index];
        if (!layout.smooth_takes_column[index] && keeps_pieces(from, smooth)) {
          add_smooth_move(component, smooth);
          continue;
        }
        begin_move(to, smooth);
        for (int at = 0; at < from.count; at++) {
          add_rest(to, from.pieces[at], layout.smooth_takes_column[index]);
        }
        end_move(to);
      }
      for (int at = 0; at < from.count; at++) {
        if (at && from.pieces[at] == from.pieces[at - 1]) continue;  // the same moves again
        for (uint32_t rest = game_.pieces_[from.pieces[at]].pattern; rest; rest &= rest - 1) {
          const int k = __builtin_ctz(rest);
          begin_move(to, from.smooth & ~layout.column_takes_smooth[k]);
          for (int other = 0; other < from.count; other++) {
            add_rest(to, from.pieces[other], other == at ? layout.column_takes_column[k] : 0);
          }
          end_move(to);
        }
      }
    }

    // Whether every piece is still tied to one of the smooth numbers.
    bool keeps_pieces(const Position& position, Mask smooth) const {
      return std::all_of(position.pieces, position.pieces + position.count,
                         [&](Id id) { return (game_.pieces_[id].ties & smooth) != 0; });
    }

    // Add a move that leaves all pieces as they are, and with them the upper part of the key.
    void add_smooth_move(const Query& from, Mask smooth) {
      sums_.push_back(0);
      if (!smooth) return;
      positions_.push_back(from);
      Query& query = positions_.back();
      query.move = int(sums_.size() - 1);
      query.position.smooth = smooth;
      game_.take_out(query, from.position.smooth & ~smooth);
      fetch(query);
    }

    void begin_move(Position& to, Mask smooth) {
      sums_.push_back(0);
      to.smooth = smooth;
      to.count = 0;
    }

    void end_move(const Position& to) {
      if (!to.smooth) return;
      positions_.emplace_back(int(sums_.size() - 1), to);
      game_.pack(positions_.back());
      fetch(positions_.back());
    }

    // Add what is left of a piece when some multipliers are gone.
    void add_rest(Position& to, Id id, uint32_t gone) {
      const uint32_t pattern = game_.pieces_[id].pattern;
      if (pattern & gone) {
        add_pattern(to, pattern & ~gone);
      } else {
        add_piece(to, id);
      }
    }

    void add_pattern(Position& to, uint32_t pattern) {
      for (const Id id : game_.pieces_.of(pattern)) add_piece(to, id);
    }

    // Put a piece in its place, or count it if nothing is tied to it.
    void add_piece(Position& to, Id id) {
      const auto& piece = game_.pieces_[id];
      if (!(piece.ties & to.smooth)) {
        sums_.back() ^= piece.nimber;
        return;
      }
      Id* const end = to.pieces + to.count;
      Id* place = end;
      while (place != to.pieces && place[-1] < id) place--;
      if (game_.equals_cancel_ && place != to.pieces && place[-1] == id) {
        std::copy(place, end, place - 1);
        to.count--;
      } else {
        std::copy_backward(place, end, end + 1);
        *place = id;
        to.count++;
      }
    }

    // List moves, and find the nimbers that they lead to.
    template <typename List>
    void work_out(List list) {
      const size_t first_part = parts_.size(), first_fallen = fallen_.size();
      if (game_.table_.wants_to_grow()) game_.table_.grow();
      {
        std::shared_lock<std::shared_mutex> reading(game_.table_.gate());
        list();
        for (Query& query : positions_) look_up(query);
        for (const Query& query : positions_) use(query);
        positions_.clear();
        for (size_t at = first_part; at < parts_.size(); at++) look_up(parts_[at]);
      }
      work_out_parts(first_part);
      for (size_t at = first_fallen; at < fallen_.size(); at++) {
        fallen_[at].nimber ^= sums_[fallen_[at].move];
        recent_[place(fallen_[at].hash)] = fallen_[at];
      }
      fallen_.resize(first_fallen);
    }

    // The entry is on its way to the cache since the key was made; see `fetch`.
    void look_up(Query& query) const {
      if (query.is_packed) query.nimber = game_.table_.find(query.key, query.hash);
    }

    void fetch(const Query& query) const { game_.table_.prefetch(query.hash); }

    // Use the nimber of a position, or split it to find out.
    void use(const Query& query) {
      if (query.nimber >= 0) {
        sums_[query.move] ^= query.nimber;
      } else if (const Fallen& recent = recent_[place(query.hash)]; recent.is(query)) {
        sums_[query.move] ^= recent.nimber;
      } else {
        if (query.is_packed) {
          fallen_.push_back({query.key, query.hash, query.move, sums_[query.move]});
        }
        split(query);
      }
    }

    void work_out_parts(size_t first) {
      const size_t end = parts_.size();
      for (size_t step = 0; step < end - first; step++) {
        // Threads begin at different ends, so that they seldom do the same work.
        const size_t at = number_ % 2 ? end - 1 - step : first + step;
        if (parts_[at].nimber < 0) parts_[at].nimber = component(Query(parts_[at]));
        sums_[parts_[at].move] ^= parts_[at].nimber;
      }
      parts_.erase(parts_.begin() + first, parts_.end());
    }

    // Split the position after a move into components.
    void split(const Query& query) {
      Position rest(query.position);
      while (rest.smooth) {
        const Mask together = component_of(rest);
        Position part;
        part.smooth = together;
        part.count = 0;
        int left = 0;
        for (int at = 0; at < rest.count; at++) {
          const Id id = rest.pieces[at];
          if (game_.pieces_[id].ties & together) {
            part.pieces[part.count++] = id;
          } else {
            rest.pieces[left++] = id;
          }
        }
        rest.count = left;
        rest.smooth &= ~together;
        if (!part.count && !(together & (together - 1))) {
          sums_[query.move] ^= 1;  // a single number
        } else {
          parts_.emplace_back(query.move, part);
          game_.pack(parts_.back());
          fetch(parts_.back());
        }
      }
    }

    // The smooth numbers that hang together with the first one.
    Mask component_of(const Position& position) const {
      const Mask all = position.smooth;
      Mask together = all & -all, frontier = together;
      while (frontier) {
        while (frontier) {
          const Mask more = game_.smooth_ties_[lowest(frontier)] & all & ~together;
          together |= more;
          if (together == all) return all;
          frontier = (frontier & (frontier - 1)) | more;
        }
        for (int at = 0; at < position.count; at++) {
          const Mask ties = game_.pieces_[position.pieces[at]].ties & all;
          if ((ties & together) && (ties & ~together)) {
            frontier |= ties & ~together;
            together |= ties;
          }
        }
      }
      return together;
    }

    // The nimber of a component, unless it has become known meanwhile.
    int component(const Query& query) {
      int nimber = game_.found(query);
      if (nimber < 0) {
        const uint64_t before = solved_;
        nimber = solve(query);
        game_.keep(query, nimber, solved_ - before);
      }
      return nimber;
    }

    static constexpr uint64_t kLookEvery = 16;
    static constexpr int kRecentBits = 13;

    Nimbers& game_;
    const int number_;
    const std::function<void()> look_;
    std::vector<Query> positions_;  // after the moves of this level
    std::vector<Query> parts_;      // a stack: the components of the positions of all levels
    std::vector<int> sums_;         // a stack: the nimbers that the moves of all levels lead to
    std::vector<Fallen> fallen_;    // a stack: positions of all levels that were split
    // The same position often comes again soon, and need not be split again.
    std::vector<Fallen> recent_ = std::vector<Fallen>(size_t(1) << kRecentBits);
    uint64_t solved_ = 0;
  };

  void help(Mask smooth, const std::vector<uint32_t>& patterns, int number,
            const std::atomic<bool>& stop) {
    try {
      Search(*this, number, [&stop] { if (stop) throw Stopped{}; }).of(smooth, patterns);
    } catch (const Stopped&) {
    } catch (const std::bad_alloc&) {  // the first thread goes on alone
    }
  }

  // If taking a number of a column takes nothing outside of it, two equal pieces are worth nothing
  // together: a move in one of them is answered by the same move in the other, and every other
  // move does the same to both.
  static bool columns_take_only_themselves(const Layout<Mask>& layout) {
    return std::all_of(layout.column_takes_smooth.begin(), layout.column_takes_smooth.end(),
                       [](Mask taken) { return taken == 0; });
  }

  static int width_of(unsigned number) { return 32 - __builtin_clz(number | 1); }

  // Pack a position: its smooth numbers, then its pieces, each in as many bits as the one before
  // needs.
  void pack(Query& query) const {
    Wide packed = query.position.smooth;
    int at = int(smooth_ties_.size()), width = width_of(unsigned(pieces_.count()));
    query.is_packed = true;
    for (int piece = 0; piece < query.position.count; piece++) {
      if (at + width > 128) {
        query.is_packed = false;
        break;
      }
      const unsigned number = query.position.pieces[piece] + 1u;
      packed |= Wide(number) << at;
      at += width;
      width = width_of(number);
    }
    query.key = {uint64_t(packed), uint64_t(packed >> 64)};
    query.hash = query.key.hash();
  }

  // Take smooth numbers out of a packed key.
  static void take_out(Query& query, Mask gone) {
    const Wide taken = gone;
    query.nimber = -1;
    query.key.low &= ~uint64_t(taken);
    query.key.high &= ~uint64_t(taken >> 64);
    query.hash = query.key.hash();
  }

  int found(const Query& query) {
    if (query.is_packed) {
      std::shared_lock<std::shared_mutex> reading(table_.gate());
      return table_.find(query.key, query.hash);
    }
    std::lock_guard<std::mutex> alone(large_gate_);
    const auto entry = large_.find(words_of(query.position));
    return entry == large_.end() ? -1 : entry->second;
  }

  void keep(const Query& query, int nimber, uint64_t work) {
    bool is_new;
    if (query.is_packed) {
      std::shared_lock<std::shared_mutex> writing(table_.gate());
      is_new = table_.put(query.key, query.hash, nimber, work);
    } else {
      std::lock_guard<std::mutex> alone(large_gate_);
      is_new = large_.emplace(words_of(query.position), nimber).second;
    }
    if (is_new) positions_.fetch_add(1, std::memory_order_relaxed);
  }

  static std::vector<uint64_t> words_of(const Position& position) {
    const Wide smooth = position.smooth;
    std::vector<uint64_t> words{uint64_t(smooth), uint64_t(smooth >> 64)};
    words.insert(words.end(), position.pieces, position.pieces + position.count);
    return words;
  }

  const Layout<Mask> layout_;
  const Pieces<Mask> pieces_;
  const std::vector<Mask> smooth_ties_;
  const bool equals_cancel_;
  Table table_;
  std::mutex large_gate_;
  std::map<std::vector<uint64_t>, int> large_;  // the few components that no key can hold
  std::atomic<uint64_t> positions_{0};
};
