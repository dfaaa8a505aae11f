// Clashes of parts whose meshes are made when they are needed.
//
// Stage 1: the boxes of all parts, a tree over them, and the order of the parts along a curve through their middles:
// the rank of a part is its place there. Stage 2: batches. A batch has some parts that are current, one rank after
// another, and all parts of lower ranks whose boxes meet theirs. Each pair is compared in the batch in which its higher
// rank is current. Where the parts about a single part are too many for the limit, they come in several batches with
// it. Stage 3: what the batches found is sorted, and duplicates and groups are added.
#include "clash/stream.h"
#include "clash/twins.h"

#include "fureai/base_order.h"
#include "octree/octree.h"
#include "world/pose_compare.h"

#include <string.h>

#define STREAM_INPUT_COOKIE 0x636c7374u

// Cells of the curve along each axis.
#define CURVE_CELLS 1024.0

fr_clash_stream_input fr_default_clash_stream_input(void) {
    return (fr_clash_stream_input){.cookie = STREAM_INPUT_COOKIE};
}

// ---------------------------------------------------------------------------------------------------------------
// Stage 1: boxes and ranks

// The box of a part: that of the corners of its shape's bounds. Rounding moves a corner of the mesh by a few units in
// the last place of the largest number on its path: 64 of them are more.
static fr_bounds world_bounds(const fr_clash_shape *shape, const fr_pose *pose) {
    fr_bounds bounds = fr_bounds_empty();
    double largest = 0.0;
    for (int i = 0; i < 8; i++) {
        fr_vec3 corner = {i & 1 ? shape->bounds.max.x : shape->bounds.min.x,
                          i & 2 ? shape->bounds.max.y : shape->bounds.min.y,
                          i & 4 ? shape->bounds.max.z : shape->bounds.min.z};
        largest = fmax(largest, pose->scale * fr_vec3_largest(corner));
        bounds = fr_bounds_with_point(&bounds, fr_pose_apply(pose, corner));
    }
    return fr_bounds_grow(&bounds, 64.0 * 0x1p-53 * (largest + fr_vec3_largest(pose->position)));
}

static fr_status check_shapes(const fr_clash_stream_input *input, fr_error *error) {
    for (uint32_t i = 0; i < input->shape_count; i++) {
        const fr_clash_shape *shape = &input->shapes[i];
        bool is_box = fr_vec3_is_finite(shape->bounds.min) && fr_vec3_is_finite(shape->bounds.max) &&
                      !fr_bounds_is_empty(&shape->bounds);
        if (!is_box || shape->triangle_count == 0) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "shape %u has no triangles or no bounds", i);
        }
    }
    return FR_OK;
}

// The parts without their meshes, and their boxes about the middle of all.
static fr_status place_parts(fr__clash_stream *s, fr_bounds *bounds, fr_error *error) {
    const fr_clash_stream_input *input = s->input;
    const fr_pose here = fr_pose_identity();
    for (uint32_t i = 0; i < input->part_count; i++) {
        fr_pose pose = input->parts[i].pose;
        uint32_t shape = input->parts[i].shape;
        if (shape >= input->shape_count) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "part %u has shape %u of %u", i, shape, input->shape_count);
        }
        fr_status status = fr_pose_check(&pose, error);
        if (status != FR_OK) { return status; }
        fr__stream_parts_of(s)[i] = (fr__rest_part){.pose = pose,
                                                    .is_placed = !fr__pose_equal(&pose, &here),
                                                    .triangle_count = input->shapes[shape].triangle_count,
                                                    .solid = shape,
                                                    .twin = i};
        bounds[i] = world_bounds(&input->shapes[shape], &pose);
    }
    return FR_OK;
}

static bool code_is_before(const fr__ranked_part *a, const fr__ranked_part *b) {
    return a->code != b->code ? a->code < b->code : a->part < b->part;
}
FR_SORT_TYPE(sort_ranked, fr__ranked_part, code_is_before);

static uint32_t curve_cell(double x, double min, double max) {
    double cell = max > min ? (x - min) / (max - min) * CURVE_CELLS : 0.0;
    return (uint32_t)fmax(0.0, fmin(CURVE_CELLS - 1.0, cell));
}

static void rank_parts(fr__clash_stream *s, const fr_bounds *bounds, const fr_bounds *all) {
    uint32_t count = s->input->part_count;
    for (uint32_t i = 0; i < count; i++) {
        fr_vec3 c = fr_bounds_center(&bounds[i]);
        s->order[i].part = i;
        s->order[i].code = fr__morton3(curve_cell(c.x, all->min.x, all->max.x), curve_cell(c.y, all->min.y, all->max.y),
                                       curve_cell(c.z, all->min.z, all->max.z));
    }
    sort_ranked(s->order, count);
    for (uint32_t i = 0; i < count; i++) {
        fr__stream_parts_of(s)[s->order[i].part].rank = i;
    }
}

// How far the corners of a part that is the same may be from its own.
static double twin_reach(const fr__clash_stream *s, uint32_t part) {
    const fr_bounds *bounds = &s->input->shapes[s->input->parts[part].shape].bounds;
    double size = fr_vec3_distance(bounds->min, bounds->max) * fr__stream_parts_of(s)[part].pose.scale;
    return FR__SAME_FRACTION * size;
}

static fr_status make_tree(fr__clash_stream *s, fr_error *error) {
    uint32_t count = s->input->part_count;
    fr_bounds *bounds = fr_allocate(&s->finder->allocator, count, sizeof *bounds, 16);
    if (bounds == NULL) { return fr__clash_no_memory(error); }
    fr_status status = place_parts(s, bounds, error);
    fr_bounds all = fr_bounds_empty();
    for (uint32_t i = 0; i < count && status == FR_OK; i++) {
        all = fr_bounds_union(&all, &bounds[i]);
    }
    if (status == FR_OK) {
        // Two boxes that are each grown by half of it overlap where they are nearer than it. Then the fraction is more
        // than what halving and adding round.
        double reach = fmax(s->input->tolerance, fr__clash_rules_max_clearance(&s->rules)) * (0.5 + 0x1p-20);
        fr_vec3 middle = fr_bounds_center(&all);
        for (uint32_t i = 0; i < count; i++) {
            fr_bounds grown = fr_bounds_grow(&bounds[i], fmax(reach, twin_reach(s, i)));
            s->boxes[i] = fr_box_of_bounds(&grown, middle);
        }
        rank_parts(s, bounds, &all);
        fr_tree_def def = fr_default_tree_def();
        def.boxes = s->boxes;
        def.count = count;
        def.tasks = s->input->tasks;
        def.allocator = s->finder->allocator;
        status = fr_tree_create(&def, &s->tree, error);
    }
    fr_deallocate(&s->finder->allocator, bounds, count, sizeof *bounds);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Stage 2: which parts a batch has

static bool is_before(const uint64_t *a, const uint64_t *b) { return *a < *b; }
FR_SORT_TYPE(sort_near, uint64_t, is_before);

typedef struct near_search {
    fr__clash_stream *s;
    uint32_t part;
    bool has_room;
} near_search;

// Takes parts of lower ranks that are compared with the part, or may be the same as it.
static bool take_near(uint32_t item, void *context) {
    near_search *n = context;
    const fr__rest_part *a = &fr__stream_parts_of(n->s)[n->part], *b = &fr__stream_parts_of(n->s)[item];
    if (b->rank >= a->rank) { return true; }
    bool may_be_twin = a->triangle_count == b->triangle_count;
    if (!may_be_twin && !fr__clash_rules_allow(&n->s->rules, n->part, item)) { return true; }
    uint64_t *place = fr_uint64_array_push(&n->s->near, 1);
    n->has_room = place != NULL;
    if (place != NULL) { *place = (uint64_t)b->solid << 32 | item; }
    return n->has_room;
}

static fr_status list_near(fr__clash_stream *s, uint32_t part, fr_error *error) {
    near_search n = {s, part, true};
    s->near.count = 0;
    fr_tree_overlap_box(s->tree, &s->boxes[part], take_near, &n);
    if (!n.has_room) { return fr__clash_no_memory(error); }
    sort_near(s->near.data, s->near.count);
    return FR_OK;
}

static uint32_t near_part(const fr__clash_stream *s, size_t i) { return (uint32_t)s->near.data[i]; }

static void begin_batch(fr__clash_stream *s) {
    s->batch++;
    s->members.count = 0;
}

// The bytes that a part adds to the batch, which counts its shape from then on.
static uint64_t count_shape(fr__clash_stream *s, uint32_t part) {
    uint32_t shape = fr__stream_parts_of(s)[part].solid;
    if (s->slots[shape].counted == s->batch) { return 0; }
    s->slots[shape].counted = s->batch;
    return fr__stream_shape_cost(s, shape);
}

static fr_status add_member(fr__clash_stream *s, uint32_t part, bool is_current, fr_error *error) {
    fr__batched_part *batched = &s->batched[part];
    if (batched->batch == s->batch) {
        batched->is_current |= is_current;
        return FR_OK;
    }
    uint32_t *place = fr_uint32_array_push(&s->members, 1);
    if (place == NULL) { return fr__clash_no_memory(error); }
    *place = part;
    *batched = (fr__batched_part){.batch = s->batch, .is_current = is_current};
    return FR_OK;
}

// Runs batches of one current part and as many of those about it as fit, at least one.
static fr_status run_crowd(fr__clash_stream *s, uint32_t part, fr_error *error) {
    fr_status status = FR_OK;
    for (size_t i = 0; i < s->near.count && status == FR_OK;) {
        begin_batch(s);
        uint64_t bytes = count_shape(s, part);
        status = add_member(s, part, true, error);
        for (size_t first = i; i < s->near.count && status == FR_OK; i++) {
            uint64_t more = count_shape(s, near_part(s, i));
            if (i > first && bytes + more > fr__stream_limit_of(s)) { break; }
            bytes += more;
            status = add_member(s, near_part(s, i), false, error);
        }
        if (status == FR_OK) { status = fr__stream_run_batch(s, error); }
    }
    return status;
}

// Runs the batch of the parts from rank *rank on, and sets the rank that is next.
static fr_status run_next(fr__clash_stream *s, uint32_t *rank, fr_error *error) {
    uint64_t bytes = 0;
    begin_batch(s);
    for (; *rank < s->input->part_count; ++*rank) {
        uint32_t part = s->order[*rank].part;
        fr_status status = list_near(s, part, error);
        if (status != FR_OK) { return status; }
        if (s->near.count == 0) { continue; }
        uint64_t more = count_shape(s, part);
        for (size_t i = 0; i < s->near.count; i++) {
            more += count_shape(s, near_part(s, i));
        }
        bool fits = bytes + more <= fr__stream_limit_of(s);
        if (!fits && s->members.count > 0) { break; } // it is the next batch's
        if (!fits) {
            ++*rank;
            return run_crowd(s, part, error);
        }
        bytes += more;
        status = add_member(s, part, true, error);
        for (size_t i = 0; i < s->near.count && status == FR_OK; i++) {
            status = add_member(s, near_part(s, i), false, error);
        }
        if (status != FR_OK) { return status; }
    }
    return s->members.count > 0 ? fr__stream_run_batch(s, error) : FR_OK;
}

static fr_status run_all(fr__clash_stream *s, fr_error *error) {
    uint32_t count = s->input->part_count;
    for (uint32_t rank = 0; rank < count;) {
        if (fr_control_is_stopped(s->input->control)) { return fr_error_set(error, FR_ERROR_STOPPED, "stopped"); }
        fr_control_progress(s->input->control, (double)rank / (double)count, "parts");
        fr_status status = run_next(s, &rank, error);
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Stage 3: the results

// Parts that are the same because both equal a third one may have been compared before that was known.
static void settle(fr__clash_stream *s) {
    fr_clash_finder *finder = s->finder;
    fr__rest_part *parts = finder->placed.data;
    for (uint32_t i = 0; i < finder->placed.count; i++) {
        parts[i].twin = fr__stream_lowest_twin(s, i);
    }
    size_t kept = 0;
    for (size_t i = 0; i < finder->clashes.count; i++) {
        fr_clash c = finder->clashes.data[i];
        if (parts[c.a].twin == parts[c.b].twin) { continue; }
        const fr__kept_region *region = &finder->kept_regions.data[i];
        c.region.points = finder->kept_points.data + region->point;
        c.region.lines = finder->kept_lines.data + region->line;
        finder->clashes.data[kept++] = c;
    }
    finder->clashes.count = kept;
}

static fr_status allocate(fr__clash_stream *s, fr_error *error) {
    const fr_allocator *allocator = &s->finder->allocator;
    size_t part_count = s->input->part_count, shape_count = s->input->shape_count;
    s->boxes = fr_allocate(allocator, part_count + 1, sizeof *s->boxes, 64);
    s->order = fr_allocate(allocator, part_count + 1, sizeof *s->order, 16);
    s->batched = fr_allocate(allocator, part_count + 1, sizeof *s->batched, 16);
    s->slots = fr_allocate(allocator, shape_count + 1, sizeof *s->slots, 16);
    fr__rest_part *parts = fr__rest_part_array_push(&s->finder->placed, part_count);
    if (parts != NULL) { memset(parts, 0, part_count * sizeof *parts); }
    if (s->slots != NULL) { memset(s->slots, 0, (shape_count + 1) * sizeof *s->slots); }
    bool has_room = s->boxes != NULL && s->order != NULL && s->batched != NULL && s->slots != NULL;
    if (!has_room || (parts == NULL && part_count > 0)) { return fr__clash_no_memory(error); }
    memset(s->batched, 0, (part_count + 1) * sizeof *s->batched);
    return fr_clash_finder_create(allocator, &s->local, error);
}

static void free_stream(fr__clash_stream *s) {
    const fr_allocator *allocator = &s->finder->allocator;
    size_t part_count = s->input->part_count, shape_count = s->input->shape_count;
    for (size_t i = 0; s->slots != NULL && i < shape_count; i++) {
        fr_mesh_release(s->slots[i].mesh);
    }
    fr_clash_finder_destroy(s->local);
    fr_tree_destroy(s->tree);
    fr_deallocate(allocator, s->boxes, part_count + 1, sizeof *s->boxes);
    fr_deallocate(allocator, s->order, part_count + 1, sizeof *s->order);
    fr_deallocate(allocator, s->batched, part_count + 1, sizeof *s->batched);
    fr_deallocate(allocator, s->slots, shape_count + 1, sizeof *s->slots);
    fr_uint64_array_destroy(&s->near);
    fr_uint32_array_destroy(&s->members);
    fr_uint32_array_destroy(&s->missing);
    fr__rule_match_array_destroy(&s->matches);
    fr__twin_box_array_destroy(&s->twin_boxes);
    fr__error_array_destroy(&s->errors);
}

static fr_status check_input(const fr_clash_stream_input *input, fr_error *error) {
    if (input->cookie != STREAM_INPUT_COOKIE) { return fr_error_set_cookie(error, "fr_default_clash_stream_input"); }
    bool has_parts = input->part_count == 0 || (input->parts != NULL && input->shapes != NULL && input->make != NULL);
    if (!has_parts || input->part_count == UINT32_MAX) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the parts are missing or too many");
    }
    fr_status status = fr__clash_check_tolerance(input->tolerance, error);
    return status == FR_OK ? check_shapes(input, error) : status;
}

// The rules of the input are those of fr_clash_find.
static fr_status make_rules(fr__clash_stream *s, fr_error *error) {
    fr_clash_input like = fr_default_clash_input();
    like.part_count = s->input->part_count;
    like.names = s->input->names;
    like.rules = s->input->rules;
    like.rule_count = s->input->rule_count;
    like.clearance = s->input->clearance;
    return fr__clash_rules_make(&like, &s->finder->matches, &s->rules, error);
}

fr_status fr_clash_find_stream(fr_clash_finder *finder, const fr_clash_stream_input *input, fr_clash_output *output,
                               fr_clash_stream_stats *stats, fr_error *error) {
    FR_ASSERT(finder != NULL && input != NULL && output != NULL);
    *output = (fr_clash_output){0};
    if (stats != NULL) { *stats = (fr_clash_stream_stats){0}; }
    fr_status status = check_input(input, error);
    if (status != FR_OK) { return status; }
    fr__rest_clear(finder);
    const fr_allocator *allocator = &finder->allocator;
    fr__clash_stream s = {.finder = finder,
                          .input = input,
                          .stop_only = fr__stop_only(input->control),
                          .near = fr_uint64_array_make(allocator),
                          .members = fr_uint32_array_make(allocator),
                          .missing = fr_uint32_array_make(allocator),
                          .matches = fr__rule_match_array_make(allocator),
                          .twin_boxes = fr__twin_box_array_make(allocator),
                          .errors = fr__error_array_make(allocator)};
    status = allocate(&s, error);
    if (status == FR_OK) { status = make_rules(&s, error); }
    if (status == FR_OK && input->part_count > 0) { status = make_tree(&s, error); }
    if (status == FR_OK && input->part_count > 1) { status = run_all(&s, error); }
    fr_clash_output whole = {0};
    if (status == FR_OK) {
        settle(&s);
        const fr__rest_query query = {.tolerance = input->tolerance,
                                      .rules = &s.rules,
                                      .names = input->names,
                                      .tasks = input->tasks,
                                      .control = input->control};
        status = fr__rest_end(finder, &query, &whole, error);
        whole.pairs = finder->kept_pairs.data;
        whole.pair_count = finder->kept_pairs.count;
    }
    free_stream(&s);
    if (status != FR_OK) { return status; }
    *output = whole;
    if (stats != NULL) { *stats = s.stats; }
    return FR_OK;
}
