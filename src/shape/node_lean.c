// The cones of normals below the nodes of a mesh's tree.
#include "shape/node_lean.h"

#include "shape/mesh.h"
#include "shape/tree.h"

#include <math.h>
#include <string.h>

// The axis as it is kept, and what is below it so far.
typedef struct lean_axis {
    fr_vec3 axis;
    double radius, lean;
} lean_axis;

static inline double larger(double a, double b) { return a > b ? a : b; }

// The square of how far a vector goes to the side of an axis.
static double across_squared(fr_vec3 v, fr_vec3 axis) {
    return fr_vec3_length_squared(fr_vec3_add_scaled(v, -fr_vec3_dot(v, axis), axis));
}

// Adds a direction to a sum of such, with the sign that fits.
static fr_vec3 add_direction(fr_vec3 sum, fr_vec3 direction) {
    return fr_vec3_add_scaled(sum, fr_vec3_dot(sum, direction) < 0.0 ? -1.0 : 1.0, direction);
}

static lean_axis stand_along(fr_vec3 sum) {
    fr_vec3 unit = fr_vec3_unit(sum, fr_vec3_make(0.0, 0.0, 1.0));
    lean_axis s = {{(float)unit.x, (float)unit.y, (float)unit.z}, 0.0, 0.0};
    return s;
}

// The normal of a triangle of length 1; 0 where it means little.
static fr_vec3 clear_normal(const fr_vec3 c[3], double largest) {
    fr_vec3 edges[3] = {fr_vec3_sub(c[1], c[0]), fr_vec3_sub(c[2], c[1]), fr_vec3_sub(c[0], c[2])};
    double longest = 0.0;
    for (int k = 0; k < 3; k++) {
        longest = larger(longest, fr_vec3_length_squared(edges[k]));
    }
    fr_vec3 n = fr_vec3_cross(edges[0], edges[1]);
    double area = fr_vec3_length_squared(n), smallest = FR__LEAN_LOW * FR__LEAN_LOW * longest;
    bool is_clear = area >= smallest * longest && area >= smallest * largest * largest && area > 1e-60;
    return is_clear ? fr_vec3_scale(1.0 / sqrt(area), n) : fr_vec3_make(0.0, 0.0, 0.0);
}

// The items of a leaf, about the middle of their box.
static lean_axis stand_of_leaf(const fr_mesh_view *view, const fr__tree_leaf *leaf, fr_vec3 middle) {
    fr_vec3 corners[FR__TREE_LEAF_ITEMS][3], normals[FR__TREE_LEAF_ITEMS], sum = fr_vec3_make(0.0, 0.0, 0.0);
    for (uint32_t i = 0; i < leaf->count; i++) {
        fr__mesh_corners(view, leaf->item[i], corners[i]);
        normals[i] = clear_normal(corners[i], view->largest);
        sum = add_direction(sum, normals[i]);
    }
    lean_axis s = stand_along(sum);
    for (uint32_t i = 0; i < leaf->count; i++) {
        bool is_clear = fr_vec3_length_squared(normals[i]) > 0.0;
        s.lean = larger(s.lean, is_clear ? across_squared(normals[i], s.axis) : 1.0);
        for (int k = 0; k < 3; k++) {
            s.radius = larger(s.radius, across_squared(fr_vec3_sub(corners[i][k], middle), s.axis));
        }
    }
    s.lean = sqrt(s.lean);
    s.radius = sqrt(s.radius);
    return s;
}

// The children of a node, about the middle of their box with these half sizes. A normal is off its own axis by a sine
// and that axis off the common one by another: together by no more than their sum.
static lean_axis stand_of_node(const fr__tree_node *node, const fr__node_lean *own, fr_vec3 half) {
    fr_vec3 axes[FR__TREE_WIDTH], sum = fr_vec3_make(0.0, 0.0, 0.0);
    uint32_t count = (uint32_t)__builtin_popcount(node->lanes);
    for (uint32_t k = 0; k < count; k++) {
        axes[k] = fr_vec3_make((double)own->axis[0][k], (double)own->axis[1][k], (double)own->axis[2][k]);
        sum = add_direction(sum, axes[k]);
    }
    lean_axis s = stand_along(sum);
    for (uint32_t k = 0; k < count; k++) {
        s.lean = larger(s.lean, sqrt(across_squared(axes[k], s.axis)) + (double)own->lean[k]);
    }
    for (int k = 0; k < 4; k++) {
        fr_vec3 corner = fr_vec3_make((k & 1) != 0 ? half.x : -half.x, (k & 2) != 0 ? half.y : -half.y, half.z);
        s.radius = larger(s.radius, across_squared(corner, s.axis));
    }
    s.radius = sqrt(s.radius);
    return s;
}

static void fill(const fr_mesh_view *view, const fr_tree *tree, uint32_t index, fr__node_lean *leans) {
    const fr__tree_node *node = &tree->nodes[index];
    fr__node_lean *out = &leans[index];
    memset(out, 0, sizeof *out);
    for (uint32_t k = 0; k < FR__TREE_WIDTH; k++) {
        if ((node->lanes >> k & 1u) == 0) { continue; }
        fr_vec3 low = fr_vec3_make((double)node->min_x[k], (double)node->min_y[k], (double)node->min_z[k]);
        fr_vec3 high = fr_vec3_make((double)node->max_x[k], (double)node->max_y[k], (double)node->max_z[k]);
        uint32_t child = node->child[k];
        lean_axis s =
            fr__tree_is_leaf(child)
                ? stand_of_leaf(view, &tree->leaves[fr__tree_leaf_index(child)], fr_vec3_lerp(low, high, 0.5))
                : stand_of_node(&tree->nodes[child], &leans[child], fr_vec3_scale(0.5, fr_vec3_sub(high, low)));
        out->axis[0][k] = (float)s.axis.x;
        out->axis[1][k] = (float)s.axis.y;
        out->axis[2][k] = (float)s.axis.z;
        out->radius[k] = fr_float_up(s.radius);
        out->lean[k] = fr_float_up(s.lean < 1.0 ? s.lean : 1.0);
    }
}

// Children stand after their node: the last one first.
fr__node_lean *fr__node_lean_create(const fr_mesh_view *view, const fr_tree *tree, const fr_allocator *allocator) {
    uint32_t count = tree->header->node_count;
    fr__node_lean *leans = fr_allocate(allocator, count, sizeof *leans, 32);
    if (leans == NULL) { return NULL; }
    for (uint32_t i = count; i-- > 0;) {
        fill(view, tree, i, leans);
    }
    return leans;
}

void fr__node_lean_destroy(fr__node_lean *leans, const fr_tree *tree, const fr_allocator *allocator) {
    if (leans != NULL) { fr_deallocate(allocator, leans, tree->header->node_count, sizeof *leans); }
}
