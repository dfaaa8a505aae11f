// A clash gathers the contacts of its faces step by step: when, which triangles, where first, and the poses at which
// most of them collide. In the end depth and region are measured there, as of a clash of parts that stand still.
#include "clash_motion.h"

#include <stdlib.h>
#include <string.h>

// What is needed on the way.
typedef struct work {
    motion_clashes *out;
    fr_world *world;
    const fr_space *space;
    fr_motion *motions;  // of each object in the step that is taken
    uint64_t last_touch; // the highest id of a face touch that was seen
    double begin, end;   // of the step, seconds
} work;

static fr_status no_memory(fr_error *error) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for clashes"); }

static motion_clash *clashes_of(const motion_clashes *clashes) { return clashes->list.data; }

// ---------------------------------------------------------------------------------------------------------------
// The list

// Where the clash of two parts is, or would be.
static size_t find_place(const motion_clashes *clashes, uint32_t a, uint32_t b) {
    const motion_clash *list = clashes->list.data;
    size_t low = 0, high = clashes->list.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        bool is_before = list[middle].a != a ? list[middle].a < a : list[middle].b < b;
        if (is_before) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// The clash of two parts, made when it is new; NULL without memory.
static motion_clash *open_clash(motion_clashes *clashes, uint32_t a, uint32_t b) {
    size_t at = find_place(clashes, a, b);
    motion_clash *list = clashes->list.data;
    if (at < clashes->list.count && list[at].a == a && list[at].b == b) { return &list[at]; }
    if (fr_array_push(&clashes->list, 1) == NULL) { return NULL; }
    list = clashes->list.data;
    memmove(&list[at + 1], &list[at], (clashes->list.count - 1 - at) * sizeof *list);
    list[at] = (motion_clash){.a = a, .b = b, .first = (double)INFINITY, .depth = FR_UNKNOWN};
    list[at].times = fr_array_make(sizeof(clash_time), NULL);
    list[at].triangles = fr_array_make(sizeof(clash_triangles), NULL);
    list[at].point = list[at].normal = fr_vec3_make(FR_UNKNOWN, FR_UNKNOWN, FR_UNKNOWN);
    return &list[at];
}

// Whether the object of a part has vertices other than its mesh's.
static bool is_deformed(const fr_space *space, const clash_parts *parts, uint32_t part) {
    return fr_object_get(space, clash_parts_at(parts, part)->owner)->vertices != NULL;
}

// Adds a time; those that it meets become one with it. Times come step by step: what it meets is at the end.
static bool add_time(fr_array *times, double begin, double end, double gap) {
    clash_time *list = times->data;
    size_t first = times->count;
    while (first > 0 && list[first - 1].end + gap >= begin) {
        first--;
    }
    size_t past = first;
    while (past < times->count && list[past].begin <= end + gap) {
        begin = list[past].begin < begin ? list[past].begin : begin;
        end = list[past].end > end ? list[past].end : end;
        past++;
    }
    if (past == first) {
        if (fr_array_push(times, 1) == NULL) { return false; }
        list = times->data;
        memmove(&list[first + 1], &list[first], (times->count - 1 - first) * sizeof *list);
    } else {
        memmove(&list[first + 1], &list[past], (times->count - past) * sizeof *list);
        times->count -= past - first - 1;
    }
    list[first] = (clash_time){begin, end};
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// One step

// Keeps what every object does in the step, for poses between two instants. Wishes nothing.
static fr_status keep_motions(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    (void)wishes, (void)error;
    work *w = user;
    for (uint32_t i = 0; i < fr_space_object_places(proposal->space); i++) {
        const fr_object_view *view = fr_object_get(proposal->space, fr_space_object_at(proposal->space, i));
        w->motions[i] = view->moving ? view->motion : fr_motion_still(&view->pose);
    }
    return FR_OK;
}

static fr_object_id owner_of(const work *w, uint32_t part) { return clash_parts_at(&w->out->parts, part)->owner; }

// Where two parts' owners are at a part of the step, and where they are now that it was taken.
static void pose_between(const work *w, const motion_clash *c, double fraction, fr_pose out[2]) {
    out[0] = fr_motion_pose(&w->motions[owner_of(w, c->a).index1 - 1], fraction);
    out[1] = fr_motion_pose(&w->motions[owner_of(w, c->b).index1 - 1], fraction);
}

static void pose_now(const work *w, const motion_clash *c, fr_pose out[2]) {
    out[0] = fr_object_get(w->space, owner_of(w, c->a))->pose;
    out[1] = fr_object_get(w->space, owner_of(w, c->b))->pose;
}

// A time between two instants is looked at only where no instant has anything.
static void look_between(const work *w, motion_clash *c) {
    const clash_time *last = (const clash_time *)c->times.data + (c->times.count - 1);
    if (c->most > 0 || last->end <= w->begin || w->end <= w->begin) { return; }
    double begin = last->begin > w->begin ? last->begin : w->begin;
    if (last->end - begin < c->longest) { return; }
    c->longest = last->end - begin;
    c->at = 0.5 * (begin + last->end);
    pose_between(w, c, (c->at - w->begin) / (w->end - w->begin), c->poses);
}

// The faces cross for sure: not only near one another, and not only touching as the step begins.
static bool is_crossing(const fr_face_pair *pair) {
    bool only_touches = (pair->flags & FR_CONTACT_START) != 0 && (pair->flags & FR_CONTACT_TOUCHING) != 0;
    return (pair->flags & FR_CONTACT_NEAR) == 0 && !only_touches;
}

static fr_status take_touch(work *w, const fr_snapshot *snapshot, const fr_face_touch *touch, fr_error *error) {
    // One that ended as the step began was taken before, and the faces of one object do not clash.
    if (touch->pair == FR_NONE || fr_object_id_equal(touch->a, touch->b)) { return FR_OK; }
    const clash_parts *parts = &w->out->parts;
    uint32_t a = clash_parts_of_triangle(parts, w->space, touch->a, touch->triangle_a);
    uint32_t b = clash_parts_of_triangle(parts, w->space, touch->b, touch->triangle_b);
    motion_clash *c = open_clash(w->out, a, b);
    if (c == NULL) { return no_memory(error); }
    if (c->times.count == 0) {
        c->at = w->end;
        pose_now(w, c, c->poses);
    }

    c->deforms |= is_deformed(w->space, parts, a) || is_deformed(w->space, parts, b);
    double begin = touch->begin > w->begin ? touch->begin : w->begin;
    double end = fr_is_unknown(touch->end) ? w->end : touch->end;
    if (c->is_inside && begin > w->begin && !add_time(&c->times, w->begin, begin, 0.0)) { return no_memory(error); }
    c->is_inside = false;
    if (!add_time(&c->times, begin, end, 1e-6 * snapshot->step)) { return no_memory(error); }
    if (fr_is_unknown(touch->end)) { c->seen = snapshot->sequence; }
    if (touch->begin < c->first) {
        const fr_contact *contact = &snapshot->over.contacts[touch->pair];
        c->first = touch->begin;
        c->point = contact->point;
        c->normal = contact->normal;
    }
    c->crosses |= is_crossing(&snapshot->over.pairs[touch->pair]);
    if (touch->id <= w->last_touch) { return FR_OK; }
    clash_triangles *triangles = fr_array_push(&c->triangles, 1);
    if (triangles == NULL) { return no_memory(error); }
    *triangles = (clash_triangles){touch->triangle_a, touch->triangle_b};
    return FR_OK;
}

// Those that collide at the instant, counted by parts: pairs are sorted by objects, not by parts, so each count is kept
// in its clash until all are counted.
static fr_status take_instant(work *w, const fr_snapshot *snapshot, fr_error *error) {
    const clash_parts *parts = &w->out->parts;
    motion_clash *list = clashes_of(w->out);
    size_t *counts = calloc(w->out->list.count + 1, sizeof *counts);
    if (counts == NULL) { return no_memory(error); }
    for (size_t i = 0; i < snapshot->pair_count; i++) {
        const fr_face_pair *pair = &snapshot->pairs[i];
        fr_object_id owner_a = fr_space_object_at(w->space, pair->a), owner_b = fr_space_object_at(w->space, pair->b);
        uint32_t a = clash_parts_of_triangle(parts, w->space, owner_a, pair->triangle_a);
        uint32_t b = clash_parts_of_triangle(parts, w->space, owner_b, pair->triangle_b);
        size_t at = find_place(w->out, a, b);
        if (at == w->out->list.count || list[at].a != a || list[at].b != b) { continue; }
        counts[at]++;
        list[at].crosses |= (pair->flags & (FR_CONTACT_TOUCHING | FR_CONTACT_NEAR)) == 0;
    }
    for (size_t i = 0; i < w->out->list.count; i++) {
        look_between(w, &list[i]);
        if (counts[i] <= list[i].most) { continue; }
        list[i].most = counts[i];
        list[i].at = snapshot->time;
        pose_now(w, &list[i], list[i].poses);
    }
    free(counts);
    return FR_OK;
}

// Between two contacts inside one step one part may be inside the other.
static fr_status fill_gaps(work *w, motion_clash *c, fr_error *error) {
    for (size_t i = c->times.count; i-- > 1;) {
        const clash_time *times = c->times.data;
        double begin = times[i - 1].end, end = times[i].begin;
        if (begin < w->begin) { break; }
        fr_pose poses[2];
        bool is_inside = false;
        pose_between(w, c, (0.5 * (begin + end) - w->begin) / (w->end - w->begin), poses);
        fr_status status = clash_parts_is_inside(&w->out->parts, c->a, c->b, poses, &is_inside, error);
        if (status != FR_OK) { return status; }
        if (is_inside && !add_time(&c->times, begin, end, 0.0)) { return no_memory(error); }
    }
    return FR_OK;
}

// Parts whose surfaces have just left one another may be inside one another from now on.
static fr_status take_inside(work *w, const fr_snapshot *snapshot, uint64_t seen_before, fr_error *error) {
    motion_clash *list = clashes_of(w->out);
    fr_status status = FR_OK;
    for (size_t i = 0; i < w->out->list.count && status == FR_OK; i++) {
        motion_clash *c = &list[i];
        if (c->deforms) { continue; }
        status = fill_gaps(w, c, error);
        if (status != FR_OK) { return status; }
        const clash_time *times = c->times.data;
        bool met = c->times.count > 0 && times[c->times.count - 1].end >= w->begin;
        bool has_left = c->seen != snapshot->sequence && (c->seen == seen_before || (met && !c->is_inside));
        if (has_left) {
            fr_pose poses[2];
            pose_now(w, c, poses);
            status = clash_parts_is_inside(&w->out->parts, c->a, c->b, poses, &c->is_inside, error);
        }
        double since = met ? times[c->times.count - 1].end : w->begin;
        if (status == FR_OK && c->is_inside && !add_time(&c->times, since, w->end, 1e-6 * snapshot->step)) {
            return no_memory(error);
        }
    }
    return status;
}

static fr_status take_step(work *w, const fr_snapshot *snapshot, fr_error *error) {
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

// Inside from the beginning: until their surfaces meet.
static fr_status begin_inside(uint32_t a, uint32_t b, void *context, fr_error *error) {
    work *w = context;
    if (is_deformed(w->space, &w->out->parts, a) || is_deformed(w->space, &w->out->parts, b)) { return FR_OK; }
    motion_clash *c = open_clash(w->out, a, b);
    if (c == NULL || !add_time(&c->times, 0.0, 0.0, 0.0)) { return no_memory(error); }
    c->is_inside = true;
    c->first = c->at = 0.0;
    pose_now(w, c, c->poses);
    return FR_OK;
}

static fr_status take_all(tool *t, work *w, uint64_t steps, fr_error *error) {
    fr_tasks tasks;
    fr_status status = tool_tasks(t, &tasks, error);
    const fr_control control = {.stop = t->control.stop, .user = t->control.user};
    fr_tick_input input = fr_default_tick_input();
    input.tasks = &tasks;
    input.control = &control;
    input.is_paused = true;
    for (uint64_t k = 0; k <= steps && status == FR_OK && !w->out->is_partial; k++) {
        fr_control_progress(&t->control, (double)k / (double)(steps + 1), "steps");
        status = fr_world_tick(w->world, &input, error);
        if (status != FR_OK) { return status; }
        const fr_snapshot *snapshot = fr_world_snapshot(w->world);
        w->out->is_partial = snapshot->is_partial;
        if (!snapshot->is_partial) { status = take_step(w, snapshot, error); }
        fr_snapshot_release(snapshot);
        w->out->is_partial |= k < steps && fr_control_stop(&control);
        input.is_paused = false;
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// What it comes to

static int compare_triangles(const void *x, const void *y) {
    const clash_triangles *left = x, *right = y;
    if (left->a != right->a) { return left->a < right->a ? -1 : 1; }
    return (left->b > right->b) - (left->b < right->b);
}

static void sort_triangles(fr_array *triangles) {
    clash_triangles *list = triangles->data;
    size_t kept = 0;
    if (triangles->count > 1) { qsort(list, triangles->count, sizeof *list, compare_triangles); }
    for (size_t i = 0; i < triangles->count; i++) {
        if (kept == 0 || compare_triangles(&list[kept - 1], &list[i]) != 0) { list[kept++] = list[i]; }
    }
    triangles->count = kept;
}

// Where they only come near there is the first point.
static fr_status point_region(motion_clash *c) {
    c->region = (contact_region){fr_array_make(sizeof(fr_vec3), NULL), fr_array_make(sizeof(contact_line), NULL)};
    if (c->triangles.count == 0) { return FR_OK; }
    fr_vec3 *point = fr_array_push(&c->region.points, 1);
    contact_line *line = point != NULL ? fr_array_push(&c->region.lines, 1) : NULL;
    if (line == NULL) { return FR_ERROR_MEMORY; }
    *point = c->point;
    *line = (contact_line){0, 1};
    return FR_OK;
}

// Takes kind, depth and region of the clash at the time that was looked at.
static void take_clash(motion_clash *c, clash *found, double tolerance) {
    c->kind = c->crosses ? CLASH_PENETRATING : found->kind;
    c->depth = found->depth;
    if (c->kind == CLASH_PENETRATING && c->depth <= tolerance) { c->kind = CLASH_TOUCHING; }
    c->region = found->region;
    found->region = (contact_region){0};
}

static fr_status describe(motion_clashes *clashes, motion_clash *c, double tolerance, bool is_stopped,
                          fr_error *error) {
    sort_triangles(&c->triangles);
    c->kind = c->crosses ? CLASH_PENETRATING : c->triangles.count == 0 ? CLASH_CONTAINED : CLASH_TOUCHING;
    clash_list found = {0};
    fr_status status = FR_OK;
    if (!is_stopped && !c->deforms) {
        status = clash_parts_examine(&clashes->parts, c->a, c->b, c->poses, tolerance, &found, error);
    }
    if (status == FR_OK && found.count > 0) { take_clash(c, &found.clashes[0], tolerance); }
    if (status == FR_OK && c->region.lines.count == 0 && point_region(c) != FR_OK) { status = no_memory(error); }
    clash_release(&found);
    return status;
}

// Whoever stops it here gets the clashes without depth.
static fr_status describe_all(tool *t, motion_clashes *clashes, uint64_t sequence, double tolerance, fr_error *error) {
    motion_clash *list = clashes_of(clashes);
    fr_status status = FR_OK;
    for (size_t i = 0; i < clashes->list.count && status == FR_OK; i++) {
        bool is_stopped = fr_control_stop(&t->control);
        clashes->is_partial |= is_stopped;
        fr_control_progress(&t->control, (double)i / (double)clashes->list.count, "clashes");
        list[i].lasts = list[i].is_inside || list[i].seen == sequence;
        status = describe(clashes, &list[i], tolerance, is_stopped, error);
        if (status == FR_ERROR_STOPPED) { status = describe(clashes, &list[i], tolerance, true, error); }
    }
    return status;
}

fr_status motion_clashes_find(tool *t, scene_world *scene, uint64_t steps, double tolerance, motion_clashes *out,
                              fr_error *error) {
    *out = (motion_clashes){.list = fr_array_make(sizeof(motion_clash), NULL)};
    work w = {.out = out, .world = scene->world, .space = fr_world_space(scene->world)};
    w.motions = calloc((size_t)fr_space_object_places(w.space) + 1, sizeof *w.motions);
    if (w.motions == NULL) { return no_memory(error); }
    const fr_corrector keeper = {"motions", keep_motions, &w};
    fr_status status = fr_world_add_corrector(scene->world, &keeper);
    if (status == FR_OK) { status = clash_parts_make(scene->world, w.space, &out->parts, error); }
    if (status == FR_OK) { status = clash_parts_find_inside(&out->parts, begin_inside, &w, error); }
    if (status == FR_OK) { status = take_all(t, &w, steps, error); }
    fr_world_remove_corrector(scene->world, keep_motions, &w);
    free(w.motions);
    const fr_snapshot *newest = fr_world_snapshot(scene->world);
    uint64_t sequence = newest != NULL ? newest->sequence - (newest->is_partial ? 1 : 0) : 0;
    fr_snapshot_release(newest);
    return status == FR_OK ? describe_all(t, out, sequence, tolerance, error) : status;
}

void motion_clashes_release(motion_clashes *clashes) {
    motion_clash *list = clashes_of(clashes);
    for (size_t i = 0; i < clashes->list.count; i++) {
        fr_array_free(&list[i].times);
        fr_array_free(&list[i].triangles);
        contact_region_free(&list[i].region);
    }
    fr_array_free(&clashes->list);
    clash_parts_release(&clashes->parts);
}
