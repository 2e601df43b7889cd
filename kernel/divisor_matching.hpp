// Maximum matchings of numbers that are tied if one divides the other.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "divisor_graph.hpp"
#include "blossom_search.hpp"

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
        look_(look) {
    const auto gaps = std::count(playable_.begin(), playable_.end(), false);
    if (limit_ >= kLarge && gaps <= limit_ / kGaps) ties_ = Ties::kFew;
  }

  // Return a maximum matching. It may start from a matching that is known, of these numbers and
  // perhaps of more.
  Matched match(const std::vector<Number>& start) {
    Matched found;
    if (start.size() >= playable_.size()) {
      found = match_whole(playable_, start);
    } else if (limit_ < kLarge) {
      found = match_whole(playable_);
    } else {
      found = match_apart();
      if (!complete_) found = match_whole(playable_, found.mate);
    }
    found.positions = positions_;
    return found;
  }

 private:
  static constexpr Number kLarge = 8000;  // smaller boards are matched as they are
  // So many columns with the same multipliers are enough for the small numbers to find partners.
  static constexpr unsigned kKept = 4;
  // Few ties seldom suffice on boards that lack more than one number of so many.
  static constexpr Number kGaps = 1000;

  struct Column {
    unsigned count = 0;  // how many primes have these multipliers
    Matched matched;     // once that is needed
  };
  using Columns = std::unordered_map<std::vector<bool>, Column>;  // by their multipliers

  // Return a maximum matching. It may be found with few ties, and then be seen to be one with all
  // of them. If it is not, the search goes on from it with all.
  Matched match_whole(const std::vector<bool>& playable, std::vector<Number> start = {}) {
    const auto look = [this](uint64_t positions) { look_(positions_ + positions); };
    for (Ties ties = ties_;; ties = Ties::kAll) {
      const DivisorGraph numbers(playable, prime_, ties, look);
      auto forest = search(numbers.graph(), at_places(start, numbers), look);
      Matched found =
          forest.found(playable.size(), [&](uint32_t place) { return numbers.number(place); });
      positions_ += found.positions;
      if (ties == Ties::kAll || allows_all(forest, numbers, look)) return found;
      start = std::move(found.mate);
    }
  }

  template <typename Looking>
  static bool allows_all(Forest<Looking>& forest, const DivisorGraph& numbers, Looking& look) {
    bool all = true;
    numbers.each_tie(
        look, [&](uint32_t place) { return all && !forest.is_inner(place); },
        [&](uint32_t divisor, const std::vector<uint32_t>& multiples) {
          all = all && forest.allows(divisor, multiples);
        });
    return all;
  }

  // Return a matching of numbers, and perhaps of others, as one of the places of those in a graph.
  static std::vector<uint32_t> at_places(const std::vector<Number>& start,
                                         const DivisorGraph& numbers) {
    std::vector<uint32_t> mate(start.empty() ? 0 : numbers.places() + 1);
    for (uint32_t place = 1; place < mate.size(); ++place) {
      mate[place] = numbers.place(start[numbers.number(place)]);
    }
    return mate;
  }

  // The multiples of a large prime p are tied to each other as their multipliers are, whatever p
  // is, and otherwise to small numbers alone. Of such columns with the same multipliers a few are
  // left among the others; the rest are taken out and share one matching.
  //
  // If then the small numbers come out as inner, nothing was lost. For the neighbours of outer
  // numbers are inner or in the same blossom, and remain so when ties of inner numbers are added.
  Matched match_apart() {
    // The more numbers are small, the more columns can be taken out; but they have to be inner, and
    // on boards of all numbers the first that is not comes a little later than this.
    const Number small = static_cast<Number>(std::pow(limit_, 0.4) / 2), large = limit_ / small;
    std::vector<bool> rest = playable_;
    std::vector<std::pair<Number, typename Columns::value_type*>> apart;
    for (Number prime = large + 1; prime <= limit_; ++prime) {
      if (prime_[prime] != prime) continue;
      look_(positions_);
      auto& column = *columns_.try_emplace(multipliers_of(prime)).first;
      if (++column.second.count <= kKept) continue;
      apart.emplace_back(prime, &column);
      for (Number multiple = prime; multiple <= limit_; multiple += prime) rest[multiple] = false;
    }
    Matched found = match_whole(rest);
    for (const auto& [prime, entry] : apart) {
      look_(positions_);
      auto& [multipliers, column] = *entry;
      if (column.matched.mate.empty()) column.matched = match_whole(multipliers);
      copy(column.matched, prime, found);
    }
    complete_ = true;
    for (Number number = 1; number <= small; ++number) {
      if (playable_[number] && found.label[number] != kInner) complete_ = false;
    }
    return found;
  }

  std::vector<bool> multipliers_of(Number prime) const {
    std::vector<bool> multipliers(limit_ / prime + 1);
    for (Number times = 1; times < multipliers.size(); ++times) {
      multipliers[times] = playable_[times * prime];
    }
    return multipliers;
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
  Ties ties_ = Ties::kAll;  // to begin with
  Columns columns_;
  uint64_t positions_ = 0;  // how many were looked at in matchings that are done
  bool complete_ = false;   // whether nothing was lost by taking the board apart
};

}  // namespace matching
