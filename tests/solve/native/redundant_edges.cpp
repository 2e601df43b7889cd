// Matches graphs without some of their edges, and reports whether these edges are redundant.
//
// Input: for each graph the number of vertices, the number of edges, and for each edge its ends and
// 1 if it is omitted, else 0. Output: for each graph a line with 1 if all omitted edges are
// redundant, else 0, and then the mate and the label of every vertex.
#include <cstdint>
#include <iostream>
#include <vector>

#include "../../../kernel/blossom_search.hpp"

namespace {

struct Edge {
  uint32_t one, two;
  bool is_omitted;
};

void report(uint32_t vertices, const std::vector<Edge>& edges) {
  std::vector<std::vector<uint32_t>> lists(vertices + 1);
  for (const Edge& edge : edges) {
    if (edge.is_omitted) continue;
    lists[edge.one].push_back(edge.two);
    lists[edge.two].push_back(edge.one);
  }
  std::vector<uint32_t> offsets, neighbours;
  for (const auto& list : lists) {
    offsets.push_back(uint32_t(neighbours.size()));
    neighbours.insert(neighbours.end(), list.begin(), list.end());
  }
  offsets.push_back(uint32_t(neighbours.size()));

  const auto poll = [](uint64_t) {};
  const matching::Graph graph(vertices, offsets.data(), neighbours.data());
  auto search = matching::find_maximum_matching(graph, {}, poll);
  bool are_redundant = true;
  for (const Edge& edge : edges) {
    if (edge.is_omitted && !search.edges_are_redundant(edge.one, {edge.two})) are_redundant = false;
  }
  std::cout << are_redundant;
  const auto result = search.result(vertices + 1, [](uint32_t vertex) { return vertex; });
  for (uint32_t vertex = 1; vertex <= vertices; vertex++) {
    std::cout << ' ' << result.mate[vertex] << ' ' << int(result.label[vertex]);
  }
  std::cout << '\n';
}

}  // namespace

int main() {
  uint32_t vertices;
  size_t count;
  while (std::cin >> vertices >> count) {
    std::vector<Edge> edges(count);
    for (Edge& edge : edges) std::cin >> edge.one >> edge.two >> edge.is_omitted;
    report(vertices, edges);
  }
}
