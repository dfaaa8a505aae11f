// The corners of triangles in the order of a tree's leaves.
#include "shape/leaf_corners.h"

#include "shape/mesh.h"
#include "shape/tree.h"

#include <string.h>

static void fill(const fr_mesh_view *view, const fr__tree_leaf *leaf, fr__leaf_corners *out) {
    for (uint32_t k = 0; k < FR__TREE_LEAF_ITEMS; k++) {
        fr_vec3 corners[3];
        fr__mesh_corners(view, leaf->item[k < leaf->count ? k : 0], corners);
        for (int c = 0; c < 3; c++) {
            out->at[c][0][k] = (float)corners[c].x;
            out->at[c][1][k] = (float)corners[c].y;
            out->at[c][2][k] = (float)corners[c].z;
        }
    }
}

fr__leaf_corners *fr__leaf_corners_create(const fr_mesh_view *view, const fr_tree *tree,
                                          const fr_allocator *allocator) {
    size_t count = tree->header->leaf_count;
    fr__leaf_corners *corners = fr_allocate(allocator, count + 1, sizeof *corners, 64);
    if (corners == NULL) { return NULL; }
    for (size_t i = 0; i < count; i++) {
        fill(view, &tree->leaves[i], &corners[i]);
    }
    memset(&corners[count], 0, sizeof *corners);
    return corners;
}

void fr__leaf_corners_destroy(fr__leaf_corners *corners, const fr_tree *tree, const fr_allocator *allocator) {
    if (corners != NULL) { fr_deallocate(allocator, corners, (size_t)tree->header->leaf_count + 1, sizeof *corners); }
}
