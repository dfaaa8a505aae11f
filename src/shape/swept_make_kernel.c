// Preparing the points of a set for a search, three at once: the arithmetic of fr__arm_make in lanes, bit for bit.
#include "shape/corner_lanes.h"
#include "shape/swept.h"

// The factor covers the roundings of a length and of the product: a few u each.
#define ROUND_UP (1.0 + 0x1p-40)

// The largest of three numbers and `so_far`.
static inline double largest_of(fr__d4 numbers, double so_far) {
    _Alignas(32) double of[4];
    fr__d4_store_aligned(of, numbers);
    for (int i = 0; i < 3; i++) {
        so_far = of[i] > so_far ? of[i] : so_far;
    }
    return so_far;
}

static inline void make_straight(fr__swept *s, const corners *start, const corners *end, double largest) {
    corners travel = sub_corners(end, start);
    store_corners(&travel, s->travel);
    s->axis = (fr__axis){{0.0, 0.0, 0.0}, 0.0};
    s->bend = 0.0;
    s->speed = sqrt(largest_of(dot_corners(&travel, &travel), 0.0)) * ROUND_UP;
    s->error = FR__UNIT_ROUNDOFF * 32.0 * largest_of(largest_coordinates(end), largest);
}

static inline void make_turning(fr__swept *s, const fr__guide *guide, const corners *start, double largest) {
    corners pivot = splat_corner(guide->pivot), axis = splat_corner(guide->axis.unit), arm = sub_corners(start, &pivot);
    corners across = add_corners(&arm, fr__d4_neg(dot_corners(&axis, &arm)), &axis);
    corners tangent = cross_corners(&axis, &arm);
    store_corners(&across, s->across);
    store_corners(&tangent, s->tangent);
    fr__d4 reaches = fr__d4_add(fr__d4_add(fr__d4_abs(arm.x), fr__d4_abs(arm.y)), fr__d4_abs(arm.z));
    double squared = largest_of(dot_corners(&across, &across), 0.0), reach = largest_of(reaches, 0.0);

    // An arm is wrong by up to 14.5u of its reach, a coordinate; its length by 2^-48 of it at most.
    double angle = guide->axis.angle;
    s->axis = guide->axis;
    s->slack = 0x1p-48 * reach;
    double radius = sqrt(squared) * ROUND_UP + s->slack;
    double far = fr_vec3_largest(guide->pivot);
    largest = far > largest ? far : largest;
    s->bend = angle * angle * radius * ROUND_UP;
    s->speed = (fr_vec3_length(guide->travel) + angle * radius) * ROUND_UP;
    s->error = FR__UNIT_ROUNDOFF * (32.0 * largest + 32.0 * fr_vec3_largest(guide->travel) + 200.0 * angle * reach);
}

static inline corners load_three(const fr_vec3 *points, int count) {
    return load_corners(&points[0], &points[count > 1 ? 1 : 0], &points[count - 1]);
}

static void make(fr__swept *s, const fr__guide *guide, const fr__swept_points *points) {
    corners start = load_three(points->start, points->count), origin = splat_corner(points->origin);
    corners from = sub_corners(&start, &origin);
    double largest = largest_of(largest_coordinates(&start), points->largest);
    s->count = points->count;
    store_corners(&from, s->start);
    if (!guide->is_motion) {
        corners end = load_three(points->end, points->count);
        make_straight(s, &start, &end, largest);
        return;
    }
    for (int i = 0; i < 3; i++) {
        s->travel[i] = guide->travel;
    }
    if (guide->axis.angle > 0.0) {
        make_turning(s, guide, &start, largest);
        return;
    }
    // In a motion without a turn all points have the same travel.
    s->axis = guide->axis;
    s->bend = 0.0;
    s->speed = fr_vec3_length(guide->travel) * ROUND_UP;
    s->error = FR__UNIT_ROUNDOFF * (32.0 * largest + 32.0 * fr_vec3_largest(guide->travel));
}

const fr__swept_make_kernel_table FR_KERNEL_NAME(fr__swept_make_kernel) = {.make = make};
