// Collide: which faces touch, at one instant or over a step; the result as arrays in the query's own memory.
#include "module.h"

static PyTypeObject *collide_type, *context_type;

// A context holds the output of its last query. It is used again only when no result shows it any more.
typedef struct collide {
    handle head; // the thing is a context object
} collide;

static void destroy_context(void *thing) { fr_collide_destroy(thing); }
static void release_context(void *thing) { Py_DECREF((PyObject *)thing); }

static PyObject *make_context(void) {
    fr_collide *thing = NULL;
    fr_error error = {0};
    fr_status status = fr_collide_create(NULL, &thing, &error);
    return status == FR_OK ? handle_make(context_type, thing, destroy_context, NULL) : error_raise(status, &error);
}

static PyObject *collide_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    static char *names[] = {NULL};
    if (!PyArg_ParseTupleAndKeywords(args, keywords, ":Collide", names)) { return NULL; }
    PyObject *context = make_context();
    return context != NULL ? handle_make(type, context, release_context, NULL) : NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// Records

static const field face_pair_fields[] = {FIELD(fr_face_pair, a, 'I'),
                                         FIELD(fr_face_pair, b, 'I'),
                                         FIELD(fr_face_pair, triangle_a, 'I'),
                                         FIELD(fr_face_pair, triangle_b, 'I'),
                                         FIELD(fr_face_pair, time, 'f'),
                                         FIELD(fr_face_pair, flags, 'I'),
                                         {NULL, 0, 0, NULL}};
record face_pair_record = {"fureai.FacePair",
                           "Two triangles that meet: indices of objects, triangles, time 0 .. 1, flags.",
                           sizeof(fr_face_pair),
                           face_pair_fields,
                           NULL,
                           NULL};

static const char *const feature_names[] = {"unknown", "vertex face", "face vertex", "edge edge", NULL};
static const char *const contact_senses[] = {"static", "continuous", "radar", NULL};
static const field contact_fields[] = {FIELD(fr_contact, a, 'O'),
                                       FIELD(fr_contact, b, 'O'),
                                       FIELD(fr_contact, part_a, 'I'),
                                       FIELD(fr_contact, part_b, 'I'),
                                       FIELD(fr_contact, triangle_a, 'I'),
                                       FIELD(fr_contact, triangle_b, 'I'),
                                       FIELD(fr_contact, face_a, 'U'),
                                       FIELD(fr_contact, face_b, 'U'),
                                       FIELD(fr_contact, time, 'd'),
                                       FIELD(fr_contact, time_sure, 'N'),
                                       FIELD(fr_contact, time_end, 'N'),
                                       FIELD(fr_contact, point, 'V'),
                                       FIELD(fr_contact, normal, 'V'),
                                       FIELD(fr_contact, distance, 'N'),
                                       FIELD(fr_contact, approach, 'N'),
                                       FIELD_ENUM(fr_contact, feature, feature_names),
                                       FIELD_ENUM(fr_contact, sense, contact_senses),
                                       FIELD(fr_contact, flags, 'I'),
                                       {NULL, 0, 0, NULL}};
record contact_record = {
    "fureai.Contact",
    "A contact: ids of the objects, parts, triangles, faces, times, point, normal from a to b, distance.",
    sizeof(fr_contact),
    contact_fields,
    NULL,
    NULL};

static const field interval_fields[] = {FIELD(fr_touch_interval, pair, 'Q'),
                                        FIELD(fr_touch_interval, begin, 'd'),
                                        FIELD(fr_touch_interval, end, 'd'),
                                        {NULL, 0, 0, NULL}};
static record interval_record = {"fureai.TouchInterval",
                                 "From when to when the faces of a pair (its index) are in contact.",
                                 sizeof(fr_touch_interval),
                                 interval_fields,
                                 NULL,
                                 NULL};

static const char *const relation_names[] = {"near", "touching", "crossing", "a inside", "b inside", NULL};
static const field object_pair_fields[] = {FIELD(fr_object_pair, a, 'I'),
                                           FIELD(fr_object_pair, b, 'I'),
                                           FIELD_ENUM(fr_object_pair, relation, relation_names),
                                           FIELD(fr_object_pair, time_sure, 'N'),
                                           FIELD(fr_object_pair, first, 'Q'),
                                           FIELD(fr_object_pair, count, 'Q'),
                                           {NULL, 0, 0, NULL}};
static record object_pair_record = {"fureai.ObjectPair",
                                    "Two objects that meet, how, and which pairs are theirs.",
                                    sizeof(fr_object_pair),
                                    object_pair_fields,
                                    NULL,
                                    NULL};

static const field stats_fields[] = {FIELD(fr_collide_stats, object_pairs, 'Q'), FIELD(fr_collide_stats, nodes, 'Q'),
                                     FIELD(fr_collide_stats, candidates, 'Q'),   FIELD(fr_collide_stats, tested, 'Q'),
                                     FIELD(fr_collide_stats, exact, 'Q'),        FIELD(fr_collide_stats, skipped, 'Q'),
                                     FIELD(fr_collide_stats, ms_total, 'd'),     {NULL, 0, 0, NULL}};
static record stats_record = {
    "fureai.CollideStats", "What a query did.", sizeof(fr_collide_stats), stats_fields, NULL, NULL};

static const char *const collision_fields[] = {"pairs",      "contacts",  "intervals", "object_pairs",
                                               "is_partial", "free_time", "stats",     NULL};
static named collision = {
    "fureai.Collision",
    "What a query found: pairs, contacts, intervals and object_pairs are Arrays, or None where not wanted.",
    collision_fields, NULL};

// ---------------------------------------------------------------------------------------------------------------
// Queries

static const char *const want_names[] = {"pairs", "times", "contacts", "intervals", NULL};
static const char *const set_names[] = {"all", "first", NULL};
static const char *const narrow_names[] = {"exact", "hull", NULL};
static const char *const method_names[] = {"auto", "tree", "face octree", "octree", "brute", NULL};
static const field input_fields[] = {FIELD_ENUM(fr_collide_input, want, want_names),
                                     FIELD(fr_collide_input, margin, 'd'),
                                     FIELD(fr_collide_input, tolerance, 'd'),
                                     FIELD_ENUM(fr_collide_input, set, set_names),
                                     FIELD(fr_collide_input, time_tolerance, 'd'),
                                     FIELD_ENUM(fr_collide_input, narrow, narrow_names),
                                     FIELD_ENUM(fr_collide_input, method, method_names),
                                     FIELD(fr_collide_input, tasks, 'T'),
                                     FIELD(fr_collide_input, budget, 'Q'),
                                     FIELD(fr_collide_input, is_containment_wanted, 'b'),
                                     {"filter", 'F', 0, NULL},
                                     {NULL, 0, 0, NULL}};

// Calls Python's filter with the indices of two objects. An exception refuses the pair and ends the query.
static bool call_filter(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    (void)space;
    call *c = context;
    PyGILState_STATE state;
    if (!call_enter_python(c, &state)) { return false; }
    PyObject *result = PyObject_CallFunction(c->filter, "II", a.index1 - 1u, b.index1 - 1u);
    int is_met = result != NULL ? PyObject_IsTrue(result) : -1;
    Py_XDECREF(result);
    call_leave_python(c, state);
    return is_met > 0;
}

static PyObject *give_output(PyObject *context, const fr_collide_output *output) {
    PyObject *fields[7] = {
        array_records(context, output->pairs, &face_pair_record, output->pair_count),
        output->contacts != NULL ? array_records(context, output->contacts, &contact_record, output->pair_count)
                                 : Py_NewRef(Py_None),
        output->intervals != NULL ? array_records(context, output->intervals, &interval_record, output->interval_count)
                                  : Py_NewRef(Py_None),
        array_records(context, output->object_pairs, &object_pair_record, output->object_pair_count),
        PyBool_FromLong(output->is_partial),
        PyFloat_FromDouble(output->free_time),
        record_make(&stats_record, &output->stats)};
    return named_make(&collision, fields);
}

// The context for the next query: the last one, or another where a result still shows that.
static PyObject *free_context(collide *self) {
    PyObject *context = self->head.thing;
    if (Py_REFCNT(context) == 1) { return Py_NewRef(context); }
    PyObject *other = make_context();
    if (other == NULL) { return NULL; }
    self->head.thing = Py_NewRef(other);
    Py_DECREF(context);
    return other;
}

typedef fr_status query_fn(fr_collide *, const fr_collide_input *, fr_collide_output *, fr_error *);
typedef fr_status pair_fn(fr_collide *, const fr_collide_input *, fr_object_id, fr_object_id, fr_collide_output *,
                          fr_error *);

// Runs a query about all objects, or about two where `pair` is given.
static PyObject *run(PyObject *self, PyObject *args, PyObject *keywords, query_fn *query, pair_fn *pair) {
    PyObject *space;
    fr_object_id a = {0}, b = {0};
    if (!(pair == NULL ? PyArg_ParseTuple(args, "O", &space)
                       : PyArg_ParseTuple(args, "OO&O&", &space, take_object_id, &a, take_object_id, &b))) {
        return NULL;
    }
    call c;
    call_begin(&c);
    fr_collide_input input = fr_default_collide_input();
    fr_collide_output output = {0};
    fr_status status = FR_OK;
    PyObject *context = NULL;
    if (call_hold(&c, self, collide_type, true) != NULL &&
        (input.space = call_hold(&c, space, space_type, false)) != NULL &&
        options_fill(&c, keywords, input_fields, &input) && (context = free_context((collide *)(void *)self)) != NULL) {
        fr_collide *thing = ((handle *)(void *)context)->thing;
        input.control = &c.control;
        if (c.filter != NULL) {
            input.filter = call_filter;
            input.filter_context = &c;
        }
        call_leave(&c);
        status = pair == NULL ? query(thing, &input, &output, &c.error) : pair(thing, &input, a, b, &output, &c.error);
        call_return(&c);
    }
    PyObject *result = call_end(&c, status) ? give_output(context, &output) : NULL;
    Py_XDECREF(context);
    return result;
}

static PyObject *collide_static(PyObject *self, PyObject *args, PyObject *keywords) {
    return run(self, args, keywords, fr_collide_static, NULL);
}

static PyObject *collide_continuous(PyObject *self, PyObject *args, PyObject *keywords) {
    return run(self, args, keywords, fr_collide_continuous, NULL);
}

static PyObject *collide_static_pair(PyObject *self, PyObject *args, PyObject *keywords) {
    return run(self, args, keywords, NULL, fr_collide_static_pair);
}

static PyObject *collide_continuous_pair(PyObject *self, PyObject *args, PyObject *keywords) {
    return run(self, args, keywords, NULL, fr_collide_continuous_pair);
}

static PyObject *collide_repr(PyObject *self) {
    return PyUnicode_FromString(((handle *)(void *)self)->thing != NULL ? "<fureai.Collide>"
                                                                        : "<fureai.Collide, closed>");
}

#define OPTIONS                                                                                                        \
    "want='pairs', margin=0.0, tolerance=1e-6, set='all', time_tolerance=1e-6, narrow='exact',\n"                      \
    "    method='auto', tasks=None, budget=0, is_containment_wanted=False, filter=None, progress=None"

static PyMethodDef collide_methods[] = {
    HANDLE_METHODS,
    {"static", KEYWORDS(collide_static),
     "static($self, space, /, *, " OPTIONS ")\n--\n\n"
     "Every pair of triangles of different objects that share a point at the poses, as a Collision. `want` is "
     "'pairs',\n"
     "'times', 'contacts' or 'intervals'. `filter(a, b)` may refuse two objects by their indices."},
    {"continuous", KEYWORDS(collide_continuous),
     "continuous($self, space, /, *, " OPTIONS ")\n--\n\n"
     "The same at any time of the step from pose to next: none missed, times never late."},
    {"static_pair", KEYWORDS(collide_static_pair),
     "static_pair($self, space, a, b, /, *, " OPTIONS
     ")\n--\n\nThe same for two objects, or one with itself, at the poses."},
    {"continuous_pair", KEYWORDS(collide_continuous_pair),
     "continuous_pair($self, space, a, b, /, *, " OPTIONS ")\n--\n\nThe same for two objects over the step."},
    {NULL, NULL, 0, NULL}};

bool collide_add(PyObject *module) {
    static PyGetSetDef values[] = {HANDLE_CLOSED, {NULL, NULL, NULL, NULL, NULL}};
    static PyType_Slot slots[] = {
        {Py_tp_doc,
         "Collide()\n--\n\nFinds the faces that touch (narrow phase). Results are arrays in its own memory, not "
         "copied: they stay as they\n"
         "are while they are held; once they are gone the memory is used again, and a query allocates nothing."},
        {Py_tp_new, collide_new},
        {Py_tp_dealloc, handle_dealloc},
        {Py_tp_repr, collide_repr},
        {Py_tp_methods, collide_methods},
        {Py_tp_getset, values},
        {0, NULL}};
    static PyType_Spec spec = {"fureai.Collide", sizeof(collide), 0, Py_TPFLAGS_DEFAULT, slots};
    static PyType_Slot context_slots[] = {{Py_tp_dealloc, handle_dealloc}, {0, NULL}};
    static PyType_Spec context_spec = {"fureai._Context", sizeof(handle), 0,
                                       Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, context_slots};
    context_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &context_spec, NULL);
    return context_type != NULL && record_add(module, &face_pair_record) && record_add(module, &contact_record) &&
           record_add(module, &interval_record) && record_add(module, &object_pair_record) &&
           record_add(module, &stats_record) && named_add(module, &collision) &&
           module_add_type(module, &spec, &collide_type);
}
