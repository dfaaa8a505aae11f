// Clashes of parts at rest: the colliding faces of all parts, and for each pair of parts its kind, region and depth.
#include "clash/finder.h"
#include "clash/solid.h"
#include "world/pose_compare.h"

#include <stdatomic.h>

#define CLASH_INPUT_COOKIE 0x434c4153u

// Ends of pieces of a contact region are one point within this fraction of the parts' size.
#define WELD_FRACTION 1e-9

// Clashes are described in batches of this many, so that progress can be reported between them.
#define BATCH_COUNT 256

fr_clash_input fr_default_clash_input(void) { return (fr_clash_input){.cookie = CLASH_INPUT_COOKIE}; }

// ---------------------------------------------------------------------------------------------------------------
// Work shared by workers

typedef struct rest_work {
    fr_clash_finder *finder;
    const fr__rest_query *query;
    const fr_collide_output *found;
    size_t begin;           // of the batch
    atomic_bool is_stopped; // the control said so: only the calling thread, worker 0, may ask it
} rest_work;

// The control of one worker: worker 0 checks the caller's, the others its flag.
typedef struct worker_control {
    rest_work *work;
    int worker;
} worker_control;

static bool wants_stop(void *user) {
    const worker_control *a = user;
    if (a->worker == 0 && fr_control_is_stopped(a->work->query->control)) { atomic_store(&a->work->is_stopped, true); }
    return atomic_load(&a->work->is_stopped);
}

static fr_mesh *mesh_of(const rest_work *w, uint32_t part) { return w->finder->meshes.data[part]; }

static fr__clash_solid *solid_of(const rest_work *w, uint32_t part) { return w->finder->solids.data + part; }

static fr_status first_failure(fr_status status, fr_error *error) {
    return fr_error_set(error, status, "%s", status == FR_ERROR_STOPPED ? "stopped" : fr_status_text(status));
}

// ---------------------------------------------------------------------------------------------------------------
// Stage 1: parts that clash are examined, once each

static void examine_range(size_t begin, size_t end, int worker, void *context) {
    rest_work *w = context;
    worker_control a = {w, worker};
    const fr_control control = {.stop = wants_stop, .user = &a};
    for (size_t i = begin; i < end; i++) {
        fr__clash_solid *solid = solid_of(w, (uint32_t)i);
        if (!solid->is_clashing) { continue; }
        if (wants_stop(&a)) {
            solid->status = FR_ERROR_STOPPED;
        } else {
            fr__solid_examine(solid, mesh_of(w, (uint32_t)i), &control, &w->finder->allocator);
        }
    }
}

static fr_status examine_all(rest_work *w, fr_error *error) {
    size_t count = w->finder->meshes.count;
    fr__clash_solid *solids = fr__clash_solid_array_push(&w->finder->solids, count);
    if (solids == NULL) { return fr__clash_no_memory(error); }
    for (size_t i = 0; i < count; i++) {
        solids[i] = (fr__clash_solid){.corners = fr__vec3_array_make(&w->finder->allocator)};
    }
    for (size_t i = 0; i < w->found->object_pair_count; i++) {
        solids[w->found->object_pairs[i].a].is_clashing = true;
        solids[w->found->object_pairs[i].b].is_clashing = true;
    }
    fr_tasks_run(w->query->tasks, FR_SCHEDULE_DYNAMIC, count, 1, examine_range, w);
    for (size_t i = 0; i < count; i++) {
        if (solids[i].status != FR_OK) { return first_failure(solids[i].status, error); }
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Stage 2: clashes are described

// Collects what the triangles share.
static fr_status collect_pieces(const rest_work *w, const fr_clash *c, fr__contact_pieces *pieces) {
    const fr_face_pair *pairs = w->found->pairs;
    for (size_t i = c->first; i < c->first + c->count; i++) {
        fr_vec3 a[3], b[3];
        fr_mesh_corners(mesh_of(w, c->a), pairs[i].triangle_a, a);
        fr_mesh_corners(mesh_of(w, c->b), pairs[i].triangle_b, b);
        fr_section section;
        if (!fr_triangle_section(a, b, &section)) { continue; }
        if (!fr__contact_pieces_add(pieces, &section)) { return FR_ERROR_MEMORY; }
    }
    return FR_OK;
}

static double size_of(const fr_mesh *mesh) {
    const fr_bounds *b = &fr_mesh_get(mesh)->bounds;
    return fr_vec3_distance(b->min, b->max);
}

static fr_status find_region(const rest_work *w, fr_clash *c, fr__contact_lines *lines) {
    fr__contact_pieces pieces = fr__contact_pieces_make(&w->finder->allocator);
    fr_status status = collect_pieces(w, c, &pieces);
    if (status == FR_OK) {
        double weld = WELD_FRACTION * (size_of(mesh_of(w, c->a)) + size_of(mesh_of(w, c->b)));
        status = fr__contact_lines_join(lines, &pieces, weld > 0.0 ? weld : 1e-30);
    }
    fr__contact_pieces_free(&pieces);
    c->region = fr__contact_lines_view(lines);
    return status;
}

static size_t count_shared(const fr_face_pair *pairs, size_t first, size_t count) {
    size_t shared = 0;
    for (size_t i = first; i < first + count; i++) {
        shared += (pairs[i].flags & FR_CONTACT_NEAR) == 0;
    }
    return shared;
}

static fr_clash_kind kind_of(fr_relation relation) {
    switch (relation) {
    case FR_RELATION_CROSSING: return FR_CLASH_PENETRATING;
    case FR_RELATION_A_INSIDE:
    case FR_RELATION_B_INSIDE: return FR_CLASH_CONTAINED;
    default: return FR_CLASH_TOUCHING;
    }
}

static fr_status describe(const rest_work *w, size_t i, const fr_control *control) {
    const fr_object_pair *pair = &w->found->object_pairs[i];
    fr_clash *c = w->finder->clashes.data + i;
    *c = (fr_clash){.a = pair->a, .b = pair->b, .depth = FR_UNKNOWN, .first = pair->first, .count = pair->count};
    c->shared_count = count_shared(w->found->pairs, c->first, c->count);
    const fr__clash_solid *a = solid_of(w, c->a), *b = solid_of(w, c->b);
    fr_status status = find_region(w, c, w->finder->lines.data + i);
    c->kind = kind_of(pair->relation);
    if (status != FR_OK || c->kind == FR_CLASH_TOUCHING) { return status; }

    if (b->is_closed) { status = fr__solid_depth(a, mesh_of(w, c->b), control, &c->depth); }
    if (a->is_closed && status == FR_OK) { status = fr__solid_depth(b, mesh_of(w, c->a), control, &c->depth); }
    if (c->kind == FR_CLASH_PENETRATING && c->depth <= w->query->tolerance) { c->kind = FR_CLASH_TOUCHING; }
    return status;
}

static void describe_range(size_t begin, size_t end, int worker, void *context) {
    rest_work *w = context;
    worker_control a = {w, worker};
    const fr_control control = {.stop = wants_stop, .user = &a};
    fr_status *results = w->finder->results.data;
    for (size_t i = w->begin + begin; i < w->begin + end; i++) {
        results[i] = wants_stop(&a) ? FR_ERROR_STOPPED : describe(w, i, &control);
    }
}

static fr_status describe_all(rest_work *w, fr_error *error) {
    fr_clash_finder *finder = w->finder;
    size_t count = w->found->object_pair_count;
    fr__contact_lines *lines = fr__contact_lines_array_push(&finder->lines, count);
    if (lines == NULL) { return fr__clash_no_memory(error); }
    for (size_t i = 0; i < count; i++) {
        lines[i] = fr__contact_lines_make(&finder->allocator);
    }
    fr_status *results = fr__status_array_push(&finder->results, count);
    if (results == NULL || fr__clash_array_push(&finder->clashes, count) == NULL) { return fr__clash_no_memory(error); }
    for (w->begin = 0; w->begin < count; w->begin += BATCH_COUNT) {
        if (fr_control_is_stopped(w->query->control)) { return fr_error_set(error, FR_ERROR_STOPPED, "stopped"); }
        fr_control_progress(w->query->control, (double)w->begin / (double)count, "clashes");
        size_t left = count - w->begin;
        fr_tasks_run(w->query->tasks, FR_SCHEDULE_DYNAMIC, left < BATCH_COUNT ? left : BATCH_COUNT, 1, describe_range,
                     w);
    }
    for (size_t i = 0; i < count; i++) {
        if (results[i] != FR_OK) { return first_failure(results[i], error); }
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// All parts

void fr__rest_clear(fr_clash_finder *finder) {
    fr_space_destroy(finder->space);
    finder->space = NULL;
    fr_mesh **meshes = finder->meshes.data;
    for (size_t i = 0; i < finder->meshes.count; i++) {
        fr_mesh_release(meshes[i]);
    }
    fr__clash_solid *solids = finder->solids.data;
    for (size_t i = 0; i < finder->solids.count; i++) {
        fr__vec3_array_destroy(&solids[i].corners);
    }
    fr__contact_lines *lines = finder->lines.data;
    for (size_t i = 0; i < finder->lines.count; i++) {
        fr__contact_lines_free(&lines[i]);
    }
    finder->meshes.count = finder->solids.count = finder->lines.count = 0;
    finder->clashes.count = finder->results.count = 0;
}

fr_status fr__rest_add_mesh(fr_clash_finder *finder, fr_mesh *mesh, fr_error *error) {
    fr_mesh **place = fr__mesh_reference_array_push(&finder->meshes, 1);
    if (place == NULL) { return fr__clash_no_memory(error); }
    *place = fr_mesh_retain(mesh);
    return FR_OK;
}

static fr_status make_space(fr_clash_finder *finder, const fr_tasks *tasks, fr_error *error) {
    fr_space_def def = fr_default_space_def();
    def.allocator = finder->allocator;
    fr_status status = fr_space_create(&def, &finder->space, error);
    fr_mesh **meshes = finder->meshes.data;
    for (size_t i = 0; status == FR_OK && i < finder->meshes.count; i++) {
        fr_part_def part = fr_default_part_def();
        part.mesh = meshes[i];
        fr_object_def object = fr_default_object_def();
        object.parts = &part;
        object.part_count = 1;
        fr_object_id id;
        status = fr_object_add(finder->space, &object, &id, error);
        FR_ASSERT(status != FR_OK || id.index1 == i + 1);
    }
    return status == FR_OK ? fr_space_update(finder->space, tasks, error) : status;
}

fr_status fr__rest_find(fr_clash_finder *finder, const fr__rest_query *query, fr_clash_output *output,
                        fr_error *error) {
    fr_status status = make_space(finder, query->tasks, error);
    if (status != FR_OK) { return status; }
    fr_collide_input input = fr_default_collide_input();
    input.space = finder->space;
    input.want = FR_WANT_PAIRS;
    input.margin = query->tolerance;
    input.tasks = query->tasks;
    input.control = query->control;
    input.is_containment_wanted = true;
    fr_collide_output found;
    status = fr_collide_static(finder->collide, &input, &found, error);
    if (status == FR_OK && found.is_partial) { status = fr_error_set(error, FR_ERROR_STOPPED, "stopped"); }
    if (status != FR_OK) { return status; }

    rest_work w = {.finder = finder, .query = query, .found = &found};
    status = examine_all(&w, error);
    if (status == FR_OK) { status = describe_all(&w, error); }
    if (status != FR_OK) { return status; }
    *output = (fr_clash_output){finder->clashes.data, finder->clashes.count, found.pairs, found.pair_count};
    return FR_OK;
}

// Parts whose pose is the identity share their mesh; others get one of their own.
static fr_status add_part(fr_clash_finder *finder, const fr_clash_part *part, fr_error *error) {
    if (part->mesh == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "a part has no mesh"); }
    const fr_pose here = fr_pose_identity();
    if (fr__pose_equal(&part->pose, &here)) { return fr__rest_add_mesh(finder, part->mesh, error); }
    fr_pose pose = part->pose;
    fr_status status = fr_pose_check(&pose, error);
    fr_mesh *placed = NULL;
    if (status == FR_OK) { status = fr__placed_mesh(part->mesh, NULL, &pose, &finder->allocator, &placed, error); }
    if (status == FR_OK) { status = fr__rest_add_mesh(finder, placed, error); }
    fr_mesh_release(placed);
    return status;
}

fr_status fr_clash_find(fr_clash_finder *finder, const fr_clash_input *input, fr_clash_output *output,
                        fr_error *error) {
    FR_ASSERT(finder != NULL && input != NULL && output != NULL);
    *output = (fr_clash_output){0};
    if (input->cookie != CLASH_INPUT_COOKIE) { return fr_error_set_cookie(error, "fr_default_clash_input"); }
    if (input->parts == NULL && input->part_count > 0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the parts are missing");
    }
    fr_status status = fr__clash_check_tolerance(input->tolerance, error);
    fr__rest_clear(finder);
    for (size_t i = 0; i < input->part_count && status == FR_OK; i++) {
        status = add_part(finder, &input->parts[i], error);
    }
    const fr__rest_query query = {input->tolerance, input->tasks, input->control};
    return status == FR_OK ? fr__rest_find(finder, &query, output, error) : status;
}
