// Maximum matchings, and the numbers that some maximum matching misses.
//
// Edmonds' blossom algorithm ("Paths, trees, and flowers", 1965) after a start that leaves little
// to be done (Karp and Sipser 1981). Trees grow from all exposed numbers at once; where two of them
// meet, the matching is augmented, and only those two have to grow anew. In the end the outer
// numbers are those that some maximum matching misses and the inner ones their neighbours: the sets
// D and A of the Gallai-Edmonds decomposition.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace matching {

using Number = uint32_t;  // 0 stands for none

// The numbers from 1 to a limit, tied if one divides the other. Multiples need no memory; of the
// divisors only those up to the square root are kept, for each gives the other of its pair.
class DivisorGraph {
 public:
  template <typename Look>
  DivisorGraph(Number limit, Look&& look) : limit_(limit), first_(limit + 2) {
    sieve(look, [this](Number multiple, Number) { ++first_[multiple + 1]; });
    for (Number number = 0; number <= limit; ++number) first_[number + 1] += first_[number];
    small_.resize(first_[limit + 1]);
    // While it is filled, first_[number] is where the next divisor goes: in the end, where the
    // next number's begin. So the whole is one place off, and is shifted back.
    sieve(look, [this](Number multiple, Number divisor) {
      small_[first_[multiple]++] = static_cast<uint16_t>(divisor);
    });
    std::copy_backward(first_.begin(), first_.end() - 1, first_.end());
    first_[0] = 0;
  }

  Number limit() const { return limit_; }

  Number degree(Number number) const {
    const Number begin = first_[number], end = first_[number + 1];
    Number divisors = 2 * (end - begin) + (number > 1);
    if (end > begin && Number{small_[end - 1]} * small_[end - 1] == number) --divisors;
    return divisors + limit_ / number - 1;
  }

  // Call `visit` with the neighbours of a number until it returns true; tell whether it did.
  template <typename Visit>
  bool any(Number number, Visit&& visit) const {
    if (number > 1 && visit(1)) return true;
    for (uint32_t at = first_[number], end = first_[number + 1]; at < end; ++at) {
      const Number divisor = small_[at];
      if (visit(divisor)) return true;
      // Doubles divide faster than integers, and exactly where there is no remainder.
      const Number other = static_cast<Number>(static_cast<double>(number) / divisor);
      if (other != divisor && visit(other)) return true;
    }
    for (Number multiple = 2 * number; multiple <= limit_; multiple += number) {
      if (visit(multiple)) return true;
    }
    return false;
  }

 private:
  static constexpr Number kBlock = 1 << 14;  // numbers whose part of a table stays in the cache

  // Call `visit` with every number and each of its divisors from 2 to its root, ascending.
  template <typename Look, typename Visit>
  void sieve(Look&& look, Visit&& visit) const {
    for (Number low = 0; low <= limit_; low += kBlock) {
      look(0);
      const Number high = std::min(low + kBlock, limit_ + 1);
      for (Number divisor = 2; divisor * divisor < high; ++divisor) {
        Number multiple = std::max(divisor * divisor, (low + divisor - 1) / divisor * divisor);
        for (; multiple < high; multiple += divisor) visit(multiple, divisor);
      }
    }
  }

  Number limit_;
  std::vector<uint32_t> first_;
  std::vector<uint16_t> small_;
};

// Any graph on 1 to a limit: the neighbours of a number are those from first[number] on up to, and
// without, first[number + 1].
class ListGraph {
 public:
  ListGraph(Number limit, const uint32_t* first, const Number* neighbours)
      : limit_(limit), first_(first), neighbours_(neighbours) {}

  Number limit() const { return limit_; }

  Number degree(Number number) const { return first_[number + 1] - first_[number]; }

  template <typename Visit>
  bool any(Number number, Visit&& visit) const {
    return std::any_of(neighbours_ + first_[number], neighbours_ + first_[number + 1], visit);
  }

 private:
  Number limit_;
  const uint32_t* first_;
  const Number* neighbours_;
};

// Matches free numbers to each other, those with the fewest free neighbours first. A number with
// one free neighbour is matched to it without loss; the more faithfully the others follow in order,
// the fewer augmentations are left.
template <typename Graph, typename Look>
class Greedy {
 public:
  // `mate` has a place for every number, 0 for those that take part and anything else for others.
  Greedy(const Graph& graph, std::vector<Number>& mate, Look& look)
      : graph_(graph), mate_(mate), look_(look), degree_(graph.limit() + 1, kGone) {}

  void run() {
    count_degrees();
    for (Number number = 1; number <= graph_.limit(); ++number) wait(number);
    Number rest = graph_.limit();
    while (true) {
      pause();
      if (const Number number = next()) {
        match(number);
      } else {
        // Large numbers have few relatives.
        while (rest && (degree_[rest] >= kGone || degree_[rest] == 0)) --rest;
        if (!rest) return;
        match(rest);
      }
    }
  }

 private:
  static constexpr uint32_t kGone = uint32_t{1} << 31;  // added to the degree of what is not free
  static constexpr uint32_t kFew = 8;  // up to this degree, numbers are kept in order

  void pause() {
    if ((++steps_ & 255) == 0) look_(0);
  }

  void count_degrees() {
    const Number limit = graph_.limit();
    for (Number number = 1; number <= limit; ++number) {
      degree_[number] = graph_.degree(number) + (mate_[number] ? kGone : 0);
    }
    for (Number number = 1; number <= limit; ++number) {
      pause();
      if (mate_[number] == 0) continue;
      graph_.any(number, [this](Number neighbour) { return --degree_[neighbour], false; });
    }
  }

  void wait(Number number) {
    if (degree_[number] <= kFew) waiting_[degree_[number]].push_back(number);
  }

  // Return a free number of the smallest degree, or none if all degrees are large.
  Number next() {
    for (uint32_t degree = 1; degree <= kFew; ++degree) {
      auto& stack = waiting_[degree];
      while (!stack.empty()) {
        const Number number = stack.back();
        stack.pop_back();
        if (degree_[number] == degree) return number;
      }
    }
    return 0;
  }

  // Match a number to the free neighbour that has the fewest free neighbours itself, the largest
  // among equals.
  void match(Number number) {
    Number partner = 0;
    uint32_t fewest = kGone, left = degree_[number];
    graph_.any(number, [&](Number neighbour) {
      const uint32_t degree = degree_[neighbour];
      if (degree >= kGone) return false;
      if (degree < fewest || (degree == fewest && neighbour > partner)) {
        fewest = degree;
        partner = neighbour;
      }
      return --left == 0;
    });
    mate_[number] = partner;
    mate_[partner] = number;
    if (degree_[number] > 1) take(number);
    degree_[number] |= kGone;
    take(partner);
  }

  void take(Number number) {
    uint32_t left = degree_[number];
    degree_[number] |= kGone;
    if (left == 0) return;
    graph_.any(number, [&](Number neighbour) {
      if (degree_[neighbour] >= kGone) return false;
      --degree_[neighbour];
      wait(neighbour);
      return --left == 0;
    });
  }

  const Graph& graph_;
  std::vector<Number>& mate_;
  Look& look_;
  std::vector<uint32_t> degree_;
  std::array<std::vector<Number>, kFew + 1> waiting_;
  uint64_t steps_ = 0;
};

enum Label : uint8_t { kFree, kOuter, kInner, kAside };

// Trees of alternating paths from all exposed numbers; blossoms are kept as a forest of bases.
template <typename Graph, typename Look>
class Forest {
 public:
  // Numbers that are labelled kAside take no part.
  Forest(const Graph& graph, std::vector<Number>& mate, std::vector<uint8_t>& label, Look& look)
      : parent(graph.limit() + 1),
        graph_(graph),
        mate_(mate),
        label_(label),
        look_(look),
        base_(graph.limit() + 1),
        root_(graph.limit() + 1),
        next_(graph.limit() + 1),
        seen_(graph.limit() + 1) {}

  // Augment the matching until it is maximum.
  void run() {
    for (Number number = 0; number <= graph_.limit(); ++number) {
      base_[number] = number;
      if (label_[number] == kFree && !mate_[number]) join(number, number, kOuter);
    }
    do {
      for (size_t at = 0; at < queue_.size(); ++at) {
        if (label_[queue_[at]] == kOuter) scan(queue_[at]);
      }
      queue_.clear();
    } while (regrow());
  }

  std::vector<Number> parent;  // of every inner number, and of the outer ones in a blossom
  uint64_t positions = 0;      // how many outer numbers were looked at

 private:
  void join(Number number, Number root, Label label) {
    label_[number] = label;
    root_[number] = root;
    if (number != root) next_[number] = std::exchange(next_[root], number);
    if (label == kOuter) queue_.push_back(number);
  }

  void attach(Number number, Number outer) {
    parent[number] = outer;
    join(number, root_[outer], kInner);
    join(mate_[number], root_[outer], kOuter);
  }

  void scan(Number outer) {
    if ((++positions & 255) == 0) look_(positions);
    Number other = 0;
    graph_.any(outer, [&](Number number) {
      if (label_[number] == kFree) {
        attach(number, outer);
      } else if (label_[number] == kOuter) {
        if (root_[number] != root_[outer]) return other = number, true;
        if (base(number) != base(outer)) {
          const Number top = meeting(outer, number);
          contract(outer, number, top);
          contract(number, outer, top);
        }
      }
      return false;
    });
    if (other) augment(outer, other);
  }

  // Match the ends of an edge between two trees, and put the trees aside until the others are done.
  void augment(Number one, Number two) {
    for (Number root : {root_[one], root_[two]}) {
      for (Number number = root; number; number = next_[number]) {
        label_[number] = kAside;
        aside_.push_back(number);
      }
    }
    const Number after_one = std::exchange(mate_[one], two);
    const Number after_two = std::exchange(mate_[two], one);
    flip(after_one);
    flip(after_two);
  }

  void flip(Number number) {
    while (number) {
      const Number outer = parent[number];
      mate_[number] = outer;
      number = std::exchange(mate_[outer], number);
    }
  }

  // Let the trees that are left grow over the numbers that were put aside; tell if there were any.
  bool regrow() {
    const std::vector<Number> numbers = std::exchange(aside_, {});
    for (Number number : numbers) {
      label_[number] = kFree;
      base_[number] = number;
      next_[number] = 0;
    }
    for (Number number : numbers) {
      if (label_[number] != kFree) continue;
      graph_.any(number, [&](Number outer) {
        if (label_[outer] != kOuter) return false;
        attach(number, outer);
        return true;
      });
    }
    return !numbers.empty();
  }

  Number base(Number number) {
    while (base_[number] != number) number = base_[number] = base_[base_[number]];
    return number;
  }

  // Return the base where the paths from two outer numbers to the root meet.
  Number meeting(Number one, Number two) {
    ++walk_;
    one = base(one);
    two = base(two);
    while (true) {
      if (one) {
        if (std::exchange(seen_[one], walk_) == walk_) return one;
        one = mate_[one] ? base(parent[mate_[one]]) : 0;
      }
      std::swap(one, two);
    }
  }

  // Make the path from one end of a bridge to the top of its blossom outer.
  void contract(Number outer, Number bridge, Number top) {
    while (base(outer) != top) {
      parent[outer] = bridge;
      bridge = mate_[outer];
      if (label_[bridge] == kInner) {
        label_[bridge] = kOuter;
        queue_.push_back(bridge);
      }
      if (base_[outer] == outer) base_[outer] = top;
      if (base_[bridge] == bridge) base_[bridge] = top;
      outer = parent[bridge];
    }
  }

  const Graph& graph_;
  std::vector<Number>& mate_;
  std::vector<uint8_t>& label_;
  Look& look_;
  std::vector<Number> base_, root_, next_, seen_, queue_, aside_;
  uint32_t walk_ = 0;
};

}  // namespace matching
