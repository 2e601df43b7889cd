// The divisor graph: numbers are adjacent if one divides the other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "graph.hpp"

namespace matching {

// Return the largest prime factor of every number up to a limit, 0 for 0 and 1.
template <typename Poll>
std::vector<Number> largest_prime_factors(Number limit, Poll& poll) {
  std::vector<Number> prime(limit + 1);
  for (Number number = 2; number <= limit; ++number) {
    if ((number & 1023) == 2) poll(0);
    if (prime[number]) continue;
    for (Number multiple = number; multiple <= limit; multiple += number) {
      prime[multiple] = number;
    }
  }
  return prime;
}

// Most edges do not affect the maximum matching. The sparse graph has the few that are usually
// enough: those whose quotient is a prime or a small product of two primes.
enum class EdgeSet { kSparse, kFull };

// The divisor graph of a set of numbers, as CSR adjacency lists. Numbers with the same largest
// prime factor form a family. The vertices of a family are consecutive, because most edges and most
// steps of a search stay within a family: this keeps them in the cache.
class DivisorGraph {
 public:
  // For every number from 0, `playable` tells whether it is in the graph, and `largest_prime` has
  // its largest prime factor.
  template <typename Poll>
  DivisorGraph(const std::vector<bool>& playable, const std::vector<Number>& largest_prime,
               EdgeSet edges, Poll& poll)
      : limit_(static_cast<Number>(playable.size() - 1)),
        largest_prime_(largest_prime),
        vertex_of_(playable.size()),
        number_at_(1) {
    number_at_.reserve(1 + std::count(playable.begin(), playable.end(), true));
    number_vertices(playable, poll);
    build_adjacency(edges, poll);
  }

  Graph graph() const { return {vertex_count(), offsets_.data(), neighbours_.get()}; }
  uint32_t vertex_count() const { return static_cast<uint32_t>(number_at_.size() - 1); }
  uint32_t vertex(Number number) const {
    return number < vertex_of_.size() ? vertex_of_[number] : 0;
  }
  Number number(uint32_t vertex) const { return number_at_[vertex]; }

  // Visit every edge of the full graph, even if this graph is sparse. Calls `visit` with the vertex
  // of a divisor and those of its multiples, possibly several times for one divisor. Skips divisors
  // that `accept` rejects.
  template <typename Poll, typename Accept, typename Visit>
  void for_each_edge(Poll& poll, Accept&& accept, Visit&& visit) const {
    for_each_divisor(EdgeSet::kFull, poll, accept, visit);
  }

 private:
  struct Family {
    Number prime;
    uint32_t first, end;  // vertices
  };

  template <typename Poll>
  void number_vertices(const std::vector<bool>& playable, Poll& poll) {
    const auto add = [&](Number number) {
      if (!playable[number]) return;
      vertex_of_[number] = vertex_count() + 1;
      number_at_.push_back(number);
    };
    for (Number prime = limit_; prime > 1; --prime) {
      if (largest_prime_[prime] != prime) continue;
      poll(0);
      const uint32_t first = vertex_count() + 1;
      for (Number multiplier = 1; multiplier <= limit_ / prime; ++multiplier) {
        if (largest_prime_[multiplier] <= prime) add(multiplier * prime);
      }
      if (first <= vertex_count()) families_.push_back({prime, first, vertex_count() + 1});
    }
    if (limit_ > 0) add(1);
  }

  template <typename Poll>
  void build_adjacency(EdgeSet edges, Poll& poll) {
    using Vertices = std::vector<uint32_t>;
    const auto any = [](uint32_t) { return true; };
    // Where the next neighbour of a vertex is written. In the end this is where the list of the
    // next vertex begins.
    offsets_.resize(vertex_count() + 2);
    uint32_t* const next = offsets_.data() + 1;
    for_each_divisor(edges, poll, any, [&](uint32_t divisor, const Vertices& multiples) {
      next[divisor] += static_cast<uint32_t>(multiples.size());
      for (uint32_t multiple : multiples) ++next[multiple];
    });
    uint32_t total = 0;
    for (uint32_t& begin : offsets_) total += std::exchange(begin, total);
    neighbours_.reset(new uint32_t[total]);  // not zeroed: every entry is written
    for_each_divisor(edges, poll, any, [&](uint32_t divisor, const Vertices& multiples) {
      std::copy(multiples.begin(), multiples.end(), neighbours_.get() + next[divisor]);
      next[divisor] += static_cast<uint32_t>(multiples.size());
      for (uint32_t multiple : multiples) neighbours_[next[multiple]++] = divisor;
    });
  }

  // Visit every edge of the graph once, grouped by divisor. Skips divisors that `accept` rejects.
  template <typename Poll, typename Accept, typename Visit>
  void for_each_divisor(EdgeSet edges, Poll& poll, Accept&& accept, Visit&& visit) const {
    std::vector<uint32_t> family_vertex(limit_ / 2 + 1);
    for (const Family& family : families_) {
      poll(0);
      for_each_divisor_in(family, edges, family_vertex, accept, visit);
    }
  }

  // If p is the prime of a family, the divisors of a member pm are the divisors of m and p times
  // those. `family_vertex` is scratch space: the vertex of pm, indexed by m.
  template <typename Accept, typename Visit>
  void for_each_divisor_in(const Family& family, EdgeSet edges,
                           std::vector<uint32_t>& family_vertex, Accept&& accept,
                           Visit&& visit) const {
    const Number prime = family.prime, max_multiplier = limit_ / prime;
    // Larger quotients are kept only if they are prime.
    const Number max_quotient = edges == EdgeSet::kFull ? limit_ : kMaxSemiprime;
    std::vector<Number> multipliers;
    // Accepted quotients of two members of the family, and of a member and a divisor outside the
    // family; the latter are stored divided by p.
    std::vector<Number> quotients_within, quotients_across{1};
    for (Number multiplier = 1; multiplier <= max_multiplier; ++multiplier) {
      family_vertex[multiplier] = 0;
      if (largest_prime_[multiplier] > prime) continue;
      multipliers.push_back(multiplier);
      if (multiplier == 1) continue;
      if (is_kept(multiplier, edges)) quotients_within.push_back(multiplier);
      if (multiplier <= max_quotient / prime && is_kept(multiplier * prime, edges)) {
        quotients_across.push_back(multiplier);
      }
    }
    for (uint32_t at = family.first; at < family.end; ++at) {
      family_vertex[number_at_[at] / prime] = at;
    }
    std::vector<uint32_t> multiples;
    const auto visit_multiples = [&](uint32_t at, Number divisor,
                                     const std::vector<Number>& quotients) {
      if (!at || !accept(at)) return;
      multiples.clear();
      const Number last = max_multiplier / divisor;
      for (Number quotient : quotients) {
        if (quotient > last) break;
        if (const uint32_t multiple = family_vertex[divisor * quotient]) {
          multiples.push_back(multiple);
        }
      }
      visit(at, multiples);
    };
    for (Number divisor : multipliers) {
      visit_multiples(family_vertex[divisor], divisor, quotients_within);
      if (largest_prime_[divisor] != prime) {
        visit_multiples(vertex_of_[divisor], divisor, quotients_across);
      }
    }
  }

  bool is_kept(Number quotient, EdgeSet edges) const {
    return edges == EdgeSet::kFull || is_prime(quotient) ||
           (quotient <= kMaxSemiprime && is_prime(quotient / largest_prime_[quotient]));
  }

  bool is_prime(Number number) const { return largest_prime_[number] == number; }

  // The largest product of two primes whose edges are in the sparse graph.
  static constexpr Number kMaxSemiprime = 256;

  const Number limit_;
  const std::vector<Number>& largest_prime_;
  std::vector<uint32_t> vertex_of_;  // by number, 0 if it is not in the graph
  std::vector<Number> number_at_;  // by vertex
  std::vector<Family> families_;
  std::vector<uint32_t> offsets_;
  std::unique_ptr<uint32_t[]> neighbours_;
};

}  // namespace matching
