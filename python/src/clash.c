// clash(): which parts meet, or are too near, at rest: kind, depth, distance, and the lines where their surfaces meet.
#include "module.h"

static const char *const clash_names[] = {"a",     "b",     "kind",     "shared_count", "depth",
                                          "lines", "pairs", "distance", "group",        NULL};
static named clash_record = {
    "fureai.Clash",
    "Two parts by their numbers, how they meet, how deep (None: not known), the lines where they meet as\n"
    "lists of points, their pairs of triangles, how far their surfaces are apart (0: they meet; None: one encloses\n"
    "the other), and the number of their group of like clashes.",
    clash_names, NULL};

// What a call is given, and the rules as Python has them.
typedef struct clash_options {
    fr_clash_input input;
    PyObject *rules; // borrowed; NULL: none
} clash_options;

static const field clash_fields[] = {FIELD_AS(clash_options, "tolerance", input.tolerance, 'd'),
                                     FIELD_AS(clash_options, "clearance", input.clearance, 'd'),
                                     FIELD(clash_options, rules, 'X'),
                                     FIELD_AS(clash_options, "tasks", input.tasks, 'T'),
                                     {NULL, 0, 0, NULL}};

static const char *const rule_names[] = {[FR_CLASH_RULE_IGNORE] = "ignore",
                                         [FR_CLASH_RULE_ONLY] = "only",
                                         [FR_CLASH_RULE_CLEARANCE] = "clearance",
                                         [FR_CLASH_RULE_CLEARANCE + 1] = NULL};

// ---------------------------------------------------------------------------------------------------------------
// What goes in

// The UTF-8 of a text, which lives as long as the text; NULL with an exception.
static const char *text_of(PyObject *value, const char *what) {
    if (!PyUnicode_Check(value)) {
        PyErr_Format(PyExc_TypeError, "%s: a text is needed, not %R", what, Py_TYPE(value));
        return NULL;
    }
    return PyUnicode_AsUTF8AndSize(value, NULL);
}

// A rule from (kind, a, b), or ("clearance", a, b, metres); false with an exception.
static bool take_rule(PyObject *source, fr_clash_rule *rule) {
    Py_ssize_t size = PyTuple_Check(source) ? PyTuple_Size(source) : 0;
    int kind = size >= 3 ? enum_value(PyTuple_GetItem(source, 0), rule_names, "rules") : 0;
    if (kind < 0) { return false; }
    if (size != (kind == FR_CLASH_RULE_CLEARANCE ? 4 : 3)) {
        PyErr_Format(PyExc_TypeError,
                     "rules: a rule is ('ignore', a, b), ('only', a, b) or ('clearance', a, b, metres), not %R",
                     source);
        return false;
    }
    rule->kind = (fr_clash_rule_kind)kind;
    rule->a = text_of(PyTuple_GetItem(source, 1), "rules");
    rule->b = rule->a != NULL ? text_of(PyTuple_GetItem(source, 2), "rules") : NULL;
    rule->clearance = size == 4 && rule->b != NULL ? PyFloat_AsDouble(PyTuple_GetItem(source, 3)) : 0.0;
    return rule->b != NULL && !PyErr_Occurred();
}

// What a call holds while it runs.
typedef struct clash_call {
    PyObject *items; // the parts; their names live in them
    PyObject *rules; // NULL: none
    fr_clash_part *parts;
    const char **names;
    fr_clash_rule rule_list[FR_CLASH_MAX_RULES];
} clash_call;

// Fills the rules of an input; false with an exception.
static bool take_rules(clash_call *held, const clash_options *options, fr_clash_input *input) {
    if (options->rules == NULL || options->rules == Py_None) { return true; }
    held->rules = PySequence_Tuple(options->rules);
    if (held->rules == NULL) { return false; }
    Py_ssize_t count = PyTuple_Size(held->rules);
    if (count > (Py_ssize_t)FR_CLASH_MAX_RULES) {
        error_argument("rules: at most %u rules", FR_CLASH_MAX_RULES);
        return false;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        if (!take_rule(PyTuple_GetItem(held->rules, i), &held->rule_list[i])) { return false; }
    }
    input->rules = held->rule_list;
    input->rule_count = (size_t)count;
    return true;
}

// Fills parts and their names, which a part has as (name, mesh, pose); false with an exception.
static bool take_clash_parts(clash_call *held, PyObject *shape, fr_clash_input *input) {
    uint32_t count = 0;
    fr_part_def *given = take_parts(shape, &count, &held->items);
    if (given == NULL) { return false; }
    held->parts = PyMem_Calloc((size_t)count + 1, sizeof *held->parts);
    held->names = PyMem_Calloc((size_t)count + 1, sizeof *held->names);
    bool is_good = held->parts != NULL && held->names != NULL, has_names = false;
    if (!is_good) { PyErr_NoMemory(); }
    for (uint32_t i = 0; i < count && is_good; i++) {
        PyObject *item = PyTuple_GetItem(held->items, (Py_ssize_t)i);
        bool is_named = PyTuple_Check(item) && PyTuple_Size(item) == 3;
        held->names[i] = is_named ? text_of(PyTuple_GetItem(item, 0), "a part's name") : "";
        has_names = has_names || is_named;
        is_good = held->names[i] != NULL;
        // Retained, so that closing one meanwhile does no harm.
        held->parts[i] = (fr_clash_part){fr_mesh_retain(given[i].mesh), given[i].pose};
        input->part_count = i + 1;
    }
    PyMem_Free(given);
    input->parts = held->parts;
    input->names = has_names ? held->names : NULL;
    return is_good;
}

static void release_call(clash_call *held, const fr_clash_input *input) {
    for (size_t i = 0; i < input->part_count; i++) {
        fr_mesh_release(held->parts[i].mesh);
    }
    PyMem_Free(held->parts);
    PyMem_Free(held->names);
    Py_XDECREF(held->items);
    Py_XDECREF(held->rules);
}

// ---------------------------------------------------------------------------------------------------------------
// What comes out

static PyObject *give_number(double number) {
    return fr_is_unknown(number) ? Py_NewRef(Py_None) : PyFloat_FromDouble(number);
}

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
                              PyUnicode_FromString(fr_clash_kind_name(one->kind)),
                              PyLong_FromSize_t(one->shared_count),
                              give_number(one->depth),
                              give_lines(&one->region),
                              array_new_records(output->pairs + one->first, &face_pair_record, one->count),
                              give_number(one->distance),
                              PyLong_FromUnsignedLong(one->group)};
        PyObject *clash = named_make(&clash_record, values);
        if (clash == NULL || PyList_SetItem(list, (Py_ssize_t)i, clash) != 0) { Py_CLEAR(list); }
    }
    return list;
}

PyObject *module_clash(PyObject *module, PyObject *args, PyObject *keywords) {
    (void)module;
    PyObject *shape, *result = NULL;
    if (!PyArg_ParseTuple(args, "O:clash", &shape)) { return NULL; }
    call c;
    call_begin(&c);
    clash_options options = {.input = fr_default_clash_input()};
    fr_clash_input *input = &options.input;
    fr_clash_output output = {0};
    fr_clash_finder *finder = NULL;
    fr_status status = FR_OK;
    clash_call held = {0};
    if (options_fill(&c, keywords, clash_fields, &options) && take_rules(&held, &options, input) &&
        take_clash_parts(&held, shape, input)) {
        input->control = &c.control;
        call_leave(&c);
        status = fr_clash_finder_create(NULL, &finder, &c.error);
        if (status == FR_OK) { status = fr_clash_find(finder, input, &output, &c.error); }
        call_return(&c);
    }
    if (call_end(&c, status)) { result = give_clashes(&output); }
    fr_clash_finder_destroy(finder);
    release_call(&held, input);
    return result;
}

bool clash_add(PyObject *module) { return named_add(module, &clash_record); }
