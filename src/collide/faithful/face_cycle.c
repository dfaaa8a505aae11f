// The cycle of the source: input, memory and steps of a faithful search for pairs of faces.
#include "collide/faithful/face_cycle.h"

#include "collide/faithful/cycle_work.h"
#include "fureai/base_order.h"

#include <string.h>

enum { MAX_DEPTH = 16 };

fr_face_cycle_input fr_default_face_cycle_input(void) {
    fr_face_cycle_input input = {.root_edge = 16.0, .depth = 6, .balance = FR_BALANCE_SERIAL};
    return input;
}

fr_status fr_face_cycle_create(const fr_allocator *allocator, fr_face_cycle **out, fr_error *error) {
    fr_allocator own = fr_allocator_or_default(allocator);
    fr_face_cycle *cycle = fr_allocate(&own, 1, sizeof *cycle, _Alignof(fr_face_cycle));
    *out = cycle;
    if (cycle == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a cycle"); }
    cycle->allocator = own;
    cycle->bounds = fr__cycle_bounds_array_make(&own);
    cycle->overlaps = fr__box_overlap_array_make(&own);
    cycle->faces = fr__cycle_face_array_make(&own);
    cycle->lists = fr_uint32_array_make(&own);
    cycle->seen = fr_uint64_array_make(&own);
    cycle->listed = fr__cycle_pair_array_make(&own);
    cycle->found = fr__cycle_found_array_make(&own);
    return FR_OK;
}

void fr_face_cycle_destroy(fr_face_cycle *cycle) {
    if (cycle == NULL) { return; }
    fr__cycle_bounds_array_destroy(&cycle->bounds);
    fr__box_overlap_array_destroy(&cycle->overlaps);
    fr__cycle_face_array_destroy(&cycle->faces);
    fr_uint32_array_destroy(&cycle->lists);
    fr_uint64_array_destroy(&cycle->seen);
    fr__cycle_pair_array_destroy(&cycle->listed);
    fr__cycle_found_array_destroy(&cycle->found);
    fr_deallocate(&cycle->allocator, cycle, 1, sizeof *cycle);
}

uint64_t fr__cycle_clock(const fr__cycle_work *work) {
    return work->input->clock != NULL ? work->input->clock() : fr_clock_ns();
}

double fr__cycle_ms_since(const fr__cycle_work *work, uint64_t earlier) {
    return 1e-6 * (double)(fr__cycle_clock(work) - earlier);
}

bool fr__cycle_ended(fr__cycle_work *work, int worker) {
    if (worker == 0 && fr_control_is_stopped(work->input->control)) { atomic_store(&work->stopped, true); }
    return atomic_load_explicit(&work->stopped, memory_order_relaxed) ||
           atomic_load_explicit(&work->failed, memory_order_relaxed);
}

void fr__cycle_corners(const fr__cycle_work *work, fr__cycle_face face, fr_vec3 start[3], fr_vec3 end[3]) {
    const fr_face_object *object = &work->input->objects[face.object];
    const uint32_t *of = object->triangles + 3 * (size_t)face.triangle;
    for (int k = 0; k < 3; k++) {
        start[k] = object->start[of[k]];
        end[k] = object->end[of[k]];
    }
}

bool fr__cycle_face_meets(const fr__cycle_work *work, fr__cycle_face face, const fr_bounds *box) {
    fr_vec3 corners[6];
    fr__cycle_corners(work, face, corners, corners + 3);
    if (!work->input->is_swept) { return fr_triangle_box_overlap(corners, box); }
    fr_bounds swept = fr_bounds_of_points(corners, 6);
    return fr_bounds_overlap(&swept, box);
}

// ---------------------------------------------------------------------------------------------------------------
// Step 1: boxes

static bool find_overlaps(fr__cycle_work *work) {
    const fr_face_cycle_input *input = work->input;
    fr_face_cycle *cycle = work->cycle;
    fr_bounds *bounds = fr__cycle_bounds_array_push(&cycle->bounds, input->object_count);
    if (bounds == NULL) { return false; }
    for (uint32_t i = 0; i < input->object_count; i++) {
        const fr_face_object *object = &input->objects[i];
        bounds[i] = fr_bounds_of_points(object->start, object->vertex_count);
        if (!input->is_swept) { continue; }
        fr_bounds end = fr_bounds_of_points(object->end, object->vertex_count);
        bounds[i] = fr_bounds_union(&bounds[i], &end);
    }
    for (uint32_t a = 0; a < input->object_count; a++) {
        for (uint32_t b = a + 1; b < input->object_count; b++) {
            if (!fr_bounds_overlap(&bounds[a], &bounds[b])) { continue; }
            fr__box_overlap *overlap = fr__box_overlap_array_push(&cycle->overlaps, 1);
            if (overlap == NULL) { return false; }
            *overlap = (fr__box_overlap){
                a, b, {fr_vec3_max(bounds[a].min, bounds[b].min), fr_vec3_min(bounds[a].max, bounds[b].max)}};
        }
    }
    work->output->overlaps = cycle->overlaps.count;
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Step 2: candidate faces

static bool is_candidate(const fr__cycle_work *work, fr__cycle_face face) {
    const fr__box_overlap *overlaps = work->cycle->overlaps.data;
    for (size_t i = 0; i < work->cycle->overlaps.count; i++) {
        if (overlaps[i].a != face.object && overlaps[i].b != face.object) { continue; }
        if (fr__cycle_face_meets(work, face, &overlaps[i].box)) { return true; }
    }
    return false;
}

static bool overlaps_another(const fr_face_cycle *cycle, uint32_t object) {
    const fr__box_overlap *overlaps = cycle->overlaps.data;
    for (size_t i = 0; i < cycle->overlaps.count; i++) {
        if (overlaps[i].a == object || overlaps[i].b == object) { return true; }
    }
    return false;
}

static bool extract_faces(fr__cycle_work *work) {
    fr_face_cycle *cycle = work->cycle;
    for (uint32_t i = 0; i < work->input->object_count; i++) {
        if (!overlaps_another(cycle, i)) { continue; }
        for (uint32_t t = 0; t < work->input->objects[i].triangle_count; t++) {
            fr__cycle_face face = {i, t};
            if (!is_candidate(work, face)) { continue; }
            fr__cycle_face *out = fr__cycle_face_array_push(&cycle->faces, 1);
            if (out == NULL) { return false; }
            *out = face;
        }
    }
    work->output->candidates = cycle->faces.count;
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// The cycle

static bool pair_is_before(const fr_face_pair *a, const fr_face_pair *b) {
    if (a->a != b->a) { return a->a < b->a; }
    if (a->b != b->b) { return a->b < b->b; }
    return a->triangle_a != b->triangle_a ? a->triangle_a < b->triangle_a : a->triangle_b < b->triangle_b;
}

FR_SORT_TYPE(sort_pairs, fr_face_pair, pair_is_before);

static fr_status check(const fr_face_cycle_input *input, fr_error *error) {
    bool is_root = input->root_edge > 0.0 && isfinite(input->root_edge) && fr_vec3_is_finite(input->root_min);
    if (!is_root) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the root of the cycle is no cube"); }
    if (input->depth < 1 || input->depth > MAX_DEPTH) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the depth of the cycle is not in 1 .. 16");
    }
    if (input->balance < FR_BALANCE_SERIAL || input->balance > FR_BALANCE_DYNAMIC) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the cycle is serial, static or dynamic");
    }
    return FR_OK;
}

static void run_steps(fr__cycle_work *work) {
    fr_face_cycle_output *output = work->output;
    uint64_t start = fr__cycle_clock(work);
    if (!find_overlaps(work)) { atomic_store(&work->failed, true); }
    output->ms[0] = fr__cycle_ms_since(work, start);
    if (output->overlaps == 0 || fr__cycle_ended(work, 0)) { return; }

    start = fr__cycle_clock(work);
    if (!extract_faces(work)) { atomic_store(&work->failed, true); }
    output->ms[1] = fr__cycle_ms_since(work, start);
    if (fr__cycle_ended(work, 0)) { return; }

    fr__cycle_list_and_test(work);
}

fr_status fr_face_cycle_run(fr_face_cycle *cycle, const fr_face_cycle_input *input, fr_face_cycle_output *output,
                            fr_error *error) {
    memset(output, 0, sizeof *output);
    fr_status status = check(input, error);
    if (status != FR_OK) { return status; }
    cycle->bounds.count = cycle->overlaps.count = cycle->faces.count = cycle->lists.count = 0;
    cycle->seen.count = cycle->listed.count = cycle->found.count = 0;
    fr__cycle_work work = {.cycle = cycle, .input = input, .output = output};
    uint64_t start = fr__cycle_clock(&work);
    run_steps(&work);
    output->ms_total = fr__cycle_ms_since(&work, start);
    bool failed = atomic_load(&work.failed), stopped = atomic_load(&work.stopped);
    if (failed || stopped) {
        memset(output, 0, sizeof *output);
        return fr_error_set(error, failed ? FR_ERROR_MEMORY : FR_ERROR_STOPPED,
                            failed ? "no memory for a cycle" : "stopped");
    }
    output->pairs = cycle->found.data;
    output->pair_count = cycle->found.count;
    sort_pairs(cycle->found.data, cycle->found.count);
    return FR_OK;
}
