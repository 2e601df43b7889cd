// A matching to begin with (Karp and Sipser 1981).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "graph.hpp"

namespace matching {

// Matches free numbers to each other, those with the fewest free neighbours first. A number with
// one free neighbour is matched to it without loss; the more faithfully the others follow in order,
// the fewer augmentations are left. The order is kept within blocks of places that the caches can
// hold: that is much faster, and nearly as good.
template <typename Look>
class Greedy {
 public:
  Greedy(const Graph& graph, Look& look)
      : mate(graph.places() + 1),
        crown(graph.places() + 1),
        graph_(graph),
        look_(look),
        degree_(graph.places() + 1),
        later_(graph.places() / kBlock + 1) {}

  void run() {
    for (uint32_t place = 1; place <= graph_.places(); ++place) {
      if ((place & kLookEvery) == 0) look_(0);
      degree_[place] = graph_.degree(place);
    }
    match_up_to(1);
    for (uint32_t place = 1; place <= graph_.places(); ++place) {
      crown[place] = degree_[place] >= kGone || degree_[place] == 0;
    }
    match_up_to(kFew);
    match_up_to(kAny);
  }

  std::vector<uint32_t> mate;

  // What had been matched when the first leaves ran out, and what they had left alone. The leaves
  // and the lonely have no neighbours but the partners of leaves. So these pairs are part of a
  // maximum matching whatever becomes of the others, which can be matched by themselves. (In the
  // literature, the partners are the head of a crown, the leaves and the lonely its spikes.)
  std::vector<uint8_t> crown;

 private:
  static constexpr uint32_t kGone = uint32_t{1} << 31;  // added to the degree of what is not free
  static constexpr uint32_t kLookEvery = (1 << 16) - 1;
  static constexpr uint32_t kFew = 8;  // up to this degree, numbers are kept in order
  static constexpr uint32_t kAny = kGone - 1;
  static constexpr uint32_t kBlock = 1 << 18;  // places
  static constexpr size_t kAhead = 4;          // how far the memory is asked ahead

  // Match numbers of up to so many free neighbours until none is left, one block of places after
  // the other.
  void match_up_to(uint32_t most) {
    most_ = most;
    for (block_ = 0; block_ < later_.size(); ++block_) match_block();
    while (match_later()) continue;
  }

  void match_block() {
    const uint32_t first = block_ * kBlock, end = std::min(first + kBlock, graph_.places() + 1);
    for (uint32_t place = first; place < end; ++place) wait(place);
    match_waiting();
    if (most_ < kAny) return;
    for (uint32_t rest = end; rest-- > first;) {
      if (degree_[rest] == 0 || degree_[rest] >= kGone) continue;
      match(rest);
      match_waiting();
    }
  }

  // Match those that wait in other blocks, and return whether there were any.
  bool match_later() {
    bool any = false;
    for (block_ = 0; block_ < later_.size(); ++block_) {
      const std::vector<uint32_t> places = std::exchange(later_[block_], {});
      any = any || !places.empty();
      for (uint32_t place : places) wait(place);
      match_waiting();
    }
    return any;
  }

  void match_waiting() {
    while (const uint32_t place = next()) match(place);
  }

  // Let a number of few free neighbours wait for its turn: now, or when its block comes next.
  void wait(uint32_t place) {
    if (!degree_[place] || degree_[place] > std::min(most_, kFew)) return;
    if (place / kBlock != block_) {
      later_[place / kBlock].push_back(place);
    } else {
      waiting_[degree_[place]].push_back(place);
    }
  }

  // Return a free number of the smallest degree in the block, or none if all have many.
  uint32_t next() {
    for (uint32_t degree = 1; degree <= kFew; ++degree) {
      auto& stack = waiting_[degree];
      while (!stack.empty()) {
        const uint32_t place = stack.back();
        stack.pop_back();
        if (stack.size() >= kAhead) {
          graph_.prefetch(stack[stack.size() - kAhead]);
          graph_.prefetch_neighbours(stack[stack.size() - kAhead / 2]);
        }
        if (degree_[place] == degree) return place;
      }
    }
    return 0;
  }

  // Match a number to the free neighbour that has the fewest free neighbours itself.
  void match(uint32_t place) {
    if ((++matches_ & 255) == 0) look_(0);
    uint32_t partner = 0, fewest = kGone, left = degree_[place];
    for (const uint32_t* at = graph_.begin(place); left > 0; ++at) {
      const uint32_t degree = degree_[*at];
      if (degree >= kGone) continue;
      if (degree < fewest || (degree == fewest && *at > partner)) {
        fewest = degree;
        partner = *at;
      }
      --left;
    }
    graph_.prefetch_neighbours(partner);
    mate[place] = partner;
    mate[partner] = place;
    take(place);
    take(partner);
  }

  void take(uint32_t place) {
    uint32_t left = degree_[place];
    degree_[place] |= kGone;
    for (const uint32_t* at = graph_.begin(place); left > 0; ++at) {
      if (degree_[*at] >= kGone) continue;
      --degree_[*at];
      wait(*at);
      --left;
    }
  }

  const Graph graph_;
  Look& look_;
  std::vector<uint32_t> degree_;
  uint32_t most_ = 0;   // free neighbours of those that are matched now
  uint32_t block_ = 0;  // where they are
  std::array<std::vector<uint32_t>, kFew + 1> waiting_;  // in the block, by their degree
  std::vector<std::vector<uint32_t>> later_;             // by block
  uint64_t matches_ = 0;
};

}  // namespace matching
