// Queries about the objects of a space at their poses: rays, closest points, distances, overlaps, a ball that is cast.
#include "module.h"

#include <math.h>

static const field hit_fields[] = {FIELD(fr_space_hit, object, 'O'),
                                   FIELD(fr_space_hit, part, 'I'),
                                   FIELD(fr_space_hit, triangle, 'I'),
                                   FIELD(fr_space_hit, distance, 'd'),
                                   FIELD(fr_space_hit, point, 'V'),
                                   FIELD(fr_space_hit, normal, 'V'),
                                   {NULL, 0, 0, NULL}};
static record hit_record = {"fureai.Hit",
                            "What a ray or a ball meets first; object is None where it is nothing.",
                            sizeof(fr_space_hit),
                            hit_fields,
                            NULL,
                            NULL};

static const field closest_fields[] = {FIELD(fr_space_closest, object, 'O'),   FIELD(fr_space_closest, part, 'I'),
                                       FIELD(fr_space_closest, triangle, 'I'), FIELD(fr_space_closest, distance, 'd'),
                                       FIELD(fr_space_closest, point, 'V'),    {NULL, 0, 0, NULL}};
static record closest_record = {"fureai.Closest",
                                "The closest point of any object; object is None beyond the limit.",
                                sizeof(fr_space_closest),
                                closest_fields,
                                NULL,
                                NULL};

static const field distance_fields[] = {
    FIELD(fr_object_distance, distance, 'd'),   FIELD(fr_object_distance, on_a, 'V'),
    FIELD(fr_object_distance, on_b, 'V'),       FIELD(fr_object_distance, triangle_a, 'U'),
    FIELD(fr_object_distance, triangle_b, 'U'), {NULL, 0, 0, NULL}};
static record distance_record = {"fureai.Distance",
                                 "The distance of two objects' surfaces and where it is reached.",
                                 sizeof(fr_object_distance),
                                 distance_fields,
                                 NULL,
                                 NULL};

static const field item_fields[] = {FIELD(fr_space_item, object, 'O'),
                                    FIELD(fr_space_item, part, 'I'),
                                    FIELD(fr_space_item, triangle, 'I'),
                                    {NULL, 0, 0, NULL}};
static record item_record = {"fureai.Item", "A triangle of an object.", sizeof(fr_space_item), item_fields, NULL, NULL};

bool query_add(PyObject *module) {
    return record_add(module, &hit_record) && record_add(module, &closest_record) &&
           record_add(module, &distance_record) && record_add(module, &item_record);
}

// What all queries take by keyword.
typedef struct query_input {
    fr_query_filter filter;
    const fr_tasks *tasks;
    double limit, radius;
    bool is_signed;
    fr_bounds box;
    fr_vec3 center, end;
    fr_pose pose;
} query_input;

#define FILTER_FIELDS                                                                                                  \
    FIELD_AS(query_input, "mask", filter.mask, 'I'), FIELD_AS(query_input, "ignore", filter.ignore, 'O'),              \
        FIELD_AS(query_input, "as_object", filter.as_object, 'O')

static const field ray_fields[] = {
    FILTER_FIELDS, FIELD(query_input, limit, 'd'), FIELD(query_input, tasks, 'T'), {NULL, 0, 0, NULL}};
static const field closest_options[] = {FILTER_FIELDS,
                                        FIELD(query_input, limit, 'd'),
                                        FIELD(query_input, is_signed, 'b'),
                                        FIELD(query_input, tasks, 'T'),
                                        {NULL, 0, 0, NULL}};
static const field distance_options[] = {FIELD(query_input, limit, 'd'), {NULL, 0, 0, NULL}};
static const field filter_options[] = {FILTER_FIELDS, {NULL, 0, 0, NULL}};
static const field overlap_fields[] = {FILTER_FIELDS,
                                       FIELD(query_input, box, 'B'),
                                       FIELD(query_input, center, 'V'),
                                       FIELD(query_input, end, 'V'),
                                       FIELD(query_input, radius, 'd'),
                                       FIELD(query_input, pose, 'P'),
                                       {NULL, 0, 0, NULL}};

// Begins a query: the space, and the keywords; NULL with an exception.
static const fr_space *begin(call *c, PyObject *self, PyObject *keywords, const field *fields, query_input *input) {
    input->filter = fr_default_query_filter();
    input->tasks = NULL;
    input->limit = INFINITY;
    input->radius = 0.0;
    input->is_signed = false;
    input->pose = fr_pose_identity();
    call_begin(c);
    const fr_space *space = call_hold(c, self, space_type, false);
    return space != NULL && options_fill(c, keywords, fields, input) ? space : NULL;
}

PyObject *space_ray(PyObject *self, PyObject *args, PyObject *keywords) {
    fr_ray ray;
    if (!PyArg_ParseTuple(args, "O&O&:ray", take_vec3, &ray.origin, take_vec3, &ray.direction)) { return NULL; }
    call c;
    query_input input;
    fr_space_hit hit;
    fr_status status = FR_OK;
    const fr_space *space = begin(&c, self, keywords, ray_fields, &input);
    if (space != NULL) {
        ray.limit = input.limit;
        status = fr_space_ray(space, &ray, &input.filter, &hit, &c.error);
    }
    return call_end(&c, status) ? record_make(&hit_record, &hit) : NULL;
}

PyObject *space_ray_many(PyObject *self, PyObject *args, PyObject *keywords) {
    PyObject *origins, *directions, *out = NULL;
    if (!PyArg_ParseTuple(args, "OO:ray_many", &origins, &directions)) { return NULL; }
    call c;
    query_input input;
    fr_ray *rays = NULL;
    fr_status status = FR_OK;
    const fr_space *space = begin(&c, self, keywords, ray_fields, &input);
    const array_input *from = space != NULL ? call_array(&c, origins, 'd', 3, "origins") : NULL;
    const array_input *to = from != NULL ? call_array(&c, directions, 'd', 3, "directions") : NULL;
    if (to != NULL && from->rows != to->rows) {
        error_argument("%zu origins for %zu directions", from->rows, to->rows);
    } else if (to != NULL && (out = array_new_records(NULL, &hit_record, from->rows)) != NULL) {
        rays = PyMem_Malloc((from->rows + 1) * sizeof *rays);
        if (rays == NULL) { PyErr_NoMemory(); }
    }
    if (rays != NULL) {
        for (size_t i = 0; i < from->rows; i++) {
            rays[i] = (fr_ray){((const fr_vec3 *)from->data)[i], ((const fr_vec3 *)to->data)[i], input.limit};
        }
        size_t count = from->rows;
        call_leave(&c);
        status = fr_space_ray_many(space, rays, count, &input.filter, input.tasks, array_data(out), &c.error);
        call_return(&c);
    }
    PyMem_Free(rays);
    if (!call_end(&c, status)) { Py_CLEAR(out); }
    return out;
}

PyObject *space_closest(PyObject *self, PyObject *args, PyObject *keywords) {
    fr_vec3 point;
    if (!PyArg_ParseTuple(args, "O&:closest", take_vec3, &point)) { return NULL; }
    call c;
    query_input input;
    fr_space_closest out;
    fr_status status = FR_OK;
    const fr_space *space = begin(&c, self, keywords, closest_options, &input);
    if (space != NULL) {
        status = fr_space_closest_point(space, point, input.limit, input.is_signed, &input.filter, &out, &c.error);
    }
    return call_end(&c, status) ? record_make(&closest_record, &out) : NULL;
}

PyObject *space_closest_many(PyObject *self, PyObject *args, PyObject *keywords) {
    PyObject *source, *out = NULL;
    if (!PyArg_ParseTuple(args, "O:closest_many", &source)) { return NULL; }
    call c;
    query_input input;
    fr_status status = FR_OK;
    const fr_space *space = begin(&c, self, keywords, closest_options, &input);
    const array_input *points = space != NULL ? call_array(&c, source, 'd', 3, "points") : NULL;
    if (points != NULL && (out = array_new_records(NULL, &closest_record, points->rows)) != NULL) {
        call_leave(&c);
        status = fr_space_closest_many(space, points->data, points->rows, input.limit, input.is_signed, &input.filter,
                                       input.tasks, array_data(out), &c.error);
        call_return(&c);
    }
    if (!call_end(&c, status)) { Py_CLEAR(out); }
    return out;
}

PyObject *space_distance(PyObject *self, PyObject *args, PyObject *keywords) {
    fr_object_id a, b;
    if (!PyArg_ParseTuple(args, "O&O&:distance", take_object_id, &a, take_object_id, &b)) { return NULL; }
    call c;
    query_input input;
    fr_object_distance out;
    fr_status status = FR_OK;
    const fr_space *space = begin(&c, self, keywords, distance_options, &input);
    if (space != NULL) {
        call_leave(&c);
        status = fr_space_distance(space, a, b, input.limit, &out, &c.error);
        call_return(&c);
    }
    return call_end(&c, status) ? record_make(&distance_record, &out) : NULL;
}

PyObject *space_cast_ball(PyObject *self, PyObject *args, PyObject *keywords) {
    fr_vec3 from, travel;
    double radius;
    if (!PyArg_ParseTuple(args, "O&O&d:cast_ball", take_vec3, &from, take_vec3, &travel, &radius)) { return NULL; }
    call c;
    query_input input;
    fr_space_hit hit;
    fr_status status = FR_OK;
    const fr_space *space = begin(&c, self, keywords, filter_options, &input);
    if (space != NULL) {
        call_leave(&c);
        status = fr_space_cast_ball(space, from, travel, radius, &input.filter, &hit, &c.error);
        call_return(&c);
    }
    return call_end(&c, status) ? record_make(&hit_record, &hit) : NULL;
}

// The shape of an overlap query, by which keywords are there: a mesh, a box, a capsule or a ball.
static bool take_shape(call *c, PyObject *mesh, PyObject *keywords, const query_input *input, fr_overlap_shape *shape) {
    *shape = (fr_overlap_shape){
        .box = input->box, .points = {input->center, input->end}, .radius = input->radius, .pose = input->pose};
    bool has_box = keywords != NULL && PyDict_GetItemString(keywords, "box") != NULL;
    bool has_center = keywords != NULL && PyDict_GetItemString(keywords, "center") != NULL;
    bool has_end = keywords != NULL && PyDict_GetItemString(keywords, "end") != NULL;
    if ((mesh != Py_None) + has_box + has_center != 1 || (has_end && !has_center)) {
        return error_argument("overlap takes a mesh, or box, or center (a ball), or center and end (a capsule)") !=
               NULL;
    }
    if (mesh != Py_None) {
        shape->kind = FR_OVERLAP_MESH;
        shape->mesh = call_hold(c, mesh, mesh_type, false);
        return shape->mesh != NULL;
    }
    shape->kind = has_box ? FR_OVERLAP_BOX : has_end ? FR_OVERLAP_CAPSULE : FR_OVERLAP_BALL;
    return true;
}

PyObject *space_overlap(PyObject *self, PyObject *args, PyObject *keywords) {
    PyObject *mesh = Py_None, *out = NULL;
    if (!PyArg_ParseTuple(args, "|O:overlap", &mesh)) { return NULL; }
    call c;
    query_input input;
    fr_overlap_shape shape;
    fr_status status = FR_OK;
    const fr_space *space = begin(&c, self, keywords, overlap_fields, &input);
    if (space != NULL && take_shape(&c, mesh, keywords, &input, &shape)) {
        // Once to count them, once to write them.
        uint32_t count = 0;
        call_leave(&c);
        status = fr_space_overlap(space, &shape, &input.filter, NULL, 0, &count, &c.error);
        call_return(&c);
        if (status == FR_OK && (out = array_new_records(NULL, &item_record, count)) != NULL && count > 0) {
            call_leave(&c);
            status = fr_space_overlap(space, &shape, &input.filter, array_data(out), count, &count, &c.error);
            call_return(&c);
        }
    }
    if (!call_end(&c, status)) { Py_CLEAR(out); }
    return out;
}
