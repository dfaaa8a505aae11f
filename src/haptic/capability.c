// The map of what strings can give: its tips, what it says on the whole, and its drawing.
#include "fureai/base_drawing.h"
#include "fureai/haptic.h"

#include <math.h>

#define FULL_SHARE 0.99f // of a tip that counts as full: a few directions may be missed by rounding
#define MIDDLE 0.1       // of each eyelet in a tip that counts as well inside

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

static double six_volumes(fr_vec3 a, fr_vec3 b, fr_vec3 c, fr_vec3 d) {
    return fr_vec3_dot(fr_vec3_sub(b, a), fr_vec3_cross(fr_vec3_sub(c, a), fr_vec3_sub(d, a)));
}

// The smallest of the weights by which the tip is a mean of the eyelets (barycentric coordinates): below 0 outside
// their tetrahedron, and where they have none.
static double least_weight(const fr_vec3 *a, fr_vec3 tip) {
    double whole = six_volumes(a[0], a[1], a[2], a[3]), least = 1.0;
    if (whole == 0.0) { return -1.0; }
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        fr_vec3 moved[FR_STRING_COUNT] = {a[0], a[1], a[2], a[3]};
        moved[i] = tip;
        least = fmin(least, six_volumes(moved[0], moved[1], moved[2], moved[3]) / whole);
    }
    return least;
}

fr_capability_summary fr_capability_summarize(const fr_capability_input *input, const float *shares) {
    FR_ASSERT(input != NULL && shares != NULL);
    fr_capability_summary out = {0};
    size_t count = tip_count(input);
    for (size_t i = 0; i < count; i++) {
        out.mean += (double)shares[i];
        out.best = fmax(out.best, (double)shares[i]);
        out.full_count += shares[i] >= FULL_SHARE;
        double weight = least_weight(input->strings->anchors, fr_capability_tip(input, i));
        if (weight < 0.0) { continue; }
        out.mean_inside += (double)shares[i];
        out.inside_count++;
        if (weight < MIDDLE) { continue; }
        out.mean_middle += (double)shares[i];
        out.middle_count++;
    }
    out.mean /= (double)count;
    if (out.inside_count > 0) { out.mean_inside /= (double)out.inside_count; }
    if (out.middle_count > 0) { out.mean_middle /= (double)out.middle_count; }
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
