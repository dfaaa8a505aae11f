// A simulated operator that moves a held object to its target by what it sees and feels.
#include "operator.h"

#include "face_contacts.h"

#include <string.h>

#define MM 1e-3
#define HUMP (55.0 * MM)       // of the path of a reach, upwards
#define OFF_TARGET (25.0 * MM) // where a reach ends, along the sum of the normals
#define MOST_DELAY 64          // frames
#define SHARE_MOVED 0.9        // of a seen error that a correction takes away
#define NOISE_STILL 0.3        // of the motor noise, on what is not moved
#define NOISE_JERK 0.6         // of the motor noise, when the hand lets go

operator_def operator_default(void) {
    operator_def def = {.mode = FR_AID_MODE_AID, .factor = 1.0};
    def.reach = 1.2;
    def.reach_growth = 0.15;
    def.spread = 0.04;
    def.spread_angle = fr_radians(4.0);
    def.see = 1.0 * MM;
    def.see_angle = fr_radians(0.9);
    def.see_share = 0.1;
    def.see_depth = 1.5;
    def.accept = 2.8 * MM;
    def.accept_angle = fr_radians(2.8);
    def.motor = 0.9 * MM;
    def.motor_angle = fr_radians(0.8);
    def.motor_share = 0.1;
    def.tremor = 0.45 * MM;
    def.tremor_angle = fr_radians(0.35);
    def.tremor_hz = 3.0;
    def.sensor = 0.15 * MM;
    def.sensor_angle = fr_radians(0.05);
    def.look = 0.3;
    def.look_face = 0.1;
    def.look_colour = 0.1;
    def.look_heard = 0.1;
    def.vernier = 0.8;
    def.push = 8.0 * MM;
    def.attend = 0.6;
    def.dwell = 1.0;
    def.patience = 14;
    def.rate = 30.0;
    def.aid = fr_default_aid_def();
    return def;
}

// ---------------------------------------------------------------------------------------------------------------
// Numbers that are the same on every machine: libm's log and exp differ by processor

// The natural logarithm of x > 0: 2 atanh((m - 1) / (m + 1)) of the mantissa m in [sqrt 1/2, sqrt 2).
static double natural_log(double x) {
    int exponent;
    double m = frexp(x, &exponent);
    if (m < 0.70710678118654752) {
        m *= 2.0;
        exponent--;
    }
    double t = (m - 1.0) / (m + 1.0), square = t * t, sum = 0.0;
    for (int k = 23; k >= 1; k -= 2) {
        sum = sum * square + 1.0 / k;
    }
    return 2.0 * t * sum + exponent * 0.69314718055994531;
}

static double log_2(double x) { return natural_log(x) / 0.69314718055994531; }

// exp(-x) for x >= 0, by the series of a 1024th of it.
static double decay(double x) {
    double y = x / 1024.0;
    double e = 1.0 / (1.0 + y * (1.0 + y / 2.0 * (1.0 + y / 3.0 * (1.0 + y / 4.0))));
    for (int i = 0; i < 10; i++) {
        e *= e;
    }
    return e;
}

// Marsaglia's polar method; the second number is thrown away, so that the order stays simple.
double operator_gauss(fr_random *random) {
    double x, square;
    do {
        x = fr_random_between(random, -1.0, 1.0);
        double y = fr_random_between(random, -1.0, 1.0);
        square = x * x + y * y;
    } while (square >= 1.0 || square == 0.0);
    return x * sqrt(-2.0 * natural_log(square) / square);
}

// Three numbers in the order x, y, z.
static fr_vec3 noise(fr_random *random, double deviation) {
    fr_vec3 v;
    v.x = deviation * operator_gauss(random);
    v.y = deviation * operator_gauss(random);
    v.z = deviation * operator_gauss(random);
    return v;
}

double operator_reach_time(const operator_def *def, double distance) {
    double growth = distance > 10.0 * MM ? log_2(2.0 * distance / (20.0 * MM)) : 0.0;
    return def->reach + def->reach_growth * growth;
}

// ---------------------------------------------------------------------------------------------------------------
// Errors

void operator_errors(const operator_job *job, const fr_pose *pose, double *distance, double *angle) {
    *distance = 0.0;
    for (uint32_t i = 0; i < job->corner_count; i++) {
        fr_vec3 is = fr_pose_apply(pose, job->corners_local[i]);
        *distance += fr_vec3_distance(is, fr_pose_apply(&job->target, job->corners_local[i]));
    }
    // R = Rz(azimuth) Ry(elevation) Rx(roll) in the source's axes: its x is ours, its y our -z, its z our y
    fr_mat3 r = fr_quat_to_mat3(fr_quat_multiply(pose->rotation, fr_quat_conjugate(job->target.rotation)));
    double azimuth = fr_atan2(-r.row[2].x, r.row[0].x);
    double across = sqrt(r.row[0].x * r.row[0].x + r.row[2].x * r.row[2].x);
    double elevation = fr_atan2(-r.row[1].x, across);
    double roll = fr_atan2(-r.row[1].z, r.row[1].y);
    *angle = fabs(azimuth) + fabs(elevation) + fabs(roll);
}

// ---------------------------------------------------------------------------------------------------------------
// The hand, frame by frame

typedef struct hand {
    const operator_def *def;
    const operator_job *job;
    fr_random *random;
    fr_aid *aid;            // modes 3 to 5
    face_contacts contacts; // modes 2 and 6
    fr_pose at;             // where the person has it, without tremor and tracker
    fr_vec3 tremor, tremor_angle;
    double tremor_keep, tremor_new;
    fr_pose late[MOST_DELAY];
    uint32_t delay; // frames
    fr_pose shown;
    fr_aid_held held[FR_AID_FACES];
    uint32_t held_count;
    double time;
    operator_result *result;
    bool has_heard; // a SNAP since the last look, or ever
    bool is_below;  // the limit was reached
    fr_error *error;
} hand;

static bool has_aid(const operator_def *def) { return fr_aid_mode_has_aid(def->mode); }

// Faces that collide are reported, and nothing holds.
static bool has_contacts(const operator_def *def) {
    return def->mode == FR_AID_MODE_COLOR || def->mode == FR_AID_MODE_SOUND;
}

static void take_event(const fr_hand_event *event, void *context) {
    hand *h = context;
    fr_hand_event e = *event;
    e.object = h->job->held;
    e.time = h->time;
    h->result->snaps += e.kind == FR_HAND_SNAP;
    h->result->releases += e.kind == FR_HAND_RELEASE;
    h->has_heard = h->has_heard || (e.kind == FR_HAND_SNAP && fr_aid_mode_has_sound(h->def->mode));
    if (h->job->on_event != NULL) { h->job->on_event(&e, h->job->event_context); }
}

// The pose that the tracker delivers, as late as it comes.
static fr_pose read_tracker(hand *h) {
    const operator_def *def = h->def;
    fr_vec3 shake = noise(h->random, h->tremor_new * def->factor * def->tremor);
    fr_vec3 turn = noise(h->random, h->tremor_new * def->factor * def->tremor_angle);
    h->tremor = fr_vec3_add_scaled(shake, h->tremor_keep, h->tremor);
    h->tremor_angle = fr_vec3_add_scaled(turn, h->tremor_keep, h->tremor_angle);
    fr_vec3 off = fr_vec3_add(h->tremor, noise(h->random, def->sensor));
    fr_vec3 tilt = fr_vec3_add(h->tremor_angle, noise(h->random, def->sensor_angle));
    fr_pose raw = h->at;
    raw.position = fr_vec3_add(raw.position, off);
    raw.rotation = fr_quat_multiply(fr_quat_from_vector(tilt), raw.rotation);
    uint32_t now = h->result->frames % MOST_DELAY;
    h->late[now] = raw;
    return h->late[(now + MOST_DELAY - h->delay) % MOST_DELAY];
}

static fr_status show_by_aid(hand *h, const fr_pose *raw) {
    fr_aid_output out;
    fr_status status = fr_aid_frame(h->aid, h->job->space, raw, h->time, &out, h->error);
    if (status != FR_OK) { return status; }
    h->shown = out.shown;
    h->held_count = out.held_count;
    memcpy(h->held, out.held, sizeof h->held);
    for (uint32_t i = 0; i < out.event_count; i++) {
        take_event(&out.events[i], h);
    }
    status = fr_object_set_pose(h->job->space, h->job->held, &h->shown, h->error);
    return status == FR_OK ? fr_space_update(h->job->space, NULL, h->error) : status;
}

static fr_status show_contacts(hand *h, const fr_pose *raw) {
    h->shown = *raw;
    face_contacts_frame frame = {h->job->space, h->job->held, *raw, 1.0 / h->def->rate, h->time, take_event, h};
    return face_contacts_move(&h->contacts, &frame, h->error);
}

static fr_status frame(hand *h) {
    const operator_job *job = h->job;
    h->result->frames++;
    h->time = job->start_time + h->result->frames / h->def->rate;
    fr_status status = job->before_frame != NULL ? job->before_frame(h->time, job->frame_context, h->error) : FR_OK;
    if (status != FR_OK) { return status; }
    fr_pose raw = read_tracker(h);
    if (has_aid(h->def)) {
        status = show_by_aid(h, &raw);
    } else if (has_contacts(h->def)) {
        status = show_contacts(h, &raw);
    } else {
        h->shown = raw;
    }
    if (job->limit > 0.0 && status == FR_OK) {
        double distance, angle;
        operator_errors(job, &h->shown, &distance, &angle);
        h->is_below = distance < job->limit * job->corner_count;
    }
    return status;
}

static bool is_over(const hand *h) { return h->is_below || h->time - h->job->start_time > h->job->most; }

static fr_status wait(hand *h, double seconds) {
    int frames = (int)(seconds * h->def->rate + 0.5);
    fr_status status = FR_OK;
    for (int i = 0; i < frames && status == FR_OK && !is_over(h); i++) {
        status = frame(h);
    }
    return status;
}

// Along a path of minimum jerk, by `offset` and `turn`, over a hump.
static fr_status move(hand *h, fr_vec3 offset, fr_vec3 turn, double hump, double seconds) {
    fr_pose from = h->at;
    int frames = (int)(seconds * h->def->rate + 0.5);
    frames = frames < 1 ? 1 : frames;
    fr_status status = FR_OK;
    for (int i = 1; i <= frames && status == FR_OK && !is_over(h); i++) {
        double u = (double)i / frames;
        double s = u * u * u * (10.0 + u * (6.0 * u - 15.0));
        h->at.position = fr_vec3_add_scaled(from.position, s, offset);
        h->at.position.y += hump * 4.0 * s * (1.0 - s);
        h->at.rotation = fr_quat_multiply(fr_quat_from_vector(fr_vec3_scale(s, turn)), from.rotation);
        status = frame(h);
    }
    (void)fr_quat_normalize(&h->at.rotation, NULL);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Looking and correcting

// What is seen of the errors, and by how much of the criteria.
typedef struct look {
    fr_vec3 offset, turn; // errors
    double worst_offset, worst_turn;
    bool is_held[OPERATOR_FACES];
    uint32_t missing; // faces that do not hold yet
} look;

static void look_at_faces(const hand *h, look *l) {
    l->missing = h->job->normal_count;
    for (uint32_t i = 0; i < h->job->normal_count; i++) {
        l->is_held[i] = false;
        for (uint32_t k = 0; k < h->held_count && !l->is_held[i]; k++) {
            l->is_held[i] = fr_vec3_dot(h->held[k].plane.normal, h->job->normals[i]) > 0.99;
        }
        l->missing -= l->is_held[i];
    }
}

// Takes away what the aid holds: it is seen as right.
static void leave_free(const hand *h, fr_vec3 *offset, fr_vec3 *turn) {
    fr_vec3 basis[FR_AID_FACES];
    for (uint32_t i = 0; i < h->held_count; i++) {
        fr_vec3 n = h->held[i].plane.normal;
        for (uint32_t k = 0; k < i; k++) {
            n = fr_vec3_add_scaled(n, -fr_vec3_dot(n, basis[k]), basis[k]);
        }
        basis[i] = fr_vec3_unit(n, n);
        *offset = fr_vec3_add_scaled(*offset, -fr_vec3_dot(*offset, basis[i]), basis[i]);
    }
    if (h->held_count == 1) { *turn = fr_vec3_scale(fr_vec3_dot(*turn, basis[0]), basis[0]); }
    if (h->held_count > 1) { *turn = (fr_vec3){0.0, 0.0, 0.0}; }
}

static double largest(fr_vec3 v) { return fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z))); }

static double seen(hand *h, double error, double deviation) {
    return error + (deviation + h->def->see_share * fabs(error)) * operator_gauss(h->random);
}

static void perceive(hand *h, look *l) {
    const operator_def *def = h->def;
    look_at_faces(h, l);
    double sharp = h->held_count > 0 ? def->vernier : 1.0;
    double see = sharp * def->factor * def->see, see_angle = sharp * def->factor * def->see_angle;
    fr_quat off = fr_quat_multiply(h->shown.rotation, fr_quat_conjugate(h->job->target.rotation));
    fr_vec3 offset = fr_vec3_sub(h->shown.position, h->job->target.position), turn = fr_quat_to_vector(off);
    l->offset.x = seen(h, offset.x, see);
    l->offset.y = seen(h, offset.y, see);
    l->offset.z = seen(h, offset.z, def->see_depth * see);
    l->turn.x = seen(h, turn.x, see_angle);
    l->turn.y = seen(h, turn.y, see_angle);
    l->turn.z = seen(h, turn.z, see_angle);
    leave_free(h, &l->offset, &l->turn);
    double strict = sharp * (0.8 + 0.2 * def->factor);
    l->worst_offset = largest(l->offset) / (strict * def->accept);
    l->worst_turn = largest(l->turn) / (strict * def->accept_angle);
}

static fr_status wait_and_look(hand *h, look *l) {
    const operator_def *def = h->def;
    look_at_faces(h, l);
    double seconds = def->look + def->look_face * l->missing;
    if (has_contacts(def)) { seconds += def->look_colour; }
    if (h->has_heard) { seconds -= def->look_heard; }
    if (def->is_heard_once) { h->has_heard = false; }
    fr_status status = wait(h, seconds);
    if (status == FR_OK) { perceive(h, l); }
    return status;
}

static bool is_accepted(const hand *h, const look *l) {
    return l->worst_offset < 1.0 && l->worst_turn < 1.0 && (!has_aid(h->def) || l->missing == 0);
}

// Which of place and turn are corrected. One number is drawn in any case.
static void choose(hand *h, const look *l, bool is_first, bool *moves, bool *turns) {
    bool is_willing = fr_random_unit(h->random) < h->def->attend;
    bool is_turn_worse = l->worst_turn > l->worst_offset;
    double other = is_turn_worse ? l->worst_offset : l->worst_turn;
    bool is_both = is_first || (other > 2.0 && is_willing);
    *moves = is_both || !is_turn_worse;
    *turns = is_both || is_turn_worse;
}

static fr_status correct(hand *h, const look *l, bool is_first) {
    const operator_def *def = h->def;
    fr_vec3 offset = {0.0, 0.0, 0.0}, turn = {0.0, 0.0, 0.0};
    bool moves, turns;
    choose(h, l, is_first, &moves, &turns);
    if (moves) { offset = fr_vec3_scale(-SHARE_MOVED, l->offset); }
    if (turns) { turn = fr_vec3_scale(-SHARE_MOVED, l->turn); }
    for (uint32_t i = 0; i < h->job->normal_count && has_aid(def); i++) {
        if (l->is_held[i]) { continue; }
        offset = fr_vec3_add_scaled(offset, -def->push, h->job->normals[i]);
        moves = true;
    }
    double length = fr_vec3_length(offset), angle = fr_vec3_length(turn);
    double motor = def->factor * def->motor, motor_angle = def->factor * def->motor_angle;
    double off = moves ? motor + def->motor_share * length : NOISE_STILL * motor;
    double tilt = turns ? motor_angle + def->motor_share * angle : NOISE_STILL * motor_angle;
    double seconds = 0.35 + 0.08 * log_2(1.0 + 0.5 * length / MM + 0.5 * fr_degrees(angle));
    offset = fr_vec3_add(offset, noise(h->random, off));
    turn = fr_vec3_add(turn, noise(h->random, tilt));
    h->result->corrections++;
    return move(h, offset, turn, 0.0, seconds);
}

// ---------------------------------------------------------------------------------------------------------------
// A trial

static fr_status grasp(hand *h) {
    const operator_def *def = h->def;
    const fr_object_view *view = fr_object_get(h->job->space, h->job->held);
    if (view == NULL) { return fr_error_set(h->error, FR_ERROR_STALE_ID, "the object to be placed is not there"); }
    h->at = h->shown = view->pose;
    h->time = h->job->start_time;
    h->at.rotation = fr_quat_multiply(fr_quat_from_vector(noise(h->random, def->spread_angle)), h->at.rotation);
    h->tremor = noise(h->random, def->factor * def->tremor);
    h->tremor_angle = noise(h->random, def->factor * def->tremor_angle);
    h->tremor_keep = decay(2.0 * FR_PI * def->tremor_hz / def->rate);
    h->tremor_new = sqrt(1.0 - h->tremor_keep * h->tremor_keep);
    h->delay = (uint32_t)fmin(def->delay * def->rate + 0.5, MOST_DELAY - 1.0);
    for (int i = 0; i < MOST_DELAY; i++) {
        h->late[i] = h->at;
    }
    if (has_contacts(def)) { return face_contacts_open(&h->contacts, h->error); }
    if (!has_aid(def)) { return FR_OK; }
    fr_status status = fr_aid_create(&def->aid, &h->aid, h->error);
    return status == FR_OK ? fr_aid_grasp(h->aid, h->job->space, h->job->held, h->error) : status;
}

static fr_status reach(hand *h) {
    const operator_job *job = h->job;
    fr_vec3 end = job->target.position;
    for (uint32_t i = 0; i < job->normal_count; i++) {
        end = fr_vec3_add_scaled(end, OFF_TARGET, job->normals[i]);
    }
    double distance = fr_vec3_distance(h->at.position, end);
    end = fr_vec3_add(end, noise(h->random, h->def->spread * distance));
    fr_quat tilt = fr_quat_from_vector(noise(h->random, h->def->spread_angle));
    fr_quat turned = fr_quat_multiply(tilt, job->target.rotation);
    fr_vec3 turn = fr_quat_to_vector(fr_quat_multiply(turned, fr_quat_conjugate(h->at.rotation)));
    return move(h, fr_vec3_sub(end, h->at.position), turn, HUMP, operator_reach_time(h->def, distance));
}

// Dwells, and lets go with a jerk.
static fr_status let_go(hand *h) {
    const operator_def *def = h->def;
    fr_status status = wait(h, def->dwell);
    if (status != FR_OK) { return status; }
    fr_vec3 jerk = noise(h->random, NOISE_JERK * def->factor * def->motor);
    fr_vec3 tilt = noise(h->random, NOISE_JERK * def->factor * def->motor_angle);
    h->at.position = fr_vec3_add(h->at.position, jerk);
    h->at.rotation = fr_quat_multiply(fr_quat_from_vector(tilt), h->at.rotation);
    return frame(h);
}

static fr_status place(hand *h) {
    bool is_efficiency = h->job->limit > 0.0;
    fr_status status = grasp(h);
    if (status == FR_OK) { status = reach(h); }
    while (status == FR_OK && !is_over(h)) {
        look l;
        status = wait_and_look(h, &l);
        if (status != FR_OK || is_over(h)) { break; }
        bool is_accepted_now = is_accepted(h, &l);
        if (!is_efficiency && (is_accepted_now || h->result->corrections >= h->def->patience)) {
            h->result->is_done = is_accepted_now;
            return let_go(h);
        }
        status = correct(h, &l, h->result->corrections == 0);
    }
    h->result->is_done = h->is_below;
    return status;
}

static void finish(hand *h) {
    fr_hand_event done = {.kind = FR_HAND_DONE, .count = h->held_count, .point = h->shown.position};
    if (h->aid != NULL) {
        fr_aid_output out;
        fr_aid_let_go(h->aid, &out);
        for (uint32_t i = 0; i < out.event_count; i++) {
            take_event(&out.events[i], h);
        }
    } else {
        take_event(&done, h);
    }
    operator_errors(h->job, &h->shown, &h->result->distance, &h->result->angle);
    h->result->pose = h->shown;
    h->result->held = h->held_count;
    h->result->seconds = h->time - h->job->start_time;
}

fr_status operator_place(const operator_def *def, const operator_job *job, fr_random *random, operator_result *result,
                         fr_error *error) {
    memset(result, 0, sizeof *result);
    hand h = {.def = def, .job = job, .random = random, .result = result, .error = error};
    fr_status status = place(&h);
    if (status == FR_OK) { finish(&h); }
    if (status == FR_OK) { status = fr_object_set_pose(job->space, job->held, &h.shown, error); }
    if (status == FR_OK) { status = fr_space_update(job->space, NULL, error); }
    fr_aid_destroy(h.aid);
    face_contacts_close(&h.contacts);
    return status;
}
