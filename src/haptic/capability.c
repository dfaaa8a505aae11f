// The map of what strings can give: its tips, what it says on the whole, and its drawing.
#include "fureai/base_drawing.h"
#include "fureai/haptic.h"

#include <math.h>

#define FULL_SHARE 0.99f // of a tip that counts as full: a few directions may be missed by rounding

static double grid_place(double low, double high, uint32_t i, uint32_t count) {
    return count == 1 ? 0.5 * (low + high) : low + (high - low) * ((double)i / (double)(count - 1));
}

fr_vec3 fr_capability_tip(const fr_capability_input *input, size_t index) {
    FR_ASSERT(input != NULL);
    const fr_bounds *b = &input->bounds;
    size_t row = index / input->count[0];
    uint32_t x = (uint32_t)(index % input->count[0]), y = (uint32_t)(row % input->count[1]);
    uint32_t z = (uint32_t)(row / input->count[1]);
    return fr_vec3_make(grid_place(b->min.x, b->max.x, x, input->count[0]),
                        grid_place(b->min.y, b->max.y, y, input->count[1]),
                        grid_place(b->min.z, b->max.z, z, input->count[2]));
}

static size_t tip_count(const fr_capability_input *input) {
    return (size_t)input->count[0] * input->count[1] * input->count[2];
}

fr_capability_summary fr_capability_summarize(const fr_capability_input *input, const float *shares) {
    FR_ASSERT(input != NULL && shares != NULL);
    fr_capability_summary out = {0};
    size_t count = tip_count(input);
    for (size_t i = 0; i < count; i++) {
        out.mean += (double)shares[i];
        out.best = fmax(out.best, (double)shares[i]);
        out.full_count += shares[i] >= FULL_SHARE;
    }
    out.mean /= (double)count;
    return out;
}

fr_color fr_capability_color(float share) {
    double s = fmin(fmax((double)share, 0.0), 1.0);
    return (fr_color){(uint8_t)(210.0 - 170.0 * s), (uint8_t)(60.0 + 110.0 * s), 60, 255};
}

void fr_capability_draw(const fr_capability_input *input, const float *shares, fr_color eyelet, fr_color frame,
                        const fr_draw *draw) {
    FR_ASSERT(input != NULL && shares != NULL && draw != NULL);
    const fr_vec3 *a = input->strings->anchors;
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        const double point[3] = {a[i].x, a[i].y, a[i].z};
        fr_draw_points(draw, point, 1, eyelet, 10.0);
        for (int k = 0; k < i; k++) {
            const double line[6] = {a[i].x, a[i].y, a[i].z, a[k].x, a[k].y, a[k].z};
            fr_draw_lines(draw, line, 1, frame, 1.0);
        }
    }
    size_t count = tip_count(input);
    for (size_t i = 0; i < count; i++) {
        fr_vec3 tip = fr_capability_tip(input, i);
        const double point[3] = {tip.x, tip.y, tip.z};
        fr_draw_points(draw, point, 1, fr_capability_color(shares[i]), 2.0 + 5.0 * (double)shares[i]);
    }
}
