// Queries of a tree: points, boxes, rays, pictures.
#include "octree/octree.h"

fr_cell_color fr_octree_at(const fr_octree *t, fr_vec3 point) {
    double n = (double)((uint32_t)1 << t->def.depth);
    double x = floor((point.x - t->def.min.x) / t->voxel), y = floor((point.y - t->def.min.y) / t->voxel);
    double z = t->dimension == 3 ? floor((point.z - t->def.min.z) / t->voxel) : 0.0;
    if (!(x >= 0.0 && y >= 0.0 && z >= 0.0 && x < n && y < n && z < n)) { return FR_CELL_WHITE; }
    return fr_octree_color(t, 0, (int64_t)x, (int64_t)y, (int64_t)z);
}

// ---------------------------------------------------------------------------------------------------------------
// Boxes

typedef struct box_walk {
    const fr_octree *tree;
    fr_bounds bounds;
    fr_cell_fn *found;
    void *context;
} box_walk;

static bool walk_box(const box_walk *w, fr_cell cell, uint32_t index) {
    cell.color = fr__octree_node(w->tree, cell.level, index);
    if (cell.color == FR_CELL_WHITE) { return true; }
    fr_bounds bounds = fr_octree_cell_bounds(w->tree, &cell);
    if (!fr_bounds_overlap(&bounds, &w->bounds)) { return true; }
    if (cell.color == FR_CELL_BLACK) { return w->found(&cell, w->context); }
    for (uint32_t c = 0; c < fr__octree_children(w->tree); c++) {
        if (!walk_box(w, fr__cell_child(&cell, c), (index << w->tree->dimension) + c)) { return false; }
    }
    return true;
}

bool fr_octree_overlap(const fr_octree *t, const fr_bounds *bounds, fr_cell_fn *found, void *context) {
    box_walk w = {t, *bounds, found, context};
    if (t->dimension == 2) { w.bounds.min.z = w.bounds.max.z = t->def.min.z; }
    return walk_box(&w, (fr_cell){0, 0, 0, t->def.depth, FR_CELL_WHITE}, 0);
}

// ---------------------------------------------------------------------------------------------------------------
// Rays

typedef struct ray_walk {
    const fr_octree *tree;
    double origin[3], direction[3];
    double limit;
    fr_octree_hit best;
} ray_walk;

// Where the ray enters closed bounds; false where it passes by or ends before.
static bool enters(const ray_walk *w, const fr_bounds *b, double *at) {
    const double low[3] = {b->min.x, b->min.y, b->min.z}, high[3] = {b->max.x, b->max.y, b->max.z};
    double from = 0.0, to = w->limit;
    for (int a = 0; a < 3; a++) {
        if (w->direction[a] == 0.0) {
            if (w->origin[a] < low[a] || w->origin[a] > high[a]) { return false; }
            continue;
        }
        double t0 = (low[a] - w->origin[a]) / w->direction[a], t1 = (high[a] - w->origin[a]) / w->direction[a];
        double near = t0 < t1 ? t0 : t1, far = t0 < t1 ? t1 : t0;
        from = near > from ? near : from;
        to = far < to ? far : to;
    }
    *at = from;
    return from <= to;
}

// Children nearest first: a black leaf that is entered later than the best so far is passed over.
static void walk_ray(ray_walk *w, fr_cell cell, uint32_t index, double at) {
    cell.color = fr__octree_node(w->tree, cell.level, index);
    if (cell.color == FR_CELL_WHITE || (w->best.is_hit && at >= w->best.distance)) { return; }
    if (cell.color == FR_CELL_BLACK) {
        w->best = (fr_octree_hit){true, at, cell};
        return;
    }
    uint32_t order[8], count = 0;
    double when[8];
    for (uint32_t c = 0; c < 8; c++) {
        fr_cell child = fr__cell_child(&cell, c);
        fr_bounds bounds = fr_octree_cell_bounds(w->tree, &child);
        double t;
        if (!enters(w, &bounds, &t)) { continue; }
        uint32_t k = count++;
        while (k > 0 && when[k - 1] > t) {
            when[k] = when[k - 1];
            order[k] = order[k - 1];
            k--;
        }
        when[k] = t;
        order[k] = c;
    }
    for (uint32_t k = 0; k < count; k++) {
        walk_ray(w, fr__cell_child(&cell, order[k]), (index << 3) + order[k], when[k]);
    }
}

fr_octree_hit fr_octree_ray(const fr_octree *t, const fr_ray *ray) {
    const fr_octree_hit none = {false, 0.0, {0, 0, 0, 0, FR_CELL_WHITE}};
    if (t->dimension != 3 || !fr_vec3_is_finite(ray->origin) || !fr_vec3_is_finite(ray->direction) ||
        fr_vec3_largest(ray->direction) == 0.0 || !(ray->limit >= 0.0)) {
        return none;
    }
    ray_walk w = {t,
                  {ray->origin.x, ray->origin.y, ray->origin.z},
                  {ray->direction.x, ray->direction.y, ray->direction.z},
                  ray->limit,
                  none};
    fr_cell root = {0, 0, 0, t->def.depth, FR_CELL_WHITE};
    fr_bounds bounds = fr_octree_cell_bounds(t, &root);
    double at;
    if (enters(&w, &bounds, &at)) { walk_ray(&w, root, 0, at); }
    return w.best;
}

// ---------------------------------------------------------------------------------------------------------------
// Pictures

typedef struct drawing {
    const fr_octree *tree;
    const fr_draw *draw;
    fr_color faces, lines;
} drawing;

// The four corners of a cell's side, around it.
static void side_corners(const fr_bounds *b, int axis, int direction, double corners[4][3]) {
    const double low[3] = {b->min.x, b->min.y, b->min.z}, high[3] = {b->max.x, b->max.y, b->max.z};
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int k = 0; k < 4; k++) {
        corners[k][axis] = direction > 0 ? high[axis] : low[axis];
        corners[k][u] = k == 1 || k == 2 ? high[u] : low[u];
        corners[k][v] = k >= 2 ? high[v] : low[v];
    }
}

static bool draw_cell(const fr_cell *cell, void *context) {
    const drawing *d = context;
    fr_bounds bounds = fr_octree_cell_bounds(d->tree, cell);
    for (int side = 0; side < 6; side++) {
        int axis = side / 2, direction = side % 2 == 0 ? -1 : 1;
        fr_cell next;
        if (fr_octree_neighbor(d->tree, cell, axis, direction, &next) && next.color == FR_CELL_BLACK) { continue; }
        double c[4][3], triangles[2][3][3], lines[4][2][3];
        side_corners(&bounds, axis, direction, c);
        for (int a = 0; a < 3; a++) {
            for (int k = 0; k < 3; k++) {
                triangles[0][k][a] = c[k][a];
                triangles[1][k][a] = c[(k + 2) % 4][a];
            }
            for (int k = 0; k < 4; k++) {
                lines[k][0][a] = c[k][a];
                lines[k][1][a] = c[(k + 1) % 4][a];
            }
        }
        fr_draw_triangles(d->draw, &triangles[0][0][0], 2, d->faces);
        if (d->lines.a > 0) { fr_draw_lines(d->draw, &lines[0][0][0], 4, d->lines, 1.0); }
    }
    return true;
}

void fr_octree_draw(const fr_octree *t, const fr_draw *draw, fr_color faces, fr_color lines) {
    FR_ASSERT(t->dimension == 3);
    drawing d = {t, draw, faces, lines};
    fr_octree_leaves(t, FR_CELL_BLACK, draw_cell, &d);
}
