// Turns a walking figure into the posture of a skeleton.
#include "human/walk_figure.h"

#include "human/skeleton.h"

// How far legs are stretched: never beyond `reach` of their bones, and the hips yield from `soft` leg lengths before
// it. The pitch of a foot whose heel an ankle at its limit may raise, radians: 0 for none.
typedef struct leg_limit {
    double reach, soft, heel;
} leg_limit;

// Of a figure whose hips yield here alone, and of one whose hips were lowered ahead.
static const leg_limit YIELDING = {0.9985, 0.012, -1.0}, PLANNED = {0.9995, 0.0018, 0.0};

fr_quat fr__turn_x(double angle) {
    fr_quat q = {0.0, 0.0, 0.0, 0.0};
    fr_sincos(0.5 * angle, &q.x, &q.w);
    return q;
}

fr_quat fr__turn_y(double angle) {
    fr_quat q = {0.0, 0.0, 0.0, 0.0};
    fr_sincos(0.5 * angle, &q.y, &q.w);
    return q;
}

fr_quat fr__turn_z(double angle) {
    fr_quat q = {0.0, 0.0, 0.0, 0.0};
    fr_sincos(0.5 * angle, &q.z, &q.w);
    return q;
}

double fr__wrap(double angle) { return angle - 2.0 * FR_PI * floor(angle / (2.0 * FR_PI) + 0.5); }

double fr__ease(double u) {
    u = u < 0.0 ? 0.0 : (u > 1.0 ? 1.0 : u);
    return u * u * u * (10.0 + u * (6.0 * u - 15.0));
}

static fr_vec3 turned(fr_quat q, fr_vec3 v) {
    fr_vec3 u = fr_vec3_make(q.x, q.y, q.z), t = fr_vec3_scale(2.0, fr_vec3_cross(u, v));
    return fr_vec3_add(fr_vec3_add_scaled(v, q.w, t), fr_vec3_cross(u, t));
}

static fr_status missing(const char *what, fr_error *error) {
    return fr_error_set(error, FR_ERROR_ARGUMENT, "A skeleton that walks has %s.", what);
}

// The rest places of the links, from the root on.
static void rest_places(const fr_skeleton_view *view, fr_vec3 *places) {
    for (uint32_t i = 0; i < view->link_count; i++) {
        uint32_t parent = view->parents[i];
        places[i] = parent == FR_NO_LINK
                        ? view->offsets[i]
                        : fr_vec3_add(places[parent], turned(view->uprights[parent], view->offsets[i]));
    }
}

// How far a foot may turn against its shin by its limit, about an axis of the upright body; FR_PI: any angle.
static double ankle_range(const fr_skeleton *skeleton, uint32_t foot, fr_vec3 axis) {
    double low = 0.0, high = 0.5 * FR_PI;
    for (int i = 0; i < 48; i++) {
        double angle = i == 0 ? low : (i == 1 ? high : 0.5 * (low + high));
        fr_quat turn = fr_skeleton_turn_from_upright(skeleton, foot, fr_quat_from_axis_angle(axis, angle));
        bool is_within = fr_skeleton_excess(skeleton, foot, turn) == 0.0;
        if ((i == 0 && !is_within) || (i == 1 && is_within)) { return FR_PI; }
        low = is_within ? angle : low;
        high = is_within ? high : angle;
    }
    return low > 0.0 ? low : FR_PI;
}

// Of the range by which a foot may turn aside: a foot that is tipped as well turns by more against its shin than the
// headings of foot and knee differ.
#define TURN_SHARE 0.88

static void read_ankle(const fr_skeleton *skeleton, fr__walk_body *body) {
    uint32_t foot = body->links[FR_LINK_LEFT_FOOT];
    body->toes_up = ankle_range(skeleton, foot, fr_vec3_make(-1.0, 0.0, 0.0));
    double out = ankle_range(skeleton, foot, fr_vec3_make(0.0, 1.0, 0.0));
    double in = ankle_range(skeleton, foot, fr_vec3_make(0.0, -1.0, 0.0));
    body->toes_aside = out < in ? out : in;
    if (body->toes_aside < FR_PI) { body->toes_aside *= TURN_SHARE; }
    body->tip_in = ankle_range(skeleton, foot, fr_vec3_make(0.0, 0.0, 1.0));
    body->tip_out = ankle_range(skeleton, foot, fr_vec3_make(0.0, 0.0, -1.0));
}

// Bones of limbs that do not hang at rest (a T-pose) are turned down first.
static void hang_limbs(const fr_vec3 places[FR_MAX_LINKS], fr__walk_body *body) {
    static const fr_link bones[][2] = {
        {FR_LINK_RIGHT_UPPER_ARM, FR_LINK_RIGHT_FOREARM}, {FR_LINK_RIGHT_FOREARM, FR_LINK_RIGHT_PALM},
        {FR_LINK_LEFT_UPPER_ARM, FR_LINK_LEFT_FOREARM},   {FR_LINK_LEFT_FOREARM, FR_LINK_LEFT_PALM},
        {FR_LINK_RIGHT_THIGH, FR_LINK_RIGHT_SHIN},        {FR_LINK_RIGHT_SHIN, FR_LINK_RIGHT_FOOT},
        {FR_LINK_LEFT_THIGH, FR_LINK_LEFT_SHIN},          {FR_LINK_LEFT_SHIN, FR_LINK_LEFT_FOOT}};
    fr_vec3 down = fr_vec3_make(0.0, -1.0, 0.0);
    for (size_t i = 0; i < sizeof bones / sizeof bones[0]; i++) {
        uint32_t from = body->links[bones[i][0]], to = body->links[bones[i][1]];
        if (from != FR_NO_LINK && to != FR_NO_LINK) {
            fr_vec3 bone = fr_vec3_unit(fr_vec3_sub(places[to], places[from]), down);
            body->straight[bones[i][0]] = bone.y < -0.999999 ? fr_quat_identity() : fr_quat_between(bone, down);
        }
    }
    if (body->links[FR_LINK_LEFT_PALM] != FR_NO_LINK) {
        body->straight[FR_LINK_LEFT_PALM] = body->straight[FR_LINK_LEFT_FOREARM];
    }
    if (body->links[FR_LINK_RIGHT_PALM] != FR_NO_LINK) {
        body->straight[FR_LINK_RIGHT_PALM] = body->straight[FR_LINK_RIGHT_FOREARM];
    }
}

fr_status fr__walk_body_read(const fr_skeleton *skeleton, fr__walk_body *body, fr_error *error) {
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    static const fr_link needed[] = {FR_LINK_HIP,        FR_LINK_RIGHT_THIGH, FR_LINK_RIGHT_SHIN, FR_LINK_RIGHT_FOOT,
                                     FR_LINK_LEFT_THIGH, FR_LINK_LEFT_SHIN,   FR_LINK_LEFT_FOOT};
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        if (view->roles[needed[i]] == FR_NO_LINK) { return missing("a hip, thighs, shins and feet", error); }
    }
    const fr_link_point *heel = &view->points[FR_POINT_LEFT_HEEL], *toe = &view->points[FR_POINT_LEFT_TOE];
    if (heel->link != view->roles[FR_LINK_LEFT_FOOT] || toe->link != heel->link) {
        return missing("points of heel and toe on its feet", error);
    }

    // The measures of the left leg at rest.
    fr_vec3 places[FR_MAX_LINKS];
    rest_places(view, places);
    for (int i = 0; i < FR_BODY_LINK_COUNT; i++) {
        body->links[i] = view->roles[i];
        body->straight[i] = fr_quat_identity();
    }
    fr_vec3 hip = places[body->links[FR_LINK_LEFT_THIGH]], other = places[body->links[FR_LINK_RIGHT_THIGH]];
    fr_vec3 knee = places[body->links[FR_LINK_LEFT_SHIN]], ankle = places[body->links[FR_LINK_LEFT_FOOT]];
    fr_quat foot = view->uprights[heel->link];
    fr_vec3 heel_to = turned(foot, heel->offset), toe_to = turned(foot, toe->offset);
    body->thigh = fr_vec3_distance(hip, knee);
    body->shin = fr_vec3_distance(knee, ankle);
    body->ankle = -heel_to.y;
    body->half = 0.5 * fr_vec3_distance(hip, other);
    body->heel = -heel_to.z;
    body->toe = toe_to.z;
    body->leg = body->thigh + body->shin + body->ankle;
    body->root_to_middle = fr_vec3_sub(fr_vec3_lerp(hip, other, 0.5), places[body->links[FR_LINK_HIP]]);
    if (!(body->thigh > 0.0 && body->shin > 0.0 && body->half > 0.0 && body->leg > 0.05 && body->leg < 100.0) ||
        !(body->ankle >= 0.0 && body->heel >= 0.0 && body->toe > 0.0)) {
        return missing("legs of some length, 0.05 .. 100 metres, and soles below the ankles, heel behind, toe before",
                       error);
    }
    if (body->links[FR_LINK_HIP] != 0) { return missing("its hip as the root", error); }
    read_ankle(skeleton, body);

    hang_limbs(places, body);
    return FR_OK;
}

// Where a point of the sole at `along` before the ankle is, seen from the ankle.
static fr_vec3 sole_point(const fr__walk_body *body, double along, double heading, double pitch) {
    double sp, cp, sh, ch;
    fr_sincos(pitch, &sp, &cp);
    fr_sincos(heading, &sh, &ch);
    double forward = along * cp + body->ankle * sp, up = along * sp - body->ankle * cp;
    return fr_vec3_make(forward * sh, up, forward * ch);
}

fr_vec3 fr__walk_planted(const fr__walk_body *body, const fr__walk_print *print, double heading, double pitch) {
    double along = pitch > 0.0 ? -body->heel : body->toe, sh, ch;
    fr_sincos(print->heading, &sh, &ch);
    fr_vec3 pin = fr_vec3_make(print->x + along * sh, 0.0, print->z + along * ch);
    return fr_vec3_sub(pin, sole_point(body, along, heading, pitch));
}

double fr__walk_sole(const fr__walk_body *body, const fr__walk_leg *leg) {
    double heel = leg->ankle.y + sole_point(body, -body->heel, leg->heading, leg->pitch).y;
    double toe = leg->ankle.y + sole_point(body, body->toe, leg->heading, leg->pitch).y;
    return heel < toe ? heel : toe;
}

// The smaller of two numbers, rounded off where they differ by less than `soft`.
static double soft_min(double a, double b, double soft) {
    double h = 0.5 + 0.5 * (b - a) / soft;
    h = h < 0.0 ? 0.0 : (h > 1.0 ? 1.0 : h);
    return b + (a - b) * h - soft * h * (1.0 - h);
}

fr_vec3 fr__walk_hip_joint(const fr__walk_body *body, const fr__walk_figure *figure, int side) {
    fr_vec3 out = fr_vec3_make(side == FR__LEFT ? body->half : -body->half, 0.0, 0.0);
    return fr_vec3_add(figure->middle, turned(figure->turns[FR__FIGURE_HIP], out));
}

// How much higher the hips could be until the leg of that side is stretched; negative where it is too short.
static double leg_room(const fr__walk_body *body, const fr__walk_figure *figure, int side, leg_limit limit) {
    double bound = limit.reach * (body->thigh + body->shin);
    fr_vec3 d = fr_vec3_sub(fr__walk_hip_joint(body, figure, side), figure->legs[side].ankle);
    double level = bound * bound - d.x * d.x - d.z * d.z;
    return (level > 0.0 ? sqrt(level) : 0.0) - d.y;
}

double fr__walk_need(const fr__walk_body *body, const fr__walk_figure *figure, int side) {
    double need = PLANNED.soft * body->leg - leg_room(body, figure, side, PLANNED);
    return need > 0.0 ? need : 0.0;
}

// How much the hips are lowered in the end so that both legs reach their ankles: nothing where the need was known
// ahead.
static double lowering(const fr__walk_body *body, const fr__walk_figure *figure, leg_limit limit) {
    double free = soft_min(0.0, leg_room(body, figure, FR__LEFT, limit), limit.soft * body->leg);
    return -soft_min(free, leg_room(body, figure, FR__RIGHT, limit), limit.soft * body->leg);
}

// The quaternion of a link whose left axis and upward axis (against its bone) are given.
static fr_quat frame_turn(fr_vec3 left, fr_vec3 up) {
    fr_vec3 forward = fr_vec3_cross(left, up);
    fr_mat3 m = {{{left.x, up.x, forward.x}, {left.y, up.y, forward.y}, {left.z, up.z, forward.z}}};
    return fr_quat_from_mat3(m);
}

// The directions of thigh and shin that join the hip joint to the ankle with the knee in its plane, and of the left.
typedef struct leg_bones {
    fr_vec3 left, upper, lower;
} leg_bones;

static leg_bones join_bones(const fr__walk_body *body, fr_vec3 hip, const fr__walk_leg *leg) {
    fr_vec3 to = fr_vec3_sub(leg->ankle, hip);
    double a = body->thigh, b = body->shin, distance = fr_vec3_length(to), bound = 0.99999 * (a + b);
    fr_vec3 along = fr_vec3_unit(to, fr_vec3_make(0.0, -1.0, 0.0));
    double r = distance > bound ? bound : distance, shortest = fabs(a - b) * 1.00001;
    r = r < shortest ? shortest : r;

    double sine, cosine;
    fr_sincos(leg->knee, &sine, &cosine);
    fr_vec3 left = fr_vec3_make(cosine, 0.0, -sine);
    left = fr_vec3_unit(fr_vec3_add_scaled(left, -fr_vec3_dot(left, along), along), fr_vec3_perpendicular(along));
    fr_vec3 forward = fr_vec3_cross(along, left);
    double c = (a * a + r * r - b * b) / (2.0 * a * r);
    c = c > 1.0 ? 1.0 : (c < -1.0 ? -1.0 : c);
    double s = sqrt(1.0 - c * c);
    fr_vec3 upper = fr_vec3_add_scaled(fr_vec3_scale(c, along), s, forward);
    fr_vec3 lower = fr_vec3_scale(1.0 / b, fr_vec3_add_scaled(fr_vec3_scale(r, along), -a, upper));
    return (leg_bones){left, upper, fr_vec3_unit(lower, along)};
}

fr_vec3 fr__walk_knee(const fr__walk_body *body, const fr__walk_figure *figure, int side) {
    fr_vec3 hip = fr__walk_hip_joint(body, figure, side);
    return fr_vec3_add_scaled(hip, body->thigh, join_bones(body, hip, &figure->legs[side]).upper);
}

// Writes the turn of a link whose turn away from upright in the world is known, as that of its parent.
static void write_turn(const fr_skeleton *skeleton, const fr__walk_body *body, fr_link role, fr_quat parent,
                       fr_quat own, fr_posture *posture) {
    uint32_t link = body->links[role];
    if (link != FR_NO_LINK) {
        fr_quat away = fr_quat_multiply(fr_quat_conjugate(parent), own);
        posture->turns[link] = fr_skeleton_turn_from_upright(skeleton, link, away);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Ankles within their limits

// An ankle turns freely up to so many radians before its limit, at most, and yields from there on.
static const double ANKLE_SOFT = 0.1;

// By what part of its bones' length hip joint and ankle of a leg are apart where its knee begins to be well bent, and
// over which part it comes to be.
static const double KNEE_BENT = 0.87, KNEE_RANGE = 0.12;

// How near to the wanted bend an ankle comes, radians.
static const double BEND_NEAR = 1e-9;

// How far the foot of a leg is turned up against its shin.
static double ankle_bend(const fr__walk_body *body, fr_vec3 hip, const fr__walk_leg *leg) {
    leg_bones bones = join_bones(body, hip, leg);
    fr_vec3 up = fr_vec3_negate(bones.lower), forward = fr_vec3_cross(bones.left, up);
    double sp, cp, sh, ch;
    fr_sincos(leg->pitch, &sp, &cp);
    fr_sincos(leg->heading, &sh, &ch);
    fr_vec3 normal = fr_vec3_make(-sp * sh, cp, -sp * ch); // of the sole
    return fr_atan2(-fr_vec3_dot(normal, forward), fr_vec3_dot(normal, up));
}

// The leg with another pitch of its foot, which turns about the point on which it stands, or would stand.
static fr__walk_leg pitched(const fr__walk_body *body, const fr__walk_leg *leg, double pitch) {
    fr__walk_print print = fr__walk_print_of(body, leg);
    fr_vec3 before = fr__walk_planted(body, &print, leg->heading, leg->pitch);
    fr_vec3 after = fr__walk_planted(body, &print, leg->heading, pitch);
    fr__walk_leg other = *leg;
    other.ankle = fr_vec3_add(leg->ankle, fr_vec3_sub(after, before));
    other.pitch = pitch;
    return other;
}

// The part of an angle, 0 or more, that a limit leaves: all of it where that is small, and near the limit the less the
// more there is, so that the limit is never reached and no velocity jumps.
static double yielding(double angle, double limit) {
    double soft = ANKLE_SOFT < 0.5 * limit ? ANKLE_SOFT : 0.5 * limit, x = (angle - limit + soft) / soft;
    return x > 0.0 && limit < FR_PI ? limit - soft + soft * x / (1.0 + x) : angle;
}

// The lowest pitch that an ankle may bring a foot to: flat, and with its heel raised where the knee is well bent, as of
// who sits. A leg that is nearly straight would have to bend its knee for a raised heel, and its shin with it.
static double lowest_pitch(const fr__walk_body *body, fr_vec3 hip, const fr__walk_leg *leg, double heel) {
    double part = fr_vec3_distance(hip, leg->ankle) / (body->thigh + body->shin);
    return heel * fr__ease((KNEE_BENT - part) / KNEE_RANGE);
}

// Turns the knee after a foot that turns aside, and pitches the foot down until its ankle is within its limit or the
// pitch is the lowest, found by the rule of false position (Illinois).
static void keep_ankle(const fr__walk_body *body, fr_vec3 hip, double heel, fr__walk_leg *leg) {
    double aside = fr__wrap(leg->heading - leg->knee), left = yielding(fabs(aside), body->toes_aside);
    if (left != fabs(aside)) { leg->knee = leg->heading - (aside < 0.0 ? -left : left); }
    double bend = ankle_bend(body, hip, leg), wanted = yielding(bend, body->toes_up);
    double lowest = lowest_pitch(body, hip, leg, heel);
    if (wanted == bend || !(leg->pitch > lowest)) { return; }
    fr__walk_leg high = *leg, low = pitched(body, leg, lowest);
    double over = bend - wanted, under = ankle_bend(body, hip, &low) - wanted;
    if (under > 0.0) { high = low; }
    for (int i = 0; i < 40 && over > BEND_NEAR && under < -BEND_NEAR; i++) {
        double pitch = high.pitch + (low.pitch - high.pitch) * over / (over - under);
        fr__walk_leg next = pitched(body, leg, pitch);
        double error = ankle_bend(body, hip, &next) - wanted;
        if (error > 0.0) {
            under *= high.pitch < leg->pitch ? 0.5 : 1.0;
            high = next;
            over = error;
        } else {
            over *= low.pitch > lowest ? 0.5 : 1.0;
            low = next;
            under = error;
        }
    }
    *leg = under < -BEND_NEAR || under > 0.0 ? high : low;
}

// ---------------------------------------------------------------------------------------------------------------
// The posture of a figure

// Rolls a foot whose ankle would be tipped beyond its limit, as it would where the shin leans aside, about the line
// from heel to toe of its sole, which stays. The ankle moves and the shin follows, so that a few rounds are needed.
static void roll_foot(const fr__walk_body *body, fr_vec3 joint, int side, fr__walk_leg *leg, leg_bones *bones,
                      fr_quat *foot) {
    const fr_vec3 sole = fr_vec3_make(0.0, -body->ankle, 0.0);
    fr_vec3 along = turned(*foot, fr_vec3_make(0.0, 0.0, 1.0));
    double wanted = 0.0;
    for (int i = 0; i < 3; i++) {
        // Turned by an angle about the sole, the sole's normal has the sine of the tip along the knee's axis.
        fr_vec3 normal = turned(*foot, fr_vec3_make(0.0, 1.0, 0.0));
        double level = fr_vec3_dot(normal, bones->left),
               across = fr_vec3_dot(fr_vec3_cross(normal, along), bones->left);
        if (i == 0) {
            bool is_in = (level < 0.0) == (side == FR__LEFT);
            double tip = fr_atan2(fabs(level), sqrt(1.0 - level * level));
            double left = yielding(tip, is_in ? body->tip_in : body->tip_out);
            if (left == tip) { return; }
            wanted = level < 0.0 ? -fr_sin(left) : fr_sin(left);
        }
        double whole = sqrt(level * level + across * across), sine = whole > 0.0 ? wanted / whole : 2.0;
        if (!(fabs(sine) < 1.0)) { return; }
        double roll = fr_atan2(sine, sqrt(1.0 - sine * sine)) - fr_atan2(level, across);
        fr_vec3 at = fr_vec3_add(leg->ankle, turned(*foot, sole));
        *foot = fr_quat_multiply(*foot, fr__turn_z(-roll));
        leg->ankle = fr_vec3_sub(at, turned(*foot, sole));
        *bones = join_bones(body, joint, leg);
    }
}

static void write_leg(const fr_skeleton *skeleton, const fr__walk_body *body, fr__walk_figure *figure, int side,
                      double heel, fr_posture *posture) {
    fr_quat hip = figure->turns[FR__FIGURE_HIP];
    fr_link role = side == FR__LEFT ? FR_LINK_LEFT_THIGH : FR_LINK_RIGHT_THIGH;
    fr__walk_leg *leg = &figure->legs[side];
    fr_vec3 joint = fr__walk_hip_joint(body, figure, side);
    keep_ankle(body, joint, heel, leg);
    fr_quat foot = fr_quat_multiply(fr__turn_y(leg->heading), fr__turn_x(-leg->pitch));
    leg_bones bones = join_bones(body, joint, leg);
    roll_foot(body, joint, side, leg, &bones, &foot);
    fr_quat thigh = frame_turn(bones.left, fr_vec3_negate(bones.upper));
    fr_quat shin = frame_turn(bones.left, fr_vec3_negate(bones.lower));
    thigh = fr_quat_multiply(thigh, body->straight[role]);
    shin = fr_quat_multiply(shin, body->straight[role + 1]);
    write_turn(skeleton, body, role, hip, thigh, posture);
    write_turn(skeleton, body, role + 1, thigh, shin, posture);
    write_turn(skeleton, body, role + 2, shin, foot, posture);
}

static void pose_within(const fr_skeleton *skeleton, const fr__walk_body *body, fr__walk_figure *figure,
                        leg_limit limit, fr_posture *posture) {
    // Stage 1: the hips, low enough for both legs.
    figure->middle.y -= lowering(body, figure, limit);
    fr_quat hip = figure->turns[FR__FIGURE_HIP], identity = fr_quat_identity();
    posture->place = fr_vec3_sub(figure->middle, turned(hip, body->root_to_middle));
    write_turn(skeleton, body, FR_LINK_HIP, identity, hip, posture);

    // Stage 2: the upper body.
    fr_quat chest = fr_quat_multiply(hip, figure->turns[FR__FIGURE_CHEST]);
    write_turn(skeleton, body, FR_LINK_CHEST, hip, chest, posture);
    write_turn(skeleton, body, FR_LINK_HEAD, chest, fr_quat_multiply(chest, figure->turns[FR__FIGURE_HEAD]), posture);
    for (int side = 0; side < 2; side++) {
        static const fr_link arms[2][3] = {{FR_LINK_LEFT_UPPER_ARM, FR_LINK_LEFT_FOREARM, FR_LINK_LEFT_PALM},
                                           {FR_LINK_RIGHT_UPPER_ARM, FR_LINK_RIGHT_FOREARM, FR_LINK_RIGHT_PALM}};
        fr_quat parent = chest, own = chest;
        for (int i = 0; i < 3; i++) {
            fr_link role = arms[side][i];
            own = fr_quat_multiply(own, figure->turns[FR__FIGURE_UPPER_ARM + 2 * i + side]);
            fr_quat straight = fr_quat_multiply(own, body->straight[role]);
            write_turn(skeleton, body, role, parent, straight, posture);
            parent = straight;
        }
    }

    // Stage 3: the legs.
    for (int side = 0; side < 2; side++) {
        write_leg(skeleton, body, figure, side, limit.heel, posture);
    }
}

void fr__walk_pose(const fr_skeleton *skeleton, const fr__walk_body *body, fr__walk_figure *figure,
                   fr_posture *posture) {
    pose_within(skeleton, body, figure, YIELDING, posture);
}

void fr__walk_pose_planned(const fr_skeleton *skeleton, const fr__walk_body *body, fr__walk_figure *figure,
                           fr_posture *posture) {
    pose_within(skeleton, body, figure, PLANNED, posture);
}

// ---------------------------------------------------------------------------------------------------------------
// The figure of a posture

double fr__walk_hip_heading(const fr__walk_figure *figure) {
    fr_vec3 forward = turned(figure->turns[FR__FIGURE_HIP], fr_vec3_make(0.0, 0.0, 1.0));
    return fr_atan2(forward.x, forward.z);
}

fr__walk_print fr__walk_print_of(const fr__walk_body *body, const fr__walk_leg *leg) {
    double along = leg->pitch > 0.0 ? -body->heel : body->toe, sine, cosine;
    fr_vec3 pin = fr_vec3_add(leg->ankle, sole_point(body, along, leg->heading, leg->pitch));
    fr_sincos(leg->heading, &sine, &cosine);
    fr__walk_print print = {pin.x - along * sine, pin.z - along * cosine, leg->heading};
    return print;
}

// A link's turn away from upright in the world.
static fr_quat away_of(const fr_skeleton_view *view, const fr_pose *poses, const fr__walk_body *body, fr_link role) {
    uint32_t link = body->links[role];
    fr_quat away = fr_quat_multiply(poses[link].rotation, fr_quat_conjugate(view->uprights[link]));
    return fr_quat_multiply(away, fr_quat_conjugate(body->straight[role]));
}

static void read_leg(const fr_skeleton_view *view, const fr_pose *poses, const fr__walk_body *body, int side,
                     fr__walk_leg *leg) {
    fr_link foot = side == FR__LEFT ? FR_LINK_LEFT_FOOT : FR_LINK_RIGHT_FOOT;
    fr_link thigh = side == FR__LEFT ? FR_LINK_LEFT_THIGH : FR_LINK_RIGHT_THIGH;
    fr_vec3 forward = turned(away_of(view, poses, body, foot), fr_vec3_make(0.0, 0.0, 1.0));
    fr_vec3 left = turned(away_of(view, poses, body, thigh), fr_vec3_make(1.0, 0.0, 0.0));
    leg->ankle = poses[body->links[foot]].position;
    leg->heading = fr_atan2(forward.x, forward.z);
    leg->pitch = fr_atan2(forward.y, sqrt(forward.x * forward.x + forward.z * forward.z));
    leg->knee = fr_atan2(-left.z, left.x);
}

void fr__walk_read(const fr_skeleton *skeleton, const fr__walk_body *body, const fr_posture *posture,
                   fr__walk_figure *figure, double *ground) {
    static const struct {
        fr_link role, parent;
        int turn;
    } upper[] = {{FR_LINK_CHEST, FR_LINK_HIP, FR__FIGURE_CHEST},
                 {FR_LINK_HEAD, FR_LINK_CHEST, FR__FIGURE_HEAD},
                 {FR_LINK_LEFT_UPPER_ARM, FR_LINK_CHEST, FR__FIGURE_UPPER_ARM},
                 {FR_LINK_RIGHT_UPPER_ARM, FR_LINK_CHEST, FR__FIGURE_UPPER_ARM + 1},
                 {FR_LINK_LEFT_FOREARM, FR_LINK_LEFT_UPPER_ARM, FR__FIGURE_FOREARM},
                 {FR_LINK_RIGHT_FOREARM, FR_LINK_RIGHT_UPPER_ARM, FR__FIGURE_FOREARM + 1},
                 {FR_LINK_LEFT_PALM, FR_LINK_LEFT_FOREARM, FR__FIGURE_PALM},
                 {FR_LINK_RIGHT_PALM, FR_LINK_RIGHT_FOREARM, FR__FIGURE_PALM + 1}};
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    fr_pose poses[FR_MAX_LINKS];
    (void)fr_posture_poses(skeleton, posture, 1, poses, NULL);
    figure->turns[FR__FIGURE_HIP] = away_of(view, poses, body, FR_LINK_HIP);
    for (size_t i = 0; i < sizeof upper / sizeof upper[0]; i++) {
        bool is_there = body->links[upper[i].role] != FR_NO_LINK && body->links[upper[i].parent] != FR_NO_LINK;
        figure->turns[upper[i].turn] =
            is_there ? fr_quat_multiply(fr_quat_conjugate(away_of(view, poses, body, upper[i].parent)),
                                        away_of(view, poses, body, upper[i].role))
                     : fr_quat_identity();
    }
    figure->middle = fr_vec3_add(poses[0].position, turned(figure->turns[FR__FIGURE_HIP], body->root_to_middle));

    // Heights are over the lower sole.
    for (int side = 0; side < 2; side++) {
        read_leg(view, poses, body, side, &figure->legs[side]);
    }
    double left = fr__walk_sole(body, &figure->legs[0]), right = fr__walk_sole(body, &figure->legs[1]);
    *ground = left < right ? left : right;
    figure->middle.y -= *ground;
    figure->legs[0].ankle.y -= *ground;
    figure->legs[1].ankle.y -= *ground;
}
