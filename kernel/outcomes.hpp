// Who wins, without the nimber: is the nimber of a position a given one?
//
// A component has the nimber g if none of its moves leads to g, and moves lead to everything below
// g. One move that leads to g is enough to say no, so most components need never be worked out
// ("Nimbers are inevitable", Lemoine and Viennot, 2012).
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "board.hpp"
#include "nimber_cache.hpp"

template <typename Mask>
class Outcomes {
 public:
  Outcomes(const Board<Mask>& board, size_t memory) : board_(board), known_(memory) {}

  // Whether a position has a nimber, and how many components were looked at. `look` hears now and
  // then how many; what it throws ends the search.
  std::pair<bool, uint64_t> is(const Position<Mask>& position, int nimber,
                               const std::function<void(uint64_t)>& look) {
    std::unique_lock<std::timed_mutex> alone(busy_, std::defer_lock);
    while (!alone.try_lock_for(std::chrono::milliseconds(20))) look(0);
    look_ = &look;
    positions_ = 0;
    const bool found = position_is(position, nimber);
    return {found, positions_};
  }

 private:
  // A component, and how many smooth numbers and pieces it has.
  struct At {
    Position<Mask> position;
    Key key;
    int size;
  };

  bool position_is(const Position<Mask>& position, int nimber) {
    nimber ^= position.loose;
    std::vector<At> parts;
    board_.each_component(position, [&](const Position<Mask>& part) {
      if (part.is_single()) {
        nimber ^= 1;
      } else {
        parts.push_back({part, board_.pack(part), size(part)});
      }
    });
    if (parts.empty()) return nimber == 0;
    // The largest is asked last, and just for the one nimber that matters.
    std::sort(parts.begin(), parts.end(), [](const At& a, const At& b) { return a.size < b.size; });
    for (size_t at = 0; at + 1 < parts.size(); at++) nimber ^= nimber_of(parts[at]);
    return component_is(parts.back(), nimber);
  }

  bool component_is(const At& component, int nimber) {
    const int exact = find(component, kExact);
    if (exact >= 0) return exact == nimber;
    const std::vector<Position<Mask>> options = options_of(component);
    if (leads_to(component, options, nimber)) return false;
    return first_missing(component, options, nimber) == nimber;
  }

  int nimber_of(const At& component) {
    const int exact = find(component, kExact);
    return exact >= 0 ? exact : first_missing(component, options_of(component), kMostNumbers);
  }

  // The nimber, if it is at most the given one, which no move leads to.
  int first_missing(const At& component, const std::vector<Position<Mask>>& options, int most) {
    int nimber = 0;
    while (nimber < most && leads_to(component, options, nimber)) nimber++;
    keep(component, kExact, nimber);
    return nimber;
  }

  bool leads_to(const At& component, const std::vector<Position<Mask>>& options, int nimber) {
    const bool is_kept = nimber <= kMostAsked;
    if (is_kept && find(component, nimber) >= 0) return true;
    for (const Position<Mask>& option : options) {
      if (!position_is(option, nimber)) continue;
      if (is_kept) keep(component, nimber, 0);
      return true;
    }
    return false;
  }

  // What the moves lead to, the smallest first: it is the quickest to be settled.
  std::vector<Position<Mask>> options_of(const At& component) {
    if (++positions_ % kLookEvery == 0) (*look_)(positions_);
    if (known_.table.wants_to_grow()) known_.table.grow();
    std::vector<Position<Mask>> options;
    board_.each_move(component.position,
                     [&](const Position<Mask>& to, bool) { options.push_back(to); });
    std::sort(options.begin(), options.end(),
              [](const auto& a, const auto& b) { return size(a) < size(b); });
    return options;
  }

  static int size(const Position<Mask>& position) { return count(position.smooth) + position.count; }

  // The table holds, for a component and a nimber, that a move leads to it, and under `kExact` the
  // nimber of the component itself. Both share the upper bits of the key.
  int find(const At& component, int asked) {
    if (const auto key = key_of(component, asked); key.second) {
      return known_.table.find(key.first, key.first.hash());
    }
    return known_.large.find(words_of(component, asked));
  }

  void keep(const At& component, int asked, int nimber) {
    if (const auto key = key_of(component, asked); key.second) {
      known_.table.put(key.first, key.first.hash(), nimber, 1);
    } else {
      known_.large.put(words_of(component, asked), nimber);
    }
  }

  static Large::Words words_of(const At& component, int asked) {
    Large::Words words = component.position.words();
    words.push_back(uint64_t(asked));
    return words;
  }

  static std::pair<Key, bool> key_of(const At& component, int asked) {
    const bool has_room = !component.key.is_none() && !(component.key.high >> (64 - kAskedBits));
    return {{component.key.low, component.key.high | uint64_t(asked + 1) << (64 - kAskedBits)},
            has_room};
  }

  static constexpr uint64_t kLookEvery = 16;
  static constexpr int kAskedBits = 6, kExact = 62, kMostAsked = 60;

  const Board<Mask>& board_;
  std::timed_mutex busy_;  // one search at a time
  Known known_;  // in its map, what has no key, or one without room for what is asked
  const std::function<void(uint64_t)>* look_ = nullptr;
  uint64_t positions_ = 0;
};
