// The module divisorduel.solve.native._kernel: the searches that are worth doing natively.
#include "python.hpp"

static int fill(PyObject* module) {
  return add_matching(module) < 0 || add_nimbers(module) < 0 ? -1 : 0;
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, reinterpret_cast<void*>(fill)},
    {0, nullptr},
};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_kernel", "Native searches; see the folder kernel.", 0, nullptr, slots,
    nullptr, nullptr, nullptr,
};

PyMODINIT_FUNC PyInit__kernel() { return PyModuleDef_Init(&definition); }
