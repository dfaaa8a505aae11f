// Model: a model file as a tree of named parts; read, written, made from meshes and turned into them.
#include "module.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

PyTypeObject *model_type;

static void destroy(void *thing) { fr_model_destroy(thing); }

PyObject *model_wrap(fr_model *model) { return handle_make(model_type, model, destroy, NULL); }

// ---------------------------------------------------------------------------------------------------------------
// Reading

static const char *const up_names[] = {"as file", "x", "y", "z", NULL};
static const char *const precision_names[] = {"as file", "float", "double", NULL};

static const field read_fields[] = {FIELD_ENUM(fr_model_read_input, precision, precision_names),
                                    FIELD(fr_model_read_input, is_strict, 'b'),
                                    FIELD(fr_model_read_input, unit, 'd'),
                                    FIELD_ENUM(fr_model_read_input, up, up_names),
                                    FIELD(fr_model_read_input, may_guess, 'b'),
                                    FIELD(fr_model_read_input, has_all_choices, 'b'),
                                    FIELD(fr_model_read_input, level, 'I'),
                                    FIELD(fr_model_read_input, facet_tolerance, 'd'),
                                    FIELD(fr_model_read_input, name, 's'),
                                    {NULL, 0, 0, NULL}};

static PyObject *model_read(PyObject *type, PyObject *args, PyObject *keywords) {
    (void)type;
    PyObject *path = NULL;
    if (!PyArg_ParseTuple(args, "O&:read", take_path, &path)) { return NULL; }
    call c;
    call_begin(&c);
    fr_model_read_input input = fr_default_model_read_input();
    fr_model *model = NULL;
    fr_status status = FR_OK;
    if (options_fill(&c, keywords, read_fields, &input)) {
        input.control = &c.control;
        const char *name = PyBytes_AsString(path);
        call_leave(&c);
        status = fr_model_read_file(name, &input, &model, &c.error);
        call_return(&c);
    }
    Py_DECREF(path);
    if (!call_end(&c, status)) {
        fr_model_destroy(model);
        return NULL;
    }
    return model_wrap(model);
}

static PyObject *model_read_bytes(PyObject *type, PyObject *args, PyObject *keywords) {
    (void)type;
    PyObject *source;
    if (!PyArg_ParseTuple(args, "O:read_bytes", &source)) { return NULL; }
    // The reader trusts that its bytes stay as they are, so what may change is copied.
    PyObject *bytes = PyBytes_Check(source) ? Py_NewRef(source) : PyBytes_FromObject(source);
    if (bytes == NULL) { return NULL; }
    call c;
    call_begin(&c);
    fr_model_read_input input = fr_default_model_read_input();
    fr_model *model = NULL;
    fr_status status = FR_OK;
    if (options_fill(&c, keywords, read_fields, &input)) {
        input.control = &c.control;
        const char *data = PyBytes_AsString(bytes);
        size_t size = (size_t)PyBytes_Size(bytes);
        call_leave(&c);
        status = fr_model_read(data, size, &input, &model, &c.error);
        call_return(&c);
    }
    Py_DECREF(bytes);
    if (!call_end(&c, status)) {
        fr_model_destroy(model);
        return NULL;
    }
    return model_wrap(model);
}

static PyObject *model_from_mesh(PyObject *type, PyObject *args) {
    (void)type;
    PyObject *source;
    const char *name = NULL;
    if (!PyArg_ParseTuple(args, "O|z:from_mesh", &source, &name)) { return NULL; }
    const fr_mesh *mesh = handle_use(source, mesh_type, false);
    if (mesh == NULL) { return NULL; }
    fr_model *model = NULL;
    fr_error error = {0};
    fr_status status = fr_model_from_mesh(mesh, name, NULL, &model, &error);
    return status == FR_OK ? model_wrap(model) : error_raise(status, &error);
}

// ---------------------------------------------------------------------------------------------------------------
// Writing

static const char *const format_names[] = {"auto", "obj",  "stl",      "stl-ascii",    "ply", "ply-ascii",
                                           "off",  "vrml", "VRML 1.0", "Inventor 2.x", "x3d", "x3dv",
                                           "dxf",  "gltf", "glb",      "collada",      "frm", NULL};

typedef struct write_input {
    fr_model_write_input input;
    uint32_t format;
} write_input;

static const field write_fields[] = {FIELD_AS(write_input, "unit", input.unit, 'd'),
                                     {"up", 'E', offsetof(write_input, input.up), up_names},
                                     FIELD_AS(write_input, "is_uncooked", input.is_uncooked, 'b'),
                                     FIELD_ENUM(write_input, format, format_names),
                                     {NULL, 0, 0, NULL}};

static bool sink(const void *bytes, size_t size, void *context) { return fwrite(bytes, 1, size, context) == size; }

// Writes beside the file and puts it there when it is whole.
static fr_status write_file(const fr_model *model, const write_input *w, const char *path, fr_error *error) {
    char beside[4096];
    if ((size_t)snprintf(beside, sizeof beside, "%s.part", path) >= sizeof beside) {
        return fr_error_set(error, FR_ERROR_LIMIT, "the path is too long");
    }
    FILE *file = fopen(beside, "wb");
    fr_status status = FR_OK;
    if (file == NULL) {
        status = fr_error_set(error, FR_ERROR_FILE, "cannot be written: %s", strerror(errno));
    } else {
        status = fr_model_write(model, (fr_model_format)w->format, &w->input, sink, file, error);
        bool is_closed = fclose(file) == 0;
        if (status == FR_OK && (!is_closed || rename(beside, path) != 0)) {
            status = fr_error_set(error, FR_ERROR_FILE, "cannot be written: %s", strerror(errno));
        }
        if (status != FR_OK) { remove(beside); }
    }
    if (status != FR_OK) { fr_error_locate(error, path, 0, 0); }
    return status;
}

static PyObject *model_write(PyObject *self, PyObject *args, PyObject *keywords) {
    PyObject *path = NULL;
    if (!PyArg_ParseTuple(args, "O&:write", take_path, &path)) { return NULL; }
    call c;
    call_begin(&c);
    write_input input = {fr_default_model_write_input(), FR_MODEL_AUTO};
    fr_status status = FR_OK;
    const fr_model *model = call_hold(&c, self, model_type, false);
    if (model != NULL && options_fill(&c, keywords, write_fields, &input)) {
        const char *name = PyBytes_AsString(path);
        input.input.control = &c.control;
        if (input.format == FR_MODEL_AUTO) { input.format = (uint32_t)fr_model_format_of_name(name); }
        call_leave(&c);
        if (input.format == FR_MODEL_AUTO) {
            status = fr_error_set(&c.error, FR_ERROR_ARGUMENT, "no format has a name that ends so");
            fr_error_locate(&c.error, name, 0, 0);
        } else {
            status = write_file(model, &input, name, &c.error);
        }
        call_return(&c);
    }
    Py_DECREF(path);
    if (!call_end(&c, status)) { return NULL; }
    Py_RETURN_NONE;
}

// ---------------------------------------------------------------------------------------------------------------
// What a model holds

static const fr_model_view *view_of(PyObject *self) {
    const fr_model *model = handle_use(self, model_type, false);
    return model != NULL ? fr_model_get(model) : NULL;
}

static const field view_fields[] = {FIELD_ENUM(fr_model_view, format, format_names),
                                    FIELD(fr_model_view, vertex_count, 'Q'),
                                    FIELD(fr_model_view, face_count, 'Q'),
                                    FIELD(fr_model_view, triangle_count, 'Q'),
                                    FIELD(fr_model_view, warning_count, 'Q'),
                                    FIELD(fr_model_view, bounds, 'B'),
                                    FIELD(fr_model_view, unit, 'd'),
                                    FIELD(fr_model_view, node_count, 'I')};

static PyObject *model_get(PyObject *self, void *which) {
    const fr_model_view *view = view_of(self);
    return view != NULL ? field_get(which, view) : NULL;
}

static const field node_fields[] = {FIELD(fr_model_node, name, 's'),  FIELD(fr_model_node, parent, 'U'),
                                    FIELD(fr_model_node, mesh, 'U'),  FIELD(fr_model_node, material, 'U'),
                                    FIELD(fr_model_node, flags, 'I'), {NULL, 0, 0, NULL}};
static record node_record = {"fureai.Node", "A node of a model's tree.", sizeof(fr_model_node), node_fields, NULL,
                             NULL};

static const field warning_fields[] = {FIELD(fr_model_warning, line, 'i'),
                                       FIELD(fr_model_warning, column, 'i'),
                                       FIELD(fr_model_warning, message, 't'),
                                       {NULL, 0, 0, NULL}};
static record warning_record = {
    "fureai.Warning", "What a reader passed over, and where.", sizeof(fr_model_warning), warning_fields, NULL, NULL};

// A list of records of an array of structs.
static PyObject *list_of(const record *r, const void *data, size_t count) {
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; list != NULL && i < count; i++) {
        PyObject *one = record_make(r, (const char *)data + i * r->bytes);
        if (one == NULL || PyList_SetItem(list, (Py_ssize_t)i, one) != 0) { Py_CLEAR(list); }
    }
    return list;
}

static PyObject *model_nodes(PyObject *self, void *unused) {
    (void)unused;
    const fr_model_view *view = view_of(self);
    return view != NULL ? list_of(&node_record, view->nodes, view->node_count) : NULL;
}

static PyObject *model_warnings(PyObject *self, void *unused) {
    (void)unused;
    const fr_model_view *view = view_of(self);
    return view != NULL ? list_of(&warning_record, view->warnings, view->listed_warning_count) : NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// Meshes

static const char *const use_names[] = {"touch", "show", NULL};
static const field mesh_fields[] = {FIELD(fr_model_mesh_input, is_double, 'b'),
                                    FIELD(fr_model_mesh_input, is_in_own_frame, 'b'),
                                    FIELD_ENUM(fr_model_mesh_input, use, use_names),
                                    FIELD(fr_model_mesh_input, tasks, 'T'),
                                    {NULL, 0, 0, NULL}};

static PyObject *model_mesh(PyObject *self, PyObject *args, PyObject *keywords) {
    PyObject *node = Py_None;
    if (!PyArg_ParseTuple(args, "|O:mesh", &node)) { return NULL; }
    call c;
    call_begin(&c);
    fr_model_mesh_input input = fr_default_model_mesh_input();
    fr_mesh *mesh = NULL;
    fr_status status = FR_OK;
    const fr_model *model = call_hold(&c, self, model_type, false);
    unsigned long number = model != NULL && node != Py_None ? PyLong_AsUnsignedLong(node) : 0;
    if (model != NULL && !PyErr_Occurred() && options_fill(&c, keywords, mesh_fields, &input)) {
        const fr_model_view *view = fr_model_get(model);
        input.control = &c.control;
        if (node != Py_None && (number >= view->node_count || view->nodes[number].mesh == FR_NONE)) {
            status = fr_error_set(&c.error, FR_ERROR_ARGUMENT, "node %lu has no mesh", number);
        } else {
            call_leave(&c);
            status = node != Py_None ? fr_model_part_mesh(model, (uint32_t)number, &input, &mesh, &c.error)
                                     : fr_model_whole_mesh(model, &input, &mesh, &c.error);
            call_return(&c);
        }
    }
    if (!call_end(&c, status)) {
        fr_mesh_release(mesh);
        return NULL;
    }
    return mesh_wrap(mesh);
}

FR_ARRAY_TYPE(part_array, fr_model_part);

static fr_status take_part(const fr_model_part *part, void *context, fr_error *error) {
    fr_model_part *more = part_array_push(context, 1);
    if (more == NULL) {
        fr_mesh_release(part->mesh);
        fr_skin_release(part->skin);
        return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for the parts of a model");
    }
    *more = *part;
    return FR_OK;
}

static PyObject *model_parts(PyObject *self, PyObject *args, PyObject *keywords) {
    if (!PyArg_ParseTuple(args, ":parts")) { return NULL; }
    call c;
    call_begin(&c);
    fr_model_mesh_input input = fr_default_model_mesh_input();
    part_array list = part_array_make(NULL);
    fr_status status = FR_OK;
    const fr_model *model = call_hold(&c, self, model_type, false);
    if (model != NULL && options_fill(&c, keywords, mesh_fields, &input)) {
        input.control = &c.control;
        call_leave(&c);
        status = fr_model_parts(model, &input, take_part, &list, &c.error);
        call_return(&c);
    }
    PyObject *out = PyList_New(0);
    for (size_t i = 0; i < list.count; i++) {
        const fr_model_part *part = &list.data[i];
        fr_skin_release(part->skin);
        PyObject *mesh = mesh_wrap(part->mesh);
        const char *name = model != NULL ? fr_model_get(model)->nodes[part->node].name : "";
        PyObject *one = mesh != NULL ? Py_BuildValue("(NNN)", give_text(name), mesh, give_pose(&part->pose)) : NULL;
        if (out != NULL && (one == NULL || PyList_Append(out, one) != 0)) { Py_CLEAR(out); }
        Py_XDECREF(one);
    }
    part_array_destroy(&list);
    if (!call_end(&c, status)) { Py_CLEAR(out); }
    return out;
}

static PyObject *model_repr(PyObject *self) {
    const fr_model *model = ((handle *)(void *)self)->thing;
    if (model == NULL) { return PyUnicode_FromString("<fureai.Model, closed>"); }
    const fr_model_view *view = fr_model_get(model);
    return PyUnicode_FromFormat("<fureai.Model (%s) of %u nodes and %llu polygons>", fr_model_format_name(view->format),
                                view->node_count, (unsigned long long)view->face_count);
}

static PyMethodDef model_methods[] = {
    HANDLE_METHODS,
    {"read", KEYWORDS(model_read) | METH_CLASS,
     "read($type, path, /, *, precision='as file', is_strict=False, unit=0.0, up='as file', may_guess=False,\n"
     "     has_all_choices=False, level=0, facet_tolerance=0.0, progress=None)\n--\n\n"
     "Reads a model file: OBJ, STL, PLY, OFF, VRML, X3D, DXF, glTF, Collada or .frm. What is wrong in it is an "
     "exception\n"
     "with path, line and column; `unit` is metres a unit, 0 as the file says."},
    {"read_bytes", KEYWORDS(model_read_bytes) | METH_CLASS,
     "read_bytes($type, data, /, *, name=None, **as_of_read)\n--\n\n"
     "Reads a model from bytes; what can change (a bytearray) is copied first. `name` helps to recognise the format."},
    {"from_mesh", model_from_mesh, METH_VARARGS | METH_CLASS,
     "from_mesh($type, mesh, name=None, /)\n--\n\nA model of one part."},
    {"write", KEYWORDS(model_write),
     "write($self, path, /, *, format='auto', unit=0.0, up='as file', is_uncooked=False, progress=None)\n--\n\n"
     "Writes a file in the format of its name's end: obj, stl, ply, off, wrl, glb, frm. It is there when it is whole."},
    {"mesh", KEYWORDS(model_mesh),
     "mesh($self, node=None, /, *, is_double=False, is_in_own_frame=False, use='touch', tasks=None, "
     "progress=None)\n--\n\n"
     "The mesh of a node, or of all parts together."},
    {"parts", KEYWORDS(model_parts),
     "parts($self, /, *, is_double=False, use='touch', tasks=None, progress=None)\n--\n\n"
     "Every part as (name, mesh, pose). Nodes that share a mesh share it here too."},
    {NULL, NULL, 0, NULL}};

bool model_add(PyObject *module) {
    static PyGetSetDef values[] = {
        {"format", model_get, NULL, "What it was read from.", NULL},
        {"vertex_count", model_get, NULL, "Vertices of all meshes, each once.", NULL},
        {"face_count", model_get, NULL, "Polygons of all meshes, each once.", NULL},
        {"triangle_count", model_get, NULL, "Triangles that the polygons give.", NULL},
        {"warning_count", model_get, NULL, "What the reader passed over.", NULL},
        {"bounds", model_get, NULL, "Low and high corner of the box about all that is shown.", NULL},
        {"unit", model_get, NULL, "Metres a unit that the file was read with.", NULL},
        {"node_count", model_get, NULL, "Nodes of the tree.", NULL},
        {"nodes", model_nodes, NULL, "The tree, parents first, as a list of Node.", NULL},
        {"warnings", model_warnings, NULL, "The first warnings, as a list of Warning.", NULL},
        HANDLE_CLOSED,
        {NULL, NULL, NULL, NULL, NULL}};
    for (int i = 0; i < 8; i++) {
        values[i].closure = CLOSURE(&view_fields[i]);
    }
    static PyType_Slot slots[] = {{Py_tp_doc, "A model file as a tree of named parts. Model.read(path) reads one."},
                                  {Py_tp_dealloc, handle_dealloc},
                                  {Py_tp_repr, model_repr},
                                  {Py_tp_methods, model_methods},
                                  {Py_tp_getset, values},
                                  {0, NULL}};
    static PyType_Spec spec = {"fureai.Model", sizeof(handle), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    return record_add(module, &node_record) && record_add(module, &warning_record) &&
           module_add_type(module, &spec, &model_type);
}
