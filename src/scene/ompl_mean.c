// The point of a body that states of OMPL.app place: the mean of its corners as the program's reader of models (Assimp)
// counts them. In each part, one position and normal is one corner; lines and points are parts too.
#include "scene/scene.h"

#include "fureai/base_order.h"

#include <math.h>

#define NORMAL_STEPS 16384.0 // normals that differ by less than one step in each coordinate are mostly equal

// A corner in the model's frame.
typedef struct ompl_corner {
    double numbers[6]; // position, and normal in steps
} ompl_corner;

FR_ARRAY_TYPE(ompl_corner_array, ompl_corner);

static bool corner_is_before(const ompl_corner *a, const ompl_corner *b) {
    for (int i = 0; i < 6; i++) {
        if (a->numbers[i] != b->numbers[i]) { return a->numbers[i] < b->numbers[i]; }
    }
    return false;
}

FR_SORT_TYPE(sort_corners, ompl_corner, corner_is_before);

static fr_vec3 place_vertex(const fr_model_mesh *mesh, uint32_t vertex, const double m[12]) {
    size_t at = 3 * (size_t)vertex;
    double p[3], out[3];
    for (int k = 0; k < 3; k++) {
        p[k] = mesh->positions_double != NULL ? mesh->positions_double[at + (size_t)k]
                                              : (double)mesh->positions_float[at + (size_t)k];
    }
    for (int k = 0; k < 3; k++) {
        out[k] = m[4 * k] * p[0] + m[4 * k + 1] * p[1] + m[4 * k + 2] * p[2] + m[4 * k + 3];
    }
    return fr_vec3_make(out[0], out[1], out[2]);
}

// A normal goes to the model's frame by the cofactors of the matrix.
static fr_vec3 place_normal(const float *n, const double m[12]) {
    fr_vec3 x = {m[0], m[1], m[2]}, y = {m[4], m[5], m[6]}, z = {m[8], m[9], m[10]};
    fr_vec3 normal = {(double)n[0], (double)n[1], (double)n[2]};
    return fr_vec3_make(fr_vec3_dot(fr_vec3_cross(y, z), normal), fr_vec3_dot(fr_vec3_cross(z, x), normal),
                        fr_vec3_dot(fr_vec3_cross(x, y), normal));
}

// Twice the area of a polygon along its normal, for faces of files without normals.
static fr_vec3 polygon_normal(const fr_model_mesh *mesh, uint32_t begin, uint32_t end, const double m[12]) {
    fr_vec3 first = place_vertex(mesh, mesh->corners[begin], m), sum = {0.0, 0.0, 0.0};
    for (uint32_t i = begin + 1; i + 1 < end; i++) {
        fr_vec3 a = fr_vec3_sub(place_vertex(mesh, mesh->corners[i], m), first);
        sum = fr_vec3_add(sum, fr_vec3_cross(a, fr_vec3_sub(place_vertex(mesh, mesh->corners[i + 1], m), first)));
    }
    return sum;
}

static fr_status add_polygon(const fr_model_mesh *mesh, uint32_t face, const double m[12], ompl_corner_array *corners) {
    uint32_t begin = fr_model_face_begin(mesh, face), end = fr_model_face_end(mesh, face);
    ompl_corner *out = ompl_corner_array_push(corners, end - begin);
    if (out == NULL) { return FR_ERROR_MEMORY; }
    fr_vec3 own = {0.0, 0.0, 0.0};
    if (mesh->corner_normals == NULL) { own = polygon_normal(mesh, begin, end, m); }
    for (uint32_t i = begin; i < end; i++, out++) {
        fr_vec3 p = place_vertex(mesh, mesh->corners[i], m), n = own;
        if (mesh->corner_normals != NULL) { n = place_normal(mesh->corner_normals + 3 * (size_t)i, m); }
        double length = fr_vec3_length(n), steps = length > 0.0 ? NORMAL_STEPS / length : 0.0;
        *out = (ompl_corner){{p.x, p.y, p.z, rint(steps * n.x), rint(steps * n.y), rint(steps * n.z)}};
    }
    return FR_OK;
}

// The corners of a part's polygons; of a part without any, the ends of its lines and its points.
static fr_status collect_corners(const fr_model_mesh *mesh, const double m[12], ompl_corner_array *corners) {
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        if (add_polygon(mesh, face, m, corners) != FR_OK) { return FR_ERROR_MEMORY; }
    }
    if (mesh->face_count > 0) { return FR_OK; }
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        fr_vec3 p = place_vertex(mesh, i, m);
        ompl_corner *out = ompl_corner_array_push(corners, 1);
        if (out == NULL) { return FR_ERROR_MEMORY; }
        *out = (ompl_corner){{p.x, p.y, p.z, 0.0, 0.0, 0.0}};
    }
    return FR_OK;
}

// Adds the distinct ones up; how many there are.
static size_t add_up(const ompl_corner_array *corners, fr_vec3 *sum) {
    const ompl_corner *list = corners->data;
    size_t distinct = 0;
    sort_corners(corners->data, corners->count);
    for (size_t i = 0; i < corners->count; i++) {
        if (i > 0 && !corner_is_before(&list[i - 1], &list[i])) { continue; }
        const double *p = list[i].numbers;
        *sum = fr_vec3_add(*sum, fr_vec3_make(p[0], p[1], p[2]));
        distinct++;
    }
    return distinct;
}

fr_status fr_ompl_mean(const fr_model *model, const fr_allocator *allocator, fr_vec3 *out, fr_error *error) {
    FR_ASSERT(model != NULL && out != NULL);
    const fr_model_view *view = fr_model_get(model);
    fr_allocator from = fr_allocator_or_default(allocator);
    ompl_corner_array corners = ompl_corner_array_make(&from);
    fr_status status = FR_OK;
    fr_vec3 sum = {0.0, 0.0, 0.0};
    size_t count = 0;
    for (uint32_t i = 0; i < view->node_count && status == FR_OK; i++) {
        uint32_t mesh = view->nodes[i].mesh;
        if (mesh == FR_NONE || (view->nodes[i].flags & FR_MODEL_HIDDEN) != 0) { continue; }
        double matrix[12];
        fr_model_node_matrix(model, i, matrix);
        corners.count = 0;
        status = collect_corners(&view->meshes[mesh], matrix, &corners);
        if (status == FR_OK) { count += add_up(&corners, &sum); }
    }
    ompl_corner_array_destroy(&corners);
    *out = count > 0 ? fr_vec3_scale(1.0 / (double)count, sum) : sum;
    return status == FR_OK ? FR_OK : fr_error_set(error, status, "no memory for the body's corners");
}
