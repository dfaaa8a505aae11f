// The distance of two objects. The search visits pairs of boxes of their parts' trees, nearest first, until all pairs
// left are farther apart than the closest two triangles found.
#include "space/query.h"

#include "space/pair_walk.h"
#include "space/skin.h"

#include <string.h>

typedef struct distance_search {
    const fr_space *space;
    const fr__object *a, *b;
    const fr__part *part_a, *part_b; // that are being searched
    fr_object_distance best;         // its distance is the bound from the beginning on
} distance_search;

static double visit_triangles(uint32_t item_a, uint32_t item_b, void *context) {
    distance_search *s = context;
    fr_vec3 corners_a[3], corners_b[3], on_a, on_b;
    fr__part_corners(s->a, s->part_a, item_a, corners_a);
    fr__part_corners(s->b, s->part_b, item_b, corners_b);
    double distance = fr_triangle_distance(corners_a, corners_b, &on_a, &on_b);
    uint32_t a = s->part_a->first_triangle + item_a, b = s->part_b->first_triangle + item_b;
    fr_object_distance *best = &s->best;
    bool is_tie = distance == best->distance && best->triangle_a != FR_NONE;
    bool is_closer = is_tie ? fr__comes_before(a, b, best->triangle_a, best->triangle_b) : distance <= best->distance;
    if (is_closer) {
        fr_object_distance closer = {distance, on_a, on_b, a, b};
        *best = closer;
    }
    return best->distance;
}

// A lower bound of the distance between two boxes.
static double gap_of(const fr_bounds *a, const fr_bounds *b) {
    fr_vec3 zero = {0.0, 0.0, 0.0};
    fr_vec3 before = fr_vec3_sub(a->min, b->max), after = fr_vec3_sub(b->min, a->max);
    fr_vec3 gap = fr_vec3_max(fr_vec3_max(before, after), zero);
    return fr_vec3_length(gap) * (1.0 - 0x1p-48);
}

// fr_triangle_distance may be 64 e D below the true distance, where D is at most the diagonal around both parts. The
// margin of the relation covers this and the rounding of the parts' placement.
static void search_parts(distance_search *s) {
    fr_bounds both = fr_bounds_union(&s->part_a->bounds_world, &s->part_b->bounds_world);
    double rounding = 0x1p-46 * fr_vec3_length(fr_vec3_sub(both.max, both.min));
    double far_apart = gap_of(&s->part_a->bounds_world, &s->part_b->bounds_world);
    if (far_apart > s->best.distance + rounding) { return; }
    (void)fr__object_fresh(s->space, s->a);
    (void)fr__object_fresh(s->space, s->b);
    double margin = rounding + fr__part_rounding(s->a, s->part_a) + fr__part_rounding(s->b, s->part_b);
    fr_pose pose_a = fr__part_pose(s->a, s->part_a), pose_b = fr__part_pose(s->b, s->part_b);
    fr__pair_walk walk = {.tree_a = s->part_a->tree, .tree_b = s->part_b->tree};
    walk.relation = fr__tree_relate(walk.tree_a, &pose_a, walk.tree_b, &pose_b, margin);
    walk.metres = pose_a.scale * (1.0 - 0x1p-40);
    fr__pair_walk_kernel()->nearest(&walk, s->best.distance, visit_triangles, s);
}

fr_status fr_space_distance(const fr_space *space, fr_object_id a, fr_object_id b, double limit,
                            fr_object_distance *out, fr_error *error) {
    FR_ASSERT(space != NULL && out != NULL);
    memset(out, 0, sizeof *out);
    out->triangle_a = out->triangle_b = FR_NONE;
    fr_status status = fr__space_check_current(space, error);
    if (status != FR_OK) { return status; }
    distance_search s = {.space = space, .a = fr__space_find(space, a), .b = fr__space_find(space, b)};
    if (s.a == NULL || s.b == NULL) {
        return fr_error_set(error, FR_ERROR_STALE_ID, "an id names no object of this space");
    }
    status = fr__object_check_vertices(s.a, error);
    if (status == FR_OK) { status = fr__object_check_vertices(s.b, error); }
    if (status != FR_OK) { return status; }
    if (!(limit >= 0.0)) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the limit of a distance is 0 or more"); }

    s.best = *out;
    s.best.distance = limit;
    for (uint32_t i = 0; i < s.a->view.part_count; i++) {
        for (uint32_t j = 0; j < s.b->view.part_count; j++) {
            s.part_a = &s.a->parts[i];
            s.part_b = &s.b->parts[j];
            search_parts(&s);
        }
    }
    *out = s.best;
    return FR_OK;
}
