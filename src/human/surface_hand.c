// What upright faces, small faces and pieces offer to hands: to lean on, to press, to grasp, to hold on to; and gaps.
#include "human/surface.h"

#include <math.h>

static const double FINGER_PATH = 0.06; // metres before a button, human-motion 14.6
static const double BEFORE = 0.01;      // metres before a face at which a hand stops; ours
static const double BEDROCK = 1.5;      // statures down to which the ground is looked for; ours
static const double STANDOFF = 0.6;     // of the reach, from a body to what its hand is at; ours
static const double LEANING = 1.15;     // reaches from the shoulder to what a body gets at that leans a little; ours
static const double BENDING = 1.35;     // likewise, of a body that bends down to a thing; ours
static const double RAISED[] = {0.0, 0.02, 0.035}; // metres over the middle of a thing at which it is gripped; ours
static const double BAR = 0.060;                   // metres: the thickest bar that a hand closes about; ours
static const double BAR_LENGTH = 0.12;             // of the stature: the shortest; ours
static const double WIDEST = 0.16;                 // of the stature: of what is gripped across; ours
static const double LONGEST = 0.40;                // of the stature: of what is taken with one hand; ours

static fr_vec3 level(fr_vec3 v) { return fr_vec3_unit(fr_vec3_make(v.x, 0.0, v.z), fr_vec3_make(0.0, 0.0, 0.0)); }

// Where a body stands whose hand is at a point that it comes to from a horizontal direction, so many reaches away, and
// no more reaches below the shoulder.
static bool stand_off(fr__surface_look *look, fr_vec3 at, fr_vec3 from, double away, double below,
                      struct fr__found *found) {
    const fr__surface_rules *r = look->rules;
    fr_vec3 place = fr_vec3_add_scaled(at, away * r->body.reach, from);
    double ground = fr__look_ground(look, place, BEDROCK * r->body.stature), height = at.y - ground;
    if (!(height >= r->reach_low && height <= r->reach_high)) { return false; }
    place.y = ground;
    fr_vec3 shoulder = {place.x, ground + r->body.shoulder_height, place.z};
    if (fr_vec3_distance(shoulder, at) > below * r->body.reach) { return false; }
    double heading = fr__heading_of(fr_vec3_negate(from));
    if (!fr__look_stand(look, place, heading)) { return false; }
    found->place = place;
    found->heading = heading;
    found->height = height;
    return true;
}

static bool stand_before(fr__surface_look *look, fr_vec3 at, fr_vec3 from, struct fr__found *found) {
    return stand_off(look, at, from, STANDOFF, LEANING, found);
}

// Metres that a plate goes along a direction to just before a point.
static bool is_course_free(fr__surface_look *look, fr__plate plate, fr_vec3 at, fr_vec3 out, double from, double to) {
    fr_quat turn = fr_quat_between(fr_vec3_make(0.0, 0.0, 1.0), out);
    fr_vec3 start = fr_vec3_add_scaled(at, from, out);
    return fr__look_sweep(look, plate, start, turn, fr_vec3_negate(out), from - to);
}

// ---------------------------------------------------------------------------------------------------------------
// Faces

void fr__offer_upright(fr__surface_look *look, const fr__face *face, fr__offer *out) {
    const fr__surface_rules *r = look->rules;
    fr_vec3 n = level(face->normal), across = {n.z, 0.0, -n.x};
    double wide =
        fabs(fr_vec3_dot(face->axis, across)) * face->half[0] + fabs(fr_vec3_dot(face->across, across)) * face->half[1];
    double tall = fabs(face->axis.y) * face->half[0] + fabs(face->across.y) * face->half[1];
    double top = face->center.y + tall, bottom = face->center.y - tall;
    if (2.0 * wide < r->body.shoulder_width || 2.0 * tall < r->lean_high - r->lean_low) { return; }
    for (int k = 0; k < 7; k++) {
        double part = (k % 2 == 1 ? 1.0 : -1.0) * (double)((k + 1) / 2) / 3.0;
        fr_vec3 at = fr_vec3_add_scaled(face->center, part * fmax(wide - 0.5 * r->body.shoulder_width, 0.0), across);
        fr_vec3 from = fr_vec3_add_scaled(at, STANDOFF * r->body.reach, n);
        from.y = fmin(top, bottom + 0.5 * r->body.stature);
        double ground = fr__look_ground(look, from, BEDROCK * r->body.stature);
        if (!(top >= ground + r->lean_high && bottom <= ground + r->lean_low)) { continue; }
        at.y = ground + r->body.shoulder_height;
        double reach = STANDOFF * r->body.reach;
        fr_vec3 before = fr_vec3_add_scaled(at, 0.1, n);
        struct fr__found found = {.target = at, .facing = n, .clearance = reach};
        if (fr__look_ray(look, before, fr_vec3_negate(n), 0.13).object.index1 == 0) { continue; }
        if (!stand_before(look, at, n, &found) || !is_course_free(look, FR__PLATE_HAND, at, n, reach, 2.0 * BEFORE)) {
            continue;
        }
        fr__offer_take(out, FR_SURFACE_LEAN, &found);
        return;
    }
}

enum { DIRECTIONS = 16 };

// First eight, then those between them.
static fr_vec3 heading_direction(int i) {
    double sine, cosine;
    fr_sincos(0.25 * FR_PI * i + (i >= DIRECTIONS / 2 ? 0.125 * FR_PI : 0.0), &sine, &cosine);
    return fr_vec3_make(sine, 0.0, cosine);
}

void fr__offer_small(fr__surface_look *look, const fr__face *face, fr__offer *out) {
    double size[2] = {2.0 * face->half[0], 2.0 * face->half[1]};
    if (!face->is_distinct || face->normal.y < -0.5 || size[1] < FR__SURFACE_PRESS_MIN ||
        size[0] > FR__SURFACE_PRESS_MAX) {
        return;
    }
    if (!is_course_free(look, FR__PLATE_FINGER, face->center, face->normal, FINGER_PATH, 0.002)) { return; }
    fr_vec3 n = level(face->normal);
    bool is_level = fabs(face->normal.y) > 0.7;
    for (int i = 0; i < (is_level ? 8 : 1); i++) {
        fr_vec3 from = is_level ? heading_direction(i) : n;
        struct fr__found found = {.target = face->center, .facing = face->normal, .clearance = FINGER_PATH};
        if (!stand_before(look, face->center, from, &found)) { continue; }
        fr_vec3 tip = fr_vec3_add_scaled(face->center, FINGER_PATH, face->normal), shoulder = found.place;
        shoulder.y += look->rules->body.shoulder_height;
        if (fr__look_ray(look, shoulder, fr_vec3_sub(tip, shoulder), 1.0).object.index1 != 0) { continue; }
        fr__offer_take(out, FR_SURFACE_PRESS, &found);
        return;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Pieces

// A piece in the world.
typedef struct placed_piece {
    fr_vec3 center, axes[3];
    double size[3]; // growing
} placed_piece;

// How wide a piece is along a horizontal direction; never more than it is long in its own axes, as round ones are as
// wide in all directions.
static double width_along(const placed_piece *p, fr_vec3 direction) {
    double sum = 0.0, longest = 0.0;
    for (int k = 0; k < 3; k++) {
        sum += p->size[k] * fabs(fr_vec3_dot(p->axes[k], direction));
        if (fabs(p->axes[k].y) < 0.7) { longest = fmax(longest, p->size[k]); }
    }
    return fmin(sum, longest);
}

// Whether a hand comes to a piece, at its middle or, where what it stands on would meet the hand, above that.
static bool has_course(fr__surface_look *look, const placed_piece *p, fr_vec3 from, double start, double end) {
    double top = 0.0;
    for (int k = 0; k < 3; k++) {
        top += 0.5 * p->size[k] * fabs(p->axes[k].y);
    }
    bool is_free = false;
    for (size_t i = 0; i < sizeof RAISED / sizeof RAISED[0] && !is_free && RAISED[i] <= top; i++) {
        fr_vec3 at = {p->center.x, p->center.y + RAISED[i], p->center.z};
        is_free = is_course_free(look, FR__PLATE_HAND, at, from, start, end);
    }
    return is_free;
}

// A thing is gripped across the direction that the hand comes from; the body stands near or farther off.
static bool try_grasp(fr__surface_look *look, const placed_piece *p, fr_vec3 from, struct fr__found *found) {
    static const double away[] = {0.6, 0.75, 0.5};
    fr_vec3 across = {from.z, 0.0, -from.x};
    double width = width_along(p, across), outer = 0.5 * width_along(p, from);
    if (width < FR__SURFACE_GRASP_MIN || width > FR__SURFACE_GRASP_MAX) { return false; }
    bool is_found = false;
    for (size_t i = 0; i < sizeof away / sizeof away[0] && !is_found; i++) {
        *found = (struct fr__found){.target = p->center, .facing = from, .width = width};
        found->clearance = away[i] * look->rules->body.reach - outer;
        is_found = found->clearance >= 2.0 * BEFORE && stand_off(look, p->center, from, away[i], BENDING, found) &&
                   has_course(look, p, from, outer + found->clearance, outer + BEFORE);
    }
    return is_found;
}

static bool try_hold(fr__surface_look *look, const placed_piece *p, fr_vec3 from, struct fr__found *found) {
    double outer = 0.0, reach = STANDOFF * look->rules->body.reach;
    for (int k = 0; k < 3; k++) {
        outer += 0.5 * p->size[k] * fabs(fr_vec3_dot(p->axes[k], from));
    }
    *found = (struct fr__found){.target = p->center, .facing = from, .width = p->size[0], .clearance = reach - outer};
    return outer <= BAR && found->clearance >= 2.0 * BEFORE && // a bar is held from the side
           is_course_free(look, FR__PLATE_HAND, p->center, from, reach, outer + BEFORE) &&
           stand_before(look, p->center, from, found);
}

void fr__offer_piece(fr__surface_look *look, const fr__piece *piece, const fr_pose *pose, bool is_fast,
                     fr__offer *out) {
    const fr__surface_rules *r = look->rules;
    placed_piece p = {.center = fr_pose_apply(pose, fr_vec3_from_floats(piece->center))};
    for (int k = 0; k < 3; k++) {
        p.size[k] = 2.0 * pose->scale * (double)piece->half[k];
        p.axes[k] = fr_pose_turn(pose, fr_vec3_from_floats(piece->axes[k]));
    }
    bool is_bar = is_fast && p.size[1] <= BAR && p.size[2] >= BAR_LENGTH * r->body.stature;
    bool is_thing = !is_fast && p.size[0] >= FR__SURFACE_GRASP_MIN && p.size[0] <= FR__SURFACE_GRASP_MAX &&
                    p.size[1] <= WIDEST * r->body.stature && p.size[2] <= LONGEST * r->body.stature;
    if (!is_bar && !is_thing) { return; }
    for (int i = 0; i < DIRECTIONS; i++) {
        struct fr__found found;
        fr_vec3 from = heading_direction(i);
        bool is_found =
            is_bar ? i < DIRECTIONS / 2 && try_hold(look, &p, from, &found) : try_grasp(look, &p, from, &found);
        if (!is_found) { continue; }
        fr__offer_take(out, is_bar ? FR_SURFACE_HOLD : FR_SURFACE_GRASP, &found);
        return;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Gaps

void fr__offer_gap(fr__surface_look *look, fr_vec3 a, fr_vec3 b, fr__offer *out) {
    const fr__surface_rules *r = look->rules;
    fr_vec3 side = fr_vec3_sub(b, a), middle = fr_vec3_lerp(a, b, 0.5);
    double width = fr_vec3_length(side);
    side = level(side);
    fr_vec3 through = {side.z, 0.0, -side.x};
    if (through.z < 0.0 || (through.z == 0.0 && through.x < 0.0)) { through = fr_vec3_negate(through); }

    // Nothing between the two, and ground below.
    if (width < r->side) { return; }
    fr_vec3 start = fr_vec3_lerp(a, b, 0.01);
    if (fr__look_ray(look, start, fr_vec3_sub(b, a), 0.98).object.index1 != 0) { return; }
    double ground = fr__look_ground(look, middle, BEDROCK * r->body.stature);
    if (!(ground > -INFINITY)) { return; }

    // A body on either side.
    double course = r->stand + 0.5 * r->body.depth;
    fr_vec3 place = fr_vec3_add_scaled(middle, -course, through), end = fr_vec3_add_scaled(middle, course, through);
    place.y = end.y = ground;
    double heading = fr__heading_of(through);
    fr_vec3 above[2] = {{place.x, middle.y, place.z}, {end.x, middle.y, end.z}};
    for (int i = 0; i < 2; i++) {
        double level_there = fr__look_ground(look, above[i], BEDROCK * r->body.stature);
        if (fabs(level_there - ground) > r->lift) { return; }
    }

    // The widest that goes through: as one walks, with the head down, with a shoulder first.
    static const struct {
        fr__plate plate;
        fr_surface_kind kind;
    } manners[] = {
        {FR__PLATE_PASS, FR_SURFACE_PASS}, {FR__PLATE_DUCK, FR_SURFACE_DUCK}, {FR__PLATE_SIDE, FR_SURFACE_SIDEWAYS}};
    for (int i = 0; i < 3; i++) {
        bool is_side = manners[i].kind == FR_SURFACE_SIDEWAYS, is_duck = manners[i].kind == FR_SURFACE_DUCK;
        if (!is_side && width < r->pass) { continue; }
        fr_vec3 from = {place.x, ground + 0.5 * ((is_duck ? r->duck : r->headroom) + r->lift), place.z};
        fr_quat turn = fr__heading_turn(heading);
        if (!fr__look_sweep(look, manners[i].plate, from, turn, through, 2.0 * course)) { continue; }
        double facing = is_side ? fr__heading_of(side) : heading;
        if (!fr__look_stand(look, place, facing) || !fr__look_stand(look, end, facing)) { return; }
        struct fr__found found = {.place = place, .target = end, .facing = through, .through = through};
        found.heading = facing;
        found.clearance = 2.0 * course;
        found.width = width;
        fr__offer_take(out, manners[i].kind, &found);
        return;
    }
}
