// The triangles of a mesh that overlap a box.
#include "shape/mesh.h"

typedef struct mesh_overlap_search {
    const fr_mesh_view *view;
    const fr_bounds *bounds;
    fr_tree_item_fn *found;
    void *context;
} mesh_overlap_search;

static bool judge_triangle(uint32_t triangle, void *context) {
    const mesh_overlap_search *search = context;
    fr_vec3 corners[3];
    fr__mesh_corners(search->view, triangle, corners);
    return !fr_triangle_box_overlap(corners, search->bounds) || search->found(triangle, search->context);
}

bool fr_mesh_overlap_bounds(const fr_mesh *mesh, const fr_bounds *bounds, fr_tree_item_fn *found, void *context) {
    FR_ASSERT(mesh != NULL && bounds != NULL && found != NULL);
    if (fr_bounds_is_empty(bounds)) { return true; }
    mesh_overlap_search search = {&mesh->view, bounds, found, context};

    // The exact test may accept triangles up to 32 2^-53 of the largest coordinate away.
    double largest = fmax(mesh->view.largest, fmax(fr_vec3_largest(bounds->min), fr_vec3_largest(bounds->max)));
    fr_bounds grown = isfinite(largest) ? fr_bounds_grow(bounds, 0x1p-47 * largest) : *bounds;
    fr_box box = fr_box_of_bounds(&grown, fr_vec3_make(0.0, 0.0, 0.0));
    return fr_tree_overlap_box(mesh->view.tree, &box, judge_triangle, &search);
}
