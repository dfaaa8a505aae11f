// The block of bench_clash.c and its rival: N parts, each a bumpy ball of 5,000 triangles that its neighbours touch or
// enter; every second part is an instance of the one before.
#ifndef FUREAI_BENCH_CLASH_BLOCK_H
#define FUREAI_BENCH_CLASH_BLOCK_H

#include <math.h>
#include <stdint.h>
#include <string.h>

enum {
    BLOCK_SLICES = 50,
    BLOCK_STACKS = 51,
    BLOCK_RINGS = BLOCK_STACKS - 1,
    BLOCK_VERTICES = BLOCK_RINGS * BLOCK_SLICES + 2,
    BLOCK_TRIANGLES = 2 * BLOCK_RINGS * BLOCK_SLICES
};

// A ball with waves of its own; the same for the same number. Writes 3 numbers a vertex and 3 a triangle.
static inline void block_ball(uint32_t shape, double *positions, uint32_t *corners) {
    const double pi = 3.14159265358979323846;
    double *p = positions;
    for (int i = 0; i < BLOCK_RINGS; i++) {
        double up = pi * (i + 1) / BLOCK_STACKS;
        for (int k = 0; k < BLOCK_SLICES; k++, p += 3) {
            double round = 2.0 * pi * k / BLOCK_SLICES;
            double r = 1.0 + 0.02 * sin(5.0 * round + shape) * sin(4.0 * up + 0.1 * shape);
            p[0] = r * sin(up) * cos(round);
            p[1] = r * cos(up);
            p[2] = r * sin(up) * sin(round);
        }
    }
    const double poles[6] = {0, 1, 0, 0, -1, 0};
    memcpy(p, poles, sizeof poles);
    uint32_t *t = corners;
    for (uint32_t k = 0; k < BLOCK_SLICES; k++) {
        uint32_t next = (k + 1) % BLOCK_SLICES, last = (BLOCK_RINGS - 1) * BLOCK_SLICES;
        const uint32_t caps[6] = {BLOCK_RINGS * BLOCK_SLICES,     next,     k,
                                  BLOCK_RINGS * BLOCK_SLICES + 1, last + k, last + next};
        memcpy(t, caps, sizeof caps);
        t += 6;
        for (uint32_t i = 0; i + 1 < BLOCK_RINGS; i++, t += 6) {
            uint32_t a = i * BLOCK_SLICES, b = a + BLOCK_SLICES;
            const uint32_t square[6] = {a + k, a + next, b + next, a + k, b + next, b + k};
            memcpy(t, square, sizeof square);
        }
    }
}

// Where part `i` of `count` stands.
static inline void block_place(uint32_t i, uint32_t count, double place[3]) {
    uint32_t side = 1;
    while (side * side * side < count) {
        side++;
    }
    place[0] = 2.02 * (i % side);
    place[1] = 2.013 * (i / side % side);
    place[2] = 2.017 * (i / side / side);
}

#endif
