// A plain search for nimbers in which the ideas of the kernel are switches. It is written to be
// read, and to count positions; solve/nimbers.py and docs/kernel.md explain the mathematics.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "../kernel/pieces.hpp"

namespace plain {

struct Ideas {
  bool components, columns, pieces, cancel, closed, open;  // how positions are made alike
  bool outcomes;                                           // whether it is asked who wins them
  bool unordered, largest;  // then in which order: as moves come, or those that leave much first
};

inline uint64_t mixed(uint64_t h) {
  h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9ull;
  h = (h ^ (h >> 27)) * 0x94D049BB133111EBull;
  return h ^ (h >> 31);
}

struct Position {
  Wide smooth;
  std::vector<uint32_t> columns;  // sorted patterns

  bool operator==(const Position& o) const { return smooth == o.smooth && columns == o.columns; }

  int size() const {
    const int size = __builtin_popcountll(uint64_t(smooth)) +
                     __builtin_popcountll(uint64_t(smooth >> 64));
    return std::accumulate(columns.begin(), columns.end(), size,
                           [](int sum, uint32_t p) { return sum + __builtin_popcount(p); });
  }
  static bool is_smaller(const Position& a, const Position& b) { return a.size() < b.size(); }

  struct Hash {
    size_t operator()(const Position& position) const {
      uint64_t h = mixed(mixed(uint64_t(position.smooth)) + uint64_t(position.smooth >> 64));
      for (const uint32_t pattern : position.columns) h = mixed(h + pattern + 1);
      return h;
    }
  };
};

class Search {
 public:
  Search(Layout<Wide> layout, const Ideas& ideas)
      : ideas_(ideas),
        layout_(std::move(layout)),
        pieces_(layout_),
        ties_(layout_.smooth_ties()) {}

  int nimber_of(const Position& position) {
    Parts parts = split(position);
    for (const Position& part : parts.components) parts.sum ^= component(part);
    return parts.sum;
  }

  bool is_lost(const Position& position) {
    return ideas_.outcomes ? equals(position, 0) : nimber_of(position) == 0;
  }

  // How many moves win.
  int winning_moves(const Position& position) {
    const std::vector<Position> moves = moves_of(position, true);
    return int(std::count_if(moves.begin(), moves.end(),
                             [this](const Position& move) { return is_lost(move); }));
  }

  size_t positions() const { return known_.size(); }

  int largest_nimber() const {
    int largest = 0;
    for (const auto& [position, known] : known_) largest = std::max(largest, known.nimber);
    return largest;
  }

  // How many kinds of positions there are at least, if isomorphic ones are of one kind.
  size_t classes() const {
    std::unordered_set<uint64_t> colours;
    for (const auto& [position, known] : known_) colours.insert(colour(position) + known.nimber);
    return colours.size();
  }

 private:
  struct Parts {
    int sum = 0;  // of single numbers and lone pieces
    std::vector<Position> components;
  };
  struct Known {
    int nimber = -1;
    uint64_t options = 0;  // nimbers that moves are known to lead to
  };
  struct Piece {
    uint32_t pattern;
    Wide ties;
    size_t column;  // that it comes from
  };

  int component(const Position& position) {
    Known& known = known_[position];
    if (known.nimber >= 0) return known.nimber;
    const std::vector<Position> moves = moves_of(position);
    int nimber = 0;
    if (ideas_.outcomes) {
      while (leads_to(moves, nimber, known)) nimber++;
    } else {
      for (const Position& move : moves) known.options |= 1ull << nimber_of(move);
      nimber = lowest(~known.options);
    }
    return known.nimber = nimber;
  }

  // Whether the player to move loses if there is a heap of nim beside the position. The nimbers of
  // all components but the largest are needed for it.
  bool equals(const Position& position, int heap) {
    Parts parts = split(position);
    auto& components = parts.components;
    heap ^= parts.sum;
    if (components.empty()) return heap == 0;
    std::iter_swap(std::max_element(components.begin(), components.end(), Position::is_smaller),
                   components.end() - 1);
    for (size_t at = 0; at + 1 < components.size(); at++) heap ^= component(components[at]);
    return component_equals(components.back(), heap);
  }

  bool component_equals(const Position& position, int heap) {
    Known& known = known_[position];
    if (known.nimber >= 0) return known.nimber == heap;
    if (known.options >> heap & 1) return false;
    const std::vector<Position> moves = moves_of(position);
    if (leads_to(moves, heap, known)) return false;
    int nimber = 0;  // a move in the heap
    while (nimber < heap && leads_to(moves, nimber, known)) nimber++;
    known.nimber = nimber;
    return nimber == heap;
  }

  bool leads_to(const std::vector<Position>& moves, int nimber, Known& known) {
    if (known.options >> nimber & 1) return true;
    const bool leads = std::any_of(moves.begin(), moves.end(),
                                   [&](const Position& move) { return equals(move, nimber); });
    known.options |= uint64_t(leads) << nimber;
    return leads;
  }

  // Where the moves lead to; moves that are alike come once, or as often as there are.
  std::vector<Position> moves_of(const Position& from, bool is_each = false) const {
    std::vector<Position> moves;
    for (Wide rest = from.smooth; rest; rest &= rest - 1) {
      const int i = lowest(rest);
      moves.push_back({from.smooth & ~layout_.smooth_takes_smooth[i], from.columns});
      for (uint32_t& pattern : moves.back().columns) pattern &= ~layout_.smooth_takes_column[i];
    }
    for (size_t at = 0; at < from.columns.size(); at++) {
      if (!is_each && at && from.columns[at] == from.columns[at - 1]) continue;
      for (uint32_t rest = from.columns[at]; rest; rest &= rest - 1) {
        const int k = __builtin_ctz(rest);
        moves.push_back({from.smooth & ~layout_.column_takes_smooth[k], from.columns});
        moves.back().columns[at] &= ~layout_.column_takes_column[k];
      }
    }
    if (ideas_.outcomes && !ideas_.unordered) {  // those that leave little come first
      std::stable_sort(moves.begin(), moves.end(), [this](const Position& a, const Position& b) {
        return ideas_.largest ? Position::is_smaller(b, a) : Position::is_smaller(a, b);
      });
    }
    return moves;
  }

  Parts split(const Position& position) const {
    Parts parts;
    if (!ideas_.components) {
      if (position.smooth) parts.components.push_back(position);
      return parts;
    }
    std::vector<Piece> pieces = pieces_of(position, parts.sum);
    for (Wide left = position.smooth; left;) {
      Position part{left & -left, {}};
      for (Wide before = 0; before != part.smooth;) {
        before = part.smooth;
        for (Wide rest = before; rest; rest &= rest - 1) part.smooth |= ties_[lowest(rest)] & left;
        for (const Piece& piece : pieces) {
          if (piece.ties & part.smooth) part.smooth |= piece.ties;
        }
      }
      left &= ~part.smooth;
      size_t column = position.columns.size();
      for (const Piece& piece : pieces) {
        if (!(piece.ties & part.smooth)) continue;
        if (piece.column != column || ideas_.pieces) part.columns.push_back(0);
        part.columns.back() |= piece.pattern;
        column = piece.column;
      }
      if (ideas_.closed) drop_closed_twins(part);
      std::sort(part.columns.begin(), part.columns.end());
      if (ideas_.open) drop_open_twins(part);
      if (part.size() == 1) {
        parts.sum ^= 1;
      } else {
        parts.components.push_back(std::move(part));
      }
    }
    return parts;
  }

  // The pieces of the columns that are tied to something; the others are added to a sum.
  std::vector<Piece> pieces_of(const Position& position, int& sum) const {
    std::vector<Piece> pieces;
    for (size_t at = 0; at < position.columns.size(); at++) {
      for (const auto id : pieces_.of(position.columns[at])) {
        const auto& piece = pieces_[id];
        const auto is_equal = [&](const Piece& other) { return other.pattern == piece.pattern; };
        const auto equal = std::find_if(pieces.begin(), pieces.end(), is_equal);
        if (!(piece.ties & position.smooth)) {
          sum ^= piece.nimber;
        } else if (ideas_.cancel && equal != pieces.end()) {
          pieces.erase(equal);
        } else {
          pieces.push_back({piece.pattern, piece.ties & position.smooth, at});
        }
      }
    }
    return pieces;
  }

  // In antichain, of numbers that are tied to each other and to the same others one is enough.
  void drop_closed_twins(Position& part) const {
    uint32_t patterns = 0;
    for (const uint32_t pattern : part.columns) patterns |= pattern;
    for (Wide rest = part.smooth; rest; rest = part.smooth & rest & (rest - 1)) {
      const int i = lowest(rest);
      for (Wide others = ties_[i] & rest & (rest - 1); others; others &= others - 1) {
        const int j = lowest(others);
        if ((ties_[i] ^ ties_[j]) & part.smooth) continue;
        if ((layout_.smooth_takes_column[i] ^ layout_.smooth_takes_column[j]) & patterns) continue;
        part.smooth &= ~(Wide(1) << j);
      }
    }
    const auto& takes = layout_.column_takes_column;
    for (uint32_t& pattern : part.columns) {
      for (uint32_t rest = pattern; rest; rest = pattern & rest & (rest - 1)) {
        const int k = __builtin_ctz(rest);
        for (uint32_t others = takes[k] & rest & (rest - 1); others; others &= others - 1) {
          const int l = __builtin_ctz(others);
          if ((takes[k] ^ takes[l]) & pattern) continue;
          const Wide apart = layout_.column_takes_smooth[k] ^ layout_.column_takes_smooth[l];
          if (apart & part.smooth) continue;
          pattern &= ~(1u << l);
        }
      }
    }
  }

  // In antichain, of columns of one and the same multiplier every third and fourth can go: whoever
  // takes one of them rules out all that the others are tied to.
  static void drop_open_twins(Position& part) {
    std::vector<uint32_t> kept;
    for (const uint32_t pattern : part.columns) {
      kept.push_back(pattern);
      const size_t count = kept.size();
      const bool is_single = !(pattern & (pattern - 1));
      if (is_single && count > 2 && kept[count - 2] == pattern && kept[count - 3] == pattern) {
        kept.resize(count - 2);
      }
    }
    part.columns = kept;
  }

  // The colours of all numbers, each refined by those it takes and those that take it, six times
  // over (Weisfeiler and Leman): the same for isomorphic positions, and seldom for others.
  uint64_t colour(const Position& position) const {
    struct Number {
      int smooth, k;
      size_t column;
    };
    std::vector<Number> numbers;
    for (Wide rest = position.smooth; rest; rest &= rest - 1) {
      numbers.push_back({lowest(rest), -1, 0});
    }
    for (size_t at = 0; at < position.columns.size(); at++) {
      for (uint32_t rest = position.columns[at]; rest; rest &= rest - 1) {
        numbers.push_back({-1, __builtin_ctz(rest), at});
      }
    }
    const auto takes = [&](const Number& a, const Number& b) -> bool {
      if (a.k < 0 && b.k < 0) return layout_.smooth_takes_smooth[a.smooth] >> b.smooth & 1;
      if (a.k < 0) return layout_.smooth_takes_column[a.smooth] >> b.k & 1;
      if (b.k < 0) return layout_.column_takes_smooth[a.k] >> b.smooth & 1;
      return a.column == b.column && (layout_.column_takes_column[a.k] >> b.k & 1);
    };
    std::vector<uint64_t> colours(numbers.size(), 1), refined;
    for (int round = 0; round < 6; round++) {
      refined = colours;
      for (size_t a = 0; a < numbers.size(); a++) {
        for (size_t b = 0; b < numbers.size(); b++) {
          if (a == b || !takes(numbers[a], numbers[b])) continue;
          refined[a] += mixed(colours[b] + 1);
          refined[b] += mixed(colours[a] + 2);
        }
      }
      for (size_t a = 0; a < numbers.size(); a++) colours[a] = mixed(refined[a]);
    }
    return std::accumulate(colours.begin(), colours.end(), uint64_t(0));
  }

  const Ideas ideas_;
  const Layout<Wide> layout_;
  const Pieces<Wide> pieces_;
  const std::vector<Wide> ties_;
  std::unordered_map<Position, Known, Position::Hash> known_;
};

}  // namespace plain
