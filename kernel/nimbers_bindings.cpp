// Python bindings for the nimber search: the type Nimbers.
#include <memory>

#include "nimbers.hpp"
#include "outcomes.hpp"
#include "python.hpp"

namespace {

// The solvers of one game.
template <typename Mask>
struct Solvers {
  Solvers(Layout<Mask> layout, size_t memory)
      : nimbers(std::move(layout), memory), outcomes(nimbers.board, memory) {}

  Nimbers<Mask> nimbers;
  OutcomeSearch<Mask> outcomes;
};

// Exactly one of the two is set, depending on how many smooth numbers the game has.
struct NimbersObject {
  PyObject_HEAD
  std::unique_ptr<Solvers<uint64_t>> narrow;
  std::unique_ptr<Solvers<Wide>> wide;
};

// Parse an integer of up to 128 bits. Return false with the Python exception set on failure.
bool parse(PyObject* number, Wide& value) {
  unsigned char bytes[16];
  PyObject* written = PyObject_CallMethod(number, "to_bytes", "is", 16, "little");
  if (written == nullptr) return false;
  std::copy_n(PyBytes_AsString(written), 16, bytes);
  Py_DECREF(written);
  value = 0;
  for (int at = 15; at >= 0; at--) value = value << 8 | bytes[at];
  return true;
}

// Parse a sequence of integers.
template <typename Number>
bool parse(PyObject* sequence, std::vector<Number>& values) {
  const Py_ssize_t size = PySequence_Size(sequence);
  for (Py_ssize_t at = 0; at < size; at++) {
    PyObject* item = PySequence_GetItem(sequence, at);
    Wide value = 0;
    const bool is_read = item != nullptr && parse(item, value);
    Py_XDECREF(item);
    if (!is_read) return false;
    values.push_back(Number(value));
  }
  return size >= 0;
}

template <typename Mask>
bool make_solvers(PyObject* const (&tables)[4], Py_ssize_t memory,
                  std::unique_ptr<Solvers<Mask>>& solvers) {
  Layout<Mask> layout;
  if (!parse(tables[0], layout.smooth_takes_smooth) ||
      !parse(tables[1], layout.smooth_takes_column) ||
      !parse(tables[2], layout.column_takes_column) ||
      !parse(tables[3], layout.column_takes_smooth)) {
    return false;
  }
  try {
    solvers = std::make_unique<Solvers<Mask>>(std::move(layout), size_t(memory));
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
    return false;
  }
  return true;
}

PyObject* new_nimbers(PyTypeObject* type, PyObject* arguments, PyObject*) {
  PyObject* tables[4];
  Py_ssize_t memory;
  if (!PyArg_ParseTuple(arguments, "OOOOn", &tables[0], &tables[1], &tables[2], &tables[3],
                        &memory)) {
    return nullptr;
  }
  const Py_ssize_t smooth = PySequence_Size(tables[0]), columns = PySequence_Size(tables[2]);
  if (smooth < 0 || columns < 0) return nullptr;
  if (smooth > 128 || columns > kMaxMultipliers || PySequence_Size(tables[1]) != smooth ||
      PySequence_Size(tables[3]) != columns) {
    PyErr_SetString(PyExc_ValueError,
                    "The layout is too large for the kernel, or its tables differ in length.");
    return nullptr;
  }
  auto* allocate = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
  PyObject* self = allocate(type, 0);
  if (self == nullptr) return nullptr;
  auto* object = reinterpret_cast<NimbersObject*>(self);
  new (&object->narrow) std::unique_ptr<Solvers<uint64_t>>;
  new (&object->wide) std::unique_ptr<Solvers<Wide>>;
  const bool is_made = smooth <= 64 ? make_solvers(tables, memory, object->narrow)
                                    : make_solvers(tables, memory, object->wide);
  if (is_made) return self;
  Py_DECREF(self);
  return nullptr;
}

void dealloc_nimbers(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  auto* object = reinterpret_cast<NimbersObject*>(self);
  object->narrow.~unique_ptr();
  object->wide.~unique_ptr();
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

// Parse a position and search it without the GIL, using the mask type of the game. Return false
// with the Python exception set on failure.
template <typename Search>
bool search(PyObject* self, PyObject* smooth_number, PyObject* sequence, Search run) {
  Wide smooth;
  std::vector<uint32_t> patterns;
  if (!parse(smooth_number, smooth) || !parse(sequence, patterns)) return false;
  auto* object = reinterpret_cast<NimbersObject*>(self);
  if (!(object->narrow ? object->narrow->nimbers.board.contains(smooth, patterns)
                       : object->wide->nimbers.board.contains(smooth, patterns))) {
    PyErr_SetString(PyExc_ValueError,
                    "The position is too large, or has numbers that are not on the board.");
    return false;
  }
  return run_without_gil([&] {
    if (object->narrow) {
      run(*object->narrow, object->narrow->nimbers.board.position(uint64_t(smooth), patterns));
    } else {
      run(*object->wide, object->wide->nimbers.board.position(smooth, patterns));
    }
  });
}

PyObject* nimber(PyObject* self, PyObject* arguments) {
  PyObject *smooth, *patterns, *tick;
  int threads;
  unsigned long long max_positions;
  if (!PyArg_ParseTuple(arguments, "OOiKO", &smooth, &patterns, &threads, &max_positions, &tick)) {
    return nullptr;
  }
  ProgressMonitor monitor(tick, max_positions);
  std::pair<int, unsigned long long> result;
  const auto run = [&](auto& solvers, const auto& position) {
    result = solvers.nimbers.nimber(position, threads,
                                    [&monitor](uint64_t positions) { monitor.poll(positions); });
  };
  return search(self, smooth, patterns, run) ? Py_BuildValue("iK", result.first, result.second)
                                             : nullptr;
}

PyObject* is_zero(PyObject* self, PyObject* arguments) {
  PyObject *smooth, *patterns, *tick;
  unsigned long long max_positions;
  if (!PyArg_ParseTuple(arguments, "OOKO", &smooth, &patterns, &max_positions, &tick)) {
    return nullptr;
  }
  ProgressMonitor monitor(tick, max_positions);
  std::pair<bool, unsigned long long> result;
  const auto run = [&](auto& solvers, const auto& position) {
    result = solvers.outcomes.has_nimber(
        position, 0, [&monitor](uint64_t positions) { monitor.poll(positions); });
  };
  return search(self, smooth, patterns, run)
             ? Py_BuildValue("OK", result.first ? Py_True : Py_False, result.second)
             : nullptr;
}

PyMethodDef methods[] = {
    {"nimber", nimber, METH_VARARGS,
     "Return the nimber of a position and the number of positions evaluated."},
    {"is_zero", is_zero, METH_VARARGS,
     "Return whether the nimber is 0, and the number of positions searched."},
    {nullptr, nullptr, 0, nullptr},
};

PyType_Slot slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(new_nimbers)},
    {Py_tp_dealloc, reinterpret_cast<void*>(dealloc_nimbers)},
    {Py_tp_methods, methods},
    {0, nullptr},
};

PyType_Spec spec = {"divisorduel.solve.native._kernel.Nimbers", sizeof(NimbersObject), 0,
                    Py_TPFLAGS_DEFAULT, slots};

}  // namespace

int add_nimbers(PyObject* module) {
  PyObject* type = PyType_FromSpec(&spec);
  if (type == nullptr) return -1;
  const int status = PyModule_AddObjectRef(module, "Nimbers", type);
  Py_DECREF(type);
  return status;
}
