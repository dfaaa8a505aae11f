// The body of 43 links (Ichiguchi 2000, table 5.3): its lengths by stature, masses, limits and points.
#include "fureai/human.h"

#include <string.h>

#define BODY_DEF_COOKIE 0x424f4459u

// The default body: an adult of 1.70 m. Offsets below are this body's, in metres.
#define ADULT_STATURE 1.70
#define ADULT_HEAD 0.23
#define ADULT_LEG 0.9005
#define ADULT_TRUNK 0.5695 // from the hip joints to the joint of the head
#define ADULT_ARM 0.564    // upper arm and forearm
#define ADULT_SHOULDERS 0.38
#define ADULT_HIPS 0.18
#define ADULT_FOOT 0.24

fr_body_def fr_default_body_def(void) {
    fr_body_def def;
    memset(&def, 0, sizeof def);
    def.stature = ADULT_STATURE;
    def.cookie = BODY_DEF_COOKIE;
    return def;
}

// ---------------------------------------------------------------------------------------------------------------
// Measures by stature

// A measure at a stature: straight between the rows, the last one beyond them.
typedef struct stature_row {
    double stature, value;
} stature_row;

static double at_stature(const stature_row *rows, int count, double stature) {
    for (int i = 1; i < count; i++) {
        if (stature >= rows[i].stature) { continue; }
        double t = (stature - rows[i - 1].stature) / (rows[i].stature - rows[i - 1].stature);
        return (1.0 - t) * rows[i - 1].value + t * rows[i].value;
    }
    return rows[count - 1].value;
}

// Heads in the stature (Stratz 1909, by the median stature of the age: 4 heads at birth, 6 at six years).
static const stature_row heads[] = {{1.00, 5.45}, {1.16, 6.0}, {ADULT_STATURE, ADULT_STATURE / ADULT_HEAD}};

// Sitting height over stature (Fredriks et al. 2005, medians): what is left is the legs'.
static const stature_row sitting[] = {{1.00, 0.560}, {1.16, 0.545}, {1.40, 0.527}, {ADULT_STATURE, 0.520}};

// Body mass index (WHO child growth standards, medians).
static const stature_row mass_index[] = {{1.00, 15.4}, {1.16, 15.4}, {1.40, 16.8}, {ADULT_STATURE, 22.0}};

#define AT_STATURE(rows, stature) at_stature(rows, (int)(sizeof rows / sizeof rows[0]), stature)

// A body's lengths over those of the default body.
typedef struct body_scale {
    double head, trunk, leg, arm, shoulders, hips, foot;
    double mass; // kilograms
} body_scale;

// One measure: given, or its default; a fraction of the stature. False: out of its range.
static bool read_measure(double given, double usual, double min, double max, double *out) {
    *out = given == 0.0 ? usual : given;
    return given == 0.0 || (given >= min && given <= max);
}

static fr_status read_measures(const fr_body_def *def, body_scale *scale, fr_error *error) {
    double stature = def->stature;
    if (def->cookie != BODY_DEF_COOKIE) { return fr_error_set_cookie(error, "fr_default_body_def"); }
    if (!(stature >= 1.0 && stature <= 2.0)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a stature of %g m; 1.0 to 2.0 may be", stature);
    }
    double usual_leg = ADULT_LEG / ADULT_STATURE * ((1.0 - AT_STATURE(sitting, stature)) / (1.0 - 0.520));
    double head, leg, arm, shoulders, hips, foot;
    const char *wrong = NULL;
    if (!read_measure(def->head, 1.0 / AT_STATURE(heads, stature), 0.10, 0.25, &head)) { wrong = "head"; }
    if (!read_measure(def->leg, usual_leg, 0.35, 0.60, &leg)) { wrong = "leg"; }
    if (!read_measure(def->arm, ADULT_ARM / ADULT_STATURE, 0.20, 0.50, &arm)) { wrong = "arm"; }
    if (!read_measure(def->shoulder_width, ADULT_SHOULDERS / ADULT_STATURE, 0.10, 0.40, &shoulders)) {
        wrong = "shoulder width";
    }
    if (!read_measure(def->hip_width, ADULT_HIPS / ADULT_STATURE, 0.05, 0.25, &hips)) { wrong = "hip width"; }
    if (!read_measure(def->foot, ADULT_FOOT / ADULT_STATURE, 0.08, 0.25, &foot)) { wrong = "foot"; }
    if (!read_measure(def->mass, AT_STATURE(mass_index, stature) * stature * stature, 1.0, 500.0, &scale->mass)) {
        wrong = "mass";
    }
    if (wrong != NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the %s of a body is out of its range", wrong); }
    scale->head = head * stature / ADULT_HEAD;
    scale->leg = leg * stature / ADULT_LEG;
    scale->trunk = (1.0 - head - leg) * stature / ADULT_TRUNK;
    scale->arm = arm * stature / ADULT_ARM;
    scale->shoulders = shoulders * stature / ADULT_SHOULDERS;
    scale->hips = hips * stature / ADULT_HIPS;
    scale->foot = foot * stature / ADULT_FOOT;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Links

static const uint32_t link_parents[FR_LINK_COUNT] = {
#define FR_LINK_PARENT(name, parent, text, h_anim, bvh) FR_LINK_##parent,
    FR_LINK_TABLE(FR_LINK_PARENT)
#undef FR_LINK_PARENT
};

static const char *const link_names[FR_LINK_COUNT] = {
#define FR_LINK_NAME(name, parent, text, h_anim, bvh) text,
    FR_LINK_TABLE(FR_LINK_NAME)
#undef FR_LINK_NAME
};

const char *fr_link_h_anim_name(fr_link link) {
    static const char *const names[FR_LINK_COUNT] = {
#define FR_LINK_H_ANIM(name, parent, text, h_anim, bvh) h_anim,
        FR_LINK_TABLE(FR_LINK_H_ANIM)
#undef FR_LINK_H_ANIM
    };
    FR_ASSERT((unsigned)link < FR_LINK_COUNT);
    return names[link];
}

const char *fr_link_bvh_name(fr_link link) {
    static const char *const names[FR_LINK_COUNT] = {
#define FR_LINK_BVH(name, parent, text, h_anim, bvh) bvh,
        FR_LINK_TABLE(FR_LINK_BVH)
#undef FR_LINK_BVH
    };
    FR_ASSERT((unsigned)link < FR_LINK_COUNT);
    return names[link];
}

// All arrays of the definition of one body.
typedef struct body_arrays {
    uint32_t parents[FR_LINK_COUNT], roles[FR_LINK_COUNT];
    fr_vec3 offsets[FR_LINK_COUNT], tips[FR_LINK_COUNT];
    fr_quat rests[FR_LINK_COUNT];
    fr_limit limits[FR_LINK_COUNT];
    double masses[FR_LINK_COUNT];
    fr_link_point points[FR_POINT_COUNT];
} body_arrays;

// The first link of each side's arm, leg and hand.
typedef struct body_side {
    uint32_t arm, leg, hand;
    double sign; // of the local y of the trunk: left +, right -
} body_side;

static const body_side sides[2] = {{FR_LINK_RIGHT_UPPER_ARM, FR_LINK_RIGHT_THIGH, FR_LINK_RIGHT_THUMB_1, -1.0},
                                   {FR_LINK_LEFT_UPPER_ARM, FR_LINK_LEFT_THIGH, FR_LINK_LEFT_THUMB_1, 1.0}};

// The phalanges in the palm's frame: x along the palm from the wrist, z towards the thumb.
static const struct {
    double x, z;       // where the finger begins
    double lengths[3]; // 0: there is no such phalanx
} fingers[5] = {{-0.045, 0.042, {0.035, 0.028, 0.0}},
                {-0.091, 0.033, {0.045, 0.028, 0.020}},
                {-0.093, 0.011, {0.045, 0.028, 0.020}},
                {-0.091, -0.011, {0.045, 0.028, 0.020}},
                {-0.086, -0.032, {0.045, 0.028, 0.020}}};

#define HALF_ROOT 0.70710678118654752440 // sqrt(0.5)

// Local x points down in the trunk and up in arms and legs; bones go along -x, feet along +x.
static void lay_trunk(const body_scale *s, body_arrays *body) {
    body->offsets[FR_LINK_HIP] = fr_vec3_make(0.0, ADULT_LEG * s->leg + 0.03 * s->trunk, 0.0);
    // The turn of table 5.3, (h, 0, h, 0) in axes with z up, is this one in ours.
    body->rests[FR_LINK_HIP] = (fr_quat){HALF_ROOT, 0.0, 0.0, -HALF_ROOT};
    body->offsets[FR_LINK_CHEST] = body->tips[FR_LINK_HIP] = fr_vec3_make(-0.1195 * s->trunk, 0.0, 0.0);
    body->offsets[FR_LINK_HEAD] = body->tips[FR_LINK_CHEST] = fr_vec3_make(-0.42 * s->trunk, 0.0, 0.0);
    body->tips[FR_LINK_HEAD] = fr_vec3_make(-ADULT_HEAD * s->head, 0.0, 0.0);
    body->points[FR_POINT_HEAD_TOP] = (fr_link_point){FR_LINK_HEAD, body->tips[FR_LINK_HEAD]};
}

static void lay_arm(const body_scale *s, const body_side *side, body_arrays *body) {
    uint32_t upper = side->arm, forearm = upper + 1, palm = upper + 2;
    body->offsets[upper] = fr_vec3_make(-0.34 * s->trunk, side->sign * 0.19 * s->shoulders, 0.0);
    body->rests[upper] = (fr_quat){0.0, 0.0, 0.0, -side->sign};
    body->offsets[forearm] = body->tips[upper] = fr_vec3_make(-0.316 * s->arm, 0.0, 0.0);
    body->offsets[palm] = body->tips[forearm] = fr_vec3_make(-0.248 * s->arm, 0.0, 0.0);
    body->tips[palm] = fr_vec3_make(fingers[2].x * s->arm, 0.0, 0.0);
    uint32_t point = side->sign < 0.0 ? FR_POINT_RIGHT_GRIP : FR_POINT_LEFT_GRIP;
    body->points[point] = (fr_link_point){palm, fr_vec3_make(-0.08 * s->arm, 0.0, 0.0)};

    // The thumb begins on the side of the palm, which is towards the thigh: +y of the left, -y of the right.
    uint32_t link = side->hand;
    for (int f = 0; f < 5; f++) {
        double across = f == 0 ? side->sign * 0.010 : 0.0;
        body->offsets[link] = fr_vec3_make(fingers[f].x * s->arm, across * s->arm, fingers[f].z * s->arm);
        for (int k = 0; k < 3 && fingers[f].lengths[k] > 0.0; k++, link++) {
            body->tips[link] = fr_vec3_make(-fingers[f].lengths[k] * s->arm, 0.0, 0.0);
            if (k > 0) { body->offsets[link] = body->tips[link - 1]; }
        }
    }
}

static void lay_leg(const body_scale *s, const body_side *side, body_arrays *body) {
    uint32_t thigh = side->leg, shin = thigh + 1, foot = thigh + 2;
    double ankle = -0.066 * s->leg;
    body->offsets[thigh] = fr_vec3_make(0.03 * s->trunk, side->sign * 0.09 * s->hips, 0.0);
    body->rests[thigh] = (fr_quat){0.0, 0.0, -1.0, 0.0};
    body->offsets[shin] = body->tips[thigh] = fr_vec3_make(-0.4165 * s->leg, 0.0, 0.0);
    body->offsets[foot] = body->tips[shin] = fr_vec3_make(-0.418 * s->leg, 0.0, 0.0);
    body->rests[foot] = (fr_quat){HALF_ROOT, 0.0, HALF_ROOT, 0.0};
    body->tips[foot] = fr_vec3_make(0.19 * s->foot, 0.0, ankle);
    uint32_t heel = side->sign < 0.0 ? FR_POINT_RIGHT_HEEL : FR_POINT_LEFT_HEEL;
    body->points[heel] = (fr_link_point){foot, fr_vec3_make(-0.05 * s->foot, 0.0, ankle)};
    body->points[heel + 1] = (fr_link_point){foot, body->tips[foot]};
}

// ---------------------------------------------------------------------------------------------------------------
// Masses and limits

// Fractions of the body's mass; those of a limb count on each side. A hand's is the palm's.
static void weigh(double mass, body_arrays *body) {
    body->masses[FR_LINK_HIP] = 0.142 * mass;
    body->masses[FR_LINK_CHEST] = 0.355 * mass;
    body->masses[FR_LINK_HEAD] = 0.081 * mass;
    for (int i = 0; i < 2; i++) {
        const double arm[3] = {0.028, 0.016, 0.006}, leg[3] = {0.100, 0.0465, 0.0145};
        for (uint32_t k = 0; k < 3; k++) {
            body->masses[sides[i].arm + k] = arm[k] * mass;
            body->masses[sides[i].leg + k] = leg[k] * mass;
        }
    }
}

static const fr_vec3 axis_x = {1.0, 0.0, 0.0}, axis_y = {0.0, 1.0, 0.0}, axis_z = {0.0, 0.0, 1.0};
static const fr_vec3 axis_minus_x = {-1.0, 0.0, 0.0};

static fr_limit hinge(fr_vec3 axis, double min_deg, double max_deg) {
    fr_limit limit = {.kind = FR_LIMIT_HINGE, .axes = {axis}};
    limit.min[0] = fr_radians(min_deg);
    limit.max[0] = fr_radians(max_deg);
    return limit;
}

// Turns about three axes, each from a least to a greatest number of degrees.
static fr_limit about_axes(const fr_vec3 axes[3], const double range_deg[6]) {
    fr_limit limit = {.kind = FR_LIMIT_AXES};
    for (int i = 0; i < 3; i++) {
        limit.axes[i] = axes[i];
        limit.min[i] = fr_radians(range_deg[2 * i]);
        limit.max[i] = fr_radians(range_deg[2 * i + 1]);
    }
    return limit;
}

// The same of the other side: turns about x and z change their sign.
static fr_limit on_side(fr_limit limit, double sign) {
    for (int i = 0; i < 3 && sign < 0.0; i++) {
        if (limit.axes[i].y != 0.0) { continue; }
        double min = limit.min[i];
        limit.min[i] = -limit.max[i];
        limit.max[i] = -min;
    }
    return limit;
}

// Ranges of the spine, the neck and the legs are those of the American Academy of Orthopaedic Surgeons (1965), but of a
// foot that bears weight: its ankle bends to 35 degrees (lunges: 30 to 38), where a foot in the air is turned up by 20.
// In measured sits it bends by 22 degrees in the mean, deviation 6.
static void limit_trunk(body_arrays *body) {
    // Flexion about y, bend about z, turn about x.
    const fr_vec3 axes[3] = {axis_y, axis_z, axis_x};
    const double chest[6] = {-25.0, 80.0, -35.0, 35.0, -45.0, 45.0}, head[6] = {-45.0, 60.0, -45.0, 45.0, -80.0, 80.0};
    body->limits[FR_LINK_CHEST] = about_axes(axes, chest);
    body->limits[FR_LINK_HEAD] = about_axes(axes, head);
}

static void limit_leg(const body_side *side, body_arrays *body) {
    // Thigh: + about y is backwards, + about z outwards on the right, + about x inwards on the right.
    const fr_vec3 axes[3] = {axis_y, axis_z, axis_x};
    const double thigh[6] = {-120.0, 30.0, -45.0, 30.0, -45.0, 45.0};
    // Foot: + about y is the toe down, x and z are inversion and turn.
    const fr_vec3 foot_axes[3] = {axis_y, axis_x, axis_z};
    const double foot[6] = {-35.0, 50.0, -35.0, 15.0, -30.0, 30.0};
    body->limits[side->leg] = on_side(about_axes(axes, thigh), side->sign);
    body->limits[side->leg + 1] = hinge(axis_y, 0.0, 150.0);
    body->limits[side->leg + 2] = on_side(about_axes(foot_axes, foot), side->sign);
}

static void limit_arm(const body_side *side, body_arrays *body) {
    fr_limit shoulder = {.kind = FR_LIMIT_SWING, .elevations = {FR_PI, FR_PI, 0.25 * FR_PI, FR_PI / 3.0}};
    shoulder.axes[0] = axis_minus_x;
    shoulder.axes[1] = fr_vec3_make(0.0, -side->sign, 0.0);
    shoulder.axes[2] = axis_z;
    shoulder.min[0] = -0.5 * FR_PI;
    shoulder.max[0] = 0.5 * FR_PI;
    body->limits[side->arm] = shoulder;
    body->limits[side->arm + 1] = hinge(axis_y, 0.0, 150.0);

    // The wrist's t5, t6 and t7 of the arm's inverse kinematics turn about y, z and -x.
    const fr_vec3 wrist_axes[3] = {axis_y, axis_z, axis_minus_x};
    const double wrist[6] = {-35.0, 20.0, -80.0, 70.0, -90.0, 90.0};
    body->limits[side->arm + 2] = on_side(about_axes(wrist_axes, wrist), side->sign);
}

// Flexion is about -z on the left. A knuckle spreads as well; the thumb turns towards the fingers about x.
static void limit_fingers(const body_side *side, body_arrays *body) {
    const fr_vec3 axes[3] = {axis_x, axis_y, axis_z};
    const double thumb[6] = {-70.0, 70.0, -45.0, 45.0, -90.0, 20.0}, knuckle[6] = {-5.0, 5.0, -20.0, 20.0, -90.0, 20.0};
    uint32_t link = side->hand;
    body->limits[link++] = on_side(about_axes(axes, thumb), side->sign);
    body->limits[link++] = on_side(hinge(axis_z, -80.0, 10.0), side->sign);
    for (int f = 1; f < 5; f++) {
        body->limits[link++] = on_side(about_axes(axes, knuckle), side->sign);
        body->limits[link++] = on_side(hinge(axis_z, -110.0, 0.0), side->sign);
        body->limits[link++] = on_side(hinge(axis_z, -80.0, 0.0), side->sign);
    }
}

fr_status fr_skeleton_create_body(const fr_body_def *def, fr_skeleton **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    body_scale scale = {0};
    fr_status status = read_measures(def, &scale, error);
    if (status != FR_OK) { return status; }

    body_arrays body;
    memset(&body, 0, sizeof body);
    for (uint32_t i = 0; i < FR_LINK_COUNT; i++) {
        body.parents[i] = i == 0 ? FR_NO_LINK : link_parents[i];
        body.roles[i] = i;
        body.rests[i] = fr_quat_identity();
    }
    lay_trunk(&scale, &body);
    limit_trunk(&body);
    weigh(scale.mass, &body);
    for (int i = 0; i < 2; i++) {
        lay_arm(&scale, &sides[i], &body);
        lay_leg(&scale, &sides[i], &body);
        limit_arm(&sides[i], &body);
        limit_leg(&sides[i], &body);
        limit_fingers(&sides[i], &body);
    }

    fr_skeleton_def skeleton = fr_default_skeleton_def();
    skeleton.link_count = FR_LINK_COUNT;
    skeleton.parents = body.parents;
    skeleton.names = link_names;
    skeleton.offsets = body.offsets;
    skeleton.rests = body.rests;
    skeleton.tips = body.tips;
    skeleton.limits = body.limits;
    skeleton.masses = body.masses;
    skeleton.roles = body.roles;
    skeleton.points = body.points;
    skeleton.allocator = def->allocator;
    return fr_skeleton_create(&skeleton, out, error);
}
