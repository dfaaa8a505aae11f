// Skeleton and Clip: bodies of people, and recorded motions of them.
#include "module.h"

#include "fureai/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static PyTypeObject *skeleton_type, *clip_type;

static void release_skeleton(void *thing) { fr_skeleton_release(thing); }
static void release_clip(void *thing) { fr_clip_release(thing); }

// ---------------------------------------------------------------------------------------------------------------
// Skeleton

static const field body_fields[] = {
    FIELD(fr_body_def, stature, 'd'),   FIELD(fr_body_def, mass, 'd'), FIELD(fr_body_def, head, 'd'),
    FIELD(fr_body_def, leg, 'd'),       FIELD(fr_body_def, arm, 'd'),  FIELD(fr_body_def, shoulder_width, 'd'),
    FIELD(fr_body_def, hip_width, 'd'), FIELD(fr_body_def, foot, 'd'), {NULL, 0, 0, NULL}};

static PyObject *skeleton_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    if (!PyArg_ParseTuple(args, ":Skeleton")) { return NULL; }
    call c;
    call_begin(&c);
    fr_body_def def = fr_default_body_def();
    fr_skeleton *skeleton = NULL;
    fr_status status = FR_OK;
    if (options_fill(&c, keywords, body_fields, &def)) { status = fr_skeleton_create_body(&def, &skeleton, &c.error); }
    return call_end(&c, status) ? handle_make(type, skeleton, release_skeleton, NULL) : NULL;
}

static const fr_skeleton *skeleton_of(PyObject *self) { return handle_use(self, skeleton_type, false); }

static PyObject *skeleton_names(PyObject *self, void *unused) {
    (void)unused;
    const fr_skeleton *skeleton = skeleton_of(self);
    PyObject *list = skeleton != NULL ? PyList_New(0) : NULL;
    for (uint32_t i = 0; list != NULL && i < fr_skeleton_get(skeleton)->link_count; i++) {
        PyObject *name = give_text(fr_skeleton_get(skeleton)->names[i]);
        if (name == NULL || PyList_Append(list, name) != 0) { Py_CLEAR(list); }
        Py_XDECREF(name);
    }
    return list;
}

static PyObject *skeleton_parents(PyObject *self, void *unused) {
    static const field parent = {"", 'U', 0, NULL};
    (void)unused;
    const fr_skeleton *skeleton = skeleton_of(self);
    PyObject *list = skeleton != NULL ? PyList_New(0) : NULL;
    for (uint32_t i = 0; list != NULL && i < fr_skeleton_get(skeleton)->link_count; i++) {
        PyObject *one = field_get(&parent, &fr_skeleton_get(skeleton)->parents[i]);
        if (one == NULL || PyList_Append(list, one) != 0) { Py_CLEAR(list); }
        Py_XDECREF(one);
    }
    return list;
}

// Where all links of a posture are: rows of w x y z, x y z and the scale.
static PyObject *give_poses(const fr_skeleton *skeleton, const fr_posture *posture) {
    fr_error error = {0};
    PyObject *out = array_new(NULL, 'd', posture->count, 8);
    if (out == NULL) { return NULL; }
    fr_status status = fr_posture_poses(skeleton, posture, 1, array_data(out), &error);
    if (status != FR_OK) {
        Py_DECREF(out);
        return error_raise(status, &error);
    }
    return out;
}

static PyObject *skeleton_rest(PyObject *self, PyObject *unused) {
    (void)unused;
    const fr_skeleton *skeleton = skeleton_of(self);
    if (skeleton == NULL) { return NULL; }
    fr_quat turns[FR_MAX_LINKS];
    fr_posture posture = {.turns = turns, .count = fr_skeleton_get(skeleton)->link_count};
    fr_error error = {0};
    fr_status status = fr_posture_rest(skeleton, &posture, &error);
    return status == FR_OK ? give_poses(skeleton, &posture) : error_raise(status, &error);
}

static PyObject *skeleton_repr(PyObject *self) {
    const fr_skeleton *skeleton = ((handle *)(void *)self)->thing;
    if (skeleton == NULL) { return PyUnicode_FromString("<fureai.Skeleton, closed>"); }
    return PyUnicode_FromFormat("<fureai.Skeleton of %u links>", fr_skeleton_get(skeleton)->link_count);
}

// ---------------------------------------------------------------------------------------------------------------
// Clip: its owner is the skeleton that it is a motion of

static PyObject *clip_read(PyObject *type, PyObject *args, PyObject *keywords) {
    static const field fields[] = {FIELD(fr_bvh_input, unit, 'd'), {NULL, 0, 0, NULL}};
    (void)type;
    PyObject *path = NULL;
    if (!PyArg_ParseTuple(args, "O&:read", take_path, &path)) { return NULL; }
    call c;
    call_begin(&c);
    fr_bvh_input input = fr_default_bvh_input();
    fr_skeleton *skeleton = NULL;
    fr_clip *clip = NULL;
    fr_status status = FR_OK;
    if (options_fill(&c, keywords, fields, &input)) {
        fr_input_file_def def = fr_default_input_file_def();
        fr_input_file file;
        def.path = PyBytes_AsString(path);
        input.control = def.control = &c.control;
        call_leave(&c);
        status = fr_input_file_read(&def, &file, &c.error);
        if (status == FR_OK) {
            input.text = (const char *)file.data;
            input.size = file.size;
            status = fr_bvh_read(&input, &skeleton, &clip, NULL, &c.error);
            if (status != FR_OK) { fr_error_locate(&c.error, def.path, c.error.line, c.error.column); }
            fr_input_file_destroy(&file);
        }
        call_return(&c);
    }
    Py_DECREF(path);
    PyObject *body = call_end(&c, status) ? handle_make(skeleton_type, skeleton, release_skeleton, NULL) : NULL;
    if (body == NULL) {
        fr_clip_release(clip);
        return NULL;
    }
    PyObject *out = handle_make(clip_type, clip, release_clip, body);
    Py_DECREF(body);
    return out;
}

static const field clip_fields[] = {FIELD(fr_clip_view, name, 's'), FIELD(fr_clip_view, frame_rate, 'd'),
                                    FIELD(fr_clip_view, duration, 'd'), FIELD(fr_clip_view, frame_count, 'I'),
                                    FIELD(fr_clip_view, link_count, 'I')};

static PyObject *clip_get(PyObject *self, void *which) {
    const fr_clip *clip = handle_use(self, clip_type, false);
    return clip != NULL ? field_get(which, fr_clip_get(clip)) : NULL;
}

static PyObject *clip_skeleton(PyObject *self, void *unused) {
    (void)unused;
    return handle_use(self, clip_type, false) != NULL ? Py_NewRef(((handle *)(void *)self)->owner) : NULL;
}

static PyObject *clip_poses(PyObject *self, PyObject *time) {
    const fr_clip *clip = handle_use(self, clip_type, false);
    double seconds = clip != NULL ? PyFloat_AsDouble(time) : 0.0;
    const fr_skeleton *skeleton =
        clip != NULL && !PyErr_Occurred() ? skeleton_of(((handle *)(void *)self)->owner) : NULL;
    if (skeleton == NULL) { return NULL; }
    fr_quat turns[FR_MAX_LINKS];
    fr_posture posture = {.turns = turns, .count = fr_skeleton_get(skeleton)->link_count};
    fr_error error = {0};
    fr_status status = fr_clip_sample(clip, seconds, &posture, &error);
    return status == FR_OK ? give_poses(skeleton, &posture) : error_raise(status, &error);
}

static bool write_bytes(const char *bytes, size_t size, void *context) {
    return fwrite(bytes, 1, size, context) == size;
}

static PyObject *clip_write(PyObject *self, PyObject *args) {
    PyObject *path = NULL;
    if (!PyArg_ParseTuple(args, "O&:write", take_path, &path)) { return NULL; }
    call c;
    call_begin(&c);
    fr_status status = FR_OK;
    const fr_clip *clip = call_hold(&c, self, clip_type, false);
    const fr_skeleton *skeleton =
        clip != NULL ? call_hold(&c, ((handle *)(void *)self)->owner, skeleton_type, false) : NULL;
    if (skeleton != NULL) {
        const char *name = PyBytes_AsString(path);
        call_leave(&c);
        FILE *file = fopen(name, "wb");
        if (file == NULL) {
            status = fr_error_set(&c.error, FR_ERROR_FILE, "cannot be written: %s", strerror(errno));
        } else {
            status = fr_bvh_write(skeleton, clip, 1.0, write_bytes, file, &c.error);
            if (fclose(file) != 0 && status == FR_OK) {
                status = fr_error_set(&c.error, FR_ERROR_FILE, "cannot be written: %s", strerror(errno));
            }
        }
        if (status != FR_OK) { fr_error_locate(&c.error, name, 0, 0); }
        call_return(&c);
    }
    Py_DECREF(path);
    if (!call_end(&c, status)) { return NULL; }
    Py_RETURN_NONE;
}

static PyObject *clip_repr(PyObject *self) {
    const fr_clip *clip = ((handle *)(void *)self)->thing;
    if (clip == NULL) { return PyUnicode_FromString("<fureai.Clip, closed>"); }
    const fr_clip_view *view = fr_clip_get(clip);
    return PyUnicode_FromFormat("<fureai.Clip of %u frames and %u links>", view->frame_count, view->link_count);
}

static bool add_skeleton(PyObject *module) {
    static PyMethodDef methods[] = {HANDLE_METHODS,
                                    {"rest", skeleton_rest, METH_NOARGS,
                                     "rest($self, /)\n--\n\nWhere all links are at rest: an Array of rows of a "
                                     "quaternion (w, x, y, z), a position and a scale."},
                                    {NULL, NULL, 0, NULL}};
    static PyGetSetDef values[] = {{"names", skeleton_names, NULL, "Of each link.", NULL},
                                   {"parents", skeleton_parents, NULL, "Of each link; None of the root.", NULL},
                                   HANDLE_CLOSED,
                                   {NULL, NULL, NULL, NULL, NULL}};
    static PyType_Slot slots[] = {
        {Py_tp_doc, "Skeleton(*, stature=1.7, mass=0.0, head=0.0, leg=0.0, arm=0.0, shoulder_width=0.0, hip_width=0.0, "
                    "foot=0.0)\n--\n\n"
                    "The body of 43 links of a person; 0: as people of that stature have it on average."},
        {Py_tp_new, skeleton_new},
        {Py_tp_dealloc, handle_dealloc},
        {Py_tp_repr, skeleton_repr},
        {Py_tp_methods, methods},
        {Py_tp_getset, values},
        {0, NULL}};
    static PyType_Spec spec = {"fureai.Skeleton", sizeof(handle), 0, Py_TPFLAGS_DEFAULT, slots};
    return module_add_type(module, &spec, &skeleton_type);
}

bool human_add(PyObject *module) {
    static PyMethodDef methods[] = {
        HANDLE_METHODS,
        {"read", KEYWORDS(clip_read) | METH_CLASS,
         "read($type, path, /, *, unit=0.0)\n--\n\nReads a BVH file; `unit` is metres a unit, 0: guessed by the size "
         "of the skeleton."},
        {"poses", clip_poses, METH_O,
         "poses($self, seconds, /)\n--\n\nWhere all links are at a time: an Array of rows of a quaternion, a position "
         "and a scale."},
        {"write", clip_write, METH_VARARGS, "write($self, path, /)\n--\n\nWrites a BVH file, in metres."},
        {NULL, NULL, 0, NULL}};
    static PyGetSetDef values[] = {{"name", clip_get, NULL, "What it is called.", NULL},
                                   {"frame_rate", clip_get, NULL, "Frames a second.", NULL},
                                   {"duration", clip_get, NULL, "Seconds from the first frame to the last.", NULL},
                                   {"frame_count", clip_get, NULL, "Number of frames.", NULL},
                                   {"link_count", clip_get, NULL, "Number of links.", NULL},
                                   {"skeleton", clip_skeleton, NULL, "The Skeleton that it is a motion of.", NULL},
                                   HANDLE_CLOSED,
                                   {NULL, NULL, NULL, NULL, NULL}};
    for (int i = 0; i < 5; i++) {
        values[i].closure = CLOSURE(&clip_fields[i]);
    }
    static PyType_Slot slots[] = {{Py_tp_doc, "A recorded motion of a skeleton. Clip.read(path) reads a BVH file."},
                                  {Py_tp_dealloc, handle_dealloc},
                                  {Py_tp_repr, clip_repr},
                                  {Py_tp_methods, methods},
                                  {Py_tp_getset, values},
                                  {0, NULL}};
    static PyType_Spec spec = {"fureai.Clip", sizeof(handle), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                               slots};
    return add_skeleton(module) && module_add_type(module, &spec, &clip_type);
}
