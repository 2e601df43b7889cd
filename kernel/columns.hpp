// Columns and their pieces, as in solve/columns.py.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

__extension__ typedef unsigned __int128 Wide;

inline int lowest(uint64_t set) { return __builtin_ctzll(set); }
inline int lowest(Wide set) {
  return uint64_t(set) ? lowest(uint64_t(set)) : 64 + lowest(uint64_t(set >> 64));
}

inline int count(uint64_t set) { return __builtin_popcountll(set); }
inline int count(Wide set) { return count(uint64_t(set)) + count(uint64_t(set >> 64)); }

// The smallest number from 0 on that is not in a list.
inline int mex(std::vector<int> nimbers) {
  std::sort(nimbers.begin(), nimbers.end());
  int smallest = 0;
  for (const int nimber : nimbers) smallest += nimber == smallest;
  return smallest;
}

// What taking a number takes away. Smooth numbers are bits of a mask, by their index; the
// multiplier k of a column is bit k - 1 of a pattern.
template <typename Mask>
struct Layout {
  std::vector<Mask> smooth_takes_smooth;
  std::vector<uint32_t> smooth_takes_column;
  std::vector<uint32_t> column_takes_column;
  std::vector<Mask> column_takes_smooth;

  int multipliers() const { return int(column_takes_column.size()); }

  std::vector<Mask> smooth_ties() const {
    std::vector<Mask> ties = smooth_takes_smooth;
    for (size_t i = 0; i < ties.size(); i++) {
      for (Mask taken = smooth_takes_smooth[i]; taken; taken &= taken - 1) {
        ties[lowest(taken)] |= Mask(1) << i;
      }
    }
    return ties;
  }

  std::vector<uint32_t> column_ties() const {
    std::vector<uint32_t> ties = column_takes_column;
    for (size_t k = 0; k < ties.size(); k++) {
      for (uint32_t taken = column_takes_column[k]; taken; taken &= taken - 1) {
        ties[__builtin_ctz(taken)] |= 1u << k;
      }
    }
    return ties;
  }
};

using PieceId = uint16_t;

// The pieces of columns: patterns whose multipliers hang together, numbered in ascending order.
template <typename Mask>
class Pieces {
 public:
  using Id = PieceId;

  struct Piece {
    uint32_t pattern;
    Mask ties;   // the smooth numbers it is tied to
    int nimber;  // if it is tied to none of them
  };

  explicit Pieces(const Layout<Mask>& layout) : column_ties_(layout.column_ties()) {
    const uint32_t patterns = 1u << layout.multipliers();
    std::vector<Id> id_of(patterns);
    start_.push_back(0);
    for (uint32_t pattern = 0; pattern < patterns; pattern++) {
      for (uint32_t rest = pattern; rest;) {
        const uint32_t piece = together(rest);
        if (piece == pattern) {
          id_of[pattern] = Id(pieces_.size());
          pieces_.push_back({pattern, ties(layout, pattern), 0});
        }
        ids_.push_back(id_of[piece]);
        rest &= ~piece;
      }
      start_.push_back(uint32_t(ids_.size()));
    }
    // A move leads to smaller patterns, which come first.
    for (Piece& piece : pieces_) piece.nimber = alone(layout, piece.pattern);
  }

  const Piece& operator[](Id id) const { return pieces_[id]; }
  size_t count() const { return pieces_.size(); }

  struct Span {
    const Id *first, *last;
    const Id* begin() const { return first; }
    const Id* end() const { return last; }
  };

  // The pieces that a pattern consists of.
  Span of(uint32_t pattern) const {
    return {ids_.data() + start_[pattern], ids_.data() + start_[pattern + 1]};
  }

 private:
  // The piece of a pattern that holds its smallest multiplier.
  uint32_t together(uint32_t pattern) const {
    uint32_t piece = pattern & -pattern;
    for (uint32_t frontier = piece; frontier;) {
      const uint32_t more = column_ties_[__builtin_ctz(frontier)] & pattern & ~piece;
      piece |= more;
      frontier = (frontier & (frontier - 1)) | more;
    }
    return piece;
  }

  static Mask ties(const Layout<Mask>& layout, uint32_t pattern) {
    Mask tied = 0;
    for (uint32_t rest = pattern; rest; rest &= rest - 1) {
      tied |= layout.column_takes_smooth[__builtin_ctz(rest)];
    }
    for (size_t i = 0; i < layout.smooth_takes_column.size(); i++) {
      if (layout.smooth_takes_column[i] & pattern) tied |= Mask(1) << i;
    }
    return tied;
  }

  int alone(const Layout<Mask>& layout, uint32_t pattern) const {
    std::vector<int> options;
    for (uint32_t rest = pattern; rest; rest &= rest - 1) {
      int option = 0;
      for (const Id id : of(pattern & ~layout.column_takes_column[__builtin_ctz(rest)])) {
        option ^= pieces_[id].nimber;
      }
      options.push_back(option);
    }
    return mex(options);
  }

  std::vector<uint32_t> column_ties_;
  std::vector<Piece> pieces_;
  std::vector<Id> ids_;
  std::vector<uint32_t> start_;
};
