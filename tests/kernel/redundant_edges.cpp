// Matches graphs without some of their ties, and tells whether these would change nothing.
//
// It reads graphs: how many places and ties they have, and then the ends of every tie and whether
// it is left out. For each it prints whether all that are left out are allowed, and the partner and
// the label of every place.
#include <cstdint>
#include <iostream>
#include <vector>

#include "../../kernel/blossom_search.hpp"

namespace {

struct Tie {
  uint32_t one, two;
  bool is_left_out;
};

void answer(uint32_t places, const std::vector<Tie>& ties) {
  std::vector<std::vector<uint32_t>> lists(places + 1);
  for (const Tie& tie : ties) {
    if (tie.is_left_out) continue;
    lists[tie.one].push_back(tie.two);
    lists[tie.two].push_back(tie.one);
  }
  std::vector<uint32_t> first, neighbours;
  for (const auto& list : lists) {
    first.push_back(uint32_t(neighbours.size()));
    neighbours.insert(neighbours.end(), list.begin(), list.end());
  }
  first.push_back(uint32_t(neighbours.size()));

  const auto look = [](uint64_t) {};
  auto forest = matching::search({places, first.data(), neighbours.data()}, {}, look);
  bool are_allowed = true;
  for (const Tie& tie : ties) {
    if (tie.is_left_out && !forest.allows(tie.one, {tie.two})) are_allowed = false;
  }
  std::cout << are_allowed;
  const auto found = forest.found(places + 1, [](uint32_t place) { return place; });
  for (uint32_t place = 1; place <= places; place++) {
    std::cout << ' ' << found.mate[place] << ' ' << int(found.label[place]);
  }
  std::cout << '\n';
}

}  // namespace

int main() {
  uint32_t places;
  size_t count;
  while (std::cin >> places >> count) {
    std::vector<Tie> ties(count);
    for (Tie& tie : ties) std::cin >> tie.one >> tie.two >> tie.is_left_out;
    answer(places, ties);
  }
}
