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
// derivative is at least BEND. Floats are enough: what they round is a hundredth of a step. The loop is for vectors of
// them.
static void find_steps(const float *quotients, size_t count, int32_t *steps) {
    const float bend = (float)BEND, rest = (float)(1.0 - BEND), half = 0.5f * (float)(LEVELS - 1);
    for (size_t k = 0; k < count; k++) {
        float quotient = quotients[k], t = quotient * (1.25f - 0.25f * (quotient * quotient));
        for (int i = 0; i < 2; i++) {
            float square = t * t;
            t -= (t * (bend + rest * square) - quotient) / (bend + 3.0f * rest * square);
        }
        float level = (t + 1.0f) * half + 0.5f;
        level = level > 0.0f ? level : 0.0f;
        steps[k] = (int32_t)(level < 2.0f * half ? level : 2.0f * half);
    }
}

// Which number of a quaternion is largest, and the quotients of the others, in order.
static unsigned divide(const float turn[4], float quotients[3]) {
    float sizes[4] = {fabsf(turn[0]), fabsf(turn[1]), fabsf(turn[2]), fabsf(turn[3])};
    unsigned first = sizes[1] > sizes[0] ? 1 : 0, second = sizes[3] > sizes[2] ? 3 : 2;
    unsigned largest = sizes[second] > sizes[first] ? second : first;
    float back = 1.0f / turn[largest];
    quotients[0] = turn[largest == 0 ? 1 : 0] * back;
    quotients[1] = turn[largest <= 1 ? 2 : 1] * back;
    quotients[2] = turn[largest <= 2 ? 3 : 2] * back;
    return largest;
}

void fr__pack_turns(const float (*turns)[4], size_t count, uint64_t *packed) {
    enum { BATCH = 32 };
    for (size_t first = 0; first < count; first += BATCH) {
        size_t batch = count - first < BATCH ? count - first : BATCH;
        float quotients[3 * BATCH];
        int32_t steps[3 * BATCH];
        for (size_t i = 0; i < batch; i++) {
            packed[first + i] = divide(turns[first + i], quotients + 3 * i);
        }
        find_steps(quotients, 3 * batch, steps);
        for (size_t i = 0; i < batch; i++) {
            uint64_t all = packed[first + i];
            for (size_t k = 0; k < 3; k++) {
                all = all * LEVELS + (uint64_t)steps[3 * i + k];
            }
            packed[first + i] = all;
        }
    }
}

static double quotient_of(uint64_t step) {
    double t = ((double)step - 0.5 * (double)(LEVELS - 1)) / (0.5 * (double)(LEVELS - 1));
    return t * (BEND + (1.0 - BEND) * (t * t));
}

uint64_t fr_protocol_pack_turn(fr_quat turn) {
    const float numbers[1][4] = {{(float)turn.w, (float)turn.x, (float)turn.y, (float)turn.z}};
    uint64_t packed;
    fr__pack_turns(numbers, 1, &packed);
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
