// plan() and check_path(): a path for a body of triangles through a space, and the proof of one.
#include "module.h"

static const char *const objective_names[] = {"first", "shortest", "clearest", "fewest turns", NULL};
static const char *const plane_names[] = {"xy", "xz", NULL};
static const char *const outcome_names[] = {"found", "not found", "none at resolution", "impossible", NULL};

static const char *const path_names[] = {"is_found",  "outcome", "is_checked", "states",     "length", "turning",
                                         "clearance", "moves",   "blocked",    "is_partial", NULL};
static named path_tuple = {
    "fureai.Path",
    "A path: states are Poses, between which motions are Motion.between; blocked is the Contact of a start or goal\n"
    "that is not free, or None.",
    path_names, NULL};

static const field check_fields[] = {FIELD(fr_path_check_output, is_valid, 'b'),
                                     FIELD(fr_path_check_output, motion, 'I'),
                                     FIELD(fr_path_check_output, time, 'd'),
                                     FIELD(fr_path_check_output, is_outside_bounds, 'b'),
                                     FIELD(fr_path_check_output, length, 'd'),
                                     FIELD(fr_path_check_output, turning, 'd'),
                                     {NULL, 0, 0, NULL}};
static record check_record = {"fureai.PathCheck",
                              "Whether a path is free over its whole course; else the first bad motion, and when.",
                              sizeof(fr_path_check_output),
                              check_fields,
                              NULL,
                              NULL};

typedef struct plan_input {
    fr_path_input path;
    fr_query_filter filter;
} plan_input;

static const field plan_fields[] = {{"pivot", 'V', offsetof(plan_input, path.pivot_local), NULL},
                                    {"is_goal_turn_any", 'b', offsetof(plan_input, path.is_goal_turn_any), NULL},
                                    {"bounds", 'B', offsetof(plan_input, path.bounds), NULL},
                                    {"dimension", 'i', offsetof(plan_input, path.dimension), NULL},
                                    {"plane", 'E', offsetof(plan_input, path.plane), plane_names},
                                    {"margin", 'd', offsetof(plan_input, path.margin), NULL},
                                    {"objective", 'E', offsetof(plan_input, path.objective), objective_names},
                                    {"depth", 'I', offsetof(plan_input, path.depth), NULL},
                                    {"seed", 'Q', offsetof(plan_input, path.seed), NULL},
                                    {"max_moves", 'Q', offsetof(plan_input, path.max_moves), NULL},
                                    {"lattice_moves", 'Q', offsetof(plan_input, path.lattice_moves), NULL},
                                    {"optimize_moves", 'Q', offsetof(plan_input, path.optimize_moves), NULL},
                                    {"mask", 'I', offsetof(plan_input, filter.mask), NULL},
                                    {"ignore", 'O', offsetof(plan_input, filter.ignore), NULL},
                                    {NULL, 0, 0, NULL}};

// Takes what both functions take. The parts are freed by the caller; NULL with an exception.
static fr_part_def *begin(call *c, PyObject *space, PyObject *shape, PyObject *keywords, plan_input *input,
                          PyObject **items) {
    call_begin(c);
    input->path.space = call_hold(c, space, space_type, false);
    if (input->path.space == NULL || !options_fill(c, keywords, plan_fields, input)) { return NULL; }
    if (keywords == NULL || PyDict_GetItemString(keywords, "bounds") == NULL) {
        PyErr_SetString(PyExc_TypeError, "bounds=(low corner, high corner) is needed");
        return NULL;
    }
    fr_part_def *parts = take_parts(shape, &input->path.part_count, items);
    input->path.parts = parts;
    input->path.filter = &input->filter;
    input->path.control = &c->control;
    return parts;
}

static PyObject *give_path(const fr_path *path) {
    PyObject *states = PyList_New((Py_ssize_t)path->state_count);
    for (uint32_t i = 0; states != NULL && i < path->state_count; i++) {
        PyObject *pose = give_pose(&path->states[i]);
        if (pose == NULL || PyList_SetItem(states, (Py_ssize_t)i, pose) != 0) { Py_CLEAR(states); }
    }
    PyObject *values[] = {PyBool_FromLong(path->is_found),
                          PyUnicode_FromString(outcome_names[path->outcome]),
                          PyBool_FromLong(path->is_checked),
                          states,
                          PyFloat_FromDouble(path->length),
                          PyFloat_FromDouble(path->turning),
                          PyFloat_FromDouble(path->clearance),
                          PyLong_FromUnsignedLongLong(path->moves),
                          path->is_blocked ? record_make(&contact_record, &path->blocked) : Py_NewRef(Py_None),
                          PyBool_FromLong(path->is_partial)};
    return named_make(&path_tuple, values);
}

PyObject *module_plan(PyObject *module, PyObject *args, PyObject *keywords) {
    (void)module;
    PyObject *space, *shape, *items = NULL;
    plan_input input = {fr_default_path_input(), fr_default_query_filter()};
    if (!PyArg_ParseTuple(args, "OOO&O&:plan", &space, &shape, take_pose, &input.path.start, take_pose,
                          &input.path.goal)) {
        return NULL;
    }
    call c;
    fr_path path = {0};
    fr_status status = FR_OK;
    fr_part_def *parts = begin(&c, space, shape, keywords, &input, &items);
    if (parts != NULL) {
        call_leave(&c);
        status = fr_plan_path(&input.path, &path, &c.error);
        call_return(&c);
    }
    PyObject *result = call_end(&c, status) ? give_path(&path) : NULL;
    fr_path_destroy(&path);
    PyMem_Free(parts);
    Py_XDECREF(items);
    return result;
}

PyObject *module_check_path(PyObject *module, PyObject *args, PyObject *keywords) {
    (void)module;
    PyObject *space, *shape, *source, *items = NULL;
    if (!PyArg_ParseTuple(args, "OOO:check_path", &space, &shape, &source)) { return NULL; }
    PyObject *list = PySequence_Tuple(source);
    Py_ssize_t count = list != NULL ? PyTuple_Size(list) : 0;
    fr_pose *states = list != NULL ? PyMem_Malloc(((size_t)count + 1) * sizeof *states) : NULL;
    bool is_taken = states != NULL;
    for (Py_ssize_t i = 0; is_taken && i < count; i++) {
        is_taken = take_pose(PyTuple_GetItem(list, i), &states[i]) != 0;
    }
    PyObject *result = NULL;
    if (is_taken) {
        call c;
        plan_input input = {fr_default_path_input(), fr_default_query_filter()};
        fr_path_check_output output = {0};
        fr_status status = FR_OK;
        fr_part_def *parts = begin(&c, space, shape, keywords, &input, &items);
        if (parts != NULL) {
            call_leave(&c);
            status = fr_plan_check_path(&input.path, states, (uint32_t)count, &output, &c.error);
            call_return(&c);
        }
        result = call_end(&c, status) ? record_make(&check_record, &output) : NULL;
        PyMem_Free(parts);
    }
    PyMem_Free(states);
    Py_XDECREF(items);
    Py_XDECREF(list);
    return result;
}

bool plan_add(PyObject *module) { return named_add(module, &path_tuple) && record_add(module, &check_record); }
