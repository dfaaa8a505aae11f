// Extrusion: a cross section drawn along a spine. VRML97, section 6.18.
#include "geometry_part.h"

#include <math.h>
#include <string.h>

fr__extrusion fr__default_extrusion(void) {
    static const float section[] = {1, 1, 1, -1, -1, -1, -1, 1, 1, 1}, spine[] = {0, 0, 0, 0, 1, 0}, scale[] = {1, 1};
    static const float turn[] = {0, 0, 1, 0};
    return (fr__extrusion){.section = section,
                           .section_count = 5,
                           .spine = spine,
                           .spine_count = 2,
                           .scales = scale,
                           .scale_count = 1,
                           .turns = turn,
                           .turn_count = 1,
                           .begin_cap = true,
                           .end_cap = true,
                           .ccw = true,
                           .solid = true,
                           .convex = true};
}

// The frame of a section: columns x, y, z.
typedef struct frame {
    fr_vec3 x, y, z;
} frame;

typedef struct tube {
    fr__geometry *geometry;
    const fr__extrusion *node;
    uint32_t sections; // along the spine
    uint32_t points;   // of a section as the file has it
    uint32_t around;   // vertices of a section: one less where it is closed
    bool is_ring;      // the spine is closed
    bool is_joined;    // and its last section is the first one
    frame *frames;
    float low[2], extent; // of the section, for the caps' texture
} tube;

static const fr_vec3 zero = {0.0, 0.0, 0.0};

static fr_vec3 spine_at(const tube *t, uint32_t i) { return fr__float_vector(t->node->spine + (size_t)3 * i); }
static fr_vec3 spine_step(const tube *t, uint32_t from, uint32_t to) {
    return fr_vec3_sub(spine_at(t, to), spine_at(t, from));
}

// ---------------------------------------------------------------------------------------------------------------
// Frames

// The direction of the spine at a point; zero where the points beside it fall together.
static fr_vec3 direction_at(const tube *t, uint32_t i) {
    uint32_t last = t->sections - 1;
    if (t->is_ring && (i == 0 || i == last)) { return fr_vec3_unit(spine_step(t, last - 1, 1), zero); }
    return fr_vec3_unit(spine_step(t, i > 0 ? i - 1 : 0, i < last ? i + 1 : last), zero);
}

// Across the bend of the spine; zero where it is straight, and at open ends.
static fr_vec3 bend_at(const tube *t, uint32_t i) {
    uint32_t last = t->sections - 1, before = i - 1, after = i + 1;
    if (i == 0 || i == last) {
        if (!t->is_ring) { return zero; }
        before = last - 1;
        after = 1;
    }
    fr_vec3 forth = spine_step(t, i, after), back = spine_step(t, i, before);
    fr_vec3 bend = fr_vec3_cross(forth, back);
    // What floats make of a straight line bends by less than this.
    double straight = 1e-6 * fr_vec3_length(forth) * fr_vec3_length(back);
    return fr_vec3_length(bend) > straight ? fr_vec3_unit(bend, zero) : zero;
}

static bool is_zero(fr_vec3 v) { return v.x == 0.0 && v.y == 0.0 && v.z == 0.0; }

// The first y, or z, that is not zero; zero where all are.
static fr_vec3 first_y(const tube *t) {
    uint32_t i = 0;
    while (i + 1 < t->sections && is_zero(t->frames[i].y)) {
        i++;
    }
    return t->frames[i].y;
}
static fr_vec3 first_z(const tube *t) {
    uint32_t i = 0;
    while (i + 1 < t->sections && is_zero(t->frames[i].z)) {
        i++;
    }
    return t->frames[i].z;
}

// A spine without bend: the same frame all along, turned by the smallest angle from the y axis.
static void frame_straight(const tube *t, fr_vec3 y) {
    fr_quat turn = is_zero(y) ? fr_quat_identity() : fr_quat_between(fr_vec3_make(0.0, 1.0, 0.0), y);
    fr_mat3 m = fr_quat_to_mat3(turn);
    for (uint32_t i = 0; i < t->sections; i++) {
        t->frames[i].x = fr_vec3_make(m.row[0].x, m.row[1].x, m.row[2].x);
        t->frames[i].y = fr_vec3_make(m.row[0].y, m.row[1].y, m.row[2].y);
        t->frames[i].z = fr_vec3_make(m.row[0].z, m.row[1].z, m.row[2].z);
    }
}

static bool find_frames(const tube *t) {
    for (uint32_t i = 0; i < t->sections; i++) {
        t->frames[i].y = t->sections > 1 ? direction_at(t, i) : zero;
        t->frames[i].z = t->sections > 2 ? bend_at(t, i) : zero;
        if (!fr__builder_goes_on(t->geometry->builder, 16)) { return false; }
    }
    fr_vec3 y = first_y(t), z = first_z(t);
    if (is_zero(y) || is_zero(z)) {
        frame_straight(t, y);
        return true;
    }
    fr_vec3 x = fr_vec3_unit(fr_vec3_cross(y, z), fr_vec3_perpendicular(y));
    for (uint32_t i = 0; i < t->sections; i++) {
        frame *f = &t->frames[i];
        if (is_zero(f->y)) { f->y = y; }
        if (is_zero(f->z)) { f->z = z; }
        if (fr_vec3_dot(f->z, z) < 0.0) { f->z = fr_vec3_negate(f->z); }
        // A z that was taken over need not be across this y; the x before is taken where it says nothing.
        f->x = fr_vec3_unit(fr_vec3_cross(f->y, f->z), x);
        y = f->y;
        z = f->z;
        x = f->x;
        f->z = fr_vec3_unit(fr_vec3_cross(f->x, f->y), f->z);
        if (!fr__builder_goes_on(t->geometry->builder, 16)) { return false; }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Vertices

static fr_vec3 place(const frame *f, fr_vec3 p) {
    return fr_vec3_add(fr_vec3_add(fr_vec3_scale(p.x, f->x), fr_vec3_scale(p.y, f->y)), fr_vec3_scale(p.z, f->z));
}

static bool add_section(const tube *t, uint32_t i) {
    const fr__extrusion *node = t->node;
    const float *scale = node->scales + 2 * (i < node->scale_count ? i : node->scale_count - 1);
    const float *turn = node->turns + 4 * (i < node->turn_count ? i : node->turn_count - 1);
    fr_pose turned = fr_pose_make(zero, fr_quat_from_axis_angle(fr__float_vector(turn), (double)turn[3]));
    for (uint32_t j = 0; j < t->around; j++) {
        const float *at = node->section + 2 * (size_t)j;
        fr_vec3 flat = {(double)scale[0] * (double)at[0], 0.0, (double)scale[1] * (double)at[1]};
        fr_vec3 p = place(&t->frames[i], fr_pose_turn(&turned, flat));
        if (!fr__geometry_vertex(t->geometry->builder, fr_vec3_add(spine_at(t, i), p))) { return false; }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Polygons

typedef struct tube_corner {
    uint32_t vertex;
    float uv[2];
} tube_corner;

// A quad loses the corners that fall on the one before (as where the scale is 0), so that what is left has an area.
static uint32_t drop_equal(const fr_model_mesh *mesh, tube_corner *corners, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t k = 0; k < count; k++) {
        fr_vec3 p = fr__position(mesh, corners[k].vertex);
        fr_vec3 before = fr__position(mesh, corners[kept > 0 ? kept - 1 : count - 1].vertex);
        if (p.x == before.x && p.y == before.y && p.z == before.z) { continue; }
        corners[kept++] = corners[k];
    }
    return kept;
}

// Whether nothing of a polygon has an area; the parts of one that crosses itself may, though they come to none.
static bool is_flat(const fr_model_mesh *mesh, const tube_corner *corners, uint32_t count) {
    fr_vec3 origin = fr__position(mesh, corners[0].vertex);
    for (uint32_t k = 2; k < count; k++) {
        fr_vec3 p = fr_vec3_sub(fr__position(mesh, corners[k - 1].vertex), origin);
        if (!is_zero(fr_vec3_cross(p, fr_vec3_sub(fr__position(mesh, corners[k].vertex), origin)))) { return false; }
    }
    return true;
}

// Appends a polygon, turned about where the node says clockwise; one without area keeps only its number.
static bool add_polygon(const tube *t, tube_corner *corners, uint32_t count, uint32_t id) {
    fr__builder *builder = t->geometry->builder;
    fr_model_mesh mesh = fr__geometry_mesh(builder);
    count = drop_equal(&mesh, corners, count);
    if (count < 3 || is_flat(&mesh, corners, count)) { return true; }
    if (!fr__builder_set_id(builder, id)) { return false; }
    for (uint32_t k = 0; k < count; k++) {
        const tube_corner *c = &corners[t->node->ccw || k == 0 ? k : count - k];
        if (!fr__builder_corner(builder, c->vertex) || (t->node->wants_uvs && !fr__builder_uv_corner(builder, c->uv))) {
            return false;
        }
    }
    return fr__builder_end_face(builder, count);
}

// The first vertex of section i.
static uint32_t first_vertex(const tube *t, uint32_t i) {
    return t->is_joined && i + 1 == t->sections ? 0 : i * t->around;
}

static tube_corner side_corner(const tube *t, uint32_t i, uint32_t j) {
    float across = (float)((double)j / (double)(t->points - 1)), along = (float)((double)i / (double)(t->sections - 1));
    return (tube_corner){first_vertex(t, i) + j % t->around, {across, along}};
}

static bool add_sides(const tube *t, uint32_t *id) {
    for (uint32_t i = 0; i + 1 < t->sections; i++) {
        for (uint32_t j = 0; j + 1 < t->points; j++) {
            tube_corner corners[4] = {side_corner(t, i, j), side_corner(t, i, j + 1), side_corner(t, i + 1, j + 1),
                                      side_corner(t, i + 1, j)};
            if (!add_polygon(t, corners, 4, (*id)++)) { return false; }
        }
        if (!fr__builder_goes_on(t->geometry->builder, 16 * (size_t)t->points)) { return false; }
    }
    return true;
}

static bool add_cap(const tube *t, uint32_t section, bool is_end, uint32_t id) {
    tube_corner *corners = fr_arena_alloc(t->geometry->scratch, t->around, sizeof *corners, _Alignof(tube_corner));
    if (corners == NULL) { return false; }
    for (uint32_t k = 0; k < t->around; k++) {
        uint32_t j = is_end ? k : t->around - 1 - k;
        const float *at = t->node->section + 2 * (size_t)j;
        corners[k] = (tube_corner){first_vertex(t, section) + j,
                                   {(at[0] - t->low[0]) / t->extent, (at[1] - t->low[1]) / t->extent}};
    }
    return add_polygon(t, corners, t->around, id);
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

static bool add_sections(tube *t) {
    for (uint32_t i = 0; i < t->sections; i++) {
        if (!add_section(t, i) || !fr__builder_goes_on(t->geometry->builder, 4 * (size_t)t->around)) { return false; }
    }
    // A ring whose ends fall together point for point is closed.
    fr_array *positions = &t->geometry->builder->positions;
    size_t bytes = t->around * positions->element_bytes;
    const char *end = fr__array_at(positions, positions->count);
    t->is_joined = t->is_ring && memcmp(end - bytes * t->sections, end - bytes, bytes) == 0;
    if (t->is_joined) { positions->count -= t->around; }
    return true;
}

static void measure_section(tube *t) {
    float high[2];
    memcpy(t->low, t->node->section, sizeof t->low);
    memcpy(high, t->node->section, sizeof high);
    for (size_t k = 0; k < 2 * (size_t)t->points; k++) {
        float v = t->node->section[k];
        t->low[k % 2] = fminf(t->low[k % 2], v);
        high[k % 2] = fmaxf(high[k % 2], v);
    }
    t->extent = fmaxf(high[0] - t->low[0], high[1] - t->low[1]);
    if (!(t->extent > 0.0f)) { t->extent = 1.0f; }
}

// Whether there is something to draw along something; the counts fit in the builder's limits.
static bool fits(const fr__geometry *geometry, const fr__extrusion *node) {
    fr__builder *builder = geometry->builder;
    uint64_t limit = builder->limits.vertices;
    if (builder->limits.placed_vertices > 0 && builder->limits.placed_vertices < limit) {
        limit = builder->limits.placed_vertices;
    }
    // Each is below 2^32 as a list in memory of at least 8 bytes an element, so that the product does not wrap.
    bool few = node->section_count < UINT32_MAX && node->spine_count < UINT32_MAX &&
               (uint64_t)node->section_count * node->spine_count <= limit;
    return few || fr__builder_over(builder, "vertices", limit) != NULL;
}

fr_status fr__add_extrusion(fr__geometry *geometry, const fr__extrusion *node) {
    fr__builder *builder = geometry->builder;
    if (!fr__geometry_begin(geometry, node->solid)) { return fr__geometry_failed(geometry); }
    if (node->section_count < 2 || node->spine_count < 1 || node->scale_count < 1 || node->turn_count < 1) {
        return fr__geometry_warn(geometry, node->at, "left out: an extrusion without section, spine, scale or turn");
    }
    if (!fits(geometry, node)) { return fr__geometry_failed(geometry); }
    tube t = {.geometry = geometry,
              .node = node,
              .sections = (uint32_t)node->spine_count,
              .points = (uint32_t)node->section_count};
    const float *first = node->section, *last = node->section + 2 * (size_t)(t.points - 1);
    t.around = t.points > 2 && first[0] == last[0] && first[1] == last[1] ? t.points - 1 : t.points;
    t.is_ring = t.sections > 2 && is_zero(spine_step(&t, 0, t.sections - 1));
    measure_section(&t);
    t.frames = fr_arena_alloc(geometry->scratch, t.sections, sizeof *t.frames, _Alignof(frame));
    if (t.frames == NULL) { return FR_ERROR_MEMORY; }
    if (!find_frames(&t) || !add_sections(&t)) { return fr__geometry_failed(geometry); }
    uint32_t id = builder->next_id, caps = (uint32_t)node->begin_cap + (uint32_t)node->end_cap;
    bool is_done = add_sides(&t, &id) && (!node->begin_cap || add_cap(&t, 0, false, id)) &&
                   (!node->end_cap || add_cap(&t, t.sections - 1, true, id + caps - 1));
    if (!is_done) { return fr__geometry_failed(geometry); }
    builder->next_id = id + caps;
    return node->crease_angle > 0.0 ? fr__crease_normals(geometry, node->crease_angle) : FR_OK;
}
