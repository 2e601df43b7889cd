// The type Nimbers of the module: one game's table, and searches in it.
#include <memory>

#include "nimbers.hpp"
#include "outcomes.hpp"
#include "python.hpp"

namespace {

// What is known of a game.
template <typename Mask>
struct Searches {
  Searches(Layout<Mask> layout, size_t memory)
      : nimbers(std::move(layout), memory), outcomes(nimbers.board, memory) {}

  Nimbers<Mask> nimbers;
  Outcomes<Mask> outcomes;
};

// A game with few or with many smooth numbers; one of the two is there.
struct Object {
  PyObject_HEAD
  std::unique_ptr<Searches<uint64_t>> narrow;
  std::unique_ptr<Searches<Wide>> wide;
};

// A whole number of up to 128 bits. False with the exception set if it is none.
bool read(PyObject* number, Wide& value) {
  unsigned char bytes[16];
  PyObject* written = PyObject_CallMethod(number, "to_bytes", "is", 16, "little");
  if (written == nullptr) return false;
  std::copy_n(PyBytes_AsString(written), 16, bytes);
  Py_DECREF(written);
  value = 0;
  for (int at = 15; at >= 0; at--) value = value << 8 | bytes[at];
  return true;
}

// A sequence of whole numbers.
template <typename Number>
bool read(PyObject* sequence, std::vector<Number>& values) {
  const Py_ssize_t size = PySequence_Size(sequence);
  for (Py_ssize_t at = 0; at < size; at++) {
    PyObject* item = PySequence_GetItem(sequence, at);
    Wide value = 0;
    const bool is_read = item != nullptr && read(item, value);
    Py_XDECREF(item);
    if (!is_read) return false;
    values.push_back(Number(value));
  }
  return size >= 0;
}

template <typename Mask>
bool make(PyObject* const (&tables)[4], Py_ssize_t memory, std::unique_ptr<Searches<Mask>>& made) {
  Layout<Mask> layout;
  if (!read(tables[0], layout.smooth_takes_smooth) || !read(tables[1], layout.smooth_takes_column) ||
      !read(tables[2], layout.column_takes_column) || !read(tables[3], layout.column_takes_smooth)) {
    return false;
  }
  try {
    made = std::make_unique<Searches<Mask>>(std::move(layout), size_t(memory));
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
    return false;
  }
  return true;
}

PyObject* create(PyTypeObject* type, PyObject* arguments, PyObject*) {
  PyObject* tables[4];
  Py_ssize_t memory;
  if (!PyArg_ParseTuple(arguments, "OOOOn", &tables[0], &tables[1], &tables[2], &tables[3],
                        &memory)) {
    return nullptr;
  }
  const Py_ssize_t smooth = PySequence_Size(tables[0]), columns = PySequence_Size(tables[2]);
  if (smooth < 0 || columns < 0) return nullptr;
  if (smooth > 128 || columns > kMostMultipliers || PySequence_Size(tables[1]) != smooth ||
      PySequence_Size(tables[3]) != columns) {
    PyErr_SetString(PyExc_ValueError, "The kernel has no room for tables of this size.");
    return nullptr;
  }
  auto* allocate = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
  PyObject* self = allocate(type, 0);
  if (self == nullptr) return nullptr;
  auto* object = reinterpret_cast<Object*>(self);
  new (&object->narrow) std::unique_ptr<Searches<uint64_t>>;
  new (&object->wide) std::unique_ptr<Searches<Wide>>;
  const bool is_made = smooth <= 64 ? make(tables, memory, object->narrow)
                                    : make(tables, memory, object->wide);
  if (is_made) return self;
  Py_DECREF(self);
  return nullptr;
}

void destroy(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  auto* object = reinterpret_cast<Object*>(self);
  object->narrow.~unique_ptr();
  object->wide.~unique_ptr();
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

// Read a position, and search it with the game's own type of mask while Python does other things.
// Returns false, with the exception set, if that fails.
template <typename Search>
bool search(PyObject* self, PyObject* smooth_number, PyObject* sequence, Search with) {
  Wide smooth;
  std::vector<uint32_t> patterns;
  if (!read(smooth_number, smooth) || !read(sequence, patterns)) return false;
  auto* object = reinterpret_cast<Object*>(self);
  if (!(object->narrow ? object->narrow->nimbers.board.holds(smooth, patterns)
                       : object->wide->nimbers.board.holds(smooth, patterns))) {
    PyErr_SetString(PyExc_ValueError, "This position has numbers that the game does not have.");
    return false;
  }
  return unlocked([&] {
    if (object->narrow) {
      with(*object->narrow, object->narrow->nimbers.board.position(uint64_t(smooth), patterns));
    } else {
      with(*object->wide, object->wide->nimbers.board.position(smooth, patterns));
    }
  });
}

PyObject* nimber(PyObject* self, PyObject* arguments) {
  PyObject *smooth, *patterns, *tick;
  int threads;
  unsigned long long most;
  if (!PyArg_ParseTuple(arguments, "OOiKO", &smooth, &patterns, &threads, &most, &tick)) {
    return nullptr;
  }
  Watch watch(tick, most);
  std::pair<int, unsigned long long> found;
  const auto with = [&](auto& searches, const auto& position) {
    found = searches.nimbers.nimber(position, threads,
                                    [&watch](uint64_t positions) { watch.look(positions); });
  };
  return search(self, smooth, patterns, with) ? Py_BuildValue("iK", found.first, found.second)
                                              : nullptr;
}

PyObject* is_zero(PyObject* self, PyObject* arguments) {
  PyObject *smooth, *patterns, *tick;
  unsigned long long most;
  if (!PyArg_ParseTuple(arguments, "OOKO", &smooth, &patterns, &most, &tick)) return nullptr;
  Watch watch(tick, most);
  std::pair<bool, unsigned long long> found;
  const auto with = [&](auto& searches, const auto& position) {
    found =
        searches.outcomes.is(position, 0, [&watch](uint64_t positions) { watch.look(positions); });
  };
  return search(self, smooth, patterns, with)
             ? Py_BuildValue("OK", found.first ? Py_True : Py_False, found.second)
             : nullptr;
}

PyMethodDef methods[] = {
    {"nimber", nimber, METH_VARARGS, "The nimber of a position, and the positions worked out."},
    {"is_zero", is_zero, METH_VARARGS, "Whether the nimber is 0, and the positions looked at."},
    {nullptr, nullptr, 0, nullptr},
};

PyType_Slot slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(create)},
    {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
    {Py_tp_methods, methods},
    {0, nullptr},
};

PyType_Spec spec = {"divisorduel.solve.native._kernel.Nimbers", sizeof(Object), 0, Py_TPFLAGS_DEFAULT,
                    slots};

}  // namespace

int add_nimbers(PyObject* module) {
  PyObject* type = PyType_FromSpec(&spec);
  if (type == nullptr) return -1;
  const int status = PyModule_AddObjectRef(module, "Nimbers", type);
  Py_DECREF(type);
  return status;
}
