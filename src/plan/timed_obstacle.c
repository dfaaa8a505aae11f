// Obstacles whose motion is known: where they are at a time, and whether a motion of the body meets one of them. Body
// and obstacle move at once; fr_collide_move decides over the whole course. Pivots go straight, so that two balls about
// them say when the two can be near at all.
#include "plan/timed.h"

#include <string.h>

#define BALL_SLACK 1e-6 // of the reach of two balls: more than rounding can be

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

// How far an object's farthest vertex is from its pivot.
static double reach_of(const fr_space *space, fr_object_id id, const fr_object_view *view) {
    fr_vec3 pivot = fr_pose_apply(&view->pose, view->pivot_local);
    double farthest = 0.0;
    for (uint32_t i = 0; i < view->triangle_count; i++) {
        fr_vec3 corners[3];
        if (fr_object_corners(space, id, i, corners, NULL) != FR_OK) { continue; }
        for (int k = 0; k < 3; k++) {
            farthest = fmax(farthest, fr_vec3_distance(corners[k], pivot));
        }
    }
    return farthest;
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
    if (out->obstacles == NULL || out->is_moving == NULL) {
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for obstacles");
    }
    memset(out->obstacles, 0, out->obstacle_count * sizeof *out->obstacles);
    memset(out->is_moving, 0, (size_t)out->place_count + 1);
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

// When the round that a time is in began, beyond the first sample; comparisons are those by which samples are found.
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
    return n * period;
}

static obstacle_piece piece_at(const fr__timed_obstacle *o, double t) {
    const fr_path_sample *samples = o->given->samples;
    uint32_t last = o->given->sample_count - 1;
    if (t < samples[0].time) { return standing(o, 0, -INFINITY, samples[0].time); }
    double base = round_of(o, t);
    if (t >= base + samples[last].time) {
        // The end is computed as the next round's beginning is, so that it is later than t.
        double next = o->given->period > 0.0 ? round_of(o, t) / o->given->period + 1.0 : INFINITY;
        return standing(o, last, base + samples[last].time,
                        o->given->period > 0.0 ? next * o->given->period + samples[0].time : INFINITY);
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

// ---------------------------------------------------------------------------------------------------------------
// The check

static fr_motion part_of(const fr_motion *m, double from, double to) {
    fr_motion out = *m;
    if (from > 0.0) { out.start = fr_motion_pose(m, from); }
    out.travel = fr_vec3_scale(to - from, m->travel);
    out.turn = fr_vec3_scale(to - from, m->turn);
    return out;
}

static double fraction(double begin, double end, double t) {
    return end > begin && isfinite(end) && isfinite(begin) ? fmin(fmax((t - begin) / (end - begin), 0.0), 1.0) : 0.0;
}

// The motions of both over one stretch of time.
typedef struct meeting {
    fr_motion body, other;
    double begin, end;
} meeting;

static meeting meeting_of(const fr__timed_motion *m, const obstacle_piece *piece, double begin, double end) {
    meeting out = {.begin = begin, .end = end};
    out.body = part_of(&m->motion, fraction(m->begin, m->end, begin), fraction(m->begin, m->end, end));
    out.other =
        part_of(&piece->motion, fraction(piece->begin, piece->end, begin), fraction(piece->begin, piece->end, end));
    return out;
}

// The part of a meeting in which the balls about both pivots are near; false where they never are.
static bool find_window(const fr__timed *s, const fr__timed_obstacle *o, const meeting *m, double *from, double *to) {
    fr_vec3 apart = fr_vec3_sub(fr_pose_apply(&m->body.start, m->body.pivot_local),
                                fr_pose_apply(&m->other.start, m->other.pivot_local));
    fr_vec3 closing = fr_vec3_sub(m->body.travel, m->other.travel);
    double reach = s->body->reach + o->reach;
    double near = reach + BALL_SLACK * reach + s->body->margin + 2.0 * s->body->tolerance;
    double a = fr_vec3_length_squared(closing), b = fr_vec3_dot(apart, closing);
    double c = fr_vec3_length_squared(apart) - near * near, root = b * b - a * c;
    *from = 0.0;
    *to = 1.0;
    if (!(a > BALL_SLACK * BALL_SLACK * near * near)) {
        // They hardly move to one another: the way is less than the slack.
        double slack = sqrt(a);
        return fr_vec3_length(apart) <= near + slack;
    }
    if (!(root >= 0.0)) { return false; }
    *from = fmax(*from, (-b - sqrt(root)) / a);
    *to = fmin(*to, (-b + sqrt(root)) / a);
    return *from <= *to;
}

// Puts an obstacle on its motion; false where its space refuses that.
static bool set_obstacle(const fr__timed_obstacle *o, const fr_motion *motion) {
    fr_pose end = fr_motion_pose(motion, 1.0);
    return fr_object_set_pose(o->space, o->id, &motion->start, NULL) == FR_OK &&
           fr_object_set_motion(o->space, o->id, motion, &end, NULL) == FR_OK &&
           fr_space_update(o->space, NULL, NULL) == FR_OK;
}

// Whether the two meet; `hit` says when.
static bool meet(fr__timed *s, const fr__timed_obstacle *o, const meeting *whole, fr__timed_hit *hit) {
    double from, to;
    if (!find_window(s, o, whole, &from, &to)) { return false; }
    fr_motion body = part_of(&whole->body, from, to), other = part_of(&whole->other, from, to);
    double seconds = whole->end - whole->begin;
    fr_move_output move = {.is_hit = true};
    if (set_obstacle(o, &other)) {
        const fr__path_others others = {.space = o->space, .may_move = true};
        move = fr__path_check_against(s->body, &others, &body, NULL);
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
    s->body->moves++;
    for (uint32_t i = 0; i < s->obstacle_count; i++) {
        const fr__timed_obstacle *o = &s->obstacles[i];
        double t = motion->begin, limit = hit.time;
        bool is_met = false;
        do {
            obstacle_piece piece = piece_at(o, t);
            double end = fmin(piece.end, limit);
            meeting whole = meeting_of(motion, &piece, t, end);
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

double fr__timed_duration(const fr__timed *s, const fr_motion *motion) {
    const fr_path_input *q = s->body->input;
    return fmax(fr_vec3_length(motion->travel) / q->speed, fr_vec3_length(motion->turn) / q->turn_speed);
}
