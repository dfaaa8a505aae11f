// What if: what a shape that is no object of a space would touch along a motion, and where it slides to.
#include "module.h"

#include <stddef.h>

static const char *const move_names[] = {"is_hit", "free_time", "first", "contacts", "has_more", NULL};
static named moved = {"fureai.Move", "What a motion would touch: first is None and free_time 1 where it is nothing.",
                      move_names, NULL};

static const char *const slide_names[] = {"pose", "free_part", "rounds", "contacts", "end", NULL};
static named slid = {"fureai.Slide", "Where a body that slides along what it meets ends, and why there.", slide_names,
                     NULL};
static const char *const end_names[] = {"arrived", "held", "rounds", "inside", "stopped", NULL};

bool move_add(PyObject *module) { return named_add(module, &moved) && named_add(module, &slid); }

typedef struct move_input {
    fr_slide_input slide; // the query of a move is its first member
    fr_query_filter filter;
    uint32_t capacity;
} move_input;

#define MOVE_FIELDS                                                                                                    \
    FIELD_AS(move_input, "may_others_move", slide.query.may_others_move, 'b'),                                         \
        FIELD_AS(move_input, "margin", slide.query.margin, 'd'),                                                       \
        FIELD_AS(move_input, "tolerance", slide.query.tolerance, 'd'), FIELD_AS(move_input, "mask", filter.mask, 'I'), \
        FIELD_AS(move_input, "ignore", filter.ignore, 'O'), FIELD_AS(move_input, "as_object", filter.as_object, 'O'),  \
        FIELD(move_input, capacity, 'I')

static const field move_fields[] = {MOVE_FIELDS, {NULL, 0, 0, NULL}};
static const field slide_fields[] = {MOVE_FIELDS,
                                     FIELD_AS(move_input, "gap", slide.gap, 'd'),
                                     FIELD_AS(move_input, "max_rounds", slide.max_rounds, 'I'),
                                     {NULL, 0, 0, NULL}};

// Runs fr_collide_move or fr_collide_slide: they take the same geometry, motion and filter.
static PyObject *run(PyObject *self, PyObject *args, PyObject *keywords, bool is_slide) {
    PyObject *shape, *items = NULL, *contacts = NULL;
    fr_motion motion;
    if (!PyArg_ParseTuple(args, is_slide ? "OO&:slide" : "OO&:move", &shape, take_motion, &motion)) { return NULL; }
    call c;
    call_begin(&c);
    move_input input = {fr_default_slide_input(), fr_default_query_filter(), 16};
    input.slide.query = fr_default_move_input();
    fr_move_output output = {0};
    fr_slide_output slide = {0};
    fr_part_def *parts = NULL;
    void *scratch = NULL;
    fr_status status = FR_OK;
    fr_move_input *query = &input.slide.query;
    query->space = call_hold(&c, self, space_type, false);
    if (query->space != NULL && options_fill(&c, keywords, is_slide ? slide_fields : move_fields, &input) &&
        (parts = take_parts(shape, &query->part_count, &items)) != NULL &&
        (contacts = array_new_records(NULL, &contact_record, input.capacity)) != NULL) {
        query->parts = parts;
        query->motion = motion;
        query->filter = &input.filter;
        query->contacts = array_data(contacts);
        query->capacity = input.capacity;
        input.slide.control = &c.control;
        input.slide.scratch = scratch = is_slide ? PyMem_Malloc(FR_SLIDE_SCRATCH_BYTES) : NULL;
        if (is_slide && scratch == NULL) {
            PyErr_NoMemory();
        } else {
            call_leave(&c);
            status =
                is_slide ? fr_collide_slide(&input.slide, &slide, &c.error) : fr_collide_move(query, &output, &c.error);
            call_return(&c);
        }
    }
    PyMem_Free(scratch);
    PyMem_Free(parts);
    Py_XDECREF(items);
    PyObject *result = NULL;
    if (call_end(&c, status)) {
        uint32_t count = is_slide ? slide.contact_count : output.contact_count;
        PyObject *some = array_new_records(array_data(contacts), &contact_record, count);
        if (is_slide) {
            PyObject *values[] = {give_pose(&slide.pose), PyFloat_FromDouble(slide.free_part),
                                  PyLong_FromUnsignedLong(slide.rounds), some,
                                  PyUnicode_FromString(end_names[slide.end])};
            result = named_make(&slid, values);
        } else {
            PyObject *values[] = {PyBool_FromLong(output.is_hit),
                                  PyFloat_FromDouble(output.is_hit ? output.free_time : 1.0),
                                  output.is_hit ? record_make(&contact_record, &output.first) : Py_NewRef(Py_None),
                                  some, PyBool_FromLong(output.has_more)};
            result = named_make(&moved, values);
        }
    }
    Py_XDECREF(contacts);
    return result;
}

PyObject *space_move(PyObject *self, PyObject *args, PyObject *keywords) { return run(self, args, keywords, false); }
PyObject *space_slide(PyObject *self, PyObject *args, PyObject *keywords) { return run(self, args, keywords, true); }
