// Exceptions of the Python module: one class a status of the library, with the file, line and column of an error.
#include "module.h"

#include <stdarg.h>
#include <string.h>

PyObject *error_closed, *error_busy;
static PyObject *error_base;

// The class of each status, in the order of FR_STATUS_TABLE, and what else of Python's it is.
static struct error_class {
    const char *name, *doc;
    PyObject **also; // a class of Python's own; NULL: none
    PyObject *type;
} classes[FR_STATUS_COUNT] = {
    [FR_ERROR_MEMORY] = {"fureai.OutOfMemoryError", "There is no memory.", &PyExc_MemoryError, NULL},
    [FR_ERROR_ARGUMENT] = {"fureai.ArgumentError", "An argument is outside its limits.", &PyExc_ValueError, NULL},
    [FR_ERROR_NOT_FINITE] = {"fureai.NotFiniteError", "A number is not finite.", &PyExc_ValueError, NULL},
    [FR_ERROR_LIMIT] = {"fureai.LimitError", "A size or count is over its limit.", &PyExc_ValueError, NULL},
    [FR_ERROR_SYNTAX] = {"fureai.FormatError", "Text or bytes do not follow their format.", &PyExc_ValueError, NULL},
    [FR_ERROR_VERSION] = {"fureai.VersionError", "The data were made by another version.", &PyExc_ValueError, NULL},
    [FR_ERROR_CORRUPT] = {"fureai.CorruptError", "The data contradict themselves.", &PyExc_ValueError, NULL},
    [FR_ERROR_UNSUPPORTED] = {"fureai.UnsupportedError", "This kind of data is known but not handled.",
                              &PyExc_NotImplementedError, NULL},
    [FR_ERROR_STALE_ID] = {"fureai.StaleIdError", "The id names nothing that still exists.", &PyExc_LookupError, NULL},
    [FR_ERROR_STALE_DATA] = {"fureai.StaleDataError", "Derived data are older than their source: update first.",
                             &PyExc_RuntimeError, NULL},
    [FR_ERROR_BUSY] = {"fureai.BusyError", "What is to be changed is in use, by another thread or a callback.",
                       &PyExc_RuntimeError, NULL},
    [FR_ERROR_STOPPED] = {"fureai.StoppedError", "The call was stopped.", &PyExc_RuntimeError, NULL},
    [FR_ERROR_FILE] = {"fureai.FileError", "A file could not be opened, read or written.", &PyExc_OSError, NULL},
    [FR_ERROR_SYSTEM] = {"fureai.RefusedError", "The operating system refused.", &PyExc_OSError, NULL},
};

// Adds a class under the last part of its name.
static bool add_class(PyObject *module, const char *name, const char *doc, PyObject *also, PyObject **out) {
    PyObject *bases = also != NULL ? PyTuple_Pack(2, error_base, also) : PyTuple_Pack(1, error_base);
    if (bases == NULL) { return false; }
    *out = PyErr_NewExceptionWithDoc(name, doc, bases, NULL);
    Py_DECREF(bases);
    return *out != NULL && PyModule_AddObjectRef(module, name + strlen("fureai."), *out) == 0;
}

bool error_add(PyObject *module) {
    PyObject *fields =
        Py_BuildValue("{s:O,s:i,s:i,s:s}", "path", Py_None, "line", 0, "column", 0, "status", "FR_ERROR_ARGUMENT");
    if (fields == NULL) { return false; }
    error_base = PyErr_NewExceptionWithDoc("fureai.Error",
                                           "What the library refuses. `path`, `line` and `column` (from 1, 0 where "
                                           "there is none) are the place in a file,\n"
                                           "`status` is the name of the status in C.",
                                           NULL, fields);
    Py_DECREF(fields);
    if (error_base == NULL || PyModule_AddObjectRef(module, "Error", error_base) != 0) { return false; }
    for (int i = FR_OK + 1; i < FR_STATUS_COUNT; i++) {
        struct error_class *one = &classes[i];
        if (!add_class(module, one->name, one->doc, *one->also, &one->type)) { return false; }
    }
    error_busy = classes[FR_ERROR_BUSY].type;
    return add_class(module, "fureai.ClosedError", "The object was closed.", PyExc_ValueError, &error_closed);
}

PyObject *error_raise(fr_status status, const fr_error *error) {
    if (status <= FR_OK || status >= FR_STATUS_COUNT) { status = FR_ERROR_SYSTEM; }
    char text[FR_ERROR_MESSAGE_BYTES + FR_ERROR_PATH_BYTES + 32];
    fr_error blank = {.status = status};
    fr_error_format(error->status != FR_OK ? error : &blank, text, sizeof text);
    PyObject *message = give_text(text);
    if (message == NULL) { return NULL; }
    PyObject *type = classes[status].type;
    PyObject *exception = PyObject_CallFunctionObjArgs(type, message, NULL);
    Py_DECREF(message);
    if (exception == NULL) { return NULL; }

    PyObject *path = error->path[0] != '\0' ? PyUnicode_DecodeFSDefault(error->path) : Py_NewRef(Py_None);
    PyObject *line = PyLong_FromLong(error->line), *column = PyLong_FromLong(error->column);
    PyObject *name = PyUnicode_FromString(fr_status_name(status));
    if (path != NULL && line != NULL && column != NULL && name != NULL &&
        PyObject_SetAttrString(exception, "path", path) == 0 && PyObject_SetAttrString(exception, "line", line) == 0 &&
        PyObject_SetAttrString(exception, "column", column) == 0 &&
        PyObject_SetAttrString(exception, "status", name) == 0) {
        PyErr_SetObject(type, exception);
    }
    Py_XDECREF(path);
    Py_XDECREF(line);
    Py_XDECREF(column);
    Py_XDECREF(name);
    Py_DECREF(exception);
    return NULL;
}

PyObject *error_argument(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    PyErr_FormatV(classes[FR_ERROR_ARGUMENT].type, format, arguments);
    va_end(arguments);
    return NULL;
}
