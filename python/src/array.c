// Array: memory of the library as Python sees it, through the buffer protocol and without a copy.
#include "module.h"

#include <string.h>

PyTypeObject *array_type;

// A flat array, rows of numbers, or records. Views keep what owns the memory alive.
typedef struct array {
    PyObject_HEAD PyObject *owner; // of the memory; NULL: `own`
    void *own;
    char *data;
    const record *of;   // NULL: numbers
    field element;      // of one number, or of a column of records
    const char *format; // of the buffer protocol
    Py_ssize_t item_bytes;
    int dimensions;
    Py_ssize_t shape[2], strides[2];
} array;

static array *as_array(PyObject *object) { return (array *)(void *)object; }

// What the buffer protocol calls the kinds of fields that are one number or several of a kind.
static const struct number_kind {
    char kind;
    const char *format;
    Py_ssize_t bytes;
    int columns;
} number_kinds[] = {{'d', "d", 8, 1}, {'N', "d", 8, 1}, {'f', "f", 4, 1}, {'I', "I", 4, 1}, {'U', "I", 4, 1},
                    {'E', "I", 4, 1}, {'i', "i", 4, 1}, {'Q', "Q", 8, 1}, {'b', "?", 1, 1}, {'V', "d", 8, 3},
                    {'W', "d", 8, 2}, {'q', "d", 8, 4}, {'B', "d", 8, 6}, {'P', "d", 8, 8}, {'O', "I", 4, 3},
                    {'C', "B", 1, 4}, {'H', "H", 2, 1}, {'y', "B", 1, 1}, {0, NULL, 0, 0}};

static const struct number_kind *kind_of(char kind) {
    const struct number_kind *one = number_kinds;
    while (one->kind != 0 && one->kind != kind) {
        one++;
    }
    return one;
}

static array *make(PyObject *owner, const void *data, size_t rows, Py_ssize_t row_bytes, bool is_copied) {
    void *own = NULL;
    if (is_copied) {
        own = PyMem_Calloc(rows > 0 ? rows : 1, row_bytes > 0 ? (size_t)row_bytes : 1);
        if (own == NULL) { return (array *)(void *)PyErr_NoMemory(); }
        if (data != NULL && rows > 0) { memcpy(own, data, rows * (size_t)row_bytes); }
    }
    array *self = PyObject_New(array, array_type);
    if (self == NULL) {
        PyMem_Free(own);
        return NULL;
    }
    union {
        const void *shared;
        char *bytes;
    } same = {data};
    self->owner = Py_XNewRef(owner);
    self->own = own;
    self->data = is_copied ? own : same.bytes;
    self->of = NULL;
    memset(&self->element, 0, sizeof self->element);
    self->shape[0] = (Py_ssize_t)rows;
    self->strides[0] = row_bytes;
    return self;
}

// Lets an array be one of numbers of a kind.
static void set_numbers(array *self, char kind, int columns) {
    const struct number_kind *number = kind_of(kind);
    self->element.kind = kind;
    self->format = number->format;
    self->item_bytes = number->bytes;
    self->dimensions = columns > 1 ? 2 : 1;
    self->shape[1] = columns;
    self->strides[1] = number->bytes;
}

static PyObject *make_numbers(PyObject *owner, const void *data, char code, size_t rows, int columns, bool is_copied) {
    array *self = make(owner, data, rows, columns * kind_of(code)->bytes, is_copied);
    if (self != NULL) { set_numbers(self, code, columns); }
    return (PyObject *)self;
}

static PyObject *make_records(PyObject *owner, const void *data, const record *r, size_t rows, bool is_copied) {
    array *self = make(owner, data, rows, (Py_ssize_t)r->bytes, is_copied);
    if (self != NULL) {
        self->of = r;
        self->format = r->format;
        self->item_bytes = (Py_ssize_t)r->bytes;
        self->dimensions = 1;
    }
    return (PyObject *)self;
}

PyObject *array_view(PyObject *owner, const void *data, char code, size_t rows, int columns) {
    return make_numbers(owner, data, code, rows, columns, false);
}

PyObject *array_records(PyObject *owner, const void *data, const record *r, size_t rows) {
    return make_records(owner, data, r, rows, false);
}

PyObject *array_new(const void *data, char code, size_t rows, int columns) {
    return make_numbers(NULL, data, code, rows, columns, true);
}

PyObject *array_new_records(const void *data, const record *r, size_t rows) {
    return make_records(NULL, data, r, rows, true);
}

void *array_data(PyObject *object) { return as_array(object)->data; }

// ---------------------------------------------------------------------------------------------------------------
// What Python does with one

static void array_dealloc(PyObject *object) {
    PyTypeObject *type = Py_TYPE(object);
    Py_XDECREF(as_array(object)->owner);
    PyMem_Free(as_array(object)->own);
    PyObject_Free(object);
    Py_DECREF(type);
}

static int array_getbuffer(PyObject *object, Py_buffer *view, int flags) {
    array *self = as_array(object);
    bool is_dense = self->strides[0] == (self->dimensions == 2 ? self->shape[1] : 1) * self->item_bytes;
    if ((flags & PyBUF_WRITABLE) == PyBUF_WRITABLE || (!is_dense && (flags & PyBUF_STRIDES) != PyBUF_STRIDES)) {
        PyErr_SetString(PyExc_BufferError, "a fureai.Array is read only, and a column of records has strides");
        view->obj = NULL;
        return -1;
    }
    union {
        const char *constant;
        char *text;
    } format = {self->format};
    view->obj = Py_NewRef(object);
    view->buf = self->data;
    view->itemsize = self->item_bytes;
    view->readonly = 1;
    view->ndim = self->dimensions;
    view->len = self->shape[0] * (self->dimensions == 2 ? self->shape[1] : 1) * self->item_bytes;
    view->format = (flags & PyBUF_FORMAT) == PyBUF_FORMAT ? format.text : NULL;
    view->shape = (flags & PyBUF_ND) == PyBUF_ND ? self->shape : NULL;
    view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? self->strides : NULL;
    view->suboffsets = NULL;
    view->internal = NULL;
    return 0;
}

static Py_ssize_t array_length(PyObject *object) { return as_array(object)->shape[0]; }

static PyObject *array_item(PyObject *object, Py_ssize_t index) {
    array *self = as_array(object);
    if (index < 0 || index >= self->shape[0]) {
        PyErr_SetString(PyExc_IndexError, "the array is shorter");
        return NULL;
    }
    const char *row = self->data + index * self->strides[0];
    if (self->of != NULL) { return record_make(self->of, row); }
    if (self->dimensions == 1) { return field_get(&self->element, row); }
    PyObject *numbers = PyTuple_New(self->shape[1]);
    field one = {"", kind_of(self->element.kind)->format[0], 0, NULL};
    if (one.kind == '?') { one.kind = 'b'; }
    for (Py_ssize_t k = 0; numbers != NULL && k < self->shape[1]; k++) {
        PyObject *value = field_get(&one, row + k * self->strides[1]);
        if (value == NULL || PyTuple_SetItem(numbers, k, value) != 0) { Py_CLEAR(numbers); }
    }
    return numbers;
}

// A part of the same memory.
static array *make_part(PyObject *object, char *data, Py_ssize_t rows, Py_ssize_t stride) {
    array *self = as_array(object);
    array *part = make(self->owner != NULL ? self->owner : object, data, (size_t)rows, stride, false);
    if (part == NULL) { return NULL; }
    part->of = self->of;
    part->element = self->element;
    part->format = self->format;
    part->item_bytes = self->item_bytes;
    part->dimensions = self->dimensions;
    part->shape[1] = self->shape[1];
    part->strides[1] = self->strides[1];
    return part;
}

// The column of a name.
static PyObject *column(PyObject *object, PyObject *name) {
    array *self = as_array(object);
    const field *found = self->of != NULL ? self->of->fields : NULL;
    while (found != NULL && found->name != NULL && PyUnicode_CompareWithASCIIString(name, found->name) != 0) {
        found++;
    }
    if (found == NULL || found->name == NULL || kind_of(found->kind)->kind == 0) {
        PyErr_Format(PyExc_KeyError, "the array has no column %R", name);
        return NULL;
    }
    array *part = make_part(object, self->data + found->offset, self->shape[0], self->strides[0]);
    if (part == NULL) { return NULL; }
    part->of = NULL;
    set_numbers(part, found->kind, kind_of(found->kind)->columns);
    part->element = *found;
    part->element.offset = 0;
    return (PyObject *)part;
}

static PyObject *array_subscript(PyObject *object, PyObject *key) {
    array *self = as_array(object);
    if (PyUnicode_Check(key)) { return column(object, key); }
    if (PySlice_Check(key)) {
        Py_ssize_t start, end, step;
        if (PySlice_Unpack(key, &start, &end, &step) != 0) { return NULL; }
        Py_ssize_t count = PySlice_AdjustIndices(self->shape[0], &start, &end, step);
        return (PyObject *)make_part(object, self->data + start * self->strides[0], count, step * self->strides[0]);
    }
    Py_ssize_t index = PyNumber_AsSsize_t(key, PyExc_IndexError);
    if (index == -1 && PyErr_Occurred()) { return NULL; }
    return array_item(object, index < 0 ? index + self->shape[0] : index);
}

static PyObject *array_to_list(PyObject *object, PyObject *unused) {
    (void)unused;
    return PySequence_List(object);
}

static PyObject *array_repr(PyObject *object) {
    array *self = as_array(object);
    if (self->of != NULL) { return PyUnicode_FromFormat("<fureai.Array of %zd %s>", self->shape[0], self->of->name); }
    if (self->dimensions == 1) {
        return PyUnicode_FromFormat("<fureai.Array of %zd '%s'>", self->shape[0], self->format);
    }
    return PyUnicode_FromFormat("<fureai.Array of %zd x %zd '%s'>", self->shape[0], self->shape[1], self->format);
}

static PyObject *array_shape(PyObject *object, void *unused) {
    (void)unused;
    array *self = as_array(object);
    return self->dimensions == 2 ? Py_BuildValue("(nn)", self->shape[0], self->shape[1])
                                 : Py_BuildValue("(n)", self->shape[0]);
}

static PyObject *array_format(PyObject *object, void *unused) {
    (void)unused;
    return PyUnicode_FromString(as_array(object)->format);
}

bool array_add(PyObject *module) {
    static PyMethodDef methods[] = {
        {"tolist", array_to_list, METH_NOARGS, "tolist($self, /)\n--\n\nAll rows as a list of numbers or tuples."},
        {NULL, NULL, 0, NULL}};
    static PyGetSetDef values[] = {
        {"shape", array_shape, NULL, "Rows, and numbers of a row where there are several.", NULL},
        {"format", array_format, NULL, "Type of an item, as the buffer protocol writes it.", NULL},
        {NULL, NULL, NULL, NULL, NULL}};
    static PyType_Slot slots[] = {
        {Py_tp_doc, "Numbers or records in memory of the library: read only, without a copy.\n\n"
                    "memoryview(array) and numpy.asarray(array) see the same memory, which lives as long as they do. "
                    "By itself an\n"
                    "array has a length, rows by number or slice, and of records columns by name: pairs[\"time\"]."},
        {Py_tp_dealloc, array_dealloc},
        {Py_tp_init, handle_refuse},
        {Py_tp_repr, array_repr},
        {Py_tp_methods, methods},
        {Py_tp_getset, values},
        {Py_bf_getbuffer, array_getbuffer},
        {Py_sq_length, array_length},
        {Py_sq_item, array_item},
        {Py_mp_length, array_length},
        {Py_mp_subscript, array_subscript},
        {0, NULL}};
    static PyType_Spec spec = {"fureai.Array", sizeof(array), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                               slots};
    return module_add_type(module, &spec, &array_type);
}
