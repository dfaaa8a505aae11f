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
// derivative is at least BEND. Floats are enough: what they round is a hundredth of a step.
static inline int32_t step_of(float quotient) {
    const float bend = (float)BEND, rest = (float)(1.0 - BEND), half = 0.5f * (float)(LEVELS - 1);
    float t = quotient * (1.25f - 0.25f * (quotient * quotient));
    for (int i = 0; i < 2; i++) {
        float square = t * t;
        t -= (t * (bend + rest * square) - quotient) / (bend + 3.0f * rest * square);
    }
    float level = (t + 1.0f) * half + 0.5f;
    level = level > 0.0f ? level : 0.0f;
    return (int32_t)(level < 2.0f * half ? level : 2.0f * half);
}

// a where the bits of the mask are set, else b.
static inline uint32_t pick(uint32_t mask, uint32_t a, uint32_t b) { return b ^ ((a ^ b) & mask); }

// All bits set where |a| > |b|: floats that are not negative lie in the order of their bits.
static inline uint32_t mask_larger(uint32_t a, uint32_t b) {
    return 0u - (uint32_t)((int32_t)(a & INT32_MAX) > (int32_t)(b & INT32_MAX));
}

static inline float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// The loops have no branches, for the compiler to do several turns at once; whole fours of them, so that none is left
// over.
static void find_quotients(const fr__turns *turns, size_t count, int32_t largest[restrict],
                           float quotients[restrict][FR__TURNS_AT_ONCE]) {
    const uint32_t(*numbers)[FR__TURNS_AT_ONCE] = turns->number;
    for (size_t i = 0; i < count; i++) {
        uint32_t w = numbers[0][i], x = numbers[1][i], y = numbers[2][i], z = numbers[3][i];
        uint32_t is_x = mask_larger(x, w), is_z = mask_larger(z, y);
        uint32_t low = pick(is_x, x, w), high = pick(is_z, z, y), is_high = mask_larger(high, low);
        float back = 1.0f / float_of(pick(is_high, high, low));
        largest[i] = (int32_t)pick(is_high, 2 - is_z, 0 - is_x);
        quotients[0][i] = float_of(pick(is_x | is_high, w, x)) * back;
        quotients[1][i] = float_of(pick(is_high, x, y)) * back;
        quotients[2][i] = float_of(pick(is_high & is_z, y, z)) * back;
    }
}

static void find_steps(const float *quotients, size_t count, int32_t *steps) {
    for (size_t i = 0; i < count; i++) {
        steps[i] = step_of(quotients[i]);
    }
}

void fr__pack_turns(fr__turns *turns, uint64_t packed[FR__TURNS_AT_ONCE]) {
    float quotients[3][FR__TURNS_AT_ONCE];
    int32_t largest[FR__TURNS_AT_ONCE], steps[3][FR__TURNS_AT_ONCE];
    size_t count = turns->count, whole = (count + 3) & ~(size_t)3;
    for (size_t i = count; i < whole; i++) {
        for (int k = 0; k < 4; k++) {
            turns->number[k][i] = turns->number[k][0];
        }
    }
    find_quotients(turns, whole, largest, quotients);
    for (int k = 0; k < 3; k++) {
        find_steps(quotients[k], whole, steps[k]);
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t all = (uint64_t)largest[i];
        for (int k = 0; k < 3; k++) {
            all = all * LEVELS + (uint64_t)steps[k][i];
        }
        packed[i] = all;
    }
    turns->count = 0;
}

static double quotient_of(uint64_t step) {
    double t = ((double)step - 0.5 * (double)(LEVELS - 1)) / (0.5 * (double)(LEVELS - 1));
    return t * (BEND + (1.0 - BEND) * (t * t));
}

uint64_t fr_protocol_pack_turn(fr_quat turn) {
    fr__turns turns;
    turns.count = 0;
    uint64_t packed[FR__TURNS_AT_ONCE];
    fr__add_turn(&turns, (float)turn.w, (float)turn.x, (float)turn.y, (float)turn.z);
    fr__pack_turns(&turns, packed);
    return packed[0];
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
