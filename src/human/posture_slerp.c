// Between two postures: spherical linear interpolation of every turn, at constant speed (Ichiguchi 5.3 to 5.7).
#include "human/posture.h"

// Below this the arc is so short that a straight line keeps its speed within 1e-10.
#define SHORT_ARC 1e-5

// The angle between two quaternions of one side is 2 atan2(|b - a|, |b + a|), exact from 0 on, where the acos of (5.7)
// has no digits left.
fr_quat fr__quat_slerp(fr_quat a, fr_quat b, double t) {
    if (fr__quat_dot(a, b) < 0.0) { b = (fr_quat){-b.w, -b.x, -b.y, -b.z}; }
    if (t == 0.0) { return a; }
    if (t == 1.0) { return b; }
    fr_quat apart = {b.w - a.w, b.x - a.x, b.y - a.y, b.z - a.z};
    fr_quat sum = {b.w + a.w, b.x + a.x, b.y + a.y, b.z + a.z};
    double angle = 2.0 * fr_atan2(sqrt(fr__quat_dot(apart, apart)), sqrt(fr__quat_dot(sum, sum)));
    double from = 1.0 - t, to = t;
    if (angle > SHORT_ARC) {
        double inverse = 1.0 / fr_sin(angle);
        from = fr_sin(from * angle) * inverse;
        to = fr_sin(to * angle) * inverse;
    }
    fr_quat q = {from * a.w + to * b.w, from * a.x + to * b.x, from * a.y + to * b.y, from * a.z + to * b.z};
    return fr__quat_unit(q);
}
