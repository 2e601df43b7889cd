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

// Most ties make no difference to a maximum matching. The few that mostly suffice are those whose
// quotient is a prime, or a product of two primes that is not too large.
enum class Ties { kFew, kAll };

// The graph of some numbers, tied if one divides the other. Numbers with the same largest prime are
// a family. They have places in a row: most ties, and most steps of a search, are within a family,
// so the caches serve it.
class DivisorGraph {
 public:
  // `playable` tells for every number from 0 on whether it takes part, and `prime` its largest
  // prime.
  template <typename Look>
  DivisorGraph(const std::vector<bool>& playable, const std::vector<Number>& prime, Ties ties,
               Look& look)
      : limit_(static_cast<Number>(playable.size() - 1)),
        prime_(prime),
        place_(playable.size()),
        number_(1) {
    number_.reserve(1 + std::count(playable.begin(), playable.end(), true));
    give_places(playable, look);
    tie(ties, look);
  }

  Graph graph() const { return {places(), first_.data(), neighbours_.get()}; }
  uint32_t places() const { return static_cast<uint32_t>(number_.size() - 1); }
  uint32_t place(Number number) const { return number < place_.size() ? place_[number] : 0; }
  Number number(uint32_t place) const { return number_[place]; }

  // Call `visit` with the places of numbers and of multiples of them, until each two numbers that
  // divide each other were met, in the graph or not. Divisors that are not wanted are passed over.
  template <typename Look, typename Wanted, typename Visit>
  void each_tie(Look& look, Wanted&& wanted, Visit&& visit) const {
    each_divisor(Ties::kAll, look, wanted, visit);
  }

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
  void tie(Ties ties, Look& look) {
    const auto any = [](uint32_t) { return true; };
    // Where the next neighbour of a place goes. In the end that is where those of the next begin.
    first_.resize(places() + 2);
    uint32_t* const next = first_.data() + 1;
    each_divisor(ties, look, any, [&](uint32_t divisor, const std::vector<uint32_t>& multiples) {
      next[divisor] += static_cast<uint32_t>(multiples.size());
      for (uint32_t multiple : multiples) ++next[multiple];
    });
    uint32_t ends = 0;
    for (uint32_t& begin : first_) ends += std::exchange(begin, ends);
    neighbours_.reset(new uint32_t[ends]);  // all are written, so no time is lost with zeros
    each_divisor(ties, look, any, [&](uint32_t divisor, const std::vector<uint32_t>& multiples) {
      std::copy(multiples.begin(), multiples.end(), neighbours_.get() + next[divisor]);
      next[divisor] += static_cast<uint32_t>(multiples.size());
      for (uint32_t multiple : multiples) neighbours_[next[multiple]++] = divisor;
    });
  }

  // Call `visit` with the places of a number and of multiples of it, until each two numbers that
  // are to be tied were met once. Numbers that are not wanted are passed over.
  template <typename Look, typename Wanted, typename Visit>
  void each_divisor(Ties ties, Look& look, Wanted&& wanted, Visit&& visit) const {
    std::vector<uint32_t> place(limit_ / 2 + 1);
    for (const Family& family : families_) {
      look(0);
      each_divisor_of(family, ties, place, wanted, visit);
    }
  }

  // If p is the prime of a family, the divisors of a member pm are the divisors of m, and p times
  // these. `place` is room for the place of every pm, where m is.
  template <typename Wanted, typename Visit>
  void each_divisor_of(const Family& family, Ties ties, std::vector<uint32_t>& place,
                       Wanted&& wanted, Visit&& visit) const {
    const Number prime = family.prime, most = limit_ / prime;
    const Number most_kept = ties == Ties::kAll ? limit_ : kProducts;  // but for primes
    std::vector<Number> multipliers;
    // Quotients that are kept, of a member by a divisor in the family, and p times by another.
    std::vector<Number> within, without{1};
    for (Number times = 1; times <= most; ++times) {
      place[times] = 0;
      if (prime_[times] > prime) continue;
      multipliers.push_back(times);
      if (times == 1) continue;
      if (is_kept(times, ties)) within.push_back(times);
      if (times <= most_kept / prime && is_kept(times * prime, ties)) without.push_back(times);
    }
    for (uint32_t at = family.first; at < family.end; ++at) place[number_[at] / prime] = at;
    std::vector<uint32_t> multiples;
    const auto visit_multiples = [&](uint32_t at, Number divisor, const std::vector<Number>& by) {
      if (!at || !wanted(at)) return;
      multiples.clear();
      const Number last = most / divisor;
      for (Number quotient : by) {
        if (quotient > last) break;
        if (const uint32_t multiple = place[divisor * quotient]) multiples.push_back(multiple);
      }
      visit(at, multiples);
    };
    for (Number divisor : multipliers) {
      visit_multiples(place[divisor], divisor, within);
      if (prime_[divisor] != prime) visit_multiples(place_[divisor], divisor, without);
    }
  }

  bool is_kept(Number quotient, Ties ties) const {
    return ties == Ties::kAll || is_prime(quotient) ||
           (quotient <= kProducts && is_prime(quotient / prime_[quotient]));
  }

  bool is_prime(Number number) const { return prime_[number] == number; }

  static constexpr Number kProducts = 256;  // products of two primes up to this make ties

  const Number limit_;
  const std::vector<Number>& prime_;
  std::vector<uint32_t> place_;  // of every number, 0 for those that take no part
  std::vector<Number> number_;   // at every place
  std::vector<Family> families_;
  std::vector<uint32_t> first_;
  std::unique_ptr<uint32_t[]> neighbours_;
};

}  // namespace matching
