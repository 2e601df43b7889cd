// Matchings for Python: sets of numbers and columns of machine integers go in and out as bytes.
#include "divisors.hpp"
#include "matching.hpp"
#include "python.hpp"

using matching::DivisorGraph;
using matching::Graph;
using matching::Number;

namespace {

// What is found out about the numbers from 0 on, or about the places of a graph.
struct Found {
  std::vector<uint32_t> mate, parent;
  std::vector<uint8_t> label, missable;
  uint64_t positions = 0;
};

template <typename Item>
PyObject* as_bytes(const std::vector<Item>& items) {
  return PyBytes_FromStringAndSize(reinterpret_cast<const char*>(items.data()),
                                   static_cast<Py_ssize_t>(items.size() * sizeof(Item)));
}

PyObject* as_tuple(const Found& found) {
  return Py_BuildValue("NNNNK", as_bytes(found.mate), as_bytes(found.label),
                       as_bytes(found.parent), as_bytes(found.missable), found.positions);
}

// A view of the bytes of a Python object, which may be None.
class View {
 public:
  explicit View(PyObject* object) {
    if (object != Py_None) valid_ = PyObject_GetBuffer(object, &buffer_, PyBUF_SIMPLE) == 0;
  }
  ~View() {
    if (buffer_.obj != nullptr) PyBuffer_Release(&buffer_);
  }
  View(const View&) = delete;
  View& operator=(const View&) = delete;

  bool valid() const { return valid_; }
  bool empty() const { return buffer_.len == 0; }

  template <typename Item>
  size_t size() const {
    return static_cast<size_t>(buffer_.len) / sizeof(Item);
  }

  template <typename Item>
  const Item* as() const {
    return static_cast<const Item*>(buffer_.buf);
  }

 private:
  Py_buffer buffer_{};
  bool valid_ = true;
};

// Match the places of a graph, beginning with the matching in `found`, if it has one.
template <typename Look>
void match(const Graph& graph, Look& look, Found& found) {
  if (found.mate.empty()) {
    found.mate.resize(graph.places() + 1);
    matching::Greedy<Look>(graph, found.mate, look).run();
  }
  matching::Forest<Look> forest(graph, found.mate, look);
  forest.run();
  found.label = std::move(forest.label);
  found.parent = std::move(forest.parent);
  found.positions = forest.positions;
}

void note_missable(Found& found) {
  found.missable.resize(found.label.size() / 8 + 1);
  for (size_t number = 0; number < found.label.size(); ++number) {
    if (found.label[number] != matching::kOuter) continue;
    found.missable[number / 8] |= static_cast<uint8_t>(1 << number % 8);
  }
}

// Give what was found out about the places of a graph to the numbers that have them.
Found by_number(const Found& found, const DivisorGraph& numbers, size_t limit) {
  Found given;
  given.mate.resize(limit + 1);
  given.parent.resize(limit + 1);
  given.label.resize(limit + 1);
  for (uint32_t place = 1; place <= numbers.places(); ++place) {
    const Number number = numbers.number(place);
    given.mate[number] = numbers.number(found.mate[place]);
    given.parent[number] = numbers.number(found.parent[place]);
    given.label[number] = found.label[place];
  }
  given.positions = found.positions;
  return given;
}

std::vector<bool> as_set(const View& bits) {
  std::vector<bool> set(std::max<size_t>(bits.size<uint8_t>() * 8, 1));
  for (size_t number = 0; number < bits.size<uint8_t>() * 8; ++number) {
    set[number] = bits.as<uint8_t>()[number / 8] >> number % 8 & 1;
  }
  while (set.size() > 1 && !set.back()) set.pop_back();
  return set;
}

PyObject* match_divisors(PyObject*, PyObject* arguments) {
  PyObject *playable_object, *start_object, *tick;
  if (!PyArg_ParseTuple(arguments, "OOO", &playable_object, &start_object, &tick)) return nullptr;
  const View bits(playable_object), start(start_object);
  if (!bits.valid() || !start.valid()) return nullptr;
  Found found;
  Watch watch(tick);
  const bool done = unlocked([&] {
    const auto look = [&watch](uint64_t positions) { watch.look(positions); };
    const std::vector<bool> playable = as_set(bits);
    const DivisorGraph numbers(playable, look);
    Found at_places;
    if (start.size<Number>() >= playable.size()) {
      at_places.mate.resize(numbers.places() + 1);
      for (uint32_t place = 1; place <= numbers.places(); ++place) {
        at_places.mate[place] = numbers.place(start.as<Number>()[numbers.number(place)]);
      }
    }
    match(numbers.graph(), look, at_places);
    found = by_number(at_places, numbers, playable.size() - 1);
    note_missable(found);
  });
  return done ? as_tuple(found) : nullptr;
}

PyObject* match_lists(PyObject*, PyObject* arguments) {
  PyObject *first_object, *neighbours_object, *start_object, *tick;
  if (!PyArg_ParseTuple(arguments, "OOOO", &first_object, &neighbours_object, &start_object,
                        &tick)) {
    return nullptr;
  }
  const View first(first_object), neighbours(neighbours_object), start(start_object);
  if (!first.valid() || !neighbours.valid() || !start.valid()) return nullptr;
  Found found;
  Watch watch(tick);
  const bool done = unlocked([&] {
    const auto look = [&watch](uint64_t positions) { watch.look(positions); };
    const Graph graph(static_cast<uint32_t>(first.size<uint32_t>() - 2), first.as<uint32_t>(),
                      neighbours.as<uint32_t>());
    if (!start.empty()) {
      found.mate.assign(start.as<uint32_t>(), start.as<uint32_t>() + graph.places() + 1);
    }
    match(graph, look, found);
    note_missable(found);
  });
  return done ? as_tuple(found) : nullptr;
}

PyMethodDef functions[] = {
    {"match_divisors", match_divisors, METH_VARARGS, "Match numbers that divide each other."},
    {"match_lists", match_lists, METH_VARARGS, "Match the numbers of any graph."},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

int add_matching(PyObject* module) { return PyModule_AddFunctions(module, functions); }
