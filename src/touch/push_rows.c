// The rows of a push: gathered from near faces, added where a motion was stopped, and made linear.
#include "touch/push_rows.h"

#include <string.h>

#define ALONG 0.999    // cosine to the normal of a face that is met along it
#define PARALLEL 0.999 // cosine between normals of faces that count as parallel
#define MAX_CORNERS 9  // of what two triangles share, in every stage of the cutting
#define FEW 0.05       // skins: at least so much is kept of what begins nearer

void fr__push_rows_clear(fr__push_rows *rows, const fr_pose *body, double near) {
    rows->count = 0;
    rows->near = near;
    rows->nearest = INFINITY;
    rows->body = *body;
    for (uint32_t i = 0; i < FR__PUSH_TABLE; i++) {
        rows->memory->table[i] = FR_NONE;
    }
    for (uint32_t i = 0; i < FR__PUSH_BEST; i++) {
        rows->memory->best[i].key = 0;
        rows->memory->best[i].distance = INFINITY;
    }
}

static fr_vec3 taken_into(const fr_pose *frame, fr_vec3 point) {
    fr_pose back = fr_pose_inverse(frame);
    return fr_pose_apply(&back, point);
}

static fr_vec3 turned_into(const fr_pose *frame, fr_vec3 direction) {
    fr_pose back = fr_pose_inverse(frame);
    return fr_pose_turn(&back, direction);
}

// ---------------------------------------------------------------------------------------------------------------
// Near rows

static uint64_t mixed(uint64_t key, uint64_t more) {
    uint64_t x = (key ^ more) * UINT64_C(0x9e3779b97f4a7c15);
    return x ^ x >> 29;
}

static uint64_t place_of(double x) { return (uint64_t)(int64_t)floor(x); }

// Of a small place on the body, a direction and what is near.
static uint64_t key_of(const fr__push_rows *rows, const fr__push_row *row) {
    uint64_t key = mixed(row->pusher, row->object.index1);
    const double *at = &row->on_body.x, *along = &row->normal.x;
    for (int k = 0; k < 3; k++) {
        key = mixed(key, place_of(at[k] / rows->cell));
        key = mixed(key, place_of(2.0 * along[k] + 0.5));
    }
    return mixed(key, row->is_of_body ? 1 : 0);
}

// Of rows with one key the one with the smallest gap stays.
static void put_row(fr__push_rows *rows, fr__push_row *row) {
    fr__push_memory *memory = rows->memory;
    row->key = key_of(rows, row);
    uint32_t place = (uint32_t)(row->key >> 32) % FR__PUSH_TABLE;
    while (memory->table[place] != FR_NONE) {
        fr__push_row *other = &memory->rows[memory->table[place]];
        if (other->key == row->key) {
            if (row->gap < other->gap) { *other = *row; }
            return;
        }
        place = (place + 1) % FR__PUSH_TABLE;
    }
    if (rows->count == FR__PUSH_NEAR_ROWS) { return; }
    memory->table[place] = rows->count;
    memory->rows[rows->count++] = *row;
}

static double longest_edge(const fr_vec3 t[3]) {
    double ab = fr_vec3_distance(t[0], t[1]), bc = fr_vec3_distance(t[1], t[2]), ca = fr_vec3_distance(t[2], t[0]);
    return fmax(fmax(ab, bc), ca);
}

bool fr__push_rows_is_small(const fr__push_rows *rows, const fr_vec3 corners[3]) {
    return longest_edge(corners) <= rows->large;
}

static bool is_small(const fr__push_rows *rows, const fr__near_face *face) {
    return face->longest_squared <= rows->large * rows->large;
}

static void put_places(fr__push_rows *rows, const fr__near_faces *near, fr_vec3 on_a, fr_vec3 on_b, fr_vec3 normal,
                       bool is_of_body, bool is_border) {
    fr__push_row row;
    memset(&row, 0, sizeof row);
    row.on_body = taken_into(&rows->body, on_a);
    row.on_other = taken_into(&rows->other, on_b);
    row.normal = turned_into(is_of_body ? &rows->body : &rows->other, normal);
    row.is_of_body = is_of_body;
    row.is_border = is_border;
    row.pusher = rows->pusher;
    row.object = near->object;
    row.is_small = rows->pusher == FR_NONE && is_small(rows, near->a) && is_small(rows, near->b);
    row.gap = fr_vec3_dot(normal, fr_vec3_sub(on_b, on_a));
    put_row(rows, &row);
}

static bool is_corner(const fr_vec3 t[3], fr_vec3 point) {
    double size = 1e-9 * longest_edge(t);
    return fr_vec3_distance(t[0], point) <= size || fr_vec3_distance(t[1], point) <= size ||
           fr_vec3_distance(t[2], point) <= size;
}

// A triangle seen along the normal, counter-clockwise.
static void flatten(fr_vec3 x, fr_vec3 y, const fr_vec3 corners[3], fr_vec2 flat[3]) {
    for (int k = 0; k < 3; k++) {
        flat[k] = (fr_vec2){fr_vec3_dot(x, corners[k]), fr_vec3_dot(y, corners[k])};
    }
    if (fr_polygon_area(flat, 3) >= 0.0) { return; }
    fr_vec2 swap = flat[1];
    flat[1] = flat[2];
    flat[2] = swap;
}

// The place on a plane that is seen at a place across the normal.
static fr_vec3 on_plane(fr_vec3 across, fr_vec3 normal, fr_vec3 plane_normal, fr_vec3 plane_point) {
    double rise = fr_vec3_dot(plane_normal, normal);
    double height = fr_vec3_dot(plane_normal, fr_vec3_sub(plane_point, across)) / rise;
    return fr_vec3_add_scaled(across, height, normal);
}

// The corners of what two faces share that lie along one another.
static void put_shared(fr__push_rows *rows, const fr__near_faces *near, fr_vec3 normal) {
    fr_vec3 normal_a = near->a->normal, normal_b = near->b->normal;
    if (fabs(fr_vec3_dot(normal_a, normal)) < PARALLEL || fabs(fr_vec3_dot(normal_b, normal)) < PARALLEL) { return; }
    fr_vec3 x = fr_vec3_perpendicular(normal), y = fr_vec3_cross(normal, x);
    fr_vec2 flat_a[3], flat_b[3], shared[MAX_CORNERS], scratch[MAX_CORNERS];
    flatten(x, y, near->a->corner, flat_a);
    flatten(x, y, near->b->corner, flat_b);
    size_t count = fr_polygon_clip(flat_a, 3, flat_b, 3, shared, scratch, MAX_CORNERS);
    for (size_t i = 0; count != SIZE_MAX && i < count; i++) {
        fr_vec3 across = fr_vec3_add(fr_vec3_scale(shared[i].x, x), fr_vec3_scale(shared[i].y, y));
        fr_vec3 on_a = on_plane(across, normal, normal_a, near->a->corner[0]);
        fr_vec3 on_b = on_plane(across, normal, normal_b, near->b->corner[0]);
        put_places(rows, near, on_a, on_b, normal, false, false);
    }
}

static double smaller(double a, double b) { return a < b ? a : b; }
static double larger(double a, double b) { return a > b ? a : b; }

// By how much a face lies before or behind the plane of another one, all of it; below 0 where it crosses the plane.
static double beside_plane(fr_vec3 normal, fr_vec3 on_plane, const fr_vec3 t[3]) {
    double h0 = fr_vec3_dot(normal, fr_vec3_sub(t[0], on_plane)), h1 = fr_vec3_dot(normal, fr_vec3_sub(t[1], on_plane));
    double h2 = fr_vec3_dot(normal, fr_vec3_sub(t[2], on_plane));
    double low = smaller(smaller(h0, h1), h2), high = larger(larger(h0, h1), h2);
    return larger(low, -high);
}

// The square of how far a face is from another one at least, of which it lies beside the plane by `height`: what lies
// beyond an edge, all of it, is farther.
static double beyond_edges(const fr__near_face *face, double height, const fr_vec3 t[3]) {
    double beyond = 0.0;
    for (int k = 0; k < 3; k++) {
        fr_vec3 from = face->corner[k];
        fr_vec3 out = fr_vec3_cross(fr_vec3_sub(face->corner[(k + 1) % 3], from), face->normal);
        double h0 = fr_vec3_dot(out, fr_vec3_sub(t[0], from)), h1 = fr_vec3_dot(out, fr_vec3_sub(t[1], from));
        double least = smaller(smaller(h0, h1), fr_vec3_dot(out, fr_vec3_sub(t[2], from)));
        if (least > 0.0) { beyond = larger(beyond, least * least / fr_vec3_length_squared(out)); }
    }
    return height > 0.0 ? height * height + beyond : beyond;
}

// Of a small place on the body, a direction and what is near; never 0.
static uint64_t key_of_face(const fr__push_rows *rows, const fr__near_faces *near) {
    const fr_vec3 middle = fr_vec3_sub(near->a->corner[0], rows->body.position);
    uint64_t key = mixed(rows->pusher, near->object.index1);
    const double *at = &middle.x, *along = &near->a->normal.x;
    for (int k = 0; k < 3; k++) {
        key = mixed(key, place_of(at[k] / (rows->cell * rows->body.scale)));
        key = mixed(key, place_of(2.0 * along[k] + 0.5));
    }
    return key | 1;
}

// Of small faces at one place of the body that look in one direction. Two keys may share a place of the table: what was
// there first is forgotten, and no more than time is lost.
static double *best_of(fr__push_rows *rows, const fr__near_faces *near) {
    if (near->a->mark == 0) { near->a->mark = key_of_face(rows, near); }
    const uint64_t key = near->a->mark;
    uint32_t place = (uint32_t)(key >> 32) % FR__PUSH_BEST;
    if (rows->memory->best[place].key != key) {
        rows->memory->best[place].key = key;
        rows->memory->best[place].distance = INFINITY;
    }
    return &rows->memory->best[place].distance;
}

// The nearest places of two faces beside one another are at their borders, and lead sideways: they say nothing where
// the surface goes on. Such a place counts only where a face is met along a normal, or both are large and nothing
// nearer is met along one.
bool fr__push_rows_put_near(const fr__near_faces *near, void *context) {
    fr__push_rows *rows = context;
    const fr__near_face *a = near->a, *b = near->b;
    double over_b = beside_plane(b->normal, b->corner[0], a->corner);
    if (over_b > rows->near) { return true; }
    bool is_small_a = is_small(rows, a), is_small_b = is_small(rows, b);
    double *best = is_small_a && is_small_b ? best_of(rows, near) : NULL;
    double limit = best != NULL ? fmin(*best, rows->near) : rows->near;
    if (over_b > limit) { return true; }
    double over_a = beside_plane(a->normal, a->corner[0], b->corner);
    if (over_a > limit || beyond_edges(b, over_b, a->corner) > limit * limit ||
        beyond_edges(a, over_a, b->corner) > limit * limit) {
        return true;
    }

    fr_vec3 on_a, on_b, normal_a = a->normal, normal_b = b->normal;
    double distance = fr_triangle_distance(a->corner, b->corner, &on_a, &on_b);
    if (distance > rows->near) { return true; }
    rows->nearest = fmin(rows->nearest, distance);
    fr_vec3 normal = fr_vec3_unit(fr_vec3_sub(on_b, on_a), fr_vec3_make(0.0, 0.0, 0.0));
    if (!(distance > 0.0) || fr_vec3_equal(normal, fr_vec3_make(0.0, 0.0, 0.0))) { return true; }
    bool is_along = fabs(fr_vec3_dot(normal_a, normal)) >= ALONG || fabs(fr_vec3_dot(normal_b, normal)) >= ALONG;
    bool is_large = !is_small_a && !is_small_b;
    if (!is_along && !is_large) { return true; }
    if (best != NULL) { *best = distance; }
    bool is_of_body = !is_corner(a->corner, on_a) && is_corner(b->corner, on_b);
    put_places(rows, near, on_a, on_b, normal, is_of_body, !is_along);
    if (is_large) { put_shared(rows, near, normal); }
    return true;
}

static bool is_led_sideways(const fr__push_rows *rows, const fr__push_row *row, double reach) {
    for (uint32_t i = 0; i < rows->count; i++) {
        const fr__push_row *other = &rows->memory->rows[i];
        if (other->is_border || other->pusher != row->pusher || other->gap > row->gap) { continue; }
        if (fr_vec3_distance(other->on_body, row->on_body) <= reach) { return true; }
    }
    return false;
}

void fr__push_rows_end_near(fr__push_rows *rows) {
    double reach = 2.0 * rows->near / rows->body.scale;
    fr__push_row *list = rows->memory->rows;
    uint32_t left = 0;
    for (uint32_t i = 0; i < rows->count; i++) {
        list[i].is_left_out = list[i].is_border && is_led_sideways(rows, &list[i], reach);
    }
    for (uint32_t i = 0; i < rows->count; i++) {
        if (!list[i].is_left_out) { list[left++] = list[i]; }
    }
    rows->count = left;
}

// ---------------------------------------------------------------------------------------------------------------
// What was met

// How the gap of a row changes by a motion (v, w): by -n . (v + w x (a - c)), and where the body has the normal by
// (w x n) . (b - a), a and b the two places and c the centre.
static void put_gradient(const fr__push_row *row, fr_vec3 a, fr_vec3 n, fr_vec3 apart, fr_vec3 center, double g[6]) {
    fr_vec3 turned = fr_vec3_cross(fr_vec3_sub(a, center), n);
    if (row->is_of_body) { turned = fr_vec3_sub(turned, fr_vec3_cross(n, apart)); }
    const double of[6] = {-n.x, -n.y, -n.z, -turned.x, -turned.y, -turned.z};
    memcpy(g, of, sizeof of);
}

static double times(const double g[6], fr_vec3 travel, fr_vec3 turn) {
    return ((g[0] * travel.x + g[1] * travel.y) + g[2] * travel.z) + ((g[3] * turn.x + g[4] * turn.y) + g[5] * turn.z);
}

// The place of a contact, at poses of its time.
static fr__push_row row_of_hit(const fr__push_hit *hit, const fr_pose *body, fr_vec3 a, fr_vec3 b) {
    const fr_contact *contact = hit->contact;
    fr__push_row row;
    memset(&row, 0, sizeof row);
    row.on_body = taken_into(body, a);
    row.on_other = taken_into(&hit->other, b);
    row.is_of_body = contact->feature == FR_FEATURE_FACE_VERTEX;
    row.normal = turned_into(row.is_of_body ? body : &hit->other, contact->normal);
    row.pusher = hit->pusher;
    row.object = contact->b;
    row.is_small = hit->is_small;
    return row;
}

static void push_row(fr__push_rows *rows, const fr__push_row *row) {
    if (rows->count < FR__PUSH_ROWS) { rows->memory->rows[rows->count++] = *row; }
}

// What was met at a part t of a motion (v, w) is to be a skin away then: by a motion that does more of what widens the
// gap, by the skin / t. What has large faces is a row at the end, too.
double fr__push_rows_put_hit(fr__push_rows *rows, const fr__push_hit *hit) {
    const fr_contact *contact = hit->contact;
    if (fr_vec3_length_squared(contact->normal) < 0.5) { return 0.0; }
    fr_pose body = fr_motion_pose(hit->motion, contact->time);
    double half = 0.5 * fmax(contact->distance, 0.0);
    fr_vec3 a = fr_vec3_add_scaled(contact->point, -half, contact->normal);
    fr_vec3 b = fr_vec3_add_scaled(contact->point, half, contact->normal);
    fr__push_row row = row_of_hit(hit, &body, a, b);
    fr_vec3 normal = row.is_of_body ? fr_pose_turn(&rows->body, row.normal) : contact->normal;
    double gap = fr_vec3_dot(normal, fr_vec3_sub(b, fr_pose_apply(&rows->body, row.on_body)));
    row.key = key_of(rows, &row);
    for (uint32_t i = hit->first; i < rows->count; i++) {
        if (rows->memory->rows[i].key == row.key) { return gap; }
    }
    if (!hit->is_small) { push_row(rows, &row); }
    if (contact->time > 0.0) {
        fr_vec3 center = fr_pose_apply(&body, hit->motion->pivot_local);
        put_gradient(&row, a, contact->normal, fr_vec3_sub(b, a), center, row.g);
        row.reach = hit->reach;
        row.need = times(row.g, hit->motion->travel, hit->motion->turn) + 0.5 * hit->skin / contact->time;
        push_row(rows, &row);
    }
    return gap;
}

// ---------------------------------------------------------------------------------------------------------------
// Rows at poses

// The pose of the pusher of a row; rows with one pusher mostly follow one another.
typedef struct other_pose {
    uint32_t pusher;
    fr_pose pose;
} other_pose;

static const fr_pose *pose_of(const fr__push_rows *rows, const fr__push_row *row, double time, other_pose *last) {
    if (row->pusher != last->pusher) {
        last->pusher = row->pusher;
        last->pose = row->pusher == FR_NONE ? fr_pose_identity()
                                            : fr_motion_pose(&rows->memory->pushers[row->pusher].motion, time);
    }
    return &last->pose;
}

static const other_pose no_pose = {FR_NONE - 1, {{1.0, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, 1.0}};

double fr__push_row_at(const fr__push_rows *rows, const fr__push_row *row, const fr_pose *body, double time,
                       fr_vec3 *point, fr_vec3 *normal) {
    other_pose last = no_pose;
    const fr_pose *other = pose_of(rows, row, time, &last);
    *point = fr_pose_apply(body, row->on_body);
    *normal = fr_pose_turn(row->is_of_body ? body : other, row->normal);
    return fr_vec3_dot(*normal, fr_vec3_sub(fr_pose_apply(other, row->on_other), *point));
}

void fr__push_rows_begin(fr__push_rows *rows, double begin) {
    other_pose last = no_pose;
    for (uint32_t i = 0; i < rows->count; i++) {
        fr__push_row *row = &rows->memory->rows[i];
        const fr_pose *other = pose_of(rows, row, begin, &last);
        fr_vec3 point = fr_pose_apply(&rows->body, row->on_body);
        fr_vec3 normal = fr_pose_turn(row->is_of_body ? &rows->body : other, row->normal);
        row->gap = fr_vec3_dot(normal, fr_vec3_sub(fr_pose_apply(other, row->on_other), point));
    }
}

// A row about where the body ends by a motion.
static void put_finite(const fr__push_row *row, const fr_motion *motion, const fr_pose *body, const fr_pose *other,
                       double kept, fr__motion_row *out) {
    fr_vec3 center = fr_pose_apply(body, motion->pivot_local);
    fr_vec3 a = fr_pose_apply(body, row->on_body), b = fr_pose_apply(other, row->on_other);
    fr_vec3 n = fr_pose_turn(row->is_of_body ? body : other, row->normal), apart = fr_vec3_sub(b, a);
    put_gradient(row, a, n, apart, center, out->g);
    out->need = kept - fr_vec3_dot(n, apart) + times(out->g, motion->travel, motion->turn);
}

// A row of small faces that were near where the piece begins.
static void put_small(const fr__push_row *row, const fr_pose *body, fr_vec3 center, double kept, fr__motion_row *out) {
    const fr_pose world = fr_pose_identity();
    fr_vec3 a = fr_pose_apply(body, row->on_body), n = fr_pose_turn(row->is_of_body ? body : &world, row->normal);
    put_gradient(row, a, n, fr_vec3_sub(row->on_other, a), center, out->g);
    out->need = kept - row->gap;
}

void fr__push_rows_linear(fr__push_rows *rows, const fr_motion *motion, double begin, double end, double skin,
                          bool is_kept) {
    fr_pose body = fr_motion_pose(motion, 1.0);
    fr_vec3 center = fr_pose_apply(&rows->body, motion->pivot_local);
    other_pose last = no_pose;
    for (uint32_t i = 0; i < rows->count; i++) {
        const fr__push_row *row = &rows->memory->rows[i];
        fr__motion_row *out = &rows->memory->linear[i];
        double kept = is_kept ? fmax(fmin(row->gap, skin), FEW * skin) : skin;
        if (row->reach > 0.0) {
            memcpy(out->g, row->g, sizeof out->g);
            out->need = row->need * (end - begin) / row->reach;
        } else if (row->is_small) {
            put_small(row, &rows->body, center, kept, out);
        } else {
            put_finite(row, motion, &body, pose_of(rows, row, end, &last), kept, out);
        }
    }
}
