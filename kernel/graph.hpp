// Graphs and matchings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace matching {

using Number = uint32_t;  // 0 means none, as does vertex 0

// A graph with vertices 1, 2, … in CSR form: the neighbours of a vertex begin at offsets[vertex].
class Graph {
 public:
  Graph(uint32_t vertex_count, const uint32_t* offsets, const uint32_t* neighbours)
      : vertex_count_(vertex_count), offsets_(offsets), neighbours_(neighbours) {}

  uint32_t vertex_count() const { return vertex_count_; }
  uint32_t degree(uint32_t vertex) const { return offsets_[vertex + 1] - offsets_[vertex]; }
  const uint32_t* begin(uint32_t vertex) const { return neighbours_ + offsets_[vertex]; }

  struct Neighbours {
    const uint32_t *first, *last;
    const uint32_t* begin() const { return first; }
    const uint32_t* end() const { return last; }
  };
  Neighbours neighbours(uint32_t vertex) const {
    return {begin(vertex), neighbours_ + offsets_[vertex + 1]};
  }

  // Prefetch the offset of a vertex, and later the beginning of its list. These must be inlined:
  // GCC removes calls to functions that only prefetch.
  [[gnu::always_inline]] void prefetch(uint32_t vertex) const {
    __builtin_prefetch(offsets_ + vertex);
  }
  [[gnu::always_inline]] void prefetch_neighbours(uint32_t vertex) const {
    __builtin_prefetch(begin(vertex));
    __builtin_prefetch(begin(vertex) + 15);
  }

 private:
  uint32_t vertex_count_;
  const uint32_t* offsets_;
  const uint32_t* neighbours_;
};

// The Gallai-Edmonds decomposition. Outer vertices (the set D) are missed by some maximum matching,
// inner vertices (A) are their neighbours, and alternating paths from exposed vertices reach none
// of the others (C).
enum Label : uint8_t { kUnreached, kOuter, kInner };

// A maximum matching, indexed by the vertices of a graph or by numbers from 0.
struct Matching {
  std::vector<uint32_t> mate;
  std::vector<uint8_t> label;
  std::vector<uint32_t> parent;  // see `AlternatingForest`; undefined for unreached vertices
  uint64_t positions = 0;  // how many vertices were scanned

  void resize(size_t size) {
    mate.resize(size);
    label.resize(size);
    parent.resize(size);
  }
};

}  // namespace matching
