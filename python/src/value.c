// Values that come and go: vectors, quaternions, bounds, texts and paths.
#include "module.h"

#include <string.h>

// Takes `count` numbers from any sequence of as many.
static int take_numbers(PyObject *source, double *out, Py_ssize_t count, const char *what) {
    PyObject *numbers = PyTuple_Check(source) ? Py_NewRef(source) : PySequence_Tuple(source);
    if (numbers == NULL) { return 0; }
    int is_done = PyTuple_Size(numbers) == count;
    if (!is_done) { error_argument("%s has %zd numbers, not %zd", what, count, PyTuple_Size(numbers)); }
    for (Py_ssize_t i = 0; is_done && i < count; i++) {
        out[i] = PyFloat_AsDouble(PyTuple_GetItem(numbers, i));
        is_done = !(out[i] == -1.0 && PyErr_Occurred());
    }
    Py_DECREF(numbers);
    return is_done;
}

int take_vec3(PyObject *source, void *out) { return take_numbers(source, out, 3, "a vector"); }
int take_vec2(PyObject *source, void *out) { return take_numbers(source, out, 2, "a vector of the plane"); }
int take_quat(PyObject *source, void *out) { return take_numbers(source, out, 4, "a quaternion (w, x, y, z)"); }

int take_bounds(PyObject *source, void *out) {
    fr_bounds *bounds = out;
    PyObject *corners = PySequence_Tuple(source);
    if (corners == NULL) { return 0; }
    int is_done = PyTuple_Size(corners) == 2;
    if (!is_done) { error_argument("bounds are two corners, low and high"); }
    is_done = is_done && take_vec3(PyTuple_GetItem(corners, 0), &bounds->min) &&
              take_vec3(PyTuple_GetItem(corners, 1), &bounds->max);
    Py_DECREF(corners);
    return is_done;
}

int take_path(PyObject *source, void *out) { return PyUnicode_FSConverter(source, out); }

PyObject *give_vec3(fr_vec3 v) { return Py_BuildValue("(ddd)", v.x, v.y, v.z); }
PyObject *give_quat(fr_quat q) { return Py_BuildValue("(dddd)", q.w, q.x, q.y, q.z); }

PyObject *give_bounds(const fr_bounds *bounds) {
    return Py_BuildValue("(NN)", give_vec3(bounds->min), give_vec3(bounds->max));
}

PyObject *give_text(const char *text) {
    if (text == NULL) { return Py_NewRef(Py_None); }
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}
