// Building a subtree by binned surface-area heuristic: the loops that touch every item at every level.
//
// A box is kept as (min, -max), so one 8-wide minimum joins two boxes. Division is stable (items keep their order on
// each side), so its result does not depend on which worker did which piece of it.
#include "math/wide.h"
#include "shape/tree_build.h"

#include <math.h>
#include <string.h>

static inline fr__f8 load_box(const fr__build_box *box) { return fr__f8_load_aligned(box->bound); }
static inline void store_box(fr__build_box *box, fr__f8 value) { fr__f8_store_aligned(box->bound, value); }
static inline fr__f8 empty_box(void) { return fr__f8_splat(INFINITY); }

// ---------------------------------------------------------------------------------------------------------------
// Items

static inline float clamped(float x) {
    float low = x > -FR__TREE_CLAMP ? x : -FR__TREE_CLAMP;
    return low < FR__TREE_CLAMP ? low : FR__TREE_CLAMP;
}

static void load(const fr_box *boxes, uint32_t begin, uint32_t end, fr__build_item *items, fr__build_box *around) {
    fr__f8 all = empty_box();
    for (uint32_t i = begin; i < end; i++) {
        fr__build_item *item = &items[i];
        const fr_box *box = &boxes[i];
        float *bound = item->box.bound;
        bound[0] = clamped(box->min.x);
        bound[1] = clamped(box->min.y);
        bound[2] = clamped(box->min.z);
        bound[3] = 0.0f;
        bound[4] = -clamped(box->max.x);
        bound[5] = -clamped(box->max.y);
        bound[6] = -clamped(box->max.z);
        bound[7] = 0.0f;
        all = fr__f8_min(all, load_box(&item->box));
        item->words[3] = i;
    }
    store_box(around, all);
}

// Two runs side by side: a minimum has to wait for the one before it.
static void centers(const fr__build_item *items, size_t count, fr__build_box *out) {
    float low[2][4], high[2][4];
    const float *first = items[0].box.bound;
    for (int k = 0; k < 4; k++) {
        low[0][k] = low[1][k] = high[0][k] = high[1][k] = first[k] - first[4 + k];
    }
    for (size_t i = count & 1; i < count; i += 2) {
        for (int run = 0; run < 2; run++) {
            const float *bound = items[i + (size_t)run].box.bound;
            for (int k = 0; k < 4; k++) {
                float center = bound[k] - bound[4 + k];
                low[run][k] = center < low[run][k] ? center : low[run][k];
                high[run][k] = center > high[run][k] ? center : high[run][k];
            }
        }
    }
    for (int k = 0; k < 4; k++) {
        out->bound[k] = low[0][k] < low[1][k] ? low[0][k] : low[1][k];
        out->bound[4 + k] = -(high[0][k] > high[1][k] ? high[0][k] : high[1][k]);
    }
}

static void around_items(const fr__build_item *items, size_t count, fr__build_box *out) {
    fr__f8 all = empty_box();
    for (size_t i = 0; i < count; i++) {
        all = fr__f8_min(all, load_box(&items[i].box));
    }
    store_box(out, all);
}

// ---------------------------------------------------------------------------------------------------------------
// Bins

// A centre is at least the origin and at most size beyond it, both as rounded floats, and rounding keeps order: times
// the scale, which is a ten-thousandth too small, it stays below the number of bins.
static fr__build_grid make_grid(const fr__build_box *extent, uint32_t item_count) {
    fr__build_grid grid;
    grid.bins = fr__build_bin_count(item_count);
    for (int axis = 0; axis < 4; axis++) {
        float low = extent->bound[axis], size = -extent->bound[4 + axis] - low;
        float scale = 0.9999f * (float)grid.bins / size;
        bool is_idle = axis == 3 || !(size > 0.0f) || !(scale < 0x1p+127f);
        grid.origin[axis] = axis < 3 ? low : 0.0f;
        grid.scale[axis] = is_idle ? 0.0f : scale;
    }
    return grid;
}

static inline uint32_t bin_of(const fr__build_item *item, const fr__build_grid *grid, uint32_t axis) {
    float center = item->box.bound[axis] - item->box.bound[4 + axis];
    return (uint32_t)(int32_t)((center - grid->origin[axis]) * grid->scale[axis]);
}

static void clear_bins(fr__build_bins *bins, uint32_t count) {
    for (int axis = 0; axis < 3; axis++) {
        for (uint32_t i = 0; i < count; i++) {
            store_box(&bins->box[axis][i], empty_box());
        }
        memset(bins->count[axis], 0, count * sizeof(uint32_t));
    }
}

static void bin_items(const fr__build_item *items, size_t count, const fr__build_grid *grid, fr__build_bins *bins) {
    float origin[4], scale[4];
    memcpy(origin, grid->origin, sizeof origin);
    memcpy(scale, grid->scale, sizeof scale);
    for (size_t i = 0; i < count; i++) {
        const float *bound = items[i].box.bound;
        int32_t at[4]; // the same as bin_of, all axes in one operation; the fourth is idle
        for (int k = 0; k < 4; k++) {
            at[k] = (int32_t)(((bound[k] - bound[4 + k]) - origin[k]) * scale[k]);
        }
        fr__f8 box = load_box(&items[i].box);
        for (int axis = 0; axis < 3; axis++) {
            fr__build_box *bin = &bins->box[axis][at[axis]];
            store_box(bin, fr__f8_min(load_box(bin), box));
            bins->count[axis][at[axis]]++;
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The choice

// Half the surface in units of the range's size, each side a little longer: so that boxes without area (points on a
// line, a flat sheet seen along its edge) are distinguished too.
static inline float scaled_area(fr__f8 box, float scale) {
    float b[8];
    fr__f8_store(b, box);
    float x = (-b[4] - b[0]) * scale + 0x1p-12f;
    float y = (-b[5] - b[1]) * scale + 0x1p-12f;
    float z = (-b[6] - b[2]) * scale + 0x1p-12f;
    return x * y + y * z + z * x;
}

// Leaves hold four: what counts is the number of leaves that the items fill.
static inline float leaves_of(uint32_t count) { return (float)((count + 3) / FR__TREE_LEAF_ITEMS); }

static float range_scale(const fr__build_range *range) {
    const float *b = range->box.bound;
    float size = 0.0f;
    for (int axis = 0; axis < 3; axis++) {
        float side = -b[4 + axis] - b[axis];
        size = side > size ? side : size;
    }
    float scale = 1.0f / size;
    return scale < 0x1p+127f ? scale : 0.0f;
}

// The cheapest place on one axis; better than *cost or nothing.
static void choose_on_axis(const fr__build_bins *bins, uint32_t axis, uint32_t bin_count, float scale, float *cost,
                           fr__build_split *out) {
    const fr__build_box *boxes = bins->box[axis];
    const uint32_t *counts = bins->count[axis];
    float right_cost[FR__TREE_MAX_BINS];
    fr__f8 right = empty_box();
    uint32_t right_count = 0;
    for (uint32_t i = bin_count - 1; i > 0; i--) {
        right = fr__f8_min(right, load_box(&boxes[i]));
        right_count += counts[i];
        right_cost[i] = right_count == 0 ? INFINITY : scaled_area(right, scale) * leaves_of(right_count);
    }
    fr__f8 left = empty_box();
    uint32_t left_count = 0;
    for (uint32_t i = 1; i < bin_count; i++) {
        left = fr__f8_min(left, load_box(&boxes[i - 1]));
        left_count += counts[i - 1];
        if (left_count == 0) { continue; }
        float sum = scaled_area(left, scale) * leaves_of(left_count) + right_cost[i];
        if (sum < *cost) {
            *cost = sum;
            out->axis = axis;
            out->bin = i;
            out->left_count = left_count;
        }
    }
}

// The cheapest place to divide a range; by position when its centres are all alike.
static void choose(const fr__build_bins *bins, const fr__build_grid *grid, const fr__build_range *range,
                   fr__build_split *out) {
    float scale = range_scale(range);
    float cost = INFINITY;
    out->axis = 3;
    out->bin = 0;
    out->left_count = (range->end - range->begin) / 2;
    for (uint32_t axis = 0; axis < 3; axis++) {
        if (grid->scale[axis] > 0.0f) { choose_on_axis(bins, axis, grid->bins, scale, &cost, out); }
    }
    if (out->axis == 3) { return; }
    fr__f8 left = empty_box(), right = empty_box();
    for (uint32_t i = 0; i < out->bin; i++) {
        left = fr__f8_min(left, load_box(&bins->box[out->axis][i]));
    }
    for (uint32_t i = out->bin; i < grid->bins; i++) {
        right = fr__f8_min(right, load_box(&bins->box[out->axis][i]));
    }
    store_box(&out->left, left);
    store_box(&out->right, right);
}

// ---------------------------------------------------------------------------------------------------------------
// Division

static size_t count_left(const fr__build_item *items, size_t count, const fr__build_grid *grid,
                         const fr__build_split *split) {
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        left += bin_of(&items[i], grid, split->axis) < split->bin;
    }
    return left;
}

// Without branches: which side an item goes to cannot be predicted.
static void scatter(const fr__build_item *items, size_t count, const fr__build_grid *grid, const fr__build_split *split,
                    fr__build_item *left, fr__build_item *right) {
    for (size_t i = 0; i < count; i++) {
        size_t is_left = bin_of(&items[i], grid, split->axis) < split->bin;
        fr__build_item *place = is_left != 0 ? left : right;
        store_box(&place->box, load_box(&items[i].box));
        left += is_left;
        right += 1 - is_left;
    }
}

static void set_halves(const fr__build_range *range, uint32_t left_count, uint32_t buffer, fr__build_range halves[2]) {
    halves[0] = *range;
    halves[1] = *range;
    halves[0].end = range->begin + left_count;
    halves[1].begin = halves[0].end;
    halves[0].buffer = halves[1].buffer = buffer;
}

static void divide(const fr__build_range *range, bool balanced, fr__build_range halves[2], void *context) {
    fr__build_segment *segment = context;
    fr__build_item *buffer = segment->buffers[range->buffer];
    fr__build_item *other = segment->buffers[1 - range->buffer];
    uint32_t count = range->end - range->begin;
    fr__build_split split = {.axis = 3, .left_count = count / 2};
    fr__build_grid grid;
    if (!balanced) {
        fr__build_box extent;
        fr__build_bins bins;
        centers(buffer + range->begin, count, &extent);
        grid = make_grid(&extent, count);
        clear_bins(&bins, grid.bins);
        bin_items(buffer + range->begin, count, &grid, &bins);
        choose(&bins, &grid, range, &split);
    }
    if (split.axis == 3) {
        set_halves(range, split.left_count, range->buffer, halves);
        for (int i = 0; i < 2; i++) {
            around_items(buffer + halves[i].begin, halves[i].end - halves[i].begin, &halves[i].box);
        }
        return;
    }
    scatter(buffer + range->begin, count, &grid, &split, other + range->begin, other + range->begin + split.left_count);
    set_halves(range, split.left_count, 1 - range->buffer, halves);
    halves[0].box = split.left;
    halves[1].box = split.right;
}

// ---------------------------------------------------------------------------------------------------------------
// A segment

static uint32_t make_leaf(fr__build_segment *segment, const fr__build_range *range) {
    const fr__build_item *items = segment->buffers[range->buffer];
    for (uint32_t i = range->begin; i < range->end; i++) {
        segment->order[i] = items[i].words[3];
    }
    segment->leaves[segment->leaf_count] = range->begin | (range->end - range->begin - 1) << 28;
    return FR__TREE_LEAF | segment->leaf_count++;
}

typedef struct open_node {
    uint32_t node;
    fr__build_range range;
} open_node;

static void build(fr__build_segment *segment) {
    // Every node taken off puts at most 8 on: 7 more a level, and the first.
    open_node stack[7 * FR__TREE_MAX_DEPTH + 1];
    uint32_t stack_count = 0;
    segment->node_count = segment->leaf_count = segment->depth = 0;
    if (!segment->is_root && segment->range.end - segment->range.begin <= FR__TREE_LEAF_ITEMS) {
        make_leaf(segment, &segment->range);
        return;
    }
    stack[stack_count++] = (open_node){segment->node_count++, segment->range};

    while (stack_count > 0) {
        open_node open = stack[--stack_count];
        fr__build_range pieces[8];
        fr__build_node *node = &segment->nodes[open.node];
        if (open.range.depth > segment->depth) { segment->depth = open.range.depth; }

        node->count = fr__build_open(&open.range, divide, segment, pieces);
        for (uint32_t i = 0; i < node->count; i++) {
            bool small = pieces[i].end - pieces[i].begin <= FR__TREE_LEAF_ITEMS;
            node->child[i] = small ? make_leaf(segment, &pieces[i]) : segment->node_count++;
        }
        // The first child is opened next: its subtree follows the siblings.
        for (uint32_t i = node->count; i-- > 0;) {
            if (fr__tree_is_leaf(node->child[i])) { continue; }
            stack[stack_count].node = node->child[i];
            stack[stack_count].range = pieces[i];
            stack[stack_count++].range.depth++;
        }
    }
}

const fr__build_kernel_table FR_KERNEL_NAME(fr__build_kernel) = {
    .load = load,
    .centers = centers,
    .clear = clear_bins,
    .bin = bin_items,
    .count_left = count_left,
    .scatter = scatter,
    .around = around_items,
    .make_grid = make_grid,
    .choose = choose,
    .build = build,
};
