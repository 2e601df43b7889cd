// LEMON's MaxMatching on the divisor graph of 2 to n, to compare with our chain solver. Prints the
// seconds it took including building the graph, the size of the matching, how many numbers some
// maximum matching misses, and the sum of these numbers.
#include <lemon/matching.h>
#include <lemon/smart_graph.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

int main(int, char** arguments) {
  const int n = std::atoi(arguments[1]);
  const auto begin = std::chrono::steady_clock::now();

  int edges = 0;
  for (int number = 2; number <= n; ++number) edges += n / number - 1;
  lemon::SmartGraph graph;
  graph.reserveNode(n - 1);
  graph.reserveEdge(edges);
  for (int number = 2; number <= n; ++number) graph.addNode();
  for (int number = 2; number <= n; ++number) {
    for (int multiple = 2 * number; multiple <= n; multiple += number) {
      graph.addEdge(graph.nodeFromId(number - 2), graph.nodeFromId(multiple - 2));
    }
  }

  lemon::MaxMatching<lemon::SmartGraph> matching(graph);
  matching.run();
  int64_t missable = 0, sum = 0;
  for (int number = 2; number <= n; ++number) {
    if (matching.status(graph.nodeFromId(number - 2)) == lemon::MaxMatching<lemon::SmartGraph>::EVEN) {
      ++missable;
      sum += number;
    }
  }

  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::printf("%.6f %d %lld %lld\n", took.count(), matching.matchingSize(),
              static_cast<long long>(missable), static_cast<long long>(sum));
}
