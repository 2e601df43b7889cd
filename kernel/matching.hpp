// Maximum matchings, and the numbers that some maximum matching misses.
//
// Edmonds' blossom algorithm ("Paths, trees, and flowers", 1965) after a start that leaves little
// to be done (Karp and Sipser 1981). Trees grow from all exposed numbers at once, small ones first;
// where two of them meet, the matching is augmented. In the end the outer numbers are those that
// some maximum matching misses and the inner ones their neighbours: the sets D and A of the
// Gallai-Edmonds decomposition.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace matching {

using Number = uint32_t;  // 0 stands for none, and so does the place 0

// A graph on the places 1, 2, …: the neighbours of a place begin at first[place].
class Graph {
 public:
  Graph(uint32_t places, const uint32_t* first, const uint32_t* neighbours)
      : places_(places), first_(first), neighbours_(neighbours) {}

  uint32_t places() const { return places_; }
  uint32_t degree(uint32_t place) const { return first_[place + 1] - first_[place]; }
  const uint32_t* begin(uint32_t place) const { return neighbours_ + first_[place]; }
  const uint32_t* end(uint32_t place) const { return neighbours_ + first_[place + 1]; }

 private:
  uint32_t places_;
  const uint32_t* first_;
  const uint32_t* neighbours_;
};

// Matches free numbers to each other, those with the fewest free neighbours first. A number with
// one free neighbour is matched to it without loss; the more faithfully the others follow in order,
// the fewer augmentations are left.
template <typename Look>
class Greedy {
 public:
  Greedy(const Graph& graph, std::vector<uint32_t>& mate, Look& look)
      : graph_(graph), mate_(mate), look_(look), degree_(graph.places() + 1) {}

  void run() {
    for (uint32_t place = 1; place <= graph_.places(); ++place) {
      degree_[place] = graph_.degree(place);
      wait(place);
    }
    uint32_t rest = graph_.places();
    while (true) {
      if ((++steps_ & 255) == 0) look_(0);
      if (const uint32_t place = next()) {
        match(place);
      } else {
        while (rest && (degree_[rest] >= kGone || degree_[rest] == 0)) --rest;
        if (!rest) return;
        match(rest);
      }
    }
  }

 private:
  static constexpr uint32_t kGone = uint32_t{1} << 31;  // added to the degree of what is not free
  static constexpr uint32_t kFew = 8;  // up to this degree, numbers are kept in order

  void wait(uint32_t place) {
    if (degree_[place] <= kFew) waiting_[degree_[place]].push_back(place);
  }

  // Return a free number of the smallest degree, or none if all degrees are large.
  uint32_t next() {
    for (uint32_t degree = 1; degree <= kFew; ++degree) {
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
    mate_[place] = partner;
    mate_[partner] = place;
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
  std::vector<uint32_t>& mate_;
  Look& look_;
  std::vector<uint32_t> degree_;
  std::array<std::vector<uint32_t>, kFew + 1> waiting_;
  uint64_t steps_ = 0;
};

enum Label : uint8_t { kFree, kOuter, kInner, kAside };

// Trees of alternating paths from all exposed numbers; blossoms are kept as a forest of bases.
template <typename Look>
class Forest {
 public:
  Forest(const Graph& graph, std::vector<uint32_t>& mate, Look& look)
      : label(graph.places() + 1),
        parent(graph.places() + 1),
        graph_(graph),
        mate_(mate),
        look_(look),
        base_(graph.places() + 1),
        root_(graph.places() + 1),
        next_(graph.places() + 1),
        size_(graph.places() + 1),
        seen_(graph.places() + 1) {}

  // Augment the matching until it is maximum.
  void run() {
    do {
      augmented_ = false;
      std::fill(label.begin(), label.end(), kFree);
      for (uint32_t place = 1; place <= graph_.places(); ++place) {
        if (!mate_[place]) join(place, place, kOuter);
      }
      grow();
    } while (augmented_);
  }

  std::vector<uint8_t> label;
  std::vector<uint32_t> parent;  // of every inner number, and of the outer ones in a blossom
  uint64_t positions = 0;        // how many outer numbers were looked at

 private:
  static constexpr unsigned kSizes = 32;

  void join(uint32_t place, uint32_t root, Label as) {
    label[place] = as;
    base_[place] = place;
    root_[place] = root;
    next_[place] = place == root ? 0 : std::exchange(next_[root], place);
    size_[root] = place == root ? 1 : size_[root] + 1;
    if (as == kOuter) wait(place);
  }

  // Small trees come first: each then finds the others in its reach, before one swallows them all
  // and is lost as a whole with its first augmentation.
  void wait(uint32_t outer) { waiting_[size_class(outer)].push_back(outer); }

  unsigned size_class(uint32_t place) const {
    unsigned size = 0;
    for (uint32_t left = size_[root_[place]]; left > 1; left /= 2) ++size;
    return size;
  }

  void grow() {
    for (unsigned size = 0; size < kSizes;) {
      auto& queue = waiting_[size];
      if (queue.empty()) {
        ++size;
        continue;
      }
      const uint32_t outer = queue.front();
      queue.pop_front();
      if (label[outer] != kOuter) continue;
      if (size_class(outer) > size) {
        wait(outer);
      } else {
        scan(outer);
        size = 0;
      }
    }
  }

  void scan(uint32_t outer) {
    if ((++positions & 255) == 0) look_(positions);
    uint32_t mine = base(outer);
    for (const uint32_t *at = graph_.begin(outer), *end = graph_.end(outer); at < end; ++at) {
      const uint32_t place = *at;
      if (label[place] == kFree) {
        parent[place] = outer;
        join(place, root_[outer], kInner);
        join(mate_[place], root_[outer], kOuter);
      } else if (label[place] == kOuter && base(place) != mine) {
        if (root_[place] != root_[outer]) return augment(outer, place);
        const uint32_t top = meeting(outer, place);
        contract(outer, place, top);
        contract(place, outer, top);
        mine = base(outer);
      }
    }
  }

  // Match the ends of an edge between two trees, and put the trees aside until the others are done.
  void augment(uint32_t one, uint32_t two) {
    augmented_ = true;
    for (uint32_t root : {root_[one], root_[two]}) {
      for (uint32_t place = root; place; place = next_[place]) label[place] = kAside;
    }
    const uint32_t after_one = std::exchange(mate_[one], two);
    const uint32_t after_two = std::exchange(mate_[two], one);
    flip(after_one);
    flip(after_two);
  }

  void flip(uint32_t place) {
    while (place) {
      const uint32_t outer = parent[place];
      mate_[place] = outer;
      place = std::exchange(mate_[outer], place);
    }
  }

  uint32_t base(uint32_t place) {
    while (base_[place] != place) place = base_[place] = base_[base_[place]];
    return place;
  }

  // Return the base where the paths from two outer numbers to the root meet.
  uint32_t meeting(uint32_t one, uint32_t two) {
    ++walk_;
    one = base(one);
    two = base(two);
    while (true) {
      if (one) {
        if (std::exchange(seen_[one], walk_) == walk_) return one;
        one = mate_[one] ? base(parent[mate_[one]]) : 0;
      }
      std::swap(one, two);
    }
  }

  // Make the path from one end of a bridge to the top of its blossom outer.
  void contract(uint32_t outer, uint32_t bridge, uint32_t top) {
    while (base(outer) != top) {
      parent[outer] = bridge;
      bridge = mate_[outer];
      if (label[bridge] == kInner) {
        label[bridge] = kOuter;
        wait(bridge);
      }
      if (base_[outer] == outer) base_[outer] = top;
      if (base_[bridge] == bridge) base_[bridge] = top;
      outer = parent[bridge];
    }
  }

  const Graph graph_;
  std::vector<uint32_t>& mate_;
  Look& look_;
  std::vector<uint32_t> base_, root_, next_, size_, seen_;
  std::array<std::deque<uint32_t>, kSizes> waiting_;
  uint32_t walk_ = 0;
  bool augmented_ = false;
};

}  // namespace matching
