// Sets of boxes that give trees trouble, for the tests of this folder.
#ifndef FUREAI_TEST_BOX_SETS_H
#define FUREAI_TEST_BOX_SETS_H

#include "fureai/shape.h"

#include <float.h>
#include <math.h>

typedef enum box_set {
    BOX_SET_PLAIN,     // small boxes in a cube
    BOX_SET_EQUAL,     // all the same box
    BOX_SET_TWINS,     // few different boxes, many times each
    BOX_SET_POINTS,    // points on a line: no surface at all
    BOX_SET_FLAT,      // a huge sheet without thickness
    BOX_SET_NESTED,    // sizes from 1e-30 to 1e30 about one centre
    BOX_SET_FAR,       // coordinates of 1e30
    BOX_SET_SPACED,    // places that grow by a factor: divided one by one, the tree would be as deep as it has items
    BOX_SET_UNBOUNDED, // infinite sides among plain ones
    BOX_SET_COUNT
} box_set;

static inline fr_box box_about(double x, double y, double z, double hx, double hy, double hz) {
    fr_box box = {{fr_float_down(x - hx), fr_float_down(y - hy), fr_float_down(z - hz)},
                  {fr_float_up(x + hx), fr_float_up(y + hy), fr_float_up(z + hz)}};
    return box;
}

static inline fr_box random_plain_box(fr_random *random, double reach) {
    double x = fr_random_between(random, -reach, reach), y = fr_random_between(random, -reach, reach);
    double z = fr_random_between(random, -reach, reach);
    double hx = fr_random_between(random, 0, 0.05 * reach), hy = fr_random_between(random, 0, 0.05 * reach);
    return box_about(x, y, z, hx, hy, fr_random_between(random, 0, 0.05 * reach));
}

static inline fr_box random_box_of(box_set set, fr_random *random, uint32_t i) {
    double u = fr_random_unit(random), v = fr_random_unit(random);
    fr_box box = random_plain_box(random, 1.0);
    switch (set) {
    case BOX_SET_EQUAL: return box_about(1, 2, 3, 0.5, 0.25, 1);
    case BOX_SET_TWINS: return box_about((double)(i % 5), (double)(i % 3), 0, 0.3, 0.3, 0.3);
    case BOX_SET_POINTS: return box_about(floor(1e4 * u) / 16, 0, 0, 0, 0, 0);
    case BOX_SET_FLAT: return box_about(1e6 * u, 1e6 * v, 7, 10, 10, 0);
    case BOX_SET_NESTED: {
        double size = pow(10.0, 60.0 * u - 30.0);
        return box_about(0, 0, 0, size, size * v, size);
    }
    case BOX_SET_FAR: return random_plain_box(random, 1e30);
    case BOX_SET_SPACED: {
        double place = pow(1.5, (double)(i % 380)) * 1e-30;
        return box_about(place, 0, 0, 0, 0, 0);
    }
    case BOX_SET_UNBOUNDED:
        if (i % 7 == 0) { box.max.x = INFINITY; }
        if (i % 11 == 0) { box.min.y = -INFINITY; }
        return box;
    default: return box;
    }
}

#endif
