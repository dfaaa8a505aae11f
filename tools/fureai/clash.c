#include "clash.h"

#include "interrupt.h"

#include <stdlib.h>

// Ends of pieces of a contact region are one point within this part of the parts' size.
#define WELD_PART 1e-9

const char *clash_kind_name(clash_kind kind) {
    static const char *const names[] = {"touching", "penetrating", "contained"};
    return names[kind];
}

// ---------------------------------------------------------------------------------------------------------------
// Parts

// What is known of a part that clashes.
typedef struct solid {
    bool clashes;
    bool is_closed;
    double outward;   // 1 when its faces look outwards, -1 when it is turned inside out
    fr_vec3 *corners; // of its triangles, each place once
    size_t corner_count;
    fr_status status;
} solid;

// The answer about all parts, and what is made of it.
typedef struct work {
    const assembly *assembly;
    const clash_list *list;
    double tolerance;
    solid *solids;     // of each part
    fr_status *status; // of each clash
} work;

static solid *solid_of(const work *w, const assembly_part *part) {
    return &w->solids[part - (const assembly_part *)w->assembly->parts.data];
}

static int compare_points(const void *a, const void *b) {
    const fr_vec3 *left = a, *right = b;
    if (left->x != right->x) { return left->x < right->x ? -1 : 1; }
    if (left->y != right->y) { return left->y < right->y ? -1 : 1; }
    return (left->z > right->z) - (left->z < right->z);
}

// Files such as STL repeat a vertex for each of its triangles: that is six times the work below.
static fr_status list_corners(const fr_mesh *mesh, solid *out) {
    size_t triangle_count = fr_mesh_get(mesh)->triangle_count, count = 0;
    fr_vec3 *corners = calloc(3 * triangle_count, sizeof *corners);
    if (corners == NULL) { return FR_ERROR_MEMORY; }
    for (uint32_t i = 0; i < triangle_count; i++) {
        fr_mesh_corners(mesh, i, &corners[3 * (size_t)i]);
    }
    qsort(corners, 3 * triangle_count, sizeof *corners, compare_points);
    for (size_t i = 0; i < 3 * triangle_count; i++) {
        if (count == 0 || !fr_vec3_equal(corners[count - 1], corners[i])) { corners[count++] = corners[i]; }
    }
    out->corners = corners;
    out->corner_count = count;
    return FR_OK;
}

// Ctrl-C, asked from any worker.
static bool wants_stop(void *user) {
    (void)user;
    return interrupt_requested();
}

static void examine(const assembly_part *part, solid *out) {
    fr_control control = {.stop = wants_stop};
    fr_topology_def def = fr_default_topology_def();
    def.weld = true;
    def.control = &control;
    fr_topology *topology = NULL;
    out->status = fr_topology_create(part->mesh, &def, &topology, NULL);
    if (out->status != FR_OK) { return; }
    out->is_closed = topology->closed;
    out->outward = fr_mesh_mass(part->mesh).volume < 0.0 ? -1.0 : 1.0;
    fr_topology_destroy(topology);
    out->status = interrupt_requested() ? FR_ERROR_STOPPED : list_corners(part->mesh, out);
}

static void examine_range(size_t begin, size_t end, int worker, void *context) {
    (void)worker;
    const work *w = context;
    const assembly_part *parts = w->assembly->parts.data;
    for (size_t i = begin; i < end; i++) {
        if (interrupt_requested()) {
            w->solids[i].status = FR_ERROR_STOPPED;
        } else if (w->solids[i].clashes) {
            examine(&parts[i], &w->solids[i]);
        }
    }
}

// Examines every part that clashes, once.
static fr_status examine_all(const work *w, const fr_tasks *tasks, fr_error *error) {
    for (size_t i = 0; i < w->list->count; i++) {
        const fr_object_pair *pair = &w->list->answer.object_pairs[i];
        solid_of(w, assembly_part_at(w->assembly, pair->a))->clashes = true;
        solid_of(w, assembly_part_at(w->assembly, pair->b))->clashes = true;
    }
    size_t count = w->assembly->parts.count;
    fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, count, 1, examine_range, (void *)w);
    for (size_t i = 0; i < count; i++) {
        fr_status status = w->solids[i].status;
        if (status != FR_OK) { return fr_error_set(error, status, "%s", fr_status_text(status)); }
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// One clash

static fr_vec3 normal_of(const fr_vec3 c[3]) { return fr_vec3_cross(fr_vec3_sub(c[1], c[0]), fr_vec3_sub(c[2], c[0])); }

// Raises *depth to the greatest distance from the outer's surface of a corner of the inner that lies inside the outer.
// Large parts take seconds, on any thread: Ctrl-C is looked for on the way.
static fr_status measure_depth(const solid *inner, const fr_mesh *outer, double *depth) {
    fr_bounds bounds = fr_mesh_get(outer)->bounds;
    for (size_t i = 0; i < inner->corner_count; i++) {
        if (i % 1024 == 0 && interrupt_requested()) { return FR_ERROR_STOPPED; }
        fr_vec3 corner = inner->corners[i];
        if (!fr_bounds_contain_point(&bounds, corner) || !fr_mesh_contains(outer, corner)) { continue; }
        double distance = fr_mesh_closest(outer, corner, (double)INFINITY).distance;
        if (distance > 0.0 && !(distance <= *depth)) { *depth = distance; }
    }
    return FR_OK;
}

// Collects what the triangles share. *same_side: two of them lie on one another and look the same way, so that both
// closed parts fill what is behind them.
static fr_status collect_pieces(const work *w, const clash *c, const fr_object_pair *pair, contact_pieces *pieces,
                                bool *same_side) {
    const fr_face_pair *pairs = w->list->answer.pairs;
    double turn = solid_of(w, c->a)->outward * solid_of(w, c->b)->outward;
    for (size_t i = pair->first; i < pair->first + pair->count; i++) {
        fr_vec3 a[3], b[3];
        fr_mesh_corners(c->a->mesh, pairs[i].triangle_a, a);
        fr_mesh_corners(c->b->mesh, pairs[i].triangle_b, b);
        fr_section section;
        if (!fr_triangle_section(a, b, &section)) { continue; }
        if (!contact_pieces_add(pieces, &section)) { return FR_ERROR_MEMORY; }
        bool on_one_another = section.kind == FR_SECTION_POLYGON;
        if (on_one_another && turn * fr_vec3_dot(normal_of(a), normal_of(b)) > 0.0) { *same_side = true; }
    }
    return FR_OK;
}

static double size_of(const fr_mesh *mesh) {
    const fr_bounds *b = &fr_mesh_get(mesh)->bounds;
    return fr_vec3_distance(b->min, b->max);
}

static fr_status find_region(const work *w, clash *c, const fr_object_pair *pair, bool *same_side) {
    contact_pieces pieces = contact_pieces_begin();
    fr_status status = collect_pieces(w, c, pair, &pieces, same_side);
    if (status == FR_OK) {
        double tolerance = WELD_PART * (size_of(c->a->mesh) + size_of(c->b->mesh));
        status = contact_region_make(&pieces, tolerance > 0.0 ? tolerance : 1e-30, &c->region);
    }
    contact_pieces_free(&pieces);
    return status;
}

static size_t count_shared(const fr_collide_output *answer, const fr_object_pair *pair) {
    size_t count = 0;
    for (size_t i = pair->first; i < pair->first + pair->count; i++) {
        count += (answer->pairs[i].flags & FR_CONTACT_NEAR) == 0;
    }
    return count;
}

static clash_kind kind_of(const fr_object_pair *pair, bool same_side) {
    switch (pair->relation) {
    case FR_RELATION_CROSSING: return CLASH_PENETRATING;
    case FR_RELATION_A_INSIDE:
    case FR_RELATION_B_INSIDE: return CLASH_CONTAINED;
    default: return same_side ? CLASH_PENETRATING : CLASH_TOUCHING;
    }
}

static fr_status describe(const work *w, clash *c, const fr_object_pair *pair) {
    c->a = assembly_part_at(w->assembly, pair->a);
    c->b = assembly_part_at(w->assembly, pair->b);
    c->depth = FR_UNKNOWN;
    c->pairs = count_shared(&w->list->answer, pair);
    const solid *a = solid_of(w, c->a), *b = solid_of(w, c->b);
    bool same_side = false;
    fr_status status = find_region(w, c, pair, &same_side);
    c->kind = kind_of(pair, same_side && a->is_closed && b->is_closed);
    if (status != FR_OK || c->kind == CLASH_TOUCHING) { return status; }

    if (b->is_closed) { status = measure_depth(a, c->b->mesh, &c->depth); }
    if (a->is_closed && status == FR_OK) { status = measure_depth(b, c->a->mesh, &c->depth); }
    if (c->kind == CLASH_PENETRATING && c->depth <= w->tolerance) { c->kind = CLASH_TOUCHING; }
    return status;
}

static void describe_range(size_t begin, size_t end, int worker, void *context) {
    (void)worker;
    const work *w = context;
    for (size_t i = begin; i < end; i++) {
        const fr_object_pair *pair = &w->list->answer.object_pairs[i];
        w->status[i] = interrupt_requested() ? FR_ERROR_STOPPED : describe(w, &w->list->clashes[i], pair);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// All of them

// Clashes are described a few at a time, so that the caller may stop between.
static fr_status describe_all(const work *w, const fr_tasks *tasks, const fr_control *control, fr_error *error) {
    size_t count = w->list->count, piece = 256;
    for (size_t begin = 0; begin < count; begin += piece) {
        if (fr_control_stop(control)) { return fr_error_set(error, FR_ERROR_STOPPED, "stopped"); }
        fr_control_progress(control, (double)begin / (double)count, "clashes");
        work part = *w;
        clash_list list = *w->list;
        size_t left = count - begin;
        list.clashes += begin;
        list.answer.object_pairs += begin;
        part.list = &list;
        part.status += begin;
        fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, left < piece ? left : piece, 1, describe_range, &part);
    }
    for (size_t i = 0; i < count; i++) {
        if (w->status[i] != FR_OK) { return fr_error_set(error, w->status[i], "%s", fr_status_text(w->status[i])); }
    }
    return FR_OK;
}

static fr_status ask(const assembly *a, double tolerance, const fr_tasks *tasks, const fr_control *control,
                     clash_list *out, fr_error *error) {
    fr_collide_input input = fr_default_collide_input();
    input.space = a->space;
    input.want = FR_WANT_PAIRS;
    input.margin = tolerance;
    input.tasks = tasks;
    input.control = control;
    input.find_contained = true;
    fr_status status = fr_collide_create(NULL, &out->asker, error);
    if (status == FR_OK) { status = fr_collide_static(out->asker, &input, &out->answer, error); }
    if (status == FR_OK && out->answer.partial) { return fr_error_set(error, FR_ERROR_STOPPED, "stopped"); }
    return status;
}

fr_status clash_find(const assembly *a, double tolerance, const fr_tasks *tasks, const fr_control *control,
                     clash_list *out, fr_error *error) {
    *out = (clash_list){0};
    fr_status status = ask(a, tolerance, tasks, control, out, error);
    if (status == FR_OK) {
        size_t count = out->answer.object_pair_count;
        out->clashes = calloc(count + 1, sizeof *out->clashes);
        work w = {a, out, tolerance, calloc(a->parts.count + 1, sizeof(solid)), calloc(count + 1, sizeof(fr_status))};
        if (out->clashes != NULL && w.solids != NULL && w.status != NULL) {
            out->count = count;
            status = examine_all(&w, tasks, error);
        } else {
            fr_error_set(error, FR_ERROR_MEMORY, "no memory for %zu clashes", count);
            status = FR_ERROR_MEMORY;
        }
        if (status == FR_OK) { status = describe_all(&w, tasks, control, error); }
        for (size_t i = 0; w.solids != NULL && i < a->parts.count; i++) {
            free(w.solids[i].corners);
        }
        free(w.solids);
        free(w.status);
    }
    if (status != FR_OK) { clash_release(out); }
    return status;
}

void clash_release(clash_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        contact_region_free(&list->clashes[i].region);
    }
    free(list->clashes);
    fr_collide_destroy(list->asker);
    *list = (clash_list){0};
}
