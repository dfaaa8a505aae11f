// A forecast: when objects that go on as they go now will touch. A meeting is looked for only when one of its two
// objects begins to move otherwise, or when the time that was looked at runs out: what moves evenly is left alone.
#include "actor/forecast.h"

#include "fureai/base_order.h"

#include <math.h>
#include <string.h>

#define FORECAST_COOKIE 0x464f5245u
#define LOOK_SHARE 1.25 // times the seconds that are watched: as far as a look reaches at least
#define LOOK_SPREAD 0.5 // and up to this much more, so that not all bodies are looked at in one tick
#define DRIFT 1e-6      // metres: an object that is no farther off goes on as it went
#define TURN_MIN 1e-6   // radians a second: what turns less has no sector

fr_forecast_def fr_default_forecast_def(void) {
    fr_forecast_def def;
    memset(&def, 0, sizeof def);
    def.seconds = 1.0;
    def.cookie = FORECAST_COOKIE;
    return def;
}

// ---------------------------------------------------------------------------------------------------------------
// How objects move

// The motion of an object in this tick, as the wishes of correctors so far have it. What hangs on a joint goes as the
// joint lets it, which the space knows.
static fr_motion motion_of(const fr_object_view *view, const fr_wish *wish, bool is_child) {
    fr_motion still = fr_motion_still(&view->pose);
    if (wish == NULL || is_child) { return view->is_moving && view->next_vertices == NULL ? view->motion : still; }
    if (wish->kind == FR_WISH_MOTION) { return wish->motion; }
    if (wish->kind == FR_WISH_JUMP) { return fr_motion_still(&wish->pose); }
    if (wish->kind == FR_WISH_STAY) { return still; }
    return fr_motion_between(&view->pose, &wish->pose, view->pivot_local);
}

// The same motion for another time.
static fr_motion stretch(const fr_motion *motion, double factor) {
    fr_motion out = *motion;
    out.travel = fr_vec3_scale(factor, motion->travel);
    out.turn = fr_vec3_scale(factor, motion->turn);
    return out;
}

static bool is_going(const fr_motion *motion) {
    return fr_vec3_largest(motion->travel) > 0.0 || fr_vec3_largest(motion->turn) > 0.0;
}

// How far the points of a body can be, within `seconds` from now on, from where its old motion takes them.
static double drift_of(const fr__forecast_body *b, double elapsed, double seconds) {
    fr_pose then = fr_motion_pose(&b->motion, elapsed);
    const fr_pose *pose = &b->now.start;
    fr_quat off = fr_quat_multiply(then.rotation, fr_quat_conjugate(pose->rotation));
    double turned = 2.0 * fr_vec3_length(fr_vec3_make(off.x, off.y, off.z));
    double speed = fr_vec3_distance(b->motion.travel, b->now.travel);
    double spin = fr_vec3_distance(b->motion.turn, b->now.turn);
    fr_vec3 pivot_then = fr_pose_apply(&then, b->motion.pivot_local);
    fr_vec3 pivot_now = fr_pose_apply(pose, b->now.pivot_local);
    return fr_vec3_distance(pivot_then, pivot_now) + b->reach * turned + seconds * (speed + b->reach * spin);
}

static bool goes_on(const fr__forecast_body *b, double time, double need) {
    if (!(b->since <= time && b->until >= time + need)) { return false; }
    if (b->now.start.scale != b->motion.start.scale) { return false; }
    if (!b->is_moving) { return memcmp(&b->now, &b->motion, sizeof b->now) == 0; }
    return fr_vec3_equal(b->now.pivot_local, b->motion.pivot_local) &&
           drift_of(b, time - b->since, b->until - time) <= DRIFT;
}

// The box of the parts in the object; of a deformed one a cube that holds it.
static fr_bounds local_box(const fr_space *space, fr_object_id id, const fr_object_view *view) {
    fr_bounds box = fr_bounds_empty(), world;
    if (view->vertices != NULL || view->bones != NULL) {
        if (fr_object_bounds(space, id, &world, NULL) != FR_OK) { return box; }
        fr_vec3 center = fr_vec3_scale(0.5, fr_vec3_add(world.min, world.max));
        double radius = 0.5 * fr_vec3_distance(world.min, world.max) / view->pose.scale;
        fr_pose inverse = fr_pose_inverse(&view->pose);
        box = fr_bounds_with_point(&box, fr_pose_apply(&inverse, center));
        return fr_bounds_grow(&box, radius * (1.0 + 1e-9));
    }
    for (uint32_t p = 0; p < view->part_count; p++) {
        fr_part_view part = fr_object_part(space, id, p);
        const fr_bounds *mesh = &fr_mesh_get(part.mesh)->bounds;
        for (int i = 0; i < 8; i++) {
            fr_vec3 corner = {i & 1 ? mesh->max.x : mesh->min.x, i & 2 ? mesh->max.y : mesh->min.y,
                              i & 4 ? mesh->max.z : mesh->min.z};
            box = fr_bounds_with_point(&box, fr_pose_apply(&part.pose, corner));
        }
    }
    double size = fmax(fr_vec3_largest(box.min), fr_vec3_largest(box.max));
    return fr_bounds_grow(&box, 1e-12 * size);
}

static void corners_of(const fr__forecast_body *b, fr_vec3 corners[8]) {
    for (int i = 0; i < 8; i++) {
        fr_vec3 corner = {i & 1 ? b->local.max.x : b->local.min.x, i & 2 ? b->local.max.y : b->local.min.y,
                          i & 4 ? b->local.max.z : b->local.min.z};
        corners[i] = fr_pose_apply(&b->now.start, corner);
    }
}

bool fr__forecast_sector(const fr__forecast_body *b, double seconds, fr_sector *out) {
    if (!(fr_vec3_length(b->now.turn) > TURN_MIN)) { return false; }
    fr_vec3 corners[8];
    corners_of(b, corners);
    const fr_convex body = {corners, 8, 0.0};
    const fr_motion motion = stretch(&b->now, seconds);
    return fr_sector_of_motion(&body, &motion, out, NULL) == FR_OK;
}

// Looks at a body from now on: where it will have been when its time has run out. That of what stands never does.
static void look_at(fr__forecast_body *b, double time, double seconds) {
    const fr_motion whole = stretch(&b->now, seconds);
    b->motion = b->now;
    b->since = time;
    b->until = b->is_moving ? time + seconds : INFINITY;
    b->is_looked_at = true;
    b->swept = fr_motion_box_bounds(&whole, &b->local, 0.0, 1.0);
    b->swept = fr_bounds_grow(&b->swept, 2.0 * DRIFT);
    b->has_sector = b->seconds > 0.0 && fr__forecast_sector(b, seconds, &b->sector);
    if (b->has_sector) {
        b->sector.inner = fmax(b->sector.inner - DRIFT, 0.0);
        b->sector.outer += DRIFT;
        b->sector.half_thickness += DRIFT;
    }
}

// How far ahead an object is watched; 0: it is not.
static double seconds_of(const fr_forecast *f, fr_object_id id) {
    if (f->objects.count == 0) { return f->seconds; }
    for (size_t i = 0; i < f->objects.count; i++) {
        if (fr_object_id_equal(f->objects.data[i].object, id)) { return f->objects.data[i].seconds; }
    }
    return 0.0;
}

static void update_body(fr_forecast *f, const fr_proposal *proposal, const fr_wishes *wishes, uint32_t place) {
    fr__forecast_body *b = &f->bodies.data[place];
    fr_object_id id = fr_space_object_at(proposal->space, place);
    const fr_object_view *view = fr_object_get(proposal->space, id);
    b->is_looked_at = b->is_moving = false;
    if (view == NULL || (view->flags & FR_OBJECT_GHOST) != 0) {
        memset(b, 0, sizeof *b);
        b->until = -INFINITY;
        return;
    }
    fr_versions versions = fr_object_versions(proposal->space, id);
    fr_motion step = motion_of(view, fr_wishes_find(wishes, id), f->children.data[place] != 0);
    bool is_same = fr_object_id_equal(b->id, id) && versions.shape == b->versions.shape &&
                   versions.vertices == b->versions.vertices && versions.filter == b->versions.filter;
    if (!is_same) {
        if (!fr_object_id_equal(b->id, id)) { b->seconds = seconds_of(f, id); }
        b->id = id;
        b->versions = versions;
        b->local = local_box(proposal->space, id, view);
        b->until = -INFINITY;
    }
    b->now = stretch(&step, 1.0 / proposal->step);
    b->is_moving = is_going(&step);
    if (b->seconds > 0.0) { *fr_uint32_array_push(&f->watched, 1) = place; }
    double need = proposal->step + f->seconds;
    if (is_same && goes_on(b, proposal->time, need)) { return; }
    fr_vec3 far = {fmax(fabs(b->local.min.x - step.pivot_local.x), fabs(b->local.max.x - step.pivot_local.x)),
                   fmax(fabs(b->local.min.y - step.pivot_local.y), fabs(b->local.max.y - step.pivot_local.y)),
                   fmax(fabs(b->local.min.z - step.pivot_local.z), fabs(b->local.max.z - step.pivot_local.z))};
    b->reach = step.start.scale * fr_vec3_length(far);
    double spread = LOOK_SPREAD * (double)((place * UINT32_C(2654435769)) >> 16) / 65536.0;
    look_at(b, proposal->time, proposal->step + (LOOK_SHARE + spread) * f->seconds);
}

static bool update_bodies(fr_forecast *f, const fr_proposal *proposal, const fr_wishes *wishes) {
    uint32_t places = fr_space_object_places(proposal->space);
    size_t known = f->bodies.count;
    f->watched.count = 0;
    if (!fr__forecast_body_array_reserve(&f->bodies, places) || !fr_uint32_array_reserve(&f->watched, places) ||
        !fr_byte_array_reserve(&f->children, places)) {
        return false;
    }
    f->bodies.count = f->children.count = places;
    for (size_t i = known; i < places; i++) {
        memset(&f->bodies.data[i], 0, sizeof f->bodies.data[i]);
        f->bodies.data[i].until = -INFINITY;
    }
    if (places > 0) { memset(f->children.data, 0, places); }
    for (uint32_t i = 0; i < fr_space_joint_places(proposal->space); i++) {
        const fr_joint *joint = fr_joint_get(proposal->space, fr_space_joint_at(proposal->space, i));
        if (joint != NULL && joint->child.index1 != 0) { f->children.data[joint->child.index1 - 1] = 1; }
    }
    for (uint32_t i = 0; i < places; i++) {
        update_body(f, proposal, wishes, i);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Meetings

static uint64_t key_of(uint32_t a, uint32_t b) { return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a; }

// Whether two bodies may come together in the time that both are looked at. A sector refuses more than boxes do.
static bool may_meet(const fr_space *space, const fr__forecast_body *a, const fr__forecast_body *b) {
    if ((!a->is_moving && !b->is_moving) || b->id.index1 == 0 || !fr_bounds_overlap(&a->swept, &b->swept)) {
        return false;
    }
    const fr_object_view *view_a = fr_object_get(space, a->id), *view_b = fr_object_get(space, b->id);
    if (!fr_filter_meets(&view_a->filter, &view_b->filter)) { return false; }
    if (a->has_sector && !fr_sector_overlap_bounds(&a->sector, &b->swept)) { return false; }
    return !b->has_sector || fr_sector_overlap_bounds(&b->sector, &a->swept);
}

static bool is_pair_before(const fr_object_pair *pair, uint64_t key) { return key_of(pair->a, pair->b) < key; }
FR_SEARCH_TYPE(search_pairs, fr_object_pair, uint64_t, is_pair_before);

// Whether two objects touch, or contain one another, as the tick before left them.
static bool is_touch_sensed(const fr_proposal *proposal, uint64_t key) {
    const fr_collide_output *sensed = proposal->pose_result;
    size_t at = search_pairs(sensed->object_pairs, sensed->object_pair_count, key);
    return at < sensed->object_pair_count && sensed->object_pairs[at].relation != FR_RELATION_NEAR &&
           key_of(sensed->object_pairs[at].a, sensed->object_pairs[at].b) == key;
}

// Looks for the meeting of two bodies, the first of which is watched, and lists it where there is one. False: no
// memory.
static bool meet(fr_forecast *f, const fr_proposal *proposal, uint32_t place_a, uint32_t place_b) {
    const fr__forecast_body *a = &f->bodies.data[place_a], *b = &f->bodies.data[place_b];
    if (!may_meet(proposal->space, a, b)) { return true; }
    double seconds = fmin(a->until, b->until) - proposal->time;
    fr_meet_input input = fr_default_meet_input();
    input.space = proposal->space;
    input.a = a->id;
    input.b = b->id;
    input.motion_a = stretch(&a->now, seconds);
    input.motion_b = stretch(&b->now, seconds);
    input.margin = 2.0 * DRIFT;
    fr_move_output output;
    memset(&output, 0, sizeof output);
    uint64_t key = key_of(place_a, place_b);
    if (!is_touch_sensed(proposal, key)) {
        // Motions beyond the limits of numbers have no forecast.
        if (fr__collide_meet(&input, &f->memory, &output, NULL) != FR_OK || !output.is_hit) { return true; }
    }
    fr__forecast_record *record = fr__forecast_record_array_push(&f->next, 1);
    if (record == NULL) { return false; }
    const fr_contact *first = &output.first;
    memset(record, 0, sizeof *record);
    record->key = key;
    record->is_touching = first->time == 0.0;
    record->hit = (fr_forecast_hit){.a = a->id,
                                    .b = b->id,
                                    .time = proposal->time + first->time * seconds,
                                    .speed = fmax(first->approach / seconds, 0.0),
                                    .point = first->point,
                                    .normal = first->normal};
    if (!isfinite(record->hit.speed)) { record->hit.speed = 0.0; }
    return true;
}

// Meetings that were known stay as they are while both bodies go on and the time has not come. What touches is looked
// at again until it is apart.
static bool retain_known(fr_forecast *f, const fr_proposal *proposal) {
    for (size_t i = 0; i < f->records.count; i++) {
        const fr__forecast_record *old = &f->records.data[i];
        uint32_t a = old->hit.a.index1 - 1, b = old->hit.b.index1 - 1;
        if (a >= f->bodies.count || b >= f->bodies.count) { continue; }
        const fr__forecast_body *one = &f->bodies.data[a], *other = &f->bodies.data[b];
        bool is_there = fr_object_id_equal(one->id, old->hit.a) && fr_object_id_equal(other->id, old->hit.b);
        if (!is_there || one->is_looked_at || other->is_looked_at) { continue; }
        if (old->is_touching || old->hit.time <= proposal->time) {
            if (!meet(f, proposal, a, b)) { return false; }
            continue;
        }
        fr__forecast_record *record = fr__forecast_record_array_push(&f->next, 1);
        if (record == NULL) { return false; }
        *record = *old;
    }
    return true;
}

// Looks for the meetings of a body that is looked at: with all where it is watched, else with what is watched. Each
// pair is looked at once.
static bool look_for(fr_forecast *f, const fr_proposal *proposal, uint32_t place) {
    const fr__forecast_body *b = &f->bodies.data[place];
    bool is_done = true;
    if (b->seconds > 0.0) {
        for (uint32_t i = 0; i < f->bodies.count && is_done; i++) {
            const fr__forecast_body *other = &f->bodies.data[i];
            bool is_twice = i < place && other->seconds > 0.0 && other->is_looked_at;
            if (i != place && !is_twice) { is_done = meet(f, proposal, place, i); }
        }
        return is_done;
    }
    for (size_t i = 0; i < f->watched.count && is_done; i++) {
        uint32_t watched = f->watched.data[i];
        if (!f->bodies.data[watched].is_looked_at) { is_done = meet(f, proposal, watched, place); }
    }
    return is_done;
}

// ---------------------------------------------------------------------------------------------------------------
// A tick

static bool is_before(const fr__forecast_record *a, const fr__forecast_record *b) { return a->key < b->key; }
FR_SORT_TYPE(sort_records, fr__forecast_record, is_before);

// A meeting that was to come before and still is was announced then; one after a touch is a new approach.
static void take_announced(fr_forecast *f) {
    size_t old = 0;
    for (size_t i = 0; i < f->next.count; i++) {
        fr__forecast_record *record = &f->next.data[i];
        while (old < f->records.count && f->records.data[old].key < record->key) {
            old++;
        }
        if (old == f->records.count || f->records.data[old].key != record->key) { continue; }
        const fr__forecast_record *before = &f->records.data[old];
        bool is_same =
            fr_object_id_equal(before->hit.a, record->hit.a) || fr_object_id_equal(before->hit.a, record->hit.b);
        if (is_same && !before->is_touching) { record->announced = before->announced; }
    }
}

static fr_status announce(fr_forecast *f, const fr_proposal *proposal, fr_wishes *wishes, fr__forecast_record *record,
                          fr_error *error) {
    const fr__forecast_body *a = &f->bodies.data[record->hit.a.index1 - 1];
    const fr__forecast_body *b = &f->bodies.data[record->hit.b.index1 - 1];
    double left = record->hit.time - (proposal->time + proposal->step);
    // An announcement counts when its tick was taken.
    bool is_announced = record->announced != 0 && record->announced <= proposal->tick;
    if (record->is_touching || is_announced || left > fmax(a->seconds, b->seconds)) { return FR_OK; }
    fr_event event = {.kind = FR_EVENT_NAMED, .a = record->hit.a, .b = record->hit.b};
    event.value = fmax(left, 0.0);
    event.second = fr_vec3_length(a->now.turn) * event.value;
    event.speed = record->hit.speed;
    event.point = record->hit.point;
    memcpy(event.name, FR_FORECAST_HIT, sizeof FR_FORECAST_HIT);
    record->announced = proposal->tick + 1;
    return fr_wishes_add_event(wishes, &event, error);
}

// What callers read: meetings that were announced and are to come.
static bool list_hits(fr_forecast *f) {
    f->hits.count = 0;
    if (!fr__forecast_hit_array_reserve(&f->hits, f->next.count)) { return false; }
    for (size_t i = 0; i < f->next.count; i++) {
        const fr__forecast_record *record = &f->next.data[i];
        if (record->announced != 0 && !record->is_touching) { f->hits.data[f->hits.count++] = record->hit; }
    }
    return true;
}

static fr_status foresee(fr_forecast *f, const fr_proposal *proposal, fr_wishes *wishes, fr_error *error) {
    bool is_done = update_bodies(f, proposal, wishes) && retain_known(f, proposal);
    for (uint32_t i = 0; i < f->bodies.count && is_done; i++) {
        if (f->bodies.data[i].is_looked_at) { is_done = look_for(f, proposal, i); }
    }
    if (!is_done) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a forecast"); }
    sort_records(f->next.data, f->next.count);
    take_announced(f);
    for (size_t i = 0; i < f->next.count; i++) {
        fr_status status = announce(f, proposal, wishes, &f->next.data[i], error);
        if (status != FR_OK) { return status; }
    }
    return list_hits(f) ? FR_OK : fr_error_set(error, FR_ERROR_MEMORY, "no memory for a forecast");
}

// A corrector: it sees the motions of this tick. While time stands still nothing goes on, and nothing is forgotten.
static fr_status correct(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    fr_forecast *f = user;
    if (proposal->is_paused) { return FR_OK; }
    f->next.count = 0;
    fr_status status = foresee(f, proposal, wishes, error);
    if (status != FR_OK) {
        for (size_t i = 0; i < f->bodies.count; i++) {
            f->bodies.data[i].until = -INFINITY; // it is looked at again; what was known stays
        }
        return status;
    }
    fr__forecast_record_array swap = f->records;
    f->records = f->next;
    f->next = swap;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Making

static fr_status begin(void *user, fr_error *error) {
    fr_forecast *f = user;
    (void)error;
    f->bodies.count = f->records.count = f->hits.count = 0;
    return FR_OK;
}

static bool is_time(double seconds) { return seconds > 0.0 && seconds <= FR_FORECAST_SECONDS_MAX; }

static fr_status check_def(const fr_forecast_def *def, fr_error *error) {
    if (def->cookie != FORECAST_COOKIE) { return fr_error_set_cookie(error, "fr_default_forecast_def"); }
    if (def->world == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "a forecast needs a world"); }
    bool is_right = def->object_count > 0 || is_time(def->seconds);
    for (uint32_t i = 0; i < def->object_count; i++) {
        is_right = is_right && is_time(def->objects[i].seconds);
        if (!fr_object_exists(fr_world_space(def->world), def->objects[i].object)) {
            return fr_error_set(error, FR_ERROR_STALE_ID, "there is no object %u to watch", i);
        }
    }
    if (is_right) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "the time ahead is not above 0 and at most %g s",
                        FR_FORECAST_SECONDS_MAX);
}

fr_status fr_forecast_create(const fr_forecast_def *def, fr_forecast **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    fr_status status = check_def(def, error);
    if (status != FR_OK) { return status; }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_forecast *f = fr_allocate(&allocator, 1, sizeof *f, _Alignof(fr_forecast));
    if (f == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a forecast"); }
    *f = (fr_forecast){.allocator = allocator, .world = def->world, .seconds = def->seconds};
    f->objects = fr__forecast_object_array_make(&allocator);
    f->bodies = fr__forecast_body_array_make(&allocator);
    f->watched = fr_uint32_array_make(&allocator);
    f->children = fr_byte_array_make(&allocator);
    f->records = fr__forecast_record_array_make(&allocator);
    f->next = fr__forecast_record_array_make(&allocator);
    f->hits = fr__forecast_hit_array_make(&allocator);
    if (def->object_count > 0) {
        fr_forecast_object *objects = fr__forecast_object_array_push(&f->objects, def->object_count);
        if (objects == NULL) {
            fr_forecast_destroy(f);
            return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a forecast");
        }
        f->seconds = 0.0;
        for (uint32_t i = 0; i < def->object_count; i++) {
            objects[i] = def->objects[i];
            f->seconds = fmax(f->seconds, objects[i].seconds);
        }
    }
    *out = f;
    return FR_OK;
}

void fr_forecast_destroy(fr_forecast *f) {
    if (f == NULL) { return; }
    fr__forecast_object_array_destroy(&f->objects);
    fr__forecast_body_array_destroy(&f->bodies);
    fr_uint32_array_destroy(&f->watched);
    fr_byte_array_destroy(&f->children);
    fr__forecast_record_array_destroy(&f->records);
    fr__forecast_record_array_destroy(&f->next);
    fr__forecast_hit_array_destroy(&f->hits);
    fr_allocator allocator = f->allocator;
    fr_deallocate(&allocator, f, 1, sizeof *f);
}

static void leave(void *user) { fr_forecast_destroy(user); }

fr_actor fr_forecast_actor(fr_forecast *forecast) {
    FR_ASSERT(forecast != NULL);
    return (fr_actor){.name = FR_FORECAST_NAME,
                      .correct = correct,
                      .begin = begin,
                      .paint = fr__forecast_paint,
                      .leave = leave,
                      .user = forecast};
}

fr_forecast_view fr_forecast_get(const fr_forecast *forecast) {
    FR_ASSERT(forecast != NULL);
    return (fr_forecast_view){forecast->hits.data, (uint32_t)forecast->hits.count};
}
