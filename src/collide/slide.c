// Move and slide: a body goes, stops, backs off, and goes on along the planes that it met.
#include "collide/move.h"
#include "collide/mover.h"

#include <float.h>
#include <string.h>

#define SLIDE_COOKIE 0x534c4944u
#define MAX_CONTACTS 32
#define MAX_PLANES 16
#define SAME 0.9999      // cosine between normals of one plane
#define PRESSES 1e-9     // of the travel: less does not press on a plane
#define MIN_APPROACH 0.1 // of the motion's length: less counts as this, so that a grazing body does not back off far
#define MIN_REST 1e-9    // of the input's motion: less is nothing
#define STEP_ROUNDS 3    // of stepping off

typedef struct slide_scratch {
    fr__move_memory move;
    fr_contact contacts[MAX_CONTACTS];
} slide_scratch;

_Static_assert(sizeof(slide_scratch) <= FR_SLIDE_SCRATCH_BYTES, "a call has the scratch it needs");

typedef struct slide_run {
    const fr_slide_input *input;
    fr_slide_output *output;
    slide_scratch *scratch;
    uint32_t contact_count; // in the scratch
    fr_motion rest;         // from where the body stands
    double radius;          // metres from the pivot to the farthest point
    double length;          // metres of the input's motion
    fr_vec3 planes[MAX_PLANES];
    uint32_t plane_count;
    bool is_off; // the body stepped off where it stands
} slide_run;

fr_slide_input fr_default_slide_input(void) {
    fr_slide_input input;
    memset(&input, 0, sizeof input);
    input.query = fr_default_move_input();
    input.gap = 1e-4;
    input.max_rounds = 4;
    input.cookie = SLIDE_COOKIE;
    return input;
}

static fr_status check_input(const fr_slide_input *input, fr_error *error) {
    if (input->cookie != SLIDE_COOKIE) { return fr_error_set_cookie(error, "fr_default_slide_input"); }
    if (!(input->gap > 0.0 && input->gap <= FR_LENGTH_MAX)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the gap is not above 0");
    }
    if (input->query.may_others_move) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a body slides among objects that stand");
    }
    if (input->scratch == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the input has no scratch"); }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Queries

static fr_status query_contacts(slide_run *s, const fr_motion *motion, fr_move_output *move, fr_error *error) {
    fr_move_input query = s->input->query;
    query.motion = *motion;
    query.contacts = s->scratch->contacts;
    query.capacity = MAX_CONTACTS;
    const fr__move_options options = {.memory = &s->scratch->move};
    fr_status status = fr__collide_move(&query, &options, move, error);
    s->contact_count = status == FR_OK ? move->contact_count : 0;
    return status;
}

static double farthest_from_pivot(const fr_move_input *query) {
    double farthest = 0.0;
    for (uint32_t i = 0; i < query->part_count; i++) {
        const fr_part_def *part = &query->parts[i];
        fr_bounds box = fr_mesh_get(part->mesh)->bounds;
        fr_vec3 center = fr_pose_apply(&part->pose, fr_bounds_center(&box));
        double radius = 0.5 * part->pose.scale * fr_vec3_distance(box.min, box.max);
        farthest = fmax(farthest, fr_vec3_distance(center, query->motion.pivot_local) + radius);
    }
    return query->motion.start.scale * farthest;
}

static double length_of(const slide_run *s, const fr_motion *motion) {
    return fr_vec3_length(motion->travel) + fr_vec3_length(motion->turn) * s->radius;
}

// ---------------------------------------------------------------------------------------------------------------
// Along planes

static bool presses_none(const slide_run *s, fr_vec3 travel, double limit) {
    for (uint32_t i = 0; i < s->plane_count; i++) {
        if (fr_vec3_dot(s->planes[i], travel) > limit) { return false; }
    }
    return true;
}

// The travel nearest to the given one that presses on no plane: in one plane, along the crease of two, or none.
static fr_vec3 along_planes(const slide_run *s, fr_vec3 travel) {
    const double limit = PRESSES * fr_vec3_length(travel);
    fr_vec3 best = {0.0, 0.0, 0.0};
    double best_gain = 0.0;
    if (presses_none(s, travel, limit)) { return travel; }
    for (uint32_t i = 0; i < s->plane_count; i++) {
        for (uint32_t k = 0; k <= i; k++) {
            fr_vec3 n = s->planes[i], tried;
            if (k == i) {
                tried = fr_vec3_add_scaled(travel, -fr_vec3_dot(travel, n), n);
            } else {
                fr_vec3 crease = fr_vec3_cross(n, s->planes[k]);
                double length2 = fr_vec3_length_squared(crease);
                if (length2 < 1e-12) { continue; }
                tried = fr_vec3_scale(fr_vec3_dot(travel, crease) / length2, crease);
            }
            double gain = fr_vec3_dot(tried, travel);
            if (gain > best_gain && presses_none(s, tried, limit)) {
                best = tried;
                best_gain = gain;
            }
        }
    }
    return best;
}

static void add_plane(slide_run *s, fr_vec3 normal) {
    if (fr_vec3_length_squared(normal) < 0.5 || s->plane_count == MAX_PLANES) { return; }
    for (uint32_t i = 0; i < s->plane_count; i++) {
        if (fr_vec3_dot(s->planes[i], normal) > SAME) { return; }
    }
    s->planes[s->plane_count++] = normal;
}

// The deflection where the caller has none.
static bool slide_along_planes(slide_run *s, const fr_slide_stop *stop, fr_motion *rest) {
    fr_vec3 pivot = fr_pose_apply(&stop->pose, rest->pivot_local);
    for (uint32_t i = 0; i < stop->contact_count; i++) {
        const fr_contact *c = &stop->contacts[i];
        add_plane(s, c->normal);
        fr_vec3 lever = fr_vec3_cross(fr_vec3_sub(c->point, pivot), c->normal);
        if (fr_vec3_dot(rest->turn, lever) > 0.0) { rest->turn = fr_vec3_make(0.0, 0.0, 0.0); }
    }
    rest->travel = along_planes(s, rest->travel);
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Legs

static void end_with(slide_run *s, fr__leg *leg, fr_slide_end end) {
    s->output->end = end;
    leg->is_last = true;
}

// The rest of the motion, changed by what stopped the last leg.
static fr_status deflect(fr__leg *leg, void *context, fr_error *error) {
    (void)error;
    slide_run *s = context;
    if (fr_control_is_stopped(s->input->control)) {
        end_with(s, leg, FR_SLIDE_STOPPED);
        return FR_OK;
    }
    if (leg->number > 0 && !s->is_off) {
        const fr_slide_stop stop = {s->output->pose, s->scratch->contacts, s->contact_count, s->output->rounds};
        bool is_on = s->input->deflect != NULL ? s->input->deflect(&stop, &s->rest, s->input->deflect_context)
                                               : slide_along_planes(s, &stop, &s->rest);
        s->rest.start = stop.pose;
        if (!is_on || !(length_of(s, &s->rest) > MIN_REST * s->length)) {
            end_with(s, leg, FR_SLIDE_HELD);
            return FR_OK;
        }
        s->output->rounds++;
    }
    leg->motion = s->rest;
    leg->end = fr_motion_pose(&s->rest, 1.0);
    return FR_OK;
}

static fr_status check_leg(fr__leg *leg, void *context, fr_error *error) {
    slide_run *s = context;
    fr_status status = query_contacts(s, &leg->motion, &leg->move, error);
    double length = length_of(s, &leg->motion);
    if (leg->move.is_hit) { length = fmin(length, fmax(leg->move.first.approach, MIN_APPROACH * length)); }
    leg->rule = (fr__stop_rule){.length = length, .back_off = s->input->gap, .min_share = 0.0};
    return status;
}

// What is touched by contacts of one kind: with a flag, and up to a distance.
static uint32_t touched_by(const slide_run *s, uint32_t flag, double max_distance, fr_vec3 normals[3],
                           double depths[3]) {
    const double margin = s->input->query.margin;
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->contact_count; i++) {
        const fr_contact *c = &s->scratch->contacts[i];
        bool is_wanted = (c->flags & flag) == flag && c->distance <= max_distance;
        if (!is_wanted || fr_vec3_length_squared(c->normal) < 0.5) { continue; }
        uint32_t k = 0;
        while (k < count && fr_vec3_dot(normals[k], c->normal) < 0.9) {
            k++;
        }
        if (k == 3) { continue; }
        if (k == count) { normals[count++] = c->normal; }
        depths[k] = fmax(depths[k], fmin(margin - c->distance, margin + s->input->gap));
    }
    return count;
}

// Faces in one plane have the surest normals, then those that cross; those of faces that share an edge or a corner may
// lead sideways.
static uint32_t touched(fr_vec3 normals[3], double depths[3], void *context) {
    uint32_t count = touched_by(context, FR_CONTACT_COPLANAR, INFINITY, normals, depths);
    if (count == 0) { count = touched_by(context, 0, -DBL_MIN, normals, depths); }
    if (count == 0) { count = touched_by(context, 0, INFINITY, normals, depths); }
    return count;
}

static fr_status is_free_at(const fr_pose *pose, bool *is_free, void *context, fr_error *error) {
    fr_motion still = fr_motion_still(pose);
    fr_move_output move;
    fr_status status = query_contacts(context, &still, &move, error);
    *is_free = status == FR_OK && !move.is_hit;
    return status;
}

// A leg that begins within the margin of something goes nowhere: the body steps off, once at a place.
static fr_status step_off(slide_run *s, fr__leg *leg, fr_error *error) {
    const fr__step_off step = {touched, is_free_at, s, s->input->gap, STEP_ROUNDS};
    fr_status status = fr__mover_step_off(&step, &s->output->pose, &s->is_off, error);
    if (status == FR_OK && !s->is_off) { end_with(s, leg, s->output->rounds == 0 ? FR_SLIDE_INSIDE : FR_SLIDE_HELD); }
    s->rest.start = s->output->pose;
    return status;
}

static fr_status arrive(fr__leg *leg, void *context, fr_error *error) {
    slide_run *s = context;
    fr_slide_output *out = s->output;
    out->pose = leg->pose;
    if (out->rounds == 0) { out->free_part += (1.0 - out->free_part) * leg->part; }
    if (!leg->move.is_hit) {
        end_with(s, leg, FR_SLIDE_ARRIVED);
        return FR_OK;
    }
    bool may_step_off = leg->move.free_time == 0.0 && !s->is_off;
    s->is_off = false;
    s->rest = leg->motion;
    s->rest.start = leg->pose;
    s->rest.travel = fr_vec3_scale(1.0 - leg->part, leg->motion.travel);
    s->rest.turn = fr_vec3_scale(1.0 - leg->part, leg->motion.turn);
    if (may_step_off) { return step_off(s, leg, error); }
    if (s->input->query.contacts != NULL && out->contact_count < s->input->query.capacity) {
        s->input->query.contacts[out->contact_count++] = leg->move.first;
    }
    if (out->rounds == s->input->max_rounds) { end_with(s, leg, FR_SLIDE_ROUNDS); }
    return FR_OK;
}

fr_status fr_collide_slide(const fr_slide_input *input, fr_slide_output *output, fr_error *error) {
    FR_ASSERT(input != NULL && output != NULL);
    memset(output, 0, sizeof *output);
    fr_status status = check_input(input, error);
    if (status == FR_OK) { status = fr__move_check_input(&input->query, error); }
    if (status != FR_OK) { return status; }
    slide_run s = {.input = input, .output = output, .scratch = input->scratch, .rest = input->query.motion};
    s.radius = farthest_from_pivot(&input->query);
    s.length = length_of(&s, &s.rest);
    output->pose = s.rest.start;
    // Every stop may take one leg more to step off
    const fr__mover_def mover = {deflect, check_leg, arrive, &s, UINT32_MAX};
    return fr__mover_run(&mover, error);
}
