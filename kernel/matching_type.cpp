// Matchings for Python: sets of numbers and columns of machine integers go in and out as bytes.
#include "matching.hpp"

#include <cstring>

#include "python.hpp"

using matching::DivisorGraph;
using matching::ListGraph;
using matching::Number;

namespace {

// What is found out about the numbers up to a limit; the columns have a place for 0, too.
struct Found {
  std::vector<Number> mate, parent;
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
  size_t size() const { return static_cast<size_t>(buffer_.len); }

  template <typename Item>
  const Item* as() const {
    return static_cast<const Item*>(buffer_.buf);
  }

  // Copy the first items to a column; none if there are too few.
  void copy_to(std::vector<Number>& column) const {
    const size_t bytes = column.size() * sizeof(Number);
    if (size() >= bytes) std::memcpy(column.data(), buffer_.buf, bytes);
  }

 private:
  Py_buffer buffer_{};
  bool valid_ = true;
};

// Match the numbers whose label is kFree, beginning with the matching in `start` if there is one.
template <typename Graph, typename Look>
void match(const Graph& graph, const View& start, Look& look, Found& found) {
  const Number limit = graph.limit();
  found.mate.resize(limit + 1);
  if (start.size() > 0) {
    start.copy_to(found.mate);
  } else {
    for (Number number = 0; number <= limit; ++number) found.mate[number] = found.label[number];
    matching::Greedy<Graph, Look>(graph, found.mate, look).run();
  }
  matching::Forest<Graph, Look> forest(graph, found.mate, found.label, look);
  forest.run();
  found.missable.resize(limit / 8 + 1);
  for (Number number = 0; number <= limit; ++number) {
    if (found.label[number] == matching::kAside) found.mate[number] = 0;
    if (found.label[number] != matching::kOuter) continue;
    found.missable[number / 8] |= static_cast<uint8_t>(1 << number % 8);
  }
  found.parent = std::move(forest.parent);
  found.positions = forest.positions;
}

PyObject* match_divisors(PyObject*, PyObject* arguments) {
  PyObject *playable_object, *start_object, *tick;
  if (!PyArg_ParseTuple(arguments, "OOO", &playable_object, &start_object, &tick)) return nullptr;
  const View playable(playable_object), start(start_object);
  if (!playable.valid() || !start.valid()) return nullptr;
  Found found;
  Watch watch(tick);
  const bool done = unlocked([&] {
    const auto look = [&watch](uint64_t positions) { watch.look(positions); };
    const uint8_t* bits = playable.as<uint8_t>();
    size_t limit = playable.size() * 8;
    while (limit > 0 && !(bits[(limit - 1) / 8] >> (limit - 1) % 8 & 1)) --limit;
    found.label.assign(std::max<size_t>(limit, 1), matching::kAside);
    for (size_t number = 1; number < limit; ++number) {
      if (bits[number / 8] >> number % 8 & 1) found.label[number] = matching::kFree;
    }
    const DivisorGraph graph(static_cast<Number>(found.label.size() - 1), look);
    match(graph, start, look, found);
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
    const size_t places = first.size() / sizeof(uint32_t) - 1;
    found.label.assign(places, matching::kFree);
    found.label[0] = matching::kAside;
    const ListGraph graph(static_cast<Number>(places - 1), first.as<uint32_t>(),
                          neighbours.as<Number>());
    match(graph, start, look, found);
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
