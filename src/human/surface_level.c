// What level faces offer: seats, places to lie, to put things on and to step on, and what hangs low.
#include "human/surface.h"

#include <math.h>

static const fr_vec3 UP = {0.0, 1.0, 0.0};
static const double SKIN = 0.015;    // metres over a face from which on its space must be free; ours
static const double FRAME = 0.08;    // metres that a frame may stand out before a seat or a bed; ours
static const double BEDROCK = 1.5;   // statures down to which the ground is looked for; ours
static const double HAND_OVER = 0.1; // metres over a face at which a hand comes; ours
enum { SPOTS_MAX = 7 };              // places along an edge

// An edge of a level face: where it is, which direction leads off it, how long it and the face behind it are.
typedef struct face_edge {
    fr_vec3 middle, out, along;
    double half, depth;
} face_edge;

static face_edge edge_of(const fr__face *face, int i) {
    double sign = i % 2 == 0 ? 1.0 : -1.0;
    bool is_end = i < 2;
    fr_vec3 out = fr_vec3_scale(sign, is_end ? face->axis : face->across);
    double half = is_end ? face->half[0] : face->half[1];
    face_edge edge = {.middle = fr_vec3_add_scaled(face->center, half, out)};
    edge.out = fr_vec3_unit(fr_vec3_make(out.x, 0.0, out.z), fr_vec3_make(0.0, 0.0, 1.0));
    edge.along = is_end ? face->across : face->axis;
    edge.half = is_end ? face->half[1] : face->half[0];
    edge.depth = 2.0 * half;
    return edge;
}

// The offsets of places along an edge, from its middle outwards. Returns how many.
static int spots_along(double half, double width, double spots[SPOTS_MAX]) {
    double room = half - 0.5 * width;
    spots[0] = 0.0;
    if (!(room > 0.25 * width)) { return 1; }
    for (int i = 1; i < SPOTS_MAX; i++) {
        double part = (double)((i + 1) / 2) / (double)(SPOTS_MAX / 2);
        spots[i] = (i % 2 == 1 ? 1.0 : -1.0) * part * room;
    }
    return SPOTS_MAX;
}

// The ground before a level face, and how high the face is over it.
static bool ground_before(fr__surface_look *look, fr_vec3 *place, double height, double low, double high) {
    double ground =
        fr__look_ground(look, fr_vec3_make(place->x, height + 0.05, place->z), BEDROCK * look->rules->body.stature);
    place->y = ground;
    return ground > -INFINITY && height - ground >= low && height - ground <= high;
}

// Whether a plate rises freely over a face, from one height to another.
static bool is_free_above(fr__surface_look *look, fr__plate plate, fr_vec3 at, fr_vec3 facing, double from, double to) {
    fr_vec3 start = {at.x, at.y + from, at.z};
    return fr__look_sweep(look, plate, start, fr__heading_turn(fr__heading_of(facing)), UP, to - from);
}

// ---------------------------------------------------------------------------------------------------------------
// Sit

// Something level before a seat that feet can lie on.
static void offer_feet(fr__surface_look *look, const struct fr__found *sitting, fr__offer *out) {
    fr_vec3 seat = sitting->target, facing = sitting->facing;
    const fr__surface_rules *r = look->rules;
    static const double parts[] = {0.80, 0.65, 0.95};
    double high = 0.35 * r->body.leg, low = -0.10 * r->body.leg;
    for (int i = 0; i < 3 && (out->kinds & 1u << FR_SURFACE_FEET) == 0; i++) {
        fr_vec3 above = fr_vec3_add_scaled(seat, parts[i] * r->body.leg, facing);
        above.y += high;
        fr_space_hit hit = fr__look_ray(look, above, fr_vec3_make(0.0, -1.0, 0.0), high - low);
        if (hit.object.index1 == 0 || fabs(hit.normal.y) < FR__SURFACE_LEVEL) { continue; }
        double half[2] = {0.5 * r->put, 0.5 * r->put};
        fr_vec3 left = {facing.z, 0.0, -facing.x};
        if (!fr__look_support(look, hit.point, facing, left, half)) { continue; }
        if (!is_free_above(look, FR__PLATE_PUT, hit.point, facing, SKIN, r->body.foot)) { continue; }
        struct fr__found found = *sitting;
        found.target = hit.point;
        found.facing = UP;
        found.height = hit.point.y - found.place.y;
        found.clearance = r->body.foot;
        found.on = hit;
        fr__offer_take(out, FR_SURFACE_FEET, &found);
    }
}

// Whether a body can sit `back` metres behind the edge at an offset along it.
static bool try_seat(fr__surface_look *look, const face_edge *edge, double offset, double back,
                     struct fr__found *found) {
    const fr__surface_rules *r = look->rules;
    fr_vec3 front = fr_vec3_add_scaled(edge->middle, offset, edge->along);
    fr_vec3 seat = fr_vec3_add_scaled(front, -back, edge->out);
    double half[2] = {0.5 * r->seat, 0.5 * r->seat};
    if (!fr__look_support(look, seat, edge->out, edge->along, half)) { return false; }
    if (!is_free_above(look, FR__PLATE_LAP, seat, edge->out, SKIN, r->elbow)) { return false; }
    if (!is_free_above(look, FR__PLATE_STAND, seat, edge->out, r->elbow, r->body.sitting_height)) { return false; }
    fr_vec3 before = found->place, lifted = {before.x, before.y + r->lift, before.z};
    double height = r->body.stature - r->lift;
    double heading = fr__heading_of(edge->out);
    if (!fr__look_sweep(look, FR__PLATE_FRONT, lifted, fr__heading_turn(heading), UP, height)) { return false; }
    if (fr__look_inside(look, fr_vec3_make(seat.x, seat.y + SKIN, seat.z))) { return false; }
    found->target = seat;
    found->facing = edge->out;
    found->heading = heading;
    found->height = seat.y - before.y;
    found->clearance = r->body.sitting_height;
    return true;
}

// Whether something is behind a seat at the height of the back.
static bool has_back(fr__surface_look *look, const face_edge *edge, fr_vec3 seat) {
    fr_vec3 from = {seat.x, seat.y + 1.5 * look->rules->elbow, seat.z};
    fr_space_hit hit = fr__look_ray(look, from, fr_vec3_negate(edge->out), edge->depth);
    return hit.object.index1 != 0;
}

static void offer_seat(fr__surface_look *look, const fr__face *face, fr__offer *out) {
    const fr__surface_rules *r = look->rules;
    bool has_seat = false;
    for (int i = 0; i < 4; i++) {
        face_edge edge = edge_of(face, i);
        double spots[SPOTS_MAX], deep = fmin(0.5 * edge.depth, 0.15 * r->body.stature);
        int count = spots_along(edge.half, r->seat, spots);
        bool is_found = false;
        for (int k = 0; k < 2 * count && !is_found; k++) {
            struct fr__found found = {0};
            double frame = k % 2 == 0 ? SKIN : FRAME;
            found.place = fr_vec3_add_scaled(edge.middle, spots[k / 2], edge.along);
            double height = found.place.y;
            found.place = fr_vec3_add_scaled(found.place, 0.5 * r->front + frame, edge.out);
            if (!ground_before(look, &found.place, height, r->sit_low, r->sit_high)) { continue; }
            is_found = try_seat(look, &edge, spots[k / 2], fmax(deep, 0.5 * r->seat), &found);
            if (!is_found && deep > 0.55 * r->seat) {
                is_found = try_seat(look, &edge, spots[k / 2], 0.5 * r->seat, &found);
            }
            if (!is_found) { continue; }
            bool is_backed = has_back(look, &edge, found.target);
            if (!has_seat || is_backed) { fr__offer_take(out, FR_SURFACE_SIT, &found); }
            has_seat = true;
            offer_feet(look, &found, out);
            if (is_backed) { return; }
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Put and step

static bool try_put(fr__surface_look *look, const face_edge *edge, fr_vec3 front, double back,
                    struct fr__found *found) {
    const fr__surface_rules *r = look->rules;
    fr_vec3 at = fr_vec3_add_scaled(front, -back, edge->out);
    double half[2] = {0.5 * r->put, 0.5 * r->put};
    fr_vec3 over = {front.x, front.y + HAND_OVER, front.z};
    if (fr__look_ray(look, over, fr_vec3_negate(edge->out), back).object.index1 != 0) { return false; }
    if (!fr__look_support(look, at, edge->out, edge->along, half)) { return false; }
    if (!is_free_above(look, FR__PLATE_PUT, at, edge->out, SKIN, r->put_free) ||
        fr__look_inside(look, fr_vec3_make(at.x, at.y + SKIN, at.z))) {
        return false;
    }
    found->target = at;
    found->facing = UP;
    found->height = at.y - found->place.y;
    found->clearance = r->put_free;
    return true;
}

static bool try_step(fr__surface_look *look, const face_edge *edge, fr_vec3 front, struct fr__found *found) {
    const fr__surface_rules *r = look->rules;
    fr_vec3 at = fr_vec3_add_scaled(front, -0.5 * r->body.depth, edge->out);
    double half[2] = {0.5 * r->body.foot, 0.5 * r->body.foot};
    if (!fr__look_support(look, at, edge->out, edge->along, half)) { return false; }
    if (!is_free_above(look, FR__PLATE_STAND, at, edge->out, r->lift, r->body.stature) ||
        fr__look_inside(look, fr_vec3_make(at.x, at.y + SKIN, at.z))) {
        return false;
    }
    found->target = at;
    found->facing = UP;
    found->height = at.y - found->place.y;
    found->clearance = r->body.stature;
    return true;
}

static void offer_edge(fr__surface_look *look, const face_edge *edge, fr__offer *out) {
    const fr__surface_rules *r = look->rules;
    const uint32_t put = 1u << FR_SURFACE_PUT, step = 1u << FR_SURFACE_STEP_ON;
    double spots[SPOTS_MAX];
    int count = spots_along(edge->half, r->put, spots);
    for (int k = 0; k < count && (out->kinds & (put | step)) != (put | step); k++) {
        fr_vec3 front = fr_vec3_add_scaled(edge->middle, spots[k], edge->along);
        struct fr__found found = {.place = fr_vec3_add_scaled(front, r->stand, edge->out)};
        double low = fmin(r->put_low, r->step_low), high = fmax(r->put_high, r->step_high);
        if (!ground_before(look, &found.place, front.y, low, high)) { continue; }
        double height = front.y - found.place.y;
        bool is_put = (out->kinds & put) == 0 && height >= r->put_low && height <= r->put_high;
        bool is_step = (out->kinds & step) == 0 && height >= r->step_low && height <= r->step_high;
        fr_vec3 in = fr_vec3_negate(edge->out);
        found.heading = fr__heading_of(in);
        if ((!is_put && !is_step) || !fr__look_stand(look, found.place, found.heading)) { continue; }
        fr_vec3 waist = {found.place.x, front.y + HAND_OVER, found.place.z};
        if (fr__look_ray(look, waist, in, r->stand + SKIN).object.index1 != 0) { continue; }
        double deep = fmin(0.5 * edge->depth, 0.4 * r->body.reach), shallow = 0.55 * r->put;
        if (is_put && (try_put(look, edge, front, fmax(deep, shallow), &found) ||
                       (deep > 1.1 * shallow && try_put(look, edge, front, shallow, &found)))) {
            fr__offer_take(out, FR_SURFACE_PUT, &found);
        }
        if (is_step && try_step(look, edge, front, &found)) { fr__offer_take(out, FR_SURFACE_STEP_ON, &found); }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Lie

// Whether a body can lie about a point, its length along a direction; it comes from the side `out`.
static bool try_lie(fr__surface_look *look, fr_vec3 at, fr_vec3 length, fr_vec3 out_of, double edge,
                    struct fr__found *found) {
    const fr__surface_rules *r = look->rules;
    double half[2] = {0.5 * r->body.stature, 0.5 * r->body.shoulder_width};
    if (!fr__look_support(look, at, length, out_of, half)) { return false; }
    if (!is_free_above(look, FR__PLATE_LIE, at, length, SKIN, r->lie_free) ||
        fr__look_inside(look, fr_vec3_make(at.x, at.y + SKIN, at.z))) {
        return false;
    }
    double near = 0.5 * r->body.shoulder_width, distance = edge < r->body.stature ? edge + FRAME : near;
    found->place = fr_vec3_add_scaled(at, distance + r->stand, out_of);
    if (!ground_before(look, &found->place, at.y, -0.05 * r->body.stature, r->lie_high)) { return false; }
    found->heading = fr__heading_of(out_of);
    if (!fr__look_stand(look, found->place, found->heading)) { return false; }
    found->target = at;
    found->facing = length;
    found->height = at.y - found->place.y;
    found->clearance = r->lie_free;
    return true;
}

static void offer_bed(fr__surface_look *look, const fr__face *face, fr__offer *out) {
    const fr__surface_rules *r = look->rules;
    fr_vec3 axes[2] = {face->axis, face->across};
    for (int i = 0; i < 2; i++) {
        fr_vec3 length = fr_vec3_unit(fr_vec3_make(axes[i].x, 0.0, axes[i].z), axes[i]), side = axes[1 - i];
        side = fr_vec3_unit(fr_vec3_make(side.x, 0.0, side.z), side);
        double room = face->half[i] - 0.5 * r->body.stature, wide = face->half[1 - i] - 0.5 * r->body.shoulder_width;
        if (room < 0.0 || wide < 0.0) { continue; }
        for (int k = 0; k < 18; k++) {
            static const double spread[3] = {0.0, 0.8, -0.8};
            double u = room * spread[k % 3], v = wide * spread[k / 3 % 3], sign = k < 9 ? 1.0 : -1.0;
            fr_vec3 at = fr_vec3_add_scaled(fr_vec3_add_scaled(face->center, u, axes[i]), v, axes[1 - i]);
            struct fr__found found = {0};
            double edge = face->half[1 - i] - sign * v;
            if (!try_lie(look, at, length, fr_vec3_scale(sign, side), edge, &found)) { continue; }
            fr__offer_take(out, FR_SURFACE_LIE, &found);
            return;
        }
    }
}

void fr__offer_level(fr__surface_look *look, const fr__face *face, fr__offer *out) {
    const fr__surface_rules *r = look->rules;
    double width = 2.0 * face->half[1];
    if (width < 0.05) { return; }
    offer_seat(look, face, out);
    if (width >= 0.8 * r->put) {
        for (int i = 0; i < 4; i++) {
            face_edge edge = edge_of(face, i);
            offer_edge(look, &edge, out);
        }
    }
    offer_bed(look, face, out);
}

// ---------------------------------------------------------------------------------------------------------------
// Duck

// A level face over the ground that one goes under.
void fr__offer_below(fr__surface_look *look, const fr__face *face, fr__offer *out) {
    const fr__surface_rules *r = look->rules;
    if (2.0 * face->half[0] < 0.5 * r->body.shoulder_width) { return; }
    fr_vec3 d = fr_vec3_unit(fr_vec3_make(face->across.x, 0.0, face->across.z), fr_vec3_make(0.0, 0.0, 1.0));
    double start = face->half[1] + 0.5 * r->body.depth + r->stand;
    double spots[SPOTS_MAX];
    int count = spots_along(face->half[0], r->pass, spots);
    for (int k = 0; k < count; k++) {
        fr_vec3 at = fr_vec3_add_scaled(face->center, spots[k], face->axis);
        fr_vec3 below = {at.x, at.y - 0.02, at.z};
        double ground = fr__look_ground(look, below, BEDROCK * r->body.stature), height = at.y - ground;
        if (!(height >= r->duck && height < r->headroom)) { continue; }
        fr_vec3 place = fr_vec3_add_scaled(at, -start, d), end = fr_vec3_add_scaled(at, start, d);
        place.y = end.y = ground;
        double heading = fr__heading_of(d);
        if (!fr__look_stand(look, place, heading) || !fr__look_stand(look, end, heading)) { continue; }
        fr_vec3 from = {place.x, ground + 0.5 * (r->duck + r->lift), place.z};
        if (!fr__look_sweep(look, FR__PLATE_DUCK, from, fr__heading_turn(heading), d, 2.0 * start)) { continue; }
        struct fr__found found = {.place = place, .target = end, .facing = d, .heading = heading};
        found.height = height;
        found.clearance = 2.0 * start;
        fr__offer_take(out, FR_SURFACE_DUCK, &found);
        return;
    }
}
