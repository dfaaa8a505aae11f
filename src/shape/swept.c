// The kernel that prepares the points of a moving set.
#include "shape/swept.h"

fr__guide fr__guide_of(const fr_motion *motion) {
    fr__guide guide = {{{0.0, 0.0, 0.0}, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, motion != NULL};
    if (motion == NULL) { return guide; }
    guide.axis = fr__axis_of_turn(motion->turn);
    guide.travel = motion->travel;
    guide.pivot = fr_pose_apply(&motion->start, motion->pivot_local);
    return guide;
}
