// Capsules against a sector. Where both ends are within the slab the capsule is one in the plane; elsewhere a capsule
// in the plane that holds all its layers (Yamamoto 2.7) decides most misses cheaply, and the exact distance decides the
// rest.
#include "sector/plane.h"

// The radius of the largest disc that a ball at height z has within the slab; 0 when it does not reach it.
static double layer(const fr_sector *s, double z, double radius) {
    double over = fr__outside(fabs(z), 0.0, s->half_thickness);
    double square = radius * radius - over * over;
    return over > 0.0 ? (square > 0.0 ? sqrt(square) : 0.0) : radius;
}

// Where along the capsule, from its upper end (a) to its lower one, the layers reach farthest: (2.26) to (2.31) of the
// source, with what lies between both ends only. `widest` is the radius that is taken for all.
static bool flat_capsule_meets(const fr_sector *s, fr_vec3 a, fr_vec3 b, double radius) {
    fr_vec3 v = fr_vec3_sub(b, a);
    double length = sqrt(v.x * v.x + v.y * v.y), h = s->half_thickness;
    bool reaches = a.z >= -h && b.z <= h;
    double widest = reaches ? radius : fr__most(layer(s, a.z, radius), layer(s, b.z, radius));
    fr_vec2 ends[2] = {{a.x, a.y}, {b.x, b.y}};
    if (length > 0.0 && v.z < 0.0) {
        double shift = radius * length / -v.z;
        double high = h + radius * (shift / sqrt(shift * shift + radius * radius));
        if (!(radius > 0.0)) { high = h; }
        double upper = fr__within(fr__least(a.z, high), b.z, a.z), lower = fr__within(fr__most(b.z, -high), b.z, a.z);
        double t_upper = (upper - a.z) / v.z + (widest - layer(s, upper, radius)) / length;
        double t_lower = (lower - a.z) / v.z - (widest - layer(s, lower, radius)) / length;
        ends[0] = (fr_vec2){a.x + t_upper * v.x, a.y + t_upper * v.y};
        ends[1] = (fr_vec2){a.x + t_lower * v.x, a.y + t_lower * v.y};
    }
    // Rounding moves the ends by some units in the last place of what they are computed from.
    double size = fr_vec3_largest(a) + fr_vec3_largest(b) + radius + s->outer;
    double reach = fr__square(widest + 1e-12 * size);
    return fr__plane_segment_distance2(s, ends[0], ends[1], reach) <= reach;
}

bool fr_sector_overlap_capsule(const fr_sector *s, const fr_vec3 segment[2], double radius) {
    fr_vec3 a = fr__sector_local(s, segment[0]), b = fr__sector_local(s, segment[1]);
    if (a.z < b.z) {
        fr_vec3 swap = a;
        a = b;
        b = swap;
    }
    double h = s->half_thickness, square = radius * radius;
    if (!(a.z + radius >= -h && b.z - radius <= h)) { return false; }
    // Most that touch do so at an end.
    if (fr__local_distance2(s, a) <= square || fr__local_distance2(s, b) <= square) { return true; }
    if (a.z <= h && b.z >= -h) {
        fr_vec2 from = {a.x, a.y}, to = {b.x, b.y};
        return fr__plane_segment_distance2(s, from, to, square) <= square;
    }
    return flat_capsule_meets(s, a, b, radius) && fr__segment_distance2(s, a, b, square) <= square;
}
