// The force at a pen. The proxy is the nearest place that all planes allow, and a spring and a damper hold the tip to
// it: for one plane that is the force k delta - B v along its normal, for more it has no seams, since the nearest point
// of a convex set moves no faster than the tip. Of a held object the proxy is where it is shown (shown.c). What force
// and torque may change by in a tick is bounded last of all, so that nothing before it has to be trusted.
#include "shown.h"

#include <math.h>
#include <string.h>

#define HAPTIC_COOKIE 0x48415054u
#define PARALLEL 1e-9  // of the product of normals: planes that do not cross
#define ALLOWED 1e-9   // metres: a place this far beyond a plane is on it
#define UNIT 1e-6      // of a normal's length
#define FAST 0.02      // metres a second: a pen that moves
#define JUMP_TURN 0.5  // radians a tick
#define LOAD_SHARE 0.5 // of force_max that a load may have, so that there is force left for what it meets
#define LOAD_RISE 0.2  // of `rise` by which a load comes and goes
#define NO_FORCE                                                                                                       \
    (FR_HAPTIC_FAULT | FR_HAPTIC_RELEASED | FR_HAPTIC_SLIPPED | FR_HAPTIC_STALE | FR_HAPTIC_CLOCK |                    \
     FR_HAPTIC_NOT_FINITE)

static const fr_vec3 zero = {0.0, 0.0, 0.0};

fr_haptic_def fr_default_haptic_def(void) {
    return (fr_haptic_def){.stiffness = 400.0,
                           .damping = 0.1,
                           .force_max = 4.0,
                           .rise = 50.0,
                           .turn_stiffness = 0.5,
                           .turn_damping = 0.001,
                           .torque_max = 0.3,
                           .torque_rise = 2.0,
                           .blend = 0.01,
                           .stale = 0.1,
                           .cutoff = 30.0,
                           .jump = 0.05,
                           .late = 0.02,
                           .pulse_force = 1.0,
                           .pulse_time = 0.06,
                           .energy_store = 0.1,
                           .is_observed = true,
                           .cookie = HAPTIC_COOKIE};
}

static bool is_definition(const fr_haptic_def *def) {
    const double from_zero[] = {def->stiffness,    def->damping,    def->force_max,    def->blend,
                                def->pulse_force,  def->pulse_time, def->energy_store, def->turn_stiffness,
                                def->turn_damping, def->torque_max};
    const double above_zero[] = {def->rise, def->stale, def->cutoff, def->jump, def->late, def->torque_rise};
    bool is_right = !isinf(def->cutoff);
    for (size_t i = 0; i < sizeof from_zero / sizeof from_zero[0]; i++) {
        is_right = is_right && from_zero[i] >= 0.0 && isfinite(from_zero[i]);
    }
    for (size_t i = 0; i < sizeof above_zero / sizeof above_zero[0]; i++) {
        is_right = is_right && above_zero[i] > 0.0;
    }
    return is_right;
}

fr_status fr_haptic_create(const fr_haptic_def *def, fr_haptic **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != HAPTIC_COOKIE) { return fr_error_set_cookie(error, "fr_default_haptic_def"); }
    if (!is_definition(def)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a number of the definition is outside its limits");
    }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_haptic *haptic = fr_allocate(&allocator, 1, sizeof *haptic, _Alignof(fr_haptic));
    if (haptic == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for the state of a pen's force"); }
    memset(haptic, 0, sizeof *haptic);
    haptic->def = *def;
    haptic->allocator = allocator;
    haptic->blended = 1.0;
    haptic->rotation = fr_quat_identity();
    *out = haptic;
    return FR_OK;
}

void fr_haptic_destroy(fr_haptic *haptic) {
    if (haptic == NULL) { return; }
    fr_allocator allocator = haptic->allocator;
    fr_deallocate(&allocator, haptic, 1, sizeof *haptic);
}

// ---------------------------------------------------------------------------------------------------------------
// The proxy

// A half space: outward . x >= level.
typedef struct half {
    fr_vec3 outward;
    double level;
} half;

static half half_of(const fr_haptic_plane *p) {
    double side = p->side < 0 ? -1.0 : 1.0;
    return (half){fr_vec3_scale(side, p->normal), side * p->offset + p->distance};
}

// The place nearest to the tip on all borders that `chosen` names; false where two of them are parallel.
static bool nearest_on(const half *halves, uint32_t count, uint32_t chosen, fr_vec3 tip, fr_vec3 *place) {
    fr_vec3 n[FR_HAPTIC_PLANES];
    double depth[FR_HAPTIC_PLANES];
    uint32_t k = 0;
    for (uint32_t i = 0; i < count; i++) {
        if ((chosen >> i & 1u) == 0) { continue; }
        n[k] = halves[i].outward;
        depth[k++] = halves[i].level - fr_vec3_dot(halves[i].outward, tip);
    }
    fr_vec3 displacement = zero;
    if (k == 1) { displacement = fr_vec3_scale(depth[0], n[0]); }
    if (k == 2) {
        double c = fr_vec3_dot(n[0], n[1]), d = 1.0 - c * c;
        if (!(d > PARALLEL)) { return false; }
        displacement = fr_vec3_scale((depth[0] - c * depth[1]) / d, n[0]);
        displacement = fr_vec3_add_scaled(displacement, (depth[1] - c * depth[0]) / d, n[1]);
    }
    if (k == 3) {
        fr_vec3 yz = fr_vec3_cross(n[1], n[2]);
        double d = fr_vec3_dot(n[0], yz);
        if (!(d * d > PARALLEL)) { return false; }
        displacement = fr_vec3_scale(depth[0] / d, yz);
        displacement = fr_vec3_add_scaled(displacement, depth[1] / d, fr_vec3_cross(n[2], n[0]));
        displacement = fr_vec3_add_scaled(displacement, depth[2] / d, fr_vec3_cross(n[0], n[1]));
    }
    *place = fr_vec3_add(tip, displacement);
    return true;
}

static bool is_allowed(const half *halves, uint32_t count, fr_vec3 place) {
    for (uint32_t i = 0; i < count; i++) {
        if (fr_vec3_dot(halves[i].outward, place) < halves[i].level - ALLOWED) { return false; }
    }
    return true;
}

// The nearest allowed place lies on the borders of some of the planes: the nearest of those that are allowed. Where
// planes allow no place at all (a slot narrower than their distances) each pushes for itself.
static fr_vec3 proxy_of(const fr__haptic_set *set, fr_vec3 tip) {
    half halves[FR_HAPTIC_PLANES];
    for (uint32_t i = 0; i < set->count; i++) {
        halves[i] = half_of(&set->planes[i]);
    }
    double least = INFINITY;
    fr_vec3 best = tip;
    for (uint32_t chosen = 0; chosen < 1u << set->count; chosen++) {
        fr_vec3 place;
        if (!nearest_on(halves, set->count, chosen, tip, &place) || !is_allowed(halves, set->count, place)) {
            continue;
        }
        double distance = fr_vec3_distance(place, tip);
        if (distance < least) {
            least = distance;
            best = place;
        }
    }
    if (least < INFINITY) { return best; }
    for (uint32_t i = 0; i < set->count; i++) {
        double depth = halves[i].level - fr_vec3_dot(halves[i].outward, tip);
        if (depth > 0.0) { best = fr_vec3_add_scaled(best, depth, halves[i].outward); }
    }
    return best;
}

// Spring and damper along the line to the proxy; never pulls.
static fr_vec3 push_of(const fr_haptic *h, const fr__haptic_set *set, fr_vec3 tip, fr_vec3 *proxy) {
    *proxy = proxy_of(set, tip);
    fr_vec3 displacement = fr_vec3_sub(*proxy, tip);
    double depth = fr_vec3_length(displacement);
    if (!(depth > 0.0)) { return zero; }
    fr_vec3 along = fr_vec3_scale(1.0 / depth, displacement);
    double size = h->def.stiffness * depth - h->def.damping * fr_vec3_dot(along, h->velocity);
    return fr_vec3_scale(fmax(size, 0.0), along);
}

static fr__wrench wrench_of(const fr_haptic *h, const fr__haptic_set *set, const fr_haptic_input *in, fr_vec3 *proxy,
                            fr_quat *rotation) {
    if (set->is_hold) { return fr__haptic_shown(h, &set->hold, in, proxy, rotation); }
    *rotation = h->rotation;
    return (fr__wrench){push_of(h, set, in->tip, proxy), zero};
}

// ---------------------------------------------------------------------------------------------------------------
// Planes that come and go

static bool is_plane(const fr_haptic_plane *p) {
    return p->id != 0 && fr_vec3_is_finite(p->normal) && isfinite(p->offset) && isfinite(p->distance) &&
           p->distance >= 0.0 && fabs(fr_vec3_length(p->normal) - 1.0) <= UNIT;
}

static const fr_haptic_plane *find(const fr__haptic_set *set, uint32_t id) {
    for (uint32_t i = 0; i < set->count && !set->is_hold; i++) {
        if (set->planes[i].id == id) { return &set->planes[i]; }
    }
    return NULL;
}

// A side that is not given is the one of the first touch.
static void settle_sides(fr__haptic_set *set, const fr__haptic_set *known, fr_vec3 tip) {
    for (uint32_t i = 0; i < set->count && !set->is_hold; i++) {
        fr_haptic_plane *p = &set->planes[i];
        if (p->side != 0) { continue; }
        const fr_haptic_plane *old = find(known, p->id);
        double s = fr_vec3_dot(p->normal, tip) - p->offset;
        p->side = old != NULL ? old->side : (s < 0.0 ? -1 : 1);
    }
}

static bool are_equal(const fr__haptic_set *a, const fr__haptic_set *b) {
    if (a->count != b->count || a->is_hold || b->is_hold) { return false; } // a hand that holds is never at rest
    for (uint32_t i = 0; i < a->count; i++) {
        const fr_haptic_plane *p = &a->planes[i], *q = &b->planes[i];
        if (p->id != q->id || p->side != q->side || p->offset != q->offset || p->distance != q->distance ||
            !fr_vec3_equal(p->normal, q->normal)) {
            return false;
        }
    }
    return true;
}

static bool is_sent_right(const fr_haptic_input *in) {
    if (!fr_vec3_is_finite(in->load)) { return false; }
    if (in->has_hold) { return fr__haptic_is_hold(&in->hold); }
    if (in->plane_count > FR_HAPTIC_PLANES) { return false; }
    for (uint32_t i = 0; i < in->plane_count; i++) {
        if (!is_plane(&in->planes[i])) { return false; }
    }
    return true;
}

static bool take_sent(fr_haptic *h, const fr_haptic_input *in) {
    if (!in->has_planes && !in->has_hold) { return true; }
    if (!is_sent_right(in)) { return false; }
    memset(&h->next, 0, sizeof h->next);
    h->next.is_hold = in->has_hold;
    h->next.load = in->load;
    if (in->has_hold) {
        h->next.hold = in->hold;
        h->next.count = in->hold.count;
    } else {
        memcpy(h->next.planes, in->planes, in->plane_count * sizeof in->planes[0]);
        h->next.count = in->plane_count;
    }
    h->has_next = true;
    return true;
}

// What is new waits until the last change is done, which is never longer than a blend.
static void blend(fr_haptic *h, double dt, fr_vec3 tip) {
    h->now.age += dt;
    h->before.age += dt;
    h->next.age += dt;
    h->blended = h->def.blend > 0.0 ? fmin(1.0, h->blended + dt / h->def.blend) : 1.0;
    if (!h->has_next || h->blended < 1.0) { return; }
    settle_sides(&h->next, &h->now, tip);
    if (!are_equal(&h->next, &h->now)) {
        h->before = h->now;
        h->blended = h->def.blend > 0.0 ? 0.0 : 1.0;
    }
    h->now = h->next;
    h->has_next = false;
}

// ---------------------------------------------------------------------------------------------------------------
// The tick

static void start_pulse(fr_haptic *h, const fr_haptic_input *in) {
    if (!in->has_pulse || !fr_vec3_is_finite(in->pulse_from)) { return; }
    fr_vec3 up = fr_vec3_make(0.0, 1.0, 0.0);
    h->pulse_left = h->def.pulse_time;
    if (fr_vec3_length(h->velocity) > FAST) {
        h->pulse_direction = fr_vec3_unit(fr_vec3_negate(h->velocity), up);
    } else {
        h->pulse_direction = fr_vec3_unit(fr_vec3_sub(in->tip, in->pulse_from), up);
    }
}

static uint32_t faults_of(const fr_haptic *h, const fr_haptic_input *in) {
    uint32_t flags = 0;
    if (in->is_fault) { flags |= FR_HAPTIC_FAULT; }
    if (!in->is_held) { flags |= FR_HAPTIC_RELEASED; }
    if (in->is_slipped) { flags |= FR_HAPTIC_SLIPPED; }
    if (!(in->dt > 0.0 && in->dt <= h->def.late)) { flags |= FR_HAPTIC_CLOCK; }
    fr_quat q = in->rotation;
    bool is_turn = !in->has_rotation || fr_quat_normalize(&q, NULL) == FR_OK;
    if (!fr_vec3_is_finite(in->tip) || !is_turn) { flags |= FR_HAPTIC_NOT_FINITE; }
    return flags;
}

// How far hand and pen went in a tick.
typedef struct step {
    fr_vec3 displacement, turn;
} step;

// Where the tip went, what that did with the force that stood, and its velocity. Returns whether it jumped.
static bool follow_tip(fr_haptic *h, const fr_haptic_input *in, step *out) {
    fr_vec3 displacement = h->has_tip ? fr_vec3_sub(in->tip, h->tip) : zero, turn = zero;
    if (in->has_rotation && h->has_rotation) {
        turn = fr_quat_to_vector(fr_quat_multiply(in->rotation, fr_quat_conjugate(h->rotation)));
    }
    bool jumped = fr_vec3_length(displacement) > h->def.jump || fr_vec3_length(turn) > JUMP_TURN;
    if (jumped) {
        h->velocity = h->spin = displacement = turn = zero; // a pose that jumped says nothing of the hand
    } else {
        double x = 2.0 * FR_PI * h->def.cutoff * in->dt, part = x / (1.0 + x);
        h->velocity = fr_vec3_lerp(h->velocity, fr_vec3_scale(1.0 / in->dt, displacement), part);
        h->spin = fr_vec3_lerp(h->spin, fr_vec3_scale(1.0 / in->dt, turn), part);
        double gave = fr_vec3_dot(h->force, displacement) + fr_vec3_dot(h->torque, turn);
        h->energy = fmax(h->energy + gave, -h->def.energy_store);
    }
    h->tip = in->tip;
    h->has_tip = true;
    h->rotation = in->has_rotation ? in->rotation : fr_quat_identity();
    h->has_rotation = in->has_rotation;
    *out = (step){displacement, turn};
    return jumped;
}

static fr_vec3 clamped(fr_vec3 force, double most, uint32_t *flags, uint32_t flag) {
    double size = fr_vec3_length(force);
    if (size <= most) { return force; }
    *flags |= flag;
    return fr_vec3_scale(most / size, force);
}

// A force may fall as fast as it likes. What is left of the last one then changes by `rise` at most.
static fr_vec3 rise_limited(fr_vec3 last, fr_vec3 wanted, double rise, double dt, uint32_t *flags) {
    if (isinf(rise)) { return wanted; }
    double size = fr_vec3_length(wanted);
    uint32_t fell = 0;
    fr_vec3 base = clamped(last, size, &fell, 1);
    fr_vec3 change = clamped(fr_vec3_sub(wanted, base), rise * dt, flags, FR_HAPTIC_RISING);
    return fr_vec3_add(base, change);
}

// What the springs would give over the whole displacement back to the proxy.
static double tension_of(const fr_haptic_input *in, const fr__wrench *w, const fr_haptic_output *out) {
    double sum = fr_vec3_dot(w->force, fr_vec3_sub(out->proxy, in->tip));
    if (in->has_rotation) {
        fr_quat turn = fr_quat_multiply(out->rotation, fr_quat_conjugate(in->rotation));
        sum += fr_vec3_dot(w->torque, fr_quat_to_vector(turn));
    }
    return 0.5 * fmax(sum, 0.0);
}

// Energy the hand gets must have come from it. While the pen goes out a force is made so small that what the hand put
// in lasts to the end: were it given whole until nothing is left, it would break off there, and a hand that leans on a
// wall would be caught and dropped ten times a second. Less than that in any case where the next tick would give more
// than there is. All this is damping against the motion that never turns into a pull. Returns the part that is given.
static double observed_part(const fr_haptic *h, const fr__wrench *wrench, const step *s, double tension) {
    double gives = fr_vec3_dot(wrench->force, s->displacement) + fr_vec3_dot(wrench->torque, s->turn);
    if (!h->def.is_observed || !(gives > 0.0)) { return 1.0; }
    double left = fmax(0.0, -h->energy), part = fmin(1.0, left / gives);
    return tension > left ? fmin(part, left / tension) : part;
}

static fr__wrench wanted(fr_haptic *h, const fr_haptic_input *in, uint32_t *flags, fr_haptic_output *out) {
    bool has_sent = h->now.count > 0 || fr_vec3_length(h->now.load) > 0.0;
    if (has_sent && h->now.age > h->def.stale) {
        *flags |= FR_HAPTIC_STALE;
        h->pulse_left = 0.0;
        return (fr__wrench){zero, zero};
    }
    fr__wrench w = wrench_of(h, &h->now, in, &out->proxy, &out->rotation);
    if (h->blended < 1.0) {
        fr_vec3 place;
        fr_quat turned;
        fr__wrench old = {zero, zero};
        if (h->before.age <= h->def.stale) { old = wrench_of(h, &h->before, in, &place, &turned); }
        w.force = fr_vec3_lerp(old.force, w.force, h->blended);
        w.torque = fr_vec3_lerp(old.torque, w.torque, h->blended);
    }
    if (h->pulse_left > 0.0) {
        w.force = fr_vec3_add_scaled(w.force, h->def.pulse_force, h->pulse_direction);
        h->pulse_left -= in->dt;
    }
    w.force = clamped(w.force, h->def.force_max - fr_vec3_length(h->load), flags, FR_HAPTIC_CLAMPED);
    w.torque = clamped(w.torque, h->def.torque_max, flags, FR_HAPTIC_CLAMPED);
    return w;
}

// The load comes and goes slowly.
static fr_vec3 next_load(const fr_haptic *h, double dt) {
    uint32_t unused = 0;
    fr_vec3 aim = clamped(h->now.load, LOAD_SHARE * h->def.force_max, &unused, 1);
    if (isinf(h->def.rise)) { return aim; }
    return fr_vec3_add(h->load, clamped(fr_vec3_sub(aim, h->load), LOAD_RISE * h->def.rise * dt, &unused, 1));
}

// The force with the load. What pushed against the load may fall at once, and the load alone may be more than both
// were: then it comes back as fast as a force may rise, in place of what is pushed.
static fr_vec3 with_load(const fr_haptic *h, fr_vec3 force, double part, double dt, uint32_t *flags) {
    bool had_load = !fr_vec3_equal(h->whole, h->force), has_load = fr_vec3_length(h->load) > 0.0;
    if (!had_load && !has_load) { return force; }
    return rise_limited(fr_vec3_scale(part, h->whole), fr_vec3_add(force, h->load), h->def.rise, dt, flags);
}

// The last tick says nothing about this one: the state begins from scratch.
static void forget(fr_haptic *h) {
    h->has_tip = h->has_rotation = false;
    h->velocity = h->spin = h->force = h->torque = h->load = h->whole = zero;
    h->now.age = h->before.age = h->next.age = INFINITY;
}

void fr_haptic_tick(fr_haptic *haptic, const fr_haptic_input *input, fr_haptic_output *output) {
    FR_ASSERT(haptic != NULL && input != NULL && output != NULL);
    fr_haptic *h = haptic;
    memset(output, 0, sizeof *output);
    uint32_t flags = faults_of(h, input);
    if (!take_sent(h, input)) { flags |= FR_HAPTIC_NOT_FINITE; }
    output->proxy = h->tip;
    output->rotation = h->rotation;
    if ((flags & (FR_HAPTIC_CLOCK | FR_HAPTIC_NOT_FINITE)) != 0) {
        forget(h);
        output->flags = flags;
        output->energy = h->energy;
        return;
    }
    step s;
    if (follow_tip(h, input, &s)) { flags |= FR_HAPTIC_JUMPED; }
    blend(h, input->dt, input->tip);
    start_pulse(h, input);
    output->proxy = input->tip;
    output->rotation = h->rotation;
    h->load = next_load(h, input->dt);
    fr__wrench w = wanted(h, input, &flags, output);
    w.force = rise_limited(h->force, w.force, h->def.rise, input->dt, &flags);
    w.torque = rise_limited(h->torque, w.torque, h->def.torque_rise, input->dt, &flags);
    double part = observed_part(h, &w, &s, tension_of(input, &w, output));
    if (part < 1.0) {
        flags |= FR_HAPTIC_PASSIVE;
        w.force = fr_vec3_scale(part, w.force);
        w.torque = fr_vec3_scale(part, w.torque);
    }
    fr_vec3 whole = with_load(h, w.force, part, input->dt, &flags);
    if (!fr_vec3_is_finite(w.force) || !fr_vec3_is_finite(w.torque)) {
        // Numbers so large that they cannot be reckoned with
        flags |= FR_HAPTIC_NOT_FINITE;
        forget(h);
        output->proxy = input->tip;
        output->rotation = input->has_rotation ? input->rotation : fr_quat_identity();
    }
    if ((flags & NO_FORCE) != 0) {
        w = (fr__wrench){zero, zero};
        h->pulse_left = 0.0;
        h->load = whole = zero;
    }
    h->force = w.force;
    h->whole = output->force = whole;
    h->torque = output->torque = w.torque;
    output->energy = h->energy;
    output->flags = flags;
}
