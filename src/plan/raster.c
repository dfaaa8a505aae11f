// A row of cells along x meets a convex body in one run. Each separating axis of a box and a cell bounds the run by a
// linear inequality in x, so a row costs fifteen divisions however long it is.
#include "plan/raster.h"

#include <string.h>

#define NUMBER_MAX 0x1p30
#define OVERLAP_LEAST 1e-9

// ---------------------------------------------------------------------------------------------------------------
// Motions

// Sine and cosine of degrees, exact at multiples of 90.
static void turn_of(double degrees, double *sine, double *cosine) {
    double d = fmod(degrees, 360.0);
    if (d < 0.0) { d += 360.0; }
    static const double quarter[4] = {0.0, 1.0, 0.0, -1.0};
    double quarters = d / 90.0;
    if (quarters == floor(quarters)) {
        *sine = quarter[(int)quarters % 4];
        *cosine = quarter[((int)quarters + 1) % 4];
    } else {
        fr_sincos(fr_radians(d), sine, cosine);
    }
}

fr_mat3 fr__plan_rotation(fr_vec3 turn_deg) {
    double s, c;
    turn_of(turn_deg.x, &s, &c);
    fr_mat3 x = {{{1.0, 0.0, 0.0}, {0.0, c, -s}, {0.0, s, c}}};
    turn_of(turn_deg.y, &s, &c);
    fr_mat3 y = {{{c, 0.0, s}, {0.0, 1.0, 0.0}, {-s, 0.0, c}}};
    turn_of(turn_deg.z, &s, &c);
    fr_mat3 z = {{{c, -s, 0.0}, {s, c, 0.0}, {0.0, 0.0, 1.0}}};
    return fr_mat3_multiply(z, fr_mat3_multiply(y, x));
}

fr__plan_motion fr__plan_robot_motion(int dimension, const fr_plan_shape *shape, const fr_plan_place *place) {
    fr_vec3 turn = place->turn_deg;
    fr__plan_motion m = {{{{0.0, 0.0, 0.0}}}, shape->pivot, place->position};
    if (dimension == 2) {
        turn.x = 0.0;
        turn.y = 0.0;
        m.pivot.z = 0.5;
        m.target.z = 0.5;
    }
    m.rotation = fr__plan_rotation(turn);
    return m;
}

fr__plan_motion fr__plan_obstacle_motion(int dimension, const fr_plan_shape *shape, const fr_plan_place *place) {
    fr_plan_place moved = *place;
    moved.position = fr_vec3_add(shape->pivot, place->position);
    return fr__plan_robot_motion(dimension, shape, &moved);
}

static fr_status check_numbers(fr_vec3 v, double max, const char *what, fr_error *error) {
    if (!fr_vec3_is_finite(v)) {
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "the %s has a number that is not finite", what);
    }
    if (fr_vec3_largest(v) > max) {
        return fr_error_set(error, FR_ERROR_LIMIT, "the %s has a number over %.0f", what, max);
    }
    return FR_OK;
}

fr_status fr__plan_check_shape(const fr_plan_shape *shape, fr_error *error) {
    if (shape->box_count > FR_PLAN_MAX_BOXES) {
        return fr_error_set(error, FR_ERROR_LIMIT, "a shape of %u boxes; the limit is %u", (unsigned)shape->box_count,
                            (unsigned)FR_PLAN_MAX_BOXES);
    }
    return check_numbers(shape->pivot, NUMBER_MAX, "pivot of a shape", error);
}

fr_status fr__plan_check_place(const fr_plan_place *place, fr_error *error) {
    fr_status status = check_numbers(place->position, NUMBER_MAX, "position of a place", error);
    return status != FR_OK ? status : check_numbers(place->turn_deg, NUMBER_MAX, "turn of a place", error);
}

// ---------------------------------------------------------------------------------------------------------------
// Bitmaps

bool fr__plan_bitmap_make(const int32_t low[3], const int32_t high[3], const fr_allocator *allocator,
                          fr__plan_bitmap *out) {
    memset(out, 0, sizeof *out);
    bool is_empty = false;
    for (int a = 0; a < 3; a++) {
        is_empty = is_empty || low[a] >= high[a];
        out->low[a] = low[a];
        out->high[a] = high[a];
    }
    if (is_empty) {
        memset(out, 0, sizeof *out);
        return true;
    }
    out->low[0] = (int32_t)((uint32_t)low[0] & ~63u);
    out->high[0] = (int32_t)(((uint32_t)high[0] + 63u) & ~63u);
    out->row_words = (uint32_t)(out->high[0] - out->low[0]) / 64;
    out->word_count = (size_t)(high[1] - low[1]) * (size_t)(high[2] - low[2]) * out->row_words;
    out->words = fr_allocate(allocator, out->word_count, sizeof *out->words, 64);
    if (out->words == NULL) {
        memset(out, 0, sizeof *out);
        return false;
    }
    memset(out->words, 0, out->word_count * sizeof *out->words);
    return true;
}

void fr__plan_bitmap_free(fr__plan_bitmap *b, const fr_allocator *allocator) {
    fr_deallocate(allocator, b->words, b->word_count, sizeof *b->words);
    memset(b, 0, sizeof *b);
}

void fr__plan_set_run(uint64_t *row, int32_t from, int32_t to) {
    for (int32_t w = from / 64; w <= (to - 1) / 64; w++) {
        uint64_t bits = ~(uint64_t)0;
        if (w == from / 64) { bits &= ~(uint64_t)0 << from % 64; }
        if (w == (to - 1) / 64) { bits &= ~(uint64_t)0 >> (63 - (to - 1) % 64); }
        row[w] |= bits;
    }
}

// Ors a row and its neighbours along x into another.
static void or_grown_row(const uint64_t *from, uint32_t words, uint64_t *to) {
    for (uint32_t w = 0; w < words; w++) {
        uint64_t before = w > 0 ? from[w - 1] >> 63 : 0, after = w + 1 < words ? from[w + 1] << 63 : 0;
        to[w] |= from[w] | (from[w] << 1 | before) | (from[w] >> 1 | after);
    }
}

static void or_row(const uint64_t *from, uint32_t words, uint64_t *to) {
    for (uint32_t w = 0; w < words; w++) {
        to[w] |= from[w];
    }
}

// One cell farther in the city block, from one bitmap into a white one of the same cells.
static void dilate_once(const fr__plan_bitmap *from, int dimension, fr__plan_bitmap *to) {
    for (int32_t z = from->low[2]; z < from->high[2]; z++) {
        for (int32_t y = from->low[1]; y < from->high[1]; y++) {
            uint64_t *row = fr__plan_bitmap_row(to, y, z);
            or_grown_row(fr__plan_bitmap_row(from, y, z), from->row_words, row);
            if (y > from->low[1]) { or_row(fr__plan_bitmap_row(from, y - 1, z), from->row_words, row); }
            if (y + 1 < from->high[1]) { or_row(fr__plan_bitmap_row(from, y + 1, z), from->row_words, row); }
            if (dimension == 2) { continue; }
            if (z > from->low[2]) { or_row(fr__plan_bitmap_row(from, y, z - 1), from->row_words, row); }
            if (z + 1 < from->high[2]) { or_row(fr__plan_bitmap_row(from, y, z + 1), from->row_words, row); }
        }
    }
}

bool fr__plan_bitmap_dilate(fr__plan_bitmap *b, int dimension, uint32_t by, const fr_allocator *allocator) {
    if (by == 0 || b->words == NULL) { return true; }
    fr__plan_bitmap other = *b;
    other.words = fr_allocate(allocator, b->word_count, sizeof *b->words, 64);
    if (other.words == NULL) { return false; }
    for (uint32_t i = 0; i < by; i++) {
        memset(other.words, 0, other.word_count * sizeof *other.words);
        dilate_once(b, dimension, &other);
        uint64_t *words = b->words;
        b->words = other.words;
        other.words = words;
    }
    fr_deallocate(allocator, other.words, other.word_count, sizeof *other.words);
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Boxes

// A box where it was moved to: its centre, its axes and half its edges along them.
typedef struct moved_box {
    fr_vec3 center, axis[3];
    double half[3];
    bool is_empty;
} moved_box;

static moved_box move_box(int dimension, const fr_plan_box *box, const fr__plan_motion *m, double grow) {
    fr_mat3 columns = fr_mat3_transpose(m->rotation);
    moved_box b = {{0.0, 0.0, 0.0}, {columns.row[0], columns.row[1], columns.row[2]}, {0.5, 0.5, 0.5}, false};
    double middle[3] = {0.5, 0.5, 0.5};
    for (int a = 0; a < dimension; a++) {
        b.is_empty = b.is_empty || box->low[a] >= box->high[a];
        middle[a] = 0.5 * ((double)box->low[a] + (double)box->high[a]);
        b.half[a] = 0.5 * ((double)box->high[a] - (double)box->low[a]) + grow;
    }
    fr_vec3 from_pivot = fr_vec3_sub(fr_vec3_make(middle[0], middle[1], middle[2]), m->pivot);
    b.center = fr_vec3_add(fr_mat3_apply(m->rotation, from_pivot), m->target);
    return b;
}

static double coordinate(fr_vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

// The cells about a box, one more on each side against rounding; in the plane the one layer.
static void bound_box(int dimension, const moved_box *b, int32_t min, int32_t max, int32_t low[3], int32_t high[3]) {
    for (int a = 0; a < 3; a++) {
        double reach = 1.0;
        for (int k = 0; k < 3; k++) {
            reach += b->half[k] * fabs(coordinate(b->axis[k], a));
        }
        double from = floor(coordinate(b->center, a) - reach), to = ceil(coordinate(b->center, a) + reach);
        low[a] = from > (double)min ? from < (double)max ? (int32_t)from : max : min;
        high[a] = to < (double)max ? to > (double)min ? (int32_t)to : min : max;
    }
    if (dimension == 2) {
        low[2] = 0;
        high[2] = 1;
    }
}

void fr__plan_raster_bounds(int dimension, const fr_plan_shape *shape, const fr__plan_motion *motion, double grow,
                            int32_t min, int32_t max, int32_t low[3], int32_t high[3]) {
    for (int a = 0; a < 3; a++) {
        low[a] = max;
        high[a] = min;
    }
    for (uint32_t i = 0; i < shape->box_count; i++) {
        moved_box b = move_box(dimension, &shape->boxes[i], motion, grow);
        if (b.is_empty) { continue; }
        int32_t from[3], to[3];
        bound_box(dimension, &b, min, max, from, to);
        for (int a = 0; a < 3; a++) {
            low[a] = from[a] < low[a] ? from[a] : low[a];
            high[a] = to[a] > high[a] ? to[a] : high[a];
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Rows

// The centres p of the cells that count: |direction . (p - c)| < limit for every direction; where low ends count, the
// low one included.
typedef struct box_cutter {
    fr_vec3 direction[15];
    double limit[15];
    int count;
    bool has_low_ends;
} box_cutter;

static void add_direction(box_cutter *c, const moved_box *b, fr_vec3 direction) {
    double length = fr_vec3_length(direction);
    if (length < 1e-6) { return; }
    fr_vec3 v = fr_vec3_scale(1.0 / length, direction);
    double limit = 0.5 * ((fabs(v.x) + fabs(v.y)) + fabs(v.z)) - OVERLAP_LEAST;
    for (int k = 0; k < 3; k++) {
        limit += b->half[k] * fabs(fr_vec3_dot(v, b->axis[k]));
    }
    c->direction[c->count] = v;
    c->limit[c->count] = limit;
    c->count++;
}

static box_cutter make_cutter(const moved_box *b, fr_octree_rule rule) {
    box_cutter c;
    c.count = 0;
    c.has_low_ends = rule == FR_OCTREE_CENTER;
    if (rule == FR_OCTREE_CENTER) {
        for (int k = 0; k < 3; k++) {
            c.direction[k] = b->axis[k];
            c.limit[k] = b->half[k];
        }
        c.count = 3;
        return c;
    }
    static const fr_vec3 own[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int k = 0; k < 3; k++) {
        add_direction(&c, b, own[k]);
    }
    for (int k = 0; k < 3; k++) {
        // An axis along one of the world's adds nothing.
        if (1.0 - fr_vec3_largest(b->axis[k]) > 1e-12) { add_direction(&c, b, b->axis[k]); }
    }
    for (int k = 0; k < 9; k++) {
        add_direction(&c, b, fr_vec3_cross(own[k / 3], b->axis[k % 3]));
    }
    return c;
}

// Narrows the run *from .. *to - 1 of a row, its centres at `first` + x from the box's centre, to the cells that count
// along direction number k; `across` is what y and z add.
static void cut_run(const box_cutter *c, int k, double first, double across, int32_t *from, int32_t *to) {
    double slope = c->direction[k].x, limit = c->limit[k];
    if (fabs(slope) < 1e-12) {
        bool is_in = c->has_low_ends ? across >= -limit && across < limit : fabs(across) < limit;
        if (!is_in) { *to = *from; }
        return;
    }
    double a = (-limit - across) / slope - first, b = (limit - across) / slope - first;
    double low = slope > 0.0 ? a : b, high = slope > 0.0 ? b : a;
    bool low_counts = c->has_low_ends && slope > 0.0, high_counts = c->has_low_ends && slope < 0.0;
    double begin = low_counts ? ceil(low) : floor(low) + 1.0, end = high_counts ? floor(high) + 1.0 : ceil(high);
    if (begin > (double)*from) { *from = begin < (double)*to ? (int32_t)begin : *to; }
    if (end < (double)*to) { *to = end > (double)*from ? (int32_t)end : *from; }
}

static void raster_box(int dimension, const moved_box *b, fr_octree_rule rule, fr__plan_bitmap *map) {
    box_cutter c = make_cutter(b, rule);
    int32_t low[3], high[3];
    bound_box(dimension, b, -(1 << 30), 1 << 30, low, high);
    for (int a = 0; a < 3; a++) {
        low[a] = low[a] > map->low[a] ? low[a] : map->low[a];
        high[a] = high[a] < map->high[a] ? high[a] : map->high[a];
    }
    for (int32_t z = low[2]; z < high[2]; z++) {
        for (int32_t y = low[1]; y < high[1]; y++) {
            double dy = (double)y + 0.5 - b->center.y, dz = (double)z + 0.5 - b->center.z;
            int32_t from = low[0], to = high[0];
            for (int k = 0; k < c.count && from < to; k++) {
                cut_run(&c, k, 0.5 - b->center.x, c.direction[k].y * dy + c.direction[k].z * dz, &from, &to);
            }
            if (from < to) { fr__plan_set_run(fr__plan_bitmap_row(map, y, z), from - map->low[0], to - map->low[0]); }
        }
    }
}

void fr__plan_raster(int dimension, const fr_plan_shape *shape, const fr__plan_motion *motion, fr_octree_rule rule,
                     double grow, fr__plan_bitmap *map) {
    if (map->words == NULL) { return; }
    for (uint32_t i = 0; i < shape->box_count; i++) {
        moved_box b = move_box(dimension, &shape->boxes[i], motion, grow);
        if (!b.is_empty) { raster_box(dimension, &b, rule, map); }
    }
}
