// Positions of a game in which taking a number removes others: moves, components and keys.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "columns.hpp"
#include "transposition_table.hpp"

constexpr int kMaxMultipliers = 14;
constexpr int kMaxPieces = 96;
constexpr int kMaxNumbers = 254;  // so that a nimber plus one fits in a byte

// The playable numbers: smooth numbers, and pieces of columns in descending order of their ids.
template <typename Mask>
struct Position {
  Mask smooth;
  // The nimber of pieces that were dropped because they have no neighbours left.
  int detached_nimber;
  int count;
  PieceId pieces[kMaxPieces];

  explicit Position(Mask smooth) : smooth(smooth), detached_nimber(0), count(0) {}
  Position(const Position& other) { *this = other; }
  Position& operator=(const Position& other) {
    smooth = other.smooth;
    detached_nimber = other.detached_nimber;
    count = other.count;
    std::copy_n(other.pieces, count, pieces);
    return *this;
  }

  bool is_single_number() const { return !count && !(smooth & (smooth - 1)); }

  // The whole position as words, for positions that do not fit into a key.
  std::vector<uint64_t> words() const {
    std::vector<uint64_t> all{uint64_t(smooth), uint64_t(Wide(smooth) >> 64)};
    all.insert(all.end(), pieces, pieces + count);
    return all;
  }
};

template <typename Mask>
class Board {
 public:
  using Id = PieceId;
  using Piece = typename ColumnPieces<Mask>::Piece;

  explicit Board(Layout<Mask> layout)
      : layout_(std::move(layout)),
        pieces_(layout_),
        smooth_neighbours_(layout_.smooth_neighbours()),
        equal_pieces_cancel_(columns_take_only_themselves(layout_)),
        first_id_width_(id_width_after(Id(pieces_.count()))),
        smooth_mask_(smooth_neighbours_.size() < 128
                         ? (Wide(1) << smooth_neighbours_.size()) - 1
                         : ~Wide(0)) {}

  // Whether a position belongs to the game and is small enough.
  bool contains(Wide smooth, const std::vector<uint32_t>& patterns) const {
    int numbers = 0;
    for (const uint32_t pattern : patterns) {
      if (pattern >> layout_.multipliers()) return false;
      numbers += __builtin_popcount(pattern);
    }
    const size_t size = smooth_neighbours_.size();
    return (size == 128 || !(smooth >> size)) && numbers <= kMaxPieces;
  }

  Position<Mask> position(Mask smooth, const std::vector<uint32_t>& patterns) const {
    Position<Mask> position(smooth);
    for (const uint32_t pattern : patterns) add_pattern(position, pattern);
    return position;
  }

  // Visit the position after each move in a component. The second argument of `visit` tells whether
  // the pieces are unchanged.
  template <typename Visit>
  void for_each_move(const Position<Mask>& from, const Visit& visit) const {
    for (Mask rest = from.smooth; rest; rest &= rest - 1) {
      const int index = lowest_bit(rest);
      const uint32_t removed = layout_.smooth_takes_column[index];
      Position<Mask> to(from.smooth & ~layout_.smooth_takes_smooth[index]);
      if (removed) {
        for (int at = 0; at < from.count; at++) add_remainder(to, from.pieces[at], removed);
        visit(to, false);
      } else {
        copy_pieces(to, from, 0, from.count);
        visit(to, to.count == from.count);
      }
    }
    for (int at = 0; at < from.count; at++) {
      // An equal piece has the same moves.
      if (at && from.pieces[at] == from.pieces[at - 1]) continue;
      const uint32_t pattern = pieces_[from.pieces[at]].pattern;
      for (uint32_t rest = pattern; rest; rest &= rest - 1) {
        const int k = __builtin_ctz(rest);
        Position<Mask> to(from.smooth & ~layout_.column_takes_smooth[k]);
        copy_pieces(to, from, 0, at);
        copy_pieces(to, from, at + 1, from.count);
        add_pattern(to, pattern & ~layout_.column_takes_column[k]);
        visit(to, false);
      }
    }
  }

  // Visit the components of a position.
  template <typename Visit>
  void for_each_component(Position<Mask> rest, const Visit& visit) const {
    while (rest.smooth) {
      Position<Mask> component(first_component(rest));
      int remaining = 0;
      for (int at = 0; at < rest.count; at++) {
        const Id id = rest.pieces[at];
        if (pieces_[id].neighbours & component.smooth) {
          component.pieces[component.count++] = id;
        } else {
          rest.pieces[remaining++] = id;
        }
      }
      rest.count = remaining;
      rest.smooth &= ~component.smooth;
      visit(component);
    }
  }

  // Pack a position without loss: the smooth numbers, then the piece ids, each in as many bits as
  // the id before it needs. Returns an empty key if the position does not fit.
  Key pack(const Position<Mask>& position) const {
    uint64_t low = 0, high = 0;
    int free_bits = kKeyBits - int(smooth_neighbours_.size());
    for (int piece = position.count - 1; piece >= 0; piece--) {
      const int width = piece ? id_width_after(position.pieces[piece - 1]) : first_id_width_;
      high = high << width | low >> (64 - width);
      low = low << width | (position.pieces[piece] + 1u);
      free_bits -= width;
    }
    if (free_bits < 0) return {0, 0};
    const Wide pieces = position.count ? (Wide(high) << 64 | low) << smooth_neighbours_.size() : 0;
    const Wide packed = pieces | position.smooth;
    return {uint64_t(packed), uint64_t(packed >> 64)};
  }

  Position<Mask> unpack(const Key& key) const {
    const Wide packed = Wide(key.high) << 64 | key.low, smooth = packed & smooth_mask_;
    Position<Mask> position{Mask(smooth)};
    int width = first_id_width_;
    for (Wide rest = packed == smooth ? 0 : packed >> smooth_neighbours_.size(); rest;) {
      const unsigned number = unsigned(rest) & ((1u << width) - 1);
      position.pieces[position.count++] = Id(number - 1);
      rest >>= width;
      width = id_width_after(Id(number - 1));
    }
    return position;
  }

  // The key of a position that differs from a packed one only by having fewer smooth numbers.
  static Key remove_smooth(const Key& key, Mask removed) {
    return {key.low & ~uint64_t(removed), key.high & ~uint64_t(Wide(removed) >> 64)};
  }

 private:
  static constexpr int kKeyBits = 128;

  // The bits reserved for the id that follows this one.
  static int id_width_after(Id id) { return 32 - __builtin_clz(id + 1u); }

  // If taking a number of a column removes nothing outside the column, two equal pieces have nimber
  // 0 together: a move in one of them is answered by the same move in the other, and every other
  // move affects both alike.
  static bool columns_take_only_themselves(const Layout<Mask>& layout) {
    return std::all_of(layout.column_takes_smooth.begin(), layout.column_takes_smooth.end(),
                       [](Mask taken) { return taken == 0; });
  }

  // Append pieces of another position in order, without those that have no neighbours left.
  void copy_pieces(Position<Mask>& to, const Position<Mask>& from, int first, int last) const {
    for (int at = first; at < last; at++) {
      const Id id = from.pieces[at];
      const Piece& piece = pieces_[id];
      if (piece.neighbours & to.smooth) {
        to.pieces[to.count++] = id;
      } else {
        to.detached_nimber ^= piece.nimber;
      }
    }
  }

  // Add what remains of a piece after some multipliers are removed.
  void add_remainder(Position<Mask>& to, Id id, uint32_t removed) const {
    const uint32_t pattern = pieces_[id].pattern;
    if (pattern & removed) {
      add_pattern(to, pattern & ~removed);
    } else {
      add_piece(to, id);
    }
  }

  void add_pattern(Position<Mask>& to, uint32_t pattern) const {
    for (const Id id : pieces_.pieces_in(pattern)) add_piece(to, id);
  }

  // Insert a piece in order, unless it has no neighbours left.
  void add_piece(Position<Mask>& to, Id id) const {
    const auto& piece = pieces_[id];
    if (!(piece.neighbours & to.smooth)) {
      to.detached_nimber ^= piece.nimber;
      return;
    }
    Id* const end = to.pieces + to.count;
    Id* slot = end;
    while (slot != to.pieces && slot[-1] < id) slot--;
    if (equal_pieces_cancel_ && slot != to.pieces && slot[-1] == id) {
      std::copy(slot, end, slot - 1);
      to.count--;
    } else {
      std::copy_backward(slot, end, end + 1);
      *slot = id;
      to.count++;
    }
  }

  // The smooth numbers in the same component as the lowest one.
  Mask first_component(const Position<Mask>& position) const {
    const Mask all = position.smooth;
    Mask component = all & -all, frontier = component;
    while (frontier) {
      while (frontier) {
        const Mask reached = smooth_neighbours_[lowest_bit(frontier)] & all & ~component;
        component |= reached;
        if (component == all) return all;
        frontier = (frontier & (frontier - 1)) | reached;
      }
      for (int at = 0; at < position.count; at++) {
        const Mask neighbours = pieces_[position.pieces[at]].neighbours & all;
        if ((neighbours & component) && (neighbours & ~component)) {
          frontier |= neighbours & ~component;
          component |= neighbours;
        }
      }
    }
    return component;
  }

  const Layout<Mask> layout_;
  const ColumnPieces<Mask> pieces_;
  const std::vector<Mask> smooth_neighbours_;
  const bool equal_pieces_cancel_;
  const int first_id_width_;
  const Wide smooth_mask_;
};
