// Parts in the world: rounding bounds, the inverse placement for culling, and boxes over the step.
#include "space/part.h"

#include "math/outward.h"
#include "math/path_bounds.h"
#include "math/points.h"

uint32_t fr__object_part_of(const fr__object *object, uint32_t triangle) {
    FR_ASSERT(triangle < object->view.triangle_count);
    uint32_t low = 0, high = object->view.part_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (object->parts[middle].first_triangle <= triangle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

// ---------------------------------------------------------------------------------------------------------------
// One pose for two, and its inverse

fr_pose fr__part_pose(const fr__object *object, const fr__part *part) {
    return fr_pose_compose(&object->view.pose, &part->pose);
}

// The size of everything that is rounded when a point is placed into the world, in metres: coordinates of the part's
// points at both scales, of the part's position in the object at the object's scale, and of the object's position.
static double placed_size(const fr__object *object, const fr__part *part) {
    const fr_pose *o = &object->view.pose, *p = &part->pose;
    return o->scale * (p->scale * part->largest + fr_vec3_largest(p->position)) + fr_vec3_largest(o->position);
}

// With u = 2^-53, G the part's largest coordinate, S = s_O s_P, and N = S G + s_O |p_P| + |p_O| (placed_size): the two
// calls of fr_pose_apply are off by s_O r_P + r_O, each r being fr_pose_rounding, under 80u of the lengths it takes
// (|q| is within 4 ulp of 1); coordinates in the object are below sqrt(3) s_P G + |p_P|. Together under 300u N. The
// composed rotation differs from the product of the two matrices by under 64u (6u for the product, 4 ulp for the
// length, 8u for the lengths of both quaternions), that is by 64u sqrt(3) S G; the composed position by r_O, 80u N; the
// scale by u. All in all under 1024u N = 2^-43 N.
double fr__part_rounding(const fr__object *object, const fr__part *part) {
    return 0x1p-43 * placed_size(object, part) + 0x1p-1060;
}

fr__to_part fr__to_part_make(const fr__object *object, const fr__part *part) {
    fr_mat3 turn = fr_mat3_multiply(object->frame.rotation, part->frame.rotation);
    double scale = object->frame.scale * part->frame.scale;
    fr__to_part to;
    to.to_local = 1.0 / scale;
    to.turn = fr_mat3_transpose(turn);
    for (int i = 0; i < 3; i++) {
        to.turn.row[i] = fr_vec3_scale(to.to_local, to.turn.row[i]);
    }
    to.origin = fr__frame_apply(&object->frame, part->frame.position);
    to.reach = placed_size(object, part);
    to.rounding = fr__part_rounding(object, part);
    return to;
}

// Let A be the real placing (both poses in real arithmetic) and v a point of the part that is at w in the world: w is
// within fr__part_rounding of A(v). The exact test finds that it coincides with a point x of the query, up to its own
// error: under 2^-46 of the coordinates, X of the query and N (placed_size) of the part. fr__to_part_point takes x to
// y. It undoes A's linear part by the transposed matrices, which is right up to 2^-44 for quaternions within 4 ulp of
// unit, and A's origin by to.origin: with the sums' roundings y is within 2^-42 (X + N) / S of where A would come from
// x. So
//     |v - y| <= (fr__part_rounding + (2^-46 + 2^-42) (X + N)) / S,
// and 2^-40 (X + N) / S is more than that. Where the query is a ray, X is that of its origin: its hits lie within N,
// and the error of its direction, 2^-44, is taken over a length of at most X + 2 N.
double fr__to_part_margin(const fr__to_part *to, double largest) {
    return (to->rounding + 0x1p-40 * (largest + to->reach)) * to->to_local * (1.0 + 0x1p-40);
}

// ---------------------------------------------------------------------------------------------------------------
// Boxes in the world

static double largest_of_bounds(const fr_bounds *bounds) {
    double low = fr_vec3_largest(bounds->min), high = fr_vec3_largest(bounds->max);
    return low > high ? low : high;
}

static fr_vec3 box_corner(const fr_bounds *box, int i) {
    return fr_vec3_make((i & 1) != 0 ? box->max.x : box->min.x, (i & 2) != 0 ? box->max.y : box->min.y,
                        (i & 4) != 0 ? box->max.z : box->min.z);
}

// Computed points of a box are within 2 (s_O r_P + r_O) of the hull of its computed corners: the real placing keeps the
// hull, and each computed point is off by s_O r_P + r_O at most. This also holds along a motion, which is rigid. r_P
// and r_O are fr_pose_rounding of the part's pose and of the object's, the latter for coordinates up to K in the
// object: with |q|^2 within 23u of 1, which is what fr_pose_check leaves (u = 2^-53), r_O is at most s_O K (32 + 3.5
// 27) u + 1.0625 u |p_O|_1 + 2^-1070. So it is s_O times a term that depends on the part alone, plus the rest.
void fr__part_measure(fr__part *part) {
    const fr_bounds *bounds = &part->bounds_local;
    const fr__frame *frame = &part->frame;
    fr__part_extent *extent = &part->extent;
    double largest = largest_of_bounds(bounds);
    double in_object = 2.0 * part->pose.scale * largest + fr_vec3_largest(part->pose.position);
    extent->rounding = fr_pose_rounding(&part->pose, largest) + 128.0 * FR__UNIT_ROUNDOFF * in_object;

    // M = s_O s_P R_O R_P is off by under 16u of s_O s_P an element; the half sizes and the radius are rounded up by
    // more. The mesh's ball has the middle of its bounds as centre, as the box has.
    fr_vec3 center_local = fr_bounds_center(bounds);
    fr_vec3 half = fr_vec3_max(fr_vec3_sub(bounds->max, center_local), fr_vec3_sub(center_local, bounds->min));
    double scale = frame->scale * (1.0 + 0x1p-46);
    extent->center = fr__frame_apply(frame, center_local);
    extent->half = fr_vec3_scale(scale, half);
    extent->radius = part->vertices == NULL && part->skin == NULL ? scale * part->mesh->ball_radius : (double)INFINITY;
    fr_quat q = part->pose.rotation;
    extent->is_turned = q.x != 0.0 || q.y != 0.0 || q.z != 0.0;
}

static double hull_rounding(fr_vec3 position, double scale, const fr__part *part) {
    double sum = fabs(position.x) + fabs(position.y) + fabs(position.z);
    double rounding = scale * part->extent.rounding + 1.0625 * FR__UNIT_ROUNDOFF * sum + 0x1p-1069;
    return 2.0 * rounding * (1.0 + 0x1p-40);
}

// A part's local box placed in the world: center + turn x, |x| up to `half` on each axis. All of the part is also
// within `radius` of the centre: a round part that turns keeps a small box.
typedef struct part_box {
    fr_vec3 center;
    fr_mat3 turn;
    fr_vec3 half;
    double radius;
} part_box;

static inline part_box place_box(const fr__frame *frame, const fr__part *part) {
    const fr__part_extent *extent = &part->extent;
    part_box box;
    box.center = fr__frame_apply(frame, extent->center);
    box.turn = extent->is_turned ? fr_mat3_multiply(frame->rotation, part->frame.rotation) : frame->rotation;
    box.half = fr_vec3_scale(frame->scale, extent->half);
    box.radius = frame->scale * extent->radius;
    return box;
}

// How far the box reaches from its centre along a world axis, `margin` added. The sum and the end of the reach are
// rounded by less than 2^-48 of themselves and 2^-52 of the centre's coordinate; the result includes both.
static inline double reach_of(const part_box *box, fr_vec3 row, double center, double margin) {
    fr_vec3 half = box->half;
    double sum = (fabs(row.x) * half.x + fabs(row.y) * half.y) + fabs(row.z) * half.z;
    double reach = sum < box->radius ? sum : box->radius;
    double slack = 0x1p-48 * ((half.x + half.y) + half.z) + 0x1p-51 * fabs(center);
    return (reach + slack + margin) * (1.0 + 0x1p-46);
}

static inline fr_bounds bounds_of_placed(const part_box *box, double margin) {
    fr_vec3 reach = {reach_of(box, box->turn.row[0], box->center.x, margin),
                     reach_of(box, box->turn.row[1], box->center.y, margin),
                     reach_of(box, box->turn.row[2], box->center.z, margin)};
    fr_bounds bounds = {fr_vec3_sub(box->center, reach), fr_vec3_add(box->center, reach)};
    return bounds;
}

static inline fr_bounds still_bounds(const fr__frame *frame, const fr__part *part) {
    part_box box = place_box(frame, part);
    return bounds_of_placed(&box, hull_rounding(frame->position, frame->scale, part));
}

// The computed centre and every computed point are off by s_O r_P + r_O at most, half of hull_rounding each. The
// scales, the sums and the squares are off by a few 2^-53 of themselves, which 2^-40 covers.
bool fr__parts_are_apart(const fr__object *object_a, const fr__part *part_a, const fr__object *object_b,
                         const fr__part *part_b, double margin) {
    const fr__frame *a = &object_a->frame, *b = &object_b->frame;
    fr_vec3 center_a = fr__frame_apply(a, part_a->extent.center), center_b = fr__frame_apply(b, part_b->extent.center);
    double radius = a->scale * part_a->extent.radius + b->scale * part_b->extent.radius;
    double slack = hull_rounding(a->position, a->scale, part_a) + hull_rounding(b->position, b->scale, part_b);
    double limit = (radius + margin + slack) * (1.0 + 0x1p-40);
    return fr_vec3_length_squared(fr_vec3_sub(center_b, center_a)) > limit * limit;
}

// The ball of a part over the step: where its centre is at both ends, and how far it goes.
typedef struct ball_path {
    fr_vec3 start, end; // of the centre, at the pose and at the next pose
    fr_vec3 travel;
    double radius, end_radius;
    double turn;     // no point of the ball is displaced farther by the turn
    double rounding; // of paths, poses and the judge: 2^-36 of the coordinates and arms
} ball_path;

// A point that turns by an angle on a circle is displaced by no more than the angle, and no more than 2, times the
// radius.
static ball_path ball_path_of(const fr__object *object, const fr__part *part) {
    const fr_object_view *view = &object->view;
    double radius = object->frame.scale * part->extent.radius;
    fr_vec3 center = fr__frame_apply(&object->frame, part->extent.center);
    ball_path path = {center, center, {0.0, 0.0, 0.0}, radius, radius, 0.0, fr_vec3_largest(center) + radius};
    if (view->is_moving) {
        fr__frame end = fr__frame_make(&view->next);
        fr_vec3 pivot = fr__frame_apply(&object->frame, view->motion.pivot_local);
        double angle = fr_vec3_length(view->motion.turn), arm = fr_vec3_distance(center, pivot) + radius;
        path.end = fr__frame_apply(&end, part->extent.center);
        path.end_radius = end.scale * part->extent.radius;
        path.travel = view->motion.travel;
        path.turn = (angle < 2.0 ? angle : 2.0) * arm;
        path.rounding += (1.0 + angle) * arm + fr_vec3_largest(pivot) + fr_vec3_largest(path.travel) +
                         fr_vec3_largest(path.end) + path.end_radius;
    }
    path.rounding *= 0x1p-36;
    return path;
}

// The distance of the balls at the beginning shrinks by no more than what both go; the end poses are looked at apart,
// since a motion may end elsewhere.
bool fr__parts_stay_apart(const fr__object *object_a, const fr__part *part_a, const fr__object *object_b,
                          const fr__part *part_b, double margin) {
    if (object_a->view.next_vertices != NULL || object_b->view.next_vertices != NULL) { return false; }
    ball_path a = ball_path_of(object_a, part_a), b = ball_path_of(object_b, part_b);
    double slack = margin + a.rounding + b.rounding, gone = fr_vec3_distance(a.travel, b.travel) + a.turn + b.turn;
    double limit = (a.radius + b.radius + slack + gone) * (1.0 + 0x1p-40);
    double end_limit = (a.end_radius + b.end_radius + slack) * (1.0 + 0x1p-40);
    return fr_vec3_length_squared(fr_vec3_sub(b.start, a.start)) > limit * limit &&
           fr_vec3_length_squared(fr_vec3_sub(b.end, a.end)) > end_limit * end_limit;
}

// The bounds in the world of the part's vertices, now or at the end of the step. A part that is placed as its object
// keeps the bits of its vertices, but for the sign of a zero.
static fr_bounds vertex_bounds(const fr__frame *frame, const fr__part *part, const fr_vec3 *vertices) {
    bool is_placed = part->extent.is_turned || part->pose.scale != 1.0 || fr_vec3_largest(part->pose.position) > 0.0;
    return fr__points_placed_bounds(is_placed ? &part->frame : NULL, frame, vertices, part->mesh->view.vertex_count);
}

static inline fr_bounds frame_bounds(const fr__frame *frame, const fr__part *part) {
    return part->vertices != NULL ? vertex_bounds(frame, part, part->vertices) : still_bounds(frame, part);
}

// A turn up to this angle is bounded by its two ends, a larger one by the paths of the box's corners.
#define SHORT_TURN 0.5

// A point at a distance r from the axis, turned evenly by an angle, leaves the chord between its ends by at most r
// angle^2 / 8 (the error of linear interpolation, the second derivative being r angle^2). So the boxes at both ends,
// grown by that length, hold the whole path. The turn's matrix is right within 2^-47.
static fr_bounds short_motion_bounds(const fr__object *object, const fr__part *part) {
    const fr_motion *motion = &object->view.motion;
    part_box start = place_box(&object->frame, part), end = start;
    fr_vec3 pivot = fr__frame_apply(&object->frame, motion->pivot_local);
    fr_vec3 arm = fr_vec3_sub(start.center, pivot);
    fr_mat3 turn = fr_quat_to_mat3(fr_quat_from_vector(motion->turn));
    end.center = fr_vec3_add(fr_vec3_add(pivot, motion->travel), fr_mat3_apply(turn, arm));
    end.turn = fr_mat3_multiply(turn, start.turn);

    double rounding = hull_rounding(object->frame.position, object->frame.scale, part),
           angle = fr_vec3_length(motion->turn);
    double reach = fr_vec3_length(arm) + fr_vec3_length(start.half) + rounding;
    double bend = 0.125 * angle * angle * reach * (1.0 + 0x1p-40);
    double size = reach + fr_vec3_largest(pivot) + fr_vec3_largest(motion->travel);
    fr_bounds from = bounds_of_placed(&start, rounding + bend);
    fr_bounds to = bounds_of_placed(&end, rounding + bend + 0x1p-44 * reach + 0x1p-49 * size);
    return fr_bounds_union(&from, &to);
}

static fr_bounds long_motion_bounds(const fr__object *object, const fr__part *part) {
    fr__sweep sweep;
    fr__sweep_make(&sweep, &object->view.motion, 0.0, 1.0);
    fr_bounds bounds = fr_bounds_empty();
    for (int i = 0; i < 8; i++) {
        fr_vec3 corner = fr__frame_apply(&part->frame, box_corner(&part->bounds_local, i));
        fr_bounds path = fr__sweep_point(&sweep, fr__frame_apply(&object->frame, corner));
        bounds = fr_bounds_union(&bounds, &path);
    }
    return fr_bounds_grow(&bounds, hull_rounding(object->frame.position, object->frame.scale, part));
}

// Every vertex moves straight, so bounds of both ends hold its path.
static fr_bounds straight_bounds(const fr__object *object, const fr__part *part) {
    fr__frame next = fr__frame_make(&object->view.next);
    fr_bounds from = vertex_bounds(&object->frame, part, part->vertices);
    fr_bounds to = vertex_bounds(&next, part, object->view.next_vertices + part->first_vertex);
    return fr_bounds_union(&from, &to);
}

fr_bounds fr__part_world_bounds(const fr__object *object, const fr__part *part) {
    if (!object->view.is_moving) { return frame_bounds(&object->frame, part); }
    if (object->view.next_vertices != NULL) { return straight_bounds(object, part); }
    bool is_short = fr_vec3_length(object->view.motion.turn) <= SHORT_TURN;
    fr_bounds moving = is_short ? short_motion_bounds(object, part) : long_motion_bounds(object, part);
    fr__frame next = fr__frame_make(&object->view.next);
    fr_bounds end = frame_bounds(&next, part);
    return fr_bounds_union(&moving, &end);
}

fr_bounds fr__part_changed_bounds(const fr_space *space, const fr__object *object, const fr__part *part) {
    if (!object->has_new_vertices) { return fr__part_world_bounds(fr__object_fresh(space, object), part); }
    fr__part measured = *part;
    measured.bounds_local = fr__points_bounds(part->vertices, part->mesh->view.vertex_count);
    measured.largest = largest_of_bounds(&measured.bounds_local);
    fr__part_measure(&measured);
    return fr__part_world_bounds(object, &measured);
}

// ---------------------------------------------------------------------------------------------------------------
// The size of a path

// How far a part reaches in its object, at most and not much less. The trees of a deformed part may be stale, so its
// box in the world serves: with D the largest distance along an axis of that box from the object's origin, and s and p
// the scales of object and part, points of the part are within (sqrt(3) D / s + |position|) / p of its own origin.
static double part_size(const fr__object *object, const fr__part *part) {
    double position = fr_vec3_length(part->pose.position);
    const fr_bounds *box = &part->bounds_world;
    if (part->vertices == NULL) { return position + 2.0 * part->pose.scale * part->largest; }
    if (fr_bounds_is_empty(box)) { return position; }
    fr_vec3 origin = object->view.pose.position;
    double low = fr_vec3_largest(fr_vec3_sub(box->min, origin)), high = fr_vec3_largest(fr_vec3_sub(box->max, origin));
    return 3.0 * position + 4.0 * (low > high ? low : high) / object->view.pose.scale;
}

double fr__object_path_size(const fr__object *object) {
    const fr_motion *motion = &object->view.motion;
    double scale = object->view.pose.scale, size = 0.0;
    double reach = fr_vec3_largest(object->view.pose.position) + fr_vec3_largest(motion->travel) +
                   2.0 * scale * fr_vec3_length(motion->pivot_local);
    for (uint32_t i = 0; i < object->view.part_count; i++) {
        double of_part = part_size(object, &object->parts[i]);
        size = of_part > size ? of_part : size;
    }
    return (reach + 8.0 * scale * size) * (2.0 + fr_vec3_length(motion->turn));
}
