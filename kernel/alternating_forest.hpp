// Trees of alternating paths, and the blossoms in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "graph.hpp"

namespace matching {

// A forest of alternating trees. From the root of a tree, an exposed place, ties that are not
// matched lead to inner places, and from there matched ones on to outer places. Places in no tree
// are free, if they take part at all. A tie between two outer places of a tree closes a cycle of
// odd length, a blossom, whose places all are outer. They share a base, the one that is nearest to
// the root. An outer place in no blossom is its own base.
class Trees {
 public:
  static constexpr uint8_t kApart = 3;  // takes no part: one more state than there are labels

  Trees(const std::vector<uint32_t>& mate, const std::vector<uint8_t>& apart)
      : node_(mate.size()), link_(mate.size()) {
    for (uint32_t place = 0; place < mate.size(); ++place) {
      node_[place] = node(place, apart[place] ? kApart : uint8_t{kFree});
      link_[place].mate = mate[place];
    }
  }

  uint8_t state(uint32_t place) const { return node_[place] & kState; }
  uint32_t mate(uint32_t place) const { return link_[place].mate; }

  // The outer place before an inner one. Of places that a blossom has made outer, their partners
  // know the way: the parent of the partner is where the path to the root goes on.
  uint32_t parent(uint32_t place) const { return link_[place].parent; }

  // A mark on a place. It stays when the tree is cut.
  bool is_marked(uint32_t place) const { return node_[place] & kMark; }
  void mark(uint32_t place) { node_[place] |= kMark; }
  void unmark(uint32_t place) { node_[place] &= ~kMark; }

  uint32_t base(uint32_t place) {
    while (true) {
      const uint32_t above = next_base(place), top = next_base(above);
      if (above == top) return top;
      set_base(place, top);
      place = top;
    }
  }

  // A name for the blossom of an outer place. `is_in` may miss a place of it, but is quick.
  uint32_t blossom(uint32_t outer) { return node(base(outer), kOuter); }
  bool is_in(uint32_t place, uint32_t blossom) const { return (node_[place] & ~kMark) == blossom; }

  // Trees are numbered from 0 on. The tree of a place tells something if it is inner or outer, or
  // was until its tree was cut just now.
  uint32_t trees() const { return static_cast<uint32_t>(places_.size()); }
  uint32_t tree(uint32_t place) const { return link_[place].tree; }
  const std::vector<uint32_t>& places(uint32_t tree) const { return places_[tree]; }
  uint32_t size(uint32_t tree) const { return static_cast<uint32_t>(places_[tree].size()); }
  uint32_t root(uint32_t tree) const { return places_[tree].front(); }

  // Add a tree with nothing but a root.
  void add(uint32_t root) {
    places_.emplace_back();
    join(root, trees() - 1, kOuter);
  }

  // Let a free place and its partner join the tree of an outer neighbour.
  void take(uint32_t place, uint32_t outer) {
    link_[place].parent = outer;
    join(place, tree(outer), kInner);
    join(mate(place), tree(outer), kOuter);
  }

  // Make all places of a tree free, and return those that are marked.
  std::vector<uint32_t> cut(uint32_t tree) {
    std::vector<uint32_t> marked;
    for (uint32_t place : std::exchange(places_[tree], {})) {
      if (is_marked(place)) marked.push_back(place);
      node_[place] = node(place, kFree) | (node_[place] & kMark);
    }
    return marked;
  }

  // Let a tree that was cut begin with its root again.
  void plant(uint32_t root) { join(root, tree(root), kOuter); }

  // Give a place a state, in no tree.
  void label(uint32_t place, uint8_t as, uint32_t parent) {
    set_state(place, as);
    link_[place].parent = parent;
  }

  // Match two outer places of different trees, and change partners on the paths to the roots.
  void match(uint32_t one, uint32_t two) {
    const uint32_t after_one = std::exchange(link_[one].mate, two);
    const uint32_t after_two = std::exchange(link_[two].mate, one);
    flip(after_one);
    flip(after_two);
  }

  // Make the blossom that a tie closes within a tree. `visit` hears of every place that was inner.
  template <typename Visit>
  void close(uint32_t one, uint32_t two, Visit&& visit) {
    const uint32_t top = meeting(one, two);
    contract(one, two, top, visit);
    contract(two, one, top, visit);
  }

  // Ask the memory for what is known of a place.
  [[gnu::always_inline]] void prefetch(uint32_t place) const {
    __builtin_prefetch(&node_[place]);
    __builtin_prefetch(&link_[place]);
  }

 private:
  // Looks at the memory cost most here. So a state, a mark and the next base are in one word, and
  // what is seldom needed without the rest is beside each other.
  static constexpr uint32_t kState = 3, kMark = 4;
  static constexpr unsigned kBits = 3;

  struct Link {
    uint32_t mate, parent, tree;
    uint32_t met;  // in which walk
  };

  static uint32_t node(uint32_t base, uint8_t state) { return base << kBits | state; }
  uint32_t next_base(uint32_t place) const { return node_[place] >> kBits; }
  void set_state(uint32_t place, uint8_t to) { node_[place] = (node_[place] & ~kState) | to; }
  void set_base(uint32_t place, uint32_t to) {
    node_[place] = to << kBits | (node_[place] & (kState | kMark));
  }

  void join(uint32_t place, uint32_t tree, uint8_t as) {
    set_state(place, as);
    link_[place].tree = tree;
    places_[tree].push_back(place);
  }

  void flip(uint32_t place) {
    while (place) {
      const uint32_t outer = parent(place);
      link_[place].mate = outer;
      place = std::exchange(link_[outer].mate, place);
    }
  }

  // Return the base where the paths from two outer places to the root meet.
  uint32_t meeting(uint32_t one, uint32_t two) {
    ++walk_;
    one = base(one);
    two = base(two);
    while (true) {
      if (one) {
        if (std::exchange(link_[one].met, walk_) == walk_) return one;
        one = mate(one) ? base(parent(mate(one))) : 0;
      }
      std::swap(one, two);
    }
  }

  // Make the path from one end of a tie to the top of its blossom outer. The way of what was inner
  // leads to that end, and on to the next place, the other end.
  template <typename Visit>
  void contract(uint32_t outer, uint32_t next, uint32_t top, Visit&& visit) {
    while (base(outer) != top) {
      link_[outer].parent = next;
      const uint32_t partner = mate(outer);
      const bool was_inner = state(partner) == kInner;
      if (was_inner) set_state(partner, kOuter);
      for (uint32_t place : {outer, partner}) {
        if (next_base(place) == place) set_base(place, top);
      }
      if (was_inner) visit(partner);
      next = partner;
      outer = parent(partner);
    }
  }

  std::vector<uint32_t> node_;
  std::vector<Link> link_;
  std::vector<std::vector<uint32_t>> places_;  // of every tree, its root first
  uint32_t walk_ = 0;
};

}  // namespace matching
