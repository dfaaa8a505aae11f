// Sector: the swept volume of a turning body as a sector of a cylinder, and tests against it.
#include "module.h"

static PyTypeObject *sector_type;

typedef struct sector {
    PyObject_HEAD fr_sector value;
} sector;

static const fr_sector *value_of(PyObject *self) { return &((sector *)(void *)self)->value; }

static PyObject *give(fr_status status, const fr_sector *value, const fr_error *error) {
    if (status != FR_OK) { return error_raise(status, error); }
    sector *self = PyObject_New(sector, sector_type);
    if (self != NULL) { self->value = *value; }
    return (PyObject *)self;
}

static void sector_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    PyObject_Free(self);
    Py_DECREF(type);
}

static const field fields[] = {FIELD(fr_sector, center, 'V'),     FIELD(fr_sector, axis, 'V'),
                               FIELD(fr_sector, bisector, 'V'),   FIELD(fr_sector, inner, 'd'),
                               FIELD(fr_sector, outer, 'd'),      FIELD(fr_sector, half_thickness, 'd'),
                               FIELD(fr_sector, half_angle, 'd'), {NULL, 0, 0, NULL}};

static PyObject *sector_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    (void)type;
    if (!PyArg_ParseTuple(args, ":Sector")) { return NULL; }
    call c;
    call_begin(&c);
    fr_sector value = {.axis = {0.0, 1.0, 0.0}, .bisector = {1.0, 0.0, 0.0}, .outer = 1.0, .half_angle = 0.5};
    fr_status status = FR_OK;
    if (options_fill(&c, keywords, fields, &value)) { status = fr_sector_check(&value, &c.error); }
    return call_end(&c, status) ? give(status, &value, &c.error) : NULL;
}

// The screw of builders, and what else they take.
typedef struct turn_input {
    fr_screw screw;
    fr_pose pose;
    double radius;
} turn_input;

static const field turn_fields[] = {{"point", 'V', offsetof(turn_input, screw.point), NULL},
                                    {"axis", 'V', offsetof(turn_input, screw.axis), NULL},
                                    {"angle", 'd', offsetof(turn_input, screw.angle), NULL},
                                    {"slide", 'd', offsetof(turn_input, screw.slide), NULL},
                                    {"pose", 'P', offsetof(turn_input, pose), NULL},
                                    {"radius", 'd', offsetof(turn_input, radius), NULL},
                                    {NULL, 0, 0, NULL}};

static PyObject *sector_of(PyObject *type, PyObject *args, PyObject *keywords) {
    (void)type;
    PyObject *body;
    if (!PyArg_ParseTuple(args, "O:of", &body)) { return NULL; }
    call c;
    call_begin(&c);
    turn_input input = {{{0.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, 1.0, 0.0}, fr_pose_identity(), 0.0};
    fr_sector value;
    fr_status status = FR_OK;
    if (options_fill(&c, keywords, turn_fields, &input)) {
        if (PyObject_TypeCheck(body, mesh_type)) {
            const fr_mesh *mesh = call_hold(&c, body, mesh_type, false);
            if (mesh != NULL) {
                call_leave(&c);
                status = fr_sector_of_mesh(mesh, &input.pose, &input.screw, &value, &c.error);
                call_return(&c);
            }
        } else {
            const array_input *points = call_array(&c, body, 'd', 3, "body");
            if (points != NULL) {
                fr_convex convex = {points->data, points->rows, input.radius};
                status = fr_sector_of_convex(&convex, &input.screw, &value, &c.error);
            }
        }
    }
    return call_end(&c, status) ? give(status, &value, &c.error) : NULL;
}

static PyObject *sector_contains(PyObject *self, PyObject *source) {
    fr_vec3 point;
    return take_vec3(source, &point) ? PyBool_FromLong(fr_sector_contains(value_of(self), point)) : NULL;
}

static PyObject *sector_distance(PyObject *self, PyObject *source) {
    fr_vec3 point;
    return take_vec3(source, &point) ? PyFloat_FromDouble(fr_sector_distance(value_of(self), point)) : NULL;
}

static PyObject *sector_closest(PyObject *self, PyObject *source) {
    fr_vec3 point;
    return take_vec3(source, &point) ? give_vec3(fr_sector_closest(value_of(self), point)) : NULL;
}

static PyObject *sector_overlaps(PyObject *self, PyObject *args, PyObject *keywords) {
    static char *names[] = {"body", "radius", NULL};
    PyObject *body;
    double radius = 0.0;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|d:overlaps", names, &body, &radius)) { return NULL; }
    if (PyObject_TypeCheck(body, sector_type)) {
        double tolerance = 1e-3 * value_of(self)->outer;
        fr_sector_meeting meeting = fr_sector_overlap_sector(value_of(self), value_of(body), tolerance);
        return PyBool_FromLong(meeting != FR_SECTORS_APART);
    }
    call c;
    call_begin(&c);
    const array_input *points = call_array(&c, body, 'd', 3, "body");
    bool is_met = false;
    if (points != NULL && (points->rows < 1 || points->rows > FR_HULL_MAX_POINTS || !(radius >= 0.0))) {
        error_argument("body: %zu points; 1 .. %d are taken, and a radius of 0 or more", points->rows,
                       FR_HULL_MAX_POINTS);
    } else if (points != NULL) {
        fr_convex convex = {points->data, points->rows, radius};
        is_met = fr_sector_overlap_convex(value_of(self), &convex);
    }
    return call_end(&c, FR_OK) ? PyBool_FromLong(is_met) : NULL;
}

static PyObject *sector_get(PyObject *self, void *which) { return field_get(which, value_of(self)); }

static PyObject *sector_repr(PyObject *self) {
    const fr_sector *s = value_of(self);
    PyObject *numbers = Py_BuildValue("(dddd)", s->inner, s->outer, s->half_thickness, s->half_angle);
    PyObject *text =
        numbers != NULL
            ? PyUnicode_FromFormat("<fureai.Sector (inner, outer, half_thickness, half_angle) = %R>", numbers)
            : NULL;
    Py_XDECREF(numbers);
    return text;
}

bool sector_add(PyObject *module) {
    static PyMethodDef methods[] = {
        {"of", KEYWORDS(sector_of) | METH_CLASS,
         "of($type, body, /, *, point=(0, 0, 0), axis=(0, 1, 0), angle=1.0, slide=0.0, pose=None, radius=0.0)\n--\n\n"
         "The sector that holds the whole sweep of a body: a Mesh at its pose, or the hull of points with a radius."},
        {"contains", sector_contains, METH_O, "contains($self, point, /)\n--\n\nWhether a point is in the sector."},
        {"distance", sector_distance, METH_O, "distance($self, point, /)\n--\n\nThe distance of a point; 0 inside."},
        {"closest", sector_closest, METH_O,
         "closest($self, point, /)\n--\n\nThe point of the sector closest to a point."},
        {"overlaps", KEYWORDS(sector_overlaps),
         "overlaps($self, /, body, radius=0.0)\n--\n\nWhether another Sector, or the hull of up to 64 points with a "
         "radius (a ball is one point), meets it."},
        {NULL, NULL, 0, NULL}};
    static PyGetSetDef values[] = {{"center", sector_get, NULL, "On the axis, in the middle of the thickness.", NULL},
                                   {"axis", sector_get, NULL, "What is turned about, unit.", NULL},
                                   {"bisector", sector_get, NULL, "The middle of the angle, unit.", NULL},
                                   {"inner", sector_get, NULL, "Inner radius.", NULL},
                                   {"outer", sector_get, NULL, "Outer radius.", NULL},
                                   {"half_thickness", sector_get, NULL, "To each side along the axis.", NULL},
                                   {"half_angle", sector_get, NULL, "0 .. pi.", NULL},
                                   {NULL, NULL, NULL, NULL, NULL}};
    for (int i = 0; i < 7; i++) {
        values[i].closure = CLOSURE(&fields[i]);
    }
    static PyType_Slot slots[] = {{Py_tp_doc, "Sector(*, center=(0, 0, 0), axis=(0, 1, 0), bisector=(1, 0, 0), "
                                              "inner=0.0, outer=1.0, half_thickness=0.0, half_angle=0.5)\n--\n\n"
                                              "A slice of a cylinder: what a bat, a sword or a door sweeps in a step."},
                                  {Py_tp_new, sector_new},
                                  {Py_tp_dealloc, sector_dealloc},
                                  {Py_tp_repr, sector_repr},
                                  {Py_tp_methods, methods},
                                  {Py_tp_getset, values},
                                  {0, NULL}};
    static PyType_Spec spec = {"fureai.Sector", sizeof(sector), 0, Py_TPFLAGS_DEFAULT, slots};
    return module_add_type(module, &spec, &sector_type);
}
