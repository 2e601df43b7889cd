// What every type of the kernel needs of Python.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <chrono>
#include <cstdint>
#include <new>

// Thrown when a search is to end early; the Python exception is set.
struct Ended {};

// Lets Python look at a search that runs without the interpreter's lock: every few milliseconds,
// and when there have been `most` positions, `tick` hears how many there are, signals are handled,
// and an exception raised by either ends the search.
class Watch {
 public:
  explicit Watch(PyObject* tick, uint64_t most = UINT64_MAX)
      : tick_(tick), most_(most), next_(Clock::now() + kEvery) {}

  void look(uint64_t positions) {
    if (positions < most_ && Clock::now() < next_) return;
    next_ = Clock::now() + kEvery;
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject* answer = PyErr_CheckSignals() ? nullptr : PyObject_CallFunction(tick_, "K", positions);
    Py_XDECREF(answer);
    PyGILState_Release(state);
    if (answer == nullptr) throw Ended{};
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kEvery{20};
  PyObject* const tick_;
  const uint64_t most_;
  Clock::time_point next_;
};

// Run a search without the interpreter's lock. Returns false, with the exception set, if it ended
// early or memory ran out.
template <typename Search>
bool unlocked(Search search) {
  bool out_of_memory = false, ended = false;
  Py_BEGIN_ALLOW_THREADS
  try {
    search();
  } catch (const Ended&) {
    ended = true;
  } catch (const std::bad_alloc&) {
    out_of_memory = true;
  }
  Py_END_ALLOW_THREADS
  if (out_of_memory) PyErr_NoMemory();
  return !ended && !out_of_memory;
}

// Each adds its types or functions to the module; -1 with the exception set if that fails.
int add_matching(PyObject* module);
int add_nimbers(PyObject* module);
