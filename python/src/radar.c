// Radar: how far an object may travel or turn, and what is in a volume, by depth images.
#include "module.h"

#include <string.h>

static PyTypeObject *radar_type;

static void destroy(void *thing) { fr_radar_destroy(thing); }

static PyObject *radar_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    static char *names[] = {NULL};
    if (!PyArg_ParseTupleAndKeywords(args, keywords, ":Radar", names)) { return NULL; }
    fr_radar *radar = NULL;
    fr_error error = {0};
    fr_status status = fr_radar_create(NULL, &radar, &error);
    return status == FR_OK ? handle_make(type, radar, destroy, NULL) : error_raise(status, &error);
}

static const char *const look_names[] = {"centre", "conservative", "refined", "exact", NULL};
static const char *const result_names[] = {"is_hit", "distance", "low", "high", "contact", "flags", "range", NULL};
static named result_tuple = {
    "fureai.RadarResult",
    "How far the mover may go: metres, radians of a turn, or a fraction of the step; a bracket of the true distance;\n"
    "the contact or None; and the depth image, an Array of rows of doubles (None: no image).",
    result_names, NULL};

static const field sight_fields[] = {FIELD(fr_radar_sight, object, 'O'),
                                     FIELD(fr_radar_sight, triangle, 'I'),
                                     FIELD(fr_radar_sight, distance, 'd'),
                                     FIELD(fr_radar_sight, point, 'V'),
                                     FIELD(fr_radar_sight, pixel, 'd'),
                                     FIELD(fr_radar_sight, pixels, 'I'),
                                     {NULL, 0, 0, NULL}};
static record sight_record = {
    "fureai.Sight", "An object that is seen, where it is nearest.", sizeof(fr_radar_sight), sight_fields, NULL, NULL};

#define FILTER(type) FIELD_AS(type, "mask", filter.mask, 'I'), FIELD_AS(type, "ignore", filter.ignore, 'O')

static const field input_fields[] = {FIELD(fr_radar_input, travel, 'V'),
                                     FIELD(fr_radar_input, pivot, 'V'),
                                     FIELD(fr_radar_input, axis, 'V'),
                                     FIELD(fr_radar_input, angle, 'd'),
                                     FIELD_ENUM(fr_radar_input, look, look_names),
                                     FIELD(fr_radar_input, resolution, 'I'),
                                     FIELD(fr_radar_input, layers, 'I'),
                                     FIELD(fr_radar_input, tolerance, 'd'),
                                     FIELD(fr_radar_input, cells, 'I'),
                                     FIELD(fr_radar_input, is_round, 'b'),
                                     FILTER(fr_radar_input),
                                     {NULL, 0, 0, NULL}};

// The range image in rows without gaps.
static PyObject *give_image(const fr_radar_images *images) {
    if (images->range == NULL || images->width == 0) { return Py_NewRef(Py_None); }
    PyObject *out = array_new(NULL, 'd', images->height, (int)images->width);
    for (uint32_t y = 0; out != NULL && y < images->height; y++) {
        memcpy((double *)array_data(out) + (size_t)y * images->width, images->range + (size_t)y * images->stride,
               images->width * sizeof(double));
    }
    return out;
}

typedef fr_status query_fn(fr_radar *, const fr_radar_input *, fr_radar_output *, fr_error *);

static PyObject *run(PyObject *self, PyObject *args, PyObject *keywords, query_fn *query) {
    PyObject *space;
    fr_radar_input input = fr_default_radar_input();
    if (!PyArg_ParseTuple(args, "OO&", &space, take_object_id, &input.mover)) { return NULL; }
    call c;
    call_begin(&c);
    fr_radar_output output = {0};
    fr_status status = FR_OK;
    fr_radar *radar = call_hold(&c, self, radar_type, true);
    if (radar != NULL && (input.space = call_hold(&c, space, space_type, false)) != NULL &&
        options_fill(&c, keywords, input_fields, &input)) {
        call_leave(&c);
        status = query(radar, &input, &output, &c.error);
        call_return(&c);
    }
    if (!call_end(&c, status)) { return NULL; }
    PyObject *values[] = {PyBool_FromLong(output.is_hit),
                          PyFloat_FromDouble(output.distance),
                          PyFloat_FromDouble(output.low),
                          PyFloat_FromDouble(output.high),
                          output.is_hit ? record_make(&contact_record, &output.contact) : Py_NewRef(Py_None),
                          PyLong_FromUnsignedLong(output.flags),
                          give_image(&output.images)};
    return named_make(&result_tuple, values);
}

static PyObject *radar_move(PyObject *self, PyObject *args, PyObject *keywords) {
    return run(self, args, keywords, fr_radar_move);
}
static PyObject *radar_turn(PyObject *self, PyObject *args, PyObject *keywords) {
    return run(self, args, keywords, fr_radar_turn);
}
static PyObject *radar_meet(PyObject *self, PyObject *args, PyObject *keywords) {
    return run(self, args, keywords, fr_radar_meet);
}
static PyObject *radar_travel(PyObject *self, PyObject *args, PyObject *keywords) {
    return run(self, args, keywords, fr_radar_travel);
}

static const field search_fields[] = {FIELD(fr_radar_search_input, up, 'V'),
                                      FIELD(fr_radar_search_input, width, 'd'),
                                      FIELD(fr_radar_search_input, height, 'd'),
                                      FIELD(fr_radar_search_input, depth, 'd'),
                                      FIELD_ENUM(fr_radar_search_input, look, look_names),
                                      FIELD(fr_radar_search_input, resolution, 'I'),
                                      FIELD(fr_radar_search_input, pixel, 'd'),
                                      FIELD(fr_radar_search_input, passes, 'I'),
                                      FILTER(fr_radar_search_input),
                                      {NULL, 0, 0, NULL}};

static PyObject *radar_search(PyObject *self, PyObject *args, PyObject *keywords) {
    PyObject *space;
    fr_radar_search_input input = fr_default_radar_search_input();
    if (!PyArg_ParseTuple(args, "OO&O&:search", &space, take_vec3, &input.eye, take_vec3, &input.direction)) {
        return NULL;
    }
    call c;
    call_begin(&c);
    fr_radar_search_output output = {0};
    fr_status status = FR_OK;
    fr_radar *radar = call_hold(&c, self, radar_type, true);
    if (radar != NULL && (input.space = call_hold(&c, space, space_type, false)) != NULL &&
        options_fill(&c, keywords, search_fields, &input)) {
        call_leave(&c);
        status = fr_radar_search(radar, &input, &output, &c.error);
        call_return(&c);
    }
    return call_end(&c, status) ? array_new_records(output.sights, &sight_record, output.count) : NULL;
}

static PyObject *radar_repr(PyObject *self) {
    return PyUnicode_FromString(((handle *)(void *)self)->thing != NULL ? "<fureai.Radar>" : "<fureai.Radar, closed>");
}

#define OPTIONS                                                                                                        \
    "look='centre', resolution=32, layers=4, tolerance=0.0, cells=8192, is_round=False, mask=0xffffffff, ignore=None"

static PyMethodDef radar_methods[] = {
    HANDLE_METHODS,
    {"move", KEYWORDS(radar_move),
     "move($self, space, mover, /, *, travel, " OPTIONS
     ")\n--\n\nHow far an object may travel until it meets something, as a RadarResult."},
    {"turn", KEYWORDS(radar_turn),
     "turn($self, space, mover, /, *, pivot, axis, angle, " OPTIONS
     ")\n--\n\nHow far an object may turn about an axis."},
    {"meet", KEYWORDS(radar_meet),
     "meet($self, space, mover, /, *, travel, " OPTIONS
     ")\n--\n\nWhen it meets another, while the others go along their motions."},
    {"travel", KEYWORDS(radar_travel),
     "travel($self, space, mover, /, *, travel, pivot, axis, angle, " OPTIONS
     ")\n--\n\nHow long it may travel and turn at once."},
    {"search", KEYWORDS(radar_search),
     "search($self, space, eye, direction, /, *, up=(0, 1, 0), width=1.0, height=1.0, depth=1.0, look='centre', "
     "resolution=16,\n"
     "    pixel=0.0, passes=6, mask=0xffffffff, ignore=None)\n--\n\nWhich objects are in a volume, nearest first, an "
     "Array of Sight."},
    {NULL, NULL, 0, NULL}};

bool radar_add(PyObject *module) {
    static PyGetSetDef values[] = {HANDLE_CLOSED, {NULL, NULL, NULL, NULL, NULL}};
    static PyType_Slot slots[] = {{Py_tp_doc, "Radar()\n--\n\nCollision and search by depth images: no preparation, so "
                                              "that shapes may change from frame to frame."},
                                  {Py_tp_new, radar_new},
                                  {Py_tp_dealloc, handle_dealloc},
                                  {Py_tp_repr, radar_repr},
                                  {Py_tp_methods, radar_methods},
                                  {Py_tp_getset, values},
                                  {0, NULL}};
    static PyType_Spec spec = {"fureai.Radar", sizeof(handle), 0, Py_TPFLAGS_DEFAULT, slots};
    return named_add(module, &result_tuple) && record_add(module, &sight_record) &&
           module_add_type(module, &spec, &radar_type);
}
