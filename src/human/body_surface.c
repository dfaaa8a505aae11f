// The skin's vertices and polygons: the cage cut in nine, drawn over the solid, evened out and mirrored.
#include "human/body_surface.h"

#include "fureai/shape.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Cutting: every polygon of the cage in nine, with two new vertices on each edge

static uint32_t add_vertex(fr__body_surface *s, fr_vec3 point, double limb, uint32_t parts, bool is_middle) {
    FR_ASSERT(s->vertex_count < FR__SURFACE_MAX_HALF);
    fr__surface_vertex *v = &s->vertices[s->vertex_count];
    memset(v, 0, sizeof *v);
    v->point = point;
    v->limb = limb;
    v->parts = parts;
    v->is_middle = is_middle;
    return s->vertex_count++;
}

static uint32_t add_between(fr__body_surface *s, uint32_t a, uint32_t b, double t) {
    const fr__surface_vertex *from = &s->vertices[a], *to = &s->vertices[b];
    return add_vertex(s, fr_vec3_lerp(from->point, to->point, t), from->limb + t * (to->limb - from->limb),
                      from->parts | to->parts, from->is_middle && to->is_middle);
}

// The vertex at the first third from a to b; made at the first call for the edge.
static uint32_t edge_vertex(fr__body_surface *s, uint32_t a, uint32_t b) {
    uint32_t low = a < b ? a : b, high = a < b ? b : a, i = 0;
    while (s->edge_ends[low][i] != FR_NONE && s->edge_ends[low][i] != high) {
        i++;
        FR_ASSERT(i < FR__SURFACE_CAGE_DEGREE);
    }
    if (s->edge_ends[low][i] == FR_NONE) {
        s->edge_ends[low][i] = high;
        s->edge_vertices[low][i] = add_between(s, low, high, 1.0 / 3.0);
        (void)add_between(s, low, high, 2.0 / 3.0);
    }
    return s->edge_vertices[low][i] + (a < b ? 0 : 1);
}

static void add_face(fr__body_surface *s, uint32_t cage, uint32_t piece, uint32_t a, uint32_t b, uint32_t c,
                     uint32_t d) {
    FR_ASSERT(2 * s->face_count + 2 <= FR__SURFACE_MAX_FACES);
    s->faces[s->face_count++] = (fr__surface_face){{a, b, c, d}, cage, piece};
}

static void cut_quad(fr__body_surface *s, uint32_t cage, const uint32_t corners[4]) {
    uint32_t grid[4][4];
    for (uint32_t i = 0; i < 2; i++) {
        for (uint32_t k = 0; k < 2; k++) {
            grid[3 * i][3 * k] = corners[i == 0 ? k : 3 - k];
        }
    }
    for (uint32_t k = 1; k < 3; k++) {
        grid[0][k] = edge_vertex(s, k == 1 ? corners[0] : corners[1], k == 1 ? corners[1] : corners[0]);
        grid[3][k] = edge_vertex(s, k == 1 ? corners[3] : corners[2], k == 1 ? corners[2] : corners[3]);
        grid[k][0] = edge_vertex(s, k == 1 ? corners[0] : corners[3], k == 1 ? corners[3] : corners[0]);
        grid[k][3] = edge_vertex(s, k == 1 ? corners[1] : corners[2], k == 1 ? corners[2] : corners[1]);
    }
    for (uint32_t i = 1; i < 3; i++) {
        for (uint32_t k = 1; k < 3; k++) {
            grid[i][k] = add_between(s, grid[i][0], grid[i][3], (double)k / 3.0);
        }
    }
    for (uint32_t i = 0; i < 3; i++) {
        for (uint32_t k = 0; k < 3; k++) {
            add_face(s, cage, 3 * i + k, grid[i][k], grid[i][k + 1], grid[i + 1][k + 1], grid[i + 1][k]);
        }
    }
}

static void cut_triangle(fr__body_surface *s, uint32_t cage, const uint32_t corners[3]) {
    // Rows of 4, 3, 2 and 1 vertices, the first from corner 0 to corner 1, the last corner 2.
    uint32_t a = corners[0], b = corners[1], c = corners[2];
    uint32_t r0[4] = {a, edge_vertex(s, a, b), edge_vertex(s, b, a), b};
    uint32_t r1[3] = {edge_vertex(s, a, c), 0, edge_vertex(s, b, c)};
    r1[1] = add_between(s, r1[0], r1[2], 0.5);
    uint32_t r2[2] = {edge_vertex(s, c, a), edge_vertex(s, c, b)};
    for (uint32_t i = 0; i < 3; i++) {
        add_face(s, cage, i, r0[i], r0[i + 1], r1[i < 2 ? i : 2], FR_NONE);
    }
    add_face(s, cage, 3, r0[1], r1[1], r1[0], FR_NONE);
    add_face(s, cage, 4, r0[2], r1[2], r1[1], FR_NONE);
    add_face(s, cage, 5, r1[0], r1[1], r2[0], FR_NONE);
    add_face(s, cage, 6, r1[1], r1[2], r2[1], FR_NONE);
    add_face(s, cage, 7, r1[1], r2[1], r2[0], FR_NONE);
    add_face(s, cage, 8, r2[0], r2[1], c, FR_NONE);
}

static void cut_cage(fr__body_surface *s) {
    memset(s->edge_ends, 0xff, sizeof s->edge_ends);
    s->vertex_count = 0;
    s->face_count = 0;
    for (uint32_t i = 0; i < s->cage.vertex_count; i++) {
        const fr__cage_vertex *v = &s->cage.vertices[i];
        uint32_t index = add_vertex(s, v->point, v->limb, v->parts, v->point.x == 0.0);
        s->vertices[index].is_coarse = true;
    }
    for (uint32_t i = 0; i < s->cage.face_count; i++) {
        const uint32_t *corners = s->cage.faces[i].corners;
        if (corners[3] == FR_NONE) {
            cut_triangle(s, i, corners);
        } else {
            cut_quad(s, i, corners);
        }
    }
    s->half_count = s->vertex_count;
    s->half_face_count = s->face_count;
}

// ---------------------------------------------------------------------------------------------------------------
// Drawing it over the solid

static void project_all(fr__body_surface *s, int steps) {
    for (uint32_t i = 0; i < s->half_count; i++) {
        fr__surface_vertex *v = &s->vertices[i];
        v->point = fr__body_field_project(&s->field, v->parts, v->point, steps, &v->normal);
        if (v->is_middle) { v->point.x = 0.0; }
    }
}

// Moves every vertex along the surface towards the mean of its neighbours.
static void even_out(fr__body_surface *s, double strength) {
    memset(s->sums, 0, s->half_count * sizeof *s->sums);
    memset(s->degrees, 0, s->half_count * sizeof *s->degrees);
    for (uint32_t f = 0; f < s->half_face_count; f++) {
        const uint32_t *c = s->faces[f].corners;
        uint32_t count = c[3] == FR_NONE ? 3 : 4;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t a = c[i], b = c[(i + 1) % count];
            s->sums[a] = fr_vec3_add(s->sums[a], s->vertices[b].point);
            s->sums[b] = fr_vec3_add(s->sums[b], s->vertices[a].point);
            s->degrees[a]++;
            s->degrees[b]++;
        }
    }
    for (uint32_t i = 0; i < s->half_count; i++) {
        fr__surface_vertex *v = &s->vertices[i];
        if ((v->parts & FR__PART_HEAD) != 0 && v->point.z > -0.03) {
            continue;
        } // columns of the face lie at its features
        fr_vec3 mean = fr_vec3_scale(1.0 / (double)s->degrees[i], s->sums[i]);
        fr_vec3 step = fr_vec3_sub(mean, v->point);
        step = fr_vec3_add_scaled(step, -fr_vec3_dot(step, v->normal), v->normal);
        v->point = fr_vec3_add_scaled(v->point, strength, step);
        if (v->is_middle) { v->point.x = 0.0; }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The other side

static void mirror(fr__body_surface *s) {
    for (uint32_t i = 0; i < s->half_count; i++) {
        fr__surface_vertex *v = &s->vertices[i];
        v->twin = i;
        if (v->is_middle) { continue; }
        uint32_t twin = s->vertex_count++;
        s->vertices[twin] = *v;
        s->vertices[twin].point.x = -v->point.x;
        s->vertices[twin].normal.x = -v->normal.x;
        s->vertices[twin].twin = i;
        v->twin = twin;
    }
    for (uint32_t f = 0; f < s->half_face_count; f++) {
        const fr__surface_face *left = &s->faces[f];
        fr__surface_face *right = &s->faces[s->face_count++];
        *right = *left;
        uint32_t count = left->corners[3] == FR_NONE ? 3 : 4;
        for (uint32_t i = 0; i < count; i++) {
            right->corners[i] = s->vertices[left->corners[count - 1 - i]].twin;
        }
    }
}

void fr__body_surface_make(const fr__body_joints *joints, fr__body_surface *surface) {
    fr__body_cage_make(joints, &surface->cage);
    fr__body_field_make(joints, &surface->field);
    cut_cage(surface);
    project_all(surface, 6);
    for (int i = 0; i < 6; i++) {
        even_out(surface, 0.5);
        project_all(surface, i < 5 ? 1 : 4);
    }
    mirror(surface);
}
