// Mesh: triangles that never change, from arrays, by name or as a primitive, and queries on one mesh.
#include "module.h"

#include <math.h>
#include <string.h>

PyTypeObject *mesh_type;

static void destroy(void *thing) { fr_mesh_release(thing); }

static record mass_record, topology_record;

PyObject *mesh_wrap(fr_mesh *mesh) { return handle_make(mesh_type, mesh, destroy, NULL); }

static const fr_mesh *mesh_of(PyObject *self) { return handle_use(self, mesh_type, false); }

// What makes meshes alike; the same keyword arguments for all that make one.
static const field like_fields[] = {
    FIELD(fr_mesh_def, is_double, 'b'), FIELD(fr_mesh_def, tasks, 'T'), {NULL, 0, 0, NULL}};

// ---------------------------------------------------------------------------------------------------------------
// Making

// Takes the arrays of a definition; false with an exception.
static bool take_arrays(call *c, PyObject *vertices, PyObject *triangles, PyObject *faces, fr_mesh_def *def) {
    const array_input *positions = call_array(c, vertices, 'p', 3, "vertices");
    const array_input *corners = positions != NULL ? call_array(c, triangles, 'I', 3, "triangles") : NULL;
    if (corners == NULL) { return false; }
    if (positions->rows > FR_MESH_MAX_VERTICES || corners->rows > FR_MESH_MAX_TRIANGLES) {
        return error_argument("%zu vertices and %zu triangles are too many", positions->rows, corners->rows) != NULL;
    }
    if (positions->code == 'f') {
        def->positions_float = positions->data;
    } else {
        def->positions_double = positions->data;
    }
    def->vertex_count = (uint32_t)positions->rows;
    def->triangles = corners->data;
    def->triangle_count = (uint32_t)corners->rows;
    if (faces == Py_None) { return true; }
    const array_input *numbers = call_array(c, faces, 'I', 1, "faces");
    if (numbers == NULL) { return false; }
    if (numbers->rows != corners->rows) {
        return error_argument("faces: %zu numbers for %zu triangles", numbers->rows, corners->rows) != NULL;
    }
    def->faces = numbers->data;
    return true;
}

static PyObject *mesh_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    PyObject *vertices, *triangles, *faces = Py_None;
    if (!PyArg_ParseTuple(args, "OO|O:Mesh", &vertices, &triangles, &faces)) { return NULL; }
    call c;
    call_begin(&c);
    fr_mesh_def def = fr_default_mesh_def();
    fr_mesh *mesh = NULL;
    fr_status status = FR_OK;
    if (options_fill(&c, keywords, like_fields, &def) && take_arrays(&c, vertices, triangles, faces, &def)) {
        def.control = &c.control;
        call_leave(&c);
        status = fr_mesh_create(&def, &mesh, &c.error);
        call_return(&c);
    }
    if (!call_end(&c, status)) {
        fr_mesh_release(mesh);
        return NULL;
    }
    return handle_make(type, mesh, destroy, NULL);
}

// The sizes that primitives take, each by its own name.
typedef struct primitive_sizes {
    fr_mesh_def like; // first, as like_fields has it
    fr_vec3 size;
    double radius, length, tube;
    uint32_t stacks, slices, sides;
    uint32_t axis;
} primitive_sizes;

static const char *const axis_names[] = {"x", "y", "z", NULL};
static const field primitive_fields[] = {FIELD_AS(primitive_sizes, "is_double", like.is_double, 'b'),
                                         FIELD_AS(primitive_sizes, "tasks", like.tasks, 'T'),
                                         FIELD(primitive_sizes, size, 'V'),
                                         FIELD(primitive_sizes, radius, 'd'),
                                         FIELD(primitive_sizes, length, 'd'),
                                         FIELD(primitive_sizes, tube, 'd'),
                                         FIELD(primitive_sizes, stacks, 'I'),
                                         FIELD(primitive_sizes, slices, 'I'),
                                         FIELD(primitive_sizes, sides, 'I'),
                                         FIELD_ENUM(primitive_sizes, axis, axis_names),
                                         {NULL, 0, 0, NULL}};

static fr_status make_primitive(const char *name, const primitive_sizes *s, fr_mesh **out, fr_error *error) {
    fr_axis axis = (fr_axis)s->axis;
    switch (name[0] == 'c' ? name[1] : name[0]) {
    case 'b': return fr_mesh_create_box(s->size, &s->like, out, error);
    case 's': return fr_mesh_create_sphere(s->radius, s->stacks, s->slices, axis, &s->like, out, error);
    case 'a': return fr_mesh_create_capsule(s->radius, s->length, s->stacks, s->slices, axis, &s->like, out, error);
    case 'y': return fr_mesh_create_cylinder(s->radius, s->length, s->slices, axis, &s->like, out, error);
    case 'o': return fr_mesh_create_cone(s->radius, s->length, s->slices, axis, &s->like, out, error);
    default: return fr_mesh_create_torus(s->radius, s->tube, s->slices, s->sides, axis, &s->like, out, error);
    }
}

// `name` stands for the primitive by its first letters: see make_primitive.
static PyObject *new_primitive(PyObject *args, PyObject *keywords, const char *name) {
    if (PyTuple_Size(args) != 0) {
        PyErr_Format(PyExc_TypeError, "%s() takes keyword arguments alone", name);
        return NULL;
    }
    call c;
    call_begin(&c);
    primitive_sizes sizes = {fr_default_mesh_def(), {1.0, 1.0, 1.0}, 0.5, 1.0, 0.2, 16, 32, 16, FR_AXIS_Y};
    fr_mesh *mesh = NULL;
    fr_status status = FR_OK;
    if (options_fill(&c, keywords, primitive_fields, &sizes)) {
        sizes.like.control = &c.control;
        call_leave(&c);
        status = make_primitive(name, &sizes, &mesh, &c.error);
        call_return(&c);
    }
    if (!call_end(&c, status)) {
        fr_mesh_release(mesh);
        return NULL;
    }
    return mesh_wrap(mesh);
}

#define PRIMITIVE(name)                                                                                                \
    static PyObject *mesh_##name(PyObject *type, PyObject *args, PyObject *keywords) {                                 \
        (void)type;                                                                                                    \
        return new_primitive(args, keywords, #name);                                                                   \
    }
PRIMITIVE(box)
PRIMITIVE(sphere)
PRIMITIVE(capsule)
PRIMITIVE(cylinder)
PRIMITIVE(cone)
PRIMITIVE(torus)

static PyObject *mesh_named(PyObject *type, PyObject *args, PyObject *keywords) {
    (void)type;
    const char *name;
    if (!PyArg_ParseTuple(args, "s:named", &name)) { return NULL; }
    call c;
    call_begin(&c);
    fr_mesh_def like = fr_default_mesh_def();
    fr_mesh *mesh = NULL;
    fr_status status = FR_OK;
    if (options_fill(&c, keywords, like_fields, &like)) {
        like.control = &c.control;
        call_leave(&c);
        status = fr_mesh_create_named(name, &like, &mesh, &c.error);
        call_return(&c);
    }
    if (!call_end(&c, status)) {
        fr_mesh_release(mesh);
        return NULL;
    }
    return mesh_wrap(mesh);
}

static PyObject *mesh_names(PyObject *type, PyObject *unused) {
    (void)type;
    (void)unused;
    PyObject *names = PyList_New(0);
    for (size_t i = 0; names != NULL && fr_mesh_name(i) != NULL; i++) {
        PyObject *name = PyUnicode_FromString(fr_mesh_name(i));
        if (name == NULL || PyList_Append(names, name) != 0) { Py_CLEAR(names); }
        Py_XDECREF(name);
    }
    return names;
}

// ---------------------------------------------------------------------------------------------------------------
// Reading

// Arrays of a mesh keep it, and its object, alive.
static PyObject *mesh_vertices(PyObject *self, void *unused) {
    (void)unused;
    const fr_mesh *mesh = mesh_of(self);
    if (mesh == NULL) { return NULL; }
    const fr_mesh_view *view = fr_mesh_get(mesh);
    PyObject *owner = mesh_wrap(fr_mesh_retain(mesh)); // a reference of its own: the mesh may be closed meanwhile
    if (owner == NULL) { return NULL; }
    PyObject *out = view->positions_float != NULL
                        ? array_view(owner, view->positions_float, 'f', view->vertex_count, 3)
                        : array_view(owner, view->positions_double, 'd', view->vertex_count, 3);
    Py_DECREF(owner);
    return out;
}

static PyObject *mesh_triangles(PyObject *self, void *is_faces) {
    const fr_mesh *mesh = mesh_of(self);
    if (mesh == NULL) { return NULL; }
    const fr_mesh_view *view = fr_mesh_get(mesh);
    if (is_faces != NULL && view->faces == NULL) {
        PyObject *own = array_new(NULL, 'I', view->triangle_count, 1);
        for (uint32_t i = 0; own != NULL && i < view->triangle_count; i++) {
            ((uint32_t *)array_data(own))[i] = i;
        }
        return own;
    }
    PyObject *owner = mesh_wrap(fr_mesh_retain(mesh));
    if (owner == NULL) { return NULL; }
    PyObject *out = array_view(owner, is_faces != NULL ? view->faces : view->triangles, 'I', view->triangle_count,
                               is_faces != NULL ? 1 : 3);
    Py_DECREF(owner);
    return out;
}

static const field view_fields[] = {FIELD(fr_mesh_view, vertex_count, 'I'), FIELD(fr_mesh_view, triangle_count, 'I'),
                                    FIELD(fr_mesh_view, face_count, 'I'), FIELD(fr_mesh_view, bounds, 'B'),
                                    FIELD(fr_mesh_view, degenerate_count, 'I')};

static PyObject *mesh_get(PyObject *self, void *which) {
    const fr_mesh *mesh = mesh_of(self);
    return mesh != NULL ? field_get(which, fr_mesh_get(mesh)) : NULL;
}

static PyObject *mesh_mass(PyObject *self, PyObject *unused) {
    (void)unused;
    const fr_mesh *mesh = mesh_of(self);
    if (mesh == NULL) { return NULL; }
    fr_mass mass = fr_mesh_mass(mesh);
    return record_make(&mass_record, &mass);
}

static PyObject *mesh_topology(PyObject *self, PyObject *args, PyObject *keywords) {
    static const field fields[] = {FIELD(fr_topology_def, is_welded, 'b'), {NULL, 0, 0, NULL}};
    if (!PyArg_ParseTuple(args, ":topology")) { return NULL; }
    call c;
    call_begin(&c);
    fr_topology_def def = fr_default_topology_def();
    fr_topology *topology = NULL;
    fr_status status = FR_OK;
    const fr_mesh *mesh = call_hold(&c, self, mesh_type, false);
    if (mesh != NULL && options_fill(&c, keywords, fields, &def)) {
        def.control = &c.control;
        call_leave(&c);
        status = fr_topology_create(mesh, &def, &topology, &c.error);
        call_return(&c);
    }
    PyObject *out = call_end(&c, status) ? record_make(&topology_record, topology) : NULL;
    fr_topology_destroy(topology);
    return out;
}

// ---------------------------------------------------------------------------------------------------------------
// Queries

static PyObject *mesh_contains(PyObject *self, PyObject *source) {
    const fr_mesh *mesh = mesh_of(self);
    fr_vec3 point;
    if (mesh == NULL || !take_vec3(source, &point)) { return NULL; }
    return PyBool_FromLong(fr_mesh_contains(mesh, point));
}

static PyObject *mesh_winding(PyObject *self, PyObject *source) {
    const fr_mesh *mesh = mesh_of(self);
    fr_vec3 point;
    if (mesh == NULL || !take_vec3(source, &point)) { return NULL; }
    return PyFloat_FromDouble(fr_mesh_winding(mesh, point));
}

static PyObject *mesh_repr(PyObject *self) {
    const fr_mesh *mesh = ((handle *)(void *)self)->thing;
    if (mesh == NULL) { return PyUnicode_FromString("<fureai.Mesh, closed>"); }
    const fr_mesh_view *view = fr_mesh_get(mesh);
    return PyUnicode_FromFormat("<fureai.Mesh of %u vertices and %u triangles, %s>", view->vertex_count,
                                view->triangle_count, view->positions_float != NULL ? "floats" : "doubles");
}

// ---------------------------------------------------------------------------------------------------------------
// The class

static const field mass_fields[] = {FIELD(fr_mass, area, 'd'),
                                    FIELD(fr_mass, volume, 'd'),
                                    FIELD(fr_mass, center, 'V'),
                                    FIELD(fr_mass, inertia, 'M'),
                                    {NULL, 0, 0, NULL}};
static record mass_record = {"fureai.Mass", "Mass properties for density 1.", sizeof(fr_mass), mass_fields, NULL, NULL};

static const field topology_fields[] = {FIELD(fr_topology, border_edges, 'I'),
                                        FIELD(fr_topology, crowded_edges, 'I'),
                                        FIELD(fr_topology, flipped_edges, 'I'),
                                        FIELD(fr_topology, component_count, 'I'),
                                        FIELD(fr_topology, is_closed, 'b'),
                                        FIELD(fr_topology, is_manifold, 'b'),
                                        {NULL, 0, 0, NULL}};
static record topology_record = {
    "fureai.Topology", "How the triangles of a mesh are joined.", sizeof(fr_topology), topology_fields, NULL, NULL};

static PyMethodDef mesh_methods[] = {
    HANDLE_METHODS,
    {"box", KEYWORDS(mesh_box) | METH_CLASS,
     "box($type, /, *, size=(1, 1, 1), **like)\n--\n\nA box about the origin: 12 triangles."},
    {"sphere", KEYWORDS(mesh_sphere) | METH_CLASS,
     "sphere($type, /, *, radius=0.5, stacks=16, slices=32, axis='y', **like)\n--\n\nLatitude and longitude about an "
     "axis."},
    {"capsule", KEYWORDS(mesh_capsule) | METH_CLASS,
     "capsule($type, /, *, radius=0.5, length=1.0, stacks=16, slices=32, axis='y', **like)\n--\n\n"
     "A cylinder between two half spheres."},
    {"cylinder", KEYWORDS(mesh_cylinder) | METH_CLASS,
     "cylinder($type, /, *, radius=0.5, length=1.0, slices=32, axis='y', **like)\n--\n\nA cylinder with flat ends."},
    {"cone", KEYWORDS(mesh_cone) | METH_CLASS,
     "cone($type, /, *, radius=0.5, length=1.0, slices=32, axis='y', **like)\n--\n\nA cone, its tip at + length / 2."},
    {"torus", KEYWORDS(mesh_torus) | METH_CLASS,
     "torus($type, /, *, radius=0.5, tube=0.2, slices=32, sides=16, axis='y', **like)\n--\n\nA tube around a circle."},
    {"named", KEYWORDS(mesh_named) | METH_CLASS,
     "named($type, name, /, **like)\n--\n\nA shape by its name, such as 'gear'; names() has all."},
    {"names", mesh_names, METH_NOARGS | METH_CLASS, "names($type, /)\n--\n\nThe names that named() takes."},
    {"mass", mesh_mass, METH_NOARGS, "mass($self, /)\n--\n\nArea, volume, centre and inertia, as a Mass."},
    {"topology", KEYWORDS(mesh_topology),
     "topology($self, /, *, is_welded=False, progress=None)\n--\n\nWhether it is closed and how it is joined, as a "
     "Topology."},
    {"contains", mesh_contains, METH_O,
     "contains($self, point, /)\n--\n\nWhether a point is on the surface or inside."},
    {"winding", mesh_winding, METH_O,
     "winding($self, point, /)\n--\n\nHow often the surface winds around a point off it."},
    {NULL, NULL, 0, NULL}};

bool mesh_add(PyObject *module) {
    static PyGetSetDef values[] = {
        {"vertex_count", mesh_get, NULL, "Number of vertices.", NULL},
        {"triangle_count", mesh_get, NULL, "Number of triangles.", NULL},
        {"face_count", mesh_get, NULL, "Number of polygons that the triangles came from.", NULL},
        {"bounds", mesh_get, NULL, "Low and high corner of the box about it.", NULL},
        {"degenerate_count", mesh_get, NULL, "Triangles that are nearly segments or points.", NULL},
        {"vertices", mesh_vertices, NULL, "Positions, an Array of rows of three floats or doubles, not copied.", NULL},
        {"triangles", mesh_triangles, NULL, "Vertices of each triangle, an Array of rows of three, not copied.", NULL},
        {"faces", mesh_triangles, NULL, "The polygon that each triangle came from, an Array.", (void *)(uintptr_t)1},
        HANDLE_CLOSED,
        {NULL, NULL, NULL, NULL, NULL}};
    for (int i = 0; i < 5; i++) {
        values[i].closure = (void *)(uintptr_t)&view_fields[i];
    }
    static PyType_Slot slots[] = {
        {Py_tp_doc, "Mesh(vertices, triangles, faces=None, /, *, is_double=False, tasks=None, progress=None)\n--\n\n"
                    "Triangles that never change, with their tree of boxes.\n\n"
                    "`vertices` are rows of three numbers, `triangles` rows of three indices, `faces` the polygon of "
                    "each triangle: any\n"
                    "object with the buffer protocol, or sequences. The mesh has a copy of its own, so that the arrays "
                    "may change\n"
                    "afterwards. Floats and doubles, and indices of 4 bytes, are read where they are; other types and "
                    "layouts are\n"
                    "converted first. Positions become floats unless `is_double`."},
        {Py_tp_new, mesh_new},
        {Py_tp_dealloc, handle_dealloc},
        {Py_tp_repr, mesh_repr},
        {Py_tp_methods, mesh_methods},
        {Py_tp_getset, values},
        {0, NULL}};
    static PyType_Spec spec = {"fureai.Mesh", sizeof(handle), 0, Py_TPFLAGS_DEFAULT, slots};
    return record_add(module, &mass_record) && record_add(module, &topology_record) &&
           module_add_type(module, &spec, &mesh_type);
}
