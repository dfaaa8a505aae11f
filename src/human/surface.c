// The surfaces of a space for one body: made, listed and drawn.
#include "human/surface_store.h"

#include "fureai/base_order.h"

#include <math.h>

#define SURFACES_DEF_COOKIE 0x53555246u

// ---------------------------------------------------------------------------------------------------------------
// Making

fr_surfaces_def fr_default_surfaces_def(void) {
    return (fr_surfaces_def){.measures = {.stature = 1.7,
                                          .shoulder_width = 0.5343,
                                          .depth = 0.255,
                                          .hip_width = 0.3688,
                                          .sitting_height = 0.9166,
                                          .leg = 0.9005,
                                          .shoulder_height = 1.39,
                                          .reach = 0.644,
                                          .foot = 0.24},
                             .allocator = fr_default_allocator(),
                             .cookie = SURFACES_DEF_COOKIE};
}

static fr_status check_measures(const fr_body_measures *m, fr_error *error) {
    const double measures[] = {m->shoulder_width, m->depth, m->hip_width,      m->sitting_height, m->leg,
                               m->reach,          m->foot,  m->shoulder_height};
    if (!(m->stature >= 0.3 && m->stature <= 3.0)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a stature of %g m; 0.3 .. 3 are allowed", m->stature);
    }
    for (size_t i = 0; i < sizeof measures / sizeof measures[0]; i++) {
        if (!(measures[i] > 0.0 && measures[i] <= m->stature)) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "a measure of %g m of a body of %g m", measures[i],
                                m->stature);
        }
    }
    return FR_OK;
}

fr_status fr_surfaces_create(const fr_surfaces_def *def, fr_surfaces **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != SURFACES_DEF_COOKIE) { return fr_error_set_cookie(error, "fr_default_surfaces_def"); }
    fr_status status = check_measures(&def->measures, error);
    if (status != FR_OK) { return status; }
    if (isnan(def->ground) || def->ground == INFINITY) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the ground is at %g", def->ground);
    }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_surfaces *surfaces = fr_allocate(&allocator, 1, sizeof *surfaces, _Alignof(fr_surfaces));
    if (surfaces == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for the surfaces of a body"); }
    *surfaces = (fr_surfaces){.allocator = allocator, .ground = def->ground};
    if (!fr__surface_rules_make(def, &surfaces->rules, error)) {
        fr_deallocate(&allocator, surfaces, 1, sizeof *surfaces);
        return FR_ERROR_MEMORY;
    }
    surfaces->meshes = fr__surface_mesh_array_make(&allocator);
    surfaces->parts = fr__placed_part_array_make(&allocator);
    surfaces->objects = fr__placed_object_array_make(&allocator);
    surfaces->results = fr__result_array_make(&allocator);
    surfaces->order = fr_uint32_array_make(&allocator);
    *out = surfaces;
    return FR_OK;
}

void fr__surfaces_clear(fr_surfaces *surfaces) {
    for (size_t i = 0; i < surfaces->meshes.count; i++) {
        fr__surface_mesh_release(&surfaces->meshes.data[i]);
    }
    fr__surface_mesh_array_destroy(&surfaces->meshes);
    fr__placed_part_array_destroy(&surfaces->parts);
    fr__placed_object_array_destroy(&surfaces->objects);
    fr__result_array_destroy(&surfaces->results);
    fr_uint32_array_destroy(&surfaces->order);
    surfaces->stats = (fr_surfaces_stats){0};
}

void fr_surfaces_destroy(fr_surfaces *surfaces) {
    if (surfaces == NULL) { return; }
    fr__surfaces_clear(surfaces);
    fr__surface_rules_release(&surfaces->rules);
    fr_allocator allocator = surfaces->allocator;
    fr_deallocate(&allocator, surfaces, 1, sizeof *surfaces);
}

fr_surfaces_input fr_default_surfaces_input(void) { return (fr_surfaces_input){.cookie = FR__SURFACES_INPUT_COOKIE}; }

// ---------------------------------------------------------------------------------------------------------------
// Order

// By source, then kind: the order in which results of earlier updates are found again.
static bool is_source_before(const fr__result *a, const fr__result *b) {
    if (a->object != b->object) { return a->object < b->object; }
    if (a->part != b->part) { return a->part < b->part; }
    if (a->source != b->source) { return a->source < b->source; }
    if (a->is_back != b->is_back) { return b->is_back; }
    if (a->surface.kind != b->surface.kind) { return a->surface.kind < b->surface.kind; }
    fr_vec3 p = a->surface.center, q = b->surface.center;
    if (p.x != q.x) { return p.x < q.x; }
    if (p.z != q.z) { return p.z < q.z; }
    return a->surface.width < b->surface.width;
}

FR_SORT_TYPE(sort_results, fr__result, is_source_before);

static bool is_gap(const fr__result *r) { return r->source == FR__GAP_SOURCE; }

static bool is_shown_before(uint32_t a, uint32_t b, const fr__result *results) {
    const fr__result *p = &results[a], *q = &results[b];
    if (is_gap(p) != is_gap(q)) { return is_gap(q); }
    if (p->surface.object.index1 != q->surface.object.index1) {
        return p->surface.object.index1 < q->surface.object.index1;
    }
    if (p->surface.kind != q->surface.kind) { return p->surface.kind < q->surface.kind; }
    if (p->surface.part != q->surface.part) { return p->surface.part < q->surface.part; }
    if (p->surface.triangle != q->surface.triangle) { return p->surface.triangle < q->surface.triangle; }
    return a < b;
}

#define IS_SHOWN_BEFORE(a, b, results) is_shown_before(*(a), *(b), results)
FR_SORT_TYPE_BY(sort_order, uint32_t, const fr__result *, IS_SHOWN_BEFORE);

// Within which distance one result stands for another of its kind.
static double near_limit(const fr__surface_rules *rules, const fr__result *r) {
    if (is_gap(r)) { return rules->body.shoulder_width; }
    if (r->surface.kind == FR_SURFACE_LIE) { return rules->body.stature; }
    return r->surface.kind == FR_SURFACE_PRESS ? FR__SURFACE_PRESS_MAX : rules->seat;
}

// Where a result is: a gap on its ground.
static fr_vec3 spot_of(const fr__result *r) {
    if (!is_gap(r)) { return r->surface.target.position; }
    return fr_vec3_make(r->surface.center.x, r->surface.place.y, r->surface.center.z);
}

// Whether one result is as good as another that is near it: of seats the one on the larger face, of gaps the narrower.
static bool is_beaten(const fr_surfaces *surfaces, const fr__result *a, size_t a_index, const fr__result *b,
                      size_t b_index) {
    const fr__surface_rules *rules = &surfaces->rules;
    if (a->surface.kind != b->surface.kind || is_gap(a) != is_gap(b)) { return false; }
    double limit = near_limit(rules, a);
    fr_vec3 p = spot_of(a), q = spot_of(b);
    double x = p.x - q.x, z = p.z - q.z;
    if (x * x + z * z > limit * limit || fabs(p.y - q.y) > limit) { return false; }
    if (!is_gap(a) && a->surface.object.index1 != b->surface.object.index1) { return false; }
    double mine = is_gap(a) ? -a->surface.width : a->surface.half[0] * a->surface.half[1];
    double other = is_gap(a) ? -b->surface.width : b->surface.half[0] * b->surface.half[1];
    return other > mine || (other == mine && b_index < a_index);
}

static bool may_repeat(const fr__result *r) {
    return is_gap(r) || r->surface.kind <= FR_SURFACE_FEET || r->surface.kind == FR_SURFACE_DUCK ||
           r->surface.kind == FR_SURFACE_PRESS;
}

// One result with the coordinate that neighbours are found by.
typedef struct placed_result {
    double x;
    uint32_t index;
} placed_result;

static bool is_left_of(const placed_result *a, const placed_result *b) {
    return a->x != b->x ? a->x < b->x : a->index < b->index;
}

FR_SORT_TYPE(sort_placed, placed_result, is_left_of);
FR_ARRAY_TYPE(placed_result_array, placed_result);

static bool hide(fr_surfaces *surfaces) {
    fr__result_array *results = &surfaces->results;
    placed_result_array placed = placed_result_array_make(&surfaces->allocator);
    double limit = surfaces->rules.body.stature; // no kind has a larger one
    bool is_whole = placed_result_array_reserve(&placed, results->count);
    for (uint32_t i = 0; is_whole && i < results->count; i++) {
        fr__result *r = &results->data[i];
        r->is_hidden = false;
        if (!may_repeat(r)) { continue; }
        *placed_result_array_push(&placed, 1) = (placed_result){spot_of(r).x, i};
    }
    if (placed.count > 1) { sort_placed(placed.data, placed.count); }
    for (size_t i = 0; i < placed.count; i++) {
        fr__result *a = &results->data[placed.data[i].index];
        for (size_t k = i + 1; k < placed.count && placed.data[k].x - placed.data[i].x <= limit; k++) {
            fr__result *b = &results->data[placed.data[k].index];
            if (is_beaten(surfaces, a, placed.data[i].index, b, placed.data[k].index)) { a->is_hidden = true; }
            if (is_beaten(surfaces, b, placed.data[k].index, a, placed.data[i].index)) { b->is_hidden = true; }
        }
    }
    placed_result_array_destroy(&placed);
    return is_whole;
}

bool fr__surfaces_order(fr_surfaces *surfaces) {
    fr__result_array *results = &surfaces->results;
    if (results->count > 1) { sort_results(results->data, results->count); }
    if (!hide(surfaces)) { return false; }
    surfaces->order.count = 0;
    if (!fr_uint32_array_reserve(&surfaces->order, results->count)) { return false; }
    for (uint32_t i = 0; i < results->count; i++) {
        if (!results->data[i].is_hidden) { *fr_uint32_array_push(&surfaces->order, 1) = i; }
    }
    if (surfaces->order.count > 1) { sort_order(surfaces->order.data, surfaces->order.count, results->data); }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// What was found

static const struct {
    const char *word, *skill;
    fr_color color;
} kinds[FR_SURFACE_KIND_COUNT] = {
    [FR_SURFACE_SIT] = {"sit", "sit", {26, 140, 64, 255}},
    [FR_SURFACE_LIE] = {"lie", "slerp", {89, 191, 115, 255}},
    [FR_SURFACE_PUT] = {"put", "ik_reach", {38, 102, 217, 255}},
    [FR_SURFACE_STEP_ON] = {"step on", "walk", {140, 115, 38, 255}},
    [FR_SURFACE_FEET] = {"rest feet", "slerp", {140, 51, 153, 255}},
    [FR_SURFACE_LEAN] = {"lean", "ik_reach", {115, 153, 204, 255}},
    [FR_SURFACE_PASS] = {"pass", "walk", {230, 140, 26, 255}},
    [FR_SURFACE_SIDEWAYS] = {"pass sideways", "walk", {242, 191, 51, 255}},
    [FR_SURFACE_DUCK] = {"duck", "walk", {204, 76, 51, 255}},
    [FR_SURFACE_GRASP] = {"grasp", "grasp", {217, 38, 115, 255}},
    [FR_SURFACE_PRESS] = {"press", "press", {178, 26, 26, 255}},
    [FR_SURFACE_HOLD] = {"hold on", "grasp", {76, 76, 76, 255}},
};

const char *fr_surface_word(fr_surface_kind kind) {
    FR_ASSERT(kind < FR_SURFACE_KIND_COUNT);
    return kinds[kind].word;
}

const char *fr_surface_skill(fr_surface_kind kind) {
    FR_ASSERT(kind < FR_SURFACE_KIND_COUNT);
    return kinds[kind].skill;
}

fr_color fr_surface_color(fr_surface_kind kind) {
    FR_ASSERT(kind < FR_SURFACE_KIND_COUNT);
    return kinds[kind].color;
}

fr_surfaces_stats fr_surfaces_get_stats(const fr_surfaces *surfaces) {
    fr_surfaces_stats stats = surfaces->stats;
    stats.count = (uint32_t)surfaces->order.count;
    stats.bytes = sizeof *surfaces + surfaces->meshes.capacity * sizeof *surfaces->meshes.data +
                  surfaces->parts.capacity * sizeof *surfaces->parts.data +
                  surfaces->objects.capacity * sizeof *surfaces->objects.data +
                  surfaces->results.capacity * sizeof *surfaces->results.data +
                  surfaces->order.capacity * sizeof *surfaces->order.data;
    for (size_t i = 0; i < surfaces->meshes.count; i++) {
        const fr__surface_mesh *mesh = &surfaces->meshes.data[i];
        stats.bytes += mesh->patches.capacity * sizeof *mesh->patches.data +
                       mesh->pieces.capacity * sizeof *mesh->pieces.data +
                       mesh->ridges.capacity * sizeof *mesh->ridges.data;
    }
    return stats;
}

fr_surface fr_surfaces_at(const fr_surfaces *surfaces, uint32_t index) {
    FR_ASSERT(surfaces != NULL && index < surfaces->order.count);
    return surfaces->results.data[surfaces->order.data[index]].surface;
}

// ---------------------------------------------------------------------------------------------------------------
// Drawing

// A level square for what has no face of its own size: at the target, as large as the body needs.
static void draw_square(const fr_surfaces *surfaces, const fr_surface *s, const fr_draw *draw, fr_color color) {
    bool is_upright = s->kind == FR_SURFACE_LEAN || s->kind == FR_SURFACE_PRESS;
    fr_vec3 at = s->target.position, n = s->normal, u = s->axis, v = fr_vec3_cross(n, u);
    double a = fmin(s->half[0], 0.5 * surfaces->rules.seat), b = fmin(s->half[1], 0.5 * surfaces->rules.seat);
    if (s->triangle == FR_NONE) { // a gap: what stands in it
        at = s->center;
        v = fr_vec3_make(0.0, 1.0, 0.0);
        a = s->half[0];
        b = s->half[1];
        at.y = s->place.y + b;
    } else if (s->kind == FR_SURFACE_LIE) {
        u = fr_pose_turn(&s->target, fr_vec3_make(0.0, 0.0, 1.0));
        v = fr_vec3_cross(n, u);
        a = 0.5 * surfaces->rules.body.stature;
        b = 0.5 * surfaces->rules.body.shoulder_width;
    } else if (s->kind == FR_SURFACE_DUCK) {
        at = s->center;
        a = s->half[0];
        b = s->half[1];
    }
    at = fr_vec3_add_scaled(at, is_upright ? 0.01 : 0.006, n);
    double points[18];
    static const double corners[6][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, -1}, {1, 1}, {-1, 1}};
    for (int i = 0; i < 6; i++) {
        fr_vec3 p = fr_vec3_add_scaled(fr_vec3_add_scaled(at, a * corners[i][0], u), b * corners[i][1], v);
        points[3 * i] = p.x;
        points[3 * i + 1] = p.y;
        points[3 * i + 2] = p.z;
    }
    fr_draw_triangles(draw, points, 2, color);
}

// Where the body stands, and an arrow where it faces.
static void draw_place(const fr_surfaces *surfaces, const fr_surface *s, const fr_draw *draw, fr_color color) {
    double sine, cosine, length = 0.12 * surfaces->rules.body.stature;
    fr_sincos(s->heading, &sine, &cosine);
    double x = s->place.x, y = s->place.y + 0.01, z = s->place.z;
    double tip[2] = {x + length * sine, z + length * cosine}, side = 0.35 * length;
    double back[2] = {tip[0] - side * sine, tip[1] - side * cosine};
    double lines[18] = {x,      y,
                        z,      tip[0],
                        y,      tip[1],
                        tip[0], y,
                        tip[1], back[0] + side * cosine,
                        y,      back[1] - side * sine,
                        tip[0], y,
                        tip[1], back[0] - side * cosine,
                        y,      back[1] + side * sine};
    fr_draw_lines(draw, lines, 3, color, 2.0);
    double foot[3] = {x, y, z};
    fr_draw_points(draw, foot, 1, color, 6.0);
}

void fr_surfaces_draw(const fr_surfaces *surfaces, const fr_draw *draw) {
    FR_ASSERT(surfaces != NULL && draw != NULL);
    for (uint32_t i = 0; i < surfaces->order.count; i++) {
        fr_surface s = fr_surfaces_at(surfaces, i);
        fr_color color = kinds[s.kind].color;
        draw_square(surfaces, &s, draw, color);
        draw_place(surfaces, &s, draw, color);
    }
}
