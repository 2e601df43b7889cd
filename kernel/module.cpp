// The extension module divisorduel.solve.native._kernel.
#include "python.hpp"

static int exec_module(PyObject* module) {
  return add_matching(module) < 0 || add_nimbers(module) < 0 ? -1 : 0;
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, reinterpret_cast<void*>(exec_module)},
    {0, nullptr},
};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    "_kernel",
    "Native solvers. Their sources are in the folder kernel.",
    0,
    nullptr,
    slots,
    nullptr,
    nullptr,
    nullptr,
};

PyMODINIT_FUNC PyInit__kernel() { return PyModuleDef_Init(&definition); }
