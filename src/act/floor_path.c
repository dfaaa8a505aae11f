// Paths over the floor: straight where that is free, else by the cells of room plan.
#include "act/floor.h"

#include <math.h>
#include <string.h>

// Around the start and the goal, within this many metres, a body may come nearer to things than elsewhere.
static const double NEAR_END = 0.6;

// Metres beside both ends that are searched first.
static const double WINDOW_BORDER = 2.0;

// A search gives up after so many cells.
static const uint64_t MAX_CELLS = 2000000;

// The two ends of a path.
typedef struct path_ends {
    const fr__floor *floor;
    fr__floor_layer layer;
    fr_vec3 start, goal;
} path_ends;

static double distance(fr_vec3 a, fr_vec3 b) {
    double x = a.x - b.x, z = a.z - b.z;
    return sqrt(x * x + z * z);
}

// Whether a body may be at a point of a path; at both ends it may be near to things.
static bool is_open(const path_ends *e, fr_vec3 point) {
    if (fr__floor_is_free(e->floor, e->layer, point)) { return true; }
    bool is_near = distance(point, e->goal) < NEAR_END || distance(point, e->start) < NEAR_END;
    return is_near && fr__floor_is_free(e->floor, e->layer == FR__FLOOR_BARE ? FR__FLOOR_BARE : FR__FLOOR_TIGHT, point);
}

// Whether it may be there while it comes out of where people stand, or out of where it stands itself.
static bool is_exit(const path_ends *e, fr_vec3 point) {
    return fr__floor_is_free(e->floor, FR__FLOOR_BARE, point) || !fr__floor_is_free(e->floor, FR__FLOOR_BARE, e->start);
}

typedef bool open_fn(const path_ends *e, fr_vec3 point);

static bool is_straight(const path_ends *e, fr_vec3 from, fr_vec3 to, open_fn *is_free) {
    double length = distance(from, to), step = 0.5 * e->floor->edge;
    uint32_t count = (uint32_t)ceil(length / step) + 1;
    for (uint32_t i = 0; i <= count; i++) {
        double t = (double)i / (double)count;
        if (!is_free(e, fr_vec3_add_scaled(from, t, fr_vec3_sub(to, from)))) { return false; }
    }
    return true;
}

// The open cell of the layer nearest to a point from which the point is reached straight; false: none is near.
static bool find_entry(const path_ends *e, fr_vec3 point, open_fn *is_free, fr_plan_place *out) {
    const fr__floor *f = e->floor;
    int64_t reach = (int64_t)ceil(NEAR_END / f->edge);
    double x = (point.x - f->min_x) / f->edge, z = (point.z - f->min_z) / f->edge, best = HUGE_VAL;
    for (int64_t dz = -reach; dz <= reach; dz++) {
        for (int64_t dx = -reach; dx <= reach; dx++) {
            double cx = floor(x) + (double)dx + 0.5, cz = floor(z) + (double)dz + 0.5;
            double away = (cx - x) * (cx - x) + (cz - z) * (cz - z);
            fr_vec3 place = fr_vec3_make(f->min_x + cx * f->edge, point.y, f->min_z + cz * f->edge);
            if (away >= best || !fr__floor_is_free(f, e->layer, place)) { continue; }
            if (!is_straight(e, point, place, is_free)) { continue; }
            best = away;
            *out = (fr_plan_place){fr_vec3_make(cx, cz, 0.5), fr_vec3_make(0.0, 0.0, 0.0)};
        }
    }
    return best < HUGE_VAL;
}

static fr_vec3 place_of(const path_ends *e, const fr_plan_state *state) {
    const fr__floor *f = e->floor;
    fr_vec3 cell = state->place.position;
    return fr_vec3_make(f->min_x + cell.x * f->edge, e->start.y, f->min_z + cell.y * f->edge);
}

// Corners that are not needed are left out, as a string is pulled. False where too many are left.
static bool pull(const path_ends *e, const fr_cell_path *path, fr__floor_path *out) {
    fr_vec3 from = e->start;
    uint32_t at = 0;
    out->count = 0;
    if (!is_open(e, from)) { // the first state is where it comes out
        from = place_of(e, &path->states[at++]);
        out->points[out->count++] = fr_pose_make(from, fr_quat_identity());
    }
    while (!is_straight(e, from, e->goal, is_open)) {
        uint32_t next = at;
        for (uint32_t i = at; i < path->state_count; i++) {
            if (is_straight(e, from, place_of(e, &path->states[i]), is_open)) { next = i; }
        }
        if (out->count == FR__FLOOR_MAX_POINTS || at >= path->state_count) { return false; }
        from = place_of(e, &path->states[next]);
        out->points[out->count++] = fr_pose_make(from, fr_quat_identity());
        at = next + 1;
    }
    return true;
}

// A part of the floor about both ends, as a world of its own: a search makes a wave over all cells of its world.
typedef struct floor_window {
    fr_plan_world *world;
    double x, z; // cell of the floor that its first one is
} floor_window;

// Each run of closed cells is a box.
static fr_status fill_window(const path_ends *e, int64_t size, floor_window *window, fr_error *error) {
    const fr_plan_world *from = e->floor->layers[e->layer];
    fr__floor_box_array boxes = fr__floor_box_array_make(&e->floor->def.allocator);
    fr_status status = FR_OK;
    for (int64_t z = 0; z < size && status == FR_OK; z++) {
        for (int64_t x = 0, end; x < size && status == FR_OK; x = end + 1) {
            end = x;
            while (end < size && fr_plan_world_is_black(from, (int64_t)window->x + end, (int64_t)window->z + z, 0)) {
                end++;
            }
            fr_plan_box *box = end > x ? fr__floor_box_array_push(&boxes, 1) : NULL;
            if (end > x && box == NULL) { status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for a path"); }
            if (box != NULL) { *box = (fr_plan_box){{(int32_t)x, (int32_t)z, 0}, {(int32_t)end, (int32_t)z + 1, 1}}; }
        }
    }
    const fr_plan_shape shape = {boxes.data, (uint32_t)boxes.count, {0.0, 0.0, 0.0}};
    const fr_plan_place here = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    if (status == FR_OK && boxes.count > 0) { status = fr_plan_world_set(window->world, 1, &shape, &here, error); }
    fr__floor_box_array_destroy(&boxes);
    return status;
}

// The smallest window with room about both ends; all zeros where it were not smaller than the floor.
static fr_status make_window(const path_ends *e, const fr_plan_cells_input *input, floor_window *window,
                             fr_error *error) {
    fr_vec3 a = input->start.position, b = input->goal.position;
    double span = fmax(fabs(a.x - b.x), fabs(a.y - b.y)) + 2.0 * WINDOW_BORDER / e->floor->edge;
    uint32_t depth = 5;
    while ((double)(1u << depth) < span) {
        depth++;
    }
    *window = (floor_window){NULL, 0.0, 0.0};
    int64_t size = (int64_t)1 << depth;
    if (size >= e->floor->size) { return FR_OK; }
    window->x = floor(0.5 * (a.x + b.x) - 0.5 * (double)size);
    window->z = floor(0.5 * (a.y + b.y) - 0.5 * (double)size);
    fr_plan_world_def def = fr_default_plan_world_def();
    def.dimension = 2;
    def.depth = depth;
    def.allocator = e->floor->def.allocator;
    fr_status status = fr_plan_world_create(&def, &window->world, error);
    return status == FR_OK ? fill_window(e, size, window, error) : status;
}

static fr_status search_in(const path_ends *e, const fr_plan_cells_input *input, const floor_window *window,
                           fr__floor_path *out, fr_error *error) {
    fr_plan_cells_input own = *input;
    fr_vec3 shift = {window->x, window->z, 0.0};
    if (window->world != NULL) { own.world = window->world; }
    own.start.position = fr_vec3_sub(own.start.position, shift);
    own.goal.position = fr_vec3_sub(own.goal.position, shift);
    fr_cell_path path;
    fr_status status = fr_plan_cells(&own, &path, error);
    if (status != FR_OK) { return status; }
    for (uint32_t i = 0; i < path.state_count; i++) {
        path.states[i].place.position = fr_vec3_add(path.states[i].place.position, shift);
    }
    out->is_found = path.is_found && pull(e, &path, out);
    fr_cell_path_destroy(&path);
    return FR_OK;
}

static fr_status search(const path_ends *e, fr__floor_path *out, fr_error *error) {
    fr_plan_cells_input input = fr_default_plan_cells_input();
    input.world = e->floor->layers[e->layer];
    input.robot = e->floor->point;
    input.is_shortened = true;
    input.weight = 1.2;
    input.budget = MAX_CELLS;
    input.allocator = e->floor->def.allocator;
    if (!find_entry(e, e->start, is_exit, &input.start)) { return FR_OK; }
    if (!find_entry(e, e->goal, is_open, &input.goal)) { return FR_OK; }
    floor_window window;
    fr_status status = make_window(e, &input, &window, error);
    if (status == FR_OK && window.world != NULL) { status = search_in(e, &input, &window, out, error); }
    fr_plan_world_destroy(window.world);
    const floor_window whole = {NULL, 0.0, 0.0};
    return status == FR_OK && !out->is_found ? search_in(e, &input, &whole, out, error) : status;
}

bool fr__floor_is_straight(const fr__floor *floor, fr_vec3 start, fr_vec3 goal) {
    const path_ends e = {floor, FR__FLOOR_ROOMY, start, goal};
    return is_straight(&e, start, goal, is_open);
}

fr_status fr__floor_find(const fr__floor *floor, fr__floor_layer layer, fr_vec3 start, fr_vec3 goal,
                         fr__floor_path *out, fr_error *error) {
    const path_ends e = {floor, layer, start, goal};
    out->is_found = false;
    out->count = 0;
    if (!fr__floor_is_free(floor, layer == FR__FLOOR_BARE ? FR__FLOOR_BARE : FR__FLOOR_TIGHT, goal)) { return FR_OK; }
    out->is_found = is_straight(&e, start, goal, is_open);
    return out->is_found ? FR_OK : search(&e, out, error);
}
