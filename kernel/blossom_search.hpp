// Edmonds' blossom algorithm: maximum matchings and the vertices that some maximum matching misses.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "alternating_forest.hpp"
#include "graph.hpp"
#include "karp_sipser.hpp"
#include "scan_queue.hpp"

namespace matching {

// The blossom algorithm (Edmonds, "Paths, trees, and flowers", 1965). Alternating trees grow from
// all exposed vertices at once. Where two trees meet, the search augments the matching and
// dissolves both trees. The next round starts with the vertices that this released. Complete trees
// that met no other tree are kept from round to round, so few vertices are scanned twice.
template <typename Poll>
class BlossomSearch {
 public:
  // Start from a matching. Crown vertices (see `KarpSipser`) are not searched, only labelled.
  BlossomSearch(const Graph& graph, const std::vector<uint32_t>& mate,
                const std::vector<uint8_t>& crown, Poll& poll)
      : graph_(graph), poll_(poll), forest_(mate, crown) {}

  // Augment the matching until it is maximum.
  void run() {
    for (uint32_t vertex = 1; vertex <= graph_.vertex_count(); ++vertex) {
      if (forest_.mate(vertex) || forest_.state(vertex) == AlternatingForest::kExcluded) continue;
      forest_.add_tree(vertex);
      enqueue(vertex);
    }
    while (run_round()) start_new_round();
    label_crown();
  }

  bool is_inner(uint32_t vertex) const { return forest_.state(vertex) == kInner; }

  // Return whether the search would give the same answer if the graph had edges from a vertex to
  // these others: the matching stays maximum and the labels stay correct. That holds if and only if
  // no outer vertex gets a neighbour that is neither inner nor in the same blossom.
  bool edges_are_redundant(uint32_t vertex, const std::vector<uint32_t>& others) {
    if (is_inner(vertex)) return true;
    const bool is_outer = forest_.state(vertex) == kOuter;
    const uint32_t blossom = forest_.blossom_id(vertex);
    return std::all_of(others.begin(), others.end(), [&](uint32_t other) {
      if (is_outer && forest_.is_surely_in(other, blossom)) return true;
      if (forest_.state(other) != kOuter) return !is_outer || is_inner(other);
      return is_outer && forest_.blossom_id(other) == blossom;
    });
  }

  // Return the matching, indexed by number. `number` maps a vertex to its number, which is less
  // than `size`.
  template <typename NumberOf>
  Matching result(size_t size, NumberOf&& number) const {
    Matching result;
    result.resize(size);
    for (uint32_t vertex = 1; vertex <= graph_.vertex_count(); ++vertex) {
      if ((vertex & kPollMask) == 0) poll_(positions_);
      const uint8_t state = forest_.state(vertex);
      const uint32_t at = number(vertex);
      result.label[at] = state == AlternatingForest::kExcluded ? uint8_t{kUnreached} : state;
      result.mate[at] = number(forest_.mate(vertex));
      result.parent[at] = number(forest_.parent(vertex));
    }
    result.positions = positions_;
    return result;
  }

 private:
  // After trees have met, a round continues only with trees up to this many size classes larger.
  static constexpr unsigned kClassSlack = 1;
  // Look for a giant in trees with at least 1/32 of all vertices.
  static constexpr uint32_t kGiantFraction = 32;
  static constexpr uint32_t kPrefetchDistance = 8;  // how many vertices a scan prefetches ahead
  static constexpr uint32_t kPollMask = (1 << 16) - 1;

  void count_position() {
    if ((++positions_ & 255) == 0) poll_(positions_);
  }

  void enqueue(uint32_t outer) {
    const uint32_t tree = forest_.tree(outer);
    queue_.push(outer, tree, forest_.size(tree));
  }

  // Grow the trees until they are complete, or until it is better to start a new round. Return
  // whether the matching was augmented.
  bool run_round() {
    augmented_ = false;
    largest_augmented_ = 0;
    giant_ = 0;
    giant_check_size_ = graph_.vertex_count() / kGiantFraction;
    giant_just_found_ = false;
    grow();
    while (!augmented_ && (giant_just_found_ || !deferred_.empty())) {
      giant_just_found_ = false;
      scan_deferred();
      grow();
    }
    return augmented_;
  }

  void grow() {
    while (!giant_just_found_) {
      const unsigned size = queue_.smallest_class();
      if (size == ScanQueue::kClasses) return;
      // Trees much larger than those that have met another one will meet one sooner in a new round.
      if (augmented_ && size > largest_augmented_ + kClassSlack) return;
      prefetch(queue_.peek_tree(size, kPrefetchDistance),
               queue_.peek_tree(size, kPrefetchDistance / 2));
      grow(queue_.pop_tree(size), size);
    }
  }

  // Grow a tree until it is complete or has left its size class.
  void grow(uint32_t tree, unsigned size) {
    while (queue_.has_vertices(tree) && size_class(tree) == size && !giant_just_found_) {
      prefetch(queue_.peek(tree, kPrefetchDistance), queue_.peek(tree, kPrefetchDistance / 2));
      prefetch_neighbours(queue_.peek(tree, kPrefetchDistance / 4));
      const uint32_t outer = queue_.pop_vertex(tree);
      if (!giant_ && !augmented_ && forest_.size(tree) >= giant_check_size_) detect_giant(tree);
      if (giant_just_found_) {
        enqueue(outer);
      } else if (can_defer(outer)) {
        deferred_.push_back(outer);
      } else {
        scan(outer);
      }
    }
    queue_.release_tree(tree, forest_.size(tree));
  }

  unsigned size_class(uint32_t tree) const { return ScanQueue::size_class(forest_.size(tree)); }

  // Prefetch what is stored about a vertex, and the adjacency list of one that is scanned sooner.
  [[gnu::always_inline]] void prefetch(uint32_t vertex, uint32_t nearer) const {
    forest_.prefetch(vertex);
    graph_.prefetch(vertex);
    graph_.prefetch_neighbours(nearer);
  }

  // Prefetch what is stored about the first neighbours of a vertex.
  [[gnu::always_inline]] void prefetch_neighbours(uint32_t vertex) const {
    const auto neighbours = graph_.neighbours(vertex);
    const uint32_t* end = std::min(neighbours.end(), neighbours.begin() + kPrefetchDistance);
    for (const uint32_t* at = neighbours.begin(); at < end; ++at) forest_.prefetch(*at);
  }

  void scan(uint32_t outer) {
    count_position();
    const bool was_in_giant = is_in_giant(outer);
    uint32_t blossom = forest_.blossom_id(outer);
    const auto neighbours = graph_.neighbours(outer);
    for (const uint32_t* at = neighbours.begin(); at != neighbours.end(); ++at) {
      if (at + kPrefetchDistance < neighbours.end()) forest_.prefetch(at[kPrefetchDistance]);
      const uint32_t vertex = *at;
      if (forest_.is_surely_in(vertex, blossom)) continue;
      switch (forest_.state(vertex)) {
        case kUnreached:
          attach(vertex, outer);
          break;
        case kInner:
          if (forest_.is_marked(vertex)) break;  // saves looking up its tree
          if (giant_ || forest_.tree(vertex) != forest_.tree(outer)) forest_.mark(vertex);
          break;
        case kOuter:
          if (forest_.blossom_id(vertex) == blossom) break;
          if (forest_.tree(vertex) != forest_.tree(outer)) return augment(outer, vertex);
          close_blossom(outer, vertex);
          blossom = forest_.blossom_id(outer);
          if (!was_in_giant && can_defer(outer)) return deferred_.push_back(outer);
      }
    }
  }

  // Add an unreached vertex and its mate to the tree of an outer neighbour.
  void attach(uint32_t vertex, uint32_t outer) {
    forest_.attach(vertex, outer);
    enqueue(forest_.mate(vertex));
  }

  void close_blossom(uint32_t one, uint32_t two) {
    forest_.close_blossom(one, two, [this](uint32_t outer) { enqueue_or_defer(outer); });
  }

  // Augment the matching along an edge between two trees.
  void augment(uint32_t one, uint32_t two) {
    augmented_ = true;
    for (uint32_t outer : {one, two}) {
      largest_augmented_ = std::max(largest_augmented_, size_class(forest_.tree(outer)));
    }
    forest_.augment(one, two);
    dissolve(forest_.tree(one));
    dissolve(forest_.tree(two));
  }

  void dissolve(uint32_t tree) {
    if (contains_giant(tree)) giant_ = 0;
    queue_.clear_tree(tree);
    const std::vector<uint32_t> marked = forest_.dissolve(tree);
    released_.insert(released_.end(), marked.begin(), marked.end());
  }

  // Start a new round: keep the complete trees, dissolve the others and restart them from their
  // roots.
  //
  // The outer vertices of a complete tree are not scanned again, although some of their neighbours
  // may have become unreached since. Each such neighbour was inner in another tree when it was
  // scanned, so it is marked. Hence it is enough that the marked vertices now look for an outer
  // neighbour themselves: no other unreached vertex has a scanned neighbour.
  void start_new_round() {
    deferred_.clear();
    std::vector<uint32_t> roots;
    for (uint32_t tree = 0; tree < forest_.tree_count(); ++tree) {
      if (!queue_.has_vertices(tree) && !contains_giant(tree)) continue;
      roots.push_back(forest_.root(tree));
      dissolve(tree);
    }
    queue_.clear();
    for (uint32_t root : roots) {
      forest_.replant(root);
      enqueue(root);
    }
    for (uint32_t vertex : released_) {
      if (forest_.state(vertex) != kUnreached || !forest_.is_marked(vertex)) continue;
      if (const uint32_t outer = outer_neighbour(vertex)) {
        attach(vertex, outer);
      } else {
        forest_.unmark(vertex);
      }
    }
    released_.clear();
  }

  uint32_t outer_neighbour(uint32_t vertex) {
    count_position();
    for (uint32_t neighbour : graph_.neighbours(vertex)) {
      if (forest_.state(neighbour) == kOuter) return neighbour;
    }
    return 0;
  }

  // Late in a large search one blossom tends to contain most of the graph: the giant. Scanning its
  // vertices is deferred. Their edges to outer vertices elsewhere are found from the other end,
  // since all outer vertices outside the giant are scanned; their edges to unreached vertices are
  // found by `scan_deferred`. A vertex that was inner when such a scan passed it is marked, and is
  // scanned like any other.
  bool can_defer(uint32_t outer) { return is_in_giant(outer) && !forest_.is_marked(outer); }
  bool is_in_giant(uint32_t outer) { return giant_ && forest_.base(outer) == forest_.base(giant_); }
  bool contains_giant(uint32_t tree) const { return giant_ && forest_.tree(giant_) == tree; }

  void enqueue_or_defer(uint32_t outer) {
    if (can_defer(outer)) {
      deferred_.push_back(outer);
    } else {
      enqueue(outer);
    }
  }

  // Find out whether one blossom contains at least half of the outer vertices of a tree (majority
  // vote of Boyer and Moore, 1991). If so, that blossom is the giant, and the outer vertices
  // outside it are scanned again to mark the inner vertices they meet.
  void detect_giant(uint32_t tree) {
    giant_check_size_ = 2 * forest_.size(tree);
    const auto each_base = [&](auto visit) {
      for (uint32_t vertex : forest_.vertices(tree)) {
        if (forest_.state(vertex) == kOuter) visit(forest_.base(vertex), vertex);
      }
    };
    uint32_t top = 0;
    int64_t votes = 0, majority = 0;
    each_base([&](uint32_t base, uint32_t) {
      if (votes == 0) top = base;
      votes += base == top ? 1 : -1;
    });
    each_base([&](uint32_t base, uint32_t) { majority += base == top ? 1 : -1; });
    if (majority < 0) return;
    each_base([&](uint32_t base, uint32_t outer) {
      if (base != top) enqueue(outer);
    });
    giant_ = top;
    unreached_count_ = 0;
    giant_just_found_ = true;
  }

  // Find the edges between deferred and unreached vertices, from the side that has fewer vertices
  // (Beamer, Asanović and Patterson, "Direction-optimizing breadth-first search", 2012).
  void scan_deferred() {
    const std::vector<uint32_t> deferred = std::exchange(deferred_, {});
    if (deferred.size() < unreached_count_) {
      for (uint32_t outer : deferred) {
        scan(outer);
        if (augmented_) return;
      }
      return;
    }
    unreached_count_ = 0;
    const auto mate = [this](uint32_t at) {
      return at <= graph_.vertex_count() ? forest_.mate(at) : 0;
    };
    for (uint32_t vertex = 1; vertex <= graph_.vertex_count(); ++vertex) {
      prefetch(mate(vertex + 2 * kPrefetchDistance), mate(vertex + kPrefetchDistance));
      if (forest_.state(vertex) != kUnreached) continue;
      if (const uint32_t outer = outer_neighbour(vertex)) {
        forest_.attach(vertex, outer);
        connect_to_giant(forest_.mate(vertex));
      } else {
        ++unreached_count_;
      }
    }
  }

  // Look for an edge from an outer vertex to the giant, and for nothing else.
  void connect_to_giant(uint32_t outer) {
    if (contains_giant(forest_.tree(outer))) {
      const uint32_t giant = forest_.blossom_id(giant_);
      for (uint32_t vertex : graph_.neighbours(outer)) {
        if (forest_.state(vertex) != kOuter || forest_.blossom_id(vertex) != giant) continue;
        close_blossom(outer, vertex);
        break;
      }
    }
    enqueue_or_defer(outer);
  }

  // Label the crown. Its outer vertices are the exposed ones and the mates of heads that have an
  // outer neighbour. All neighbours of an outer vertex in the crown are heads.
  void label_crown() {
    std::vector<uint32_t> spikes;
    const auto reach = [&](uint32_t head, uint32_t outer) {
      forest_.set_label(head, kInner, outer);
      spikes.push_back(forest_.mate(head));
    };
    for (uint32_t vertex = 1; vertex <= graph_.vertex_count(); ++vertex) {
      if (forest_.state(vertex) != AlternatingForest::kExcluded) continue;
      if (!forest_.mate(vertex)) {
        spikes.push_back(vertex);
      } else if (const uint32_t outer = outer_neighbour(vertex)) {
        reach(vertex, outer);
      }
    }
    while (!spikes.empty()) {
      const uint32_t spike = spikes.back();
      spikes.pop_back();
      forest_.set_label(spike, kOuter, 0);
      for (uint32_t vertex : graph_.neighbours(spike)) {
        if (forest_.state(vertex) == AlternatingForest::kExcluded) reach(vertex, spike);
      }
    }
  }

  const Graph graph_;
  Poll& poll_;
  AlternatingForest forest_;
  ScanQueue queue_;
  std::vector<uint32_t> released_;  // marked vertices of dissolved trees
  bool augmented_ = false;  // in this round
  unsigned largest_augmented_ = 0;  // the largest size class that was augmented in this round
  uint32_t giant_ = 0;  // any vertex of the giant, 0 if there is none
  uint32_t giant_check_size_ = 0;  // the tree size at which to look for a giant
  bool giant_just_found_ = false;
  std::vector<uint32_t> deferred_;  // vertices of the giant to be scanned later
  size_t unreached_count_ = 0;  // unreached vertices without an outer neighbour, when last counted
  uint64_t positions_ = 0;
};

// Find a maximum matching of a graph, starting from the given matching unless it is empty.
template <typename Poll>
BlossomSearch<Poll> find_maximum_matching(const Graph& graph, std::vector<uint32_t> start,
                                          Poll& poll) {
  std::vector<uint8_t> crown(graph.vertex_count() + 1);
  if (start.empty()) {
    KarpSipser<Poll> initial(graph, poll);
    initial.run();
    start = std::move(initial.mate);
    crown = std::move(initial.crown);
  }
  BlossomSearch<Poll> search(graph, start, crown, poll);
  search.run();
  return search;
}

}  // namespace matching
