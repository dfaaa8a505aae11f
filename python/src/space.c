// Space: where objects are. Adding objects, bringing derived data up to date, taking a step.
#include "module.h"

#include <string.h>

PyTypeObject *space_type;

static void destroy(void *thing) { fr_space_destroy(thing); }

static PyObject *space_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    static char *names[] = {"origin", NULL};
    fr_space_def def = fr_default_space_def();
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O&:Space", names, take_vec3, &def.origin)) { return NULL; }
    fr_space *space = NULL;
    fr_error error = {0};
    fr_status status = fr_space_create(&def, &space, &error);
    return status == FR_OK ? handle_make(type, space, destroy, NULL) : error_raise(status, &error);
}

// ---------------------------------------------------------------------------------------------------------------
// Adding

static const field object_fields[] = {FIELD(fr_object_def, pose, 'P'),
                                      FIELD_AS(fr_object_def, "pivot", pivot_local, 'V'),
                                      FIELD_AS(fr_object_def, "layers", filter.layers, 'I'),
                                      FIELD_AS(fr_object_def, "mask", filter.mask, 'I'),
                                      FIELD_AS(fr_object_def, "group", filter.group, 'i'),
                                      FIELD(fr_object_def, flags, 'I'),
                                      {NULL, 0, 0, NULL}};

// One part from a Mesh or a tuple that ends with a mesh and a pose; false with an exception.
static bool take_part(PyObject *source, fr_part_def *part) {
    *part = fr_default_part_def();
    if (PyObject_TypeCheck(source, mesh_type)) {
        part->mesh = handle_use(source, mesh_type, false);
        return part->mesh != NULL;
    }
    Py_ssize_t size = PyTuple_Check(source) ? PyTuple_Size(source) : 0;
    if (size < 2 || size > 3) {
        PyErr_Format(PyExc_TypeError, "a part is a Mesh, (mesh, pose) or (name, mesh, pose), not %R", Py_TYPE(source));
        return false;
    }
    part->mesh = handle_use(PyTuple_GetItem(source, size - 2), mesh_type, false);
    return part->mesh != NULL && take_pose(PyTuple_GetItem(source, size - 1), &part->pose);
}

// The parts of a shape: a Mesh, or a sequence of parts such as Model.parts() returns. `*items` keeps their meshes.
fr_part_def *take_parts(PyObject *shape, uint32_t *count, PyObject **items) {
    *items = PyObject_TypeCheck(shape, mesh_type) ? PyTuple_Pack(1, shape) : PySequence_Tuple(shape);
    if (*items == NULL) { return NULL; }
    Py_ssize_t size = PyTuple_Size(*items);
    fr_part_def *parts = PyMem_Malloc(((size_t)size + 1) * sizeof *parts);
    if (parts == NULL) { PyErr_NoMemory(); }
    for (Py_ssize_t i = 0; parts != NULL && i < size; i++) {
        if (!take_part(PyTuple_GetItem(*items, i), &parts[i])) {
            PyMem_Free(parts);
            parts = NULL;
        }
    }
    *count = (uint32_t)size;
    if (parts == NULL) { Py_CLEAR(*items); }
    return parts;
}

static PyObject *space_add_object(PyObject *self, PyObject *args, PyObject *keywords) {
    PyObject *shape;
    fr_object_def def = fr_default_object_def();
    if (!PyArg_ParseTuple(args, "O|O&:add", &shape, take_pose, &def.pose)) { return NULL; }
    fr_space *space = handle_use(self, space_type, true);
    if (space == NULL) { return NULL; }
    PyObject *items = NULL;
    fr_part_def *parts = take_parts(shape, &def.part_count, &items);
    if (parts == NULL) { return NULL; }
    call c;
    call_begin(&c);
    fr_object_id id = {0};
    fr_status status = FR_OK;
    if (options_fill(&c, keywords, object_fields, &def)) {
        def.parts = parts;
        status = fr_object_add(space, &def, &id, &c.error);
    }
    PyMem_Free(parts);
    Py_DECREF(items);
    return call_end(&c, status) ? object_make(self, id) : NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// Steps

static PyObject *space_update(PyObject *self, PyObject *args, PyObject *keywords) {
    static const field fields[] = {{"tasks", 'T', 0, NULL}, {NULL, 0, 0, NULL}};
    if (!PyArg_ParseTuple(args, ":update")) { return NULL; }
    call c;
    call_begin(&c);
    const fr_tasks *tasks = NULL;
    fr_status status = FR_OK;
    fr_space *space = call_hold(&c, self, space_type, true);
    if (space != NULL && options_fill(&c, keywords, fields, &tasks)) {
        call_leave(&c);
        status = fr_space_update(space, tasks, &c.error);
        call_return(&c);
    }
    if (!call_end(&c, status)) { return NULL; }
    Py_RETURN_NONE;
}

static PyObject *space_commit(PyObject *self, PyObject *unused) {
    (void)unused;
    fr_space *space = handle_use(self, space_type, true);
    if (space == NULL) { return NULL; }
    fr_error error = {0};
    fr_status status = fr_space_commit(space, &error);
    if (status != FR_OK) { return error_raise(status, &error); }
    Py_RETURN_NONE;
}

// ---------------------------------------------------------------------------------------------------------------
// Looking up

static PyObject *space_object(PyObject *self, PyObject *key) {
    const fr_space *space = handle_use(self, space_type, false);
    if (space == NULL) { return NULL; }
    fr_object_id id = {0};
    if (PyLong_Check(key)) {
        long index = PyLong_AsLong(key);
        if (PyErr_Occurred()) { return NULL; }
        if (index >= 0 && index < (long)fr_space_object_places(space)) {
            id = fr_space_object_at(space, (uint32_t)index);
        }
    } else if (!take_object_id(key, &id)) {
        return NULL;
    }
    if (!fr_object_exists(space, id)) {
        fr_error error = {0};
        fr_error_set(&error, FR_ERROR_STALE_ID, "there is no such object");
        return error_raise(FR_ERROR_STALE_ID, &error);
    }
    return object_make(self, id);
}

static PyObject *space_objects(PyObject *self, void *unused) {
    (void)unused;
    const fr_space *space = handle_use(self, space_type, false);
    PyObject *list = space != NULL ? PyList_New(0) : NULL;
    for (uint32_t i = 0; list != NULL && i < fr_space_object_places(space); i++) {
        fr_object_id id = fr_space_object_at(space, i);
        if (id.index1 == 0) { continue; }
        PyObject *one = object_make(self, id);
        if (one == NULL || PyList_Append(list, one) != 0) { Py_CLEAR(list); }
        Py_XDECREF(one);
    }
    return list;
}

static Py_ssize_t space_length(PyObject *self) {
    const fr_space *space = handle_use(self, space_type, false);
    return space != NULL ? (Py_ssize_t)fr_space_object_count(space) : -1;
}

static PyObject *space_is_current(PyObject *self, void *unused) {
    (void)unused;
    const fr_space *space = handle_use(self, space_type, false);
    return space != NULL ? PyBool_FromLong(fr_space_is_current(space)) : NULL;
}

static PyObject *space_repr(PyObject *self) {
    const handle *h = (const handle *)(const void *)self;
    if (h->thing == NULL) { return PyUnicode_FromString("<fureai.Space, closed>"); }
    if (h->is_changing) { return PyUnicode_FromString("<fureai.Space, being changed>"); }
    return PyUnicode_FromFormat("<fureai.Space of %u objects%s>", fr_space_object_count(h->thing),
                                fr_space_is_current(h->thing) ? "" : ", not up to date");
}

static PyMethodDef space_methods[] = {
    HANDLE_METHODS,
    {"add", KEYWORDS(space_add_object),
     "add($self, shape, pose=None, /, *, pivot=(0, 0, 0), layers=1, mask=0xffffffff, group=0, flags=0)\n--\n\n"
     "Adds an object: a Mesh, or parts as (mesh, pose) or (name, mesh, pose), such as Model.parts() returns. The "
     "meshes\n"
     "are shared, not copied. `flags` are STATIC, SENSOR, REAL, SELF, GHOST and PROXY, added up."},
    {"update", KEYWORDS(space_update),
     "update($self, /, *, tasks=None)\n--\n\nBrings boxes and the broad phase up to date, before queries."},
    {"commit", space_commit, METH_NOARGS,
     "commit($self, /)\n--\n\nEvery object's pose becomes its next pose: the step was taken."},
    {"object", space_object, METH_O,
     "object($self, key, /)\n--\n\nThe object of an id or of an index, as pairs and contacts have them. StaleIdError."},
    {"ray", KEYWORDS(space_ray),
     "ray($self, origin, direction, /, *, limit=inf, mask=0xffffffff, ignore=None, as_object=None)\n--\n\n"
     "The nearest triangle that a ray meets, as a Hit; its distance is in lengths of the direction."},
    {"ray_many", KEYWORDS(space_ray_many),
     "ray_many($self, origins, directions, /, *, limit=inf, tasks=None, **filter)\n--\n\n"
     "The same for rows of three numbers, as an Array of Hit."},
    {"closest", KEYWORDS(space_closest),
     "closest($self, point, /, *, limit=inf, is_signed=False, mask=0xffffffff, ignore=None, as_object=None)\n--\n\n"
     "The closest point of any object, as a Closest; with `is_signed` the distance is negative inside."},
    {"closest_many", KEYWORDS(space_closest_many),
     "closest_many($self, points, /, *, limit=inf, is_signed=False, tasks=None, **filter)\n--\n\n"
     "The same for rows of three numbers, as an Array of Closest."},
    {"distance", KEYWORDS(space_distance),
     "distance($self, a, b, /, *, limit=inf)\n--\n\nThe distance of two objects' surfaces, as a Distance."},
    {"cast_ball", KEYWORDS(space_cast_ball),
     "cast_ball($self, origin, travel, radius, /, *, mask=0xffffffff, ignore=None, as_object=None)\n--\n\n"
     "The first triangle that a moving ball touches, as a Hit; its distance is the fraction of the travel."},
    {"overlap", KEYWORDS(space_overlap),
     "overlap($self, mesh=None, /, *, pose=None, box=None, center=None, end=None, radius=0.0, **filter)\n--\n\n"
     "Every triangle that shares a point with a mesh, a box, a ball or a capsule, as an Array of Item."},
    {"move", KEYWORDS(space_move),
     "move($self, shape, motion, /, *, may_others_move=False, margin=0.0, tolerance=1e-6, capacity=16, "
     "**filter)\n--\n\n"
     "What a shape would touch along a motion, as a Move: the shape is no object of the space, and nothing changes."},
    {"slide", KEYWORDS(space_slide),
     "slide($self, shape, motion, /, *, gap=1e-4, max_rounds=4, margin=0.0, capacity=16, **filter)\n--\n\n"
     "Where a shape ends that stops before what it meets and slides along it, as a Slide."},
    {NULL, NULL, 0, NULL}};

bool space_add(PyObject *module) {
    static PyGetSetDef values[] = {
        {"objects", space_objects, NULL, "All objects, by their places.", NULL},
        {"is_current", space_is_current, NULL, "Whether nothing changed since the last update.", NULL},
        HANDLE_CLOSED,
        {NULL, NULL, NULL, NULL, NULL}};
    static PyType_Slot slots[] = {{Py_tp_doc, "Space(origin=(0, 0, 0))\n--\n\nWhere objects are. Several threads may "
                                              "query one space at once; a change meanwhile is BusyError."},
                                  {Py_tp_new, space_new},
                                  {Py_tp_dealloc, handle_dealloc},
                                  {Py_tp_repr, space_repr},
                                  {Py_tp_methods, space_methods},
                                  {Py_tp_getset, values},
                                  {Py_sq_length, space_length},
                                  {0, NULL}};
    static PyType_Spec spec = {"fureai.Space", sizeof(handle), 0, Py_TPFLAGS_DEFAULT, slots};
    static const struct {
        const char *name;
        long value;
    } flags[] = {{"STATIC", FR_OBJECT_STATIC}, {"SENSOR", FR_OBJECT_SENSOR}, {"REAL", FR_OBJECT_REAL},
                 {"SELF", FR_OBJECT_SELF},     {"GHOST", FR_OBJECT_GHOST},   {"PROXY", FR_OBJECT_PROXY}};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        if (PyModule_AddIntConstant(module, flags[i].name, flags[i].value) != 0) { return false; }
    }
    return module_add_type(module, &spec, &space_type);
}
