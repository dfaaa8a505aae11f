// Steps over which the triangles are proven to stay together: as long as no corner moves farther than an edge of one
// goes deep through the other, or than the distance may still grow. Where that proves less than the time tolerance, the
// step is the time tolerance: a gap inside it need not be told.
#include "shape/parting.h"

#include "shape/crossing.h"

// A step is shortened by this, which covers the roundings of its computation.
#define HOLD_SAFE (1.0 - 0x1p-40)

// Steps at most, whatever the cap: what slides along without crossing takes one every time tolerance, and no end of
// them.
#define STEPS_MAX 1000u

// Times closer than this are one.
#define STEP_MIN 0x1p-50

// How fast corners move beside each other: the largest speed relative to the mean of all. What all share parts nothing.
static double relative_speed(const fr__moving *a, const fr__moving *b) {
    fr_vec3 mean = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3; i++) {
        mean = fr_vec3_add(mean, fr_vec3_add(a->velocity[i], b->velocity[i]));
    }
    mean = fr_vec3_scale(1.0 / 6.0, mean);
    double most = 0.0;
    for (int i = 0; i < 3; i++) {
        most = fmax(most, fmax(fr_vec3_distance(a->velocity[i], mean), fr_vec3_distance(b->velocity[i], mean)));
    }
    return most;
}

// The time in which speed h + bend h^2 / 2 stays below `way`.
static double time_of(double way, double speed, double bend) {
    double root = sqrt(speed * speed + 2.0 * bend * way);
    return speed + root > 0.0 ? 2.0 * way / (speed + root) * HOLD_SAFE : 1.0;
}

double fr__parting_time(const fr__chase *chase, double from, const fr_time_options *options, bool *capped) {
    double accept = chase->separation + chase->tolerance - chase->error;
    double bend = fmax(chase->a.bend, chase->b.bend);
    double radian = 1.0 / fmax(1.0, fmax(chase->a.axis.angle, chase->b.axis.angle));
    double least_step = options->time_tolerance > STEP_MIN ? options->time_tolerance : STEP_MIN;
    uint32_t cap = options->cap < STEPS_MAX ? options->cap : STEPS_MAX;
    double t = from;
    for (uint32_t steps = 0; steps < cap && t < 1.0; steps++) {
        fr__moving a, b;
        fr__swept_at(&chase->a, t, &a);
        fr__swept_at(&chase->b, t, &b);
        double speed = relative_speed(&a, &b) + 2.0 * chase->error;
        double free = fr__triangles_depth(a.at, b.at, chase->error);
        if (free == 0.0) {
            // Each of the two closest points moves no farther than its corners.
            double distance = fr_triangle_distance(a.at, b.at, NULL, NULL);
            if (distance > accept && t > from) {
                *capped = false;
                return t;
            }
            free = 0.5 * (accept - distance);
        }
        // A prediction is good for a radian.
        double hold = free > 0.0 ? fmin(time_of(free, speed, bend), radian) : 0.0;
        t += fmax(hold, least_step);
    }
    *capped = t < 1.0;
    return 1.0;
}
