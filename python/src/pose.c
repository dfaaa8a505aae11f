// Pose and Motion: where a thing is, and how it goes through a step. Values that never change.
#include "module.h"

#include <string.h>

PyTypeObject *pose_type, *motion_type;

typedef struct pose {
    PyObject_HEAD fr_pose value;
} pose;

typedef struct motion {
    PyObject_HEAD fr_motion value;
} motion;

static fr_pose *pose_value(PyObject *object) { return &((pose *)(void *)object)->value; }
static fr_motion *motion_value(PyObject *object) { return &((motion *)(void *)object)->value; }

static PyObject *make_pose(PyTypeObject *type, const fr_pose *value) {
    fr_pose checked = *value;
    fr_error error = {0};
    fr_status status = fr_pose_check(&checked, &error);
    if (status != FR_OK) { return error_raise(status, &error); }
    pose *self = PyObject_New(pose, type);
    if (self != NULL) { self->value = checked; }
    return (PyObject *)self;
}

static PyObject *make_motion(PyTypeObject *type, const fr_motion *value) {
    fr_motion checked = *value;
    fr_error error = {0};
    fr_status status = fr_motion_check(&checked, &error);
    if (status != FR_OK) { return error_raise(status, &error); }
    motion *self = PyObject_New(motion, type);
    if (self != NULL) { self->value = checked; }
    return (PyObject *)self;
}

PyObject *give_pose(const fr_pose *value) {
    pose *self = PyObject_New(pose, pose_type);
    if (self != NULL) { self->value = *value; }
    return (PyObject *)self;
}

PyObject *give_motion(const fr_motion *value) {
    motion *self = PyObject_New(motion, motion_type);
    if (self != NULL) { self->value = *value; }
    return (PyObject *)self;
}

int take_pose(PyObject *source, void *out) {
    fr_pose *value = out;
    if (PyObject_TypeCheck(source, pose_type)) {
        *value = *pose_value(source);
        return 1;
    }
    *value = fr_pose_identity();
    if (source == Py_None) { return 1; }
    return take_vec3(source, &value->position);
}

int take_motion(PyObject *source, void *out) {
    if (!PyObject_TypeCheck(source, motion_type)) {
        PyErr_Format(PyExc_TypeError, "a fureai.Motion is needed, not %R", Py_TYPE(source));
        return 0;
    }
    memcpy(out, motion_value(source), sizeof(fr_motion));
    return 1;
}

static void value_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    PyObject_Free(self);
    Py_DECREF(type);
}

// ---------------------------------------------------------------------------------------------------------------
// Pose

static PyObject *pose_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    static char *names[] = {"position", "rotation", "scale", NULL};
    fr_pose value = fr_pose_identity();
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O&O&d:Pose", names, take_vec3, &value.position, take_quat,
                                     &value.rotation, &value.scale)) {
        return NULL;
    }
    return make_pose(type, &value);
}

static PyObject *pose_from_axis_angle(PyObject *type, PyObject *args, PyObject *keywords) {
    static char *names[] = {"axis", "angle", "position", "scale", NULL};
    fr_vec3 axis, position = {0.0, 0.0, 0.0};
    double angle, scale = 1.0;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O&d|O&d:from_axis_angle", names, take_vec3, &axis, &angle,
                                     take_vec3, &position, &scale)) {
        return NULL;
    }
    fr_pose value = fr_pose_make(position, fr_quat_from_axis_angle(axis, angle));
    value.scale = scale;
    return make_pose((PyTypeObject *)type, &value);
}

static PyObject *pose_from_matrix(PyObject *type, PyObject *source) {
    call c;
    call_begin(&c);
    const array_input *rows = call_array(&c, source, 'd', 4, "matrix");
    fr_pose value = fr_pose_identity();
    bool is_done = rows != NULL && (rows->rows == 3 || rows->rows == 4);
    if (rows != NULL && !is_done) { error_argument("matrix: %zu rows of 4 numbers; 3 or 4 are needed", rows->rows); }
    if (is_done) {
        const double *m = rows->data;
        fr_mat3 turn;
        for (int i = 0; i < 3; i++) {
            turn.row[i] = fr_vec3_make(m[4 * i], m[4 * i + 1], m[4 * i + 2]);
        }
        double scale = fr_cbrt(fr_mat3_determinant(turn));
        for (int i = 0; i < 3; i++) {
            turn.row[i] = fr_vec3_scale(1.0 / scale, turn.row[i]);
        }
        for (int i = 0; i < 3 && is_done; i++) {
            for (int k = 0; k < 3; k++) {
                double product = fr_vec3_dot(turn.row[i], turn.row[k]) - (i == k ? 1.0 : 0.0);
                is_done = is_done && product > -1e-6 && product < 1e-6;
            }
        }
        if (!is_done) { error_argument("matrix: a turn with one scale above 0 is needed, no mirror, no shear"); }
        value = fr_pose_make(fr_vec3_make(m[3], m[7], m[11]), fr_quat_from_mat3(turn));
        value.scale = scale;
    }
    return call_end(&c, FR_OK) ? make_pose((PyTypeObject *)type, &value) : NULL;
}

static PyObject *pose_apply(PyObject *self, PyObject *source) {
    fr_vec3 point;
    return take_vec3(source, &point) ? give_vec3(fr_pose_apply(pose_value(self), point)) : NULL;
}

static PyObject *pose_apply_many(PyObject *self, PyObject *source) {
    call c;
    call_begin(&c);
    const array_input *points = call_array(&c, source, 'd', 3, "points");
    PyObject *out = points != NULL ? array_new(points->data, 'd', points->rows, 3) : NULL;
    if (out != NULL) { fr_pose_apply_many(pose_value(self), array_data(out), points->rows, array_data(out)); }
    if (!call_end(&c, FR_OK)) { Py_CLEAR(out); }
    return out;
}

static PyObject *pose_inverse(PyObject *self, PyObject *unused) {
    (void)unused;
    fr_pose value = fr_pose_inverse(pose_value(self));
    return make_pose(Py_TYPE(self), &value);
}

static PyObject *pose_multiply(PyObject *a, PyObject *b) {
    if (!PyObject_TypeCheck(a, pose_type) || !PyObject_TypeCheck(b, pose_type)) { Py_RETURN_NOTIMPLEMENTED; }
    fr_pose value = fr_pose_compose(pose_value(a), pose_value(b));
    return make_pose(pose_type, &value);
}

static PyObject *pose_compare(PyObject *a, PyObject *b, int operation) {
    if (!PyObject_TypeCheck(b, pose_type) || (operation != Py_EQ && operation != Py_NE)) { Py_RETURN_NOTIMPLEMENTED; }
    const fr_pose *x = pose_value(a), *y = pose_value(b);
    bool is_equal = fr_vec3_equal(x->position, y->position) && x->scale == y->scale && x->rotation.w == y->rotation.w &&
                    x->rotation.x == y->rotation.x && x->rotation.y == y->rotation.y && x->rotation.z == y->rotation.z;
    return PyBool_FromLong(is_equal == (operation == Py_EQ));
}

// "Pose(position=(..), rotation=(..), scale=1.0)", and the same for a motion.
static PyObject *named_repr(const char *name, PyObject *a, PyObject *b, PyObject *c, const char *const names[3]) {
    PyObject *text = NULL;
    if (a != NULL && b != NULL && c != NULL) {
        text = PyUnicode_FromFormat("fureai.%s(%s=%R, %s=%R, %s=%R)", name, names[0], a, names[1], b, names[2], c);
    }
    Py_XDECREF(a);
    Py_XDECREF(b);
    Py_XDECREF(c);
    return text;
}

static PyObject *pose_repr(PyObject *self) {
    static const char *const names[3] = {"position", "rotation", "scale"};
    const fr_pose *value = pose_value(self);
    return named_repr("Pose", give_vec3(value->position), give_quat(value->rotation), PyFloat_FromDouble(value->scale),
                      names);
}

static const field pose_fields[] = {FIELD(fr_pose, position, 'V'), FIELD(fr_pose, rotation, 'q'),
                                    FIELD(fr_pose, scale, 'd')};

static PyObject *pose_get(PyObject *self, void *which) { return field_get(which, pose_value(self)); }

static PyObject *pose_matrix(PyObject *self, void *unused) {
    (void)unused;
    const fr_pose *p = pose_value(self);
    fr_mat3 m = fr_quat_to_mat3(p->rotation);
    fr_vec3 rows[3];
    for (int i = 0; i < 3; i++) {
        rows[i] = fr_vec3_scale(p->scale, m.row[i]);
    }
    return Py_BuildValue("((dddd)(dddd)(dddd)(dddd))", rows[0].x, rows[0].y, rows[0].z, p->position.x, rows[1].x,
                         rows[1].y, rows[1].z, p->position.y, rows[2].x, rows[2].y, rows[2].z, p->position.z, 0.0, 0.0,
                         0.0, 1.0);
}

static bool add_pose(PyObject *module) {
    static PyMethodDef methods[] = {
        {"from_axis_angle", (PyCFunction)(void (*)(void))pose_from_axis_angle,
         METH_VARARGS | METH_KEYWORDS | METH_CLASS,
         "from_axis_angle($type, /, axis, angle, position=(0, 0, 0), scale=1.0)\n--\n\n"
         "The pose turned by `angle` radians about `axis`, of any length."},
        {"from_matrix", pose_from_matrix, METH_O | METH_CLASS,
         "from_matrix($type, matrix, /)\n--\n\nThe pose of a matrix of 3 or 4 rows of 4 numbers: a turn, one scale, a "
         "position.\nA mirror or a shear is ArgumentError."},
        {"apply", pose_apply, METH_O, "apply($self, point, /)\n--\n\nWhere a local point is in the world."},
        {"apply_many", pose_apply_many, METH_O,
         "apply_many($self, points, /)\n--\n\nThe same for rows of three numbers, as an Array of doubles."},
        {"inverse", pose_inverse, METH_NOARGS, "inverse($self, /)\n--\n\nThe pose that undoes this one."},
        {NULL, NULL, 0, NULL}};
    static PyGetSetDef values[] = {{"position", pose_get, NULL, "Metres.", NULL},
                                   {"rotation", pose_get, NULL, "Unit quaternion (w, x, y, z).", NULL},
                                   {"scale", pose_get, NULL, "Uniform, above 0.", NULL},
                                   {"matrix", pose_matrix, NULL, "4 rows of 4 numbers.", NULL},
                                   {NULL, NULL, NULL, NULL, NULL}};
    for (int i = 0; i < 3; i++) {
        values[i].closure = CLOSURE(&pose_fields[i]);
    }
    static PyType_Slot slots[] = {
        {Py_tp_doc, "Pose(position=(0, 0, 0), rotation=(1, 0, 0, 0), scale=1.0)\n--\n\n"
                    "Where a thing is: turned and scaled about its origin, then moved. Right-handed, y up, metres.\n"
                    "a * b is first b, then a. It never changes."},
        {Py_tp_new, pose_new},
        {Py_tp_dealloc, value_dealloc},
        {Py_tp_repr, pose_repr},
        {Py_tp_richcompare, pose_compare},
        {Py_tp_hash, PyObject_HashNotImplemented},
        {Py_tp_methods, methods},
        {Py_tp_getset, values},
        {Py_nb_multiply, pose_multiply},
        {0, NULL}};
    static PyType_Spec spec = {"fureai.Pose", sizeof(pose), 0, Py_TPFLAGS_DEFAULT, slots};
    return module_add_type(module, &spec, &pose_type);
}

// ---------------------------------------------------------------------------------------------------------------
// Motion

static PyObject *motion_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    static char *names[] = {"start", "travel", "turn", "pivot", NULL};
    fr_pose start = fr_pose_identity();
    fr_vec3 travel = {0.0, 0.0, 0.0}, turn = travel, pivot = travel;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O&O&O&O&:Motion", names, take_pose, &start, take_vec3, &travel,
                                     take_vec3, &turn, take_vec3, &pivot)) {
        return NULL;
    }
    fr_motion value = {start, pivot, travel, turn};
    return make_motion(type, &value);
}

static PyObject *motion_between(PyObject *type, PyObject *args, PyObject *keywords) {
    static char *names[] = {"a", "b", "pivot", "screw", NULL};
    fr_pose a, b;
    fr_vec3 pivot = {0.0, 0.0, 0.0};
    int is_screw = 0;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O&O&|O&p:between", names, take_pose, &a, take_pose, &b, take_vec3,
                                     &pivot, &is_screw)) {
        return NULL;
    }
    fr_motion value = is_screw ? fr_motion_screw_between(&a, &b) : fr_motion_between(&a, &b, pivot);
    return make_motion((PyTypeObject *)type, &value);
}

static PyObject *motion_pose(PyObject *self, PyObject *time) {
    double t = PyFloat_AsDouble(time);
    if (PyErr_Occurred()) { return NULL; }
    fr_pose value = fr_motion_pose(motion_value(self), t);
    return make_pose(pose_type, &value);
}

static PyObject *motion_point(PyObject *self, PyObject *args) {
    fr_vec3 point;
    double t;
    if (!PyArg_ParseTuple(args, "O&d:point", take_vec3, &point, &t)) { return NULL; }
    return give_vec3(fr_motion_point(motion_value(self), point, t));
}

static PyObject *motion_repr(PyObject *self) {
    static const char *const names[3] = {"start", "travel", "turn"};
    const fr_motion *value = motion_value(self);
    return named_repr("Motion", give_pose(&value->start), give_vec3(value->travel), give_vec3(value->turn), names);
}

static const field motion_fields[] = {FIELD(fr_motion, start, 'P'), FIELD(fr_motion, travel, 'V'),
                                      FIELD(fr_motion, turn, 'V'), FIELD_AS(fr_motion, "pivot", pivot_local, 'V')};

static PyObject *motion_get(PyObject *self, void *which) { return field_get(which, motion_value(self)); }

static bool add_motion(PyObject *module) {
    static PyMethodDef methods[] = {
        {"between", (PyCFunction)(void (*)(void))motion_between, METH_VARARGS | METH_KEYWORDS | METH_CLASS,
         "between($type, /, a, b, pivot=(0, 0, 0), screw=False)\n--\n\n"
         "From pose a to pose b by the shorter turn: the pivot goes straight, or all of it as one screw."},
        {"pose", motion_pose, METH_O, "pose($self, t, /)\n--\n\nThe pose at t = 0 .. 1."},
        {"point", motion_point, METH_VARARGS, "point($self, point, t, /)\n--\n\nWhere a local point is at t."},
        {NULL, NULL, 0, NULL}};
    static PyGetSetDef values[] = {
        {"start", motion_get, NULL, "Pose at t = 0.", NULL},
        {"travel", motion_get, NULL, "Displacement of the pivot, in world axes.", NULL},
        {"turn", motion_get, NULL, "Axis times angle, in world axes; several turns too.", NULL},
        {"pivot", motion_get, NULL, "The point that goes straight, in local axes.", NULL},
        {NULL, NULL, NULL, NULL, NULL}};
    for (int i = 0; i < 4; i++) {
        values[i].closure = CLOSURE(&motion_fields[i]);
    }
    static PyType_Slot slots[] = {
        {Py_tp_doc, "Motion(start=None, travel=(0, 0, 0), turn=(0, 0, 0), pivot=(0, 0, 0))\n--\n\n"
                    "How a thing goes over a step: its pivot straight, all else turning about it evenly, any angle."},
        {Py_tp_new, motion_new},
        {Py_tp_dealloc, value_dealloc},
        {Py_tp_repr, motion_repr},
        {Py_tp_methods, methods},
        {Py_tp_getset, values},
        {0, NULL}};
    static PyType_Spec spec = {"fureai.Motion", sizeof(motion), 0, Py_TPFLAGS_DEFAULT, slots};
    return module_add_type(module, &spec, &motion_type);
}

bool pose_add(PyObject *module) { return add_pose(module) && add_motion(module); }
