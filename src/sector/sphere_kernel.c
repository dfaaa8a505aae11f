// Many balls against one sector, several at once.
#include "sector/sphere_kernel.h"
#include "math/wide.h"

// Eight balls.
typedef struct balls {
    fr__f8 x, y, z, radius;
} balls;

FR__WIDE balls load_balls(const fr_spheres *s, size_t i) {
    return (balls){fr__f8_load(s->x + i), fr__f8_load(s->y + i), fr__f8_load(s->z + i),
                   s->radius != NULL ? fr__f8_load(s->radius + i) : fr__f8_splat(0.0f)};
}

// The last ones, fewer than eight, with zeros behind them.
static balls load_rest(const fr_spheres *s, size_t i, size_t count) {
    float lanes[4][8] = {{0.0f}};
    for (size_t k = 0; k < count; k++) {
        lanes[0][k] = s->x[i + k];
        lanes[1][k] = s->y[i + k];
        lanes[2][k] = s->z[i + k];
        lanes[3][k] = s->radius != NULL ? s->radius[i + k] : 0.0f;
    }
    return (balls){fr__f8_load(lanes[0]), fr__f8_load(lanes[1]), fr__f8_load(lanes[2]), fr__f8_load(lanes[3])};
}

FR__WIDE fr__f8 dot(const float axis[3], fr__f8 x, fr__f8 y, fr__f8 z) {
    fr__f8 xy = fr__f8_add(fr__f8_mul(fr__f8_splat(axis[0]), x), fr__f8_mul(fr__f8_splat(axis[1]), y));
    return fr__f8_add(xy, fr__f8_mul(fr__f8_splat(axis[2]), z));
}

// The distance as fr__plane_distance2 has it, both of its cases at once: within the angle the radius counts and nothing
// across, elsewhere the length along the edge and the distance from it.
FR__WIDE int sector_bits(const fr__float_sector *s, balls b) {
    const fr__f8 zero = fr__f8_splat(0.0f);
    fr__f8 dx = fr__f8_sub(b.x, fr__f8_splat(s->center[0])), dy = fr__f8_sub(b.y, fr__f8_splat(s->center[1]));
    fr__f8 dz = fr__f8_sub(b.z, fr__f8_splat(s->center[2]));
    fr__f8 x = dot(s->axes[0], dx, dy, dz), y = fr__f8_abs(dot(s->axes[1], dx, dy, dz));
    fr__f8 z = fr__f8_abs(dot(s->axes[2], dx, dy, dz));
    fr__f8 cosine = fr__f8_splat(s->cosine), sine = fr__f8_splat(s->sine);
    fr__f8 across = fr__f8_sub(fr__f8_mul(x, sine), fr__f8_mul(y, cosine));
    fr__f8 along = fr__f8_add(fr__f8_mul(x, cosine), fr__f8_mul(y, sine));
    fr__f8 rho = fr__f8_sqrt(fr__f8_add(fr__f8_mul(x, x), fr__f8_mul(y, y)));
    fr__m8 is_inside = fr__f8_gt(across, zero);
    fr__f8 u = fr__f8_select(is_inside, rho, along), e = fr__f8_min(zero, across);
    fr__f8 under = fr__f8_sub(fr__f8_splat(s->inner), u), over = fr__f8_sub(u, fr__f8_splat(s->outer));

    // The second of a maximum is the result where one is NaN: so a NaN stays and meets nothing.
    fr__f8 m = fr__f8_max(zero, fr__f8_max(under, over));
    fr__f8 n = fr__f8_max(zero, fr__f8_sub(z, fr__f8_splat(s->half_thickness)));
    fr__f8 radius = fr__f8_add(fr__f8_mul(b.radius, fr__f8_splat(s->factor)), fr__f8_splat(s->slack));
    fr__f8 square = fr__f8_add(fr__f8_add(fr__f8_mul(m, m), fr__f8_mul(e, e)), fr__f8_mul(n, n));
    return fr__m8_bits(fr__f8_le(square, fr__f8_mul(radius, radius)));
}

// How far a coordinate is outside low .. high.
FR__WIDE fr__f8 outside(fr__f8 x, float low, float high) {
    fr__f8 under = fr__f8_sub(fr__f8_splat(low), x), over = fr__f8_sub(x, fr__f8_splat(high));
    return fr__f8_max(fr__f8_splat(0.0f), fr__f8_max(under, over));
}

FR__WIDE int box_bits(const fr__float_box *box, balls b) {
    fr__f8 x = outside(b.x, box->min[0], box->max[0]), y = outside(b.y, box->min[1], box->max[1]);
    fr__f8 z = outside(b.z, box->min[2], box->max[2]);
    fr__f8 square = fr__f8_add(fr__f8_add(fr__f8_mul(x, x), fr__f8_mul(y, y)), fr__f8_mul(z, z));
    return fr__m8_bits(fr__f8_le(square, fr__f8_mul(b.radius, b.radius)));
}

FR__WIDE int keep(int bits, size_t count) { return bits & ((1 << count) - 1); }

// Whether one of the balls reaches into the box on an axis.
FR__WIDE fr__m8 reaches(fr__f8 x, fr__f8 radius, float low, float high) {
    return fr__m8_and(fr__f8_ge(fr__f8_add(x, radius), fr__f8_splat(low)),
                      fr__f8_le(fr__f8_sub(x, radius), fr__f8_splat(high)));
}

// Most balls are far away: eight that are all outside of the bounds are passed over.
FR__WIDE bool is_one_near(const fr__float_sector *s, balls b) {
    const fr__float_box *box = &s->bounds;
    fr__f8 radius = fr__f8_add(fr__f8_mul(b.radius, fr__f8_splat(s->far_factor)), fr__f8_splat(s->far_slack));
    fr__m8 xy =
        fr__m8_and(reaches(b.x, radius, box->min[0], box->max[0]), reaches(b.y, radius, box->min[1], box->max[1]));
    return fr__m8_bits(fr__m8_and(xy, reaches(b.z, radius, box->min[2], box->max[2]))) != 0;
}

static size_t sector_spheres(const fr__float_sector *s, const fr_spheres *spheres, uint8_t *bits) {
    size_t count = spheres->count, hits = 0, i = 0;
    for (; i + 8 <= count; i += 8) {
        balls b = load_balls(spheres, i);
        int found = is_one_near(s, b) ? sector_bits(s, b) : 0;
        bits[i / 8] = (uint8_t)found;
        hits += (size_t)__builtin_popcount((unsigned)found);
    }
    if (i < count) {
        balls b = load_rest(spheres, i, count - i);
        int found = is_one_near(s, b) ? keep(sector_bits(s, b), count - i) : 0;
        bits[i / 8] = (uint8_t)found;
        hits += (size_t)__builtin_popcount((unsigned)found);
    }
    return hits;
}

static size_t box_spheres(const fr__float_box *box, const fr_spheres *spheres, uint8_t *bits) {
    size_t count = spheres->count, hits = 0, i = 0;
    for (; i + 8 <= count; i += 8) {
        int found = box_bits(box, load_balls(spheres, i));
        bits[i / 8] = (uint8_t)found;
        hits += (size_t)__builtin_popcount((unsigned)found);
    }
    if (i < count) {
        int found = keep(box_bits(box, load_rest(spheres, i, count - i)), count - i);
        bits[i / 8] = (uint8_t)found;
        hits += (size_t)__builtin_popcount((unsigned)found);
    }
    return hits;
}

const fr__sphere_table FR_KERNEL_NAME(fr__sphere_kernels) = {sector_spheres, box_spheres};
