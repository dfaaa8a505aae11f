// What follows the decoding of elements: unit vectors, rotations, floats and colours from forms that compress better.
// Numbers outside of what the extension allows give any value, never a fault.
#include "bytes.h"
#include "meshopt.h"

#include <math.h>

// Four components of an element of 4 or 8 bytes, as signed numbers.
static void load(const unsigned char *at, size_t stride, int v[4]) {
    for (int k = 0; k < 4; k++) {
        v[k] = stride == 4 ? (signed char)at[k] : (int16_t)fr__load_u16((const char *)at + 2 * k, false);
    }
}

static void store(unsigned char *at, size_t stride, const int v[4]) {
    for (int k = 0; k < 4; k++) {
        size_t bytes = stride / 4;
        for (size_t i = 0; i < bytes; i++) {
            at[(size_t)k * bytes + i] = (unsigned char)((unsigned)v[k] >> 8 * i);
        }
    }
}

// The nearest whole number, halves away from zero.
static int nearest(float value) { return (int)(value + (value < 0.0f ? -0.5f : 0.5f)); }

static void octahedral(size_t stride, unsigned char *element) {
    float max = stride == 4 ? 127.0f : 32767.0f;
    int v[4];
    load(element, stride, v);
    float one = (float)(v[2] > 0 ? v[2] : 1);
    float x = (float)v[0] / one, y = (float)v[1] / one, z = 1.0f - fabsf(x) - fabsf(y);
    // Below the equator the corners of the octahedron are folded in.
    float fold = z < 0.0f ? z : 0.0f;
    x -= copysignf(fold, x);
    y -= copysignf(fold, y);
    float length = sqrtf(x * x + y * y + z * z);
    v[0] = nearest(x / length * max);
    v[1] = nearest(y / length * max);
    v[2] = nearest(z / length * max);
    store(element, stride, v);
}

static void quaternion(unsigned char *element) {
    const float range = 0.70710678f; // the largest that a component can be beside a larger one
    int v[4], out[4];
    load(element, 8, v);
    float one = (float)(v[3] | 3), small[3], square = 1.0f;
    unsigned largest = (unsigned)v[3] & 3;
    for (unsigned k = 0; k < 3; k++) {
        small[k] = (float)v[k] / one * range;
        square -= small[k] * small[k];
        out[(largest + 1 + k) % 4] = nearest(small[k] * 32767.0f);
    }
    out[largest] = nearest(sqrtf(square > 0.0f ? square : 0.0f) * 32767.0f);
    store(element, 8, out);
}

static void exponential(unsigned char *number) {
    uint32_t bits = fr__load_u32((const char *)number, false);
    int exponent = (signed char)(bits >> 24), mantissa = (int)(bits & 0xffffff);
    if (mantissa >= 1 << 23) { mantissa -= 1 << 24; }
    fr__store_float((char *)number, ldexpf((float)mantissa, exponent));
}

static void color(size_t stride, unsigned char *element) {
    int max = stride == 4 ? 255 : 65535, v[4];
    load(element, stride, v);
    int luma = v[0] & max, alpha = v[3] & max, scale = 1;
    // The highest bit of alpha says how many bits all have.
    while (scale <= alpha) {
        scale *= 2;
    }
    scale = scale > 1 ? scale - 1 : 1;
    alpha &= scale / 2;
    const int out[4] = {luma + v[1] - v[2], luma + v[2], luma - v[1] - v[2], alpha * 2 | (alpha & 1)};
    for (int k = 0; k < 4; k++) {
        float value = (float)out[k] * ((float)max / (float)scale);
        v[k] = value < 0.0f ? 0 : value > (float)max ? max : nearest(value);
    }
    store(element, stride, v);
}

void fr__meshopt_unfilter(fr__meshopt_filter filter, size_t count, size_t stride, unsigned char *elements) {
    if (filter == FR__MESHOPT_NO_FILTER) { return; }
    for (size_t i = 0; i < count; i++) {
        unsigned char *element = elements + i * stride;
        switch (filter) {
        case FR__MESHOPT_OCTAHEDRAL: octahedral(stride, element); break;
        case FR__MESHOPT_QUATERNION: quaternion(element); break;
        case FR__MESHOPT_COLOR: color(stride, element); break;
        default:
            for (size_t k = 0; k < stride; k += 4) {
                exponential(element + k);
            }
            break;
        }
    }
}
