// The divisor graph: numbers, tied if one divides the other.
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
template <typename Look>
std::vector<Number> largest_primes(Number limit, Look& look) {
  std::vector<Number> prime(limit + 1);
  for (Number number = 2; number <= limit; ++number) {
    if ((number & 1023) == 2) look(0);
    if (prime[number]) continue;
    for (Number multiple = number; multiple <= limit; multiple += number) {
      prime[multiple] = number;
    }
  }
  return prime;
}

// Ties that are left out: numbers up to `small` are only tied to multiples of primes above `large`.
struct Thinned {
  Number small = 0, large = 0;
};

// The graph of some numbers, tied if one divides the other. Numbers with the same largest prime are
// a family. They have places in a row: most ties, and most steps of a search, are within a family,
// so the caches serve it.
class DivisorGraph {
 public:
  // `playable` tells for every number from 0 on whether it takes part, and `prime` its largest
  // prime.
  template <typename Look>
  DivisorGraph(const std::vector<bool>& playable, const std::vector<Number>& prime, Thinned thinned,
               Look& look)
      : limit_(static_cast<Number>(playable.size() - 1)),
        prime_(prime),
        thinned_(thinned),
        place_(playable.size()),
        number_(1) {
    give_places(playable, look);
    tie(look);
  }

  Graph graph() const { return {places(), first_.data(), neighbours_.get()}; }
  uint32_t places() const { return static_cast<uint32_t>(number_.size() - 1); }
  uint32_t place(Number number) const { return place_[number]; }
  Number number(uint32_t place) const { return number_[place]; }

 private:
  struct Family {
    Number prime;
    uint32_t first, end;  // places
  };

  template <typename Look>
  void give_places(const std::vector<bool>& playable, Look& look) {
    const auto give = [&](Number number) {
      if (!playable[number]) return;
      place_[number] = places() + 1;
      number_.push_back(number);
    };
    for (Number prime = limit_; prime > 1; --prime) {
      if (prime_[prime] != prime) continue;
      look(0);
      const uint32_t first = places() + 1;
      for (Number times = 1; times <= limit_ / prime; ++times) {
        if (prime_[times] <= prime) give(times * prime);
      }
      if (first <= places()) families_.push_back({prime, first, places() + 1});
    }
    if (limit_ > 0) give(1);
  }

  template <typename Look>
  void tie(Look& look) {
    std::vector<uint32_t> next(places() + 2);  // where the next neighbour of a place goes
    each_divisor(look, [&](uint32_t divisor, const std::vector<uint32_t>& multiples) {
      next[divisor] += static_cast<uint32_t>(multiples.size());
      for (uint32_t multiple : multiples) ++next[multiple];
    });
    uint32_t ends = 0;
    for (uint32_t& begin : next) ends += std::exchange(begin, ends);
    first_ = next;
    neighbours_.reset(new uint32_t[ends]);  // all are written, so no time is lost with zeros
    each_divisor(look, [&](uint32_t divisor, const std::vector<uint32_t>& multiples) {
      std::copy(multiples.begin(), multiples.end(), neighbours_.get() + next[divisor]);
      next[divisor] += static_cast<uint32_t>(multiples.size());
      for (uint32_t multiple : multiples) neighbours_[next[multiple]++] = divisor;
    });
  }

  // Call `visit` with the places of a number and of multiples of it, until each two numbers that
  // are tied were met once.
  template <typename Look, typename Visit>
  void each_divisor(Look& look, Visit&& visit) const {
    std::vector<uint32_t> place(limit_ / 2 + 1);
    for (const Family& family : families_) {
      look(0);
      each_divisor_of(family, place, visit);
    }
  }

  // If p is the prime of a family, the divisors of a member pm are the divisors of m, and p times
  // these. `place` is room for the place of every pm, where m is.
  template <typename Visit>
  void each_divisor_of(const Family& family, std::vector<uint32_t>& place, Visit&& visit) const {
    const Number prime = family.prime, most = limit_ / prime;
    std::vector<Number> multipliers;
    for (Number times = 1; times <= most; ++times) {
      place[times] = 0;
      if (prime_[times] <= prime) multipliers.push_back(times);
    }
    for (uint32_t at = family.first; at < family.end; ++at) place[number_[at] / prime] = at;
    const Number small = prime <= thinned_.large ? thinned_.small : 0;
    std::vector<uint32_t> multiples;
    for (Number divisor : multipliers) {
      multiples.clear();
      for (size_t at = 1; at < multipliers.size() && multipliers[at] <= most / divisor; ++at) {
        const uint32_t multiple = place[divisor * multipliers[at]];
        if (multiple) multiples.push_back(multiple);
      }
      const uint32_t within = place[divisor], without = place_[divisor];
      if (within && divisor * prime > small) visit(within, multiples);
      if (!without || divisor <= small || prime_[divisor] == prime) continue;
      if (within) multiples.push_back(within);
      visit(without, multiples);
    }
  }

  const Number limit_;
  const std::vector<Number>& prime_;
  const Thinned thinned_;
  std::vector<uint32_t> place_;  // of every number, 0 for those that take no part
  std::vector<Number> number_;   // at every place
  std::vector<Family> families_;
  std::vector<uint32_t> first_;
  std::unique_ptr<uint32_t[]> neighbours_;
};

}  // namespace matching
