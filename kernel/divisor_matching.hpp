// Maximum matchings of divisor graphs.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "blossom_search.hpp"
#include "divisor_graph.hpp"

namespace matching {

// Finds a maximum matching of the numbers on a board.
template <typename Poll>
class DivisorMatcher {
 public:
  // `playable` tells for every number from 0 whether it is on the board.
  DivisorMatcher(std::vector<bool> playable, Poll& poll)
      : playable_(std::move(playable)),
        limit_(static_cast<Number>(playable_.size() - 1)),
        largest_prime_(largest_prime_factors(limit_, poll)),
        poll_(poll) {
    const auto gaps = std::count(playable_.begin(), playable_.end(), false);
    if (limit_ >= kReducedFrom && gaps <= limit_ / kMaxGapRatio) edges_ = EdgeSet::kSparse;
  }

  // Return a maximum matching, starting from the given one unless it is empty. The given matching
  // may cover numbers that are not on the board.
  Matching match(const std::vector<Number>& start) {
    Matching result;
    if (start.size() >= playable_.size()) {
      result = match_directly(playable_, start);
    } else if (limit_ < kReducedFrom) {
      result = match_directly(playable_);
    } else {
      result = match_reduced();
      if (!reduction_is_exact_) result = match_directly(playable_, result.mate);
    }
    result.positions = positions_;
    return result;
  }

 private:
  static constexpr Number kReducedFrom = 8000;  // smaller boards are matched without reduction
  // This many columns with the same multipliers leave the small numbers enough partners.
  static constexpr unsigned kKeptColumns = 4;
  // The sparse graph is seldom enough if more than one number in this many is missing.
  static constexpr Number kMaxGapRatio = 1000;

  struct Column {
    unsigned count = 0;  // the primes with these multipliers
    Matching matching;  // filled in on first use
  };
  using Columns = std::unordered_map<std::vector<bool>, Column>;  // by multipliers

  // Match the graph without reduction. First try the sparse graph and check the result against all
  // edges; if that fails, continue from this matching with the full graph.
  Matching match_directly(const std::vector<bool>& playable, std::vector<Number> start = {}) {
    const auto poll = [this](uint64_t positions) { poll_(positions_ + positions); };
    for (EdgeSet edges = edges_;; edges = EdgeSet::kFull) {
      const DivisorGraph graph(playable, largest_prime_, edges, poll);
      auto search = find_maximum_matching(graph.graph(), to_vertices(start, graph), poll);
      const auto number = [&](uint32_t vertex) { return graph.number(vertex); };
      Matching result = search.result(playable.size(), number);
      positions_ += result.positions;
      if (edges == EdgeSet::kFull || are_all_edges_redundant(search, graph, poll)) return result;
      start = std::move(result.mate);
    }
  }

  template <typename SearchPoll>
  static bool are_all_edges_redundant(BlossomSearch<SearchPoll>& search,
                                      const DivisorGraph& graph, SearchPoll& poll) {
    bool redundant = true;
    graph.for_each_edge(
        poll, [&](uint32_t vertex) { return redundant && !search.is_inner(vertex); },
        [&](uint32_t divisor, const std::vector<uint32_t>& multiples) {
          redundant = redundant && search.edges_are_redundant(divisor, multiples);
        });
    return redundant;
  }

  // Translate a matching of numbers into one of the graph's vertices. Numbers that are not in the
  // graph count as unmatched.
  static std::vector<uint32_t> to_vertices(const std::vector<Number>& start,
                                           const DivisorGraph& graph) {
    std::vector<uint32_t> mate(start.empty() ? 0 : graph.vertex_count() + 1);
    for (uint32_t vertex = 1; vertex < mate.size(); ++vertex) {
      mate[vertex] = graph.vertex(start[graph.number(vertex)]);
    }
    return mate;
  }

  // Match a reduced graph. The multiples of a large prime p form a column: the edges between
  // them depend only on their multipliers, not on p, and their other edges lead to small numbers.
  // Keep a few columns of each kind in the graph; remove the others and give all of them the same
  // matching.
  //
  // If all small numbers are then labelled inner, the result is exact: neighbours of outer vertices
  // are inner or in the same blossom, and adding edges at inner vertices does not change that.
  Matching match_reduced() {
    // The larger `small` is, the more columns can be removed; but all numbers up to it have to be
    // inner. On boards without gaps the first number that is not inner is slightly larger.
    const Number small = static_cast<Number>(std::pow(limit_, 0.4) / 2), large = limit_ / small;
    std::vector<bool> kept = playable_;
    std::vector<std::pair<Number, typename Columns::value_type*>> removed;
    for (Number prime = large + 1; prime <= limit_; ++prime) {
      if (largest_prime_[prime] != prime) continue;
      poll_(positions_);
      auto& column = *columns_.try_emplace(multipliers_of(prime)).first;
      if (++column.second.count <= kKeptColumns) continue;
      removed.emplace_back(prime, &column);
      for (Number multiple = prime; multiple <= limit_; multiple += prime) kept[multiple] = false;
    }
    Matching result = match_directly(kept);
    for (const auto& [prime, entry] : removed) {
      poll_(positions_);
      auto& [multipliers, column] = *entry;
      if (column.matching.mate.empty()) column.matching = match_directly(multipliers);
      copy_column(column.matching, prime, result);
    }
    reduction_is_exact_ = true;
    for (Number number = 1; number <= small; ++number) {
      if (playable_[number] && result.label[number] != kInner) reduction_is_exact_ = false;
    }
    return result;
  }

  std::vector<bool> multipliers_of(Number prime) const {
    std::vector<bool> multipliers(limit_ / prime + 1);
    for (Number multiplier = 1; multiplier < multipliers.size(); ++multiplier) {
      multipliers[multiplier] = playable_[multiplier * prime];
    }
    return multipliers;
  }

  static void copy_column(const Matching& column, Number prime, Matching& result) {
    for (Number multiplier = 1; multiplier < column.mate.size(); ++multiplier) {
      result.mate[multiplier * prime] = column.mate[multiplier] * prime;
      result.label[multiplier * prime] = column.label[multiplier];
      result.parent[multiplier * prime] = column.parent[multiplier] * prime;
    }
  }

  const std::vector<bool> playable_;
  const Number limit_;
  const std::vector<Number> largest_prime_;
  Poll& poll_;
  EdgeSet edges_ = EdgeSet::kFull;  // the set to try first
  Columns columns_;
  uint64_t positions_ = 0;  // vertices scanned in completed searches
  bool reduction_is_exact_ = false;  // whether the last reduction lost nothing
};

}  // namespace matching
