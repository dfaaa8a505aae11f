// Changes. In b's frame a point x of a is at T x + t, at the poses of the list at T_0 x + t_0, and D = T - T_0,
// d = t - t_0. Over a motion from its beginning to its end D x + d is a chord, from which a path bulges by no more than
// its bend / 8 (swept_pair.c), and where b stands only across the axis of a's turn.
//
// Leaves. What is not listed cannot meet as long as no point of a has changed by more than the list's reach, on any
// axis, the distance that counts and all rounding included: the boxes of the walk were grown by it, or a direction was
// found along which the leaves are farther apart.
//
// Directions. Two leaves are apart along a direction n by `gap` at the poses of the list: every point of the leaf of a
// is that much higher than every one of b. Heights change by n . (D x + d), which for all x of a ball about c with the
// radius r is no less than n . (D c + d) - r |D^T n|.
//
// Rounding. W is no less than any coordinate of either part in b's frame. In floats, of u W, u = 2^-24, the heights of
// a corner take up to 10, their difference 2, D, d and what they do to a ball 24: with the other leaf less than 48,
// and the slack is 96. A length |n| is within 2^-22 of 1.
#include "collide/near_list.h"

#include "collide/clearance.h"
#include "shape/tree.h"

#include <string.h>

#define SLACK (96.0 * 0x1p-24)
#define TINY 0x1p-40

// Walks of fewer pairs of nodes are not worth a list.
enum { WORTH_NODES = 1024 };

// A list reaches as many travels ahead, up to MAX_PART of the smaller radius, and MIN_PART of it besides.
#define TRAVELS 2.0
#define MAX_PART 0x1p-5
#define MIN_PART 0x1p-18

// A list costs about as much as four walks. After one that served for fewer queries so many that are worth one go by,
// each time twice as many.
enum { WORTH_USES = 4, FIRST_PATIENCE = 8, MOST_PATIENCE = 64 };

fr__near_list *fr__near_list_create(const fr_allocator *allocator) {
    fr__near_list *list = fr_allocate(allocator, 1, sizeof *list, _Alignof(fr__near_list));
    if (list == NULL) { return NULL; }
    list->is_known = false;
    list->wait = list->patience = FIRST_PATIENCE;
    list->uses = list->count = 0;
    return list;
}

void fr__near_list_destroy(fr__near_list *list, const fr_allocator *allocator) {
    if (list != NULL) { fr_deallocate(allocator, list, 1, sizeof *list); }
}

// Vertices that deform, and objects that go somewhere, are not kept.
static bool can_be_listed(const fr__swept_pair *pair) {
    const fr__pair_geometry *geometry = pair->geometry;
    return !geometry->a.is_deformed && !geometry->b.is_deformed && geometry->course_a.end_vertices == NULL &&
           geometry->course_b.motion == NULL && geometry->course_b.end_vertices == NULL && !pair->has_end &&
           geometry->a.leaf_corners != NULL && geometry->b.leaf_corners != NULL;
}

static fr__sight sight_of(const fr_pose *a, const fr_pose *b) {
    fr_pose back = fr_pose_inverse(b), seen = fr_pose_compose(&back, a);
    fr_mat3 turn = fr_quat_to_mat3(seen.rotation);
    fr__sight sight = {.move = seen.position};
    for (int i = 0; i < 3; i++) {
        sight.turn[i] = fr_vec3_scale(seen.scale, turn.row[i]);
    }
    return sight;
}

// A direction in b's frame, taken back: T^T n; and one of a's, taken along: T n.
static fr_vec3 taken_back(const fr__sight *sight, fr_vec3 n) {
    fr_vec3 sum = fr_vec3_scale(n.x, sight->turn[0]);
    return fr_vec3_add_scaled(fr_vec3_add_scaled(sum, n.y, sight->turn[1]), n.z, sight->turn[2]);
}

static fr_vec3 taken_along(const fr__sight *sight, fr_vec3 d) {
    return fr_vec3_make(fr_vec3_dot(sight->turn[0], d), fr_vec3_dot(sight->turn[1], d), fr_vec3_dot(sight->turn[2], d));
}

static fr__sight change_of(const fr__sight *from, const fr__sight *to) {
    fr__sight change = {.move = fr_vec3_sub(to->move, from->move)};
    for (int i = 0; i < 3; i++) {
        change.turn[i] = fr_vec3_sub(to->turn[i], from->turn[i]);
    }
    return change;
}

// What is far below all rounding becomes 0: squares of it would be denormal, and slow.
static void put_floats(fr_vec3 from, double least, float to[3]) {
    const double geometry[3] = {from.x, from.y, from.z};
    for (int i = 0; i < 3; i++) {
        to[i] = fabs(geometry[i]) < least ? 0.0f : (float)geometry[i];
    }
}

// ---------------------------------------------------------------------------------------------------------------
// A motion as b sees it

// From t0 to t1.
typedef struct relative_motion {
    fr__sight first, last; // changes from the list's poses
    fr_vec3 axis;          // of a's turn, unit
    double bulge;          // of paths across it, at most
    double distance;       // what comes this near may meet, all rounding included
} relative_motion;

static relative_motion relative_motion_of(const fr__near_list *list, const fr__swept_pair *pair, double t0, double t1) {
    const fr__course *a = &pair->geometry->course_a, *b = &pair->geometry->course_b;
    fr_pose begin = fr__course_pose(a, t0), end = fr__course_pose(a, t1), back = fr_pose_inverse(&b->start);
    fr__sight first = sight_of(&begin, &b->start), last = sight_of(&end, &b->start);
    double distance = pair->distance + fr__clearance_rounding(pair->geometry), eighth = (t1 - t0) * (t1 - t0) / 8.0;
    relative_motion w = {.first = change_of(&list->sight, &first),
                         .last = change_of(&list->sight, &last),
                         .axis = fr_pose_turn(&back, a->axis.unit),
                         .bulge = pair->bend_b * eighth / b->start.scale * (1.0 + 0x1p-20),
                         .distance = distance / b->start.scale * (1.0 + 0x1p-20) + list->slack};
    return w;
}

static double change_along(const fr__side *a, fr_vec3 row, double move) {
    return fabs(fr_vec3_dot(row, a->ball_center) + move) + fr_vec3_length(row) * a->ball_radius;
}

// How much a point of a changes along an axis of b's frame during the motion, at most.
static double max_change(const fr__side *a, const relative_motion *w, int axis) {
    const double *first = &w->first.move.x, *last = &w->last.move.x, *unit = &w->axis.x;
    double change =
        fmax(change_along(a, w->first.turn[axis], first[axis]), change_along(a, w->last.turn[axis], last[axis]));
    return (change + w->bulge * sqrt(fmax(1.0 - unit[axis] * unit[axis], 0.0) + 0x1p-40)) * (1.0 + 0x1p-20);
}

// ---------------------------------------------------------------------------------------------------------------
// A new list

typedef struct list_extent {
    float low, high;
} list_extent;

static list_extent extent_along(const fr__leaf_corners *leaf, const float n[3]) {
    float low[4], high[4];
    for (int k = 0; k < 4; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (int c = 0; c < 3; c++) {
        for (int k = 0; k < 4; k++) {
            float h = (n[0] * leaf->at[c][0][k] + n[1] * leaf->at[c][1][k]) + n[2] * leaf->at[c][2][k];
            low[k] = h < low[k] ? h : low[k];
            high[k] = h > high[k] ? h : high[k];
        }
    }
    list_extent e = {low[0], high[0]};
    for (int k = 1; k < 4; k++) {
        e.low = low[k] < e.low ? low[k] : e.low;
        e.high = high[k] > e.high ? high[k] : e.high;
    }
    return e;
}

static fr_vec3 corner_of(const fr__leaf_corners *leaf, int c, int item) {
    return fr_vec3_make((double)leaf->at[c][0][item], (double)leaf->at[c][1][item], (double)leaf->at[c][2][item]);
}

static fr_vec3 normal_of(const fr__leaf_corners *leaf, int item) {
    fr_vec3 first = corner_of(leaf, 0, item);
    return fr_vec3_cross(fr_vec3_sub(corner_of(leaf, 1, item), first), fr_vec3_sub(corner_of(leaf, 2, item), first));
}

static fr_vec3 sum_of_normals(const fr__leaf_corners *leaf) {
    return fr_vec3_add(fr_vec3_add(normal_of(leaf, 0), normal_of(leaf, 1)),
                       fr_vec3_add(normal_of(leaf, 2), normal_of(leaf, 3)));
}

// Of the first face.
static fr_vec3 longest_edge(const fr__leaf_corners *leaf) {
    fr_vec3 longest = {0.0, 0.0, 0.0};
    for (int c = 0; c < 3; c++) {
        fr_vec3 edge = fr_vec3_sub(corner_of(leaf, (c + 1) % 3, 0), corner_of(leaf, c, 0));
        if (fr_vec3_length_squared(edge) > fr_vec3_length_squared(longest)) { longest = edge; }
    }
    return longest;
}

// Takes a direction for a pair where it shows them farther apart than the one it has. True where that is beyond the
// list's reach.
static bool offer(fr__near_list *list, uint32_t i, const fr__leaf_corners *a, const fr__leaf_corners *b,
                  fr_vec3 along) {
    fr_vec3 unit = fr_vec3_unit(along, fr_vec3_make(0.0, 0.0, 0.0));
    float n[3], n_a[3];
    put_floats(unit, TINY, n);
    fr_vec3 rounded = fr_vec3_make((double)n[0], (double)n[1], (double)n[2]);
    put_floats(taken_back(&list->sight, rounded), 0.0, n_a);
    float move = (float)fr_vec3_dot(rounded, list->sight.move);
    list_extent of_a = extent_along(a, n_a), of_b = extent_along(b, n);
    float above = (of_a.low + move) - of_b.high, below = of_b.low - (of_a.high + move);
    float gap = above > below ? above : below, sign = above > below ? 1.0f : -1.0f;
    fr__near_rows *rows = &list->rows[i / 8];
    if (!(gap > rows->gap[i % 8])) { return false; }
    rows->gap[i % 8] = gap;
    for (int k = 0; k < 3; k++) {
        rows->normal[k][i % 8] = sign * n[k];
    }
    double reach = fabs(rounded.x) * list->reach.x + fabs(rounded.y) * list->reach.y + fabs(rounded.z) * list->reach.z;
    return (double)gap > reach + list->slack;
}

// Looks for a direction among the normals of the first faces and what is across their longest edges; where none of
// these serves, among the normals of other faces. False where the leaves are farther apart than the list reaches.
static bool put_direction(fr__near_list *list, uint32_t i, const fr__pair_geometry *geometry) {
    const fr__leaf_corners *a = &geometry->a.leaf_corners[list->pairs[i].a],
                           *b = &geometry->b.leaf_corners[list->pairs[i].b];
    const fr__sight *sight = &list->sight;
    float *gap = &list->rows[i / 8].gap[i % 8];
    fr_vec3 normal_a = taken_along(sight, normal_of(a, 0)), edge_a = taken_along(sight, longest_edge(a));
    fr_vec3 normal_b = normal_of(b, 0), edge_b = longest_edge(b);
    *gap = -INFINITY;
    bool is_beyond = offer(list, i, a, b, fr_vec3_cross(edge_a, normal_a)) || offer(list, i, a, b, normal_b) ||
                     offer(list, i, a, b, normal_a) || offer(list, i, a, b, fr_vec3_cross(edge_b, normal_b)) ||
                     offer(list, i, a, b, fr_vec3_cross(edge_a, edge_b));
    if (is_beyond || (double)*gap > 2.0 * list->slack) { return !is_beyond; }
    return !offer(list, i, a, b, taken_along(sight, sum_of_normals(a))) && !offer(list, i, a, b, sum_of_normals(b)) &&
           !offer(list, i, a, b, taken_along(sight, normal_of(a, 3))) && !offer(list, i, a, b, normal_of(b, 3));
}

static void put_ball(fr__near_list *list, uint32_t i, const fr__tree_leaf *leaf) {
    const float *low[3] = {leaf->min_x, leaf->min_y, leaf->min_z}, *high[3] = {leaf->max_x, leaf->max_y, leaf->max_z};
    double squared = 0.0;
    for (int k = 0; k < 3; k++) {
        float least = low[k][0], most = high[k][0];
        for (uint32_t j = 1; j < leaf->count; j++) {
            least = low[k][j] < least ? low[k][j] : least;
            most = high[k][j] > most ? high[k][j] : most;
        }
        float center = 0.5f * (least + most);
        double half = fmax((double)most - (double)center, (double)center - (double)least);
        list->rows[i / 8].center[k][i % 8] = center;
        squared += half * half;
    }
    list->rows[i / 8].radius[i % 8] = fr_float_up(sqrt(squared) * (1.0 + 0x1p-40));
}

// A list that is made.
typedef struct listing {
    fr__near_list *list;
    const fr__pair_geometry *geometry;
    uint32_t looked; // at so many pairs of leaves
} listing;

static bool put_pairs(fr__swept_walk *walk, const fr__two_leaves *pairs, uint32_t count) {
    listing *l = walk->context;
    fr__near_list *list = l->list;
    l->looked += count;
    if (l->looked > FR__NEAR_LEAVES) { return false; }
    for (uint32_t k = 0; k < count; k++) {
        list->pairs[list->count] = pairs[k];
        if (!put_direction(list, list->count, l->geometry)) { continue; }
        put_ball(list, list->count, &l->geometry->a.tree->leaves[pairs[k].a]);
        list->count++;
    }
    return true;
}

// The poses that changes count from, and what is rounded there.
static void set_poses(fr__near_list *list, const fr__pair_geometry *geometry) {
    const fr_pose *a = &geometry->course_a.start, *b = &geometry->course_b.start;
    double reach_a = fr_vec3_length(geometry->a.ball_center) + geometry->a.ball_radius;
    double reach_b = fr_vec3_length(geometry->b.ball_center) + geometry->b.ball_radius;
    list->sight = sight_of(a, b);
    list->slack = SLACK * (fr_vec3_length(list->sight.move) + a->scale / b->scale * reach_a + reach_b);
}

void fr__near_list_renew(fr__near_list *list, const fr__swept_pair *pair, uint32_t part, const fr_space *space,
                         uint64_t nodes, fr__swept_memory *memory) {
    const fr__pair_geometry *geometry = pair->geometry;
    if (nodes < WORTH_NODES || !can_be_listed(pair)) { return; }
    if (list->uses < WORTH_USES && list->wait > 0) {
        list->wait--;
        return;
    }
    double radius = fmin(geometry->course_a.radius, geometry->course_b.radius) / geometry->course_b.start.scale;
    list->is_known = false;
    list->patience = list->uses < WORTH_USES ? 2 * list->patience : FIRST_PATIENCE;
    list->patience = list->patience < MOST_PATIENCE ? list->patience : MOST_PATIENCE;
    list->wait = list->patience;
    list->uses = 0;
    set_poses(list, geometry);
    relative_motion w = relative_motion_of(list, pair, 0.0, 1.0);
    double *reach = &list->reach.x;
    for (int k = 0; k < 3; k++) {
        reach[k] = w.distance + fmin(TRAVELS * max_change(&geometry->a, &w, k), MAX_PART * radius) + MIN_PART * radius;
    }
    list->part_a = part;
    list->space = space->number;
    list->object = geometry->b.object;
    list->generation = fr__places_generation(&space->object_places, geometry->b.object);
    list->part_b = geometry->b.part;
    list->count = 0;
    fr__swept_relation relation = fr__swept_pair_relate_about(pair, list->reach);
    listing l = {list, geometry, 0};
    fr__swept_walk walk = {.a = &geometry->a, .b = &geometry->b, .relation = &relation, .context = &l, .limit = 1.0f};
    walk.memory = memory;
    list->is_known = fr__swept_kernel()->list(&walk, put_pairs);
}

// ---------------------------------------------------------------------------------------------------------------
// Leaves that may meet during a motion

bool fr__near_list_is_about(const fr__near_list *list, const fr__swept_pair *pair, uint32_t part,
                            const fr_space *space) {
    const fr__side *b = &pair->geometry->b;
    return list->is_known && list->part_a == part && list->space == space->number && list->object == b->object &&
           list->part_b == b->part && list->generation == fr__places_generation(&space->object_places, b->object) &&
           can_be_listed(pair);
}

static bool is_within(const fr__near_list *list, const fr__side *a, const relative_motion *w) {
    const double *reach = &list->reach.x;
    for (int k = 0; k < 3; k++) {
        if (!(w->distance + max_change(a, w, k) <= reach[k])) { return false; }
    }
    return true;
}

static void put_change(const fr__sight *from, double slack, float turn[3][3], float move[3]) {
    for (int i = 0; i < 3; i++) {
        put_floats(from->turn[i], TINY, turn[i]);
    }
    put_floats(from->move, 0x1p-16 * slack, move);
}

bool fr__near_list_pick(fr__near_list *list, const fr__swept_pair *pair, double t0, double t1, uint32_t *count) {
    relative_motion w = relative_motion_of(list, pair, t0, t1);
    if (!is_within(list, &pair->geometry->a, &w)) { return false; }
    fr__near_travel narrow = {.bulge = fr_float_up(w.bulge), .distance = fr_float_up(w.distance)};
    put_change(&w.first, list->slack, narrow.turn[0], narrow.move[0]);
    put_change(&w.last, list->slack, narrow.turn[1], narrow.move[1]);
    put_floats(w.axis, TINY, narrow.axis);
    *count = fr__near_leaf_kernel()->pick(list->rows, list->pairs, list->count, &narrow, list->active);
    if (t0 == 0.0) { list->uses++; }
    return true;
}
