// Maximum matchings of numbers that are tied if one divides the other.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "divisors.hpp"
#include "forest.hpp"

namespace matching {

// The numbers of a board, and how they are matched.
template <typename Look>
class Numbers {
 public:
  // `playable` tells for every number from 0 on whether it takes part.
  Numbers(std::vector<bool> playable, Look& look)
      : playable_(std::move(playable)),
        limit_(static_cast<Number>(playable_.size() - 1)),
        prime_(largest_primes(limit_, look)),
        look_(look) {}

  // Return a maximum matching. It may start from a matching that is known, of these numbers and
  // perhaps of more.
  Matched match(const std::vector<Number>& start) {
    if (start.size() >= playable_.size()) return match_whole(playable_, start);
    if (limit_ < kLarge) return match_whole(playable_);
    Matched found = match_apart();
    return complete_ ? found : match_whole(playable_, found.mate);
  }

 private:
  static constexpr Number kLarge = 8000;  // smaller boards are not taken apart
  static constexpr unsigned kKept = 4;

  struct Column {
    std::vector<bool> multipliers;
    unsigned count = 0;  // how many primes have these
    Matched matched;     // once that is needed
  };

  Matched match_whole(const std::vector<bool>& playable, const std::vector<Number>& start = {},
                      Thinned thinned = {}) {
    const DivisorGraph numbers(playable, prime_, thinned, look_);
    std::vector<uint32_t> mate;
    if (!start.empty()) {
      mate.resize(numbers.places() + 1);
      for (uint32_t place = 1; place <= numbers.places(); ++place) {
        mate[place] = numbers.place(start[numbers.number(place)]);
      }
    }
    const Matched at_places = matching::match(numbers.graph(), std::move(mate), look_);
    Matched found;
    found.resize(playable.size());
    for (uint32_t place = 1; place <= numbers.places(); ++place) {
      const Number number = numbers.number(place);
      found.mate[number] = numbers.number(at_places.mate[place]);
      found.label[number] = at_places.label[place];
      found.parent[number] = numbers.number(at_places.parent[place]);
    }
    found.positions = at_places.positions;
    return found;
  }

  // The multiples of a large prime p are tied to each other as their multipliers are, whatever p
  // is, and otherwise to small numbers alone. Of such columns with the same multipliers a few are
  // left among the others; the rest are taken out and share one matching.
  //
  // If then the small numbers come out as inner, nothing was lost. For the neighbours of outer
  // numbers are inner or in the same blossom, and remain so when ties of inner numbers are added.
  Matched match_apart() {
    const Number small = static_cast<Number>(std::pow(limit_, 0.4) / 2), large = limit_ / small;
    std::vector<bool> rest = playable_;
    std::vector<std::pair<Number, Column*>> apart;
    for (Number prime = large + 1; prime <= limit_; ++prime) {
      if (prime_[prime] != prime) continue;
      look_(0);
      Column& column = column_of(prime);
      if (++column.count <= kKept) continue;
      apart.emplace_back(prime, &column);
      for (Number multiple = prime; multiple <= limit_; multiple += prime) rest[multiple] = false;
    }
    Matched found = match_whole(rest, {}, {small / 2, large});
    for (const auto& [prime, column] : apart) {
      look_(found.positions);
      if (column->matched.mate.empty()) column->matched = match_whole(column->multipliers);
      copy(column->matched, prime, found);
    }
    complete_ = true;
    for (Number number = 1; number <= small; ++number) {
      if (playable_[number] && found.label[number] != kInner) complete_ = false;
    }
    return found;
  }

  // Return the column of the multiples of a large prime.
  Column& column_of(Number prime) {
    std::vector<bool> multipliers(limit_ / prime + 1);
    for (Number times = 1; times < multipliers.size(); ++times) {
      multipliers[times] = playable_[times * prime];
    }
    const auto [entry, is_new] = columns_.try_emplace(multipliers);
    if (is_new) entry->second.multipliers = std::move(multipliers);
    return entry->second;
  }

  static void copy(const Matched& column, Number prime, Matched& found) {
    for (Number times = 1; times < column.mate.size(); ++times) {
      found.mate[times * prime] = column.mate[times] * prime;
      found.label[times * prime] = column.label[times];
      found.parent[times * prime] = column.parent[times] * prime;
    }
  }

  const std::vector<bool> playable_;
  const Number limit_;
  const std::vector<Number> prime_;
  Look& look_;
  std::map<std::vector<bool>, Column> columns_;  // by their multipliers
  bool complete_ = false;
};

}  // namespace matching
