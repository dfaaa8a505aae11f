// Objects that own a thing of the library: made, used, closed, and guarded against a second thread.
#include "module.h"

static handle *as_handle(PyObject *object) { return (handle *)(void *)object; }

PyObject *handle_make(PyTypeObject *type, void *thing, void (*destroy)(void *), PyObject *owner) {
    handle *self = (handle *)(void *)PyType_GenericAlloc(type, 0);
    if (self == NULL) {
        destroy(thing);
        return NULL;
    }
    self->thing = thing;
    self->destroy = destroy;
    self->owner = Py_XNewRef(owner);
    self->readers = 0;
    self->is_changing = false;
    return (PyObject *)self;
}

void *handle_use(PyObject *object, PyTypeObject *type, bool may_change) {
    if (!PyObject_TypeCheck(object, type)) {
        PyObject *name = PyObject_GetAttrString((PyObject *)type, "__name__");
        if (name != NULL) { PyErr_Format(PyExc_TypeError, "a fureai.%U is needed, not %R", name, Py_TYPE(object)); }
        Py_XDECREF(name);
        return NULL;
    }
    handle *self = as_handle(object);
    if (self->thing == NULL) {
        PyErr_Format(error_closed, "%R was closed", Py_TYPE(object));
        return NULL;
    }
    if (self->is_changing || (may_change && self->readers > 0)) {
        PyErr_Format(error_busy, "%R is in use by another call", Py_TYPE(object));
        return NULL;
    }
    return self->thing;
}

void handle_dealloc(PyObject *object) {
    handle *self = as_handle(object);
    PyTypeObject *type = Py_TYPE(object);
    if (self->thing != NULL) { self->destroy(self->thing); }
    Py_XDECREF(self->owner);
    PyObject_Free(object);
    Py_DECREF(type);
}

PyObject *handle_close(PyObject *object, PyObject *unused) {
    (void)unused;
    handle *self = as_handle(object);
    if (self->thing == NULL) { Py_RETURN_NONE; }
    if (handle_use(object, Py_TYPE(object), true) == NULL) { return NULL; }
    void *thing = self->thing;
    self->thing = NULL;
    self->destroy(thing);
    Py_CLEAR(self->owner);
    Py_RETURN_NONE;
}

PyObject *handle_enter(PyObject *object, PyObject *unused) {
    (void)unused;
    if (as_handle(object)->thing == NULL) {
        PyErr_Format(error_closed, "%R was closed", Py_TYPE(object));
        return NULL;
    }
    return Py_NewRef(object);
}

PyObject *handle_exit(PyObject *object, PyObject *args) { return handle_close(object, args); }

PyObject *handle_closed(PyObject *object, void *unused) {
    (void)unused;
    return PyBool_FromLong(as_handle(object)->thing == NULL);
}

int handle_refuse(PyObject *self, PyObject *args, PyObject *keywords) {
    (void)args;
    (void)keywords;
    PyErr_Format(PyExc_TypeError, "%R is not made by its class", Py_TYPE(self));
    return -1;
}

bool module_add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **out) {
    *out = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, NULL);
    return *out != NULL && PyModule_AddType(module, *out) == 0;
}
