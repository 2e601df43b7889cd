// Graphs and their matchings.
#pragma once

#include <cstddef>
#include <cstdint>
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

  struct Neighbours {
    const uint32_t *first, *last;
    const uint32_t* begin() const { return first; }
    const uint32_t* end() const { return last; }
  };
  Neighbours neighbours(uint32_t place) const {
    return {begin(place), neighbours_ + first_[place + 1]};
  }

  // Ask the memory for where the neighbours begin, and later for the first of them. (Compilers
  // leave out calls of functions that do nothing but ask, so these must not be calls.)
  [[gnu::always_inline]] void prefetch(uint32_t place) const { __builtin_prefetch(first_ + place); }
  [[gnu::always_inline]] void prefetch_neighbours(uint32_t place) const {
    __builtin_prefetch(begin(place));
    __builtin_prefetch(begin(place) + 15);
  }

 private:
  uint32_t places_;
  const uint32_t* first_;
  const uint32_t* neighbours_;
};

// Outer are the numbers that some maximum matching misses, and inner ones their neighbours: the
// sets D and A of the Gallai-Edmonds decomposition. The others are free.
enum Label : uint8_t { kFree, kOuter, kInner };

// A maximum matching of the places of a graph, or of the numbers from 0 on.
struct Matched {
  std::vector<uint32_t> mate;
  std::vector<uint8_t> label;
  std::vector<uint32_t> parent;  // see `Trees`; of free numbers it tells nothing
  uint64_t positions = 0;        // how many numbers were looked at

  void resize(size_t size) {
    mate.resize(size);
    label.resize(size);
    parent.resize(size);
  }
};

}  // namespace matching
