// Points and segments: closest points and distance.
#include "shape/segment.h"

double fr_segment_closest(const fr_vec3 s[2], fr_vec3 point, fr_vec3 *closest) {
    fr_vec3 u = fr_vec3_sub(s[1], s[0]);
    double along = fr_vec3_dot(fr_vec3_sub(point, s[0]), u), length_squared = fr_vec3_length_squared(u);
    double t = 0.0;
    if (along > 0.0) { t = along < length_squared ? along / length_squared : 1.0; }
    if (closest != NULL) { *closest = fr_vec3_lerp(s[0], s[1], t); }
    return t;
}

// The usual formula for the two lines divides by |u|^2 |v|^2 - (u . v)^2, in which nearly parallel segments leave no
// digit: the result is then off by sqrt(e) D. With n = u x v instead,
//     s = ((q0 - p0) x v) . n / |n|^2,
// n is off by e |u| |v|, so s by e D / (|u| sine of the angle); and moving s by ds moves the distance by no more than
// |u| sine ds, since t follows: e D, whatever the angle. That t follows is why it is projected and not computed alike.
bool fr__segment_inner_pair(const fr_vec3 a[2], const fr_vec3 b[2], fr_vec3 *on_a, fr_vec3 *on_b) {
    fr_vec3 u = fr_vec3_sub(a[1], a[0]), v = fr_vec3_sub(b[1], b[0]);
    fr_vec3 n = fr_vec3_cross(u, v), apart = fr_vec3_sub(b[0], a[0]);
    double n_squared = fr_vec3_length_squared(n);
    if (!(n_squared > 0.0)) { return false; }
    double s = fr_vec3_dot(fr_vec3_cross(apart, v), n), t = fr_vec3_dot(fr_vec3_cross(apart, u), n);
    if (!(s >= 0.0 && s <= n_squared && t >= 0.0 && t <= n_squared)) { return false; }
    *on_a = fr_vec3_lerp(a[0], a[1], s / n_squared);
    fr_segment_closest(b, *on_a, on_b);
    return true;
}

double fr_segment_distance(const fr_vec3 a[2], const fr_vec3 b[2], fr_vec3 *on_a, fr_vec3 *on_b) {
    // About a[0], so that what is far from the origin loses nothing.
    fr_vec3 a_near[2] = {{0.0, 0.0, 0.0}, fr_vec3_sub(a[1], a[0])};
    fr_vec3 b_near[2] = {fr_vec3_sub(b[0], a[0]), fr_vec3_sub(b[1], a[0])};
    fr__segment_nearest nearest = fr__nearest_none();
    fr_vec3 p, q;
    if (fr__segment_inner_pair(a_near, b_near, &p, &q)) { fr__nearest_offer(&nearest, p, q); }
    for (int i = 0; i < 2; i++) {
        fr_segment_closest(b_near, a_near[i], &q);
        fr__nearest_offer(&nearest, a_near[i], q);
        fr_segment_closest(a_near, b_near[i], &p);
        fr__nearest_offer(&nearest, p, b_near[i]);
    }
    if (on_a != NULL) { *on_a = fr_vec3_add(nearest.on_a, a[0]); }
    if (on_b != NULL) { *on_b = fr_vec3_add(nearest.on_b, a[0]); }
    return sqrt(nearest.distance_squared);
}
