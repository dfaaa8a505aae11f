// Finds where gaps may be: between upright borders of faces, and between these and upright faces.
#include "human/surface.h"

#include "fureai/base_order.h"

#include <math.h>

#define SAME FR__GAP_SAME
static const double BAND_MIN = 0.15;  // statures over which both sides of a gap must stand beside each other; ours
static const double BAND_HALF = 0.25; // statures over the lower end at which a gap is looked at, at most; ours

typedef struct gap_search {
    const fr__gap_input *input;
    fr_tree *posts, *walls;
    fr_vec3 origin;
    fr_uint32_array near;
    uint32_t post; // at hand
    bool has_failed;

    // Of the circle that is looked into.
    fr_vec3 ends[2], middle;
    double radius;
    bool is_occupied;
} gap_search;

// ---------------------------------------------------------------------------------------------------------------
// Posts

static bool is_before(const fr__post *a, const fr__post *b) {
    if (a->foot.x != b->foot.x) { return a->foot.x < b->foot.x; }
    if (a->foot.z != b->foot.z) { return a->foot.z < b->foot.z; }
    if (a->foot.y != b->foot.y) { return a->foot.y < b->foot.y; }
    if (a->top != b->top) { return a->top < b->top; }
    return a->object != b->object ? a->object < b->object : a->part < b->part;
}

FR_SORT_TYPE(sort_posts, fr__post, is_before);

// Two faces share each border of a closed piece: one post of each place is enough.
static void tidy_posts(fr__post_array *posts) {
    sort_posts(posts->data, posts->count);
    size_t kept = 0;
    for (size_t i = 0; i < posts->count; i++) {
        const fr__post *post = &posts->data[i];
        bool is_new = true;
        for (size_t k = kept; k > 0 && is_new; k--) {
            const fr__post *other = &posts->data[k - 1];
            if (post->foot.x - other->foot.x > SAME) { break; }
            is_new = fabs(post->foot.z - other->foot.z) > SAME || fabs(post->foot.y - other->foot.y) > SAME ||
                     fabs(post->top - other->top) > SAME || post->object != other->object;
        }
        if (is_new) { posts->data[kept++] = *post; }
    }
    posts->count = kept;
}

static fr_bounds post_bounds(const fr__post *post) {
    return (fr_bounds){post->foot, {post->foot.x, post->top, post->foot.z}};
}

static fr_bounds wall_bounds(const fr__wall *wall) {
    const fr__face *f = &wall->face;
    fr_vec3 half = {fabs(f->axis.x) * f->half[0] + fabs(f->across.x) * f->half[1],
                    fabs(f->axis.y) * f->half[0] + fabs(f->across.y) * f->half[1],
                    fabs(f->axis.z) * f->half[0] + fabs(f->across.z) * f->half[1]};
    return (fr_bounds){fr_vec3_sub(f->center, half), fr_vec3_add(f->center, half)};
}

// ---------------------------------------------------------------------------------------------------------------
// Trees

static bool note_near(uint32_t item, void *context) {
    gap_search *search = context;
    uint32_t *slot = fr_uint32_array_push(&search->near, 1);
    if (slot == NULL) {
        search->has_failed = true;
        return false;
    }
    *slot = item;
    return true;
}

// Posts behind the one at hand that may make a gap with it: all others are many more.
static bool note_near_post(uint32_t item, void *context) {
    gap_search *search = context;
    const fr__post *post = &search->input->posts->data[search->post], *other = &search->input->posts->data[item];
    if (item <= search->post) { return true; }
    double x = post->foot.x - other->foot.x, z = post->foot.z - other->foot.z, square = x * x + z * z;
    double low = search->input->rules->side - SAME, high = search->input->rules->gap + SAME;
    if (square > high * high || (low > 0.0 && square < low * low)) { return true; }
    if (fmin(post->top, other->top) < fmax(post->foot.y, other->foot.y)) { return true; }
    return note_near(item, context);
}

static void find_near(gap_search *search, const fr_tree *tree, fr_bounds bounds) {
    search->near.count = 0;
    fr_box box = fr_box_of_bounds(&bounds, search->origin);
    fr_tree_item_fn *note = tree == search->posts ? note_near_post : note_near;
    if (tree != NULL) { fr_tree_overlap_box(tree, &box, note, search); }
    if (search->near.count > 1) { fr_sort_uint32(search->near.data, search->near.count); }
}

static double plan_distance(fr_vec3 a, fr_vec3 b) {
    double x = a.x - b.x, z = a.z - b.z;
    return sqrt(x * x + z * z);
}

// Posts on the circle count too: of a rectangle of posts the sides are gaps, the diagonals are none.
static bool note_occupied(uint32_t item, void *context) {
    gap_search *search = context;
    const fr__post *post = &search->input->posts->data[item];
    bool is_beside = post->foot.y <= search->middle.y && post->top >= search->middle.y;
    bool is_end =
        plan_distance(post->foot, search->ends[0]) <= SAME || plan_distance(post->foot, search->ends[1]) <= SAME;
    search->is_occupied = is_beside && !is_end && plan_distance(post->foot, search->middle) <= search->radius + SAME;
    return !search->is_occupied;
}

// Whether another post stands in the circle over two points.
static bool is_circle_empty(gap_search *search, fr_vec3 a, fr_vec3 b) {
    search->ends[0] = a;
    search->ends[1] = b;
    search->middle = fr_vec3_lerp(a, b, 0.5);
    search->radius = 0.5 * fr_vec3_distance(a, b);
    search->is_occupied = false;
    fr_vec3 half = {search->radius + SAME, 0.0, search->radius + SAME};
    fr_bounds bounds = {fr_vec3_sub(search->middle, half), fr_vec3_add(search->middle, half)};
    fr_box box = fr_box_of_bounds(&bounds, search->origin);
    fr_tree_overlap_box(search->posts, &box, note_occupied, search);
    return !search->is_occupied;
}

static fr_status make_trees(gap_search *search, fr_error *error) {
    const fr__gap_input *input = search->input;
    size_t count = input->posts->count > input->walls->count ? input->posts->count : input->walls->count;
    fr_box *boxes = fr_allocate(&input->allocator, count, sizeof *boxes, _Alignof(fr_box));
    if (boxes == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for the gaps between objects"); }
    search->origin = input->posts->data[0].foot;
    fr_tree_def def = fr_default_tree_def();
    def.boxes = boxes;
    def.allocator = input->allocator;
    for (size_t i = 0; i < input->posts->count; i++) {
        fr_bounds bounds = post_bounds(&input->posts->data[i]);
        boxes[i] = fr_box_of_bounds(&bounds, search->origin);
    }
    def.count = (uint32_t)input->posts->count;
    fr_status status = fr_tree_create(&def, &search->posts, error);
    for (size_t i = 0; i < input->walls->count; i++) {
        fr_bounds bounds = wall_bounds(&input->walls->data[i]);
        boxes[i] = fr_box_of_bounds(&bounds, search->origin);
    }
    def.count = (uint32_t)input->walls->count;
    if (status == FR_OK && def.count > 0) { status = fr_tree_create(&def, &search->walls, error); }
    fr_deallocate(&input->allocator, boxes, count, sizeof *boxes);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Pairs

// The height at which two things that stand from `low` to `high` are looked at; false: they are not beside each other.
static bool band_height(const fr__surface_rules *rules, double low, double high, double *height) {
    double stature = rules->body.stature;
    if (high - low < BAND_MIN * stature) { return false; }
    *height = low + fmin(0.5 * (high - low), BAND_HALF * stature);
    return true;
}

static void add_gap(gap_search *search, const fr__post *post, fr_vec3 a, fr_vec3 b, fr__opening_array *out) {
    const fr__surface_rules *rules = search->input->rules;
    double width = fr_vec3_distance(a, b);
    if (width < rules->side || width > rules->gap) { return; }
    fr_vec3 points[2] = {a, b};
    fr_bounds bounds = fr_bounds_of_points(points, 2);
    if (!search->input->touched(&bounds, search->input->context) || !is_circle_empty(search, a, b)) { return; }
    fr__opening *gap = fr__opening_array_push(out, 1);
    if (gap == NULL) {
        search->has_failed = true;
        return;
    }
    *gap = (fr__opening){a, b, post->object, post->part};
}

static void pair_with_posts(gap_search *search, uint32_t index, fr__opening_array *out) {
    const fr__post *posts = search->input->posts->data, *post = &posts[index];
    for (size_t i = 0; i < search->near.count; i++) {
        const fr__post *other = &posts[search->near.data[i]];
        double y;
        if (!band_height(search->input->rules, fmax(post->foot.y, other->foot.y), fmin(post->top, other->top), &y)) {
            continue;
        }
        add_gap(search, post, fr_vec3_make(post->foot.x, y, post->foot.z),
                fr_vec3_make(other->foot.x, y, other->foot.z), out);
    }
}

static void pair_with_walls(gap_search *search, uint32_t index, fr__opening_array *out) {
    const fr__post *post = &search->input->posts->data[index];
    for (size_t i = 0; i < search->near.count; i++) {
        const fr__wall *wall = &search->input->walls->data[search->near.data[i]];
        const fr__face *face = &wall->face;
        fr_bounds bounds = wall_bounds(wall);
        double y;
        if (!band_height(search->input->rules, fmax(post->foot.y, bounds.min.y), fmin(post->top, bounds.max.y), &y)) {
            continue;
        }
        fr_vec3 at = {post->foot.x, y, post->foot.z}, n = {face->normal.x, 0.0, face->normal.z};
        n = fr_vec3_unit(n, fr_vec3_make(0.0, 0.0, 1.0));
        double distance = fr_vec3_dot(fr_vec3_sub(at, face->center), n);
        fr_vec3 foot = fr_vec3_add_scaled(at, -distance, n), from = fr_vec3_sub(foot, face->center);
        bool is_on = fabs(fr_vec3_dot(from, face->axis)) < face->half[0] - SAME &&
                     fabs(fr_vec3_dot(from, face->across)) < face->half[1] - SAME;
        if (is_on) { add_gap(search, post, at, foot, out); }
    }
}

static void search_posts(gap_search *search, fr__opening_array *out) {
    const fr__gap_input *input = search->input;
    for (uint32_t i = 0; i < input->posts->count && !search->has_failed; i++) {
        fr_bounds around = post_bounds(&input->posts->data[i]);
        around = fr_bounds_grow(&around, input->rules->gap);
        if (!input->touched(&around, input->context)) { continue; }
        search->post = i;
        find_near(search, search->posts, around);
        if (!search->has_failed) { pair_with_posts(search, i, out); }
        find_near(search, search->walls, around);
        if (!search->has_failed) { pair_with_walls(search, i, out); }
    }
}

fr_status fr__gaps_find(const fr__gap_input *input, fr__opening_array *out, fr_error *error) {
    tidy_posts(input->posts);
    if (input->posts->count == 0) { return FR_OK; }
    gap_search search = {.input = input, .near = fr_uint32_array_make(&input->allocator)};
    fr_status status = make_trees(&search, error);
    if (status == FR_OK) { search_posts(&search, out); }
    if (search.has_failed) {
        status = fr_error_set(error, FR_ERROR_MEMORY, "out of memory for the gaps between objects");
    }
    fr_tree_destroy(search.posts);
    fr_tree_destroy(search.walls);
    fr_uint32_array_destroy(&search.near);
    return status;
}
