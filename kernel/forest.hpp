// Maximum matchings, and the numbers that some maximum matching misses.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "graph.hpp"
#include "greedy.hpp"

namespace matching {

// Edmonds' blossom algorithm ("Paths, trees, and flowers", 1965): trees of alternating paths grow
// from all exposed numbers at once. Where two of them meet, the matching is augmented, and both are
// put aside; when the others are done, all begins anew. Blossoms are kept as a forest of bases.
template <typename Look>
class Forest {
 public:
  // Begin with a matching. Numbers in a crown (see `Greedy`) are only labelled.
  Forest(const Graph& graph, std::vector<uint32_t> mate, const std::vector<uint8_t>& crown,
         Look& look)
      : graph_(graph),
        crown_(crown),
        look_(look),
        node_(graph.places() + 1),
        root_(graph.places() + 1),
        size_(graph.places() + 1),
        seen_(graph.places() + 1) {
    found_.resize(graph.places() + 1);
    found_.mate = std::move(mate);
  }

  // Augment the matching until it is maximum.
  Matched run() {
    do {
      begin();
      grow();
    } while (augmented_);
    label_crown();
    for (uint32_t place = 1; place <= graph_.places(); ++place) {
      found_.label[place] = state(place) == kCrown ? uint8_t{kFree} : state(place);
    }
    return std::move(found_);
  }

 private:
  static constexpr uint8_t kAside = 3, kCrown = 4;  // more states than there are labels
  static constexpr unsigned kBits = 3;              // for the state of a number
  static constexpr unsigned kSizes = 32;
  static constexpr uint32_t kLookEvery = (1 << 16) - 1;
  static constexpr unsigned kPatience = 3;  // how often a tree may double
  static constexpr size_t kAhead = 8;       // how far the memory is asked ahead of a scan

  // A number's state and its base are in one word, so that one look at the memory tells both.
  static uint32_t node(uint32_t base, uint8_t state) { return base << kBits | state; }
  uint8_t state(uint32_t place) const { return node_[place] & ((1 << kBits) - 1); }
  uint32_t next_base(uint32_t place) const { return node_[place] >> kBits; }
  void set_state(uint32_t place, uint8_t to) { node_[place] = node(next_base(place), to); }
  void set_base(uint32_t place, uint32_t to) { node_[place] = node(to, state(place)); }

  uint32_t base(uint32_t place) {
    while (true) {
      const uint32_t above = next_base(place), top = next_base(above);
      if (above == top) return top;
      set_base(place, top);
      place = top;
    }
  }

  // Whether the tree of a number was put aside; its root tells.
  bool is_aside(uint32_t place) const { return state(root_[place]) == kAside; }

  uint32_t& mate(uint32_t place) { return found_.mate[place]; }
  uint32_t& parent(uint32_t place) { return found_.parent[place]; }

  void begin() {
    augmented_ = false;
    largest_ = 0;
    heads_.clear();
    for (auto& queue : waiting_) queue.clear();
    for (uint32_t place = 1; place <= graph_.places(); ++place) {
      if ((place & kLookEvery) == 0) look_(found_.positions);
      node_[place] = node(place, crown_[place] ? kCrown : uint8_t{kFree});
      if (!mate(place) && !crown_[place]) join(place, place, kOuter);
    }
  }

  void join(uint32_t place, uint32_t root, uint8_t as) {
    set_state(place, as);
    root_[place] = root;
    size_[root] = place == root ? 1 : size_[root] + 1;
    if (as == kOuter) wait(place);
  }

  // Small trees come first: each then finds the others in its reach, before one swallows them all
  // and is lost as a whole with its first augmentation.
  void wait(uint32_t outer) { waiting_[size_class(outer)].push_back(outer); }
  unsigned size_class(uint32_t place) const { return 31 - __builtin_clz(size_[root_[place]]); }

  void grow() {
    for (unsigned size = 0; size < kSizes;) {
      auto& queue = waiting_[size];
      if (queue.empty()) {
        ++size;
        continue;
      }
      // Trees much larger than any that met another will find one sooner in a new forest.
      if (augmented_ && size > largest_ + kPatience) return;
      const uint32_t outer = queue.front();
      queue.pop_front();
      if (queue.size() > kAhead) {
        graph_.prefetch(queue[kAhead]);
        graph_.prefetch_neighbours(queue[kAhead / 2]);
      }
      if (is_aside(outer)) continue;
      if (size_class(outer) > size) {
        wait(outer);
      } else {
        scan(outer);
        size = 0;
      }
    }
  }

  void scan(uint32_t outer) {
    if ((++found_.positions & 255) == 0) look_(found_.positions);
    uint32_t mine = node(base(outer), kOuter);
    for (const uint32_t *at = graph_.begin(outer), *end = graph_.end(outer); at < end; ++at) {
      const uint32_t place = *at;
      if (node_[place] == mine) continue;
      switch (state(place)) {
        case kFree:
          parent(place) = outer;
          join(place, root_[outer], kInner);
          join(mate(place), root_[outer], kOuter);
          break;
        case kCrown:
          reach(place, outer);
          break;
        case kOuter:
          if (node(base(place), kOuter) == mine) break;
          if (root_[place] != root_[outer]) {
            if (is_aside(place)) break;
            return augment(outer, place);
          }
          close(outer, place);
          mine = node(base(outer), kOuter);
      }
    }
  }

  // Match the ends of an edge between two trees, and put the trees aside until the others are done.
  void augment(uint32_t one, uint32_t two) {
    augmented_ = true;
    largest_ = std::max({largest_, size_class(one), size_class(two)});
    for (uint32_t root : {root_[one], root_[two]}) set_state(root, kAside);
    const uint32_t after_one = std::exchange(mate(one), two);
    const uint32_t after_two = std::exchange(mate(two), one);
    flip(after_one);
    flip(after_two);
  }

  void flip(uint32_t place) {
    while (place) {
      const uint32_t outer = parent(place);
      mate(place) = outer;
      place = std::exchange(mate(outer), place);
    }
  }

  // Make the blossom that an edge closes within a tree.
  void close(uint32_t one, uint32_t two) {
    const uint32_t top = meeting(one, two);
    contract(one, two, top);
    contract(two, one, top);
  }

  // Return the base where the paths from two outer numbers to the root meet.
  uint32_t meeting(uint32_t one, uint32_t two) {
    ++walk_;
    one = base(one);
    two = base(two);
    while (true) {
      if (one) {
        if (std::exchange(seen_[one], walk_) == walk_) return one;
        one = mate(one) ? base(parent(mate(one))) : 0;
      }
      std::swap(one, two);
    }
  }

  // Make the path from one end of a bridge to the top of its blossom outer.
  void contract(uint32_t outer, uint32_t bridge, uint32_t top) {
    while (base(outer) != top) {
      parent(outer) = bridge;
      bridge = mate(outer);
      if (state(bridge) == kInner) {
        set_state(bridge, kOuter);
        wait(bridge);
      }
      for (uint32_t place : {outer, bridge}) {
        if (next_base(place) == place) set_base(place, top);
      }
      outer = parent(bridge);
    }
  }

  // A head of the crown is beside an outer number.
  void reach(uint32_t head, uint32_t outer) {
    parent(head) = outer;
    set_state(head, kInner);
    heads_.push_back(head);
  }

  // Outer are the exposed numbers of the crown and the partners of the heads that are reached, and
  // all their neighbours are heads.
  void label_crown() {
    for (uint32_t place = 1; place <= graph_.places(); ++place) {
      if ((place & kLookEvery) == 0) look_(found_.positions);
      if (state(place) == kCrown && !mate(place)) make_outer(place);
    }
    while (!heads_.empty()) {
      const uint32_t head = heads_.back();
      heads_.pop_back();
      make_outer(mate(head));
    }
  }

  void make_outer(uint32_t spike) {
    set_state(spike, kOuter);
    for (const uint32_t *at = graph_.begin(spike), *end = graph_.end(spike); at < end; ++at) {
      if (state(*at) == kCrown) reach(*at, spike);
    }
  }

  const Graph graph_;
  const std::vector<uint8_t>& crown_;
  Look& look_;
  Matched found_;
  std::vector<uint32_t> node_, root_, size_, seen_;
  std::array<std::deque<uint32_t>, kSizes> waiting_;
  std::vector<uint32_t> heads_;  // of the crown, reached but not yet gone on from
  uint32_t walk_ = 0;
  unsigned largest_ = 0;  // size class of the trees that met another in this forest
  bool augmented_ = false;
};

// Return a maximum matching of a graph. It may start from a matching that is known.
template <typename Look>
Matched match(const Graph& graph, std::vector<uint32_t> start, Look& look) {
  std::vector<uint8_t> crown(graph.places() + 1);
  if (start.empty()) {
    Greedy<Look> greedy(graph, look);
    greedy.run();
    start = std::move(greedy.mate);
    crown = std::move(greedy.crown);
  }
  return Forest<Look>(graph, std::move(start), crown, look).run();
}

}  // namespace matching
