// Arrays that come as arguments: the caller's own memory where its type and layout allow, else a converted copy.
#include "module.h"

#include <string.h>

// The size of a number of the buffer protocol's formats that are taken; 0: not taken.
static size_t code_bytes(char code) {
    switch (code) {
    case 'b':
    case 'B': return 1;
    case 'h':
    case 'H': return 2;
    case 'i':
    case 'I':
    case 'f': return 4;
    case 'l':
    case 'L': return sizeof(long);
    case 'q':
    case 'Q':
    case 'd': return 8;
    default: return 0;
    }
}

// The code of a format of one number in the machine's order; 0: none.
static char code_of(const Py_buffer *view) {
    const char *format = view->format != NULL ? view->format : "B";
    const uint16_t one = 1;
    bool is_little = *(const unsigned char *)&one == 1;
    if (*format == '@' || *format == '=' || (*format == '<' && is_little) || (*format == '>' && !is_little)) {
        // Standard sizes: l and L have 4 bytes there.
        if (*format++ != '@' && (*format == 'l' || *format == 'L') && view->itemsize == 4) {
            return format[1] == '\0' ? (*format == 'l' ? 'i' : 'I') : '\0';
        }
    }
    if (format[0] == '\0' || format[1] != '\0' || (size_t)view->itemsize != code_bytes(format[0])) { return '\0'; }
    if (view->itemsize == 4 && (format[0] == 'L' || format[0] == 'I')) { return 'I'; }
    return format[0];
}

static bool is_real(char code) { return code == 'f' || code == 'd'; }

// Reads the number at `data` as a double, exact for all that are indices.
static double read_number(const char *data, char code) {
#define READ(c, type)                                                                                                  \
    case c: {                                                                                                          \
        type value;                                                                                                    \
        memcpy(&value, data, sizeof value);                                                                            \
        return (double)value;                                                                                          \
    }
    switch (code) {
        READ('b', signed char)
        READ('B', unsigned char)
        READ('h', short)
        READ('H', unsigned short)
        READ('i', int)
        READ('I', unsigned)
        READ('l', long)
        READ('L', unsigned long)
        READ('q', long long)
        READ('Q', unsigned long long)
        READ('f', float)
        READ('d', double)
    default: return 0.0;
    }
#undef READ
}

// Writes a number at an index of a copy; false with an exception where an index is none.
static bool write_number(array_input *array, size_t index, double value, const char *name) {
    if (array->code == 'f') {
        ((float *)array->copy)[index] = (float)value;
    } else if (array->code == 'd') {
        ((double *)array->copy)[index] = value;
    } else if (!(value >= 0.0 && value <= (double)UINT32_MAX)) {
        return error_argument("%s: number %zu is no index of 0 .. 2^32 - 1", name, index) != NULL;
    } else {
        ((uint32_t *)array->copy)[index] = (uint32_t)value;
    }
    return true;
}

static bool make_copy(array_input *array, size_t numbers) {
    array->copy = PyMem_Malloc(numbers > 0 ? numbers * code_bytes(array->code) : 1);
    if (array->copy == NULL) { PyErr_NoMemory(); }
    array->data = array->copy;
    return array->copy != NULL;
}

// The rows of a view of one or two dimensions; false with an exception.
static bool count_rows(array_input *array, int columns, const char *name) {
    const Py_buffer *view = &array->view;
    if (view->ndim == 2 && view->shape[1] == columns) {
        array->rows = (size_t)view->shape[0];
        return true;
    }
    if (view->ndim == 1 && view->shape[0] % columns == 0) {
        array->rows = (size_t)(view->shape[0] / columns);
        return true;
    }
    if (view->ndim == 2) {
        error_argument("%s: an array of %zd x %zd; rows of %d numbers are needed", name, view->shape[0], view->shape[1],
                       columns);
    } else if (view->ndim == 1) {
        error_argument("%s: a flat array of %zd numbers, which is no multiple of %d", name, view->shape[0], columns);
    } else {
        error_argument("%s: an array of %d dimensions; one or two are taken", name, view->ndim);
    }
    return false;
}

// Copies a view number by number, as its strides say.
static bool copy_view(array_input *array, char code, int columns, const char *name) {
    if (!make_copy(array, array->rows * (size_t)columns)) { return false; }
    const Py_buffer *view = &array->view;
    Py_ssize_t row_stride = view->ndim == 2 ? view->strides[0] : columns * view->strides[0];
    Py_ssize_t stride = view->ndim == 2 ? view->strides[1] : view->strides[0];
    const char *data = view->buf;
    for (size_t i = 0; i < array->rows; i++) {
        for (int k = 0; k < columns; k++) {
            double value = read_number(data + (Py_ssize_t)i * row_stride + k * stride, code);
            if (!write_number(array, i * (size_t)columns + (size_t)k, value, name)) { return false; }
        }
    }
    PyBuffer_Release(&array->view);
    array->has_view = false;
    return true;
}

static bool take_view(array_input *array, char wanted, int columns, const char *name) {
    char code = code_of(&array->view);
    bool is_taken = code != '\0' && (wanted != 'I' || !is_real(code));
    if (!is_taken) {
        return error_argument("%s: numbers of the format '%s'; %s are needed", name,
                              array->view.format != NULL ? array->view.format : "B",
                              wanted == 'I' ? "whole numbers" : "floats, doubles or whole numbers") != NULL;
    }
    if (!count_rows(array, columns, name)) { return false; }
    array->code = wanted != 'p' ? wanted : code == 'f' ? 'f' : 'd';
    bool is_same = code == array->code && PyBuffer_IsContiguous(&array->view, 'C') &&
                   (uintptr_t)array->view.buf % code_bytes(code) == 0;
    if (!is_same) { return copy_view(array, code, columns, name); }
    array->data = array->view.buf;
    return true;
}

// Copies a sequence of rows, or of numbers where there is one column.
static bool take_sequence(array_input *array, PyObject *source, char wanted, int columns, const char *name) {
    PyObject *rows = PySequence_List(source);
    if (rows == NULL) { return false; }
    array->rows = (size_t)PyList_Size(rows);
    array->code = wanted == 'p' ? 'd' : wanted;
    bool is_done = make_copy(array, array->rows * (size_t)columns);
    for (size_t i = 0; is_done && i < array->rows; i++) {
        PyObject *row = PyList_GetItem(rows, (Py_ssize_t)i); // borrowed
        PyObject *numbers = columns == 1 ? PyTuple_Pack(1, row) : PySequence_Tuple(row);
        is_done = numbers != NULL;
        if (is_done && PyTuple_Size(numbers) != columns) {
            error_argument("%s: row %zu has %zd numbers, not %d", name, i, PyTuple_Size(numbers), columns);
            is_done = false;
        }
        for (int k = 0; is_done && k < columns; k++) {
            double value = PyFloat_AsDouble(PyTuple_GetItem(numbers, k));
            is_done = !PyErr_Occurred() && write_number(array, i * (size_t)columns + (size_t)k, value, name);
        }
        Py_XDECREF(numbers);
    }
    Py_DECREF(rows);
    return is_done;
}

const array_input *call_array(call *c, PyObject *source, char code, int columns, const char *name) {
    if (c->array_count == CALL_MAX_ARRAYS) { return error_argument("too many arrays in one call"), NULL; }
    array_input *array = &c->arrays[c->array_count++];
    memset(array, 0, sizeof *array);
    if (PyObject_CheckBuffer(source)) {
        if (PyObject_GetBuffer(source, &array->view, PyBUF_RECORDS_RO) != 0) { return NULL; }
        array->has_view = true;
        return take_view(array, code, columns, name) ? array : NULL;
    }
    return take_sequence(array, source, code, columns, name) ? array : NULL;
}
