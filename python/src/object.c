// Object: a thing of a space, by its id: pose, motion, filter, parts, vertices.
#include "module.h"

#include <string.h>

PyTypeObject *object_type;

// It has no thing of its own; its space is the owner.
typedef struct object {
    PyObject_HEAD PyObject *space;
    fr_object_id id;
} object;

static object *as_object(PyObject *self) { return (object *)(void *)self; }

PyObject *object_make(PyObject *space, fr_object_id id) {
    object *self = PyObject_New(object, object_type);
    if (self != NULL) {
        self->space = Py_NewRef(space);
        self->id = id;
    }
    return (PyObject *)self;
}

int take_object_id(PyObject *source, void *out) {
    fr_object_id *id = out;
    if (PyObject_TypeCheck(source, object_type)) {
        *id = as_object(source)->id;
        return 1;
    }
    memset(id, 0, sizeof *id);
    if (source == Py_None) { return 1; }
    if (!PyTuple_Check(source)) {
        PyErr_Format(PyExc_TypeError, "a fureai.Object or its id is needed, not %R", Py_TYPE(source));
        return 0;
    }
    return PyArg_ParseTuple(source, "III", &id->index1, &id->generation, &id->space);
}

static void object_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    Py_XDECREF(as_object(self)->space);
    PyObject_Free(self);
    Py_DECREF(type);
}

// The space, to read or to change; NULL with an exception.
static fr_space *space_of(PyObject *self, bool may_change) {
    return handle_use(as_object(self)->space, space_type, may_change);
}

static const fr_object_view *view_of(PyObject *self) {
    const fr_space *space = space_of(self, false);
    if (space == NULL) { return NULL; }
    const fr_object_view *view = fr_object_get(space, as_object(self)->id);
    if (view == NULL) {
        fr_error error = {0};
        fr_error_set(&error, FR_ERROR_STALE_ID, "the object was removed");
        error_raise(FR_ERROR_STALE_ID, &error);
    }
    return view;
}

// ---------------------------------------------------------------------------------------------------------------
// Values

static const field view_fields[] = {FIELD(fr_object_view, pose, 'P'),
                                    FIELD(fr_object_view, next, 'P'),
                                    FIELD(fr_object_view, motion, 'm'),
                                    FIELD(fr_object_view, flags, 'I'),
                                    FIELD(fr_object_view, is_moving, 'b'),
                                    FIELD(fr_object_view, part_count, 'I'),
                                    FIELD(fr_object_view, triangle_count, 'I'),
                                    FIELD(fr_object_view, vertex_count, 'I'),
                                    FIELD_AS(fr_object_view, "layers", filter.layers, 'I'),
                                    FIELD_AS(fr_object_view, "mask", filter.mask, 'I'),
                                    FIELD_AS(fr_object_view, "group", filter.group, 'i'),
                                    FIELD_AS(fr_object_view, "pivot", pivot_local, 'V')};

static PyObject *object_get(PyObject *self, void *which) {
    const fr_object_view *view = view_of(self);
    return view != NULL ? field_get(which, view) : NULL;
}

static int set_done(fr_status status, const fr_error *error) {
    if (status != FR_OK) { error_raise(status, error); }
    return status == FR_OK ? 0 : -1;
}

static int object_set_pose(PyObject *self, PyObject *value, void *which) {
    fr_pose pose;
    fr_space *space = space_of(self, true);
    if (space == NULL || value == NULL || !take_pose(value, &pose)) { return -1; }
    fr_error error = {0};
    bool is_next = ((const field *)which)->offset == offsetof(fr_object_view, next);
    return set_done(is_next ? fr_object_set_next(space, as_object(self)->id, &pose, &error)
                            : fr_object_set_pose(space, as_object(self)->id, &pose, &error),
                    &error);
}

static int object_set_motion(PyObject *self, PyObject *value, void *which) {
    (void)which;
    fr_motion motion;
    fr_space *space = space_of(self, true);
    if (space == NULL || value == NULL || !take_motion(value, &motion)) { return -1; }
    fr_error error = {0};
    fr_pose end = fr_motion_pose(&motion, 1.0);
    return set_done(fr_object_set_motion(space, as_object(self)->id, &motion, &end, &error), &error);
}

static int object_set_flags(PyObject *self, PyObject *value, void *which) {
    fr_space *space = space_of(self, true);
    const fr_object_view *view = space != NULL ? view_of(self) : NULL;
    if (view == NULL || value == NULL) { return -1; }
    const field *f = which;
    long long number = PyLong_AsLongLong(value);
    if (PyErr_Occurred()) { return -1; }
    if (number < (f->kind == 'i' ? INT32_MIN : 0) || number > (f->kind == 'i' ? INT32_MAX : UINT32_MAX)) {
        error_argument("%s: the number has more than 32 bits", f->name);
        return -1;
    }
    fr_error error = {0};
    if (f->offset == offsetof(fr_object_view, flags)) {
        return set_done(fr_object_set_flags(space, as_object(self)->id, (uint32_t)number, &error), &error);
    }
    fr_filter filter = view->filter;
    if (strcmp(f->name, "layers") == 0) {
        filter.layers = (uint32_t)number;
    } else if (strcmp(f->name, "mask") == 0) {
        filter.mask = (uint32_t)number;
    } else {
        filter.group = (int32_t)number;
    }
    return set_done(fr_object_set_filter(space, as_object(self)->id, filter, &error), &error);
}

static PyObject *object_id(PyObject *self, void *unused) {
    (void)unused;
    fr_object_id id = as_object(self)->id;
    return Py_BuildValue("(III)", id.index1, id.generation, id.space);
}

static PyObject *object_index(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromUnsignedLong(as_object(self)->id.index1 - 1u);
}

static PyObject *object_space(PyObject *self, void *unused) {
    (void)unused;
    return Py_NewRef(as_object(self)->space);
}

static PyObject *object_exists(PyObject *self, void *unused) {
    (void)unused;
    const fr_space *space = ((handle *)(void *)as_object(self)->space)->thing;
    return PyBool_FromLong(space != NULL && fr_object_exists(space, as_object(self)->id));
}

static PyObject *object_bounds(PyObject *self, void *unused) {
    (void)unused;
    const fr_space *space = space_of(self, false);
    if (space == NULL) { return NULL; }
    fr_bounds bounds;
    fr_error error = {0};
    fr_status status = fr_object_bounds(space, as_object(self)->id, &bounds, &error);
    return status == FR_OK ? give_bounds(&bounds) : error_raise(status, &error);
}

static PyObject *object_parts(PyObject *self, void *unused) {
    (void)unused;
    const fr_object_view *view = view_of(self);
    PyObject *list = view != NULL ? PyList_New(0) : NULL;
    for (uint32_t i = 0; list != NULL && i < view->part_count; i++) {
        fr_part_view part = fr_object_part(space_of(self, false), as_object(self)->id, i);
        PyObject *one = Py_BuildValue("(NN)", mesh_wrap(fr_mesh_retain(part.mesh)), give_pose(&part.pose));
        if (one == NULL || PyList_Append(list, one) != 0) { Py_CLEAR(list); }
        Py_XDECREF(one);
    }
    return list;
}

// ---------------------------------------------------------------------------------------------------------------
// Methods

static PyObject *object_corners(PyObject *self, PyObject *number) {
    const fr_space *space = space_of(self, false);
    unsigned long triangle = space != NULL ? PyLong_AsUnsignedLong(number) : 0;
    if (space == NULL || PyErr_Occurred()) { return NULL; }
    fr_vec3 corners[3];
    fr_error error = {0};
    uint32_t t = triangle < FR_NONE ? (uint32_t)triangle : FR_NONE;
    fr_status status = fr_object_corners(space, as_object(self)->id, t, corners, &error);
    if (status != FR_OK) { return error_raise(status, &error); }
    return Py_BuildValue("(NNN)", give_vec3(corners[0]), give_vec3(corners[1]), give_vec3(corners[2]));
}

static PyObject *object_face(PyObject *self, PyObject *number) {
    const fr_space *space = space_of(self, false);
    unsigned long triangle = space != NULL ? PyLong_AsUnsignedLong(number) : 0;
    if (space == NULL || PyErr_Occurred()) { return NULL; }
    uint32_t face = fr_object_face(space, as_object(self)->id, triangle < FR_NONE ? (uint32_t)triangle : FR_NONE);
    if (face == FR_NONE) { return error_argument("there is no triangle %lu, or no such object", triangle); }
    return PyLong_FromUnsignedLong(face);
}

static PyObject *set_vertices(PyObject *self, PyObject *source, bool is_next) {
    call c;
    call_begin(&c);
    fr_status status = FR_OK;
    fr_space *space = call_hold(&c, as_object(self)->space, space_type, true);
    const array_input *vertices = space != NULL ? call_array(&c, source, 'd', 3, "vertices") : NULL;
    if (vertices != NULL) {
        uint32_t count = vertices->rows < UINT32_MAX ? (uint32_t)vertices->rows : UINT32_MAX;
        status = is_next ? fr_object_set_next_vertices(space, as_object(self)->id, vertices->data, count, &c.error)
                         : fr_object_set_vertices(space, as_object(self)->id, vertices->data, count, &c.error);
    }
    if (!call_end(&c, status)) { return NULL; }
    Py_RETURN_NONE;
}

static PyObject *object_set_vertices(PyObject *self, PyObject *source) { return set_vertices(self, source, false); }
static PyObject *object_set_next_vertices(PyObject *self, PyObject *source) { return set_vertices(self, source, true); }

static PyObject *object_remove(PyObject *self, PyObject *unused) {
    (void)unused;
    fr_space *space = space_of(self, true);
    if (space == NULL) { return NULL; }
    fr_error error = {0};
    fr_status status = fr_object_remove(space, as_object(self)->id, &error);
    if (status != FR_OK) { return error_raise(status, &error); }
    Py_RETURN_NONE;
}

static PyObject *object_compare(PyObject *a, PyObject *b, int operation) {
    if (!PyObject_TypeCheck(b, object_type) || (operation != Py_EQ && operation != Py_NE)) { Py_RETURN_NOTIMPLEMENTED; }
    return PyBool_FromLong(fr_object_id_equal(as_object(a)->id, as_object(b)->id) == (operation == Py_EQ));
}

static Py_hash_t object_hash(PyObject *self) {
    fr_object_id id = as_object(self)->id;
    Py_hash_t hash = (Py_hash_t)(fr_hash(&id, sizeof id, 0) >> 1);
    return hash != -1 ? hash : 1;
}

static PyObject *object_repr(PyObject *self) {
    const fr_space *space = ((handle *)(void *)as_object(self)->space)->thing;
    const fr_object_view *view = space != NULL ? fr_object_get(space, as_object(self)->id) : NULL;
    unsigned index = as_object(self)->id.index1 - 1u;
    if (view == NULL) { return PyUnicode_FromFormat("<fureai.Object %u, gone>", index); }
    return PyUnicode_FromFormat("<fureai.Object %u of %u parts and %u triangles>", index, view->part_count,
                                view->triangle_count);
}

bool object_add(PyObject *module) {
    static PyMethodDef methods[] = {
        {"corners", object_corners, METH_O,
         "corners($self, triangle, /)\n--\n\nThe corners of a triangle in the world, as all results have them."},
        {"face", object_face, METH_O,
         "face($self, triangle, /)\n--\n\nThe polygon of the file that a triangle came from."},
        {"set_vertices", object_set_vertices, METH_O,
         "set_vertices($self, vertices, /)\n--\n\nNew positions of all vertices, part after part (a deforming object). "
         "Copied."},
        {"set_next_vertices", object_set_next_vertices, METH_O,
         "set_next_vertices($self, vertices, /)\n--\n\nPositions of all vertices at the end of the step; each goes "
         "straight. Copied."},
        {"remove", object_remove, METH_NOARGS, "remove($self, /)\n--\n\nTakes the object out of its space."},
        {NULL, NULL, 0, NULL}};
    static PyGetSetDef values[] = {
        {"pose", object_get, object_set_pose, "Where it is; setting it puts the object there, still.", NULL},
        {"next", object_get, object_set_pose,
         "Where it is at the end of the step; setting it lets the object go there.", NULL},
        {"motion", object_get, object_set_motion, "How it goes from pose to next; it begins at the pose.", NULL},
        {"flags", object_get, object_set_flags, "STATIC, SENSOR, REAL, SELF, GHOST and PROXY, added up.", NULL},
        {"is_moving", object_get, NULL, "Whether next, motion or next vertices were set since the last commit.", NULL},
        {"part_count", object_get, NULL, "Number of parts.", NULL},
        {"triangle_count", object_get, NULL, "Triangles of all parts.", NULL},
        {"vertex_count", object_get, NULL, "Vertices of all parts.", NULL},
        {"layers", object_get, object_set_flags, "Layers that it is in, as bits.", NULL},
        {"mask", object_get, object_set_flags, "Layers that it meets, as bits.", NULL},
        {"group", object_get, object_set_flags, "Two of one group always meet (> 0) or never (< 0); 0: none.", NULL},
        {"pivot", object_get, NULL, "What `next` turns about.", NULL},
        {"id", object_id, NULL, "(index + 1, generation, space), as contacts and hits have it.", NULL},
        {"index", object_index, NULL, "The place in the space, as pairs have it in a and b.", NULL},
        {"space", object_space, NULL, "The space that it is in.", NULL},
        {"exists", object_exists, NULL, "Whether it was not removed and the space is open.", NULL},
        {"bounds", object_bounds, NULL, "Low and high corner of its box over the step.", NULL},
        {"parts", object_parts, NULL, "(mesh, pose) of each part.", NULL},
        {NULL, NULL, NULL, NULL, NULL}};
    for (int i = 0; i < 12; i++) {
        values[i].closure = CLOSURE(&view_fields[i]);
    }
    static PyType_Slot slots[] = {
        {Py_tp_doc, "An object of a Space, as Space.add returns it. One that was removed is StaleIdError."},
        {Py_tp_dealloc, object_dealloc},
        {Py_tp_repr, object_repr},
        {Py_tp_richcompare, object_compare},
        {Py_tp_hash, object_hash},
        {Py_tp_methods, methods},
        {Py_tp_getset, values},
        {0, NULL}};
    static PyType_Spec spec = {"fureai.Object", sizeof(object), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    return module_add_type(module, &spec, &object_type);
}
