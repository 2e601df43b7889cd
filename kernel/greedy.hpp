// A matching to begin with (Karp and Sipser 1981).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "graph.hpp"

namespace matching {

// Matches free numbers to each other, those with the fewest free neighbours first. A number with
// one free neighbour is matched to it without loss; the more faithfully the others follow in order,
// the fewer augmentations are left.
template <typename Look>
class Greedy {
 public:
  Greedy(const Graph& graph, Look& look)
      : mate(graph.places() + 1),
        crown(graph.places() + 1),
        graph_(graph),
        look_(look),
        degree_(graph.places() + 1) {}

  void run() {
    for (uint32_t place = 1; place <= graph_.places(); ++place) {
      if ((place & kLookEvery) == 0) look_(0);
      degree_[place] = graph_.degree(place);
      wait(place);
    }
    while (const uint32_t leaf = next(1)) match(leaf);
    for (uint32_t place = 1; place <= graph_.places(); ++place) {
      crown[place] = degree_[place] >= kGone || degree_[place] == 0;
    }
    uint32_t rest = graph_.places();
    while (true) {
      if (const uint32_t place = next(kFew)) {
        match(place);
      } else {
        while (rest && (degree_[rest] >= kGone || degree_[rest] == 0)) --rest;
        if (!rest) return;
        match(rest);
      }
    }
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

  void wait(uint32_t place) {
    if (degree_[place] && degree_[place] <= kFew) waiting_[degree_[place]].push_back(place);
  }

  // Return a free number of the smallest degree, or none if all have more than `most`.
  uint32_t next(uint32_t most) {
    for (uint32_t degree = 1; degree <= most; ++degree) {
      auto& stack = waiting_[degree];
      while (!stack.empty()) {
        const uint32_t place = stack.back();
        stack.pop_back();
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
  std::array<std::vector<uint32_t>, kFew + 1> waiting_;
  uint64_t matches_ = 0;
};

}  // namespace matching
