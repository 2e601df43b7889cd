// Decides whether a position has a given nimber, without computing nimbers where possible.
//
// A component has nimber g if no move leads to g and moves lead to every value below g. A single
// move to g is enough to answer no, so most components are never evaluated (Lemoine and Viennot,
// "Nimbers are inevitable", 2012).
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
class OutcomeSearch {
 public:
  OutcomeSearch(const Board<Mask>& board, size_t memory) : board_(board), cache_(memory) {}

  // Return whether a position has this nimber and how many components were searched. `poll` is
  // called regularly with the number of components so far; an exception it throws ends the search.
  std::pair<bool, uint64_t> has_nimber(const Position<Mask>& position, int nimber,
                                       const std::function<void(uint64_t)>& poll) {
    std::unique_lock<std::timed_mutex> lock(mutex_, std::defer_lock);
    while (!lock.try_lock_for(std::chrono::milliseconds(20))) poll(0);
    poll_ = &poll;
    positions_ = 0;
    const bool found = position_has(position, nimber);
    return {found, positions_};
  }

 private:
  // A component; `size` counts its smooth numbers and pieces.
  struct Component {
    Position<Mask> position;
    Key key;
    int size;
  };

  bool position_has(const Position<Mask>& position, int nimber) {
    nimber ^= position.detached_nimber;
    std::vector<Component> components;
    board_.for_each_component(position, [&](const Position<Mask>& component) {
      if (component.is_single_number()) {
        nimber ^= 1;
      } else {
        components.push_back({component, board_.pack(component), size(component)});
      }
    });
    if (components.empty()) return nimber == 0;
    // The largest component comes last: only one nimber matters for it.
    std::sort(components.begin(), components.end(),
              [](const Component& a, const Component& b) { return a.size < b.size; });
    for (size_t at = 0; at + 1 < components.size(); at++) nimber ^= nimber_of(components[at]);
    return component_has(components.back(), nimber);
  }

  bool component_has(const Component& component, int nimber) {
    const int exact = find(component, kExact);
    if (exact >= 0) return exact == nimber;
    const std::vector<Position<Mask>> options = options_of(component);
    if (has_move_to(component, options, nimber)) return false;
    return first_missing(component, options, nimber) == nimber;
  }

  int nimber_of(const Component& component) {
    const int exact = find(component, kExact);
    return exact >= 0 ? exact : first_missing(component, options_of(component), kMaxNumbers);
  }

  // Return the nimber of a component. It is at most `most`, because the caller knows that no move
  // leads to that nimber.
  int first_missing(const Component& component, const std::vector<Position<Mask>>& options,
                    int most) {
    int nimber = 0;
    while (nimber < most && has_move_to(component, options, nimber)) nimber++;
    store(component, kExact, nimber);
    return nimber;
  }

  bool has_move_to(const Component& component, const std::vector<Position<Mask>>& options,
                   int nimber) {
    const bool is_stored = nimber <= kMaxStoredNimber;
    if (is_stored && find(component, nimber) >= 0) return true;
    for (const Position<Mask>& option : options) {
      if (!position_has(option, nimber)) continue;
      if (is_stored) store(component, nimber, 0);
      return true;
    }
    return false;
  }

  // Return the positions after each move, smallest first, because they are the quickest to decide.
  std::vector<Position<Mask>> options_of(const Component& component) {
    if (++positions_ % kPollInterval == 0) (*poll_)(positions_);
    if (cache_.table.needs_to_grow()) cache_.table.grow();
    std::vector<Position<Mask>> options;
    board_.for_each_move(component.position,
                         [&](const Position<Mask>& to, bool) { options.push_back(to); });
    std::sort(options.begin(), options.end(),
              [](const auto& a, const auto& b) { return size(a) < size(b); });
    return options;
  }

  static int size(const Position<Mask>& position) {
    return popcount(position.smooth) + position.count;
  }

  // The cache stores, for a component and a nimber, that some move leads to it, and under `kExact`
  // the nimber of the component. The query is stored in the upper bits of the key.
  int find(const Component& component, int query) {
    if (const auto key = key_of(component, query); key.second) {
      return cache_.table.find(key.first, key.first.hash());
    }
    return cache_.overflow.find(words_of(component, query));
  }

  void store(const Component& component, int query, int nimber) {
    if (const auto key = key_of(component, query); key.second) {
      cache_.table.insert(key.first, key.first.hash(), nimber, 1);
    } else {
      cache_.overflow.insert(words_of(component, query), nimber);
    }
  }

  static OverflowMap::Words words_of(const Component& component, int query) {
    OverflowMap::Words words = component.position.words();
    words.push_back(uint64_t(query));
    return words;
  }

  static std::pair<Key, bool> key_of(const Component& component, int query) {
    const bool fits = !component.key.is_empty() && !(component.key.high >> (64 - kQueryBits));
    return {{component.key.low, component.key.high | uint64_t(query + 1) << (64 - kQueryBits)},
            fits};
  }

  static constexpr uint64_t kPollInterval = 16;
  static constexpr int kQueryBits = 6, kExact = 62, kMaxStoredNimber = 60;

  const Board<Mask>& board_;
  std::timed_mutex mutex_;  // one search at a time
  NimberCache cache_;  // queries that do not fit into the key go to its overflow map
  const std::function<void(uint64_t)>* poll_ = nullptr;
  uint64_t positions_ = 0;
};
