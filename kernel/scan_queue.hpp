// Places that wait for their turn.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace matching {

// Outer places that are to be scanned. Small trees come first: each then finds the others in its
// reach, before one swallows them all and is lost as a whole with its first augmentation. The
// places of a tree are near to each other, so it has its turn with many, and the caches serve it.
class Waiting {
 public:
  static constexpr unsigned kSizes = 32;

  // The class of a size: trees of one class differ at most twofold.
  static unsigned size_class(uint32_t size) { return 31 - __builtin_clz(size); }

  // Let a place of a tree wait. If it is not the turn of the tree, it waits, too.
  void add(uint32_t place, uint32_t tree, uint32_t size) {
    if (tree >= lines_.size()) lines_.resize(tree + 1);
    lines_[tree].places.push_back(place);
    if (!lines_[tree].is_known) add_tree(tree, size);
  }

  // End the turn of a tree. It waits again if one of its places does.
  void end_turn(uint32_t tree, uint32_t size) {
    lines_[tree].is_known = false;
    if (has(tree)) add_tree(tree, size);
  }

  // The smallest class of trees that wait, or `kSizes`.
  unsigned least_class() const {
    unsigned least = 0;
    while (least < kSizes && trees_[least].empty()) ++least;
    return least;
  }

  // The tree whose turn it is.
  uint32_t next_tree(unsigned size_class) {
    const uint32_t tree = trees_[size_class].front();
    trees_[size_class].pop_front();
    return tree;
  }

  bool has(uint32_t tree) const { return tree < lines_.size() && lines_[tree].size() > 0; }

  uint32_t next(uint32_t tree) {
    Line& line = lines_[tree];
    const uint32_t place = line.places[line.past++];
    if (line.size() == 0) line.clear();
    return place;
  }

  // The place that comes so many after the next one of a tree, or the first of the tree that comes
  // so many after the next one. 0 if there is none.
  uint32_t ahead(uint32_t tree, size_t steps) const {
    const Line& line = lines_[tree];
    return steps < line.size() ? line.places[line.past + steps] : 0;
  }
  uint32_t ahead_of_trees(unsigned size_class, size_t steps) const {
    const auto& queue = trees_[size_class];
    return steps < queue.size() ? ahead(queue[steps], 0) : 0;
  }

  // Forget the places of a tree, or of all.
  void drop(uint32_t tree) {
    if (has(tree)) lines_[tree].clear();
  }
  void clear() {
    for (Line& line : lines_) {
      line.clear();
      line.is_known = false;
    }
    for (auto& queue : trees_) queue.clear();
  }

 private:
  void add_tree(uint32_t tree, uint32_t size) {
    lines_[tree].is_known = true;
    trees_[size_class(size)].push_back(tree);
  }

  struct Line {
    std::vector<uint32_t> places;
    size_t past = 0;         // how many of them had their turn
    bool is_known = false;   // whether the tree waits or has its turn

    size_t size() const { return places.size() - past; }
    void clear() {
      places.clear();
      past = 0;
    }
  };

  std::vector<Line> lines_;                         // by tree
  std::array<std::deque<uint32_t>, kSizes> trees_;  // by the class of their size
};

}  // namespace matching
