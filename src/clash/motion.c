// Clashes of parts in motion. A record gathers the contacts of two parts' faces step by step: when, which triangles,
// where first, and the poses with the greatest number of colliding triangles. At the end depth and region are measured
// there, as of parts at rest.
#include "clash/finder.h"
#include "clash/motion_record.h"
#include "world/world.h"

#include <string.h>

#define MOTION_CLASH_INPUT_COOKIE 0x4d434c41u

// A joint turns by less than half a turn in a tick, so that its direction is known.
enum { MIN_JOINT_STEPS = 3, MAX_JOINT_STEPS = 1000000 };

fr_motion_clash_input fr_default_motion_clash_input(void) {
    return (fr_motion_clash_input){.cookie = MOTION_CLASH_INPUT_COOKIE};
}

FR_ARRAY_TYPE(motion_array, fr_motion);

typedef struct motion_work {
    fr_clash_finder *finder;
    const fr_motion_clash_input *input;
    fr_motion_clash_output *out;
    const fr_space *space;
    motion_array motions; // one an object: its motion in the step that is taken
    fr_size_array counts; // one a record: triangles that collide at the instant
    uint64_t steps;       // to take
    uint64_t last_touch;  // the highest id of a face touch that was seen
    double begin, end;    // of the step, seconds
} motion_work;

// Whether the object of a part has vertices other than its mesh's.
static bool is_deformed(const motion_work *w, uint32_t part) {
    return fr_object_get(w->space, fr__moving_parts_owner(&w->finder->parts, part))->vertices != NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// One step

// Stores what every object does in the step, for poses between two instants. Wishes nothing.
static fr_status store_motions(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    (void)wishes, (void)error;
    const motion_work *w = user;
    fr_motion *motions = w->motions.data;
    for (uint32_t i = 0; i < fr_space_object_places(proposal->space); i++) {
        const fr_object_view *view = fr_object_get(proposal->space, fr_space_object_at(proposal->space, i));
        if (view != NULL) { motions[i] = view->is_moving ? view->motion : fr_motion_still(&view->pose); }
    }
    return FR_OK;
}

static fr_object_id owner_of(const motion_work *w, uint32_t part) {
    return fr__moving_parts_owner(&w->finder->parts, part);
}

// Where the owners of two parts are at a fraction of the step, and where they are now that it was taken.
static void pose_between(const motion_work *w, const fr__motion_record *c, double fraction, fr_pose out[2]) {
    const fr_motion *motions = w->motions.data;
    out[0] = fr_motion_pose(&motions[owner_of(w, c->a).index1 - 1], fraction);
    out[1] = fr_motion_pose(&motions[owner_of(w, c->b).index1 - 1], fraction);
}

static void pose_now(const motion_work *w, const fr__motion_record *c, fr_pose out[2]) {
    out[0] = fr_object_get(w->space, owner_of(w, c->a))->pose;
    out[1] = fr_object_get(w->space, owner_of(w, c->b))->pose;
}

// A meeting between two instants counts only when no instant has colliding triangles.
static void take_between(const motion_work *w, fr__motion_record *c) {
    const fr_clash_interval *last = c->intervals.data + (c->intervals.count - 1);
    if (c->max_count > 0 || last->end <= w->begin || w->end <= w->begin) { return; }
    double begin = last->begin > w->begin ? last->begin : w->begin;
    if (last->end - begin < c->max_duration) { return; }
    c->max_duration = last->end - begin;
    c->at = 0.5 * (begin + last->end);
    pose_between(w, c, (c->at - w->begin) / (w->end - w->begin), c->poses);
}

// The faces cross for sure: not only near one another, and not only touching as the step begins.
static bool crosses(const fr_face_pair *pair) {
    bool only_touches = (pair->flags & FR_CONTACT_START) != 0 && (pair->flags & FR_CONTACT_TOUCHING) != 0;
    return (pair->flags & FR_CONTACT_NEAR) == 0 && !only_touches;
}

static fr_status take_touch(motion_work *w, const fr_snapshot *snapshot, const fr_face_touch *touch, fr_error *error) {
    // One that ended as the step began was taken before, and the faces of one object do not clash.
    if (touch->pair == FR_NONE || fr_object_id_equal(touch->a, touch->b)) { return FR_OK; }
    const fr__moving_parts *parts = &w->finder->parts;
    uint32_t a = fr__moving_parts_of_triangle(parts, w->space, touch->a, touch->triangle_a);
    uint32_t b = fr__moving_parts_of_triangle(parts, w->space, touch->b, touch->triangle_b);
    fr__motion_record *c = fr__motion_record_open(&w->finder->records, a, b);
    if (c == NULL) { return fr__clash_no_memory(error); }
    if (c->intervals.count == 0) {
        c->at = w->end;
        pose_now(w, c, c->poses);
    }

    c->is_deforming |= is_deformed(w, a) || is_deformed(w, b);
    double begin = touch->begin > w->begin ? touch->begin : w->begin;
    double end = fr_is_unknown(touch->end) ? w->end : touch->end;
    if (c->is_inside && begin > w->begin && !fr__intervals_add(&c->intervals, w->begin, begin, 0.0)) {
        return fr__clash_no_memory(error);
    }
    c->is_inside = false;
    if (!fr__intervals_add(&c->intervals, begin, end, 1e-6 * snapshot->step)) { return fr__clash_no_memory(error); }
    if (fr_is_unknown(touch->end)) { c->seen = snapshot->sequence; }
    if (touch->begin < c->first) {
        const fr_contact *contact = &snapshot->step_result.contacts[touch->pair];
        c->first = touch->begin;
        c->point = contact->point;
        c->normal = contact->normal;
    }
    c->is_crossing |= crosses(&snapshot->step_result.pairs[touch->pair]);
    if (touch->id <= w->last_touch) { return FR_OK; }
    fr_triangle_pair *triangles = fr__triangle_pair_array_push(&c->triangles, 1);
    if (triangles == NULL) { return fr__clash_no_memory(error); }
    *triangles = (fr_triangle_pair){touch->triangle_a, touch->triangle_b};
    return FR_OK;
}

// Counts the triangles that collide at the instant. Face pairs are sorted by objects, not by parts, so all are counted
// before any count is used.
static fr_status take_instant(motion_work *w, const fr_snapshot *snapshot, fr_error *error) {
    const fr__moving_parts *parts = &w->finder->parts;
    const fr__motion_record_array *records = &w->finder->records;
    w->counts.count = 0;
    size_t *counts = fr_size_array_push(&w->counts, records->count);
    if (counts == NULL) { return fr__clash_no_memory(error); }
    memset(counts, 0, records->count * sizeof *counts);
    for (size_t i = 0; i < snapshot->pair_count; i++) {
        const fr_face_pair *pair = &snapshot->pairs[i];
        fr_object_id owner_a = fr_space_object_at(w->space, pair->a), owner_b = fr_space_object_at(w->space, pair->b);
        uint32_t a = fr__moving_parts_of_triangle(parts, w->space, owner_a, pair->triangle_a);
        uint32_t b = fr__moving_parts_of_triangle(parts, w->space, owner_b, pair->triangle_b);
        size_t place = fr__motion_record_place(records, a, b);
        fr__motion_record *c = fr__motion_record_at(records, place, a, b);
        if (c == NULL) { continue; }
        counts[place]++;
        c->is_crossing |= (pair->flags & (FR_CONTACT_TOUCHING | FR_CONTACT_NEAR)) == 0;
    }
    fr__motion_record *list = records->data;
    for (size_t i = 0; i < records->count; i++) {
        take_between(w, &list[i]);
        if (counts[i] <= list[i].max_count) { continue; }
        list[i].max_count = counts[i];
        list[i].at = snapshot->time;
        pose_now(w, &list[i], list[i].poses);
    }
    return FR_OK;
}

// Between two contacts inside one step one part may be inside the other.
static fr_status fill_gaps(motion_work *w, fr__motion_record *c, fr_error *error) {
    for (size_t i = c->intervals.count; i-- > 1;) {
        const fr_clash_interval *times = c->intervals.data;
        double begin = times[i - 1].end, end = times[i].begin;
        if (begin < w->begin) { break; }
        fr_pose poses[2];
        bool is_inside = false;
        pose_between(w, c, (0.5 * (begin + end) - w->begin) / (w->end - w->begin), poses);
        fr_status status = fr__moving_parts_is_inside(&w->finder->parts, c->a, c->b, poses, &is_inside, error);
        if (status != FR_OK) { return status; }
        if (is_inside && !fr__intervals_add(&c->intervals, begin, end, 0.0)) { return fr__clash_no_memory(error); }
    }
    return FR_OK;
}

// Parts whose surfaces have just left one another may be inside one another from now on.
static fr_status take_inside(motion_work *w, const fr_snapshot *snapshot, uint64_t seen_before, fr_error *error) {
    fr__motion_record *list = w->finder->records.data;
    fr_status status = FR_OK;
    for (size_t i = 0; i < w->finder->records.count && status == FR_OK; i++) {
        fr__motion_record *c = &list[i];
        if (c->is_deforming) { continue; }
        status = fill_gaps(w, c, error);
        if (status != FR_OK) { return status; }
        const fr_clash_interval *times = c->intervals.data;
        bool met = c->intervals.count > 0 && times[c->intervals.count - 1].end >= w->begin;
        bool has_left = c->seen != snapshot->sequence && (c->seen == seen_before || (met && !c->is_inside));
        if (has_left) {
            fr_pose poses[2];
            pose_now(w, c, poses);
            status = fr__moving_parts_is_inside(&w->finder->parts, c->a, c->b, poses, &c->is_inside, error);
        }
        double since = met ? times[c->intervals.count - 1].end : w->begin;
        if (status == FR_OK && c->is_inside &&
            !fr__intervals_add(&c->intervals, since, w->end, 1e-6 * snapshot->step)) {
            return fr__clash_no_memory(error);
        }
    }
    return status;
}

static fr_status take_step(motion_work *w, const fr_snapshot *snapshot, fr_error *error) {
    w->end = snapshot->time;
    w->begin = snapshot->is_paused ? snapshot->time : (double)(snapshot->tick - 1) * snapshot->step;
    fr_status status = FR_OK;
    uint64_t last = w->last_touch;
    for (size_t i = 0; i < snapshot->face_touch_count && status == FR_OK; i++) {
        const fr_face_touch *touch = &snapshot->face_touches[i];
        status = take_touch(w, snapshot, touch, error);
        last = touch->id > last ? touch->id : last;
    }
    w->last_touch = last;
    if (status == FR_OK) { status = take_instant(w, snapshot, error); }
    if (status == FR_OK) { status = take_inside(w, snapshot, snapshot->sequence - 1, error); }
    w->out->until = snapshot->time;
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// All steps

// Parts that are inside one another from the beginning are so until their surfaces meet.
static fr_status begin_inside(uint32_t a, uint32_t b, void *context, fr_error *error) {
    motion_work *w = context;
    if (is_deformed(w, a) || is_deformed(w, b)) { return FR_OK; }
    fr__motion_record *c = fr__motion_record_open(&w->finder->records, a, b);
    if (c == NULL || !fr__intervals_add(&c->intervals, 0.0, 0.0, 0.0)) { return fr__clash_no_memory(error); }
    c->is_inside = true;
    c->first = c->at = 0.0;
    pose_now(w, c, c->poses);
    return FR_OK;
}

static fr_status take_all(motion_work *w, fr_error *error) {
    const fr_motion_clash_input *in = w->input;
    const fr_control stop_only = fr__stop_only(in->control);
    fr_tick_input input = fr_default_tick_input();
    input.tasks = in->tasks;
    input.control = &stop_only;
    input.exchange = in->exchange;
    input.is_paused = true;
    fr_status status = FR_OK;
    for (uint64_t k = 0; k <= w->steps && status == FR_OK && !w->out->is_partial; k++) {
        fr_control_progress(in->control, (double)k / (double)(w->steps + 1), "steps");
        status = fr_world_tick(in->world, &input, error);
        if (status != FR_OK) { return status; }
        const fr_snapshot *snapshot = fr_world_snapshot(in->world);
        w->out->is_partial = snapshot->is_partial;
        if (!snapshot->is_partial) { status = take_step(w, snapshot, error); }
        fr_snapshot_release(snapshot);
        // Ranks agree on a stop in the queries of a tick.
        w->out->is_partial |= in->exchange == NULL && k < w->steps && fr_control_is_stopped(&stop_only);
        input.is_paused = false;
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Depth and region

// Finds the clash of two parts at the poses that were chosen, and takes its kind, depth and region.
static fr_status examine(const motion_work *w, fr__motion_record *c, fr_error *error) {
    fr_clash_finder *finder = w->finder;
    const fr_control stop_only = fr__stop_only(w->input->control);
    const fr__clash_rules no_rules = {0};
    const fr__rest_query query = {.tolerance = w->input->tolerance, .rules = &no_rules, .control = &stop_only};
    fr_mesh *meshes[2];
    fr_clash_output found = {0};
    fr_status status = fr__moving_parts_place(&finder->parts, c->a, c->b, c->poses, meshes, error);
    fr__rest_clear(finder);
    const fr_pose here = fr_pose_identity(); // the meshes stand where they are
    for (int i = 0; i < 2 && status == FR_OK; i++) {
        status = fr__rest_add_part(finder, meshes[i], &here, error);
    }
    if (status == FR_OK) { status = fr__rest_find(finder, &query, &found, error); }
    if (status != FR_OK || found.count == 0) { return status; }
    c->kind = found.clashes[0].kind;
    c->depth = found.clashes[0].depth;
    bool is_known = c->kind == FR_CLASH_PIERCING || c->kind == FR_CLASH_PROTRUSION;
    if (c->is_crossing && !is_known) { c->kind = fr_is_unknown(c->depth) ? FR_CLASH_PIERCING : FR_CLASH_PROTRUSION; }
    if (c->is_crossing && c->depth <= query.tolerance) { c->kind = FR_CLASH_TOUCHING; }
    if (finder->lines.count == 0) { return FR_OK; } // equal parts that pass one place have no lines there
    fr__contact_lines *lines = finder->lines.data;
    c->lines = lines[0];
    lines[0] = fr__contact_lines_make(&finder->allocator);
    return FR_OK;
}

// A stopped examination leaves the clash without depth. Surfaces that only come near have the first point as region.
static fr_status describe(motion_work *w, fr__motion_record *c, fr_error *error) {
    fr__triangle_pairs_sort(&c->triangles);
    c->kind = c->is_crossing ? FR_CLASH_PIERCING : c->triangles.count == 0 ? FR_CLASH_ENCLOSED : FR_CLASH_TOUCHING;
    w->out->is_partial |= fr_control_is_stopped(w->input->control);
    fr_status status = FR_OK;
    if (!w->out->is_partial && !c->is_deforming) { status = examine(w, c, error); }
    if (status == FR_ERROR_STOPPED) {
        w->out->is_partial = true;
        status = FR_OK;
    }
    bool has_point = c->triangles.count > 0 && c->lines.lines.count == 0;
    if (status == FR_OK && has_point && !fr__contact_lines_add_point(&c->lines, c->point)) {
        status = fr__clash_no_memory(error);
    }
    return status;
}

static fr_status describe_all(motion_work *w, fr_error *error) {
    const fr_snapshot *newest = fr_world_snapshot(w->input->world);
    uint64_t sequence = newest != NULL ? newest->sequence - (newest->is_partial ? 1 : 0) : 0;
    fr_snapshot_release(newest);
    fr_clash_finder *finder = w->finder;
    size_t count = finder->records.count;
    fr__motion_record *list = finder->records.data;
    fr_motion_clash *clashes = fr__motion_clash_array_push(&finder->moving, count);
    if (clashes == NULL) { return fr__clash_no_memory(error); }
    for (size_t i = 0; i < count; i++) {
        fr_control_progress(w->input->control, (double)i / (double)count, "clashes");
        list[i].is_lasting = list[i].is_inside || list[i].seen == sequence;
        fr_status status = describe(w, &list[i], error);
        if (status != FR_OK) { return status; }
        clashes[i] = fr__motion_record_view(&list[i]);
    }
    w->out->clashes = clashes;
    w->out->count = count;
    w->out->parts = finder->parts.list.data;
    w->out->part_count = finder->parts.list.count;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// The query

void fr__motion_clear(fr_clash_finder *finder) {
    fr__motion_records_clear(&finder->records);
    fr__moving_parts_clear(&finder->parts);
    finder->moving.count = 0;
}

static fr_status check_input(const fr_motion_clash_input *input, fr_error *error) {
    if (input->cookie != MOTION_CLASH_INPUT_COOKIE) {
        return fr_error_set_cookie(error, "fr_default_motion_clash_input");
    }
    const fr_world *world = input->world;
    if (world == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "there is no world"); }
    if (world->sense != FR_SENSE_CONTINUOUS || world->want != FR_WANT_INTERVALS) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the world does not sense continuously with intervals");
    }
    if (input->joint_steps > MAX_JOINT_STEPS || (input->joint_steps > 0 && input->joint_steps < MIN_JOINT_STEPS)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a joint goes through its range in 3 to 1e6 steps");
    }
    if (world->sequence > 0) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the world was ticked before"); }
    return fr__clash_check_tolerance(input->tolerance, error);
}

// Adds a mover for the joints where they are to be driven.
static fr_status begin_drives(motion_work *w, fr_error *error) {
    fr__joint_drive_array *drives = &w->finder->drives;
    const fr_corrector mover = {"joints", fr__joint_drives_propose, drives};
    if (w->input->joint_steps == 0) { return FR_OK; }
    fr_status status = fr__joint_drives_list(w->input->world, w->input->joint_steps, drives, &w->steps, error);
    if (status != FR_OK) { return status; }
    w->out->drives = drives->data;
    w->out->drive_count = drives->count;
    status = fr_world_add_mover(w->input->world, &mover, NULL);
    return status == FR_OK ? FR_OK : fr_error_set(error, status, "%s", fr_status_text(status));
}

static fr_status find(motion_work *w, fr_error *error) {
    fr_world *world = w->input->world;
    const fr_corrector observer = {"motions", store_motions, w};
    fr_status status = fr_world_add_corrector(world, &observer, NULL);
    if (status != FR_OK) { return fr_error_set(error, status, "%s", fr_status_text(status)); }
    status = begin_drives(w, error);
    if (status != FR_OK) {
        (void)fr_world_remove_corrector(world, store_motions, w, NULL);
        return status;
    }
    status = fr__moving_parts_list(&w->finder->parts, w->space, error);
    if (status == FR_OK) { status = fr__moving_parts_find_inside(&w->finder->parts, begin_inside, w, error); }
    if (status == FR_OK) { status = take_all(w, error); }
    (void)fr_world_remove_corrector(world, store_motions, w, NULL);
    (void)fr_world_remove_corrector(world, fr__joint_drives_propose, &w->finder->drives, NULL);
    return status == FR_OK ? describe_all(w, error) : status;
}

fr_status fr_clash_find_motion(fr_clash_finder *finder, const fr_motion_clash_input *input,
                               fr_motion_clash_output *output, fr_error *error) {
    FR_ASSERT(finder != NULL && input != NULL && output != NULL);
    *output = (fr_motion_clash_output){0};
    fr_status status = check_input(input, error);
    if (status != FR_OK) { return status; }
    fr__motion_clear(finder);
    motion_work w = {
        .finder = finder, .input = input, .out = output, .space = fr_world_space(input->world), .steps = input->steps};
    w.counts = fr_size_array_make(&finder->allocator);
    w.motions = motion_array_make(&finder->allocator);
    bool has_room = motion_array_push(&w.motions, fr_space_object_places(w.space)) != NULL;
    status = has_room ? find(&w, error) : fr__clash_no_memory(error);
    fr_size_array_destroy(&w.counts);
    motion_array_destroy(&w.motions);
    if (status != FR_OK) { *output = (fr_motion_clash_output){0}; }
    return status;
}
