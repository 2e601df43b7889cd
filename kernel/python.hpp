// What all bindings need from Python.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <chrono>
#include <cstdint>
#include <new>

// Thrown to end a search early, after setting the Python exception.
struct Interrupted {};

// Reports to Python while a search runs without the GIL. Every few milliseconds, and as soon as
// there are `max_positions` positions, it calls `tick` with the number of positions and handles
// signals. An exception in either of them ends the search.
class ProgressMonitor {
 public:
  explicit ProgressMonitor(PyObject* tick, uint64_t max_positions = UINT64_MAX)
      : tick_(tick), max_positions_(max_positions), next_poll_(Clock::now() + kInterval) {}

  void poll(uint64_t positions) {
    if (positions < max_positions_ && Clock::now() < next_poll_) return;
    next_poll_ = Clock::now() + kInterval;
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject* answer =
        PyErr_CheckSignals() ? nullptr : PyObject_CallFunction(tick_, "K", positions);
    Py_XDECREF(answer);
    PyGILState_Release(state);
    if (answer == nullptr) throw Interrupted{};
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kInterval{20};
  PyObject* const tick_;
  const uint64_t max_positions_;
  Clock::time_point next_poll_;
};

// Run a search without the GIL. Return false, with the Python exception set, if it was interrupted
// or ran out of memory.
template <typename Search>
bool run_without_gil(Search search) {
  bool out_of_memory = false, interrupted = false;
  Py_BEGIN_ALLOW_THREADS
  try {
    search();
  } catch (const Interrupted&) {
    interrupted = true;
  } catch (const std::bad_alloc&) {
    out_of_memory = true;
  }
  Py_END_ALLOW_THREADS
  if (out_of_memory) PyErr_NoMemory();
  return !interrupted && !out_of_memory;
}

// Add types or functions to the module. Return -1 with the Python exception set on failure.
int add_matching(PyObject* module);
int add_nimbers(PyObject* module);
