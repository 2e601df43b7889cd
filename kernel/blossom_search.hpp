// Maximum matchings, and the numbers that some maximum matching misses.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "graph.hpp"
#include "karp_sipser.hpp"
#include "alternating_forest.hpp"
#include "scan_queue.hpp"

namespace matching {

// Edmonds' blossom algorithm ("Paths, trees, and flowers", 1965): trees of alternating paths grow
// from all exposed places at once. Where two of them meet, the matching is augmented and both are
// cut. A new round begins with what has become free. Trees that met no other and are done stay from
// round to round, so that a place is seldom looked at twice.
template <typename Look>
class Forest {
 public:
  // Begin with a matching. Places in a crown (see `Greedy`) are only labelled.
  Forest(const Graph& graph, const std::vector<uint32_t>& mate, const std::vector<uint8_t>& crown,
         Look& look)
      : graph_(graph), look_(look), trees_(mate, crown) {}

  // Augment the matching until it is maximum.
  void run() {
    for (uint32_t place = 1; place <= graph_.places(); ++place) {
      if (trees_.mate(place) || trees_.state(place) == Trees::kApart) continue;
      trees_.add(place);
      wait(place);
    }
    while (grow_all()) begin_anew();
    label_crown();
  }

  bool is_inner(uint32_t place) const { return trees_.state(place) == kInner; }

  // Tell whether ties from a place to others would change nothing: the matching stays maximum, and
  // the labels stay true. So it is if no outer place has a neighbour that is neither inner nor in
  // the same blossom.
  bool allows(uint32_t place, const std::vector<uint32_t>& others) {
    if (is_inner(place)) return true;
    const bool is_outer = trees_.state(place) == kOuter;
    const uint32_t blossom = trees_.blossom(place);
    return std::all_of(others.begin(), others.end(), [&](uint32_t other) {
      if (is_outer && trees_.is_in(other, blossom)) return true;
      if (trees_.state(other) != kOuter) return !is_outer || is_inner(other);
      return is_outer && trees_.blossom(other) == blossom;
    });
  }

  // Return what was found, of numbers below a limit. `number` tells which is at a place.
  template <typename Naming>
  Matched found(size_t limit, Naming&& number) const {
    Matched found;
    found.resize(limit);
    for (uint32_t place = 1; place <= graph_.places(); ++place) {
      if ((place & kLookEvery) == 0) look_(positions_);
      const uint8_t state = trees_.state(place);
      const uint32_t at = number(place);
      found.label[at] = state == Trees::kApart ? uint8_t{kFree} : state;
      found.mate[at] = number(trees_.mate(place));
      found.parent[at] = number(trees_.parent(place));
    }
    found.positions = positions_;
    return found;
  }

 private:
  static constexpr unsigned kPatience = 1;  // how often a tree may outgrow twofold those that met
  static constexpr uint32_t kGiant = 32;    // a tree of this part of all places may have a giant
  static constexpr uint32_t kAhead = 8;     // how far the memory is asked ahead of a scan
  static constexpr uint32_t kLookEvery = (1 << 16) - 1;

  void tick() {
    if ((++positions_ & 255) == 0) look_(positions_);
  }

  void wait(uint32_t outer) {
    const uint32_t tree = trees_.tree(outer);
    waiting_.add(outer, tree, trees_.size(tree));
  }

  // Let the trees grow until they are done, or until the rest is better left to a new round. Return
  // whether the matching was augmented.
  bool grow_all() {
    augmented_ = false;
    largest_ = 0;
    giant_ = 0;
    giant_from_ = graph_.places() / kGiant;
    is_to_cover_ = false;
    grow();
    while (!augmented_ && (is_to_cover_ || !postponed_.empty())) {
      is_to_cover_ = false;
      cover();
      grow();
    }
    return augmented_;
  }

  void grow() {
    while (!is_to_cover_) {
      const unsigned size = waiting_.least_class();
      if (size == Waiting::kSizes) return;
      // Trees much larger than any that met another will find one sooner in a new round.
      if (augmented_ && size > largest_ + kPatience) return;
      prefetch(waiting_.ahead_of_trees(size, kAhead), waiting_.ahead_of_trees(size, kAhead / 2));
      grow(waiting_.next_tree(size), size);
    }
  }

  // Let a tree grow until it is done, or until it is too large for its class.
  void grow(uint32_t tree, unsigned size) {
    while (waiting_.has(tree) && size_class(tree) == size && !is_to_cover_) {
      prefetch(waiting_.ahead(tree, kAhead), waiting_.ahead(tree, kAhead / 2));
      prefetch_neighbours(waiting_.ahead(tree, kAhead / 4));
      const uint32_t outer = waiting_.next(tree);
      if (!giant_ && !augmented_ && trees_.size(tree) >= giant_from_) look_for_giant(tree);
      if (is_to_cover_) {
        wait(outer);
      } else if (may_be_postponed(outer)) {
        postponed_.push_back(outer);
      } else {
        scan(outer);
      }
    }
    waiting_.end_turn(tree, trees_.size(tree));
  }

  unsigned size_class(uint32_t tree) const { return Waiting::size_class(trees_.size(tree)); }

  // Ask the memory for what is known of a place, and for the neighbours of one that comes sooner.
  [[gnu::always_inline]] void prefetch(uint32_t place, uint32_t sooner) const {
    trees_.prefetch(place);
    graph_.prefetch(place);
    graph_.prefetch_neighbours(sooner);
  }

  // Ask for what is known of the neighbours that come first in a scan.
  [[gnu::always_inline]] void prefetch_neighbours(uint32_t place) const {
    const auto neighbours = graph_.neighbours(place);
    const uint32_t* end = std::min(neighbours.end(), neighbours.begin() + kAhead);
    for (const uint32_t* at = neighbours.begin(); at < end; ++at) trees_.prefetch(*at);
  }

  void scan(uint32_t outer) {
    tick();
    const bool was_in_giant = is_in_giant(outer);
    uint32_t blossom = trees_.blossom(outer);
    const auto neighbours = graph_.neighbours(outer);
    for (const uint32_t* at = neighbours.begin(); at != neighbours.end(); ++at) {
      if (at + kAhead < neighbours.end()) trees_.prefetch(at[kAhead]);
      const uint32_t place = *at;
      if (trees_.is_in(place, blossom)) continue;
      switch (trees_.state(place)) {
        case kFree:
          take(place, outer);
          break;
        case kInner:
          if (trees_.is_marked(place)) break;  // so its tree need not be looked up
          if (giant_ || trees_.tree(place) != trees_.tree(outer)) trees_.mark(place);
          break;
        case kOuter:
          if (trees_.blossom(place) == blossom) break;
          if (trees_.tree(place) != trees_.tree(outer)) return augment(outer, place);
          close(outer, place);
          blossom = trees_.blossom(outer);
          if (!was_in_giant && may_be_postponed(outer)) return postponed_.push_back(outer);
      }
    }
  }

  // Let a free place join the tree of an outer neighbour.
  void take(uint32_t place, uint32_t outer) {
    trees_.take(place, outer);
    wait(trees_.mate(place));
  }

  void close(uint32_t one, uint32_t two) {
    trees_.close(one, two, [this](uint32_t outer) { wait_or_postpone(outer); });
  }

  // Match the ends of a tie between two trees.
  void augment(uint32_t one, uint32_t two) {
    augmented_ = true;
    for (uint32_t outer : {one, two}) largest_ = std::max(largest_, size_class(trees_.tree(outer)));
    trees_.match(one, two);
    cut(trees_.tree(one));
    cut(trees_.tree(two));
  }

  void cut(uint32_t tree) {
    if (has_giant(tree)) giant_ = 0;
    waiting_.drop(tree);
    const std::vector<uint32_t> marked = trees_.cut(tree);
    freed_.insert(freed_.end(), marked.begin(), marked.end());
  }

  // Begin a new round: trees that are done stay, the others are cut and grow from the root again.
  //
  // The outer places of a tree that stays have all been scanned. They will not look again at what
  // has become free beside them. But when they did, such a place was inner, in another tree, and
  // has been marked. So those that are marked look for an outer place now, and no other free place
  // is beside one that was scanned.
  void begin_anew() {
    postponed_.clear();
    std::vector<uint32_t> roots;
    for (uint32_t tree = 0; tree < trees_.trees(); ++tree) {
      if (!waiting_.has(tree) && !has_giant(tree)) continue;
      roots.push_back(trees_.root(tree));
      cut(tree);
    }
    waiting_.clear();
    for (uint32_t root : roots) {
      trees_.plant(root);
      wait(root);
    }
    for (uint32_t place : freed_) {
      if (trees_.state(place) != kFree || !trees_.is_marked(place)) continue;
      if (const uint32_t outer = outer_beside(place)) {
        take(place, outer);
      } else {
        trees_.unmark(place);
      }
    }
    freed_.clear();
  }

  uint32_t outer_beside(uint32_t place) {
    tick();
    for (uint32_t neighbour : graph_.neighbours(place)) {
      if (trees_.state(neighbour) == kOuter) return neighbour;
    }
    return 0;
  }

  // Late in a large search one blossom tends to swallow most of the graph. It is called the giant
  // here, and its places are postponed instead of scanned: a tie to an outer place elsewhere is met
  // from there, as all outer places elsewhere are scanned, and a tie to a free place by `cover`.
  // What was inner when such a scan came by is marked, and scanned like any other.
  bool may_be_postponed(uint32_t outer) { return is_in_giant(outer) && !trees_.is_marked(outer); }
  bool is_in_giant(uint32_t outer) { return giant_ && trees_.base(outer) == trees_.base(giant_); }
  bool has_giant(uint32_t tree) const { return giant_ && trees_.tree(giant_) == tree; }

  void wait_or_postpone(uint32_t outer) {
    if (may_be_postponed(outer)) {
      postponed_.push_back(outer);
    } else {
      wait(outer);
    }
  }

  // See whether at least half of a tree's outer places are in one blossom (by the vote of Boyer and
  // Moore, 1991). If so it is the giant, and the others are scanned again, to mark what they meet.
  void look_for_giant(uint32_t tree) {
    giant_from_ = 2 * trees_.size(tree);
    const auto each_base = [&](auto visit) {
      for (uint32_t place : trees_.places(tree)) {
        if (trees_.state(place) == kOuter) visit(trees_.base(place), place);
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
      if (base != top) wait(outer);
    });
    giant_ = top;
    free_ = 0;
    is_to_cover_ = true;
  }

  // Bring the postponed places together with their free neighbours. The fewer look for the others:
  // the postponed, or all that are free (Beamer, Asanović and Patterson, "Direction-optimizing
  // breadth-first search", 2012).
  void cover() {
    const std::vector<uint32_t> postponed = std::exchange(postponed_, {});
    if (postponed.size() < free_) {
      for (uint32_t outer : postponed) {
        scan(outer);
        if (augmented_) return;
      }
      return;
    }
    free_ = 0;
    const auto mate = [this](uint32_t at) { return at <= graph_.places() ? trees_.mate(at) : 0; };
    for (uint32_t place = 1; place <= graph_.places(); ++place) {
      prefetch(mate(place + 2 * kAhead), mate(place + kAhead));
      if (trees_.state(place) != kFree) continue;
      if (const uint32_t outer = outer_beside(place)) {
        trees_.take(place, outer);
        meet_giant(trees_.mate(place));
      } else {
        ++free_;
      }
    }
  }

  // Let an outer place look for the giant, and no further.
  void meet_giant(uint32_t outer) {
    if (has_giant(trees_.tree(outer))) {
      const uint32_t giant = trees_.blossom(giant_);
      for (uint32_t place : graph_.neighbours(outer)) {
        if (trees_.state(place) != kOuter || trees_.blossom(place) != giant) continue;
        close(outer, place);
        break;
      }
    }
    wait_or_postpone(outer);
  }

  // Outer are the exposed places of the crown and the partners of the heads that are beside an
  // outer place. All their neighbours are heads.
  void label_crown() {
    std::vector<uint32_t> spikes;
    const auto reach = [&](uint32_t head, uint32_t outer) {
      trees_.label(head, kInner, outer);
      spikes.push_back(trees_.mate(head));
    };
    for (uint32_t place = 1; place <= graph_.places(); ++place) {
      if (trees_.state(place) != Trees::kApart) continue;
      if (!trees_.mate(place)) {
        spikes.push_back(place);
      } else if (const uint32_t outer = outer_beside(place)) {
        reach(place, outer);
      }
    }
    while (!spikes.empty()) {
      const uint32_t spike = spikes.back();
      spikes.pop_back();
      trees_.label(spike, kOuter, 0);
      for (uint32_t place : graph_.neighbours(spike)) {
        if (trees_.state(place) == Trees::kApart) reach(place, spike);
      }
    }
  }

  const Graph graph_;
  Look& look_;
  Trees trees_;
  Waiting waiting_;
  std::vector<uint32_t> freed_;                       // marked places of trees that were cut
  bool augmented_ = false;                            // in this round, as is ...
  unsigned largest_ = 0;                              // ... how large trees that met were
  uint32_t giant_ = 0;                                // a place in it, if there is one
  uint32_t giant_from_ = 0;                           // how large a tree is worth a look for it
  bool is_to_cover_ = false;                          // a giant was found just now
  std::vector<uint32_t> postponed_;                   // places in the giant
  size_t free_ = 0;  // how many had no outer place beside them, when they last looked
  uint64_t positions_ = 0;
};

// Find a maximum matching of a graph. It may start from a matching that is known.
template <typename Look>
Forest<Look> search(const Graph& graph, std::vector<uint32_t> start, Look& look) {
  std::vector<uint8_t> crown(graph.places() + 1);
  if (start.empty()) {
    Greedy<Look> greedy(graph, look);
    greedy.run();
    start = std::move(greedy.mate);
    crown = std::move(greedy.crown);
  }
  Forest<Look> forest(graph, start, crown, look);
  forest.run();
  return forest;
}

}  // namespace matching
