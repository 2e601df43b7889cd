// Alternating trees and the blossoms in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "graph.hpp"

namespace matching {

// A forest of alternating trees. The root of each tree is an exposed vertex. Unmatched edges lead
// from outer vertices to inner ones, matched edges from inner vertices to outer ones. A vertex in
// no tree is unreached, or excluded from the search.
//
// An edge between two outer vertices of one tree closes an odd cycle, a blossom. All its vertices
// become outer and share a base: the vertex of the blossom nearest to the root. An outer vertex in
// no blossom is its own base.
class AlternatingForest {
 public:
  static constexpr uint8_t kExcluded = 3;  // a state besides the three labels

  AlternatingForest(const std::vector<uint32_t>& mate, const std::vector<uint8_t>& excluded)
      : node_(mate.size()), link_(mate.size()) {
    for (uint32_t vertex = 0; vertex < mate.size(); ++vertex) {
      node_[vertex] = pack_node(vertex, excluded[vertex] ? kExcluded : uint8_t{kUnreached});
      link_[vertex].mate = mate[vertex];
    }
  }

  uint8_t state(uint32_t vertex) const { return node_[vertex] & kStateMask; }
  uint32_t mate(uint32_t vertex) const { return link_[vertex].mate; }

  // The outer vertex from which an inner vertex was reached. For a vertex that a blossom made
  // outer, follow its mate instead: the path to the root continues at the mate's parent.
  uint32_t parent(uint32_t vertex) const { return link_[vertex].parent; }

  // A mark survives when the tree of its vertex is dissolved.
  bool is_marked(uint32_t vertex) const { return node_[vertex] & kMarkBit; }
  void mark(uint32_t vertex) { node_[vertex] |= kMarkBit; }
  void unmark(uint32_t vertex) { node_[vertex] &= ~kMarkBit; }

  uint32_t base(uint32_t vertex) {
    while (true) {
      const uint32_t above = base_link(vertex), top = base_link(above);
      if (above == top) return top;
      set_base_link(vertex, top);
      vertex = top;
    }
  }

  // An identifier for the blossom of an outer vertex. `is_surely_in` is a cheap test without false
  // positives, but it can miss vertices of the blossom.
  uint32_t blossom_id(uint32_t outer) { return pack_node(base(outer), kOuter); }
  bool is_surely_in(uint32_t vertex, uint32_t blossom_id) const {
    return (node_[vertex] & ~kMarkBit) == blossom_id;
  }

  // Trees are numbered from 0. `tree` is meaningful for inner and outer vertices, and for vertices
  // whose tree has just been dissolved.
  uint32_t tree_count() const { return static_cast<uint32_t>(vertices_.size()); }
  uint32_t tree(uint32_t vertex) const { return link_[vertex].tree; }
  const std::vector<uint32_t>& vertices(uint32_t tree) const { return vertices_[tree]; }
  uint32_t size(uint32_t tree) const { return static_cast<uint32_t>(vertices_[tree].size()); }
  uint32_t root(uint32_t tree) const { return vertices_[tree].front(); }

  // Add a tree that consists of its root only.
  void add_tree(uint32_t root) {
    vertices_.emplace_back();
    add_to_tree(root, tree_count() - 1, kOuter);
  }

  // Add an unreached vertex and its mate to the tree of an outer neighbour.
  void attach(uint32_t vertex, uint32_t outer) {
    link_[vertex].parent = outer;
    add_to_tree(vertex, tree(outer), kInner);
    add_to_tree(mate(vertex), tree(outer), kOuter);
  }

  // Make all vertices of a tree unreached, and return the marked ones.
  std::vector<uint32_t> dissolve(uint32_t tree) {
    std::vector<uint32_t> marked;
    for (uint32_t vertex : std::exchange(vertices_[tree], {})) {
      if (is_marked(vertex)) marked.push_back(vertex);
      node_[vertex] = pack_node(vertex, kUnreached) | (node_[vertex] & kMarkBit);
    }
    return marked;
  }

  // Restart a dissolved tree from its root.
  void replant(uint32_t root) { add_to_tree(root, tree(root), kOuter); }

  // Label a vertex without adding it to a tree.
  void set_label(uint32_t vertex, uint8_t state, uint32_t parent) {
    set_state(vertex, state);
    link_[vertex].parent = parent;
  }

  // Augment the matching along the edge between two outer vertices of different trees: match them
  // and flip the paths to both roots.
  void augment(uint32_t one, uint32_t two) {
    const uint32_t after_one = std::exchange(link_[one].mate, two);
    const uint32_t after_two = std::exchange(link_[two].mate, one);
    flip_path(after_one);
    flip_path(after_two);
  }

  // Contract the blossom that an edge between two outer vertices of a tree closes. Calls `visit`
  // with every vertex that was inner.
  template <typename Visit>
  void close_blossom(uint32_t one, uint32_t two, Visit&& visit) {
    const uint32_t top = common_base(one, two);
    contract(one, two, top, visit);
    contract(two, one, top, visit);
  }

  // Prefetch everything stored about a vertex.
  [[gnu::always_inline]] void prefetch(uint32_t vertex) const {
    __builtin_prefetch(&node_[vertex]);
    __builtin_prefetch(&link_[vertex]);
  }

 private:
  // Memory access dominates the running time. So the state, the mark and the link to the base share
  // one word, and the remaining fields, which are mostly read together, share another struct.
  static constexpr uint32_t kStateMask = 3, kMarkBit = 4;
  static constexpr unsigned kBaseShift = 3;

  struct Link {
    uint32_t mate, parent, tree;
    uint32_t last_walk;  // the last walk of `common_base` that passed here
  };

  static uint32_t pack_node(uint32_t base, uint8_t state) { return base << kBaseShift | state; }
  uint32_t base_link(uint32_t vertex) const { return node_[vertex] >> kBaseShift; }
  void set_state(uint32_t vertex, uint8_t state) {
    node_[vertex] = (node_[vertex] & ~kStateMask) | state;
  }
  void set_base_link(uint32_t vertex, uint32_t base) {
    node_[vertex] = base << kBaseShift | (node_[vertex] & (kStateMask | kMarkBit));
  }

  void add_to_tree(uint32_t vertex, uint32_t tree, uint8_t state) {
    set_state(vertex, state);
    link_[vertex].tree = tree;
    vertices_[tree].push_back(vertex);
  }

  void flip_path(uint32_t vertex) {
    while (vertex) {
      const uint32_t outer = parent(vertex);
      link_[vertex].mate = outer;
      vertex = std::exchange(link_[outer].mate, vertex);
    }
  }

  // Return the base at which the paths from two outer vertices to the root meet.
  uint32_t common_base(uint32_t one, uint32_t two) {
    ++walk_;
    one = base(one);
    two = base(two);
    while (true) {
      if (one) {
        if (std::exchange(link_[one].last_walk, walk_) == walk_) return one;
        one = mate(one) ? base(parent(mate(one))) : 0;
      }
      std::swap(one, two);
    }
  }

  // Make the path from one end of an edge up to the base `top` outer. Every vertex on it that was
  // inner gets a path through this end of the edge to `next`, the other end.
  template <typename Visit>
  void contract(uint32_t outer, uint32_t next, uint32_t top, Visit&& visit) {
    while (base(outer) != top) {
      link_[outer].parent = next;
      const uint32_t partner = mate(outer);
      const bool was_inner = state(partner) == kInner;
      if (was_inner) set_state(partner, kOuter);
      for (uint32_t vertex : {outer, partner}) {
        if (base_link(vertex) == vertex) set_base_link(vertex, top);
      }
      if (was_inner) visit(partner);
      next = partner;
      outer = parent(partner);
    }
  }

  std::vector<uint32_t> node_;
  std::vector<Link> link_;
  std::vector<std::vector<uint32_t>> vertices_;  // by tree, root first
  uint32_t walk_ = 0;
};

}  // namespace matching
