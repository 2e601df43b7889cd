// Columns and their pieces; solve/columns.py explains the mathematics.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

__extension__ typedef unsigned __int128 Wide;

inline int lowest_bit(uint64_t set) { return __builtin_ctzll(set); }
inline int lowest_bit(Wide set) {
  return uint64_t(set) ? lowest_bit(uint64_t(set)) : 64 + lowest_bit(uint64_t(set >> 64));
}

inline int popcount(uint64_t set) { return __builtin_popcountll(set); }
inline int popcount(Wide set) { return popcount(uint64_t(set)) + popcount(uint64_t(set >> 64)); }

// The minimum excludant: the smallest non-negative integer that is not in the list.
inline int mex(std::vector<int> nimbers) {
  std::sort(nimbers.begin(), nimbers.end());
  int smallest = 0;
  for (const int nimber : nimbers) smallest += nimber == smallest;
  return smallest;
}

// What taking a number removes. The smooth number with index i is bit i of a mask; the multiplier k
// of a column is bit k - 1 of a pattern.
template <typename Mask>
struct Layout {
  std::vector<Mask> smooth_takes_smooth;
  std::vector<uint32_t> smooth_takes_column;
  std::vector<uint32_t> column_takes_column;
  std::vector<Mask> column_takes_smooth;

  int multipliers() const { return int(column_takes_column.size()); }

  std::vector<Mask> smooth_neighbours() const {
    std::vector<Mask> neighbours = smooth_takes_smooth;
    for (size_t i = 0; i < neighbours.size(); i++) {
      for (Mask taken = smooth_takes_smooth[i]; taken; taken &= taken - 1) {
        neighbours[lowest_bit(taken)] |= Mask(1) << i;
      }
    }
    return neighbours;
  }

  std::vector<uint32_t> multiplier_neighbours() const {
    std::vector<uint32_t> neighbours = column_takes_column;
    for (size_t k = 0; k < neighbours.size(); k++) {
      for (uint32_t taken = column_takes_column[k]; taken; taken &= taken - 1) {
        neighbours[__builtin_ctz(taken)] |= 1u << k;
      }
    }
    return neighbours;
  }
};

using PieceId = uint16_t;

// The pieces of columns: patterns whose multipliers are connected, numbered in ascending order.
template <typename Mask>
class ColumnPieces {
 public:
  using Id = PieceId;

  struct Piece {
    uint32_t pattern;
    Mask neighbours;  // the smooth numbers that are adjacent to it
    int nimber;  // of the piece on its own
  };

  explicit ColumnPieces(const Layout<Mask>& layout)
      : multiplier_neighbours_(layout.multiplier_neighbours()) {
    const uint32_t patterns = 1u << layout.multipliers();
    std::vector<Id> id_of(patterns);
    offsets_.push_back(0);
    for (uint32_t pattern = 0; pattern < patterns; pattern++) {
      for (uint32_t rest = pattern; rest;) {
        const uint32_t piece = first_piece(rest);
        if (piece == pattern) {
          id_of[pattern] = Id(pieces_.size());
          pieces_.push_back({pattern, neighbours(layout, pattern), 0});
        }
        ids_.push_back(id_of[piece]);
        rest &= ~piece;
      }
      offsets_.push_back(uint32_t(ids_.size()));
    }
    // Moves lead to smaller patterns, whose nimbers are already known.
    for (Piece& piece : pieces_) piece.nimber = standalone_nimber(layout, piece.pattern);
  }

  const Piece& operator[](Id id) const { return pieces_[id]; }
  size_t count() const { return pieces_.size(); }

  struct Span {
    const Id *first, *last;
    const Id* begin() const { return first; }
    const Id* end() const { return last; }
  };

  // The pieces of a pattern.
  Span pieces_in(uint32_t pattern) const {
    return {ids_.data() + offsets_[pattern], ids_.data() + offsets_[pattern + 1]};
  }

 private:
  // The piece that contains the smallest multiplier of a pattern.
  uint32_t first_piece(uint32_t pattern) const {
    uint32_t piece = pattern & -pattern;
    for (uint32_t frontier = piece; frontier;) {
      const uint32_t more = multiplier_neighbours_[__builtin_ctz(frontier)] & pattern & ~piece;
      piece |= more;
      frontier = (frontier & (frontier - 1)) | more;
    }
    return piece;
  }

  static Mask neighbours(const Layout<Mask>& layout, uint32_t pattern) {
    Mask neighbours = 0;
    for (uint32_t rest = pattern; rest; rest &= rest - 1) {
      neighbours |= layout.column_takes_smooth[__builtin_ctz(rest)];
    }
    for (size_t i = 0; i < layout.smooth_takes_column.size(); i++) {
      if (layout.smooth_takes_column[i] & pattern) neighbours |= Mask(1) << i;
    }
    return neighbours;
  }

  int standalone_nimber(const Layout<Mask>& layout, uint32_t pattern) const {
    std::vector<int> options;
    for (uint32_t rest = pattern; rest; rest &= rest - 1) {
      int option = 0;
      for (const Id id : pieces_in(pattern & ~layout.column_takes_column[__builtin_ctz(rest)])) {
        option ^= pieces_[id].nimber;
      }
      options.push_back(option);
    }
    return mex(options);
  }

  std::vector<uint32_t> multiplier_neighbours_;
  std::vector<Piece> pieces_;
  std::vector<Id> ids_;
  std::vector<uint32_t> offsets_;
};
