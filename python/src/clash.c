// clash(): which parts meet, at rest: kind, depth, and the lines where their surfaces meet.
#include "module.h"

static const char *const kind_names[] = {"touching", "penetrating", "contained", NULL};

static const char *const clash_names[] = {"a", "b", "kind", "shared_count", "depth", "lines", "pairs", NULL};
static named clash_record = {
    "fureai.Clash",
    "Two parts by their numbers, how they meet, how deep (None: not known), the lines where they meet as\n"
    "lists of points, and their pairs of triangles.",
    clash_names, NULL};

static const field clash_fields[] = {
    FIELD(fr_clash_input, tolerance, 'd'), FIELD(fr_clash_input, tasks, 'T'), {NULL, 0, 0, NULL}};

static PyObject *give_lines(const fr_contact_region *region) {
    PyObject *lines = PyList_New((Py_ssize_t)region->line_count);
    for (size_t i = 0; lines != NULL && i < region->line_count; i++) {
        const fr_contact_line *line = &region->lines[i];
        PyObject *points = array_new(region->points + line->first, 'd', line->count, 3);
        if (points == NULL || PyList_SetItem(lines, (Py_ssize_t)i, points) != 0) { Py_CLEAR(lines); }
    }
    return lines;
}

static PyObject *give_clashes(const fr_clash_output *output) {
    PyObject *list = PyList_New((Py_ssize_t)output->count);
    for (size_t i = 0; list != NULL && i < output->count; i++) {
        const fr_clash *one = &output->clashes[i];
        PyObject *values[] = {PyLong_FromUnsignedLong(one->a),
                              PyLong_FromUnsignedLong(one->b),
                              PyUnicode_FromString(kind_names[one->kind]),
                              PyLong_FromSize_t(one->shared_count),
                              fr_is_unknown(one->depth) ? Py_NewRef(Py_None) : PyFloat_FromDouble(one->depth),
                              give_lines(&one->region),
                              array_new_records(output->pairs + one->first, &face_pair_record, one->count)};
        PyObject *clash = named_make(&clash_record, values);
        if (clash == NULL || PyList_SetItem(list, (Py_ssize_t)i, clash) != 0) { Py_CLEAR(list); }
    }
    return list;
}

PyObject *module_clash(PyObject *module, PyObject *args, PyObject *keywords) {
    (void)module;
    PyObject *shape, *items = NULL, *result = NULL;
    if (!PyArg_ParseTuple(args, "O:clash", &shape)) { return NULL; }
    call c;
    call_begin(&c);
    fr_clash_input input = fr_default_clash_input();
    fr_clash_output output = {0};
    fr_clash_finder *finder = NULL;
    fr_status status = FR_OK;
    uint32_t count = 0;
    fr_clash_part *parts = NULL;
    fr_part_def *given = options_fill(&c, keywords, clash_fields, &input) ? take_parts(shape, &count, &items) : NULL;
    if (given != NULL && (parts = PyMem_Calloc((size_t)count + 1, sizeof *parts)) == NULL) { PyErr_NoMemory(); }
    if (parts != NULL) {
        for (uint32_t i = 0; i < count; i++) {
            parts[i].mesh = fr_mesh_retain(given[i].mesh); // so that closing one meanwhile does no harm
            parts[i].pose = given[i].pose;
        }
        input.parts = parts;
        input.part_count = count;
        input.control = &c.control;
        call_leave(&c);
        status = fr_clash_finder_create(NULL, &finder, &c.error);
        if (status == FR_OK) { status = fr_clash_find(finder, &input, &output, &c.error); }
        call_return(&c);
        for (uint32_t i = 0; i < count; i++) {
            fr_mesh_release(parts[i].mesh);
        }
    }
    if (call_end(&c, status)) { result = give_clashes(&output); }
    fr_clash_finder_destroy(finder);
    PyMem_Free(parts);
    PyMem_Free(given);
    Py_XDECREF(items);
    return result;
}

bool clash_add(PyObject *module) { return named_add(module, &clash_record); }
