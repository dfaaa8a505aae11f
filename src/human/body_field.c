// The solid under a body's skin: tables of cross-sections along the bones, muscles and features as ellipsoids, the
// relief of the face, and the smooth union of them all as one function of space.
#include "human/body_field.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// The measures of a body of 1.70 m: half sizes in metres

#define TORSO_BOTTOM 0.78
#define TORSO_TOP 1.54
#define AT(height) (((height)-TORSO_BOTTOM) / (TORSO_TOP - TORSO_BOTTOM))

// Of the trunk and the neck: fraction of the height, sides, front, back.
static const fr__tube_section torso_sections[] = {
    {AT(0.780), 0.120, 0.120, 0.060, 0.075}, {AT(0.830), 0.155, 0.155, 0.084, 0.098},
    {AT(0.880), 0.168, 0.168, 0.098, 0.110}, {AT(0.940), 0.161, 0.161, 0.104, 0.104},
    {AT(1.000), 0.150, 0.150, 0.108, 0.092}, {AT(1.060), 0.135, 0.135, 0.102, 0.079},
    {AT(1.120), 0.142, 0.142, 0.104, 0.086}, {AT(1.190), 0.153, 0.153, 0.109, 0.100},
    {AT(1.260), 0.162, 0.162, 0.111, 0.111}, {AT(1.320), 0.160, 0.160, 0.102, 0.113},
    {AT(1.370), 0.140, 0.140, 0.081, 0.104}, {AT(1.410), 0.100, 0.100, 0.061, 0.086},
    {AT(1.440), 0.068, 0.068, 0.050, 0.068}, {AT(1.475), 0.056, 0.056, 0.046, 0.060},
    {AT(1.540), 0.055, 0.055, 0.048, 0.062},
};
static const fr__tube_section arm_sections[] = {
    {0.00, 0.012, 0.022, 0.024, 0.024}, {0.05, 0.020, 0.037, 0.040, 0.040}, {0.12, 0.028, 0.045, 0.049, 0.051},
    {0.25, 0.040, 0.046, 0.052, 0.054}, {0.40, 0.045, 0.045, 0.050, 0.050}, {0.60, 0.043, 0.042, 0.047, 0.046},
    {0.85, 0.039, 0.039, 0.041, 0.042}, {1.00, 0.038, 0.038, 0.038, 0.042}, {1.15, 0.041, 0.039, 0.042, 0.041},
    {1.30, 0.040, 0.038, 0.043, 0.040}, {1.60, 0.032, 0.031, 0.036, 0.034}, {1.85, 0.024, 0.023, 0.029, 0.028},
    {2.00, 0.022, 0.021, 0.029, 0.028},
};
static const fr__tube_section palm_sections[] = {
    {0.00, 0.017, 0.017, 0.024, 0.024}, {0.25, 0.018, 0.019, 0.033, 0.033}, {0.60, 0.016, 0.019, 0.041, 0.041},
    {0.90, 0.014, 0.016, 0.042, 0.041}, {1.00, 0.013, 0.014, 0.041, 0.040},
};
static const fr__tube_section finger_sections[] = {
    {0.00, 0.0105, 0.0105, 0.0095, 0.0095}, {0.25, 0.0098, 0.0100, 0.0090, 0.0090},
    {0.48, 0.0092, 0.0092, 0.0088, 0.0088}, {0.78, 0.0080, 0.0082, 0.0080, 0.0080},
    {0.90, 0.0072, 0.0078, 0.0074, 0.0074}, {0.96, 0.0056, 0.0060, 0.0060, 0.0060},
    {1.00, 0.0026, 0.0028, 0.0030, 0.0030},
};
static const fr__tube_section thumb_sections[] = {
    {0.00, 0.0150, 0.0150, 0.0130, 0.0130}, {0.30, 0.0120, 0.0120, 0.0115, 0.0115},
    {0.55, 0.0108, 0.0108, 0.0105, 0.0105}, {0.85, 0.0090, 0.0094, 0.0100, 0.0100},
    {0.95, 0.0066, 0.0070, 0.0080, 0.0080}, {1.00, 0.0030, 0.0034, 0.0040, 0.0040},
};
static const fr__tube_section leg_sections[] = {
    {0.00, 0.030, 0.028, 0.040, 0.040}, {0.08, 0.058, 0.056, 0.066, 0.066}, {0.17, 0.075, 0.071, 0.081, 0.082},
    {0.27, 0.082, 0.078, 0.087, 0.090}, {0.40, 0.080, 0.077, 0.086, 0.085}, {0.58, 0.071, 0.070, 0.079, 0.074},
    {0.79, 0.058, 0.058, 0.066, 0.058}, {0.92, 0.052, 0.053, 0.060, 0.052}, {1.00, 0.050, 0.051, 0.058, 0.049},
    {1.10, 0.049, 0.050, 0.051, 0.055}, {1.26, 0.052, 0.053, 0.046, 0.067}, {1.42, 0.048, 0.048, 0.044, 0.062},
    {1.62, 0.042, 0.041, 0.042, 0.050}, {1.82, 0.040, 0.039, 0.043, 0.046}, {1.91, 0.040, 0.039, 0.044, 0.046},
    {2.00, 0.032, 0.031, 0.036, 0.038},
};

// Of a shoe, from the heel to the toe: width to the outer and the inner side, height above and below its axis.
#define SHOE_BEGIN (-0.066)
#define SHOE_LENGTH 0.272
#define SHOE_AXIS 0.018
#define SHOE(z) (((z)-SHOE_BEGIN) / SHOE_LENGTH)
static const fr__tube_section shoe_sections[] = {
    {SHOE(-0.066), 0.012, 0.012, 0.018, 0.012}, {SHOE(-0.058), 0.024, 0.024, 0.036, 0.024},
    {SHOE(-0.045), 0.032, 0.032, 0.056, 0.030}, {SHOE(-0.015), 0.037, 0.037, 0.078, 0.034},
    {SHOE(0.030), 0.039, 0.038, 0.075, 0.034},  {SHOE(0.080), 0.045, 0.041, 0.053, 0.034},
    {SHOE(0.130), 0.051, 0.044, 0.038, 0.034},  {SHOE(0.170), 0.044, 0.042, 0.031, 0.034},
    {SHOE(0.190), 0.033, 0.034, 0.025, 0.029},  {SHOE(0.200), 0.023, 0.026, 0.018, 0.021},
    {SHOE(0.206), 0.014, 0.017, 0.011, 0.012},
};

// Of the face below the skull: fraction of the height, side, and front and back from its axis.
#define FACE_BOTTOM 1.466
#define FACE_TOP 1.660
#define FACE(height) (((height)-FACE_BOTTOM) / (FACE_TOP - FACE_BOTTOM))
#define FACE_AXIS 0.012
static const fr__tube_section face_sections[] = {
    {FACE(1.466), 0.036, 0.036, 0.056, 0.030}, {FACE(1.483), 0.046, 0.046, 0.077, 0.040},
    {FACE(1.503), 0.054, 0.054, 0.082, 0.050}, {FACE(1.530), 0.061, 0.061, 0.084, 0.062},
    {FACE(1.560), 0.066, 0.066, 0.086, 0.074}, {FACE(1.600), 0.070, 0.070, 0.087, 0.080},
    {FACE(1.640), 0.066, 0.066, 0.080, 0.080}, {FACE(1.660), 0.058, 0.058, 0.068, 0.070},
};

// ---------------------------------------------------------------------------------------------------------------
// Making

#define SECTIONS(table) (table), (int)(sizeof(table) / sizeof(table)[0])

static fr__tube *add_tube(fr__body_field *field, fr_vec3 from, fr_vec3 to, fr_vec3 front,
                          const fr__tube_section *sections, int section_count, double squareness, double blend,
                          uint32_t parts) {
    FR_ASSERT(field->tube_count < FR__MAX_TUBES);
    fr_vec3 down = fr_vec3_make(0.0, -1.0, 0.0);
    fr__tube *tube = &field->tubes[field->tube_count++];
    tube->from = from;
    tube->length = tube->bend = fr_vec3_distance(from, to);
    tube->axis = fr_vec3_unit(fr_vec3_sub(to, from), down);
    fr_vec3 aside = fr_vec3_add_scaled(front, -fr_vec3_dot(front, tube->axis), tube->axis);
    tube->front = fr_vec3_unit(aside, fr_vec3_perpendicular(tube->axis));
    tube->outer = fr_vec3_cross(tube->front, tube->axis);
    tube->sections = sections;
    tube->section_count = section_count;
    tube->squareness = squareness;
    tube->blend = blend;
    tube->parts = parts;
    return tube;
}

static void add_ellipsoid(fr__body_field *field, fr_vec3 center, fr_vec3 radii, fr_vec3 up, double blend,
                          uint32_t parts) {
    FR_ASSERT(field->ellipsoid_count < FR__MAX_ELLIPSOIDS);
    fr__ellipsoid *e = &field->ellipsoids[field->ellipsoid_count++];
    e->center = center;
    e->radii = radii;
    e->up = fr_vec3_unit(up, fr_vec3_make(0.0, 1.0, 0.0));
    fr_vec3 z = fr_vec3_make(0.0, 0.0, 1.0);
    e->front = fr_vec3_unit(fr_vec3_add_scaled(z, -fr_vec3_dot(z, e->up), e->up), fr_vec3_perpendicular(e->up));
    e->outer = fr_vec3_cross(e->up, e->front);
    e->blend = blend;
    e->parts = parts;
}

static void add_trunk(const fr__body_joints *joints, fr__body_field *field) {
    fr_vec3 up = fr_vec3_make(0.0, 1.0, 0.0), z = fr_vec3_make(0.0, 0.0, 1.0);
    uint32_t around = FR__PART_TRUNK | FR__PART_ARM | FR__PART_LEG;
    double curves = joints->curves;
    add_tube(field, fr_vec3_make(0.0, TORSO_BOTTOM, 0.0), fr_vec3_make(0.0, TORSO_TOP, 0.0), z,
             SECTIONS(torso_sections), 0.30, 0.0, around | FR__PART_HEAD);
    fr_vec3 slope = fr_vec3_make(0.85, -0.52, 0.0);
    add_ellipsoid(field, fr_vec3_make(0.080, 1.417, -0.018), fr_vec3_make(0.032, 0.115, 0.042), slope, 0.05, around);
    // The shoulder's muscle, the breast, the blade, the buttock.
    fr_vec3 arm = fr_vec3_unit(fr_vec3_sub(joints->shoulder, joints->elbow), up);
    add_ellipsoid(field, fr_vec3_add_scaled(joints->shoulder, -0.062, arm), fr_vec3_make(0.042, 0.080, 0.055), arm,
                  0.04, around);
    add_ellipsoid(field, fr_vec3_make(0.078, 1.278, 0.062), fr_vec3_make(0.082, 0.056, 0.058), up, 0.04,
                  FR__PART_TRUNK);
    if (curves > 0.0) {
        double size = 0.02 + 0.04 * curves;
        add_ellipsoid(field, fr_vec3_make(0.080, 1.240, 0.098), fr_vec3_make(size, size, size), up, 0.05,
                      FR__PART_TRUNK);
    }
    add_ellipsoid(field, fr_vec3_make(0.085, 1.310, -0.072), fr_vec3_make(0.062, 0.085, 0.042), up, 0.04,
                  FR__PART_TRUNK);
    add_ellipsoid(field, fr_vec3_make(0.078, 0.872, -0.062), fr_vec3_make(0.080, 0.082, 0.070), up, 0.03,
                  FR__PART_TRUNK | FR__PART_LEG);
}

static void add_head(fr__body_field *field) {
    fr_vec3 up = fr_vec3_make(0.0, 1.0, 0.0), z = fr_vec3_make(0.0, 0.0, 1.0);
    add_tube(field, fr_vec3_make(0.0, FACE_BOTTOM, FACE_AXIS), fr_vec3_make(0.0, FACE_TOP, FACE_AXIS), z,
             SECTIONS(face_sections), 0.25, 0.015, FR__PART_HEAD);
    add_ellipsoid(field, fr_vec3_make(0.0, 1.606, -0.002), fr_vec3_make(0.074, 0.090, 0.094), up, 0.03, FR__PART_HEAD);
}

static void add_leg(const fr__body_joints *joints, fr__body_field *field) {
    fr_vec3 up = fr_vec3_make(0.0, 1.0, 0.0), z = fr_vec3_make(0.0, 0.0, 1.0);
    // The leg begins inside the hips, above its joint, so that its end does not show.
    fr_vec3 leg_axis = fr_vec3_unit(fr_vec3_sub(joints->knee, joints->thigh), up);
    fr_vec3 top = fr_vec3_add_scaled(joints->thigh, -0.08, leg_axis);
    fr__tube *leg = add_tube(field, top, joints->ankle, z, SECTIONS(leg_sections), 0.05, 0.035,
                             FR__PART_TRUNK | FR__PART_LEG | FR__PART_FOOT);
    leg->bend = fr_vec3_distance(top, joints->knee);
    fr_vec3 heel = fr_vec3_make(joints->ankle.x, field->ground + SHOE_AXIS, SHOE_BEGIN);
    add_tube(field, heel, fr_vec3_make(heel.x, heel.y, SHOE_BEGIN + SHOE_LENGTH), up, SECTIONS(shoe_sections), 0.45,
             0.018, FR__PART_FOOT);
}

static void add_arm(const fr__body_joints *joints, fr__body_field *field) {
    fr_vec3 z = fr_vec3_make(0.0, 0.0, 1.0);
    fr_vec3 arm_axis = fr_vec3_unit(fr_vec3_sub(joints->elbow, joints->shoulder), z);
    fr_vec3 top = fr_vec3_add_scaled(joints->shoulder, -0.028, arm_axis);
    fr__tube *arm = add_tube(field, top, joints->wrist, z, SECTIONS(arm_sections), 0.0, 0.045,
                             FR__PART_TRUNK | FR__PART_ARM | FR__PART_PALM);
    arm->bend = fr_vec3_distance(top, joints->elbow);

    // The palm ends at the middle of the fingers' roots and a little beyond: the webs.
    uint32_t fingers = 15u * FR__PART_INDEX;
    fr_vec3 knuckles = fr_vec3_lerp(joints->fingers[2][0], joints->fingers[3][0], 0.5);
    fr_vec3 along = fr_vec3_unit(fr_vec3_sub(knuckles, joints->wrist), z);
    add_tube(field, joints->wrist, fr_vec3_add_scaled(knuckles, 0.012, along), z, SECTIONS(palm_sections), 0.35, 0.012,
             FR__PART_PALM | FR__PART_ARM | FR__PART_THUMB | fingers);
    const fr_vec3 *thumb = joints->fingers[0];
    add_tube(field, thumb[0], thumb[2], z, SECTIONS(thumb_sections), 0.1, 0.014, FR__PART_PALM | FR__PART_THUMB);
    for (int i = 1; i < FR__FINGER_COUNT; i++) {
        const fr_vec3 *finger = joints->fingers[i];
        add_tube(field, finger[0], finger[3], z, SECTIONS(finger_sections), 0.1, 0.006,
                 FR__PART_PALM | (uint32_t)FR__PART_INDEX << (i - 1));
    }
}

void fr__body_field_make(const fr__body_joints *joints, fr__body_field *field) {
    memset(field, 0, sizeof *field);
    field->ground = joints->ankle.y - 0.066;
    add_trunk(joints, field);
    add_head(field);
    add_leg(joints, field);
    add_arm(joints, field);
}

// ---------------------------------------------------------------------------------------------------------------
// The pieces as distances

// Between sections by cubics through them (Hermite, with slopes from the neighbours).
static fr__tube_section section_at(const fr__tube *tube, double along) {
    const fr__tube_section *s = tube->sections;
    double at = along > tube->bend ? 1.0 + (along - tube->bend) / (tube->length - tube->bend) : along / tube->bend;
    int n = tube->section_count, i = 0;
    if (at <= s[0].at) { return s[0]; }
    if (at >= s[n - 1].at) { return s[n - 1]; }
    while (at > s[i + 1].at) {
        i++;
    }
    const fr__tube_section *before = &s[i > 0 ? i - 1 : i], *after = &s[i + 2 < n ? i + 2 : i + 1];
    double width = s[i + 1].at - s[i].at, t = (at - s[i].at) / width;
    double low = width / (s[i + 1].at - before->at), high = width / (after->at - s[i].at);
    double b0 = (1.0 + 2.0 * t) * (1.0 - t) * (1.0 - t), b1 = 1.0 - b0;
    double c0 = t * (1.0 - t) * (1.0 - t) * low, c1 = t * t * (t - 1.0) * high;
#define CUBIC(field)                                                                                                   \
    ((b0 * s[i].field + b1 * s[i + 1].field) +                                                                         \
     (c0 * (s[i + 1].field - before->field) + c1 * (after->field - s[i].field)))
    return (fr__tube_section){at, CUBIC(outer), CUBIC(inner), CUBIC(front), CUBIC(back)};
#undef CUBIC
}

static double tube_distance(const fr__tube *tube, fr_vec3 point) {
    fr_vec3 v = fr_vec3_sub(point, tube->from);
    double along = fr_vec3_dot(v, tube->axis), x = fr_vec3_dot(v, tube->outer), z = fr_vec3_dot(v, tube->front);
    fr__tube_section section = section_at(tube, along);
    double u = x / (x > 0.0 ? section.outer : section.inner), w = z / (z > 0.0 ? section.front : section.back);
    double round = sqrt(u * u + w * w), square = sqrt(sqrt(u * u * u * u + w * w * w * w));
    double size = round + tube->squareness * (square - round), across = sqrt(x * x + z * z);
    double least = section.inner < section.front ? section.inner : section.front;
    double distance = size > 1e-6 ? across - across / size : -least;
    double beyond = along < 0.0 ? -along : along > tube->length ? along - tube->length : 0.0;
    if (beyond == 0.0) { return distance; }
    return distance > 0.0 ? sqrt(distance * distance + beyond * beyond) : beyond;
}

static double ellipsoid_distance(const fr__ellipsoid *e, fr_vec3 point) {
    fr_vec3 v = fr_vec3_sub(point, e->center);
    double x = fr_vec3_dot(v, e->outer) / e->radii.x, y = fr_vec3_dot(v, e->up) / e->radii.y;
    double z = fr_vec3_dot(v, e->front) / e->radii.z;
    double size = sqrt(x * x + y * y + z * z);
    x /= e->radii.x;
    y /= e->radii.y;
    z /= e->radii.z;
    double slope = sqrt(x * x + y * y + z * z);
    return slope > 1e-6 ? size * (size - 1.0) / slope : -e->radii.x;
}

// The union of two solids, smooth where they are nearer to each other than `blend`.
static double smooth_union(double a, double b, double blend) {
    double least = a < b ? a : b, near = blend - fabs(a - b);
    return near > 0.0 ? least - near * near / (4.0 * blend) : least;
}

// ---------------------------------------------------------------------------------------------------------------
// The face

// 1 at `middle`, 0 beyond `width` from it, smooth.
static double bump(double x, double middle, double width) {
    double u = (x - middle) / width, rest = 1.0 - u * u;
    return rest > 0.0 ? rest * rest : 0.0;
}

static double ramp(double x, double from, double to) {
    double t = (x - from) / (to - from);
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    return t * t * (3.0 - 2.0 * t);
}

// How much the surface of the head is raised at a point.
static double face_relief(fr_vec3 point) {
    double x = fabs(point.x), y = point.y;
    double front = ramp(point.z, 0.02, 0.06);
    double slope = y < 1.602 ? (1.602 - y) / 0.060 : 0.0;
    double nose = 0.021 * slope * ramp(y, 1.530, 1.542) * bump(x, 0.0, 0.009 + 0.013 * slope);
    double brow = 0.004 * bump(x, 0.026, 0.030) * bump(y, 1.611, 0.014);
    double socket = -0.010 * bump(x, 0.034, 0.026) * bump(y, 1.589, 0.020);
    double eye = 0.007 * bump(x, 0.034, 0.016) * bump(y, 1.588, 0.011);
    double cheek = 0.004 * bump(x, 0.046, 0.026) * bump(y, 1.556, 0.028);
    double lips = 0.006 * bump(x, 0.0, 0.030) * (bump(y, 1.519, 0.0085) + bump(y, 1.508, 0.0085));
    double chin = 0.006 * bump(x, 0.0, 0.026) * bump(y, 1.482, 0.018);
    double hollow = -0.003 * bump(x, 0.0, 0.03) * bump(y, 1.496, 0.008);
    // The ear rises from the front to the back and ends there.
    double back = -0.006 - point.z - 0.15 * (1.574 - y);
    double ear = 0.015 * (back < 0.010 ? bump(back, 0.010, 0.028) : bump(back, 0.010, 0.014));
    ear *= bump(y, 1.576, 0.040) * ramp(x, 0.03, 0.06);
    // Hair stands off the skull above a line from the forehead round the ears to the nape.
    double line = 1.646 - 0.040 * ramp(-point.z, -0.055, 0.0) - 0.062 * ramp(-point.z, 0.018, 0.06);
    double hair = 0.010 * ramp(y, line - 0.002, line + 0.012);
    return front * (nose + brow + socket + eye + cheek + lips + chin + hollow) + ear + hair;
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

double fr__body_field_at(const fr__body_field *field, uint32_t parts, fr_vec3 point) {
    double distance = 1.0;
    for (int i = 0; i < field->tube_count; i++) {
        const fr__tube *tube = &field->tubes[i];
        if ((tube->parts & parts) == 0) { continue; }
        double d = tube_distance(tube, point);
        distance = distance == 1.0 ? d : smooth_union(distance, d, tube->blend);
    }
    for (int i = 0; i < field->ellipsoid_count; i++) {
        const fr__ellipsoid *e = &field->ellipsoids[i];
        if ((e->parts & parts) == 0) { continue; }
        distance = smooth_union(distance, ellipsoid_distance(e, point), e->blend);
    }
    if ((parts & FR__PART_HEAD) != 0 && point.y > 1.46) { distance -= face_relief(point); }
    if ((parts & FR__PART_FOOT) != 0) {
        double under = field->ground - point.y;
        distance = distance > under ? distance : under;
    }
    return distance;
}

fr_vec3 fr__body_field_project(const fr__body_field *field, uint32_t parts, fr_vec3 point, int steps, fr_vec3 *normal) {
    // Corners of a small tetrahedron about the point: their mean is the distance, their differences the slope.
    static const fr_vec3 corners[4] = {{1.0, -1.0, -1.0}, {-1.0, -1.0, 1.0}, {-1.0, 1.0, -1.0}, {1.0, 1.0, 1.0}};
    const double h = 2e-4, step_limit = 0.02;
    for (int i = 0; i < steps; i++) {
        double mean = 0.0;
        fr_vec3 slope = fr_vec3_make(0.0, 0.0, 0.0);
        for (int k = 0; k < 4; k++) {
            double d = fr__body_field_at(field, parts, fr_vec3_add_scaled(point, h, corners[k]));
            mean += 0.25 * d;
            slope = fr_vec3_add_scaled(slope, 0.25 * d / h, corners[k]);
        }
        double length = fr_vec3_length(slope);
        if (length < 0.2) { length = 0.2; }
        *normal = fr_vec3_unit(slope, fr_vec3_make(0.0, 1.0, 0.0));
        double step = mean / length;
        step = step > step_limit ? step_limit : step < -step_limit ? -step_limit : step;
        point = fr_vec3_add_scaled(point, -step, *normal);
        if (fabs(step) < 1e-5) { break; }
    }
    return point;
}
