// What each idea of the nimber kernel buys (see docs/kernel.md): one plain search in which the
// ideas are switches, and the kernel itself.
//
//   ideas GAME TO [IDEA ...]
//
// works out the nimber of antichain or divider on the numbers from 2 to TO. Without any idea, whole
// positions are remembered. It prints the nimber, how many positions were worked out, the seconds
// of processor time and of the clock, the largest nimber, and what else was asked for.
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <string>
#include <unordered_map>
#include <vector>

#include "../kernel/board.hpp"
#include "../kernel/table.hpp"
#include "ideas_search.hpp"

// A component as all its words, in the place of the kernel's packed keys.
struct Words {
  std::vector<uint64_t> words;

  bool is_none() const { return words.empty(); }
  bool operator==(const Words& other) const { return words == other.words; }
  uint64_t hash() const {
    return std::accumulate(words.begin(), words.end(), uint64_t(0),
                           [](uint64_t h, uint64_t word) { return plain::mixed(h + word + 1); });
  }
};

// The kernel's board with such keys.
template <typename Mask>
struct Unpacked : Board<Mask> {
  using Board<Mask>::Board;

  Words pack(const Position<Mask>& position) const { return {position.words()}; }

  Position<Mask> unpack(const Words& key) const {
    Position<Mask> position{Mask(Wide(key.words[1]) << 64 | key.words[0])};
    for (size_t at = 2; at < key.words.size(); at++) {
      position.pieces[position.count++] = PieceId(key.words[at]);
    }
    return position;
  }

  static Words without(Words key, Mask gone) {
    key.words[0] &= ~uint64_t(gone);
    key.words[1] &= ~uint64_t(Wide(gone) >> 64);
    return key;
  }
};

// The kernel is built with them by -DUNPACKED, and needs the standard library's table then.
#ifdef UNPACKED
#define Key Words
#define Board Unpacked
#endif

// The kernel's table without looking ahead.
struct Unprefetched : Table {
  using Table::Table;
  void prefetch(uint64_t) const {}
};

// What the standard library has to offer in the place of the kernel's table; for one thread.
struct Standard {
  struct Hash {
    size_t operator()(const Key& key) const { return key.hash(); }
  };
  std::unordered_map<Key, uint8_t, Hash> nimbers;
  std::shared_mutex mutex;

  explicit Standard(size_t) {}
  std::shared_mutex& gate() { return mutex; }
  void prefetch(uint64_t) const {}
  bool wants_to_grow() const { return false; }
  void grow() {}
  int find(const Key& key, uint64_t) const {
    const auto entry = nimbers.find(key);
    return entry == nimbers.end() ? -1 : entry->second;
  }
  bool put(const Key& key, uint64_t, int nimber, uint64_t) {
    return nimbers.emplace(key, nimber).second;
  }
};

// The kernel is built with one of them by -DTABLE=Unprefetched or -DTABLE=Standard.
#ifdef TABLE
#define Table TABLE
#endif
#include "../kernel/nimbers.hpp"
#undef Table
#undef Board
#undef Key

namespace {

struct Asked {
  plain::Ideas ideas;
  bool moves, winner;                   // instead of the nimber: which moves win, and who
  bool classes;                         // of isomorphic positions, counted in the end
  bool kernel, wide, threads, forgets;  // the kernel, and how it is run
};

const std::map<std::string, bool& (*)(Asked&)> kIdeas = {
    {"components", [](Asked& asked) -> bool& { return asked.ideas.components; }},
    {"columns", [](Asked& asked) -> bool& { return asked.ideas.columns; }},
    {"pieces", [](Asked& asked) -> bool& { return asked.ideas.pieces; }},
    {"cancel", [](Asked& asked) -> bool& { return asked.ideas.cancel; }},
    {"closed", [](Asked& asked) -> bool& { return asked.ideas.closed; }},
    {"open", [](Asked& asked) -> bool& { return asked.ideas.open; }},
    {"outcomes", [](Asked& asked) -> bool& { return asked.ideas.outcomes; }},
    {"unordered", [](Asked& asked) -> bool& { return asked.ideas.unordered; }},
    {"largest", [](Asked& asked) -> bool& { return asked.ideas.largest; }},
    {"moves", [](Asked& asked) -> bool& { return asked.moves; }},
    {"winner", [](Asked& asked) -> bool& { return asked.winner; }},
    {"classes", [](Asked& asked) -> bool& { return asked.classes; }},
    {"kernel", [](Asked& asked) -> bool& { return asked.kernel; }},
    {"wide", [](Asked& asked) -> bool& { return asked.wide; }},
    {"threads", [](Asked& asked) -> bool& { return asked.threads; }},
    {"forgets", [](Asked& asked) -> bool& { return asked.forgets; }},
};

// The numbers from 2 on, as smooth numbers and columns, or all of them as if they were smooth.
struct Numbers {
  bool is_antichain;
  std::vector<int> smooth, multipliers;
  std::vector<uint32_t> columns;

  Numbers(bool is_antichain, int to, bool has_columns) : is_antichain(is_antichain) {
    for (int number = 2; number <= to; number++) {
      int rest = number;
      for (int divisor = 2; divisor * divisor <= to; divisor++) {
        while (rest % divisor == 0) rest /= divisor;
      }
      if (rest == 1 || !has_columns) smooth.push_back(number);
      if (rest == number && has_columns) columns.push_back((1u << to / number) - 1);
    }
    if (!columns.empty()) multipliers.resize(size_t(__builtin_popcount(columns[0])));
    std::iota(multipliers.begin(), multipliers.end(), 1);
  }

  // The set of those that some number takes, for every number.
  template <typename Set>
  std::vector<Set> takes(const std::vector<int>& numbers, const std::vector<int>& others,
                         bool multiples, bool divisors) const {
    std::vector<Set> taken(numbers.size());
    for (size_t i = 0; i < numbers.size(); i++) {
      for (size_t j = 0; j < others.size(); j++) {
        const bool is_taken = (multiples && others[j] % numbers[i] == 0) ||
                              (divisors && numbers[i] % others[j] == 0);
        taken[i] |= Set(is_taken) << j;
      }
    }
    return taken;
  }

  template <typename Mask>
  Layout<Mask> layout() const {
    return {takes<Mask>(smooth, smooth, true, is_antichain),
            takes<uint32_t>(smooth, multipliers, true, false),
            takes<uint32_t>(multipliers, multipliers, true, is_antichain),
            takes<Mask>(multipliers, smooth, false, is_antichain)};
  }

  template <typename Mask>
  Mask all() const {
    return Mask(-1) >> (8 * sizeof(Mask) - smooth.size());
  }
};

struct Found {
  int nimber = 0;  // or how many winning moves were found, if only those were asked for
  size_t positions = 0;
  int largest = 0;
  size_t classes = 0;
};

Found by_search(const Numbers& board, const Asked& asked) {
  plain::Search search(board.layout<Wide>(), asked.ideas);
  const plain::Position start = {board.all<Wide>(), board.columns};
  Found found;
  if (asked.winner) {
    found.nimber = !search.is_lost(start);
  } else if (asked.moves) {
    found.nimber = search.winning_moves(start);
  } else {
    found.nimber = search.nimber_of(start);
  }
  found.positions = search.positions();
  found.largest = search.largest_nimber();
  if (asked.classes) found.classes = search.classes();
  return found;
}

template <typename Mask>
Found by_kernel(const Numbers& board, const Asked& asked) {
  const size_t memory = asked.forgets ? size_t(16) << 20 : size_t(8) << 30;
  Nimbers<Mask> nimbers(board.layout<Mask>(), memory);
  const auto [nimber, positions] = nimbers.nimber(
      nimbers.board.position(board.all<Mask>(), board.columns), asked.threads ? 2 : 1,
      [](uint64_t) {});
  return {nimber, positions, 0, 0};
}

double processor_seconds() {
  rusage used;
  getrusage(RUSAGE_SELF, &used);
  return double(used.ru_utime.tv_sec) + double(used.ru_utime.tv_usec) / 1e6;
}

}  // namespace

int main(int count, char** words) {
  Asked asked{};
  bool is_known = count >= 3;
  for (int at = 3; at < count; at++) {
    const auto idea = kIdeas.find(words[at]);
    is_known = is_known && idea != kIdeas.end();
    if (is_known) idea->second(asked) = true;
  }
  if (!is_known) {
    std::fprintf(stderr, "ideas antichain|divider TO [IDEA ...], where an idea is one of");
    for (const auto& idea : kIdeas) std::fprintf(stderr, " %s", idea.first.c_str());
    std::fprintf(stderr, "\n");
    return 2;
  }
  const bool has_columns = asked.kernel || asked.ideas.columns;
  const Numbers board(words[1] == std::string("antichain"), std::atoi(words[2]), has_columns);
  const double begin = processor_seconds();
  const auto begin_clock = std::chrono::steady_clock::now();
  Found found;
  if (!asked.kernel) {
    found = by_search(board, asked);
  } else if (asked.wide || board.smooth.size() > 64) {
    found = by_kernel<Wide>(board, asked);
  } else {
    found = by_kernel<uint64_t>(board, asked);
  }
  const std::chrono::duration<double> clock = std::chrono::steady_clock::now() - begin_clock;
  std::printf("%d %zu %.3f %.3f %d %zu\n", found.nimber, found.positions,
              processor_seconds() - begin, clock.count(), found.largest, found.classes);
}
