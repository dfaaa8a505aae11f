// Obstacles whose motion is known: where they are at a time, and whether a motion of the body meets one of them. Body
// and obstacle move at once; fr_collide_move decides over the whole course. Pivots go straight, so that two balls about
// them say when the two can be near at all.
#include "plan/timed.h"

#include <string.h>

#define BALL_SLACK 1e-6 // of the reach of two balls: more than rounding can be
#define MAX_PIECES 1e6  // of one obstacle's motion in the time of a path
#define CHECKS_A_MOVE 8 // checks that balls alone decide count as one motion check
#define MAX_ROUNDS 1e12 // numbers of rounds are whole as doubles

// ---------------------------------------------------------------------------------------------------------------
// Making

static bool accepts(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    const fr__timed *s = context;
    if (a.index1 - 1 < s->place_count && s->is_moving[a.index1 - 1] != 0) { return false; }
    return s->given == NULL || s->given->accept == NULL || s->given->accept(space, a, b, s->given->context);
}

static fr_status check_samples(const fr_path_obstacle *o, uint32_t index, fr_error *error) {
    if (o->samples == NULL || o->sample_count == 0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "obstacle %u has no samples", index);
    }
    for (uint32_t i = 0; i < o->sample_count; i++) {
        fr_pose pose = o->samples[i].pose;
        fr_status status = fr_pose_check(&pose, error);
        if (status != FR_OK) { return status; }
        if (!isfinite(o->samples[i].time)) {
            return fr_error_set(error, FR_ERROR_NOT_FINITE, "a time of obstacle %u is not finite", index);
        }
        if (i > 0 && !(o->samples[i].time > o->samples[i - 1].time)) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "the times of obstacle %u do not grow", index);
        }
    }
    double span = o->samples[o->sample_count - 1].time - o->samples[0].time;
    if (!isfinite(o->period) || (o->period != 0.0 && !(o->period > 0.0 && o->period >= span))) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "obstacle %u takes longer than its period", index);
    }
    return FR_OK;
}

// No vertex of an object is farther from its pivot, metres.
static double reach_of(const fr_space *space, fr_object_id id, const fr_object_view *view) {
    double farthest = 0.0;
    for (uint32_t i = 0; i < view->part_count; i++) {
        fr_part_view part = fr_object_part(space, id, i);
        fr_bounds box = fr_mesh_get(part.mesh)->bounds;
        if (view->vertices != NULL) {
            uint32_t count = fr_mesh_get(part.mesh)->vertex_count;
            box = fr_bounds_empty();
            for (uint32_t k = 0; k < count; k++) {
                box = fr_bounds_with_point(&box, view->vertices[part.first_vertex + k]);
            }
        }
        for (int k = 0; k < 8 && !fr_bounds_is_empty(&box); k++) {
            fr_vec3 corner = {(k & 1) != 0 ? box.max.x : box.min.x, (k & 2) != 0 ? box.max.y : box.min.y,
                              (k & 4) != 0 ? box.max.z : box.min.z};
            farthest = fmax(farthest, fr_vec3_distance(fr_pose_apply(&part.pose, corner), view->pivot_local));
        }
    }
    return view->pose.scale * farthest;
}

static fr_status copy_object(const fr_path_input *q, fr__timed_obstacle *o, const fr_allocator *allocator,
                             fr_error *error) {
    const fr_object_view *view = fr_object_get(q->space, o->given->object);
    fr_part_def *parts = fr_allocate(allocator, view->part_count, sizeof *parts, _Alignof(fr_part_def));
    if (parts == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for an obstacle"); }
    for (uint32_t i = 0; i < view->part_count; i++) {
        fr_part_view part = fr_object_part(q->space, o->given->object, i);
        parts[i] = (fr_part_def){part.mesh, part.pose};
    }
    fr_space_def def = fr_default_space_def();
    def.allocator = *allocator;
    def.origin = fr_bounds_center(&q->bounds);
    fr_object_def object = fr_default_object_def();
    object.parts = parts;
    object.part_count = view->part_count;
    object.pose = view->pose;
    object.pivot_local = view->pivot_local;
    fr_status status = fr_space_create(&def, &o->space, error);
    if (status == FR_OK) { status = fr_object_add(o->space, &object, &o->id, error); }
    if (status == FR_OK && view->vertices != NULL) {
        status = fr_object_set_vertices(o->space, o->id, view->vertices, view->vertex_count, error);
    }
    fr_deallocate(allocator, parts, view->part_count, sizeof *parts);
    return status;
}

static fr_status make_obstacle(const fr_path_input *q, uint32_t i, fr__timed *s, fr_error *error) {
    fr__timed_obstacle *o = &s->obstacles[i];
    o->given = &q->obstacles[i];
    fr_status status = check_samples(o->given, i, error);
    if (status != FR_OK) { return status; }
    const fr_object_view *view = fr_object_get(q->space, o->given->object);
    if (view == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "obstacle %u is not in the space", i); }
    s->is_moving[o->given->object.index1 - 1] = 1;
    o->pivot_local = view->pivot_local;
    o->scale = view->pose.scale;
    o->reach = reach_of(q->space, o->given->object, view);
    if (o->given->period > 0.0) {
        s->longest_period = fmax(s->longest_period, o->given->period);
    } else {
        s->end = fmax(s->end, o->given->samples[o->given->sample_count - 1].time);
    }
    return copy_object(q, o, &s->allocator, error);
}

fr_status fr__timed_check_rounds(const fr__timed *s, double begin, double end, fr_error *error) {
    for (uint32_t i = 0; i < s->obstacle_count; i++) {
        const fr_path_obstacle *o = s->obstacles[i].given;
        if (o->period == 0.0) { continue; }
        bool is_often = (end - begin) / o->period * o->sample_count > MAX_PIECES;
        if (is_often || (end - o->samples[0].time) / o->period > MAX_ROUNDS) {
            return fr_error_set(error, FR_ERROR_LIMIT, "obstacle %u repeats too often until %g seconds", i, end);
        }
    }
    return FR_OK;
}

fr_status fr__timed_make(fr_path_input *q, fr__timed *out, fr_error *error) {
    memset(out, 0, sizeof *out);
    out->allocator = q->allocator;
    out->end = q->start_time;
    if (q->obstacles == NULL || q->obstacle_count > FR_PATH_MAX_OBSTACLES) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the obstacles are none, or more than %d", FR_PATH_MAX_OBSTACLES);
    }
    out->obstacle_count = q->obstacle_count;
    out->place_count = fr_space_object_places(q->space);
    out->obstacles = fr_allocate(&out->allocator, out->obstacle_count, sizeof *out->obstacles, 16);
    out->is_moving = fr_allocate(&out->allocator, (size_t)out->place_count + 1, 1, 1);
    if (out->obstacles != NULL) { memset(out->obstacles, 0, out->obstacle_count * sizeof *out->obstacles); }
    if (out->is_moving != NULL) { memset(out->is_moving, 0, (size_t)out->place_count + 1); }
    if (out->obstacles == NULL || out->is_moving == NULL) {
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for obstacles");
    }
    for (uint32_t i = 0; i < out->obstacle_count; i++) {
        fr_status status = make_obstacle(q, i, out, error);
        if (status != FR_OK) { return status; }
    }
    out->given = q->filter;
    out->filter = q->filter != NULL ? *q->filter : fr_default_query_filter();
    out->filter.accept = accepts;
    out->filter.context = out;
    q->filter = &out->filter;
    return FR_OK;
}

void fr__timed_free(fr__timed *s) {
    for (uint32_t i = 0; s->obstacles != NULL && i < s->obstacle_count; i++) {
        fr_space_destroy(s->obstacles[i].space);
    }
    fr_deallocate(&s->allocator, s->obstacles, s->obstacle_count, sizeof *s->obstacles);
    fr_deallocate(&s->allocator, s->is_moving, (size_t)s->place_count + 1, 1);
    memset(s, 0, sizeof *s);
}

// ---------------------------------------------------------------------------------------------------------------
// Where obstacles are

// A stretch of time in which an obstacle moves evenly, or stands.
typedef struct obstacle_piece {
    double begin, end; // begin <= t < end; infinite at the sides
    fr_motion motion;  // over begin .. end; where it stands, still
} obstacle_piece;

static fr_pose sample_pose(const fr__timed_obstacle *o, uint32_t i) {
    fr_pose pose = o->given->samples[i].pose;
    pose.scale = o->scale;
    return pose;
}

static obstacle_piece standing(const fr__timed_obstacle *o, uint32_t sample, double begin, double end) {
    fr_pose pose = sample_pose(o, sample);
    return (obstacle_piece){begin, end, fr_motion_still(&pose)};
}

// The number of the round that a time is in: n period + first <= t < (n + 1) period + first, as doubles.
static double round_of(const fr__timed_obstacle *o, double t) {
    double first = o->given->samples[0].time, period = o->given->period;
    if (period == 0.0 || t < first) { return 0.0; }
    double n = floor((t - first) / period);
    while (n > 0.0 && n * period + first > t) {
        n -= 1.0;
    }
    while ((n + 1.0) * period + first <= t) {
        n += 1.0;
    }
    return n;
}

static obstacle_piece piece_at(const fr__timed_obstacle *o, double t) {
    const fr_path_sample *samples = o->given->samples;
    uint32_t last = o->given->sample_count - 1;
    if (t < samples[0].time) { return standing(o, 0, -INFINITY, samples[0].time); }
    double period = o->given->period, n = round_of(o, t), base = n * period;
    if (t >= base + samples[last].time) {
        double next = period > 0.0 ? (n + 1.0) * period + samples[0].time : INFINITY;
        return standing(o, last, base + samples[last].time, next);
    }
    uint32_t low = 0, high = last;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        *(base + samples[middle].time <= t ? &low : &high) = middle;
    }
    fr_pose from = sample_pose(o, low), to = sample_pose(o, high);
    return (obstacle_piece){base + samples[low].time, base + samples[high].time,
                            fr_motion_between(&from, &to, o->pivot_local)};
}

static double fraction(double begin, double end, double t) {
    return end > begin && isfinite(end) && isfinite(begin) ? fmin(fmax((t - begin) / (end - begin), 0.0), 1.0) : 0.0;
}

void fr__timed_pose_at(const fr_path_obstacle *obstacle, const fr_object_view *view, double time, fr_pose *out) {
    const fr__timed_obstacle o = {.given = obstacle, .pivot_local = view->pivot_local, .scale = view->pose.scale};
    obstacle_piece piece = piece_at(&o, time);
    *out = fr_motion_pose(&piece.motion, fraction(piece.begin, piece.end, time));
}

// ---------------------------------------------------------------------------------------------------------------
// The check

static fr_motion part_of(const fr_motion *m, double from, double to) {
    fr_motion out = *m;
    if (from > 0.0) { out.start = fr_motion_pose(m, from); }
    out.travel = fr_vec3_scale(to - from, m->travel);
    out.turn = fr_vec3_scale(to - from, m->turn);
    return out;
}

// One stretch of time in which both move evenly, by parts of their motions.
typedef struct meeting {
    const fr_motion *body, *other;
    double body_from, body_to, other_from, other_to;
    double begin, end;
} meeting;

static fr_vec3 pivot_at(const fr_motion *m, double part) {
    return fr_vec3_add_scaled(fr_pose_apply(&m->start, m->pivot_local), part, m->travel);
}

// The part of a meeting in which the balls about both pivots are near; false where they never are.
static bool find_window(const fr__timed *s, const fr__timed_obstacle *o, const meeting *m, double *from, double *to) {
    fr_vec3 apart = fr_vec3_sub(pivot_at(m->body, m->body_from), pivot_at(m->other, m->other_from));
    fr_vec3 closing = fr_vec3_sub(fr_vec3_scale(m->body_to - m->body_from, m->body->travel),
                                  fr_vec3_scale(m->other_to - m->other_from, m->other->travel));
    double reach = s->body->reach + o->reach;
    double near = reach + BALL_SLACK * reach + s->body->margin + 2.0 * s->body->tolerance;
    double a = fr_vec3_length_squared(closing), b = fr_vec3_dot(apart, closing);
    double c = fr_vec3_length_squared(apart) - near * near, root = b * b - a * c;
    *from = 0.0;
    *to = 1.0;
    // Where they hardly move to one another, all of it counts or nothing.
    if (!(a > BALL_SLACK * BALL_SLACK * near * near)) { return fr_vec3_length(apart) <= near + sqrt(a); }
    if (!(root >= 0.0)) { return false; }
    *from = fmax(*from, (-b - sqrt(root)) / a);
    *to = fmin(*to, (-b + sqrt(root)) / a);
    return *from <= *to;
}

// Puts an obstacle on its motion.
static fr_status set_obstacle(const fr__timed_obstacle *o, const fr_motion *motion) {
    fr_pose end = fr_motion_pose(motion, 1.0);
    fr_status status = fr_object_set_pose(o->space, o->id, &motion->start, NULL);
    if (status == FR_OK) { status = fr_object_set_motion(o->space, o->id, motion, &end, NULL); }
    return status == FR_OK ? fr_space_update(o->space, NULL, NULL) : status;
}

// Whether the two meet; `hit` says when.
static bool meet(fr__timed *s, const fr__timed_obstacle *o, const meeting *whole, fr__timed_hit *hit) {
    double from, to;
    if (!find_window(s, o, whole, &from, &to)) { return false; }
    double body = whole->body_to - whole->body_from, others_part = whole->other_to - whole->other_from;
    fr_motion own = part_of(whole->body, whole->body_from + from * body, whole->body_from + to * body);
    fr_motion other =
        part_of(whole->other, whole->other_from + from * others_part, whole->other_from + to * others_part);
    double seconds = whole->end - whole->begin;
    fr_move_output move = {.is_hit = true};
    fr_status status = set_obstacle(o, &other);
    if (status != FR_OK) {
        s->status = status;
    } else {
        const fr__path_others others = {.space = o->space, .may_move = true};
        move = fr__path_check_against(s->body, &others, &own, NULL);
    }
    if (!move.is_hit) { return false; }
    hit->is_hit = true;
    hit->time = fmin(whole->begin + (from + move.free_time * (to - from)) * seconds, whole->end);
    hit->contact = move.first;
    hit->contact.b = o->given->object;
    return true;
}

fr__timed_hit fr__timed_check_moving(fr__timed *s, const fr__timed_motion *motion) {
    fr__timed_hit hit = {.time = motion->end};
    if (++s->checks % CHECKS_A_MOVE == 0) { s->body->moves++; }
    for (uint32_t i = 0; i < s->obstacle_count; i++) {
        const fr__timed_obstacle *o = &s->obstacles[i];
        double t = motion->begin, limit = hit.time;
        bool is_met = false;
        do {
            obstacle_piece piece = piece_at(o, t);
            double end = fmin(piece.end, limit);
            meeting whole = {.body = &motion->motion,
                             .other = &piece.motion,
                             .body_from = fraction(motion->begin, motion->end, t),
                             .body_to = fraction(motion->begin, motion->end, end),
                             .other_from = fraction(piece.begin, piece.end, t),
                             .other_to = fraction(piece.begin, piece.end, end),
                             .begin = t,
                             .end = end};
            is_met = meet(s, o, &whole, &hit);
            t = end;
        } while (t < limit && !is_met);
    }
    return hit;
}

fr__timed_hit fr__timed_check(fr__timed *s, const fr__timed_motion *motion) {
    fr__timed_hit hit = fr__timed_check_moving(s, motion);
    fr_move_output move = fr__path_check_motion(s->body, &motion->motion, NULL);
    if (!move.is_hit) { return hit; }
    double time = motion->begin + move.free_time * (motion->end - motion->begin);
    if (hit.is_hit && hit.time <= time) { return hit; }
    return (fr__timed_hit){.is_hit = true, .time = time, .contact = move.first};
}

// A multiple that is missed by rounding alone counts as met.
static double round_up(double seconds, double step) { return ceil(seconds / step - 1e-6) * step; }

double fr__timed_duration(const fr_path_input *q, const fr_motion *motion) {
    double seconds = fmax(fr_vec3_length(motion->travel) / q->speed, fr_vec3_length(motion->turn) / q->turn_speed);
    return q->time_step > 0.0 ? round_up(seconds * (1.0 + 1e-6), q->time_step) : seconds;
}

double fr__timed_snap(const fr_path_input *q, double time) {
    return q->time_step > 0.0 ? q->start_time + round_up(time - q->start_time, q->time_step) : time;
}
