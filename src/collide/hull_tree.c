// The tree method for swept hulls. Which place a face uses matters, when it does not: a box of a tree is replaced by a
// box in the world that holds all that it passes over the step, and two trees of such boxes are walked together.
//
// A box has the centre c and the half size h in the tree, and stands at M c + m in the world, M = s R, when t = 0. Its
// centre goes along a path that fr__sweep_point bounds. A point of it is o from the centre, |o_i| <= h_i, and M o is in
// the half size |M| h. While the part turns by up to an angle, M o goes along a circle about its place by no more than
// the chord of that angle times |M o|, and stays within |M o| <= s |h|. At the next pose as it was given the box stands
// there as well. The rounding of the course is more than all of this is off.
#include "collide/hull_tree.h"

#include "collide/swept_hull.h"
#include "collide/walk_memory.h"
#include "math/path_bounds.h"
#include "shape/tree_walk.h"

// Boxes of a tree as the frame of one of its poses has them in the world.
typedef struct box_frame {
    fr__frame frame;
    fr_vec3 size[3]; // rows of |M|
} box_frame;

typedef struct hull_side {
    const fr__side *side;
    const fr__course *course;
    box_frame start, end;
    fr__sweep sweep; // of a part with a motion
    double chord;    // of the angle it turns by, on a circle of radius 1
} hull_side;

// What a node or a leaf opens into: a child or a triangle, and the box of all that it passes.
typedef struct hull_item {
    uint32_t item;
    fr_bounds path;
} hull_item;

typedef struct ref_pair {
    uint32_t a, b;
} ref_pair;

_Static_assert(FR__WAITING_PAIRS * sizeof(ref_pair) <= FR__FACE_WALK_BYTES, "the walk's memory has room for the stack");

// ---------------------------------------------------------------------------------------------------------------
// Boxes

static box_frame make_frame(const fr_pose *pose) {
    box_frame out = {.frame = fr__frame_make(pose)};
    for (int i = 0; i < 3; i++) {
        fr_vec3 row = fr_vec3_scale(pose->scale, out.frame.rotation.row[i]);
        out.size[i] = fr_vec3_make(fabs(row.x), fabs(row.y), fabs(row.z));
    }
    return out;
}

static void make_side(const fr__side *side, const fr__course *course, hull_side *out) {
    out->side = side;
    out->course = course;
    out->start = make_frame(&course->start);
    out->end = make_frame(&course->end_pose);
    out->chord = 0.0;
    if (course->motion == NULL) { return; }
    const double pi = 3.141592653589793;
    fr__sweep_make(&out->sweep, course->motion, 0.0, 1.0);
    out->chord = course->axis.angle < pi ? 2.0 * fr_sin(0.5 * course->axis.angle) : 2.0;
}

static fr_vec3 half_in(const box_frame *frame, fr_vec3 half) {
    return fr_vec3_make(fr_vec3_dot(frame->size[0], half), fr_vec3_dot(frame->size[1], half),
                        fr_vec3_dot(frame->size[2], half));
}

static fr_bounds box_about(fr_vec3 center, fr_vec3 half) {
    return (fr_bounds){fr_vec3_sub(center, half), fr_vec3_add(center, half)};
}

// The box of all that a box of the tree passes.
static fr_bounds path_of(const hull_side *s, fr_vec3 low, fr_vec3 high) {
    fr_vec3 center = fr_vec3_scale(0.5, fr_vec3_add(low, high)), half = fr_vec3_scale(0.5, fr_vec3_sub(high, low));
    fr_vec3 at_start = fr__frame_apply(&s->start.frame, center), reach = half_in(&s->start, half);
    if (s->course->motion == NULL) { return box_about(at_start, reach); }

    double radius = s->start.frame.scale * fr_vec3_length(half), turned = s->chord * radius;
    fr_vec3 added = {turned, turned, turned}, ball = {radius, radius, radius};
    reach = s->chord > 0.0 ? fr_vec3_min(fr_vec3_add(reach, added), ball) : reach;
    fr_bounds path = fr__sweep_point(&s->sweep, at_start);
    fr_bounds moving = {fr_vec3_sub(path.min, reach), fr_vec3_add(path.max, reach)};
    fr_bounds at_end = box_about(fr__frame_apply(&s->end.frame, center), half_in(&s->end, half));
    return fr_bounds_union(&moving, &at_end);
}

static uint32_t open_node(const hull_side *s, const fr__tree_node *node, hull_item out[8]) {
    uint32_t count = 0;
    for (uint32_t left = node->lanes; left != 0; left &= left - 1) {
        uint32_t k = fr__lowest_lane(left);
        fr_vec3 low = {(double)node->min_x[k], (double)node->min_y[k], (double)node->min_z[k]};
        fr_vec3 high = {(double)node->max_x[k], (double)node->max_y[k], (double)node->max_z[k]};
        out[count++] = (hull_item){node->child[k], path_of(s, low, high)};
    }
    return count;
}

static uint32_t open_leaf(const hull_side *s, const fr__tree_leaf *leaf, hull_item out[8]) {
    for (uint32_t k = 0; k < leaf->count; k++) {
        fr_vec3 low = {(double)leaf->min_x[k], (double)leaf->min_y[k], (double)leaf->min_z[k]};
        fr_vec3 high = {(double)leaf->max_x[k], (double)leaf->max_y[k], (double)leaf->max_z[k]};
        out[k] = (hull_item){leaf->item[k], path_of(s, low, high)};
    }
    return leaf->count;
}

// Opens a node, or a leaf where the other one is a leaf too; else a leaf stays as it is.
static uint32_t open_one(const hull_side *s, uint32_t ref, bool both_are_leaves, hull_item out[8]) {
    const fr_tree *tree = s->side->tree;
    if (!fr__tree_is_leaf(ref)) { return open_node(s, &tree->nodes[ref], out); }
    uint32_t count = open_leaf(s, &tree->leaves[fr__tree_leaf_index(ref)], out);
    if (both_are_leaves) { return count; }
    for (uint32_t k = 1; k < count; k++) {
        out[0].path = fr_bounds_union(&out[0].path, &out[k].path);
    }
    out[0].item = ref;
    return 1;
}

// ---------------------------------------------------------------------------------------------------------------
// The walk

typedef struct hull_walk {
    fr__run *run;
    uint32_t part_pair;
    hull_side a, b;
    bool is_self;
    double distance; // boxes this far apart on an axis are of hulls that do not meet
    ref_pair *waiting;
    uint32_t count;
} hull_walk;

static bool list_faces(hull_walk *w, uint32_t a, uint32_t b) {
    bool is_turned = w->is_self && a > b;
    fr__candidate candidate = {is_turned ? b : a, is_turned ? a : b};
    w->run->stats.candidates++;
    return fr__list_put(w->run, w->part_pair, &candidate, 1);
}

// Of a part with itself each pair of children, and each pair of faces, comes once.
static bool open_pair(hull_walk *w, ref_pair pair) {
    hull_item a[8], b[8];
    bool are_leaves = fr__tree_is_leaf(pair.a) && fr__tree_is_leaf(pair.b), is_same = w->is_self && pair.a == pair.b;
    uint32_t count_a = open_one(&w->a, pair.a, are_leaves, a), count_b = open_one(&w->b, pair.b, are_leaves, b);
    w->run->stats.nodes++;
    for (uint32_t i = 0; i < count_a; i++) {
        fr_bounds grown = fr_bounds_grow(&a[i].path, w->distance);
        for (uint32_t k = is_same ? i + are_leaves : 0; k < count_b; k++) {
            if (!fr_bounds_overlap(&grown, &b[k].path)) { continue; }
            if (!are_leaves) {
                w->waiting[w->count++] = (ref_pair){a[i].item, b[k].item};
            } else if (!list_faces(w, a[i].item, b[k].item)) {
                return false;
            }
        }
    }
    return true;
}

static double size_of(const hull_side *s) {
    const fr_box *box = &s->side->tree->header->bounds;
    fr_bounds path = path_of(s, fr_vec3_from_floats(box->min), fr_vec3_from_floats(box->max));
    return fr_vec3_distance(path.min, path.max);
}

static bool list_parts(fr__run *run, uint32_t part_pair, const fr__pair_geometry *geometry) {
    hull_walk w = {.run = run, .part_pair = part_pair, .is_self = fr__pair_is_self(geometry)};
    make_side(&geometry->a, &geometry->course_a, &w.a);
    make_side(&geometry->b, &geometry->course_b, &w.b);
    double rounding = geometry->course_a.rounding + geometry->course_b.rounding;
    double tolerance = fr__swept_hull_tolerance(run->query.tolerance, size_of(&w.a) + size_of(&w.b));
    w.distance = (run->query.margin + tolerance) * (1.0 + 0x1p-30) + 2.0 * rounding;
    w.waiting = run->scratch->workers[0].walk_memory;
    w.waiting[w.count++] = (ref_pair){0, 0};
    while (w.count > 0) {
        if (!open_pair(&w, w.waiting[--w.count])) { return false; }
    }
    return true;
}

bool fr__hull_tree_list(fr__run *run) {
    const fr__pair_geometry *geometries = run->scratch->geometries.data;
    for (uint32_t i = 0; i < run->plan.part_pair_count; i++) {
        if (!list_parts(run, i, &geometries[i])) { return false; }
    }
    return true;
}
