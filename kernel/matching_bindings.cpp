// Python bindings for the matchings. Bit sets and arrays of machine integers are passed as bytes.
#include "blossom_search.hpp"
#include "divisor_matching.hpp"
#include "python.hpp"

using matching::Graph;
using matching::Matching;
using matching::Number;

namespace {

template <typename Item>
PyObject* to_bytes(const std::vector<Item>& items) {
  return PyBytes_FromStringAndSize(reinterpret_cast<const char*>(items.data()),
                                   static_cast<Py_ssize_t>(items.size() * sizeof(Item)));
}

// Return mates, labels, parents, the outer numbers as a bit set, and how many vertices were
// scanned.
PyObject* to_tuple(const Matching& result) {
  std::vector<uint8_t> outer(result.label.size() / 8 + 1);
  for (size_t number = 0; number < result.label.size(); ++number) {
    if (result.label[number] != matching::kOuter) continue;
    outer[number / 8] |= static_cast<uint8_t>(1 << number % 8);
  }
  return Py_BuildValue("NNNNK", to_bytes(result.mate), to_bytes(result.label),
                       to_bytes(result.parent), to_bytes(outer), result.positions);
}

// A view of the buffer of a Python object, or an empty view of None.
class BufferView {
 public:
  explicit BufferView(PyObject* object) {
    if (object != Py_None) valid_ = PyObject_GetBuffer(object, &buffer_, PyBUF_SIMPLE) == 0;
  }
  ~BufferView() {
    if (buffer_.obj != nullptr) PyBuffer_Release(&buffer_);
  }
  BufferView(const BufferView&) = delete;
  BufferView& operator=(const BufferView&) = delete;

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

std::vector<bool> to_bits(const BufferView& bits) {
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
  const BufferView bits(playable_object), start(start_object);
  if (!bits.valid() || !start.valid()) return nullptr;
  Matching result;
  ProgressMonitor monitor(tick);
  const bool done = run_without_gil([&] {
    const auto poll = [&monitor](uint64_t positions) { monitor.poll(positions); };
    matching::DivisorMatcher matcher(to_bits(bits), poll);
    result = matcher.match(start.items<Number>());
  });
  return done ? to_tuple(result) : nullptr;
}

PyObject* match_lists(PyObject*, PyObject* arguments) {
  PyObject *offsets_object, *neighbours_object, *start_object, *tick;
  if (!PyArg_ParseTuple(arguments, "OOOO", &offsets_object, &neighbours_object, &start_object,
                        &tick)) {
    return nullptr;
  }
  const BufferView offsets(offsets_object), neighbours(neighbours_object), start(start_object);
  if (!offsets.valid() || !neighbours.valid() || !start.valid()) return nullptr;
  Matching result;
  ProgressMonitor monitor(tick);
  const bool done = run_without_gil([&] {
    const auto poll = [&monitor](uint64_t positions) { monitor.poll(positions); };
    const Graph graph(static_cast<uint32_t>(offsets.size<uint32_t>() - 2), offsets.as<uint32_t>(),
                      neighbours.as<uint32_t>());
    result = matching::find_maximum_matching(graph, start.items<uint32_t>(), poll)
                 .result(graph.vertex_count() + 1, [](uint32_t vertex) { return vertex; });
  });
  return done ? to_tuple(result) : nullptr;
}

PyMethodDef functions[] = {
    {"match_divisors", match_divisors, METH_VARARGS,
     "Find a maximum matching of the divisor graph of a set of numbers."},
    {"match_lists", match_lists, METH_VARARGS, "Find a maximum matching of a graph."},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

int add_matching(PyObject* module) { return PyModule_AddFunctions(module, functions); }
