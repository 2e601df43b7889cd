// The initial matching (Karp and Sipser, "Maximum matching in sparse random graphs", 1981).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "graph.hpp"

namespace matching {

// Greedy matching that always picks an unmatched vertex with the fewest unmatched neighbours.
// Matching a vertex of degree 1 to its only neighbour loses nothing. For higher degrees, the more
// closely the order is followed, the fewer augmentations remain. The order is followed only within
// blocks of vertices that fit into the cache, which is much faster and nearly as good.
template <typename Poll>
class KarpSipser {
 public:
  KarpSipser(const Graph& graph, Poll& poll)
      : mate(graph.vertex_count() + 1),
        crown(graph.vertex_count() + 1),
        graph_(graph),
        poll_(poll),
        degree_(graph.vertex_count() + 1),
        deferred_(graph.vertex_count() / kBlockSize + 1) {}

  void run() {
    for (uint32_t vertex = 1; vertex <= graph_.vertex_count(); ++vertex) {
      if ((vertex & kPollMask) == 0) poll_(0);
      degree_[vertex] = graph_.degree(vertex);
    }
    match_degrees_up_to(1);
    for (uint32_t vertex = 1; vertex <= graph_.vertex_count(); ++vertex) {
      crown[vertex] = degree_[vertex] >= kMatchedFlag || degree_[vertex] == 0;
    }
    match_degrees_up_to(kMaxBucket);
    match_degrees_up_to(kUnlimited);
  }

  std::vector<uint32_t> mate;

  // The vertices that were matched or isolated when the vertices of degree 1 first ran out. The
  // leaves and the isolated vertices have no neighbours except the mates of leaves. So these pairs
  // belong to a maximum matching regardless of the rest of the graph, which can be matched
  // separately. (This is a crown decomposition: the mates of leaves are the head, the leaves and
  // the isolated vertices are the spikes.)
  std::vector<uint8_t> crown;

 private:
  // Added to the degree of a matched vertex.
  static constexpr uint32_t kMatchedFlag = uint32_t{1} << 31;
  static constexpr uint32_t kPollMask = (1 << 16) - 1;
  static constexpr uint32_t kMaxBucket = 8;  // vertices up to this degree are sorted into buckets
  static constexpr uint32_t kUnlimited = kMatchedFlag - 1;
  static constexpr uint32_t kBlockSize = 1 << 18;  // in vertices
  static constexpr size_t kPrefetchDistance = 4;  // how many vertices are prefetched ahead

  // Match vertices with at most this many unmatched neighbours until none is left, block by block.
  void match_degrees_up_to(uint32_t max_degree) {
    max_degree_ = max_degree;
    for (block_ = 0; block_ < deferred_.size(); ++block_) match_block();
    while (match_deferred()) continue;
  }

  void match_block() {
    const uint32_t first = block_ * kBlockSize;
    const uint32_t end = std::min(first + kBlockSize, graph_.vertex_count() + 1);
    for (uint32_t vertex = first; vertex < end; ++vertex) enqueue(vertex);
    drain_buckets();
    if (max_degree_ < kUnlimited) return;
    for (uint32_t rest = end; rest-- > first;) {
      if (degree_[rest] == 0 || degree_[rest] >= kMatchedFlag) continue;
      match(rest);
      drain_buckets();
    }
  }

  // Match the vertices that were deferred to other blocks. Return whether there were any.
  bool match_deferred() {
    bool any = false;
    for (block_ = 0; block_ < deferred_.size(); ++block_) {
      const std::vector<uint32_t> vertices = std::exchange(deferred_[block_], {});
      any = any || !vertices.empty();
      for (uint32_t vertex : vertices) enqueue(vertex);
      drain_buckets();
    }
    return any;
  }

  void drain_buckets() {
    while (const uint32_t vertex = pop()) match(vertex);
  }

  // Queue a vertex of low degree, for now or for the next visit to its block.
  void enqueue(uint32_t vertex) {
    if (!degree_[vertex] || degree_[vertex] > std::min(max_degree_, kMaxBucket)) return;
    if (vertex / kBlockSize != block_) {
      deferred_[vertex / kBlockSize].push_back(vertex);
    } else {
      buckets_[degree_[vertex]].push_back(vertex);
    }
  }

  // Return an unmatched vertex of minimum degree in the block, or 0 if only higher degrees are
  // left.
  uint32_t pop() {
    for (uint32_t degree = 1; degree <= kMaxBucket; ++degree) {
      auto& stack = buckets_[degree];
      while (!stack.empty()) {
        const uint32_t vertex = stack.back();
        stack.pop_back();
        if (stack.size() >= kPrefetchDistance) {
          graph_.prefetch(stack[stack.size() - kPrefetchDistance]);
          graph_.prefetch_neighbours(stack[stack.size() - kPrefetchDistance / 2]);
        }
        if (degree_[vertex] == degree) return vertex;
      }
    }
    return 0;
  }

  // Match a vertex to the unmatched neighbour of minimum degree.
  void match(uint32_t vertex) {
    if ((++matches_ & 255) == 0) poll_(0);
    uint32_t partner = 0, smallest = kMatchedFlag, remaining = degree_[vertex];
    for (const uint32_t* at = graph_.begin(vertex); remaining > 0; ++at) {
      const uint32_t degree = degree_[*at];
      if (degree >= kMatchedFlag) continue;
      if (degree < smallest || (degree == smallest && *at > partner)) {
        smallest = degree;
        partner = *at;
      }
      --remaining;
    }
    graph_.prefetch_neighbours(partner);
    mate[vertex] = partner;
    mate[partner] = vertex;
    remove(vertex);
    remove(partner);
  }

  void remove(uint32_t vertex) {
    uint32_t remaining = degree_[vertex];
    degree_[vertex] |= kMatchedFlag;
    for (const uint32_t* at = graph_.begin(vertex); remaining > 0; ++at) {
      if (degree_[*at] >= kMatchedFlag) continue;
      --degree_[*at];
      enqueue(*at);
      --remaining;
    }
  }

  const Graph graph_;
  Poll& poll_;
  std::vector<uint32_t> degree_;
  uint32_t max_degree_ = 0;  // the highest degree to be matched now
  uint32_t block_ = 0;  // the block to be matched now
  std::array<std::vector<uint32_t>, kMaxBucket + 1> buckets_;  // of the current block, by degree
  std::vector<std::vector<uint32_t>> deferred_;  // by block
  uint64_t matches_ = 0;
};

}  // namespace matching
