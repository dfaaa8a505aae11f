// The voxels that triangles share a point with. A cell about a triangle is divided while the triangle meets it.
#include "octree/builder.h"

typedef struct marking {
    const fr_vec3 *corners; // in voxels
    fr_bounds bounds;
    uint32_t depth;
    fr__voxel_fn *found;
    void *context;
} marking;

// The cell from voxel (x, y, z), 2^level wide. Boxes are compared before the 13 axes; both take the closed cell, grown
// by what positions in voxels may be rounded by.
static bool mark_cell(const marking *m, uint32_t level, uint32_t x, uint32_t y, uint32_t z) {
    double size = (double)(1u << level);
    fr_bounds cell = {{x - 0x1p-36, y - 0x1p-36, z - 0x1p-36},
                      {x + size + 0x1p-36, y + size + 0x1p-36, z + size + 0x1p-36}};
    if (!fr_bounds_overlap(&cell, &m->bounds) || !fr_triangle_box_overlap(m->corners, &cell)) { return true; }
    if (level == 0) { return m->found(x, y, z, m->context); }
    uint32_t half = 1u << (level - 1);
    for (uint32_t c = 0; c < 8; c++) {
        if (!mark_cell(m, level - 1, x + (c & 1) * half, y + (c >> 1 & 1) * half, z + (c >> 2) * half)) {
            return false;
        }
    }
    return true;
}

// The voxels of an axis that an interval reaches, as far as the root goes; false when none.
static bool reach_of(double low, double high, uint32_t depth, uint32_t reach[2]) {
    double n = ldexp(1.0, (int)depth), from = floor(low - 0x1p-20), to = floor(high + 0x1p-20);
    if (!(to >= 0.0 && from < n)) { return false; }
    reach[0] = from > 0.0 ? (uint32_t)from : 0;
    reach[1] = to < n ? (uint32_t)to : (1u << depth) - 1;
    return true;
}

// Starts with cells of which at most two an axis hold the triangle.
bool fr__triangle_voxels(const fr_vec3 corners[3], uint32_t depth, fr__voxel_fn *found, void *context) {
    marking m = {corners, fr_bounds_of_points(corners, 3), depth, found, context};
    uint32_t x[2], y[2], z[2];
    if (!reach_of(m.bounds.min.x, m.bounds.max.x, depth, x) || !reach_of(m.bounds.min.y, m.bounds.max.y, depth, y) ||
        !reach_of(m.bounds.min.z, m.bounds.max.z, depth, z)) {
        return true;
    }
    uint32_t level = 0;
    while ((x[1] >> level) - (x[0] >> level) > 1 || (y[1] >> level) - (y[0] >> level) > 1 ||
           (z[1] >> level) - (z[0] >> level) > 1) {
        level++;
    }
    for (uint32_t k = z[0] >> level; k <= z[1] >> level; k++) {
        for (uint32_t j = y[0] >> level; j <= y[1] >> level; j++) {
            for (uint32_t i = x[0] >> level; i <= x[1] >> level; i++) {
                if (!mark_cell(&m, level, i << level, j << level, k << level)) { return false; }
            }
        }
    }
    return true;
}

typedef struct row_marks {
    uint32_t depth;
    uint32_t row_words;
    uint32_t *rows;
} row_marks;

static bool mark_voxel(uint32_t x, uint32_t y, uint32_t z, void *context) {
    const row_marks *m = context;
    size_t row = ((size_t)z << m->depth) + y;
    m->rows[row * m->row_words + x / 32] |= 1u << x % 32;
    return true;
}

void fr__builder_add_surface(const fr_octree_builder *b, uint32_t depth, uint32_t *rows) {
    const fr_mesh_view *view = fr_mesh_get(b->mesh);
    const fr_vec3 *points = b->points.data;
    row_marks marks = {depth, fr__row_words(depth), rows};
    for (uint32_t i = 0; i < view->triangle_count; i++) {
        const uint32_t *t = view->triangles + 3 * (size_t)i;
        fr_vec3 corners[3] = {points[t[0]], points[t[1]], points[t[2]]};
        fr__triangle_voxels(corners, depth, mark_voxel, &marks);
    }
}
