// Structs of the library as named tuples and as structured types of the buffer protocol, and structs filled from
// keyword arguments: both by tables of fields.
#include "module.h"

#include <stdio.h>
#include <string.h>

#define AT(type) (*(const type *)(const void *)at)

PyObject *field_get(const field *f, const void *data) {
    const char *at = (const char *)data + f->offset;
    switch (f->kind) {
    case 'd': return PyFloat_FromDouble(AT(double));
    case 'N': return fr_is_unknown(AT(double)) ? Py_NewRef(Py_None) : PyFloat_FromDouble(AT(double));
    case 'f': return PyFloat_FromDouble((double)AT(float));
    case 'I': return PyLong_FromUnsignedLong(AT(uint32_t));
    case 'H': return PyLong_FromUnsignedLong(AT(uint16_t));
    case 'y': return PyLong_FromUnsignedLong(AT(uint8_t));
    case 'U': return AT(uint32_t) == FR_NONE ? Py_NewRef(Py_None) : PyLong_FromUnsignedLong(AT(uint32_t));
    case 'i': return PyLong_FromLong(AT(int32_t));
    case 'Q': return PyLong_FromUnsignedLongLong(AT(uint64_t));
    case 'b': return PyBool_FromLong(AT(bool));
    case 'V': return give_vec3(AT(fr_vec3));
    case 'W': return Py_BuildValue("(dd)", AT(fr_vec2).x, AT(fr_vec2).y);
    case 'q': return give_quat(AT(fr_quat));
    case 'P': return give_pose(&AT(fr_pose));
    case 'm': return give_motion(&AT(fr_motion));
    case 'B': return give_bounds(&AT(fr_bounds));
    case 'C': return Py_BuildValue("(BBBB)", AT(fr_color).r, AT(fr_color).g, AT(fr_color).b, AT(fr_color).a);
    case 'M':
        return Py_BuildValue("(NNN)", give_vec3(AT(fr_mat3).row[0]), give_vec3(AT(fr_mat3).row[1]),
                             give_vec3(AT(fr_mat3).row[2]));
    case 's': return give_text(AT(const char *));
    case 't': return give_text(at); // an array of letters inside the struct
    case 'O': {
        fr_object_id id = AT(fr_object_id);
        return id.index1 == 0 ? Py_NewRef(Py_None) : Py_BuildValue("(III)", id.index1, id.generation, id.space);
    }
    case 'E':
        for (uint32_t i = 0; f->names != NULL && f->names[i] != NULL; i++) {
            if (i == AT(uint32_t)) { return PyUnicode_FromString(f->names[i]); }
        }
        return PyLong_FromUnsignedLong(AT(uint32_t));
    default: PyErr_Format(PyExc_SystemError, "a field of kind %c", f->kind); return NULL;
    }
}

PyObject *record_make(const record *r, const void *data) {
    PyObject *self = PyStructSequence_New(r->type);
    for (Py_ssize_t i = 0; self != NULL && r->fields[i].name != NULL; i++) {
        PyObject *value = field_get(&r->fields[i], data);
        if (value == NULL) {
            Py_DECREF(self);
            return NULL;
        }
        PyStructSequence_SetItem(self, i, value);
    }
    return self;
}

// What the buffer protocol calls a kind, and its size; NULL: a record with such a field has no arrays.
static const char *format_of(char kind, size_t *bytes) {
    static const struct {
        char kind;
        const char *format;
        size_t bytes;
    } formats[] = {{'d', "d", 8},     {'N', "d", 8},     {'f', "f", 4},     {'I', "I", 4},       {'U', "I", 4},
                   {'E', "I", 4},     {'i', "i", 4},     {'Q', "Q", 8},     {'b', "?", 1},       {'V', "(3)d", 24},
                   {'W', "(2)d", 16}, {'q', "(4)d", 32}, {'B', "(6)d", 48}, {'O', "(3)I", 12},   {'C', "(4)B", 4},
                   {'H', "H", 2},     {'y', "B", 1},     {'P', "(8)d", 64}, {'m', "(17)d", 136}, {'M', "(9)d", 72}};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (formats[i].kind == kind) {
            *bytes = formats[i].bytes;
            return formats[i].format;
        }
    }
    return NULL;
}

// The structured type with every byte named: "T{=I:a:=I:b:4x}". Fields stand in the order of their offsets.
static bool make_format(record *r) {
    size_t room = 64;
    for (const field *f = r->fields; f->name != NULL; f++) {
        room += strlen(f->name) + 32;
    }
    r->format = PyMem_Malloc(room);
    if (r->format == NULL) { return PyErr_NoMemory() != NULL; }
    size_t used = (size_t)snprintf(r->format, room, "T{"), offset = 0, bytes = 0;
    for (const field *f = r->fields; f->name != NULL; f++) {
        const char *format = format_of(f->kind, &bytes);
        if (format == NULL || f->offset < offset) { break; }
        if (f->offset > offset) { used += (size_t)snprintf(r->format + used, room - used, "%zux", f->offset - offset); }
        // The order of bytes stands before the letter and behind the shape.
        const char *letter = format + (*format == '(' ? strchr(format, ')') - format + 1 : 0);
        used += (size_t)snprintf(r->format + used, room - used, "%.*s=%s:%s:", (int)(letter - format), format, letter,
                                 f->name);
        offset = f->offset + bytes;
    }
    if (offset < r->bytes) { used += (size_t)snprintf(r->format + used, room - used, "%zux", r->bytes - offset); }
    snprintf(r->format + used, room - used, "}");
    return true;
}

bool record_add(PyObject *module, record *r) {
    int count = 0;
    while (r->fields[count].name != NULL) {
        count++;
    }
    PyStructSequence_Field *names = PyMem_Calloc((size_t)count + 1, sizeof *names);
    if (names == NULL) { return PyErr_NoMemory() != NULL; }
    for (int i = 0; i < count; i++) {
        names[i].name = r->fields[i].name;
    }
    PyStructSequence_Desc description = {r->name, r->doc, names, count};
    r->type = PyStructSequence_NewType(&description);
    PyMem_Free(names);
    return r->type != NULL && make_format(r) && PyModule_AddType(module, r->type) == 0;
}

bool named_add(PyObject *module, named *n) {
    PyStructSequence_Field fields[32] = {{NULL, NULL}};
    int count = 0;
    while (n->fields[count] != NULL && count < 31) {
        fields[count].name = n->fields[count];
        count++;
    }
    PyStructSequence_Desc description = {n->name, n->doc, fields, count};
    n->type = PyStructSequence_NewType(&description);
    return n->type != NULL && PyModule_AddType(module, n->type) == 0;
}

PyObject *named_make(const named *n, PyObject **values) {
    PyObject *self = PyStructSequence_New(n->type);
    bool is_whole = self != NULL;
    for (Py_ssize_t i = 0; n->fields[i] != NULL; i++) {
        is_whole = is_whole && values[i] != NULL;
        if (self != NULL) {
            PyStructSequence_SetItem(self, i, values[i]);
        } else {
            Py_XDECREF(values[i]);
        }
    }
    if (!is_whole) { Py_CLEAR(self); }
    return self;
}

// ---------------------------------------------------------------------------------------------------------------
// Options

int enum_value(PyObject *text, const char *const *names, const char *what) {
    const char *typed = PyUnicode_Check(text) ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
    if (typed == NULL) {
        if (!PyErr_Occurred()) { PyErr_Format(PyExc_TypeError, "%s: a text is needed, not %R", what, Py_TYPE(text)); }
        return -1;
    }
    fr_suggestion near = fr_suggestion_begin(typed);
    for (int i = 0; names[i] != NULL; i++) {
        if (strcmp(names[i], typed) == 0) { return i; }
        fr_suggestion_offer(&near, names[i]);
    }
    error_argument(near.best != NULL ? "%s: there is no '%s'; did you mean '%s'?" : "%s: there is no '%s'", what, typed,
                   near.best);
    return -1;
}

static bool set_unsigned(PyObject *value, unsigned long long limit, unsigned long long *out, const char *name) {
    PyObject *whole = PyNumber_Index(value);
    if (whole == NULL) { return false; }
    *out = PyLong_AsUnsignedLongLong(whole);
    Py_DECREF(whole);
    if (PyErr_Occurred() || *out > limit) {
        PyErr_Clear();
        error_argument("%s: %R is outside 0 .. %llu", name, value, limit);
        return false;
    }
    return true;
}

#undef AT
#define AT(type) (*(type *)(void *)at)

static bool option_set(call *c, const field *f, PyObject *value, void *input) {
    char *at = (char *)input + f->offset;
    unsigned long long whole = 0;
    switch (f->kind) {
    case 'd': AT(double) = PyFloat_AsDouble(value); return !PyErr_Occurred();
    case 'N': AT(double) = value == Py_None ? FR_UNKNOWN : PyFloat_AsDouble(value); return !PyErr_Occurred();
    case 'f': AT(float) = (float)PyFloat_AsDouble(value); return !PyErr_Occurred();
    case 'I':
        if (!set_unsigned(value, UINT32_MAX, &whole, f->name)) { return false; }
        AT(uint32_t) = (uint32_t)whole;
        return true;
    case 'i': AT(int32_t) = (int32_t)PyLong_AsLong(value); return !PyErr_Occurred();
    case 'Q':
        if (!set_unsigned(value, UINT64_MAX, &whole, f->name)) { return false; }
        AT(uint64_t) = whole;
        return true;
    case 'b': {
        int is_true = PyObject_IsTrue(value);
        AT(bool) = is_true > 0;
        return is_true >= 0;
    }
    case 'V': return take_vec3(value, at) != 0;
    case 'W': return take_vec2(value, at) != 0;
    case 'q': return take_quat(value, at) != 0;
    case 'P': return take_pose(value, at) != 0;
    case 'm': return take_motion(value, at) != 0;
    case 'B': return take_bounds(value, at) != 0;
    case 'O': return take_object_id(value, at) != 0;
    case 's':
        AT(const char *) = PyUnicode_Check(value) ? PyUnicode_AsUTF8AndSize(value, NULL) : NULL;
        if (AT(const char *) == NULL && !PyErr_Occurred()) {
            PyErr_Format(PyExc_TypeError, "%s: a text is needed", f->name);
        }
        return AT(const char *) != NULL;
    case 'E': {
        int number = enum_value(value, f->names, f->name);
        if (number >= 0) { AT(uint32_t) = (uint32_t)number; }
        return number >= 0;
    }
    case 'T':
        AT(const fr_tasks *) = NULL;
        if (value == Py_None) { return true; }
        if (call_hold(c, value, task_pool_type, false) == NULL) { return false; }
        AT(const fr_tasks *) = task_pool_tasks(value);
        return true;
    case 'X': AT(PyObject *) = value; return true;
    case 'F': c->filter = value == Py_None ? NULL : value; return true;
    default: PyErr_Format(PyExc_SystemError, "an option of kind %c", f->kind); return false;
    }
}

bool options_fill(call *c, PyObject *keywords, const field *fields, void *input) {
    PyObject *key = NULL, *value = NULL;
    Py_ssize_t place = 0;
    while (keywords != NULL && PyDict_Next(keywords, &place, &key, &value)) {
        const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
        if (name == NULL) { return false; }
        if (strcmp(name, "progress") == 0) {
            c->progress = value == Py_None ? NULL : value;
            continue;
        }
        fr_suggestion near = fr_suggestion_begin(name);
        const field *f = fields;
        while (f->name != NULL && strcmp(f->name, name) != 0) {
            fr_suggestion_offer(&near, f->name);
            f++;
        }
        if (f->name == NULL) {
            PyErr_Format(PyExc_TypeError,
                         near.best != NULL ? "there is no option '%s'; did you mean '%s'?" : "there is no option '%s'",
                         name, near.best);
            return false;
        }
        if (!option_set(c, f, value, input)) { return false; }
    }
    return true;
}
