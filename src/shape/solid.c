// The builder of solids from faces with holes and extruded outlines.
#include "shape/solid.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Making

fr_status fr__solid_take(uint32_t capacity, const fr_mesh_def *like, fr__solid_builder *out, fr_error *error) {
    memset(out, 0, sizeof *out);
    out->capacity = capacity;
    out->status = fr_arena_create(0, like != NULL ? &like->allocator : NULL, &out->arena, error);
    if (out->status == FR_OK) {
        out->points = fr_arena_alloc(out->arena, capacity, sizeof *out->points, _Alignof(fr_vec3));
        out->triangles = fr_arena_alloc(out->arena, 3 * (size_t)capacity, sizeof *out->triangles, _Alignof(uint32_t));
    }
    if (out->points != NULL && out->triangles != NULL) { return FR_OK; }
    if (out->arena != NULL) { fr_arena_destroy(out->arena); }
    return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a solid");
}

fr_status fr__solid_finish(fr__solid_builder *solid, const fr_mesh_def *like, fr_mesh **out, fr_error *error) {
    fr_status status = solid->status;
    if (status == FR_OK) {
        fr_mesh_def def = like != NULL ? *like : fr_default_mesh_def();
        def.positions_float = NULL;
        def.positions_double = &solid->points[0].x;
        def.vertex_count = solid->point_count;
        def.triangles = solid->triangles;
        def.triangle_count = solid->triangle_count;
        def.faces = NULL;
        status = fr_mesh_create(&def, out, error);
    } else {
        fr_error_set(error, status, "a solid could not be made");
    }
    fr_arena_destroy(solid->arena);
    return status;
}

static uint32_t add_point(fr__solid_builder *s, fr_vec3 p) {
    for (uint32_t i = 0; i < s->point_count; i++) {
        if (fr_vec3_equal(s->points[i], p)) { return i; }
    }
    if (s->point_count == s->capacity) {
        s->status = FR_ERROR_LIMIT;
        return 0;
    }
    s->points[s->point_count] = p;
    return s->point_count++;
}

static void add_triangle(fr__solid_builder *s, uint32_t a, uint32_t b, uint32_t c) {
    if (s->triangle_count == s->capacity) { s->status = FR_ERROR_LIMIT; }
    if (s->status != FR_OK) { return; }
    uint32_t *corners = &s->triangles[3 * (size_t)s->triangle_count++];
    corners[0] = a;
    corners[1] = b;
    corners[2] = c;
}

static fr_vec3 lift(fr_axis axis, fr_vec2 p, double height) {
    switch (axis) {
    case FR_AXIS_X: return fr_vec3_make(height, p.x, p.y);
    case FR_AXIS_Y: return fr_vec3_make(p.y, height, p.x);
    default: return fr_vec3_make(p.x, p.y, height);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Loops

void fr__loop_point(fr__loop *loop, double u, double v) {
    FR_ASSERT(loop->count < FR__SOLID_LOOP);
    loop->points[loop->count++] = (fr_vec2){u, v};
}

void fr__loop_arc(fr__loop *loop, fr_vec2 center, double radius, double begin_deg, double end_deg, uint32_t segments) {
    for (uint32_t i = 0; i <= segments; i++) {
        double sine, cosine;
        fr_sincos(fr_radians(begin_deg + (end_deg - begin_deg) * (double)i / (double)segments), &sine, &cosine);
        fr__loop_point(loop, center.x + radius * cosine, center.y + radius * sine);
    }
}

fr__loop fr__loop_circle(fr_vec2 center, double radius, uint32_t segments) {
    fr__loop loop = {.count = 0};
    fr__loop_arc(&loop, center, radius, 0.0, 360.0 * (1.0 - 1.0 / (double)segments), segments - 1);
    return loop;
}

// ---------------------------------------------------------------------------------------------------------------
// Faces: holes are joined to the outline by bridges that cross nothing

typedef struct bridged {
    fr_vec2 points[FR__SOLID_LOOPS * (FR__SOLID_LOOP + 2)];
    uint32_t count;
} bridged;

static bool is_same(fr_vec2 a, fr_vec2 b) { return a.x == b.x && a.y == b.y; }

// Whether the segment p q shares a point with the side a b, other than a corner of it that is p or q.
static bool is_crossed(fr_vec2 p, fr_vec2 q, fr_vec2 a, fr_vec2 b) {
    if (is_same(a, p) || is_same(a, q) || is_same(b, p) || is_same(b, q)) { return false; }
    return fr_orient2d(p, q, a) * fr_orient2d(p, q, b) <= 0 && fr_orient2d(a, b, p) * fr_orient2d(a, b, q) <= 0;
}

static bool is_clear(fr_vec2 p, fr_vec2 q, const bridged *face, const fr__loop *loops, uint32_t first, uint32_t count) {
    for (uint32_t i = 0; i < face->count; i++) {
        if (is_crossed(p, q, face->points[i], face->points[(i + 1) % face->count])) { return false; }
    }
    for (uint32_t k = first; k < count; k++) {
        for (uint32_t i = 0; i < loops[k].count; i++) {
            if (is_crossed(p, q, loops[k].points[i], loops[k].points[(i + 1) % loops[k].count])) { return false; }
        }
    }
    return true;
}

// Puts a hole, backwards, into the face at the shortest bridge. False where there is none.
static bool join(bridged *face, const fr__loop *loops, uint32_t hole, uint32_t count) {
    const fr__loop *h = &loops[hole];
    uint32_t at = 0, from = 0;
    double best = INFINITY;
    for (uint32_t i = 0; i < face->count; i++) {
        for (uint32_t k = 0; k < h->count; k++) {
            fr_vec2 p = face->points[i], q = h->points[k];
            double d = (p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y);
            if (d >= best || !is_clear(p, q, face, loops, hole, count)) { continue; }
            best = d;
            at = i;
            from = k;
        }
    }
    if (isinf(best)) { return false; }
    uint32_t added = h->count + 2;
    memmove(&face->points[at + 1 + added], &face->points[at + 1], (face->count - at - 1) * sizeof *face->points);
    for (uint32_t i = 0; i <= h->count; i++) {
        face->points[at + 1 + i] = h->points[(from + h->count - i) % h->count];
    }
    face->points[at + added] = face->points[at];
    face->count += added;
    return true;
}

void fr__solid_face(fr__solid_builder *s, fr_axis axis, double height, bool is_up, const fr__loop *loops,
                    uint32_t count) {
    FR_ASSERT(count > 0 && count <= FR__SOLID_LOOPS);
    bridged *face = fr_arena_alloc(s->arena, 1, sizeof *face, _Alignof(bridged));
    if (face == NULL || s->status != FR_OK) {
        s->status = s->status != FR_OK ? s->status : FR_ERROR_MEMORY;
        return;
    }
    face->count = loops[0].count;
    memcpy(face->points, loops[0].points, face->count * sizeof *face->points);
    bool is_right = true;
    for (uint32_t k = 1; k < count; k++) {
        is_right = is_right && join(face, loops, k, count);
    }
    fr_vec3 *corners = fr_arena_alloc(s->arena, face->count, sizeof *corners, _Alignof(fr_vec3));
    uint32_t *cut = fr_arena_alloc(s->arena, 3 * (size_t)face->count, sizeof *cut, _Alignof(uint32_t));
    if (corners == NULL || cut == NULL) {
        s->status = FR_ERROR_MEMORY;
        return;
    }
    for (uint32_t i = 0; i < face->count; i++) {
        corners[i] = lift(axis, face->points[i], height);
    }
    bool is_clean = false;
    s->status =
        is_right ? fr_polygon_triangulate(corners, face->count, s->arena, cut, &is_clean, NULL) : FR_ERROR_ARGUMENT;
    if (s->status == FR_OK && !is_clean) { s->status = FR_ERROR_ARGUMENT; }
    for (uint32_t t = 0; s->status == FR_OK && t + 2 < face->count; t++) {
        uint32_t a = add_point(s, corners[cut[3 * t]]), b = add_point(s, corners[cut[3 * t + 1]]);
        uint32_t c = add_point(s, corners[cut[3 * t + 2]]);
        add_triangle(s, a, is_up ? b : c, is_up ? c : b);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Walls

static void add_side(fr__solid_builder *s, fr_axis axis, const fr_vec2 low[2], double low_height, const fr_vec2 high[2],
                     double high_height) {
    uint32_t a = add_point(s, lift(axis, low[0], low_height)), b = add_point(s, lift(axis, low[1], low_height));
    uint32_t c = add_point(s, lift(axis, high[0], high_height)), d = add_point(s, lift(axis, high[1], high_height));
    add_triangle(s, a, b, d);
    add_triangle(s, a, d, c);
}

void fr__solid_wall(fr__solid_builder *s, fr_axis axis, const fr__loop *low, double low_height, const fr__loop *high,
                    double high_height) {
    FR_ASSERT(low->count == high->count);
    for (uint32_t i = 0; i < low->count; i++) {
        uint32_t next = (i + 1) % low->count;
        const fr_vec2 l[2] = {low->points[i], low->points[next]}, h[2] = {high->points[i], high->points[next]};
        add_side(s, axis, l, low_height, h, high_height);
    }
}

void fr__solid_draw_out(fr__solid_builder *s, const fr__draw_out *d) {
    for (uint32_t k = 0; k < d->loop_count; k++) {
        const fr__loop *loop = &d->loops[k];
        for (uint32_t i = 0; i < loop->count; i++) {
            if (k == 0 && i < 64 && (d->open_sides >> i & 1) != 0) { continue; }
            uint32_t next = (i + 1) % loop->count;
            // Walls of a hole look inwards
            const fr_vec2 side[2] = {loop->points[k == 0 ? i : next], loop->points[k == 0 ? next : i]};
            add_side(s, d->axis, side, d->low, side, d->high);
        }
    }
    if (!d->is_open_low) { fr__solid_face(s, d->axis, d->low, false, d->loops, d->loop_count); }
    if (!d->is_open_high) { fr__solid_face(s, d->axis, d->high, true, d->loops, d->loop_count); }
}
