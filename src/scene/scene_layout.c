// Puts models side by side, and gives colours to those that have none.
#include "scene/scene_layout.h"

#define GAP 0.2 // between boxes, of the mean of their sides

static fr_vec3 size_of(const fr_bounds *box) {
    if (fr_bounds_is_empty(box)) { return fr_vec3_make(0.0, 0.0, 0.0); }
    return fr_vec3_sub(box->max, box->min);
}

// Where the origin of an object is whose box begins at x, stands on the ground and has its middle at z.
static fr_vec3 put(const fr_bounds *box, double x, double z) {
    if (fr_bounds_is_empty(box)) { return fr_vec3_make(x, 0.0, z); }
    return fr_vec3_make(x - box->min.x, -box->min.y, z - 0.5 * (box->min.z + box->max.z));
}

// The width of a row that makes all rows together about as wide as deep.
static double row_width(const fr__layout_item *items, uint32_t count, double gap) {
    double area = 0.0, widest = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        fr_vec3 size = size_of(&items[i].bounds);
        area += (size.x + gap) * (size.z + gap);
        widest = fmax(widest, size.x);
    }
    // Up to four stand in one row.
    return count <= 4 ? INFINITY : fmax(widest, 1.5 * sqrt(area));
}

// Moves a row so that it is about x = 0 and its depth about `z`.
static double settle_row(fr__layout_item *items, uint32_t count, double width, double depth, double z,
                         bool is_centred) {
    for (uint32_t i = 0; i < count; i++) {
        items[i].position.z += z + 0.5 * depth;
        if (is_centred) { items[i].position.x -= 0.5 * width; }
    }
    return z + depth;
}

void fr__layout_rows(fr__layout_item *items, uint32_t count, const fr_bounds *taken) {
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        fr_vec3 size = size_of(&items[i].bounds);
        sum += fmax(size.x, size.z);
    }
    double gap = count > 0 ? fmax(GAP * sum / (double)count, 1e-6) : 0.0;
    double limit = row_width(items, count, gap);
    bool is_centred = fr_bounds_is_empty(taken);
    double left = is_centred ? 0.0 : taken->max.x + gap, z = is_centred ? 0.0 : 0.5 * (taken->min.z + taken->max.z);

    uint32_t first = 0;
    double x = left, depth = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        fr_vec3 size = size_of(&items[i].bounds);
        if (i > first && x + size.x - left > limit) {
            z = settle_row(items + first, i - first, x - gap - left, depth, z, is_centred) + gap;
            first = i;
            x = left;
            depth = 0.0;
        }
        items[i].position = put(&items[i].bounds, x, 0.0);
        x += size.x + gap;
        depth = fmax(depth, size.z);
    }
    // A single row has its middle where the others are.
    double begin = first == 0 ? z - 0.5 * depth : z;
    (void)settle_row(items + first, count - first, x - gap - left, depth, begin, is_centred);
}

fr_color fr__palette_color(uint32_t number) {
    static const fr_color colors[] = {{92, 148, 206, 255},  {232, 176, 80, 255}, {104, 178, 132, 255},
                                      {168, 132, 200, 255}, {86, 186, 196, 255}, {206, 196, 112, 255},
                                      {132, 140, 216, 255}, {150, 188, 92, 255}, {200, 150, 118, 255}};
    return colors[number % (sizeof colors / sizeof colors[0])];
}
