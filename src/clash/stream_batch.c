// A batch of parts whose meshes are made when they are needed: makes what is missing, looks for duplicates, compares,
// and keeps the results.
#include "clash/stream.h"
#include "clash/twins.h"

#include "fureai/base_order.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Stage 1: meshes

static bool is_idle(const fr__clash_stream *s, uint32_t shape) {
    return s->slots[shape].mesh != NULL && s->slots[shape].last_used != s->batch;
}

static void give_up(fr__clash_stream *s, uint32_t shape) {
    fr_mesh_release(s->slots[shape].mesh);
    s->slots[shape].mesh = NULL;
    s->made_bytes -= fr__stream_shape_cost(s, shape);
}

// A shape with the batch that last needed it, for sorting.
typedef struct idle_shape {
    uint64_t last_used;
    uint32_t shape;
} idle_shape;

static bool was_used_before(const idle_shape *a, const idle_shape *b) {
    return a->last_used != b->last_used ? a->last_used < b->last_used : a->shape < b->shape;
}
FR_SORT_TYPE(sort_idle, idle_shape, was_used_before);

// Gives up meshes, those first that were needed the longest time ago, until others of so many bytes fit.
static fr_status make_room(fr__clash_stream *s, uint64_t bytes, fr_error *error) {
    if (s->made_bytes + bytes <= fr__stream_limit_of(s)) { return FR_OK; }
    const fr_allocator *allocator = &s->finder->allocator;
    uint32_t shape_count = s->input->shape_count;
    size_t count = 0;
    for (uint32_t i = 0; i < shape_count; i++) {
        count += is_idle(s, i);
    }
    idle_shape *list = fr_allocate(allocator, count + 1, sizeof *list, 16);
    if (list == NULL) { return fr__clash_no_memory(error); }
    size_t filled = 0;
    for (uint32_t i = 0; i < shape_count; i++) {
        if (is_idle(s, i)) { list[filled++] = (idle_shape){s->slots[i].last_used, i}; }
    }
    sort_idle(list, count);
    for (size_t i = 0; i < count && s->made_bytes + bytes > fr__stream_limit_of(s); i++) {
        give_up(s, list[i].shape);
    }
    fr_deallocate(allocator, list, count + 1, sizeof *list);
    return FR_OK;
}

// Meshes are made so many at a time, so that their errors take little room.
enum { MAKE_AT_ONCE = 256 };

typedef struct batch_control {
    fr__clash_stream *s;
    int worker;
} batch_control;

static bool wants_stop(void *user) {
    const batch_control *w = user;
    if (w->worker == 0 && fr_control_is_stopped(w->s->input->control)) { atomic_store(&w->s->is_stopped, true); }
    return atomic_load(&w->s->is_stopped);
}

static bool is_inside(const fr_bounds *inner, const fr_bounds *outer) {
    return fr_bounds_contain_point(outer, inner->min) && fr_bounds_contain_point(outer, inner->max);
}

static fr_status make_shape(const fr__clash_stream *s, uint32_t shape, const fr_control *control, fr_error *error) {
    fr__shape_slot *slot = &s->slots[shape];
    fr_status status = s->input->make(shape, control, &slot->mesh, s->input->user, error);
    if (status != FR_OK) {
        slot->mesh = NULL;
        return error->message[0] != '\0' ? status : fr_error_set(error, status, "%s", fr_status_text(status));
    }
    const fr_mesh_view *view = fr_mesh_get(slot->mesh);
    const fr_clash_shape *said = &s->input->shapes[shape];
    if (view->triangle_count == said->triangle_count && is_inside(&view->bounds, &said->bounds)) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "the mesh of shape %u has other triangles or bounds than it", shape);
}

static void make_range(size_t begin, size_t end, int worker, void *context) {
    fr__clash_stream *s = context;
    batch_control w = {s, worker};
    const fr_control control = {.stop = wants_stop, .user = &w};
    for (size_t i = begin; i < end; i++) {
        s->errors.data[i] = (fr_error){.status = FR_OK};
        if (wants_stop(&w)) {
            (void)fr_error_set(&s->errors.data[i], FR_ERROR_STOPPED, "stopped");
        } else {
            uint32_t shape = s->missing.data[s->first_missing + i];
            s->errors.data[i].status = make_shape(s, shape, &control, &s->errors.data[i]);
        }
    }
}

// Makes the meshes of the members that are not there.
static fr_status make_meshes(fr__clash_stream *s, fr_error *error) {
    uint64_t bytes = 0;
    s->missing.count = 0;
    for (size_t i = 0; i < s->members.count; i++) {
        uint32_t shape = fr__stream_parts_of(s)[s->members.data[i]].solid;
        fr__shape_slot *slot = &s->slots[shape];
        if (slot->last_used == s->batch) { continue; }
        slot->last_used = s->batch;
        if (slot->mesh != NULL) { continue; }
        uint32_t *place = fr_uint32_array_push(&s->missing, 1);
        if (place == NULL) { return fr__clash_no_memory(error); }
        *place = shape;
        bytes += fr__stream_shape_cost(s, shape);
    }
    size_t count = s->missing.count;
    if (count == 0) { return FR_OK; }
    fr_status status = make_room(s, bytes, error);
    if (status != FR_OK) { return status; }
    fr_error *errors = fr__error_array_reset(&s->errors, count < MAKE_AT_ONCE ? count : MAKE_AT_ONCE);
    if (errors == NULL) { return fr__clash_no_memory(error); }
    s->made_bytes += bytes;
    s->stats.made_count += count;
    s->stats.max_bytes = s->made_bytes > s->stats.max_bytes ? (size_t)s->made_bytes : s->stats.max_bytes;
    for (s->first_missing = 0; s->first_missing < count; s->first_missing += MAKE_AT_ONCE) {
        size_t left = count - s->first_missing, some = left < MAKE_AT_ONCE ? left : MAKE_AT_ONCE;
        fr_tasks_run(s->input->tasks, FR_SCHEDULE_DYNAMIC, some, 1, make_range, s);
        for (size_t i = 0; i < some; i++) {
            if (errors[i].status == FR_OK) { continue; }
            if (error != NULL) { *error = errors[i]; }
            return errors[i].status;
        }
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Stage 2: duplicates. The twin of a part is here a part of a lower number that is the same, or itself; in the end all
// lead to the lowest.

uint32_t fr__stream_lowest_twin(const fr__clash_stream *s, uint32_t part) {
    fr__rest_part *parts = fr__stream_parts_of(s);
    while (parts[part].twin != part) {
        parts[part].twin = parts[parts[part].twin].twin;
        part = parts[part].twin;
    }
    return part;
}

typedef struct twin_visit {
    fr__clash_stream *s;
    uint32_t part;
    fr_status status;
} twin_visit;

static const fr_bounds *twin_bounds(fr__clash_stream *s, uint32_t local) {
    fr__twin_box *box = &s->twin_boxes.data[local];
    if (!box->is_known) { *box = (fr__twin_box){true, fr__twin_bounds(&s->local->placed.data[local])}; }
    return &box->bounds;
}

static bool compare_twins(uint32_t item, void *context) {
    twin_visit *t = context;
    fr__clash_stream *s = t->s;
    fr__rest_part *parts = fr__stream_parts_of(s);
    const fr__rest_part *a = &parts[t->part], *b = &parts[item];
    if (b->rank >= a->rank || a->triangle_count != b->triangle_count || s->batched[item].batch != s->batch) {
        return true;
    }
    uint32_t p = fr__stream_lowest_twin(s, t->part), q = fr__stream_lowest_twin(s, item);
    if (p == q) { return true; }
    // The comparison goes by the size of the first part: of the two, that with the lower number.
    uint32_t low = t->part < item ? t->part : item, high = t->part < item ? item : t->part;
    uint32_t i = s->batched[low].local, k = s->batched[high].local;
    bool is_same;
    t->status = fr__twins_compare(&s->local->placed.data[i], twin_bounds(s, i), &s->local->placed.data[k],
                                  twin_bounds(s, k), &s->finder->allocator, &is_same);
    if (t->status == FR_OK && is_same) { parts[p < q ? q : p].twin = p < q ? p : q; }
    return t->status == FR_OK;
}

static fr_status find_twins(fr__clash_stream *s, fr_error *error) {
    fr__twin_box *boxes = fr__twin_box_array_reset(&s->twin_boxes, s->members.count);
    if (boxes == NULL) { return fr__clash_no_memory(error); }
    memset(boxes, 0, s->members.count * sizeof *boxes);
    for (size_t i = 0; i < s->members.count; i++) {
        uint32_t part = s->members.data[i];
        if (!s->batched[part].is_current) { continue; }
        if (fr_control_is_stopped(s->input->control)) { return fr_error_set(error, FR_ERROR_STOPPED, "stopped"); }
        twin_visit t = {s, part, FR_OK};
        fr_tree_overlap_box(s->tree, &s->boxes[part], compare_twins, &t);
        if (t.status != FR_OK) { return fr__clash_no_memory(error); }
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Stage 3: comparison

static bool number_is_before(const uint32_t *a, const uint32_t *b) { return *a < *b; }
FR_SORT_TYPE(sort_numbers, uint32_t, number_is_before);

// Gives the finder of the batch its members, in the order of their numbers.
static fr_status add_members(fr__clash_stream *s, fr_error *error) {
    fr__rest_clear(s->local);
    bool has_rules = s->rules.matches != NULL;
    fr__rule_match *matches = has_rules ? fr__rule_match_array_reset(&s->matches, s->members.count) : NULL;
    if (has_rules && matches == NULL) { return fr__clash_no_memory(error); }
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < s->members.count && status == FR_OK; i++) {
        uint32_t part = s->members.data[i];
        const fr__rest_part *from = &fr__stream_parts_of(s)[part];
        status = fr__rest_add_part(s->local, s->slots[from->solid].mesh, &from->pose, error);
        if (status != FR_OK) { break; }
        s->local->placed.data[i].is_current = s->batched[part].is_current;
        s->local->placed.data[i].rank = from->rank;
        s->batched[part].local = i;
        if (has_rules) { matches[i] = s->rules.matches[part]; }
    }
    return status;
}

// Copies what the batch found.
static fr_status keep_results(fr__clash_stream *s, const fr_collide_output *found, fr_error *error) {
    fr_clash_finder *to = s->finder;
    const uint32_t *members = s->members.data;
    size_t first_pair = to->kept_pairs.count;
    if (found->pair_count > 0) {
        fr_face_pair *pairs = fr__kept_pair_array_push(&to->kept_pairs, found->pair_count);
        if (pairs == NULL) { return fr__clash_no_memory(error); }
        for (size_t i = 0; i < found->pair_count; i++) {
            pairs[i] = found->pairs[i];
            pairs[i].a = members[pairs[i].a];
            pairs[i].b = members[pairs[i].b];
        }
    }
    for (size_t i = 0; i < s->local->clashes.count; i++) {
        fr_clash c = s->local->clashes.data[i];
        const fr_contact_region *region = &c.region;
        fr__kept_region kept = {to->kept_points.count, to->kept_lines.count};
        fr_vec3 *points = fr__vec3_array_push(&to->kept_points, region->point_count + 1);
        fr_contact_line *lines = fr__contact_line_array_push(&to->kept_lines, region->line_count + 1);
        fr__kept_region *place = fr__kept_region_array_push(&to->kept_regions, 1);
        fr_clash *clash = fr__clash_array_push(&to->clashes, 1);
        if (points == NULL || lines == NULL || place == NULL || clash == NULL) { return fr__clash_no_memory(error); }
        if (region->point_count > 0) { memcpy(points, region->points, region->point_count * sizeof *points); }
        if (region->line_count > 0) { memcpy(lines, region->lines, region->line_count * sizeof *lines); }
        *place = kept;
        c.a = members[c.a];
        c.b = members[c.b];
        c.first += first_pair;
        *clash = c;
    }
    return FR_OK;
}

fr_status fr__stream_run_batch(fr__clash_stream *s, fr_error *error) {
    s->stats.batch_count++;
    sort_numbers(s->members.data, s->members.count);
    fr_status status = make_meshes(s, error);
    if (status == FR_OK) { status = add_members(s, error); }
    if (status == FR_OK) { status = find_twins(s, error); }
    if (status != FR_OK) { return status; }
    for (size_t i = 0; i < s->members.count; i++) {
        s->local->placed.data[i].twin = fr__stream_lowest_twin(s, s->members.data[i]);
    }
    fr__clash_rules rules = s->rules;
    rules.matches = rules.matches != NULL ? s->matches.data : NULL;
    const fr__rest_query query = {
        .tolerance = s->input->tolerance, .rules = &rules, .tasks = s->input->tasks, .control = &s->stop_only};
    fr_collide_output found;
    status = fr__rest_meet(s->local, &query, &found, error);
    if (status == FR_OK) { status = keep_results(s, &found, error); }
    fr__rest_clear(s->local);
    return status;
}
