// Octree: region octrees and quadtrees; built from meshes, combined, moved, queried, stored as DF code.
#include "module.h"

static PyTypeObject *octree_type;

static void destroy(void *thing) { fr_octree_destroy(thing); }

static const char *const color_names[] = {"white", "black", "gray", NULL};

static const field cell_fields[] = {FIELD(fr_cell, x, 'I'),
                                    FIELD(fr_cell, y, 'I'),
                                    FIELD(fr_cell, z, 'I'),
                                    FIELD(fr_cell, level, 'I'),
                                    FIELD_ENUM(fr_cell, color, color_names),
                                    {NULL, 0, 0, NULL}};
static record cell_record = {"fureai.Cell",
                             "A cell: its low voxel, its level (2^level voxels wide) and its colour.",
                             sizeof(fr_cell),
                             cell_fields,
                             NULL,
                             NULL};

static const field count_fields[] = {FIELD(fr_octree_counts, white, 'Q'),
                                     FIELD(fr_octree_counts, black, 'Q'),
                                     FIELD(fr_octree_counts, gray, 'Q'),
                                     FIELD(fr_octree_counts, black_voxels, 'Q'),
                                     {NULL, 0, 0, NULL}};
static record count_record = {"fureai.OctreeCounts",
                              "How many cells there are of each colour.",
                              sizeof(fr_octree_counts),
                              count_fields,
                              NULL,
                              NULL};

static const field def_fields[] = {FIELD(fr_octree_def, dimension, 'i'),
                                   FIELD(fr_octree_def, depth, 'I'),
                                   FIELD(fr_octree_def, min, 'V'),
                                   FIELD(fr_octree_def, edge, 'd'),
                                   {NULL, 0, 0, NULL}};

static PyObject *wrap(fr_status status, fr_octree *octree, const fr_error *error) {
    return status == FR_OK ? handle_make(octree_type, octree, destroy, NULL) : error_raise(status, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Making

static PyObject *octree_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    (void)type;
    if (!PyArg_ParseTuple(args, ":Octree")) { return NULL; }
    call c;
    call_begin(&c);
    fr_octree_def def = fr_default_octree_def();
    fr_octree *octree = NULL;
    fr_status status = FR_OK;
    if (options_fill(&c, keywords, def_fields, &def)) { status = fr_octree_create(&def, &octree, &c.error); }
    return call_end(&c, status) ? wrap(status, octree, &c.error) : NULL;
}

static PyObject *octree_from_code(PyObject *type, PyObject *args, PyObject *keywords) {
    (void)type;
    const char *text;
    Py_ssize_t size;
    if (!PyArg_ParseTuple(args, "s#:from_code", &text, &size)) { return NULL; }
    call c;
    call_begin(&c);
    fr_octree_def def = fr_default_octree_def();
    fr_octree *octree = NULL;
    fr_status status = FR_OK;
    if (options_fill(&c, keywords, def_fields, &def)) {
        status = fr_octree_read_code(&def, text, (size_t)size, &octree, &c.error);
    }
    return call_end(&c, status) ? wrap(status, octree, &c.error) : NULL;
}

typedef struct build_input {
    fr_octree_build_input build;
    fr_octree_def def;
    fr_pose pose;
} build_input;

static const char *const voxel_names[] = {"center", "touch", NULL};
static const field build_fields[] = {{"pose", 'P', offsetof(build_input, pose), NULL},
                                     {"rule", 'E', offsetof(build_input, build.rule), voxel_names},
                                     {"is_surface_only", 'b', offsetof(build_input, build.is_surface_only), NULL},
                                     {"may_clip", 'b', offsetof(build_input, build.may_clip), NULL},
                                     {"depth", 'I', offsetof(build_input, def.depth), NULL},
                                     {"min", 'V', offsetof(build_input, def.min), NULL},
                                     {"edge", 'd', offsetof(build_input, def.edge), NULL},
                                     {NULL, 0, 0, NULL}};

static fr_status build(const build_input *input, fr_octree **out, fr_error *error) {
    fr_octree_builder *builder = NULL;
    fr_status status = fr_octree_create(&input->def, out, error);
    if (status == FR_OK) { status = fr_octree_builder_create(NULL, &builder, error); }
    if (status == FR_OK) { status = fr_octree_build(builder, &input->build, *out, error); }
    fr_octree_builder_destroy(builder);
    return status;
}

static PyObject *octree_from_mesh(PyObject *type, PyObject *args, PyObject *keywords) {
    (void)type;
    PyObject *source;
    if (!PyArg_ParseTuple(args, "O:from_mesh", &source)) { return NULL; }
    call c;
    call_begin(&c);
    build_input input = {fr_default_octree_build_input(), fr_default_octree_def(), fr_pose_identity()};
    fr_octree *octree = NULL;
    fr_status status = FR_OK;
    const fr_mesh *mesh = call_hold(&c, source, mesh_type, false);
    if (mesh != NULL && options_fill(&c, keywords, build_fields, &input)) {
        if (input.def.edge == 0.0) {
            // About the mesh where it stands, so that it can turn about its middle.
            fr_motion still = fr_motion_still(&input.pose);
            fr_bounds bounds = fr_motion_box_bounds(&still, &fr_mesh_get(mesh)->bounds, 0.0, 1.0);
            fr_octree_root_about(&bounds, &input.def);
        }
        input.build.mesh = mesh;
        input.build.pose = &input.pose;
        call_leave(&c);
        status = build(&input, &octree, &c.error);
        call_return(&c);
    }
    if (!call_end(&c, status)) {
        fr_octree_destroy(octree);
        return NULL;
    }
    return wrap(FR_OK, octree, NULL);
}

// ---------------------------------------------------------------------------------------------------------------
// Reading

static const fr_octree *tree_of(PyObject *self) { return handle_use(self, octree_type, false); }

static PyObject *octree_count(PyObject *self, PyObject *unused) {
    (void)unused;
    const fr_octree *tree = tree_of(self);
    if (tree == NULL) { return NULL; }
    fr_octree_counts counts = fr_octree_count(tree);
    return record_make(&count_record, &counts);
}

FR_ARRAY_TYPE(cell_array, fr_cell);

static bool take_cell(const fr_cell *cell, void *context) {
    fr_cell *more = cell_array_push(context, 1);
    if (more != NULL) { *more = *cell; }
    return more != NULL;
}

static PyObject *give_cells(cell_array *cells, bool is_whole) {
    PyObject *out = is_whole ? array_new_records(cells->data, &cell_record, cells->count) : PyErr_NoMemory();
    cell_array_destroy(cells);
    return out;
}

static PyObject *octree_leaves(PyObject *self, PyObject *args) {
    PyObject *name = NULL;
    if (!PyArg_ParseTuple(args, "|O:leaves", &name)) { return NULL; }
    int color = name != NULL ? enum_value(name, color_names, "color") : FR_CELL_BLACK;
    const fr_octree *tree = color >= 0 ? tree_of(self) : NULL;
    if (tree == NULL) { return NULL; }
    cell_array cells = cell_array_make(NULL);
    return give_cells(&cells, fr_octree_leaves(tree, (fr_cell_color)color, take_cell, &cells));
}

static PyObject *octree_overlap(PyObject *self, PyObject *source) {
    fr_bounds bounds;
    const fr_octree *tree = tree_of(self);
    if (tree == NULL || !take_bounds(source, &bounds)) { return NULL; }
    cell_array cells = cell_array_make(NULL);
    return give_cells(&cells, fr_octree_overlap(tree, &bounds, take_cell, &cells));
}

static PyObject *octree_at(PyObject *self, PyObject *source) {
    fr_vec3 point;
    const fr_octree *tree = tree_of(self);
    if (tree == NULL || !take_vec3(source, &point)) { return NULL; }
    return PyUnicode_FromString(color_names[fr_octree_at(tree, point)]);
}

static PyObject *octree_code(PyObject *self, PyObject *unused) {
    (void)unused;
    const fr_octree *tree = tree_of(self);
    if (tree == NULL) { return NULL; }
    size_t size = fr_octree_write_code(tree, NULL, 0);
    char *text = PyMem_Malloc(size + 1);
    if (text == NULL) { return PyErr_NoMemory(); }
    fr_octree_write_code(tree, text, size);
    PyObject *out = PyUnicode_FromStringAndSize(text, (Py_ssize_t)size);
    PyMem_Free(text);
    return out;
}

static PyObject *octree_interferes(PyObject *self, PyObject *other) {
    const fr_octree *a = tree_of(self), *b = a != NULL ? tree_of(other) : NULL;
    return b != NULL ? PyBool_FromLong(fr_octree_interfere(a, b)) : NULL;
}

static PyObject *octree_get(PyObject *self, void *which) {
    const fr_octree *tree = tree_of(self);
    if (tree == NULL) { return NULL; }
    fr_octree_def def = fr_octree_get_def(tree);
    return field_get(which, &def);
}

static PyObject *octree_compare(PyObject *a, PyObject *b, int operation) {
    if (!PyObject_TypeCheck(b, octree_type) || (operation != Py_EQ && operation != Py_NE)) { Py_RETURN_NOTIMPLEMENTED; }
    const fr_octree *x = tree_of(a), *y = x != NULL ? tree_of(b) : NULL;
    return y != NULL ? PyBool_FromLong(fr_octree_equal(x, y) == (operation == Py_EQ)) : NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// Changing and combining

static PyObject *octree_add_points(PyObject *self, PyObject *source) {
    call c;
    call_begin(&c);
    fr_status status = FR_OK;
    fr_octree *tree = call_hold(&c, self, octree_type, true);
    const array_input *points = tree != NULL ? call_array(&c, source, 'd', 3, "points") : NULL;
    if (points != NULL) { status = fr_octree_add_points(tree, points->data, points->rows, &c.error); }
    if (!call_end(&c, status)) { return NULL; }
    Py_RETURN_NONE;
}

// A tree of the same definition as another.
static fr_octree *make_like(const fr_octree *tree, fr_error *error) {
    fr_octree_def def = fr_octree_get_def(tree);
    fr_octree *out = NULL;
    return fr_octree_create(&def, &out, error) == FR_OK ? out : NULL;
}

static PyObject *combine(PyObject *a, PyObject *b, fr_octree_operation operation) {
    if (!PyObject_TypeCheck(a, octree_type) || !PyObject_TypeCheck(b, octree_type)) { Py_RETURN_NOTIMPLEMENTED; }
    const fr_octree *x = tree_of(a), *y = x != NULL ? tree_of(b) : NULL;
    if (y == NULL) { return NULL; }
    fr_error error = {0};
    fr_octree *out = make_like(x, &error);
    fr_status status = out != NULL ? fr_octree_combine(operation, x, y, out, &error) : error.status;
    if (status != FR_OK) { fr_octree_destroy(out); }
    return wrap(status, out, &error);
}

static PyObject *octree_or(PyObject *a, PyObject *b) { return combine(a, b, FR_OCTREE_UNION); }
static PyObject *octree_and(PyObject *a, PyObject *b) { return combine(a, b, FR_OCTREE_INTERSECTION); }
static PyObject *octree_subtract(PyObject *a, PyObject *b) { return combine(a, b, FR_OCTREE_DIFFERENCE); }
static PyObject *octree_xor(PyObject *a, PyObject *b) { return combine(a, b, FR_OCTREE_EXCLUSIVE); }

typedef struct move_input {
    fr_octree_move_input move;
    fr_vec3 travel, axis;
    double angle;
} move_input;

static const char *const rule_names[] = {"center", "overlap", "touch", "center closed", NULL};
static const field move_fields[] = {
    {"travel", 'V', offsetof(move_input, travel), NULL},    {"axis", 'V', offsetof(move_input, axis), NULL},
    {"angle", 'd', offsetof(move_input, angle), NULL},      {"rule", 'E', offsetof(move_input, move.rule), rule_names},
    {"tasks", 'T', offsetof(move_input, move.tasks), NULL}, {NULL, 0, 0, NULL}};

static PyObject *octree_moved(PyObject *self, PyObject *args, PyObject *keywords) {
    if (!PyArg_ParseTuple(args, ":moved")) { return NULL; }
    call c;
    call_begin(&c);
    move_input input = {fr_default_octree_move_input(), {0.0, 0.0, 0.0}, {0.0, 0.0, 1.0}, 0.0};
    fr_octree_reference *reference = NULL;
    fr_octree *out = NULL;
    fr_status status = FR_OK;
    const fr_octree *tree = call_hold(&c, self, octree_type, false);
    if (tree != NULL && options_fill(&c, keywords, move_fields, &input)) {
        input.move.motion = fr_octree_motion_turn(input.travel, input.axis, input.angle);
        call_leave(&c);
        out = make_like(tree, &c.error);
        status = out != NULL ? fr_octree_reference_create(tree, NULL, &reference, &c.error) : c.error.status;
        if (status == FR_OK) { status = fr_octree_move(reference, &input.move, out, NULL, &c.error); }
        fr_octree_reference_destroy(reference);
        call_return(&c);
    }
    if (!call_end(&c, status)) {
        fr_octree_destroy(out);
        return NULL;
    }
    return wrap(FR_OK, out, NULL);
}

static PyObject *octree_repr(PyObject *self) {
    const fr_octree *tree = ((handle *)(void *)self)->thing;
    if (tree == NULL) { return PyUnicode_FromString("<fureai.Octree, closed>"); }
    fr_octree_def def = fr_octree_get_def(tree);
    fr_octree_counts counts = fr_octree_count(tree);
    return PyUnicode_FromFormat("<fureai.Octree of %d dimensions, depth %u and %llu black cells>", def.dimension,
                                def.depth, (unsigned long long)counts.black);
}

static PyMethodDef octree_methods[] = {
    HANDLE_METHODS,
    {"from_code", KEYWORDS(octree_from_code) | METH_CLASS,
     "from_code($type, text, /, *, dimension=3, depth=5, min=(0, 0, 0), edge=0.0)\n--\n\nThe tree of a DF code; "
     "FormatError has line and column."},
    {"from_mesh", KEYWORDS(octree_from_mesh) | METH_CLASS,
     "from_mesh($type, mesh, /, *, pose=None, rule='touch', is_surface_only=False, may_clip=False, depth=5, min=None, "
     "edge=0.0)\n--\n\n"
     "The tree of a mesh where its pose puts it; without `edge` the root is a cube about it, in which it can turn."},
    {"count", octree_count, METH_NOARGS, "count($self, /)\n--\n\nCells of each colour, as OctreeCounts."},
    {"leaves", octree_leaves, METH_VARARGS,
     "leaves($self, color='black', /)\n--\n\nLeaves of a colour ('gray': of both), an Array of Cell."},
    {"overlap", octree_overlap, METH_O,
     "overlap($self, bounds, /)\n--\n\nBlack leaves that share a point with a box (metres), an Array of Cell."},
    {"at", octree_at, METH_O, "at($self, point, /)\n--\n\nThe colour of the voxel that holds a point (metres)."},
    {"code", octree_code, METH_NOARGS, "code($self, /)\n--\n\nThe DF code: '(' for gray, 'B', 'W'."},
    {"interferes", octree_interferes, METH_O,
     "interferes($self, other, /)\n--\n\nWhether two trees share a black voxel."},
    {"add_points", octree_add_points, METH_O,
     "add_points($self, points, /)\n--\n\nMakes black the voxel of each point (metres)."},
    {"moved", KEYWORDS(octree_moved),
     "moved($self, /, *, travel=(0, 0, 0), axis=(0, 0, 1), angle=0.0, rule='center', tasks=None)\n--\n\n"
     "The tree turned about the middle of the root and moved by voxels."},
    {NULL, NULL, 0, NULL}};

bool octree_add(PyObject *module) {
    static PyGetSetDef values[] = {{"dimension", octree_get, NULL, "3: octree, 2: quadtree.", NULL},
                                   {"depth", octree_get, NULL, "2^depth voxels an axis.", NULL},
                                   {"min", octree_get, NULL, "Low corner of the root, metres.", NULL},
                                   {"edge", octree_get, NULL, "Edge of the root, metres.", NULL},
                                   HANDLE_CLOSED,
                                   {NULL, NULL, NULL, NULL, NULL}};
    for (int i = 0; i < 4; i++) {
        values[i].closure = CLOSURE(&def_fields[i]);
    }
    static PyType_Slot slots[] = {
        {Py_tp_doc,
         "Octree(*, dimension=3, depth=5, min=(0, 0, 0), edge=0.0)\n--\n\n"
         "A region octree or quadtree of black, white and gray cells. a | b, a & b, a - b and a ^ b combine two."},
        {Py_tp_new, octree_new},
        {Py_tp_dealloc, handle_dealloc},
        {Py_tp_repr, octree_repr},
        {Py_tp_richcompare, octree_compare},
        {Py_tp_hash, PyObject_HashNotImplemented},
        {Py_tp_methods, octree_methods},
        {Py_tp_getset, values},
        {Py_nb_or, octree_or},
        {Py_nb_and, octree_and},
        {Py_nb_subtract, octree_subtract},
        {Py_nb_xor, octree_xor},
        {0, NULL}};
    static PyType_Spec spec = {"fureai.Octree", sizeof(handle), 0, Py_TPFLAGS_DEFAULT, slots};
    return record_add(module, &cell_record) && record_add(module, &count_record) &&
           module_add_type(module, &spec, &octree_type);
}
