// Velocities after contacts. Each contact gives an impulse along its normal that ends the approach, or turns it about
// by the restitution, and one across it that stops the sliding as far as friction reaches. Contacts of one moment
// depend on one another: they are gone over again and again, each with the sum of what it has given so far, until
// nothing changes (projected Gauss-Seidel).
#include "fureai/base_order.h"
#include "fureai/touch.h"

#include <math.h>
#include <string.h>

#define REBOUND_COOKIE 0x5245424fu
#define TOGETHER 1e-3    // of a step: contacts of one moment
#define MOST_TOGETHER 64 // contacts of one moment; more are the next moment's
#define SWEEPS 200       // over the contacts of one moment
#define SETTLED 1e-13    // of the greatest impulse: nothing changes any more
#define NEARER 1e-11     // of the greatest impulse: what still comes nearer

fr_rebound_input fr_default_rebound_input(void) { return (fr_rebound_input){.slow = 1e-3, .cookie = REBOUND_COOKIE}; }

// ---------------------------------------------------------------------------------------------------------------
// Bodies

static fr_mat3 inverse_of(fr_mat3 m) {
    fr_vec3 a = m.row[0], b = m.row[1], c = m.row[2];
    fr_vec3 x = fr_vec3_cross(b, c), y = fr_vec3_cross(c, a), z = fr_vec3_cross(a, b);
    double d = 1.0 / fr_vec3_dot(a, x);
    fr_mat3 out = {{fr_vec3_make(d * x.x, d * y.x, d * z.x), fr_vec3_make(d * x.y, d * y.y, d * z.y),
                    fr_vec3_make(d * x.z, d * y.z, d * z.z)}};
    return out;
}

// Adds the inertia of a mass at an arm from the centre (Steiner).
static fr_mat3 shifted(fr_mat3 inertia, double mass, fr_vec3 arm) {
    double square = fr_vec3_length_squared(arm);
    const double r[3] = {arm.x, arm.y, arm.z};
    for (int i = 0; i < 3; i++) {
        double *row = &inertia.row[i].x;
        for (int k = 0; k < 3; k++) {
            row[k] += mass * ((i == k ? square : 0.0) - r[i] * r[k]);
        }
    }
    return inertia;
}

// A part of a scale s: volume s^3, inertia s^5; turned into the world.
static fr_mat3 placed_inertia(const fr_mat3 *inertia, const fr_pose *part, const fr_pose *object, double factor) {
    fr_mat3 turn = fr_mat3_multiply(fr_quat_to_mat3(object->rotation), fr_quat_to_mat3(part->rotation));
    fr_mat3 out = fr_mat3_multiply(fr_mat3_multiply(turn, *inertia), fr_mat3_transpose(turn));
    for (int i = 0; i < 3; i++) {
        out.row[i] = fr_vec3_scale(factor, out.row[i]);
    }
    return out;
}

fr_status fr_rebound_body_of(const fr_space *space, fr_object_id id, double density, fr_rebound_body *out,
                             fr_error *error) {
    memset(out, 0, sizeof *out);
    const fr_object_view *view = fr_object_get(space, id);
    if (view == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "there is no such object"); }
    if (!(density > 0.0) || !isfinite(density)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the density is not above 0");
    }
    double mass = 0.0;
    fr_vec3 center = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < view->part_count; i++) {
        fr_part_view part = fr_object_part(space, id, i);
        fr_mass m = fr_mesh_mass(part.mesh);
        double scale = view->pose.scale * part.pose.scale, own = density * fabs(m.volume) * scale * scale * scale;
        center = fr_vec3_add_scaled(center, own, fr_pose_apply(&view->pose, fr_pose_apply(&part.pose, m.center)));
        mass += own;
    }
    if (!(mass > 0.0)) { return fr_error_set(error, FR_ERROR_UNSUPPORTED, "the object encloses no volume"); }
    center = fr_vec3_scale(1.0 / mass, center);
    fr_mat3 inertia;
    memset(&inertia, 0, sizeof inertia);
    for (uint32_t i = 0; i < view->part_count; i++) {
        fr_part_view part = fr_object_part(space, id, i);
        fr_mass m = fr_mesh_mass(part.mesh);
        double scale = view->pose.scale * part.pose.scale, cube = scale * scale * scale;
        double sign = m.volume < 0.0 ? -1.0 : 1.0;
        fr_mat3 own = placed_inertia(&m.inertia, &part.pose, &view->pose, sign * density * cube * scale * scale);
        fr_vec3 at = fr_pose_apply(&view->pose, fr_pose_apply(&part.pose, m.center));
        own = shifted(own, density * fabs(m.volume) * cube, fr_vec3_sub(at, center));
        for (int k = 0; k < 3; k++) {
            inertia.row[k] = fr_vec3_add(inertia.row[k], own.row[k]);
        }
    }
    out->object = id;
    out->center = center;
    out->inverse_mass = 1.0 / mass;
    out->inverse_inertia = inverse_of(inertia);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// A contact

typedef struct rebound_contact {
    fr_rebound_body *a, *b;  // NULL: it does not move
    fr_vec3 arm_a, arm_b;    // from the centres to the point
    fr_vec3 normal, side[2]; // unit; from a to b, and across
    double give[3];          // velocity by a unit impulse along each of them
    double wanted;           // speed along the normal after it
    double friction;
    double given[3]; // impulses so far
} rebound_contact;

static fr_vec3 speed_at(const fr_rebound_body *body, fr_vec3 arm) {
    if (body == NULL) { return fr_vec3_make(0.0, 0.0, 0.0); }
    return fr_vec3_add(body->velocity, fr_vec3_cross(body->spin, arm));
}

// How fast b leaves a at the point.
static fr_vec3 parting(const rebound_contact *m) {
    return fr_vec3_sub(speed_at(m->b, m->arm_b), speed_at(m->a, m->arm_a));
}

static double give_of(const fr_rebound_body *body, fr_vec3 arm, fr_vec3 along) {
    if (body == NULL) { return 0.0; }
    fr_vec3 turn = fr_mat3_apply(body->inverse_inertia, fr_vec3_cross(arm, along));
    return body->inverse_mass + fr_vec3_dot(fr_vec3_cross(turn, arm), along);
}

static void push(fr_rebound_body *body, fr_vec3 arm, fr_vec3 along, double impulse) {
    if (body == NULL) { return; }
    body->velocity = fr_vec3_add_scaled(body->velocity, impulse * body->inverse_mass, along);
    fr_vec3 turn = fr_mat3_apply(body->inverse_inertia, fr_vec3_cross(arm, along));
    body->spin = fr_vec3_add_scaled(body->spin, impulse, turn);
}

static bool body_is_before(const fr_rebound_body *body, uint32_t index1) { return body->object.index1 < index1; }

FR_SEARCH_TYPE(find_body, fr_rebound_body, uint32_t, body_is_before);

static fr_rebound_body *body_of(const fr_rebound_input *input, fr_object_id id) {
    size_t at = find_body(input->bodies, input->body_count, id.index1);
    bool is_there = at < input->body_count && fr_object_id_equal(input->bodies[at].object, id);
    return is_there ? &input->bodies[at] : NULL;
}

// False where nothing comes nearer, or nothing can move.
static bool meet(const fr_rebound_input *input, const fr_contact *c, rebound_contact *m) {
    const fr_vec3 zero = {0.0, 0.0, 0.0};
    memset(m, 0, sizeof *m);
    m->normal = fr_vec3_unit(c->normal, zero);
    if (fr_vec3_equal(m->normal, zero)) { return false; }
    m->a = body_of(input, c->a);
    m->b = body_of(input, c->b);
    if (m->a == m->b) { return false; }
    double restitution = 1.0, friction = 1.0;
    const fr_rebound_body *bodies[2] = {m->a, m->b};
    for (int i = 0; i < 2; i++) {
        if (bodies[i] == NULL) { continue; }
        restitution = fmin(restitution, bodies[i]->restitution);
        friction *= bodies[1 - i] == NULL ? bodies[i]->friction * bodies[i]->friction : bodies[i]->friction;
    }
    if (m->a != NULL) { m->arm_a = fr_vec3_sub(c->point, m->a->center); }
    if (m->b != NULL) { m->arm_b = fr_vec3_sub(c->point, m->b->center); }
    double speed = fr_vec3_dot(parting(m), m->normal);
    m->wanted = -speed > input->slow ? -restitution * speed : 0.0;
    m->friction = sqrt(friction);
    m->side[0] = fr_vec3_perpendicular(m->normal);
    m->side[1] = fr_vec3_cross(m->normal, m->side[0]);
    const fr_vec3 along[3] = {m->normal, m->side[0], m->side[1]};
    for (int i = 0; i < 3; i++) {
        m->give[i] = give_of(m->a, m->arm_a, along[i]) + give_of(m->b, m->arm_b, along[i]);
    }
    return m->give[0] > 0.0 && speed < 0.0;
}

// ---------------------------------------------------------------------------------------------------------------
// Contacts of one moment

// Gives an impulse along an axis of the contact; returns how much of it there was.
static double give(rebound_contact *m, int axis, double impulse) {
    fr_vec3 along = axis == 0 ? m->normal : m->side[axis - 1];
    push(m->a, m->arm_a, along, -impulse);
    push(m->b, m->arm_b, along, impulse);
    m->given[axis] += impulse;
    return fabs(impulse);
}

static double settle_normal(rebound_contact *m) {
    double missing = (m->wanted - fr_vec3_dot(parting(m), m->normal)) / m->give[0];
    return give(m, 0, fmax(missing, -m->given[0]));
}

static double settle_one(rebound_contact *m) {
    double changed = settle_normal(m);
    // Across: as much as stops the sliding, within the cone of friction
    double limit = m->friction * m->given[0], wish[2];
    fr_vec3 sliding = parting(m);
    for (int i = 0; i < 2; i++) {
        wish[i] = m->given[1 + i] - fr_vec3_dot(sliding, m->side[i]) / m->give[1 + i];
    }
    double length = sqrt(wish[0] * wish[0] + wish[1] * wish[1]), part = length > limit ? limit / length : 1.0;
    for (int i = 0; i < 2; i++) {
        changed += give(m, 1 + i, part * wish[i] - m->given[1 + i]);
    }
    return changed;
}

static double settle(rebound_contact *meetings, uint32_t count) {
    double greatest = 0.0, impulse = 0.0;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double changed = 0.0;
        for (uint32_t i = 0; i < count; i++) {
            changed = fmax(changed, settle_one(&meetings[i]));
            greatest = fmax(greatest, meetings[i].given[0]);
        }
        if (changed <= SETTLED * greatest) { break; }
    }
    // Where friction and normals still pull at one another: nothing may come nearer
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        bool is_settled = true;
        for (uint32_t i = 0; i < count; i++) {
            rebound_contact *m = &meetings[i];
            if (fr_vec3_dot(parting(m), m->normal) >= -NEARER * greatest * m->give[0]) { continue; }
            (void)settle_normal(m);
            is_settled = false;
        }
        if (is_settled) { break; }
    }
    for (uint32_t i = 0; i < count; i++) {
        impulse += meetings[i].given[0];
    }
    return impulse;
}

// ---------------------------------------------------------------------------------------------------------------
// All contacts

static double energy_of(const fr_rebound_input *input) {
    double energy = 0.0;
    for (uint32_t i = 0; i < input->body_count; i++) {
        const fr_rebound_body *b = &input->bodies[i];
        if (b->inverse_mass == 0.0) { continue; }
        energy += 0.5 * fr_vec3_length_squared(b->velocity) / b->inverse_mass;
        fr_mat3 zero;
        memset(&zero, 0, sizeof zero);
        if (memcmp(&b->inverse_inertia, &zero, sizeof zero) == 0) { continue; }
        energy += 0.5 * fr_vec3_dot(b->spin, fr_mat3_apply(inverse_of(b->inverse_inertia), b->spin));
    }
    return energy;
}

static bool is_finite(fr_vec3 v) { return isfinite(v.x) && isfinite(v.y) && isfinite(v.z); }

static fr_status check_input(const fr_rebound_input *input, fr_error *error) {
    if (input->cookie != REBOUND_COOKIE) { return fr_error_set_cookie(error, "fr_default_rebound_input"); }
    for (uint32_t i = 0; i < input->body_count; i++) {
        const fr_rebound_body *b = &input->bodies[i];
        if (i > 0 && b->object.index1 <= input->bodies[i - 1].object.index1) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "body %u does not come after the one before it", i);
        }
        if (!is_finite(b->center) || !is_finite(b->velocity) || !is_finite(b->spin) || !(b->inverse_mass >= 0.0) ||
            !isfinite(b->inverse_mass)) {
            return fr_error_set(error, FR_ERROR_NOT_FINITE, "body %u is not finite", i);
        }
        if (!(b->restitution >= 0.0 && b->restitution <= 1.0) || !(b->friction >= 0.0 && b->friction <= 1e6)) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "restitution or friction of body %u is outside its limits",
                                i);
        }
    }
    for (uint32_t i = 0; i < input->contact_count; i++) {
        if (!is_finite(input->contacts[i].point) || !is_finite(input->contacts[i].normal) ||
            isnan(input->contacts[i].time)) {
            return fr_error_set(error, FR_ERROR_NOT_FINITE, "contact %u is not finite", i);
        }
    }
    return FR_OK;
}

// The earliest time after `after` at which a contact is.
static double next_time(const fr_rebound_input *input, double after) {
    double time = INFINITY;
    for (uint32_t i = 0; i < input->contact_count; i++) {
        double t = input->contacts[i].time;
        if (t > after && t < time) { time = t; }
    }
    return time;
}

// Settles the contacts from `time` on for a thousandth of a step; returns the latest time that was looked at.
static double settle_moment(const fr_rebound_input *input, double time, bool *has_met, fr_rebound_output *out) {
    rebound_contact meetings[MOST_TOGETHER];
    uint32_t count = 0;
    double last = time;
    for (uint32_t i = 0; i < input->contact_count && count < MOST_TOGETHER; i++) {
        const fr_contact *c = &input->contacts[i];
        if (c->time < time || c->time > time + TOGETHER) { continue; }
        if (c->time > last) { last = c->time; }
        count += meet(input, c, &meetings[count]) ? 1 : 0;
    }
    if (count > 0) {
        out->impulse += settle(meetings, count);
        *has_met = true;
    }
    return last;
}

fr_status fr_touch_rebound(const fr_rebound_input *input, fr_rebound_output *output, fr_error *error) {
    FR_ASSERT(input != NULL && output != NULL);
    memset(output, 0, sizeof *output);
    fr_status status = check_input(input, error);
    if (status != FR_OK) { return status; }
    double before = energy_of(input);
    while (!output->is_done && output->rounds < FR_REBOUND_ROUNDS) {
        bool has_met = false;
        for (double t = next_time(input, -INFINITY); t < INFINITY;) {
            t = next_time(input, settle_moment(input, t, &has_met, output));
        }
        output->is_done = !has_met;
        output->rounds += has_met ? 1 : 0;
    }
    output->energy_lost = before - energy_of(input);
    return FR_OK;
}
