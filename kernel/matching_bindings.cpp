// Matchings for Python: sets of numbers and columns of machine integers go in and out as bytes.
#include "blossom_search.hpp"
#include "divisor_matching.hpp"
#include "python.hpp"

using matching::Graph;
using matching::Matched;
using matching::Number;

namespace {

template <typename Item>
PyObject* as_bytes(const std::vector<Item>& items) {
  return PyBytes_FromStringAndSize(reinterpret_cast<const char*>(items.data()),
                                   static_cast<Py_ssize_t>(items.size() * sizeof(Item)));
}

// Return partners, labels, parents, the set of the outer numbers, and how many were looked at.
PyObject* as_tuple(const Matched& found) {
  std::vector<uint8_t> outer(found.label.size() / 8 + 1);
  for (size_t number = 0; number < found.label.size(); ++number) {
    if (found.label[number] != matching::kOuter) continue;
    outer[number / 8] |= static_cast<uint8_t>(1 << number % 8);
  }
  return Py_BuildValue("NNNNK", as_bytes(found.mate), as_bytes(found.label),
                       as_bytes(found.parent), as_bytes(outer), found.positions);
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

  template <typename Item>
  size_t size() const {
    return static_cast<size_t>(buffer_.len) / sizeof(Item);
  }

  template <typename Item>
  const Item* as() const {
    return static_cast<const Item*>(buffer_.buf);
  }

  template <typename Item>
  std::vector<Item> items() const {
    return {as<Item>(), as<Item>() + size<Item>()};
  }

 private:
  Py_buffer buffer_{};
  bool valid_ = true;
};

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
  Matched found;
  Watch watch(tick);
  const bool done = unlocked([&] {
    const auto look = [&watch](uint64_t positions) { watch.look(positions); };
    matching::Numbers numbers(as_set(bits), look);
    found = numbers.match(start.items<Number>());
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
  Matched found;
  Watch watch(tick);
  const bool done = unlocked([&] {
    const auto look = [&watch](uint64_t positions) { watch.look(positions); };
    const Graph graph(static_cast<uint32_t>(first.size<uint32_t>() - 2), first.as<uint32_t>(),
                      neighbours.as<uint32_t>());
    found = matching::search(graph, start.items<uint32_t>(), look)
                .found(graph.places() + 1, [](uint32_t place) { return place; });
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
