// The proof that there is no path: a ball in the body has to go with it, and cannot. About a point of the body that is
// inside of it, a ball up to its nearest face moves wherever the body does. The room for that point is cut into cells;
// a cell is shut where the ball meets an obstacle wherever in the cell its middle is. Where shut cells part the start
// from the goal there is no path at all, at any resolution.
#include "plan/path.h"

#include <string.h>

#define MAX_CELLS 128  // an axis
#define POINTS 7       // an axis: where the middle of a ball is looked for
#define MAX_DEPTH 3e-6 // of the world: more than a valid path may go into things

// The ball, and the cells for its middle.
typedef struct ball_room {
    const fr__path_body *body;
    fr_vec3 point_local; // the ball's middle, in the body
    double radius;       // metres
    fr_vec3 min;
    double edge, half_diagonal;
    uint32_t count[3];
    uint8_t *marks; // of cells: reached, shut
} ball_room;

enum { CELL_UNKNOWN, CELL_REACHED, CELL_SHUT };

// The point of the body that is deepest inside of it, of the pivot and a grid of points; where the goal's rotation is
// free, the pivot alone has a place to go to.
static fr_status find_deepest(const fr_space *space, const fr_bounds *bounds, ball_room *r, fr_error *error) {
    const fr_path_input *q = r->body->input;
    const fr_pose scaled = {fr_quat_identity(), {0.0, 0.0, 0.0}, q->start.scale};
    uint32_t points = q->is_goal_turn_any ? 1 : POINTS * POINTS * POINTS + 1;
    for (uint32_t i = 0; i < points; i++) {
        fr_vec3 size = fr_vec3_sub(bounds->max, bounds->min), point = fr_pose_apply(&scaled, q->pivot_local);
        if (i > 0) {
            uint32_t n = i - 1;
            const double at[3] = {n % POINTS + 0.5, n / POINTS % POINTS + 0.5, n / POINTS / POINTS + 0.5};
            point = fr_vec3_make(bounds->min.x + size.x * at[0] / POINTS, bounds->min.y + size.y * at[1] / POINTS,
                                 bounds->min.z + size.z * at[2] / POINTS);
        }
        fr_space_closest closest;
        fr_status status = fr_space_closest_point(space, point, INFINITY, true, NULL, &closest, error);
        if (status != FR_OK) { return status; }
        if (!(-closest.distance > r->radius)) { continue; }
        r->radius = -closest.distance;
        r->point_local = fr_vec3_scale(1.0 / q->start.scale, point);
    }
    return FR_OK;
}

static fr_status find_ball(const fr__path_body *body, ball_room *out, fr_error *error) {
    const fr_path_input *q = body->input;
    out->body = body;
    fr_space_def def = fr_default_space_def();
    def.allocator = q->allocator;
    fr_object_def object = fr_default_object_def();
    object.parts = q->parts;
    object.part_count = q->part_count;
    object.pose.scale = q->start.scale;
    fr_space *space = NULL;
    fr_object_id id;
    fr_bounds bounds;
    fr_status status = fr_space_create(&def, &space, error);
    if (status == FR_OK) { status = fr_object_add(space, &object, &id, error); }
    if (status == FR_OK) { status = fr_space_update(space, NULL, error); }
    if (status == FR_OK) { status = fr_object_bounds(space, id, &bounds, error); }
    if (status == FR_OK) { status = find_deepest(space, &bounds, out, error); }
    fr_space_destroy(space);
    out->radius -= MAX_DEPTH * body->size;
    return status;
}

// False where the ball is too small for cells to be shut.
static bool cut_room(ball_room *r, double edge) {
    if (!(r->radius > 0.0)) { return false; }
    const fr_path_input *q = r->body->input;
    double lever = q->start.scale * fr_vec3_distance(r->point_local, q->pivot_local);
    fr_vec3 grow = {lever, lever, lever}, start = fr_pose_apply(&q->start, r->point_local);
    fr_vec3 low = fr_vec3_sub(q->bounds.min, grow), high = fr_vec3_add(q->bounds.max, grow);
    if (q->dimension == 2) { *fr__path_height(q, &low) = *fr__path_height(q, &high) = *fr__path_height(q, &start); }
    fr_vec3 room = fr_vec3_sub(high, low);
    r->min = low;
    r->edge = fmax(edge, fr_vec3_largest(room) / MAX_CELLS);
    r->half_diagonal = 0.5 * r->edge * sqrt(q->dimension == 2 ? 2.0 : 3.0);
    const double sides[3] = {room.x, room.y, room.z};
    for (int k = 0; k < 3; k++) {
        r->count[k] = (uint32_t)fmax(ceil(sides[k] / r->edge), 1.0);
    }
    return r->half_diagonal < r->radius;
}

static uint32_t cell_of(const ball_room *r, const fr_pose *pose) {
    fr_vec3 p = fr_vec3_sub(fr_pose_apply(pose, r->point_local), r->min);
    const double at[3] = {p.x / r->edge, p.y / r->edge, p.z / r->edge};
    uint32_t cell = 0, stride = 1;
    for (int k = 0; k < 3; k++) {
        double c = fmin(fmax(floor(at[k]), 0.0), (double)(r->count[k] - 1));
        cell += (uint32_t)c * stride;
        stride *= r->count[k];
    }
    return cell;
}

// Whether the ball meets something wherever in the cell it is.
static fr_status is_shut(const ball_room *r, const uint32_t at[3], bool *out, fr_error *error) {
    const fr_path_input *q = r->body->input;
    fr_vec3 center = {r->min.x + r->edge * ((double)at[0] + 0.5), r->min.y + r->edge * ((double)at[1] + 0.5),
                      r->min.z + r->edge * ((double)at[2] + 0.5)};
    fr_vec3 low = r->min;
    if (q->dimension == 2) { *fr__path_height(q, &center) = *fr__path_height(q, &low); }
    double limit = r->radius - r->half_diagonal;
    fr_space_closest closest;
    fr_status status = fr_space_closest_point(q->space, center, limit, false, q->filter, &closest, error);
    *out = status == FR_OK && closest.object.index1 != 0 && closest.distance < limit * (1.0 - 1e-9);
    return status;
}

// Marks the neighbours of a cell, those at corners too, and lists those that are reached.
static fr_status spread(ball_room *r, uint32_t cell, fr_uint32_array *list, fr_error *error) {
    const uint32_t here[3] = {cell % r->count[0], cell / r->count[0] % r->count[1], cell / r->count[0] / r->count[1]};
    for (uint32_t i = 0; i < 27; i++) {
        const uint32_t offset[3] = {i % 3, i / 3 % 3, i / 9};
        uint32_t at[3], next = 0, stride = 1;
        bool is_inside = true;
        for (int k = 0; k < 3; k++) {
            at[k] = here[k] + offset[k] - 1; // wraps below 0
            is_inside = is_inside && at[k] < r->count[k];
            next += is_inside ? at[k] * stride : 0;
            stride *= r->count[k];
        }
        if (!is_inside || r->marks[next] != CELL_UNKNOWN) { continue; }
        bool is_closed;
        fr_status status = is_shut(r, at, &is_closed, error);
        if (status != FR_OK) { return status; }
        r->marks[next] = is_closed ? CELL_SHUT : CELL_REACHED;
        if (is_closed) { continue; }
        uint32_t *place = fr_uint32_array_push(list, 1);
        if (place == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a proof"); }
        *place = next;
    }
    return FR_OK;
}

// Spreads from the start's cell until the goal's is reached or nothing is left.
static fr_status flood(ball_room *r, bool *is_proven, fr_error *error) {
    const fr_path_input *q = r->body->input;
    size_t cells = (size_t)r->count[0] * r->count[1] * r->count[2];
    r->marks = fr_allocate(&q->allocator, cells, 1, 1);
    if (r->marks == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a proof"); }
    memset(r->marks, CELL_UNKNOWN, cells);
    fr_uint32_array list = fr_uint32_array_make(&q->allocator);
    uint32_t goal = cell_of(r, &q->goal), *first = fr_uint32_array_push(&list, 1);
    fr_status status = first != NULL ? FR_OK : fr_error_set(error, FR_ERROR_MEMORY, "no memory for a proof");
    if (first != NULL) {
        *first = cell_of(r, &q->start);
        r->marks[*first] = CELL_REACHED;
    }
    for (size_t i = 0; i < list.count && status == FR_OK && r->marks[goal] != CELL_REACHED; i++) {
        if (i > q->max_moves || fr_control_is_stopped(q->control)) { break; }
        status = spread(r, list.data[i], &list, error);
        *is_proven = i + 1 == list.count; // nothing is left to spread from
    }
    *is_proven = *is_proven && status == FR_OK && r->marks[goal] != CELL_REACHED;
    fr_uint32_array_destroy(&list);
    fr_deallocate(&q->allocator, r->marks, cells, 1);
    return status;
}

// With cells of one size, then with smaller ones.
fr_status fr__path_prove_impossible(const fr__path_body *body, bool *is_proven, fr_error *error) {
    static const double edges[2] = {0.45, 0.2}; // of the ball's radius
    ball_room r;
    memset(&r, 0, sizeof r);
    *is_proven = false;
    fr_status status = find_ball(body, &r, error);
    for (int i = 0; i < 2 && status == FR_OK && !*is_proven; i++) {
        if (cut_room(&r, edges[i] * r.radius)) { status = flood(&r, is_proven, error); }
    }
    return status;
}
