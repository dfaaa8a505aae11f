// Normals at corners where a file gives none: smooth where polygons meet at less than the crease angle.
#include "geometry_part.h"

#include <math.h>

// At vertices with more corners than this a corner looks only at so many before and after it, in the order of the file.
// It bounds the time: the apex of a fan of a million triangles would ask for their square.
#define MOST_CORNERS 256
#define WINDOW 128

// A corner in the list of its vertex.
typedef struct visit {
    uint32_t corner, face;
} visit;

typedef struct crease {
    fr_model_mesh mesh;
    fr_vec3 *face_normals; // unit
    double *weights;       // of each corner: area of its polygon times the angle there
    uint32_t *starts;      // where the visits of each vertex begin; one more at the end
    visit *visits;
    double min_cosine; // normals with a greater one are smoothed
    float *normals;
} crease;

static bool take_memory(crease *c, fr_arena *scratch) {
    uint32_t corner_count = fr__corner_count(&c->mesh);
    c->face_normals = fr_arena_alloc(scratch, c->mesh.face_count, sizeof(fr_vec3), _Alignof(fr_vec3));
    c->weights = fr_arena_alloc(scratch, corner_count, sizeof(double), _Alignof(double));
    c->starts = fr_arena_alloc(scratch, (size_t)c->mesh.vertex_count + 2, sizeof(uint32_t), _Alignof(uint32_t));
    c->visits = fr_arena_alloc(scratch, corner_count, sizeof(visit), _Alignof(visit));
    return c->face_normals != NULL && c->weights != NULL && c->starts != NULL && c->visits != NULL;
}

static fr_vec3 area_vector(const fr_model_mesh *mesh, uint32_t begin, uint32_t end) {
    fr_vec3 origin = fr__position(mesh, mesh->corners[begin]), sum = fr_vec3_make(0.0, 0.0, 0.0);
    fr_vec3 p = fr_vec3_sub(fr__position(mesh, mesh->corners[begin + 1]), origin);
    for (uint32_t c = begin + 2; c < end; c++) {
        fr_vec3 q = fr_vec3_sub(fr__position(mesh, mesh->corners[c]), origin);
        sum = fr_vec3_add(sum, fr_vec3_cross(p, q));
        p = q;
    }
    return fr_vec3_scale(0.5, sum);
}

static double angle_at(fr_vec3 before, fr_vec3 at, fr_vec3 after) {
    fr_vec3 p = fr_vec3_sub(before, at), q = fr_vec3_sub(after, at);
    return fr_atan2(fr_vec3_length(fr_vec3_cross(p, q)), fr_vec3_dot(p, q));
}

static bool weigh_faces(crease *c, fr__builder *builder) {
    const fr_model_mesh *mesh = &c->mesh;
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        uint32_t begin = fr_model_face_begin(mesh, face), end = fr_model_face_end(mesh, face);
        fr_vec3 area = area_vector(mesh, begin, end);
        c->face_normals[face] = fr_vec3_unit(area, fr_vec3_make(0.0, 1.0, 0.0));
        double size = fr_vec3_length(area);
        fr_vec3 before = fr__position(mesh, mesh->corners[end - 1]), at = fr__position(mesh, mesh->corners[begin]);
        for (uint32_t k = begin; k < end; k++) {
            fr_vec3 after = fr__position(mesh, mesh->corners[k + 1 < end ? k + 1 : begin]);
            c->weights[k] = size * angle_at(before, at, after);
            before = at;
            at = after;
        }
        if (!fr__builder_goes_on(builder, 8 * (size_t)(end - begin))) { return false; }
    }
    return true;
}

// The corners at each vertex, by counting.
static bool list_visits(crease *c, fr__builder *builder) {
    const fr_model_mesh *mesh = &c->mesh;
    uint32_t *place = c->starts + 1; // where the next visit of a vertex goes; its end when all are there
    for (uint32_t v = 0; v < mesh->vertex_count + 2; v++) {
        c->starts[v] = 0;
    }
    uint32_t corner_count = fr__corner_count(mesh);
    for (uint32_t k = 0; k < corner_count; k++) {
        c->starts[mesh->corners[k] + 2]++;
    }
    for (uint32_t v = 2; v < mesh->vertex_count + 2; v++) {
        c->starts[v] += c->starts[v - 1];
    }
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        for (uint32_t k = fr_model_face_begin(mesh, face); k < fr_model_face_end(mesh, face); k++) {
            c->visits[place[mesh->corners[k]]++] = (visit){k, face};
        }
        if (!fr__builder_goes_on(builder, 4)) { return false; }
    }
    return true;
}

static bool smooth_vertex(crease *c, const visit *visits, uint32_t count, fr__builder *builder) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t from = 0, to = count;
        if (count > MOST_CORNERS) {
            from = i > WINDOW ? i - WINDOW : 0;
            to = count - i > WINDOW ? i + WINDOW : count;
        }
        fr_vec3 own = c->face_normals[visits[i].face], sum = fr_vec3_make(0.0, 0.0, 0.0);
        for (uint32_t j = from; j < to; j++) {
            fr_vec3 other = c->face_normals[visits[j].face];
            if (j != i && !(fr_vec3_dot(own, other) > c->min_cosine)) { continue; }
            sum = fr_vec3_add(sum, fr_vec3_scale(c->weights[visits[j].corner], other));
        }
        fr_vec3 normal = fr_vec3_unit(sum, own);
        float *out = c->normals + (size_t)3 * visits[i].corner;
        out[0] = (float)normal.x;
        out[1] = (float)normal.y;
        out[2] = (float)normal.z;
        if (!fr__builder_goes_on(builder, 4 + to - from)) { return false; }
    }
    return true;
}

fr_status fr__crease_normals(fr__geometry *geometry, double crease_angle) {
    const double half_turn = 3.14159265358979323846;
    crease c = {.mesh = fr__geometry_mesh(geometry->builder)};
    if (c.mesh.face_count == 0) { return FR_OK; }
    fr_arena_reset(geometry->scratch);
    c.normals = fr__geometry_normals(geometry->builder);
    if (c.normals == NULL || !take_memory(&c, geometry->scratch)) { return FR_ERROR_MEMORY; }
    c.min_cosine = crease_angle < half_turn ? fr_cos(crease_angle) : -INFINITY;
    bool goes_on = weigh_faces(&c, geometry->builder) && list_visits(&c, geometry->builder);
    for (uint32_t v = 0; v < c.mesh.vertex_count && goes_on; v++) {
        goes_on = smooth_vertex(&c, c.visits + c.starts[v], c.starts[v + 1] - c.starts[v], geometry->builder);
    }
    return goes_on ? FR_OK : FR_ERROR_STOPPED;
}
