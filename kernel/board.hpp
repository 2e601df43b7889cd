// Positions of a game in which taking a number rules others out: their moves and components.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "columns.hpp"
#include "transposition_table.hpp"

constexpr int kMostMultipliers = 14;
constexpr int kMostPieces = 96;
constexpr int kMostNumbers = 254;  // so that every nimber, and one more, fits a byte

// Numbers that are playable: smooth ones, and pieces of columns in descending order.
template <typename Mask>
struct Position {
  Mask smooth;
  int loose;  // the nimber of the pieces that were dropped, for nothing is tied to them any more
  int count;
  PieceId pieces[kMostPieces];

  explicit Position(Mask smooth) : smooth(smooth), loose(0), count(0) {}
  Position(const Position& other) { *this = other; }
  Position& operator=(const Position& other) {
    smooth = other.smooth;
    loose = other.loose;
    count = other.count;
    std::copy_n(other.pieces, count, pieces);
    return *this;
  }

  bool is_single() const { return !count && !(smooth & (smooth - 1)); }

  // All of it, for what no key can hold.
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
  using Piece = typename Pieces<Mask>::Piece;

  explicit Board(Layout<Mask> layout)
      : layout_(std::move(layout)),
        pieces_(layout_),
        smooth_ties_(layout_.smooth_ties()),
        equals_cancel_(columns_take_only_themselves(layout_)),
        first_width_(width_of(Id(pieces_.count()))),
        all_smooth_(smooth_ties_.size() < 128 ? (Wide(1) << smooth_ties_.size()) - 1 : ~Wide(0)) {}

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

  Position<Mask> position(Mask smooth, const std::vector<uint32_t>& patterns) const {
    Position<Mask> made(smooth);
    for (const uint32_t pattern : patterns) add_pattern(made, pattern);
    return made;
  }

  // Visit what the moves of a component lead to, and whether the pieces are still the same.
  template <typename Visit>
  void each_move(const Position<Mask>& from, const Visit& visit) const {
    for (Mask rest = from.smooth; rest; rest &= rest - 1) {
      const int index = lowest(rest);
      const uint32_t gone = layout_.smooth_takes_column[index];
      Position<Mask> to(from.smooth & ~layout_.smooth_takes_smooth[index]);
      if (gone) {
        for (int at = 0; at < from.count; at++) add_rest(to, from.pieces[at], gone);
        visit(to, false);
      } else {
        keep(to, from, 0, from.count);
        visit(to, to.count == from.count);
      }
    }
    for (int at = 0; at < from.count; at++) {
      if (at && from.pieces[at] == from.pieces[at - 1]) continue;  // the same moves again
      const uint32_t pattern = pieces_[from.pieces[at]].pattern;
      for (uint32_t rest = pattern; rest; rest &= rest - 1) {
        const int k = __builtin_ctz(rest);
        Position<Mask> to(from.smooth & ~layout_.column_takes_smooth[k]);
        keep(to, from, 0, at);
        keep(to, from, at + 1, from.count);
        add_pattern(to, pattern & ~layout_.column_takes_column[k]);
        visit(to, false);
      }
    }
  }

  // Visit the components of a position.
  template <typename Visit>
  void each_component(Position<Mask> rest, const Visit& visit) const {
    while (rest.smooth) {
      Position<Mask> part(component_of(rest));
      int left = 0;
      for (int at = 0; at < rest.count; at++) {
        const Id id = rest.pieces[at];
        if (pieces_[id].ties & part.smooth) {
          part.pieces[part.count++] = id;
        } else {
          rest.pieces[left++] = id;
        }
      }
      rest.count = left;
      rest.smooth &= ~part.smooth;
      visit(part);
    }
  }

  // Pack a position without loss: its smooth numbers, then its pieces, each in as many bits as the
  // one before needs. If there is not enough room, there is no key.
  Key pack(const Position<Mask>& position) const {
    uint64_t low = 0, high = 0;
    int room = kRoom - int(smooth_ties_.size());
    for (int piece = position.count - 1; piece >= 0; piece--) {
      const int width = piece ? width_of(position.pieces[piece - 1]) : first_width_;
      high = high << width | low >> (64 - width);
      low = low << width | (position.pieces[piece] + 1u);
      room -= width;
    }
    if (room < 0) return {0, 0};
    const Wide pieces = position.count ? (Wide(high) << 64 | low) << smooth_ties_.size() : 0;
    const Wide packed = pieces | position.smooth;
    return {uint64_t(packed), uint64_t(packed >> 64)};
  }

  Position<Mask> unpack(const Key& key) const {
    const Wide packed = Wide(key.high) << 64 | key.low, smooth = packed & all_smooth_;
    Position<Mask> position{Mask(smooth)};
    int width = first_width_;
    for (Wide rest = packed == smooth ? 0 : packed >> smooth_ties_.size(); rest;) {
      const unsigned number = unsigned(rest) & ((1u << width) - 1);
      position.pieces[position.count++] = Id(number - 1);
      rest >>= width;
      width = width_of(Id(number - 1));
    }
    return position;
  }

  // The key of a position that differs from a packed one only in having fewer smooth numbers.
  static Key without(const Key& key, Mask gone) {
    return {key.low & ~uint64_t(gone), key.high & ~uint64_t(Wide(gone) >> 64)};
  }

 private:
  static constexpr int kRoom = 128;  // bits of a key

  // The bits that the pieces after a piece need.
  static int width_of(Id id) { return 32 - __builtin_clz(id + 1u); }

  // If taking a number of a column takes nothing outside of it, two equal pieces are worth nothing
  // together: a move in one of them is answered by the same move in the other, and every other
  // move does the same to both.
  static bool columns_take_only_themselves(const Layout<Mask>& layout) {
    return std::all_of(layout.column_takes_smooth.begin(), layout.column_takes_smooth.end(),
                       [](Mask taken) { return taken == 0; });
  }

  // Add pieces of another position, in their order, but for those that nothing is tied to any more.
  void keep(Position<Mask>& to, const Position<Mask>& from, int first, int last) const {
    for (int at = first; at < last; at++) {
      const Id id = from.pieces[at];
      const Piece& piece = pieces_[id];
      if (piece.ties & to.smooth) {
        to.pieces[to.count++] = id;
      } else {
        to.loose ^= piece.nimber;
      }
    }
  }

  // Add what is left of a piece when some multipliers are gone.
  void add_rest(Position<Mask>& to, Id id, uint32_t gone) const {
    const uint32_t pattern = pieces_[id].pattern;
    if (pattern & gone) {
      add_pattern(to, pattern & ~gone);
    } else {
      add_piece(to, id);
    }
  }

  void add_pattern(Position<Mask>& to, uint32_t pattern) const {
    for (const Id id : pieces_.of(pattern)) add_piece(to, id);
  }

  // Put a piece in its place, unless nothing is tied to it.
  void add_piece(Position<Mask>& to, Id id) const {
    const auto& piece = pieces_[id];
    if (!(piece.ties & to.smooth)) {
      to.loose ^= piece.nimber;
      return;
    }
    Id* const end = to.pieces + to.count;
    Id* place = end;
    while (place != to.pieces && place[-1] < id) place--;
    if (equals_cancel_ && place != to.pieces && place[-1] == id) {
      std::copy(place, end, place - 1);
      to.count--;
    } else {
      std::copy_backward(place, end, end + 1);
      *place = id;
      to.count++;
    }
  }

  // The smooth numbers that hang together with the first one.
  Mask component_of(const Position<Mask>& position) const {
    const Mask all = position.smooth;
    Mask together = all & -all, frontier = together;
    while (frontier) {
      while (frontier) {
        const Mask more = smooth_ties_[lowest(frontier)] & all & ~together;
        together |= more;
        if (together == all) return all;
        frontier = (frontier & (frontier - 1)) | more;
      }
      for (int at = 0; at < position.count; at++) {
        const Mask ties = pieces_[position.pieces[at]].ties & all;
        if ((ties & together) && (ties & ~together)) {
          frontier |= ties & ~together;
          together |= ties;
        }
      }
    }
    return together;
  }

  const Layout<Mask> layout_;
  const Pieces<Mask> pieces_;
  const std::vector<Mask> smooth_ties_;
  const bool equals_cancel_;
  const int first_width_;
  const Wide all_smooth_;
};
