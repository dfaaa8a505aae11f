// A call of the library from Python: what it holds, the GIL around it, signals and progress while it runs.
#include "module.h"

#include <time.h>

#define LOOK_NS 20000000u // how often a running call looks for signals

static unsigned long main_thread;
static int running_count;          // calls that are without the GIL; guarded by it
static volatile bool is_ending;    // the interpreter ends: calls stop
static const double WAIT_S = 10.0; // for calls of other threads, at the end

// Runs on the calling thread, without the GIL.
static bool stop(void *user) {
    call *c = user;
    if (c->is_stopped) { return true; }
    if (is_ending) { return c->is_stopped = true; }
    uint64_t now = fr_clock_ns();
    if (now - c->looked_ns < LOOK_NS) { return false; }
    c->looked_ns = now;
    if (PyThread_get_thread_ident() != main_thread) { return false; }
    PyEval_RestoreThread(c->thread);
    c->is_stopped = PyErr_CheckSignals() != 0;
    c->thread = PyEval_SaveThread();
    return c->is_stopped;
}

static void progress(double fraction, const char *stage, void *user) {
    call *c = user;
    if (c->progress == NULL || c->is_stopped || is_ending) { return; }
    PyEval_RestoreThread(c->thread);
    PyObject *done = PyObject_CallFunction(c->progress, "ds", fraction, stage);
    if (done == NULL) { c->is_stopped = true; }
    Py_XDECREF(done);
    c->thread = PyEval_SaveThread();
}

void call_begin(call *c) {
    c->control.stop = stop;
    c->control.progress = progress;
    c->control.user = c;
    c->error.status = FR_OK;
    c->error.line = c->error.column = 0;
    c->error.message[0] = c->error.path[0] = '\0';
    c->progress = NULL;
    c->filter = NULL;
    c->failure[0] = c->failure[1] = c->failure[2] = NULL;
    c->thread = NULL;
    c->looked_ns = 0;
    c->is_stopped = false;
    c->held_count = 0;
    c->array_count = 0;
}

void *call_hold(call *c, PyObject *object, PyTypeObject *type, bool may_change) {
    void *thing = handle_use(object, type, may_change);
    if (thing == NULL) { return NULL; }
    if (c->held_count == CALL_MAX_HELD) { return error_argument("more than %d objects in one call", CALL_MAX_HELD); }
    handle *held = (handle *)(void *)Py_NewRef(object);
    if (may_change) {
        held->is_changing = true;
    } else {
        held->readers++;
    }
    c->held[c->held_count].object = held;
    c->held[c->held_count++].may_change = may_change;
    return thing;
}

void call_leave(call *c) {
    running_count++;
    c->looked_ns = fr_clock_ns();
    c->thread = PyEval_SaveThread();
}

void call_return(call *c) {
    PyEval_RestoreThread(c->thread);
    running_count--;
}

// Lets go of arrays and objects, the last first.
static void let_go(call *c) {
    for (int i = 0; i < c->array_count; i++) {
        array_input *one = &c->arrays[i];
        if (one->has_view) { PyBuffer_Release(&one->view); }
        PyMem_Free(one->copy);
    }
    c->array_count = 0;
    while (c->held_count > 0) {
        c->held_count--;
        handle *held = c->held[c->held_count].object;
        if (c->held[c->held_count].may_change) {
            held->is_changing = false;
        } else {
            held->readers--;
        }
        Py_DECREF((PyObject *)held);
    }
}

bool call_end(call *c, fr_status status) {
    // What is let go may run Python, which must not lose the exception of a callback.
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    let_go(c);
    if (type == NULL) {
        PyErr_Restore(c->failure[0], c->failure[1], c->failure[2]);
    } else {
        PyErr_Restore(type, value, trace);
        Py_XDECREF(c->failure[0]);
        Py_XDECREF(c->failure[1]);
        Py_XDECREF(c->failure[2]);
    }
    if (PyErr_Occurred()) { return false; }
    if (status != FR_OK) {
        error_raise(status, &c->error);
        return false;
    }
    return true;
}

bool call_enter_python(call *c, PyGILState_STATE *state) {
    if (c->is_stopped || is_ending) { return false; }
    *state = PyGILState_Ensure();
    return true;
}

void call_leave_python(call *c, PyGILState_STATE state) {
    if (PyErr_Occurred()) {
        c->is_stopped = true;
        if (c->failure[0] != NULL) {
            PyErr_Clear();
        } else {
            PyErr_Fetch(&c->failure[0], &c->failure[1], &c->failure[2]);
        }
    }
    PyGILState_Release(state);
}

static PyObject *end_all(PyObject *module, PyObject *unused) {
    (void)module;
    (void)unused;
    is_ending = true;
    Py_BEGIN_ALLOW_THREADS uint64_t since = fr_clock_ns();
    struct timespec pause = {0, 1000000};
    while (running_count > 0 && fr_clock_ms_since(since) < 1000.0 * WAIT_S) {
        nanosleep(&pause, NULL);
    }
    Py_END_ALLOW_THREADS Py_RETURN_NONE;
}

bool call_add(PyObject *module) {
    main_thread = PyThread_get_thread_ident();
    static PyMethodDef end = {"_end", end_all, METH_NOARGS, NULL};
    PyObject *function = PyCFunction_NewEx(&end, NULL, NULL);
    PyObject *at_exit = PyImport_ImportModule("atexit");
    PyObject *done =
        function != NULL && at_exit != NULL ? PyObject_CallMethod(at_exit, "register", "O", function) : NULL;
    Py_XDECREF(function);
    Py_XDECREF(at_exit);
    Py_XDECREF(done);
    (void)module;
    return done != NULL;
}
