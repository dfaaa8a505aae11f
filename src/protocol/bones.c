// Bones in messages: turns of 48 bits, and bones in the frames of their parents.
#include "protocol/bones.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Turns
//
// The largest of the four numbers of a quaternion, made positive, divides the other three: each quotient r is in
// -1 .. 1. Evenly spaced quotients would lie densest where the quaternion has several large numbers, so what is stored
// is t with r = t (BEND + (1 - BEND) t^2), in LEVELS steps: four times LEVELS^3 is just below 2^48. The largest error
// is 6.9e-5 radians; turns of none, and about an axis by 90 and 180 degrees, are exact.

#define LEVELS UINT64_C(41285)
#define BEND 0.8

// Newton's method from a guess that is right at 0 and 1 and within 0.02 between: two steps leave 1e-8, and the
// derivative is at least BEND.
static uint64_t step_of(double quotient) {
    double t = quotient * (1.25 - 0.25 * (quotient * quotient));
    for (int i = 0; i < 2; i++) {
        double square = t * t;
        t -= (t * (BEND + (1.0 - BEND) * square) - quotient) / (BEND + 3.0 * (1.0 - BEND) * square);
    }
    double level = (t + 1.0) * (0.5 * (double)(LEVELS - 1)) + 0.5;
    level = level < 0.0 ? 0.0 : level;
    return (uint64_t)(level > (double)(LEVELS - 1) ? (double)(LEVELS - 1) : level);
}

static double quotient_of(uint64_t step) {
    double t = ((double)step - 0.5 * (double)(LEVELS - 1)) / (0.5 * (double)(LEVELS - 1));
    return t * (BEND + (1.0 - BEND) * (t * t));
}

uint64_t fr_protocol_pack_turn(fr_quat turn) {
    const double numbers[4] = {turn.w, turn.x, turn.y, turn.z};
    unsigned largest = 0;
    for (unsigned i = 1; i < 4; i++) {
        if (fabs(numbers[i]) > fabs(numbers[largest])) { largest = i; }
    }
    uint64_t packed = largest;
    double back = 1.0 / numbers[largest];
    for (unsigned i = 1; i < 4; i++) {
        unsigned other = i <= largest ? i - 1 : i;
        packed = packed * LEVELS + step_of(numbers[other] * back);
    }
    return packed;
}

fr_quat fr_protocol_unpack_turn(uint64_t packed) {
    double numbers[4] = {1.0, 1.0, 1.0, 1.0}, quotients[3], squares = 1.0;
    for (int i = 2; i >= 0; i--) {
        quotients[i] = quotient_of(packed % LEVELS);
        squares += quotients[i] * quotients[i];
        packed /= LEVELS;
    }
    double scale = 1.0 / sqrt(squares);
    const double *next = quotients;
    for (unsigned i = 0; i < 4; i++) {
        numbers[i] = (i == (packed & 3) ? 1.0 : *next++) * scale;
    }
    return (fr_quat){numbers[0], numbers[1], numbers[2], numbers[3]};
}

// ---------------------------------------------------------------------------------------------------------------
// Frames

// A scale of 0 marks a bone that is not placed yet, one below 0 a bone whose parents are being placed.
void fr__bones_place(const uint32_t *parents, const fr_pose *local, uint32_t count, uint32_t *stack, fr_pose *out) {
    for (uint32_t i = 0; i < count; i++) {
        out[i].scale = 0.0;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t depth = 0, at = i;
        while (at < count && out[at].scale == 0.0) {
            out[at].scale = -1.0;
            stack[depth++] = at;
            at = parents[at];
        }
        const fr_pose *parent = at < count && out[at].scale > 0.0 ? &out[at] : NULL;
        while (depth > 0) {
            uint32_t bone = stack[--depth];
            out[bone] = parent != NULL ? fr_pose_compose(parent, &local[bone]) : local[bone];
            parent = &out[bone];
        }
    }
}
