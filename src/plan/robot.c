// Masks of a robot: once and for all orientations the cells it covers with its reference point in the middle of a cell,
// and the cells of a turn from one orientation to the next. They depend on the robot alone, so that a search only
// compares rows of bits.
#include "plan/robot.h"

#include "plan/raster.h"

#include <string.h>

#define ROBOT_DEF_COOKIE 0x506c5242u
#define MAX_CELLS 512               // an axis, in space
#define MAX_CELLS_2D 4096           // in the plane
#define MAX_QUARTER 12              // steps in 90 degrees, in space
#define FR__PLAN_MAX_QUARTER_2D 180 // in the plane
#define SWEEP_STEP 0.5              // cells between the samples of a turn
#define FAR (1 << 29)

fr_plan_robot_def fr_default_plan_robot_def(void) {
    return (fr_plan_robot_def){.dimension = 3, .alpha_deg = 30.0, .cookie = ROBOT_DEF_COOKIE};
}

// ---------------------------------------------------------------------------------------------------------------
// Orientations

static void angles_of(const fr_plan_robot *r, uint32_t orientation, uint32_t index[3]) {
    index[2] = orientation % r->steps[2];
    index[1] = orientation / r->steps[2] % r->steps[1];
    index[0] = orientation / r->steps[2] / r->steps[1];
}

static uint32_t orientation_of(const fr_plan_robot *r, const uint32_t index[3]) {
    return (index[0] * r->steps[1] + index[1]) * r->steps[2] + index[2];
}

// Multiples of 90 degrees come out exact.
static double angle_of(const fr_plan_robot *r, uint32_t step) { return (double)step * 90.0 / (double)r->quarter; }

fr_vec3 fr__plan_orientation_turn(const fr_plan_robot *r, uint32_t orientation) {
    uint32_t i[3];
    angles_of(r, orientation, i);
    if (r->dimension == 2) { return fr_vec3_make(0.0, 0.0, angle_of(r, i[2])); }
    return fr_vec3_make(angle_of(r, i[0]), angle_of(r, i[1]) - 90.0, angle_of(r, i[2]));
}

static uint32_t step_from(const fr_plan_robot *r, uint32_t orientation, int axis, bool is_up) {
    uint32_t i[3];
    angles_of(r, orientation, i);
    uint32_t count = r->steps[axis];
    if (count == 1) { return FR__PLAN_NONE; }
    if (axis == 1 && (is_up ? i[1] + 1 == count : i[1] == 0)) { return FR__PLAN_NONE; }
    i[axis] = is_up ? (i[axis] + 1 == count ? 0 : i[axis] + 1) : (i[axis] == 0 ? count - 1 : i[axis] - 1);
    return orientation_of(r, i);
}

// The step of the grid at an angle; false where it is not on the grid.
static bool find_step(const fr_plan_robot *r, double degrees, uint32_t count, uint32_t *step) {
    double at = fmod(degrees, 360.0) / (90.0 / (double)r->quarter), whole = floor(at + 0.5);
    if (fabs(at - whole) > 1e-9) { return false; }
    int64_t rounds = 4 * (int64_t)r->quarter, s = (int64_t)whole % rounds;
    *step = (uint32_t)(s < 0 ? s + rounds : s);
    return *step < count;
}

static double likeness(fr_mat3 a, fr_mat3 b) {
    return (fr_vec3_dot(a.row[0], b.row[0]) + fr_vec3_dot(a.row[1], b.row[1])) + fr_vec3_dot(a.row[2], b.row[2]);
}

uint32_t fr__plan_orientation_near(const fr_plan_robot *r, fr_vec3 turn, bool *is_exact) {
    uint32_t i[3] = {0, 0, 0};
    bool is_plane = r->dimension == 2;
    *is_exact =
        find_step(r, turn.z, r->steps[2], &i[2]) &&
        (is_plane || (find_step(r, turn.x, r->steps[0], &i[0]) && find_step(r, turn.y + 90.0, r->steps[1], &i[1])));
    if (*is_exact) { return orientation_of(r, i); }
    if (is_plane) { turn.x = turn.y = 0.0; }
    fr_mat3 wanted = fr__plan_rotation(turn);
    uint32_t best = 0;
    double max = -4.0;
    for (uint32_t o = 0; o < r->orientation_count; o++) {
        double like = likeness(wanted, fr__plan_rotation(fr__plan_orientation_turn(r, o)));
        if (like > max + 1e-9) {
            max = like;
            best = o;
        }
    }
    return best;
}

bool fr__plan_orientation_equal(const fr_plan_robot *r, uint32_t a, uint32_t b) {
    if (a == b) { return true; }
    if (r->dimension == 2) { return false; }
    uint32_t i[3], j[3], rounds = r->steps[0];
    angles_of(r, a, i);
    angles_of(r, b, j);
    if (i[1] != j[1]) { return false; }
    if (i[1] + 1 == r->steps[1]) { return (i[2] + rounds - i[0]) % rounds == (j[2] + rounds - j[0]) % rounds; }
    return i[1] == 0 && (i[2] + i[0]) % rounds == (j[2] + j[0]) % rounds;
}

// ---------------------------------------------------------------------------------------------------------------
// Masks

static size_t mask_bytes(uint32_t rows) { return sizeof(fr__plan_mask) + (size_t)rows * sizeof(fr__plan_row); }

// Takes the rows that are not empty out of a bitmap; with `rows` NULL only counts them.
static uint32_t take_rows(const fr__plan_bitmap *map, const fr__plan_mask *bounds, fr__plan_row *rows) {
    uint32_t count = 0;
    for (int32_t z = bounds->low[2]; z < bounds->high[2]; z++) {
        for (int32_t y = bounds->low[1]; y < bounds->high[1]; y++) {
            const uint64_t *row = fr__plan_bitmap_row(map, y, z);
            for (int32_t x = bounds->low[0]; x < bounds->high[0]; x += 64) {
                uint64_t bits = fr__plan_bits_at(row, map->row_words, x - map->low[0]);
                if (bits == 0) { continue; }
                if (rows != NULL) { rows[count] = (fr__plan_row){(int16_t)x, (int16_t)y, (int16_t)z, bits}; }
                count++;
            }
        }
    }
    return count;
}

// The smallest bounds of what is set in a bitmap.
static void bound_bits(const fr__plan_bitmap *map, fr__plan_mask *m) {
    for (int a = 0; a < 3; a++) {
        m->low[a] = FAR;
        m->high[a] = -FAR;
    }
    for (int32_t z = map->low[2]; z < map->high[2]; z++) {
        for (int32_t y = map->low[1]; y < map->high[1]; y++) {
            const uint64_t *row = fr__plan_bitmap_row(map, y, z);
            for (uint32_t w = 0; w < map->row_words; w++) {
                if (row[w] == 0) { continue; }
                int32_t x = map->low[0] + 64 * (int32_t)w;
                int32_t from[3] = {x + __builtin_ctzll(row[w]), y, z};
                int32_t to[3] = {x + 64 - __builtin_clzll(row[w]), y + 1, z + 1};
                for (int a = 0; a < 3; a++) {
                    m->low[a] = from[a] < m->low[a] ? from[a] : m->low[a];
                    m->high[a] = to[a] > m->high[a] ? to[a] : m->high[a];
                }
            }
        }
    }
}

static fr__plan_mask *mask_of_bitmap(const fr__plan_bitmap *map, const fr_allocator *allocator) {
    fr__plan_mask bounds = {{0, 0, 0}, {0, 0, 0}, 0};
    bound_bits(map, &bounds);
    if (bounds.low[0] > bounds.high[0]) { memset(&bounds, 0, sizeof bounds); }
    uint32_t count = take_rows(map, &bounds, NULL);
    fr__plan_mask *mask = fr_allocate(allocator, 1, mask_bytes(count), _Alignof(fr__plan_mask));
    if (mask == NULL) { return NULL; }
    *mask = bounds;
    mask->row_count = count;
    take_rows(map, &bounds, mask->rows);
    return mask;
}

// The robot about the middle of cell (0, 0, 0) at `turn`.
static fr__plan_motion motion_at(const fr_plan_robot *r, fr_vec3 turn) {
    fr_plan_place place = {{0.5, 0.5, 0.5}, turn};
    return fr__plan_robot_motion(r->dimension, &r->shape, &place);
}

// The cells of a turn by `by` degrees about an axis: k samples, each of the robot grown by as much as a point of it
// moves in half a sample, and both ends. So no point of the turn is left out.
static fr__plan_mask *make_mask(const fr_plan_robot *r, fr_vec3 turn, int axis, double by) {
    double arc = fr_radians(by) * r->reach;
    uint32_t samples = by == 0.0 ? 0 : (uint32_t)ceil(arc / SWEEP_STEP);
    samples = by != 0.0 && samples == 0 ? 1 : samples;
    double grow = samples == 0 ? 0.0 : arc / (2.0 * (double)samples) * (1.0 + 1e-9);
    int32_t max = (int32_t)r->reach + 3;
    int32_t low[3] = {-max, -max, r->dimension == 2 ? 0 : -max};
    int32_t high[3] = {max + 1, max + 1, r->dimension == 2 ? 1 : max + 1};
    fr__plan_bitmap map;
    if (!fr__plan_bitmap_make(low, high, &r->allocator, &map)) { return NULL; }

    for (uint32_t i = 0; i <= samples + 1; i++) {
        // The ends come last, as they are.
        double part = i < samples ? ((double)i + 0.5) / (double)samples : (double)(i - samples);
        if (by == 0.0 && i > 0) { break; }
        fr_vec3 at = turn;
        *(axis == 0 ? &at.x : axis == 1 ? &at.y : &at.z) += part * by;
        fr__plan_motion motion = motion_at(r, at);
        fr__plan_raster(r->dimension, &r->shape, &motion, FR_OCTREE_OVERLAP, i < samples ? grow : 0.0, &map);
    }
    fr__plan_mask *mask = mask_of_bitmap(&map, &r->allocator);
    fr__plan_bitmap_free(&map, &r->allocator);
    return mask;
}

const fr__plan_mask *fr__plan_robot_mask(const fr_plan_robot *robot, uint32_t slot) {
    // A mask that is made twice at once is stored once: nothing that is seen from outside changes.
    fr_plan_robot *r = (fr_plan_robot *)(uintptr_t)robot;
    fr__plan_mask *mask = atomic_load_explicit(&r->slots[slot], memory_order_acquire);
    if (mask != NULL) { return mask; }
    uint32_t part = slot % r->stride;
    int axis = r->dimension == 2 ? 2 : (int)part - 1;
    fr_vec3 turn = fr__plan_orientation_turn(r, slot / r->stride);
    mask = make_mask(r, turn, axis, part == 0 ? 0.0 : 90.0 / (double)r->quarter);
    if (mask == NULL) { return NULL; }
    fr__plan_mask *other = NULL;
    if (!atomic_compare_exchange_strong(&r->slots[slot], &other, mask)) {
        fr_deallocate(&r->allocator, mask, 1, mask_bytes(mask->row_count));
        return other;
    }
    atomic_fetch_add(&r->bytes, mask_bytes(mask->row_count));
    atomic_fetch_add(&r->made, 1);
    return mask;
}

// ---------------------------------------------------------------------------------------------------------------
// The shape

static bool is_set(const fr__plan_bitmap *map, int32_t x, int32_t y, int32_t z) {
    if (x < map->low[0] || x >= map->high[0] || y < map->low[1] || y >= map->high[1] || z < map->low[2] ||
        z >= map->high[2]) {
        return false;
    }
    uint32_t at = (uint32_t)(x - map->low[0]);
    return (fr__plan_bitmap_row(map, y, z)[at / 64] >> (at % 64) & 1) != 0;
}

// Whether all cells of a box are set; clears them where wanted.
static bool is_box_set(const fr__plan_bitmap *map, const fr_plan_box *b, bool clear) {
    for (int32_t z = b->low[2]; z < b->high[2]; z++) {
        for (int32_t y = b->low[1]; y < b->high[1]; y++) {
            for (int32_t x = b->low[0]; x < b->high[0]; x++) {
                if (!is_set(map, x, y, z)) { return false; }
                uint32_t at = (uint32_t)(x - map->low[0]);
                if (clear) { fr__plan_bitmap_row(map, y, z)[at / 64] &= ~((uint64_t)1 << (at % 64)); }
            }
        }
    }
    return true;
}

// Grows a box along an axis as long as all of the next layer is set.
static void grow_box(const fr__plan_bitmap *map, fr_plan_box *b, int axis) {
    for (;;) {
        fr_plan_box layer = *b;
        layer.low[axis] = b->high[axis];
        layer.high[axis] = b->high[axis] + 1;
        if (!is_box_set(map, &layer, false)) { return; }
        b->high[axis]++;
    }
}

FR_ARRAY_TYPE(box_array, fr_plan_box);

// The cells of a bitmap as few boxes that do not overlap; empties it.
static bool cut_boxes(fr__plan_bitmap *map, box_array *boxes) {
    for (int32_t z = map->low[2]; z < map->high[2]; z++) {
        for (int32_t y = map->low[1]; y < map->high[1]; y++) {
            for (uint32_t w = 0; w < map->row_words; w++) {
                uint64_t *word = &fr__plan_bitmap_row(map, y, z)[w];
                while (*word != 0) {
                    int32_t x = map->low[0] + 64 * (int32_t)w + __builtin_ctzll(*word);
                    fr_plan_box box = {{x, y, z}, {x + 1, y + 1, z + 1}};
                    grow_box(map, &box, 0);
                    grow_box(map, &box, 1);
                    grow_box(map, &box, 2);
                    is_box_set(map, &box, true);
                    fr_plan_box *out = box_array_push(boxes, 1);
                    if (out == NULL) { return false; }
                    *out = box;
                }
            }
        }
    }
    return true;
}

// How far a point is from a cell, as far as the dimension goes.
static double cell_distance(int dimension, const double point[3], const int32_t cell[3]) {
    double sum = 0.0;
    for (int a = 0; a < dimension; a++) {
        double below = (double)cell[a] - point[a], above = point[a] - (double)cell[a] - 1.0;
        double d = below > above ? below : above;
        sum += d > 0.0 ? d * d : 0.0;
    }
    return sqrt(sum);
}

// The radius of the largest ball about the pivot that the robot holds: shell by shell of cells, to the first that is
// not its own.
static double inner_radius(const fr_plan_robot *r, const fr__plan_bitmap *map) {
    double pivot[3] = {r->shape.pivot.x, r->shape.pivot.y, r->shape.pivot.z}, best = INFINITY;
    int32_t at[3] = {(int32_t)floor(pivot[0]), (int32_t)floor(pivot[1]), (int32_t)floor(pivot[2])};
    if (r->dimension == 2) { at[2] = 0; }
    for (int32_t k = 0; (double)(k - 1) < best; k++) {
        int32_t deep = r->dimension == 2 ? 0 : k;
        for (int32_t z = -deep; z <= deep; z++) {
            for (int32_t y = -k; y <= k; y++) {
                bool is_side = y == k || y == -k || (deep > 0 && (z == k || z == -k));
                for (int32_t x = -k; x <= k; x += is_side || k == 0 ? 1 : 2 * k) {
                    int32_t cell[3] = {at[0] + x, at[1] + y, at[2] + z};
                    if (is_set(map, cell[0], cell[1], cell[2])) { continue; }
                    double d = cell_distance(r->dimension, pivot, cell);
                    best = d < best ? d : best;
                }
            }
        }
    }
    return best;
}

// The cells that a ball about the middle of cell (0, 0, 0) shares more than a border with.
static fr__plan_mask *make_core(const fr_plan_robot *r, double radius) {
    int32_t max = (int32_t)radius + 1, deep = r->dimension == 2 ? 0 : max;
    int32_t low[3] = {-max, -max, -deep}, high[3] = {max + 1, max + 1, deep + 1};
    const double middle[3] = {0.5, 0.5, 0.5};
    fr__plan_bitmap map;
    if (!fr__plan_bitmap_make(low, high, &r->allocator, &map)) { return NULL; }
    for (int32_t z = -deep; z <= deep; z++) {
        for (int32_t y = -max; y <= max; y++) {
            for (int32_t x = -max; x <= max; x++) {
                const int32_t cell[3] = {x, y, z};
                if (cell_distance(r->dimension, middle, cell) >= radius - 1e-6) { continue; }
                uint32_t at = (uint32_t)(x - map.low[0]);
                fr__plan_bitmap_row(&map, y, z)[at / 64] |= (uint64_t)1 << (at % 64);
            }
        }
    }
    fr__plan_mask *core = mask_of_bitmap(&map, &r->allocator);
    fr__plan_bitmap_free(&map, &r->allocator);
    return core;
}

static double reach_of(const fr_plan_robot *r) {
    double max = 0.0;
    for (uint32_t i = 0; i < r->shape.box_count; i++) {
        const fr_plan_box *b = &r->shape.boxes[i];
        for (int corner = 0; corner < 8; corner++) {
            fr_vec3 p = {(double)(corner & 1 ? b->high[0] : b->low[0]), (double)(corner & 2 ? b->high[1] : b->low[1]),
                         (double)(corner & 4 ? b->high[2] : b->low[2])};
            if (r->dimension == 2) { p.z = r->shape.pivot.z; }
            double d = fr_vec3_distance(p, r->shape.pivot);
            max = d > max ? d : max;
        }
    }
    return max;
}

// Copies the shape as boxes that do not overlap, and takes its measures.
static fr_status take_shape(fr_plan_robot *r, const fr_plan_shape *shape, fr_error *error) {
    fr_plan_place still = {shape->pivot, {0.0, 0.0, 0.0}};
    fr__plan_motion motion = fr__plan_robot_motion(r->dimension, shape, &still);
    int32_t low[3], high[3], max = r->dimension == 2 ? MAX_CELLS_2D : MAX_CELLS;
    fr__plan_raster_bounds(r->dimension, shape, &motion, 0.0, -FAR, FAR, low, high);
    if (low[0] >= high[0]) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the robot has no cells"); }
    for (int a = 0; a < r->dimension; a++) {
        double pivot = a == 0 ? shape->pivot.x : a == 1 ? shape->pivot.y : shape->pivot.z;
        if (high[a] - low[a] > max + 2 || pivot < (double)low[a] - (double)max ||
            pivot > (double)high[a] + (double)max) {
            return fr_error_set(error, FR_ERROR_LIMIT, "the robot is larger than %d cells, or that far from its pivot",
                                (int)max);
        }
    }
    fr__plan_bitmap map;
    if (!fr__plan_bitmap_make(low, high, &r->allocator, &map)) { return FR_ERROR_MEMORY; }
    fr__plan_raster(r->dimension, shape, &motion, FR_OCTREE_OVERLAP, 0.0, &map);
    r->shape.pivot = shape->pivot;
    if (r->dimension == 2) { r->shape.pivot.z = 0.5; }
    double radius = inner_radius(r, &map);
    for (size_t w = 0; w < map.word_count; w++) {
        r->cell_count += (uint64_t)__builtin_popcountll(map.words[w]);
    }
    box_array boxes = box_array_make(&r->allocator);
    fr_status status = FR_ERROR_MEMORY;
    if (cut_boxes(&map, &boxes)) {
        fr_plan_box *copy = fr_allocate(&r->allocator, boxes.count, sizeof *copy, _Alignof(fr_plan_box));
        if (copy != NULL) {
            memcpy(copy, boxes.data, boxes.count * sizeof *copy);
            r->shape.boxes = copy;
            r->shape.box_count = (uint32_t)boxes.count;
            r->reach = reach_of(r);
            r->core = make_core(r, radius);
            status = r->core != NULL ? FR_OK : FR_ERROR_MEMORY;
        }
    }
    box_array_destroy(&boxes);
    fr__plan_bitmap_free(&map, &r->allocator);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Making and freeing

typedef struct making {
    const fr_plan_robot *robot;
    atomic_bool has_failed;
} making;

static void make_masks(size_t begin, size_t end, int worker, void *context) {
    making *m = context;
    (void)worker;
    for (size_t slot = begin; slot < end && !atomic_load(&m->has_failed); slot++) {
        int axis = (int)(slot % m->robot->stride) - 1;
        // About y there is nothing above 90 degrees.
        if (axis == 1 && m->robot->next[slot / m->robot->stride][1] == FR__PLAN_NONE) { continue; }
        if (fr__plan_robot_mask(m->robot, (uint32_t)slot) == NULL) { atomic_store(&m->has_failed, true); }
    }
}

static fr_status check_def(const fr_plan_robot_def *def, uint32_t *quarter, fr_error *error) {
    if (def->dimension != 2 && def->dimension != 3) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a robot of %d dimensions; 2 and 3 are known", def->dimension);
    }
    if (!isfinite(def->alpha_deg)) { return fr_error_set(error, FR_ERROR_NOT_FINITE, "alpha_deg is not finite"); }
    double steps = def->alpha_deg > 0.0 ? 90.0 / def->alpha_deg : 0.0, max = (double)FR__PLAN_MAX_QUARTER;
    if (def->dimension == 2) { max = (double)FR__PLAN_MAX_QUARTER_2D; }
    if (steps < 1.0 - 1e-9 || steps > max + 1e-9 || fabs(steps - floor(steps + 0.5)) > 1e-9) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "alpha_deg is %g; 90 must be 1 .. %.0f steps of it",
                            def->alpha_deg, max);
    }
    *quarter = (uint32_t)(steps + 0.5);
    return fr__plan_check_shape(&def->shape, error);
}

static fr_plan_robot *allocate_robot(const fr_plan_robot_def *def, uint32_t quarter) {
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_plan_robot *r = fr_allocate(&allocator, 1, sizeof *r, _Alignof(fr_plan_robot));
    if (r == NULL) { return NULL; }
    memset(r, 0, sizeof *r);
    r->allocator = allocator;
    r->dimension = def->dimension;
    r->alpha_deg = 90.0 / (double)quarter;
    r->quarter = quarter;
    r->steps[0] = def->dimension == 2 ? 1 : 4 * quarter;
    r->steps[1] = def->dimension == 2 ? 1 : 2 * quarter + 1;
    r->steps[2] = 4 * quarter;
    r->orientation_count = r->steps[0] * r->steps[1] * r->steps[2];
    r->stride = def->dimension == 2 ? 2 : 4;
    size_t slots = (size_t)r->orientation_count * r->stride;
    r->slots = fr_allocate(&allocator, slots, sizeof *r->slots, 64);
    r->next = fr_allocate(&allocator, r->orientation_count, sizeof *r->next, 64);
    if (r->slots == NULL || r->next == NULL) {
        fr_deallocate(&allocator, r->slots, slots, sizeof *r->slots);
        fr_deallocate(&allocator, r->next, r->orientation_count, sizeof *r->next);
        fr_deallocate(&allocator, r, 1, sizeof *r);
        return NULL;
    }
    for (size_t i = 0; i < slots; i++) {
        atomic_init(&r->slots[i], NULL);
    }
    for (uint32_t o = 0; o < r->orientation_count; o++) {
        for (int k = 0; k < 6; k++) {
            r->next[o][k] = step_from(r, o, k % 3, k < 3);
        }
    }
    return r;
}

fr_status fr_plan_robot_create(const fr_plan_robot_def *def, fr_plan_robot **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != ROBOT_DEF_COOKIE) { return fr_error_set_cookie(error, "fr_default_plan_robot_def"); }
    uint32_t quarter = 0;
    fr_status status = check_def(def, &quarter, error);
    if (status != FR_OK) { return status; }
    fr_plan_robot *r = allocate_robot(def, quarter);
    if (r == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a robot"); }
    status = take_shape(r, &def->shape, error);
    if (status == FR_OK && !def->is_lazy) {
        making m = {.robot = r};
        size_t slots = (size_t)r->orientation_count * r->stride;
        fr_tasks_run(def->tasks, FR_SCHEDULE_DYNAMIC, slots, r->stride, make_masks, &m);
        if (atomic_load(&m.has_failed)) { status = FR_ERROR_MEMORY; }
    }
    if (status != FR_OK) {
        fr_plan_robot_destroy(r);
        if (status == FR_ERROR_MEMORY) { fr_error_set(error, status, "no memory for a robot's masks"); }
        return status;
    }
    *out = r;
    return FR_OK;
}

void fr_plan_robot_destroy(fr_plan_robot *r) {
    if (r == NULL) { return; }
    for (int i = 0; i < 4; i++) {
        fr_plan_robot_destroy(atomic_load(&r->finer[i]));
    }
    size_t slots = (size_t)r->orientation_count * r->stride;
    for (size_t i = 0; i < slots; i++) {
        fr__plan_mask *mask = atomic_load(&r->slots[i]);
        if (mask != NULL) { fr_deallocate(&r->allocator, mask, 1, mask_bytes(mask->row_count)); }
    }
    fr_deallocate(&r->allocator, r->slots, slots, sizeof *r->slots);
    fr_deallocate(&r->allocator, r->next, r->orientation_count, sizeof *r->next);
    if (r->core != NULL) { fr_deallocate(&r->allocator, r->core, 1, mask_bytes(r->core->row_count)); }
    fr_deallocate(&r->allocator, (void *)(uintptr_t)r->shape.boxes, r->shape.box_count, sizeof *r->shape.boxes);
    fr_allocator allocator = r->allocator;
    fr_deallocate(&allocator, r, 1, sizeof *r);
}

fr_plan_robot_info fr_plan_robot_get_info(const fr_plan_robot *robot) {
    fr_plan_robot *r = (fr_plan_robot *)(uintptr_t)robot;
    return (fr_plan_robot_info){.dimension = r->dimension,
                                .alpha_deg = r->alpha_deg,
                                .orientations = r->orientation_count,
                                .boxes = r->shape.box_count,
                                .cells = r->cell_count,
                                .reach = r->reach,
                                .masks = atomic_load(&r->made),
                                .bytes = atomic_load(&r->bytes)};
}

// ---------------------------------------------------------------------------------------------------------------
// Finer robots

static fr_plan_robot *make_finer(const fr_plan_robot *r, uint32_t which) {
    fr_plan_robot_def def = fr_default_plan_robot_def();
    int32_t by = (which & FR__PLAN_FINER_CELLS) != 0 ? 2 : 1;
    fr_plan_box *boxes = fr_allocate(&r->allocator, r->shape.box_count, sizeof *boxes, _Alignof(fr_plan_box));
    if (boxes == NULL) { return NULL; }
    for (uint32_t i = 0; i < r->shape.box_count; i++) {
        for (int a = 0; a < 3; a++) {
            bool is_flat = r->dimension == 2 && a == 2;
            boxes[i].low[a] = r->shape.boxes[i].low[a] * (is_flat ? 1 : by);
            boxes[i].high[a] = r->shape.boxes[i].high[a] * (is_flat ? 1 : by);
        }
    }
    def.shape = (fr_plan_shape){boxes, r->shape.box_count, fr_vec3_scale((double)by, r->shape.pivot)};
    def.dimension = r->dimension;
    def.alpha_deg = (which & FR__PLAN_FINER_TURN) != 0 ? 0.5 * r->alpha_deg : r->alpha_deg;
    def.is_lazy = true;
    def.allocator = r->allocator;
    fr_plan_robot *finer = NULL;
    fr_plan_robot_create(&def, &finer, NULL);
    fr_deallocate(&r->allocator, boxes, r->shape.box_count, sizeof *boxes);
    return finer;
}

const fr_plan_robot *fr__plan_robot_finer(const fr_plan_robot *robot, uint32_t which) {
    fr_plan_robot *r = (fr_plan_robot *)(uintptr_t)robot;
    if (which == 0) { return robot; }
    fr_plan_robot *finer = atomic_load(&r->finer[which]);
    if (finer != NULL) { return finer; }
    finer = make_finer(r, which);
    fr_plan_robot *other = NULL;
    if (finer != NULL && !atomic_compare_exchange_strong(&r->finer[which], &other, finer)) {
        fr_plan_robot_destroy(finer);
        return other;
    }
    return finer;
}
