// Where a hand may be: random directions and poses for the tests of the aid.
#ifndef FUREAI_TEST_TOUCH_HANDS_H
#define FUREAI_TEST_TOUCH_HANDS_H

#include "fureai/math.h"

static inline fr_vec3 random_unit(fr_random *random) {
    for (;;) {
        fr_vec3 v = fr_vec3_make(fr_random_between(random, -1.0, 1.0), fr_random_between(random, -1.0, 1.0),
                                 fr_random_between(random, -1.0, 1.0));
        if (fr_vec3_length(v) > 0.1) { return fr_vec3_unit(v, v); }
    }
}

static inline fr_pose random_pose(fr_random *random, double reach, double angle) {
    fr_vec3 at = fr_vec3_scale(fr_random_between(random, 0.0, reach), random_unit(random));
    return fr_pose_make(at, fr_quat_from_axis_angle(random_unit(random), fr_random_between(random, 0.0, angle)));
}

#endif
