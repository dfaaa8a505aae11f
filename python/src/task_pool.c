// TaskPool: threads of the library that share the work of calls.
#include "module.h"

PyTypeObject *task_pool_type;

typedef struct task_pool {
    handle head;
    fr_tasks tasks;
} task_pool;

static void destroy(void *thing) { fr_task_pool_destroy(thing); }

const fr_tasks *task_pool_tasks(PyObject *pool) { return &((task_pool *)(void *)pool)->tasks; }

static PyObject *task_pool_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    static char *names[] = {"workers", NULL};
    int workers = 0;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|i:TaskPool", names, &workers)) { return NULL; }
    fr_task_pool_def def = fr_default_task_pool_def();
    int processors = fr_processor_count();
    def.worker_count = workers != 0 ? workers : processors < FR_MAX_WORKERS ? processors : FR_MAX_WORKERS;
    fr_task_pool *pool = NULL;
    fr_error error = {0};
    fr_status status = fr_task_pool_create(&def, &pool, &error);
    if (status != FR_OK) { return error_raise(status, &error); }
    PyObject *self = handle_make(type, pool, destroy, NULL);
    if (self != NULL) { ((task_pool *)(void *)self)->tasks = fr_task_pool_tasks(pool); }
    return self;
}

static PyObject *task_pool_workers(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromLong(task_pool_tasks(self)->worker_count);
}

static PyObject *task_pool_repr(PyObject *self) {
    return PyUnicode_FromFormat("<fureai.TaskPool of %d workers%s>", task_pool_tasks(self)->worker_count,
                                ((handle *)(void *)self)->thing == NULL ? ", closed" : "");
}

bool task_pool_add(PyObject *module) {
    static PyMethodDef methods[] = {HANDLE_METHODS, {NULL, NULL, 0, NULL}};
    static PyGetSetDef values[] = {{"workers", task_pool_workers, NULL, "Threads, the calling one included.", NULL},
                                   HANDLE_CLOSED,
                                   {NULL, NULL, NULL, NULL, NULL}};
    static PyType_Slot slots[] = {
        {Py_tp_doc,
         "TaskPool(workers=0)\n--\n\nThreads that share the work of calls which take `tasks`; 0: one a processor.\n"
         "Results are the same for any number. Calls without a pool use the calling thread alone."},
        {Py_tp_new, task_pool_new},
        {Py_tp_dealloc, handle_dealloc},
        {Py_tp_repr, task_pool_repr},
        {Py_tp_methods, methods},
        {Py_tp_getset, values},
        {0, NULL}};
    static PyType_Spec spec = {"fureai.TaskPool", sizeof(task_pool), 0, Py_TPFLAGS_DEFAULT, slots};
    return module_add_type(module, &spec, &task_pool_type);
}
