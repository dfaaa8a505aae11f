// How far the vertices of an object may be off, and admissible truths to try.
//
// A truth turns the object by an angle A about the reference point and shifts that by at most d. A vertex at the
// distance rho moves on the turn by a chord of 2 rho sin(A / 2) at most. With A <= r + w, r the error of the pose and w
// what the latency adds, sin((r + w) / 2) <= sin(r / 2) + w / 2, which gives the sum the header promises. No chord is
// longer than 2 rho.
#include "collide/uncertainty.h"

#include <string.h>

static double larger(double a, double b) { return a > b ? a : b; }

// ---------------------------------------------------------------------------------------------------------------
// Errors

static bool is_amount(double x) { return isfinite(x) && x >= 0.0; }

static double shift_of(const fr_uncertainty *u) { return u->position_error + u->speed * u->latency; }

// The chord for each metre: of the pose's error, and of the latency.
static double chord_of(const fr_uncertainty *u) { return 2.0 * fr_sin(0.5 * u->rotation_error); }

static double swing_of(const fr_uncertainty *u) {
    double swing = chord_of(u) + u->angular_speed * u->latency;
    return swing < 2.0 ? swing : 2.0;
}

fr_status fr__uncertainty_check(const fr_uncertainty *u, fr_error *error) {
    bool is_right = is_amount(u->position_error) && is_amount(u->rotation_error) && is_amount(u->latency) &&
                    is_amount(u->speed) && is_amount(u->angular_speed);
    if (!is_right) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "an error, latency or speed is below 0 or not finite");
    }
    if (u->rotation_error > FR_PI) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "rotation error %g is over pi", u->rotation_error);
    }
    if (!(shift_of(u) <= FR_LENGTH_MAX) || !isfinite(u->angular_speed * u->latency)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the errors leave the limits of lengths");
    }
    return FR_OK;
}

double fr_uncertainty_reach(const fr_uncertainty *uncertainty, double distance) {
    FR_ASSERT(uncertainty != NULL);
    return (shift_of(uncertainty) + distance * swing_of(uncertainty)) * (1.0 + 0x1p-40);
}

void fr_uncertainty_set_speeds(fr_uncertainty *uncertainty, const fr_motion *motion, double seconds) {
    FR_ASSERT(uncertainty != NULL && motion != NULL && seconds > 0.0);
    uncertainty->speed = fr_vec3_length(motion->travel) / seconds * (1.0 + 0x1p-48);
    uncertainty->angular_speed = fr_vec3_length(motion->turn) / seconds * (1.0 + 0x1p-48);
}

// ---------------------------------------------------------------------------------------------------------------
// Objects

static double scale_of(const fr_object_view *view) {
    return view->is_moving ? larger(view->pose.scale, view->next.scale) : view->pose.scale;
}

// Of the places that vertices have of their own at the end of the step.
static double farthest_next(const fr__object *object, const fr__part *part, fr_vec3 reference_local) {
    const fr_vec3 *next = object->view.next_vertices + part->first_vertex;
    double max = 0.0;
    for (uint32_t i = 0; i < part->mesh->view.vertex_count; i++) {
        max = larger(max, fr_vec3_distance(fr__frame_apply(&part->frame, next[i]), reference_local));
    }
    return max;
}

double fr__doubt_rho(const fr__object *object, fr_vec3 reference_local) {
    bool is_straight = object->view.is_moving && object->view.next_vertices != NULL;
    double max = 0.0;
    for (uint32_t i = 0; i < object->view.part_count; i++) {
        const fr__part *part = &object->parts[i];
        if (is_straight) { max = larger(max, farthest_next(object, part, reference_local)); }
        const fr_bounds *box = &part->bounds_local;
        for (int k = 0; k < 8; k++) {
            fr_vec3 corner = {k & 1 ? box->max.x : box->min.x, k & 2 ? box->max.y : box->min.y,
                              k & 4 ? box->max.z : box->min.z};
            max = larger(max, fr_vec3_distance(fr__frame_apply(&part->frame, corner), reference_local));
        }
    }
    return scale_of(&object->view) * max * (1.0 + 0x1p-40);
}

// No coordinate of a vertex, in the world or in a frame between, is larger.
static double coordinates_of(const fr__object *object) {
    const fr_object_view *view = &object->view;
    double place = fr_vec3_largest(view->pose.position), size = 0.0;
    if (view->is_moving) {
        place = larger(place, fr_vec3_largest(view->next.position)) + fr_vec3_largest(view->motion.travel);
        size = 2.0 * fr_vec3_length(view->motion.pivot_local);
    }
    size = larger(size, fr_vec3_length(view->pivot_local));
    for (uint32_t i = 0; i < view->part_count; i++) {
        const fr__part *part = &object->parts[i];
        size = larger(size, fr_vec3_length(part->pose.position) + 2.0 * part->pose.scale * part->largest);
    }
    return place + 2.0 * scale_of(view) * size;
}

// With u = 2^-53 and g the coordinates: a vertex is placed within 100 u g, where the pose has it and where a truth
// does; the judge of an instant is right within 64 u of the largest distance, 222 u g. All of it is below 2048 u g. The
// judge of a step raises its tolerance to 3e-13 g, and paths of many turns are off by a few u g for each radian.
static double arithmetic_of(const fr__object *object, bool is_over_step, double tolerance) {
    double coordinates = coordinates_of(object);
    if (!is_over_step) { return 0x1p-42 * coordinates; }
    return 0x1p-40 * (1.0 + fr_vec3_length(object->view.motion.turn)) * coordinates + 0.5 * tolerance;
}

fr__doubt fr__doubt_make(const fr__object *object, const fr_uncertainty *uncertainty, bool is_over_step,
                         double tolerance) {
    fr__doubt doubt;
    memset(&doubt, 0, sizeof doubt);
    const fr_object_view *view = &object->view;
    doubt.reference_local = view->is_moving ? view->motion.pivot_local : view->pivot_local;
    doubt.arithmetic = arithmetic_of(object, is_over_step, tolerance);
    if (uncertainty != NULL) {
        doubt.shift = shift_of(uncertainty);
        doubt.swing = swing_of(uncertainty);
        double angle = uncertainty->rotation_error + uncertainty->angular_speed * uncertainty->latency;
        doubt.angle = angle < FR_PI ? angle : FR_PI;
        doubt.is_uncertain = doubt.shift > 0.0 || doubt.swing > 0.0;
    }
    doubt.max = fr__doubt_reach(&doubt, fr__doubt_rho(object, doubt.reference_local));
    return doubt;
}

// ---------------------------------------------------------------------------------------------------------------
// Draws

// Evenly in the ball about 0.
static fr_vec3 draw_in_ball(fr_random *random, double radius) {
    fr_vec3 v;
    do {
        double x = fr_random_between(random, -1.0, 1.0), y = fr_random_between(random, -1.0, 1.0);
        v = fr_vec3_make(x, y, fr_random_between(random, -1.0, 1.0));
    } while (fr_vec3_length_squared(v) > 1.0);
    return fr_vec3_scale(radius, v);
}

// Turned about the reference point, which is shifted.
static fr_pose displace(const fr_pose *pose, fr_vec3 reference_local, fr_vec3 shift, fr_quat turn) {
    fr_pose out = {fr_quat_multiply(turn, pose->rotation), {0.0, 0.0, 0.0}, pose->scale};
    (void)fr_quat_normalize(&out.rotation, NULL);
    fr_vec3 reference = fr_vec3_add(fr_pose_apply(pose, reference_local), shift);
    fr_vec3 arm = fr_pose_turn(&out, fr_vec3_scale(pose->scale, reference_local));
    out.position = fr_vec3_sub(reference, arm);
    return out;
}

// The motion goes on as it did, from elsewhere: at t it is turned by Rot(t turn) Q Rot(t turn)^-1, as far as by Q.
void fr__draw_make(const fr__object *object, const fr__doubt *doubt, uint64_t seed, uint32_t place, uint32_t k,
                   fr__draw *out) {
    const fr_object_view *view = &object->view;
    const uint64_t key[2] = {place, k};
    fr_random random = fr_random_seed(fr_hash(key, sizeof key, seed));
    fr_vec3 shift = draw_in_ball(&random, doubt->shift);
    fr_quat turn = fr_quat_from_vector(draw_in_ball(&random, doubt->angle));
    out->motion = view->motion;
    out->motion.start = view->pose;
    out->end = view->next;
    if (!doubt->is_uncertain) { return; }
    out->motion.start = displace(&view->pose, doubt->reference_local, shift, turn);
    fr_quat step = fr_quat_from_vector(view->motion.turn);
    fr_quat turn_end = fr_quat_multiply(fr_quat_multiply(step, turn), fr_quat_conjugate(step));
    out->end = displace(&view->next, doubt->reference_local, shift, turn_end);
}

// ---------------------------------------------------------------------------------------------------------------
// The budget

fr_status fr_collide_budget(const fr_uncertain_input *input, fr_object_id id, fr_error_budget *out, fr_error *error) {
    FR_ASSERT(input != NULL && out != NULL);
    memset(out, 0, sizeof *out);
    const fr_space *space = input->query.space;
    if (space == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the input names no space"); }
    const fr__object *object = fr__space_find(space, id);
    if (object == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "no such object"); }
    if (object->has_new_vertices) {
        return fr_error_set(error, FR_ERROR_STALE_DATA, "vertices were set after the last update");
    }
    const fr_uncertainty none = {0.0, 0.0, 0.0, 0.0, 0.0}, *of = &none;
    for (size_t i = 0; i < input->uncertainty_count; i++) {
        if (fr_object_id_equal(input->uncertainties[i].id, id)) { of = &input->uncertainties[i].uncertainty; }
    }
    fr_status status = fr__uncertainty_check(of, error);
    if (status != FR_OK) { return status; }

    fr__doubt doubt = fr__doubt_make(fr__object_fresh(space, object), of, input->is_over_step, input->query.tolerance);
    double rho = fr__doubt_rho(object, doubt.reference_local);
    double chord = rho * chord_of(of), swing = rho * doubt.swing;
    out->position = of->position_error;
    out->rotation = chord;
    out->prediction = of->speed * of->latency + (swing > chord ? swing - chord : 0.0);
    out->path = input->is_over_step ? 0.5 * input->query.tolerance : 0.0;
    out->arithmetic = doubt.arithmetic - out->path;
    out->total = doubt.max;
    return FR_OK;
}
