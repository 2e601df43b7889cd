#include "python.hpp"

int add_nimbers(PyObject*) { return 0; }
