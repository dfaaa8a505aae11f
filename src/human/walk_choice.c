// Chooses the clips of a walk by its length.
#include "human/walk_plan.h"

// A start and an end are not made shorter than this part of their length while another choice is left.
static const double RATIO_LIMIT = 0.8;

int fr__walk_nearest(double angle) {
    int index = (int)floor((fr_degrees(fabs(angle)) + 15.0) / 30.0);
    return index > 6 ? 6 : index;
}

static double clip_length(const fr_walk_set *set, fr_clip_class clip_class, int direction, int facing,
                          fr_stride stride) {
    uint32_t index = fr__walk_clip_index(clip_class, direction, facing, stride, FR__LEFT);
    fr_vec2 travel = fr__walk_set_look_up(set, index)->travel;
    return sqrt(travel.x * travel.x + travel.y * travel.y);
}

fr__walk_lengths fr__walk_lengths_of(const fr_walk_set *set, double direction, double facing) {
    int d = fr__walk_nearest(direction), f = fr__walk_nearest(facing);
    fr__walk_lengths lengths;
    for (int i = 0; i < 2; i++) {
        fr_stride stride = i == 0 ? FR_STRIDE_NORMAL : FR_STRIDE_SMALL;
        lengths.one[i] = clip_length(set, FR_CLIP_ONE_STEP, d, f, stride);
        lengths.two[i] = clip_length(set, FR_CLIP_TWO_STEPS, d, f, stride);
        lengths.end[i] = clip_length(set, FR_CLIP_END, 0, f, stride);
    }
    lengths.start = clip_length(set, FR_CLIP_START, d, 0, FR_STRIDE_NONE);
    lengths.straight = clip_length(set, FR_CLIP_STRAIGHT, 0, 0, FR_STRIDE_NONE);
    return lengths;
}

// Ichiguchi A.11 - A.13: start, straight steps and end; the last two decide by which the ends are shortened.
static fr__walk_choice choose_three(const fr__walk_lengths *l, double length) {
    fr__walk_choice choice = {FR_WALK_THREE_PARTS, FR_STRIDE_NORMAL, 0, 1.0, 1.0, 1.0};
    double steps = ceil((length - l->start - l->end[0]) / l->straight);
    double ratio = (length - l->start - l->straight * steps) / l->end[0];
    choice.straights = (uint32_t)steps;
    choice.end_ratio = ratio;
    if (ratio > RATIO_LIMIT) { return choice; }

    choice.stride = FR_STRIDE_SMALL;
    ratio = (length - l->start - l->straight * steps) / l->end[1];
    double more = ratio > 1.0 ? steps + 1.0 : steps;
    ratio = (length - l->start - l->straight * more) / l->end[1];
    choice.straights = (uint32_t)more;
    choice.end_ratio = ratio;
    if (ratio >= RATIO_LIMIT && ratio <= 1.0) { return choice; }

    double normal = (length - l->straight * steps) / (l->start + l->end[0]);
    double small = (length - l->straight * more) / (l->start + l->end[1]);
    bool is_normal = normal > small;
    choice.stride = is_normal ? FR_STRIDE_NORMAL : FR_STRIDE_SMALL;
    choice.straights = (uint32_t)(is_normal ? steps : more);
    choice.start_ratio = choice.end_ratio = is_normal ? normal : small;
    return choice;
}

fr__walk_choice fr__walk_choose(const fr__walk_lengths *l, double length) {
    if (l->start + l->end[0] < length) { return choose_three(l, length); }
    fr__walk_choice choice = {FR_WALK_TWO_PARTS, FR_STRIDE_NORMAL, 0, 1.0, 1.0, 1.0};
    if (l->two[0] < length) {
        choice.stride = l->start + l->end[1] < length ? FR_STRIDE_NORMAL : FR_STRIDE_SMALL;
        choice.start_ratio = choice.end_ratio = length / (l->start + l->end[choice.stride == FR_STRIDE_NORMAL ? 0 : 1]);
        return choice;
    }
    bool is_two = l->one[0] < length;
    const double *clips = is_two ? l->two : l->one;
    choice.pattern = is_two ? FR_WALK_TWO_STEPS : FR_WALK_ONE_STEP;
    choice.stride = clips[1] < length ? FR_STRIDE_NORMAL : FR_STRIDE_SMALL;
    choice.start_ratio = length / clips[choice.stride == FR_STRIDE_NORMAL ? 0 : 1];
    return choice;
}
