// A body that was set loose. It keeps a skin away from everything, so that it can slide: a motion along a face at that
// distance is free, and one that is not ends a skin before what it meets, or at half the distance where it is nearer.
#include "collide/move.h"
#include "collide/mover.h"
#include "fureai/touch.h"
#include "touch/support.h"

#include <math.h>
#include <string.h>

#define FALL_COOKIE 0x46414c4cu
#define MAX_CONTACTS 256
#define MAX_SUPPORTS 64
#define NEAR 2.0   // skins: what is this near carries
#define SLOW 4.0   // steps of gravity: what is met more slowly does not spring back
#define CLOSER 0.5 // of the path to what is met: at least so far it goes, also where it is nearer than a skin
#define STUCK 1e-3 // of a step: what has gone on for less than this is held on all sides
#define RESTS 1e-2 // steps of gravity: slower than this, and carried, it rests

fr_fall_input fr_default_fall_input(void) {
    fr_fall_input input;
    memset(&input, 0, sizeof input);
    input.pose = fr_pose_identity();
    input.gravity = fr_vec3_make(0.0, -9.81, 0.0);
    input.step = 0.01;
    input.skin = 1e-4;
    input.friction = 0.5;
    input.cookie = FALL_COOKIE;
    return input;
}

// What a step works in: the scratch of its input.
typedef struct fall_scratch {
    fr__move_memory move;
    fr_contact contacts[MAX_CONTACTS];
    fr_contact supports[MAX_SUPPORTS];
} fall_scratch;

_Static_assert(sizeof(fall_scratch) <= FR_FALL_SCRATCH_BYTES, "a step has the scratch it needs");

// All objects that stand count as one body that is not moved, with friction and restitution of its own.
typedef struct falling {
    const fr_fall_input *input;
    fr_fall_output *output;
    fall_scratch *scratch;
    uint32_t contact_count;
    double left; // seconds of the step
} falling;

static fr_status query_contacts(falling *f, const fr_motion *motion, double margin, fr_move_output *move,
                                fr_error *error) {
    const fr_fall_input *in = f->input;
    fr_move_input q = fr_default_move_input();
    q.space = in->space;
    q.parts = in->parts;
    q.part_count = in->part_count;
    q.motion = *motion;
    q.margin = margin;
    q.tolerance = 1e-3 * in->skin;
    q.filter = in->filter;
    q.contacts = f->scratch->contacts;
    q.capacity = MAX_CONTACTS;
    const fr__move_options options = {.memory = &f->scratch->move};
    fr_status status = fr__collide_move(&q, &options, move, error);
    f->contact_count = status == FR_OK ? move->contact_count : 0;
    return status;
}

// The body's motion over a time, about its centre of mass.
static fr_motion motion_of(const fr_fall_output *out, double time) {
    fr_pose back = fr_pose_inverse(&out->pose);
    fr_vec3 center_local = fr_pose_apply(&back, out->body.center);
    return fr_motion_from_velocity(&out->pose, center_local, out->body.velocity, out->body.spin, time);
}

// What carries it or is run into: the velocities after all that is near.
static fr_status rebound(falling *f, fr_error *error) {
    fr_fall_output *out = f->output;
    fr_motion still = fr_motion_still(&out->pose);
    fr_move_output move;
    fr_status status = query_contacts(f, &still, NEAR * f->input->skin, &move, error);
    if (status != FR_OK || f->contact_count == 0) { return status; }
    const fr__support_input carried = {.space = f->input->space,
                                       .parts = f->input->parts,
                                       .part_count = f->input->part_count,
                                       .pose = out->pose,
                                       .near = NEAR * f->input->skin,
                                       .contacts = f->scratch->contacts,
                                       .contact_count = f->contact_count};
    fr_contact *supports = f->scratch->supports;
    uint32_t support_count = fr__support_find(&carried, supports, MAX_SUPPORTS);
    fr_rebound_body bodies[1] = {out->body};
    bodies[0].object = (fr_object_id){0};
    bodies[0].friction = sqrt(out->body.friction * f->input->friction);
    bodies[0].restitution = fmin(out->body.restitution, f->input->restitution);
    fr_rebound_input input = fr_default_rebound_input();
    input.bodies = bodies;
    input.body_count = 1;
    input.contacts = supports;
    input.contact_count = support_count;
    input.slow = SLOW * f->input->step * fr_vec3_length(f->input->gravity);
    for (uint32_t i = 0; i < support_count; i++) {
        supports[i].time = 0.0;
    }
    fr_rebound_output done;
    status = fr_touch_rebound(&input, &done, error);
    out->contacts += f->contact_count;
    out->body.velocity = bodies[0].velocity;
    out->body.spin = bodies[0].spin;
    return status;
}

// The inertia goes with the body as it turns.
static void turn_inertia(fr_rebound_body *body, fr_quat from, fr_quat to) {
    fr_mat3 turn = fr_quat_to_mat3(fr_quat_multiply(to, fr_quat_conjugate(from)));
    body->inverse_inertia = fr_mat3_multiply(fr_mat3_multiply(turn, body->inverse_inertia), fr_mat3_transpose(turn));
}

// The next leg: what is near changes the velocities, and the body goes on with them for the time that is left.
static fr_status rebound_and_go(fr__leg *leg, void *context, fr_error *error) {
    falling *f = context;
    leg->is_last = !(f->left > 0.0);
    if (leg->is_last) { return FR_OK; }
    fr_status status = rebound(f, error);
    leg->motion = motion_of(f->output, f->left);
    leg->end = fr_motion_pose(&leg->motion, 1.0);
    return status;
}

static fr_status check_leg(fr__leg *leg, void *context, fr_error *error) {
    falling *f = context;
    fr_status status = query_contacts(f, &leg->motion, 0.0, &leg->move, error);
    double length = fr_vec3_length(leg->motion.travel) + (leg->move.is_hit ? fmax(leg->move.first.approach, 0.0) : 0.0);
    leg->rule = (fr__stop_rule){.length = length, .back_off = f->input->skin, .min_share = CLOSER};
    return status;
}

// The body stands where the leg ended: a skin before what it met.
static fr_status arrive(fr__leg *leg, void *context, fr_error *error) {
    (void)error;
    falling *f = context;
    fr_fall_output *out = f->output;
    turn_inertia(&out->body, out->pose.rotation, leg->pose.rotation);
    out->pose = leg->pose;
    out->body.center = fr_vec3_add_scaled(out->body.center, leg->part, leg->motion.travel);
    f->left = leg->move.is_hit ? f->left * (1.0 - leg->part) : 0.0;
    return FR_OK;
}

static fr_status check_input(const fr_fall_input *in, fr_error *error) {
    if (in->cookie != FALL_COOKIE) { return fr_error_set_cookie(error, "fr_default_fall_input"); }
    if (!(in->step > 0.0 && in->step <= 1e9) || !(in->skin > 0.0 && in->skin <= 1e9)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "step or skin is not above 0");
    }
    if (in->scratch == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the input has no scratch"); }
    if (!(in->friction >= 0.0) || !(in->restitution >= 0.0 && in->restitution <= 1.0)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "friction or restitution is outside its limits");
    }
    return FR_OK;
}

fr_status fr_touch_fall(const fr_fall_input *input, fr_fall_output *output, fr_error *error) {
    FR_ASSERT(input != NULL && output != NULL);
    memset(output, 0, sizeof *output);
    fr_status status = check_input(input, error);
    if (status != FR_OK) { return status; }
    falling f = {.input = input, .output = output, .scratch = input->scratch};
    output->pose = input->pose;
    output->body = input->body;
    output->body.velocity = fr_vec3_add_scaled(input->body.velocity, input->step, input->gravity);
    f.left = input->step;
    const fr__mover_def mover = {rebound_and_go, check_leg, arrive, &f, FR_REBOUND_ROUNDS};
    status = fr__mover_run(&mover, error);
    double slow = RESTS * input->step * fr_vec3_length(input->gravity);
    bool is_stuck = f.left >= (1.0 - STUCK) * input->step;
    output->is_resting = output->contacts > 0 && (is_stuck || fr_vec3_length(output->body.velocity) <= slow);
    if (output->is_resting) { output->body.velocity = output->body.spin = fr_vec3_make(0.0, 0.0, 0.0); }
    output->body.object = input->body.object;
    return status;
}
