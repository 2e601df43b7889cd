// The divisor graph: numbers, tied if one divides the other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "matching.hpp"

namespace matching {

// The divisors of the numbers up to a limit. Only those up to the square root are kept, for each
// gives the other of its pair.
class Divisors {
 public:
  template <typename Look>
  Divisors(Number limit, Look&& look) : limit_(limit), first_(limit + 2) {
    sieve(look, [this](Number multiple, Number) { ++first_[multiple + 1]; });
    for (Number number = 0; number <= limit; ++number) first_[number + 1] += first_[number];
    small_.resize(first_[limit + 1]);
    // While the table is filled, first_ tells where a number's next divisor goes: in the end where
    // those of the following number begin. So it is one place off, and shifted back.
    sieve(look, [this](Number multiple, Number divisor) {
      small_[first_[multiple]++] = static_cast<uint16_t>(divisor);
    });
    std::copy_backward(first_.begin(), first_.end() - 1, first_.end());
    first_[0] = 0;
  }

  // Call `visit` with all divisors of a number above 1, but for 1 and the number itself.
  template <typename Visit>
  void each(Number number, Visit&& visit) const {
    for (uint32_t at = first_[number], end = first_[number + 1]; at < end; ++at) {
      const Number divisor = small_[at];
      visit(divisor);
      // Doubles divide faster than integers, and exactly where there is no remainder.
      const Number other = static_cast<Number>(static_cast<double>(number) / divisor);
      if (other != divisor) visit(other);
    }
  }

  size_t pairs() const { return small_.size(); }

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

// The graph of some numbers, tied if one divides the other. Numbers with the same largest prime
// factor have places in a row: most ties, and most steps of a search, are within such a family, so
// the caches serve it.
class DivisorGraph {
 public:
  // `playable` tells for every number from 0 on whether it takes part.
  template <typename Look>
  DivisorGraph(const std::vector<bool>& playable, Look&& look)
      : limit_(static_cast<Number>(playable.size() - 1)), place_(playable.size()), number_(1) {
    give_places(playable, look);
    tie(look);
  }

  Graph graph() const { return {places(), first_.data(), neighbours_.data()}; }
  uint32_t places() const { return static_cast<uint32_t>(number_.size() - 1); }
  uint32_t place(Number number) const { return place_[number]; }
  Number number(uint32_t place) const { return number_[place]; }

 private:
  template <typename Look>
  void give_places(const std::vector<bool>& playable, Look&& look) {
    std::vector<Number> prime(limit_ + 1);  // the largest that divides a number
    for (Number number = 2; number <= limit_; ++number) {
      if ((number & 1023) == 2) look(0);
      if (prime[number]) continue;
      for (Number multiple = number; multiple <= limit_; multiple += number) {
        prime[multiple] = number;
      }
    }
    const auto give = [&](Number number) {
      if (!playable[number]) return;
      place_[number] = static_cast<uint32_t>(number_.size());
      number_.push_back(number);
    };
    for (Number number = limit_; number > 1; --number) {
      if ((number & 1023) == 0) look(0);
      if (prime[number] != number) continue;
      for (Number multiple = number; multiple <= limit_; multiple += number) {
        if (prime[multiple] == number) give(multiple);
      }
    }
    if (limit_ > 0) give(1);
  }

  template <typename Look>
  void tie(Look&& look) {
    const Divisors divisors(limit_, look);
    first_.reserve(number_.size() + 1);
    first_.push_back(0);
    neighbours_.reserve(4 * divisors.pairs() + 2 * number_.size());
    const auto add = [this](Number number) {
      if (place_[number]) neighbours_.push_back(place_[number]);
    };
    for (uint32_t place = 1; place <= places(); ++place) {
      if ((place & 1023) == 0) look(0);
      first_.push_back(static_cast<uint32_t>(neighbours_.size()));
      const Number number = number_[place];
      if (number > 1) add(1);
      divisors.each(number, add);
      for (Number multiple = 2 * number; multiple <= limit_; multiple += number) add(multiple);
    }
    first_.push_back(static_cast<uint32_t>(neighbours_.size()));
  }

  Number limit_;
  std::vector<uint32_t> place_;   // of every number, 0 for those that take no part
  std::vector<Number> number_;    // at every place
  std::vector<uint32_t> first_, neighbours_;
};

}  // namespace matching
