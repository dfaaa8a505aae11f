// A seeker: an object that looks for another one by radar, goes there and touches it. Each of its motions is proven
// free against all that moves in the same tick.
#include "actor/seeker.h"

#include <math.h>
#include <string.h>

#define SEEKER_COOKIE 0x5345454bu
#define NEARNESS 1e-7 // metres that are left when it touches: well within what a world senses
#define PATIENCE 0.5  // seconds that it waits for what is in its path before it searches again
#define TENACITY 10.0 // seconds that it searches again and again for a path while other objects move

fr_seeker_def fr_default_seeker_def(void) {
    fr_seeker_def def;
    memset(&def, 0, sizeof def);
    def.speed = 1.0;
    def.range = 12.0;
    def.bounds = fr_bounds_empty();
    def.looks = 32;
    def.seed = 1;
    def.cookie = SEEKER_COOKIE;
    return def;
}

// ---------------------------------------------------------------------------------------------------------------
// Events

// What is reported is reported again where the tick that took it did not come to its end.
static fr_status report(fr_seeker *s, const fr_proposal *proposal, fr_wishes *wishes, fr_error *error) {
    if (s->last == NULL || (s->reported != 0 && s->reported <= proposal->tick)) { return FR_OK; }
    fr_event event = {.kind = FR_EVENT_NAMED, .a = s->def.object, .value = s->last_value, .second = s->last_second};
    if (fr_object_exists(proposal->space, s->def.target)) { event.b = s->def.target; }
    memcpy(event.name, s->last, strlen(s->last) + 1);
    s->reported = proposal->tick + 1;
    return fr_wishes_add_event(wishes, &event, error);
}

// An event that is to be reported from now on.
static void set_event(fr_seeker *s, const char *name, double value, double second) {
    s->last = name;
    s->last_value = value;
    s->last_second = second;
    s->reported = 0;
}

static void end(fr_seeker *s, fr_seeker_phase phase, const char *name, const fr_proposal *proposal, double second) {
    s->phase = phase;
    s->version++;
    set_event(s, name, proposal->time + proposal->step - s->began, second);
}

// ---------------------------------------------------------------------------------------------------------------
// Going

// What the body would touch on a straight motion in this tick, in which all others move too.
static fr_status check_motion(const fr_seeker *s, const fr_space *space, const fr_motion *motion, fr_move_output *out,
                              fr_error *error) {
    fr_query_filter filter = fr_default_query_filter();
    filter.as_object = s->def.object;
    fr_move_input input = fr_default_move_input();
    input.space = space;
    input.parts = s->body.parts;
    input.part_count = s->body.part_count;
    input.motion = *motion;
    input.may_others_move = true;
    input.tolerance = NEARNESS;
    input.filter = &filter;
    return fr_collide_move(&input, out, error);
}

static fr_vec3 next_place(const fr_seeker *s, const fr_object_view *target) {
    if (s->path_count > 0) { return s->nodes[s->path[s->path_count - 1]].place; }
    return fr__seeker_aim(s, target);
}

// Goes straight to the target as soon as nothing else is between.
static fr_status shorten_path(fr_seeker *s, const fr_space *space, const fr_object_view *target, fr_vec3 from,
                              fr_error *error) {
    bool is_free;
    fr_status status = fr__seeker_sees_target(s, space, from, fr__seeker_aim(s, target), &is_free, error);
    if (status != FR_OK) { return status; }
    if (is_free && s->path_count > 0) {
        s->path_count = 0;
        s->version++;
    }
    if (!is_free && s->path_count == 0) { s->waited = INFINITY; } // something came between: it searches again
    return FR_OK;
}

static fr_status go(fr_seeker *s, const fr_proposal *proposal, const fr_object_view *view, const fr_object_view *target,
                    fr_wishes *wishes, fr_error *error) {
    fr_status status = shorten_path(s, proposal->space, target, view->pose.position, error);
    if (status != FR_OK) { return status; }
    fr_vec3 travel = fr_vec3_sub(next_place(s, target), view->pose.position);
    double length = fr_vec3_length(travel), step = s->def.speed * proposal->step;
    fr_motion motion = fr_motion_still(&view->pose);
    if (length > 0.0) { motion.travel = fr_vec3_scale(fmin(step, length) / length, travel); }
    fr_move_output met;
    status = check_motion(s, proposal->space, &motion, &met, error);
    if (status != FR_OK) { return status; }
    bool is_touched = met.is_hit && fr_object_id_equal(met.first.b, s->def.target);
    if (met.is_hit && !is_touched) {
        s->waited += proposal->step;
    } else {
        fr_wish wish = {.object = s->def.object, .kind = FR_WISH_NEXT, .pose = view->pose};
        fr_vec3 gone = fr_vec3_scale(met.is_hit ? met.free_time : 1.0, motion.travel);
        wish.pose.position = fr_vec3_add(view->pose.position, gone);
        s->went += fr_vec3_length(gone);
        s->waited = 0.0;
        if (!is_touched && length <= step && s->path_count > 0) { s->path_count--; }
        status = fr_wishes_add(wishes, &wish, error);
        if (is_touched) {
            s->touched_at = target->pose.position;
            end(s, FR_SEEKER_TOUCHING, FR_SEEKER_TOUCHED, proposal, s->went);
        }
    }
    if (s->waited > PATIENCE) {
        fr__seeker_plant(s, view->pose.position);
        s->phase = FR_SEEKER_SEARCHING;
    }
    return status;
}

static bool do_others_move(const fr_seeker *s, const fr_space *space) {
    uint32_t places = fr_space_object_places(space);
    for (uint32_t i = 0; i < places; i++) {
        fr_object_id id = fr_space_object_at(space, i);
        const fr_object_view *view = fr_object_get(space, id);
        if (view != NULL && view->is_moving && !fr_object_id_equal(id, s->def.object)) { return true; }
    }
    return false;
}

// The tree cannot grow: what moves may leave a path later; what stands does not.
static void fail_to_grow(fr_seeker *s, const fr_proposal *proposal) {
    if (s->searched < TENACITY && do_others_move(s, proposal->space)) {
        fr__seeker_plant(s, s->nodes[0].place);
        return;
    }
    end(s, FR_SEEKER_STUCK, FR_SEEKER_UNREACHABLE, proposal, s->is_seen ? 1.0 : 0.0);
}

static fr_status search(fr_seeker *s, const fr_proposal *proposal, const fr_object_view *target, fr_error *error) {
    fr__seeker_step step;
    bool was_seen = s->is_seen;
    fr_status status = fr__seeker_search(s, proposal->space, target, s->def.looks, &step, error);
    if (status != FR_OK) { return status; }
    if (!was_seen && s->is_seen) {
        fr_vec3 place = fr_pose_apply(&target->pose, s->seen_at);
        set_event(s, FR_SEEKER_FOUND, fr_vec3_distance(s->nodes[0].place, place), (double)s->looks);
    }
    s->searched = step == FR__SEEKER_HAS_PATH ? 0.0 : s->searched + proposal->step;
    if (step == FR__SEEKER_HAS_PATH) { s->phase = FR_SEEKER_GOING; }
    if (step == FR__SEEKER_IS_FULL) { fail_to_grow(s, proposal); }
    return FR_OK;
}

// A target that was touched and has gone elsewhere is sought again.
static void seek_again(fr_seeker *s, const fr_object_view *view, const fr_object_view *target) {
    if (!(fr_vec3_distance(target->pose.position, s->touched_at) > s->radius)) { return; }
    s->is_seen = false;
    s->searched = 0.0;
    s->phase = FR_SEEKER_SEARCHING;
    fr__seeker_plant(s, view->pose.position);
}

// A corrector: it sees what moves in this tick.
static fr_status correct(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    fr_seeker *s = user;
    const fr_object_view *view = fr_object_get(proposal->space, s->def.object);
    if (view == NULL || proposal->is_paused) { return FR_OK; }
    const fr_object_view *target = fr_object_get(proposal->space, s->def.target);
    if (target != NULL && s->phase == FR_SEEKER_TOUCHING) { seek_again(s, view, target); }
    bool is_active = s->phase == FR_SEEKER_SEARCHING || s->phase == FR_SEEKER_GOING;
    if (s->began < 0.0) { s->began = proposal->time; }
    if (target == NULL && is_active) { end(s, FR_SEEKER_LOST, FR_SEEKER_GONE, proposal, s->is_seen ? 1.0 : 0.0); }
    fr_status status = FR_OK;
    if (is_active && target != NULL) {
        if (s->node_count == 0) { fr__seeker_plant(s, view->pose.position); }
        if (fr_wishes_find(wishes, s->def.object) != NULL) { // a person holds it
            s->node_count = 0;
            s->phase = FR_SEEKER_SEARCHING;
        } else if (s->phase == FR_SEEKER_GOING) {
            status = go(s, proposal, view, target, wishes, error);
        } else {
            status = search(s, proposal, target, error);
        }
    }
    if (status == FR_ERROR_MEMORY) { return status; }
    // Where numbers are beyond what a radar can look at it stands, and the world goes on.
    if (status != FR_OK) { end(s, FR_SEEKER_STUCK, FR_SEEKER_UNREACHABLE, proposal, s->is_seen ? 1.0 : 0.0); }
    return report(s, proposal, wishes, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Making

static fr_status begin(void *user, fr_error *error) {
    fr_seeker *s = user;
    (void)error;
    s->random = fr_random_seed(s->def.seed);
    s->phase = FR_SEEKER_SEARCHING;
    s->node_count = s->path_count = 0;
    s->is_seen = false;
    s->looks = 0;
    s->began = -1.0;
    s->went = s->searched = 0.0;
    s->last = NULL;
    s->version++;
    return FR_OK;
}

static fr_status check_def(const fr_seeker_def *def, fr_error *error) {
    if (def->cookie != SEEKER_COOKIE) { return fr_error_set_cookie(error, "fr_default_seeker_def"); }
    if (def->world == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "a seeker needs a world"); }
    bool is_right = def->speed > 0.0 && def->speed <= FR_SEEKER_LENGTH_MAX && def->range > 0.0 &&
                    def->range <= FR_SEEKER_LENGTH_MAX && def->looks >= 1 && def->looks <= FR_SEEKER_MAX_LOOKS &&
                    (fr_bounds_is_empty(&def->bounds) ||
                     (fr_vec3_is_finite(def->bounds.min) && fr_vec3_is_finite(def->bounds.max)));
    if (!is_right) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "speed, range, looks or bounds of a seeker are out of range");
    }
    const fr_space *space = fr_world_space(def->world);
    if (fr_object_exists(space, def->object) && fr_object_exists(space, def->target) &&
        !fr_object_id_equal(def->object, def->target)) {
        return FR_OK;
    }
    return fr_error_set(error, FR_ERROR_STALE_ID, "a seeker or its target is not there, or both are one");
}

// How far its farthest vertex is from its origin.
static double radius_of(const fr__retained_parts *body, double scale) {
    double radius = 0.0;
    for (uint32_t p = 0; p < body->part_count; p++) {
        const fr_mesh_view *mesh = fr_mesh_get(body->parts[p].mesh);
        for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i += 3) {
            const float *f = mesh->positions_float;
            const double *d = mesh->positions_double;
            fr_vec3 v = f != NULL ? fr_vec3_make((double)f[i], (double)f[i + 1], (double)f[i + 2])
                                  : fr_vec3_make(d[i], d[i + 1], d[i + 2]);
            radius = fmax(radius, fr_vec3_length(fr_pose_apply(&body->parts[p].pose, v)));
        }
    }
    return scale * radius * (1.0 + 1e-9);
}

static fr_status make(fr_seeker *s, fr_error *error) {
    const fr_space *space = fr_world_space(s->def.world);
    const fr_pose *pose = &fr_object_get(space, s->def.object)->pose;
    s->nodes = fr_allocate(&s->allocator, FR_SEEKER_MAX_NODES, sizeof *s->nodes, _Alignof(fr__seeker_node));
    if (s->nodes == NULL || !fr__retained_parts_take(&s->body, &s->allocator, space, s->def.object)) {
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a seeker");
    }
    s->radius = radius_of(&s->body, pose->scale);
    s->bounds = s->def.bounds;
    if (fr_bounds_is_empty(&s->bounds)) {
        s->bounds = fr_bounds_with_point(&s->bounds, pose->position);
        s->bounds = fr_bounds_grow(&s->bounds, s->def.range);
    }
    s->is_flat = s->bounds.min.y == s->bounds.max.y;
    return fr_radar_create(&s->allocator, &s->radar, error);
}

fr_status fr_seeker_create(const fr_seeker_def *def, fr_seeker **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    fr_status status = check_def(def, error);
    if (status != FR_OK) { return status; }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_seeker *s = fr_allocate(&allocator, 1, sizeof *s, _Alignof(fr_seeker));
    if (s == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a seeker"); }
    memset(s, 0, sizeof *s);
    s->def = *def;
    s->allocator = allocator;
    status = make(s, error);
    if (status == FR_OK) { status = begin(s, error); }
    if (status != FR_OK) {
        fr_seeker_destroy(s);
        return status;
    }
    *out = s;
    return FR_OK;
}

void fr_seeker_destroy(fr_seeker *s) {
    if (s == NULL) { return; }
    fr_radar_destroy(s->radar);
    fr__retained_parts_release(&s->body);
    fr_deallocate(&s->allocator, s->nodes, FR_SEEKER_MAX_NODES, sizeof *s->nodes);
    fr_allocator allocator = s->allocator;
    fr_deallocate(&allocator, s, 1, sizeof *s);
}

static void leave(void *user) { fr_seeker_destroy(user); }

fr_actor fr_seeker_actor(fr_seeker *seeker) {
    FR_ASSERT(seeker != NULL);
    return (fr_actor){.name = "seeker",
                      .correct = correct,
                      .begin = begin,
                      .paint = fr__seeker_paint,
                      .leave = leave,
                      .user = seeker};
}

fr_seeker_state fr_seeker_get(const fr_seeker *s) {
    FR_ASSERT(s != NULL);
    return (fr_seeker_state){.phase = s->phase,
                             .is_seen = s->is_seen,
                             .looks = s->looks,
                             .places = s->node_count,
                             .path_places = s->path_count,
                             .went = s->went};
}
