// What the builder's driver and its kernels share. The driver (tree_build.c) divides the items until the pieces are
// small enough to be built apart; a kernel (tree_build_kernel.c) builds a piece.
#ifndef FUREAI_SHAPE_TREE_BUILD_H
#define FUREAI_SHAPE_TREE_BUILD_H

#include "math/simd.h"
#include "shape/tree.h"

#define FR__TREE_MAX_BINS 32

// Boxes are clamped to this while the tree is being shaped, so that sums and differences stay finite.
#define FR__TREE_CLAMP 0x1p+124f

// A box under construction: the minimum, and the maximum with its sign changed, so that one 8-wide minimum joins two.
typedef struct fr__build_box {
    _Alignas(32) float bound[8]; // min x y z, anything, -max x y z, anything
} fr__build_box;

// An item during the build: its box, and its number in the box's unused fourth place.
typedef union fr__build_item {
    fr__build_box box;
    uint32_t words[8]; // words[3]: the item
} fr__build_item;

// Items [begin, end) of one of the two buffers, and the box around them.
typedef struct fr__build_range {
    uint32_t begin, end;
    uint32_t buffer;
    uint32_t depth; // of the node that opens this range; the root's is 1
    fr__build_box box;
} fr__build_range;

// How centres become bins: floor((center - origin) * scale) on each axis, centres being minimum plus maximum.
typedef struct fr__build_grid {
    float origin[4]; // the fourth is idle
    float scale[4];  // 0 on an axis where all centres are equal
    uint32_t bins;
} fr__build_grid;

typedef struct fr__build_bins {
    fr__build_box box[3][FR__TREE_MAX_BINS];
    uint32_t count[3][FR__TREE_MAX_BINS];
} fr__build_bins;

// Where to divide: items whose bin on `axis` is below `bin` go left. axis 3: by position in the buffer.
typedef struct fr__build_split {
    uint32_t axis;
    uint32_t bin;
    uint32_t left_count;
    fr__build_box left, right; // unset when axis is 3
} fr__build_split;

// The shape of a node: its children's references with indices inside the segment.
typedef struct fr__build_node {
    uint32_t child[8];
    uint32_t count;
} fr__build_node;

// A subtree that is built apart. `nodes` and `leaves` have room for the most it can need.
typedef struct fr__build_segment {
    fr__build_range range;
    bool is_root;
    fr__build_item *buffers[2];
    fr__build_node *nodes; // written
    uint32_t *leaves;      // written: first place of each leaf in `order`, and its count - 1 from bit 28 on
    uint32_t *order;       // written in the range's places: items in the order of leaves
    uint32_t node_count, leaf_count, depth;
    uint32_t node_base, leaf_base; // in the tree; set by the driver
} fr__build_segment;

// The most nodes that a subtree of `count` items can have. A node that is not full has leaves alone, at least 2 of them
// and at least 5 items (the root excepted). With F full nodes, S others and L <= count leaves, counting children gives
// 8 F + 2 S <= F + S - 1 + L, so F <= (L - S) / 7, and S <= count / 5; so F + S <= count / 7 + 6 S / 7 < count / 3.
static inline size_t fr__build_node_bound(size_t count) { return count / 3 + 1; }

// Levels that a balanced subtree of `count` items needs.
static inline uint32_t fr__build_balanced_levels(uint32_t count) {
    uint32_t levels = 1;
    for (uint64_t room = FR__TREE_WIDTH * FR__TREE_LEAF_ITEMS; room < count; room *= FR__TREE_WIDTH) {
        levels++;
    }
    return levels;
}

// Few items need few bins: their sum of box tests is lost in the noise, and most ranges are small.
static inline uint32_t fr__build_bin_count(uint32_t count) {
    uint32_t bins = 4 + count / 16;
    return bins < FR__TREE_MAX_BINS ? bins : FR__TREE_MAX_BINS;
}

// In double: the products of large floats are not floats.
static inline double fr__build_half_area(const fr__build_box *box) {
    const float *b = box->bound;
    double x = -(double)b[4] - (double)b[0], y = -(double)b[5] - (double)b[1], z = -(double)b[6] - (double)b[2];
    return x * y + y * z + z * x;
}

// Divides a range. `axis` and places as decided by `split`; sets both halves.
typedef void fr__build_divide_fn(const fr__build_range *range, bool balanced, fr__build_range halves[2], void *context);

// Opens a range as a node: divides the piece with the largest surface (when `balanced`, with the most items) until
// there are 8 pieces or none has more than a leaf's items. Returns the number of pieces.
//
// A tree by surface area alone may be as deep as it has items. From the depth on where only a balanced subtree keeps to
// FR__TREE_MAX_DEPTH, ranges are divided by count: 8 equal pieces (within 1) need balanced_levels in all.
static inline uint32_t fr__build_open(const fr__build_range *range, fr__build_divide_fn *divide, void *context,
                                      fr__build_range pieces[8]) {
    uint32_t levels = fr__build_balanced_levels(range->end - range->begin);
    bool balanced = range->depth + levels > FR__TREE_MAX_DEPTH;
    uint32_t count = 1;
    pieces[0] = *range;
    while (count < FR__TREE_WIDTH) {
        uint32_t best = FR__TREE_WIDTH;
        double best_size = -1.0;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t items = pieces[i].end - pieces[i].begin;
            double size = balanced ? (double)items : fr__build_half_area(&pieces[i].box);
            if (items > FR__TREE_LEAF_ITEMS && size > best_size) {
                best = i;
                best_size = size;
            }
        }
        if (best == FR__TREE_WIDTH) { break; }
        fr__build_range halves[2];
        divide(&pieces[best], balanced, halves, context);
        pieces[best] = halves[0];
        pieces[count++] = halves[1];
    }
    return count;
}

// The kernels of one instruction set.
typedef struct fr__build_kernel_table {
    // Items of boxes [begin, end), clamped, and the box around them.
    void (*load)(const fr_box *boxes, uint32_t begin, uint32_t end, fr__build_item *items, fr__build_box *around);
    // Smallest and (negated) largest centre.
    void (*centers)(const fr__build_item *items, size_t count, fr__build_box *out);
    void (*clear)(fr__build_bins *bins, uint32_t bin_count);
    // Adds items to the bins.
    void (*bin)(const fr__build_item *items, size_t count, const fr__build_grid *grid, fr__build_bins *bins);
    size_t (*count_left)(const fr__build_item *items, size_t count, const fr__build_grid *grid,
                         const fr__build_split *split);
    void (*scatter)(const fr__build_item *items, size_t count, const fr__build_grid *grid, const fr__build_split *split,
                    fr__build_item *left, fr__build_item *right);
    void (*around)(const fr__build_item *items, size_t count, fr__build_box *out);
    fr__build_grid (*make_grid)(const fr__build_box *centers, uint32_t item_count);
    void (*choose)(const fr__build_bins *bins, const fr__build_grid *grid, const fr__build_range *range,
                   fr__build_split *out);
    void (*build)(fr__build_segment *segment);
} fr__build_kernel_table;

FR__KERNEL_TABLE(fr__build_kernel_table, fr__build_kernel)

#endif
