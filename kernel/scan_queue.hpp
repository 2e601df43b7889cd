// The queue of vertices to be scanned.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace matching {

// Outer vertices to be scanned, grouped by tree. Small trees come first: each finds the trees
// within its reach before one tree absorbs them all, which a single augmentation would then
// dissolve. A tree keeps its turn for many vertices, because they are close to each other in
// memory.
class ScanQueue {
 public:
  static constexpr unsigned kClasses = 32;

  // Trees in the same size class differ at most by a factor of two.
  static unsigned size_class(uint32_t size) { return 31 - __builtin_clz(size); }

  // Queue a vertex of a tree, and schedule the tree unless it is scheduled or has its turn.
  void push(uint32_t vertex, uint32_t tree, uint32_t size) {
    if (tree >= queues_.size()) queues_.resize(tree + 1);
    queues_[tree].vertices.push_back(vertex);
    if (!queues_[tree].is_scheduled) schedule(tree, size);
  }

  // End the turn of a tree, and schedule it again if it has vertices left.
  void release_tree(uint32_t tree, uint32_t size) {
    queues_[tree].is_scheduled = false;
    if (has_vertices(tree)) schedule(tree, size);
  }

  // The smallest size class that has a scheduled tree, or `kClasses`.
  unsigned smallest_class() const {
    unsigned smallest = 0;
    while (smallest < kClasses && trees_by_class_[smallest].empty()) ++smallest;
    return smallest;
  }

  // Start the turn of the next tree in a size class.
  uint32_t pop_tree(unsigned size_class) {
    const uint32_t tree = trees_by_class_[size_class].front();
    trees_by_class_[size_class].pop_front();
    return tree;
  }

  bool has_vertices(uint32_t tree) const {
    return tree < queues_.size() && queues_[tree].size() > 0;
  }

  uint32_t pop_vertex(uint32_t tree) {
    VertexQueue& queue = queues_[tree];
    const uint32_t vertex = queue.vertices[queue.head++];
    if (queue.size() == 0) queue.clear();
    return vertex;
  }

  // The vertex this many steps ahead in a tree, and the first vertex of the tree this many steps
  // ahead in a size class; 0 if there is none.
  uint32_t peek(uint32_t tree, size_t offset) const {
    const VertexQueue& queue = queues_[tree];
    return offset < queue.size() ? queue.vertices[queue.head + offset] : 0;
  }
  uint32_t peek_tree(unsigned size_class, size_t offset) const {
    const auto& queue = trees_by_class_[size_class];
    return offset < queue.size() ? peek(queue[offset], 0) : 0;
  }

  // Remove the vertices of one tree, or of all trees.
  void clear_tree(uint32_t tree) {
    if (has_vertices(tree)) queues_[tree].clear();
  }
  void clear() {
    for (VertexQueue& queue : queues_) {
      queue.clear();
      queue.is_scheduled = false;
    }
    for (auto& queue : trees_by_class_) queue.clear();
  }

 private:
  void schedule(uint32_t tree, uint32_t size) {
    queues_[tree].is_scheduled = true;
    trees_by_class_[size_class(size)].push_back(tree);
  }

  struct VertexQueue {
    std::vector<uint32_t> vertices;
    size_t head = 0;  // index of the next vertex
    bool is_scheduled = false;  // whether the tree is scheduled or has its turn

    size_t size() const { return vertices.size() - head; }
    void clear() {
      vertices.clear();
      head = 0;
    }
  };

  std::vector<VertexQueue> queues_;  // by tree
  std::array<std::deque<uint32_t>, kClasses> trees_by_class_;  // scheduled trees
};

}  // namespace matching
