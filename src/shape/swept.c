#include "shape/swept.h"

fr__guide fr__guide_of(const fr_motion *motion) {
    fr__guide guide = {{{0.0, 0.0, 0.0}, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, motion != NULL};
    if (motion == NULL) { return guide; }
    guide.axis = fr__axis_of_turn(motion->turn);
    guide.travel = motion->travel;
    guide.pivot = fr_pose_apply(&motion->start, motion->pivot_local);
    return guide;
}

// The factor covers the roundings of a length and of the product: a few u each.
#define ROUND_UP (1.0 + 0x1p-40)

static void make_straight(fr__swept *s, const fr_vec3 *start, const fr_vec3 *end, double largest) {
    double squared = 0.0;
    s->bend = 0.0;
    s->axis = (fr__axis){{0.0, 0.0, 0.0}, 0.0};
    for (int i = 0; i < 3; i++) {
        int k = i < s->count ? i : s->count - 1;
        s->way[i] = fr_vec3_sub(end[k], start[k]);
        double of_way = fr_vec3_length_squared(s->way[i]), far = fr_vec3_largest(end[k]);
        squared = of_way > squared ? of_way : squared;
        largest = far > largest ? far : largest;
    }
    s->speed = sqrt(squared) * ROUND_UP;
    s->error = FR__UNIT_ROUNDOFF * 32.0 * largest;
}

static void make_turning(fr__swept *s, const fr__guide *guide, const fr_vec3 *start, double largest) {
    double angle = guide->axis.angle, reach = 0.0, squared = 0.0;
    s->axis = guide->axis;
    for (int i = 0; i < 3; i++) {
        fr__arm arm = fr__arm_make(&guide->axis, start[i < s->count ? i : s->count - 1], guide->pivot);
        s->way[i] = guide->travel;
        s->across[i] = arm.across;
        s->tangent[i] = arm.tangent;
        double of_arm = fr_vec3_length_squared(arm.across);
        squared = of_arm > squared ? of_arm : squared;
        reach = arm.reach > reach ? arm.reach : reach;
    }
    // An arm is wrong by up to 14.5u of its reach, a coordinate; its length by 2^-48 of it at most.
    s->slack = 0x1p-48 * reach;
    double radius = sqrt(squared) * ROUND_UP + s->slack;
    double far = fr_vec3_largest(guide->pivot);
    largest = far > largest ? far : largest;
    s->bend = angle * angle * radius * ROUND_UP;
    s->speed = (fr_vec3_length(guide->travel) + angle * radius) * ROUND_UP;
    s->error = FR__UNIT_ROUNDOFF * (32.0 * largest + 32.0 * fr_vec3_largest(guide->travel) + 200.0 * angle * reach);
}

void fr__swept_make(fr__swept *swept, const fr__guide *guide, const fr_vec3 *start, const fr_vec3 *end, int count,
                    fr_vec3 origin, double largest) {
    swept->count = count;
    for (int i = 0; i < 3; i++) {
        int k = i < count ? i : count - 1;
        swept->start[i] = fr_vec3_sub(start[k], origin);
        double far = fr_vec3_largest(start[k]);
        largest = far > largest ? far : largest;
    }
    if (guide->axis.angle > 0.0) {
        make_turning(swept, guide, start, largest);
        return;
    }
    if (!guide->is_motion) {
        make_straight(swept, start, end, largest);
        return;
    }
    // A motion without a turn: all go the same way.
    swept->axis = guide->axis;
    for (int i = 0; i < 3; i++) {
        swept->way[i] = guide->travel;
    }
    swept->bend = 0.0;
    swept->speed = fr_vec3_length(guide->travel) * ROUND_UP;
    swept->error = FR__UNIT_ROUNDOFF * (32.0 * largest + 32.0 * fr_vec3_largest(guide->travel));
}
