// The measures of a body, and the rules that they make of it.
#include "human/surface.h"

#include <math.h>

// ---------------------------------------------------------------------------------------------------------------
// Measures

// Seat to hip joints, leg lengths: as the skill sit has it.
static const double FLESH = 0.13;

static bool is_of(uint32_t role, const fr_link *links, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (role == (uint32_t)links[i]) { return true; }
    }
    return false;
}

// The bounds of the pieces of some links, at rest.
static fr_bounds bounds_of(const fr_figure_view *figure, const fr_pose *poses, const fr_link *links, size_t count) {
    const fr_skeleton_view *skeleton = fr_skeleton_get(figure->skeleton);
    fr_bounds bounds = fr_bounds_empty();
    for (uint32_t i = 0; i < FR_FIGURE_PROXY_COUNT; i++) {
        const fr_figure_proxy *proxy = &figure->proxies[i];
        uint32_t role = 0;
        while (role < FR_LINK_COUNT && skeleton->roles[role] != proxy->link) {
            role++;
        }
        if (!is_of(role, links, count)) { continue; }
        const fr_mesh_view *mesh = fr_mesh_get(proxy->mesh);
        for (uint32_t t = 0; t < mesh->triangle_count; t++) {
            fr_vec3 corners[3];
            fr_mesh_corners(proxy->mesh, t, corners);
            for (int k = 0; k < 3; k++) {
                bounds = fr_bounds_with_point(&bounds, fr_pose_apply(&poses[proxy->link], corners[k]));
            }
        }
    }
    return bounds;
}

static fr_vec3 place_of(const fr_skeleton_view *view, const fr_pose *poses, fr_body_point point) {
    return fr_pose_apply(&poses[view->points[point].link], view->points[point].offset);
}

fr_status fr_body_measures_of(const fr_figure *figure, fr_body_measures *out, fr_error *error) {
    FR_ASSERT(figure != NULL && out != NULL);
    static const fr_link upper[] = {FR_LINK_CHEST, FR_LINK_RIGHT_UPPER_ARM, FR_LINK_LEFT_UPPER_ARM};
    static const fr_link trunk[] = {FR_LINK_CHEST, FR_LINK_HIP};
    static const fr_link lower[] = {FR_LINK_HIP, FR_LINK_RIGHT_THIGH, FR_LINK_LEFT_THIGH};
    static const fr_body_point needed[] = {FR_POINT_HEAD_TOP, FR_POINT_RIGHT_HEEL, FR_POINT_RIGHT_TOE,
                                           FR_POINT_RIGHT_GRIP};
    const fr_figure_view *view = fr_figure_get(figure);
    const fr_skeleton_view *skeleton = fr_skeleton_get(view->skeleton);
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        if (skeleton->points[needed[i]].link == FR_NO_LINK) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "the skeleton lacks a head, a sole or a grip");
        }
    }
    fr_quat turns[FR_MAX_LINKS];
    fr_pose poses[FR_MAX_LINKS];
    fr_posture rest = {.turns = turns, .count = skeleton->link_count};
    fr_status status = fr_posture_rest(view->skeleton, &rest, error);
    if (status == FR_OK) { status = fr_posture_poses(view->skeleton, &rest, 1, poses, error); }
    if (status != FR_OK) { return status; }

    fr_bounds shoulders = bounds_of(view, poses, upper, 3), body = bounds_of(view, poses, trunk, 2);
    fr_bounds hips = bounds_of(view, poses, lower, 3);
    fr_vec3 head = place_of(skeleton, poses, FR_POINT_HEAD_TOP), heel = place_of(skeleton, poses, FR_POINT_RIGHT_HEEL);
    fr_vec3 grip = place_of(skeleton, poses, FR_POINT_RIGHT_GRIP), toe = place_of(skeleton, poses, FR_POINT_RIGHT_TOE);
    fr_vec3 shoulder = poses[skeleton->roles[FR_LINK_RIGHT_UPPER_ARM]].position;
    *out = (fr_body_measures){
        .stature = head.y - heel.y,
        .shoulder_width = shoulders.max.x - shoulders.min.x,
        .depth = body.max.z - body.min.z,
        .hip_width = hips.max.x - hips.min.x,
        .leg = poses[skeleton->roles[FR_LINK_RIGHT_THIGH]].position.y - heel.y,
        .shoulder_height = shoulder.y - heel.y,
        .reach = fr_vec3_distance(shoulder, grip),
        .foot = fr_vec3_distance(heel, toe),
    };
    out->sitting_height = out->stature - out->leg + FLESH * out->leg;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Rules

// Heights as fractions of the stature, and sizes that the source gives for a body of 1.70 m: Ichiguchi 2000, section
// 20.6 of our reading of it (seat 0.20 .. 0.32, 0.30 m square, 0.4 m free before it; put 0.35 .. 0.70).
static const double SIT_LOW = 0.20, SIT_HIGH = 0.32, SEAT = 0.30 / 1.70, FRONT = 0.40 / 1.70;
static const double PUT_LOW = 0.35, PUT_HIGH = 0.70;

// A gap is walked through where it is 1.3 shoulder widths (Warren and Whang 1987); a step is climbed up to 0.88 leg
// lengths (Warren 1984); people do not duck under what leaves 3 % of the stature above the head (Stefanucci and Geuss
// 2010).
static const double PASS = 1.3, STEP_HIGH = 0.88, HEADROOM = 1.03;

// Ours. Of the stature: arm rests over a seat, a thing that is put down and its height, the lowest step, what lies
// too low to stop a foot, the highest bed and the room over it, the band of a wall that is leaned on, the lowest height
// for a body that ducks, what hands reach over the ground, gaps that are no longer gaps. Of the depth of the body: a
// gap to go through sideways.
static const double ELBOW = 0.13, THING = 0.08, THING_FREE = 0.15, STEP_LOW = 0.05, LIFT = 0.03;
static const double LIE_HIGH = 0.40, LIE_FREE = 0.30, LEAN_LOW = 0.55, LEAN_HIGH = 0.85, DUCK = 0.75;
static const double REACH_LOW = 0.30, REACH_HIGH = 1.15, GAP = 1.2;
static const double SIDE = 1.2;
static const double HAND = 0.05, FINGER = 0.008;

static fr_status make_plate(double width, double height, bool is_level, const fr_allocator *allocator, fr_mesh **out,
                            fr_error *error) {
    double a = 0.5 * width, b = 0.5 * height;
    double level[12] = {-a, 0, -b, a, 0, -b, a, 0, b, -a, 0, b}, upright[12] = {-a, -b, 0, a, -b, 0, a, b, 0, -a, b, 0};
    static const uint32_t triangles[6] = {0, 1, 2, 0, 2, 3};
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = is_level ? level : upright;
    def.is_double = true;
    def.vertex_count = 4;
    def.triangles = triangles;
    def.triangle_count = 2;
    def.allocator = *allocator;
    return fr_mesh_create(&def, out, error);
}

static bool make_plates(fr__surface_rules *r, const fr_allocator *allocator, fr_error *error) {
    const fr_body_measures *b = &r->body;
    double hand = HAND * b->stature, finger = FINGER * b->stature;
    const struct {
        double width, height;
        bool is_level;
    } sizes[FR__PLATE_COUNT] = {
        [FR__PLATE_STAND] = {b->shoulder_width, b->depth, true},
        [FR__PLATE_FRONT] = {b->shoulder_width, r->front, true},
        [FR__PLATE_LAP] = {b->hip_width, r->seat, true},
        [FR__PLATE_LIE] = {b->shoulder_width, b->stature, true},
        [FR__PLATE_PUT] = {r->put, r->put, true},
        [FR__PLATE_PASS] = {r->pass, HEADROOM * b->stature - r->lift, false},
        [FR__PLATE_SIDE] = {r->side, HEADROOM * b->stature - r->lift, false},
        [FR__PLATE_DUCK] = {r->pass, r->duck - r->lift, false},
        [FR__PLATE_HAND] = {hand, hand, false},
        [FR__PLATE_FINGER] = {finger, finger, false},
    };
    for (int i = 0; i < FR__PLATE_COUNT; i++) {
        fr_status status =
            make_plate(sizes[i].width, sizes[i].height, sizes[i].is_level, allocator, &r->plates[i], error);
        if (status != FR_OK) { return false; }
    }
    return true;
}

// How far from a face, a piece or a gap something may be that a rule looks at. Aside: where the feet of one who sits
// lie, the circle over a gap, and half the outline of a body beside the farthest place that it stands at. Above: a body
// that stands on a face. Below: the ground.
static void set_influence(fr__surface_rules *r) {
    const fr_body_measures *b = &r->body;
    double outline = r->pass + b->depth + r->front, place = r->front + r->stand + b->reach + 0.1;
    r->aside = 0.05 * b->stature + fmax(fmax(0.5 * r->gap, b->leg + r->put), place + 0.5 * outline);
    r->above = 1.2 * b->stature;
    r->below = 1.7 * b->stature;
}

bool fr__surface_rules_make(const fr_surfaces_def *def, fr__surface_rules *out, fr_error *error) {
    const fr_body_measures *b = &def->measures;
    double s = b->stature;
    *out = (fr__surface_rules){
        .body = *b,
        .sit_low = SIT_LOW * s,
        .sit_high = SIT_HIGH * s,
        .seat = SEAT * s,
        .front = FRONT * s,
        .elbow = ELBOW * s,
        .put_low = PUT_LOW * s,
        .put_high = PUT_HIGH * s,
        .put = THING * s,
        .put_free = THING_FREE * s,
        .step_low = STEP_LOW * s,
        .step_high = STEP_HIGH * b->leg,
        .lie_high = LIE_HIGH * s,
        .lie_free = LIE_FREE * s,
        .lean_low = LEAN_LOW * s,
        .lean_high = LEAN_HIGH * s,
        .pass = PASS * b->shoulder_width,
        .side = SIDE * b->depth,
        .duck = DUCK * s,
        .headroom = HEADROOM * s,
        .gap = GAP * s,
        .lift = LIFT * s,
        .stand = 0.6 * b->depth,
        .reach_low = REACH_LOW * s,
        .reach_high = REACH_HIGH * s,
    };
    set_influence(out);
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    if (make_plates(out, &allocator, error)) { return true; }
    fr__surface_rules_release(out);
    return false;
}

void fr__surface_rules_release(fr__surface_rules *rules) {
    for (int i = 0; i < FR__PLATE_COUNT; i++) {
        fr_mesh_release(rules->plates[i]);
        rules->plates[i] = NULL;
    }
}
