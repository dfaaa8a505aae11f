// Counts the frames of a plan that a walk goes through in a step.
#include "human/walk_pace.h"

#include "human/walk_figure.h"

// An even pace is not slower than this part of the first step, nor so much faster.
static const double SLOWEST = 0.4, FASTEST = 2.5;

static double lack_left(double fade, uint32_t step) { return 1.0 - fr__ease((double)step / fade); }

fr__walk_pace fr__walk_pace_even(double length, uint32_t count, double first, double fade) {
    fr__walk_pace pace = {length / (double)count, 1.0, 0.0, fade};
    double sum = 0.0;
    for (uint32_t i = 0; (double)i < fade; i++) {
        sum += lack_left(fade, i);
    }
    if (!(first > 0.0 && (double)count > 2.0 * fade)) { return pace; }
    double rate = (length - first * sum) / ((double)count - sum);
    if (!(rate > SLOWEST * first && rate < FASTEST * first)) { return pace; }
    pace.rate = rate;
    pace.lack = first - rate;
    return pace;
}

double fr__walk_pace_step(const fr__walk_pace *pace, uint32_t step, double steadiness) {
    double even = pace->rate * (1.0 + (pace->steady - 1.0) * steadiness);
    return pace->lack == 0.0 || (double)step >= pace->fade ? even : even + pace->lack * lack_left(pace->fade, step);
}
