// Finds parts that are the same in the same place, in three stages: parts of equal numbers of triangles get their
// bounds in the world; those are sorted along x, so that only parts with equal bounds are compared; these are compared
// corner by corner, and where that fails as sets of triangles.
#include "clash/twins.h"

#include "fureai/base_order.h"

// A part, for sorting.
typedef struct candidate {
    uint32_t part;
    uint32_t triangle_count;
    fr_bounds bounds; // in the world
    uint64_t sum;     // of the hashes of its triangles, whatever their order
    bool has_sum;
    bool is_copy; // an earlier one has the same corners bit for bit: what is the same as one is the same as the other
} candidate;

static bool has_fewer(const candidate *a, const candidate *b) {
    return a->triangle_count != b->triangle_count ? a->triangle_count < b->triangle_count : a->part < b->part;
}
FR_SORT_TYPE(sort_by_count, candidate, has_fewer);

static bool is_left(const candidate *a, const candidate *b) {
    return a->bounds.min.x != b->bounds.min.x ? a->bounds.min.x < b->bounds.min.x : a->part < b->part;
}
FR_SORT_TYPE(sort_by_place, candidate, is_left);

typedef struct triangle {
    fr_vec3 corners[3];
} triangle;

static int compare_points(const fr_vec3 *a, const fr_vec3 *b) {
    if (a->x != b->x) { return a->x < b->x ? -1 : 1; }
    if (a->y != b->y) { return a->y < b->y ? -1 : 1; }
    return a->z != b->z ? (a->z < b->z ? -1 : 1) : 0;
}

static bool triangle_is_before(const triangle *a, const triangle *b) {
    for (int i = 0; i < 3; i++) {
        int order = compare_points(&a->corners[i], &b->corners[i]);
        if (order != 0) { return order < 0; }
    }
    return false;
}
FR_SORT_TYPE(sort_triangles, triangle, triangle_is_before);

// ---------------------------------------------------------------------------------------------------------------
// Stage 1: bounds

// A part that is turned is looked at point by point: the box of a turned box is larger.
static fr_bounds world_bounds(const fr__rest_part *part) {
    const fr_mesh_view *view = fr_mesh_get(part->mesh);
    fr_bounds bounds = view->bounds;
    const fr_quat q = part->pose.rotation;
    if (!part->is_placed) { return bounds; }
    if (q.x == 0.0 && q.y == 0.0 && q.z == 0.0) {
        bounds.min = fr_pose_apply(&part->pose, bounds.min);
        bounds.max = fr_pose_apply(&part->pose, bounds.max);
        return bounds;
    }
    bounds = fr_bounds_empty();
    for (uint32_t i = 0; i < view->triangle_count; i++) {
        fr_vec3 corners[3];
        fr__placed_corners(part, i, corners);
        for (int k = 0; k < 3; k++) {
            bounds = fr_bounds_with_point(&bounds, corners[k]);
        }
    }
    return bounds;
}

// ---------------------------------------------------------------------------------------------------------------
// Stage 3: comparisons

static bool is_near(fr_vec3 a, fr_vec3 b, double reach) {
    return fabs(a.x - b.x) <= reach && fabs(a.y - b.y) <= reach && fabs(a.z - b.z) <= reach;
}

static bool same_in_order(const fr__rest_part *a, const fr__rest_part *b, double reach) {
    uint32_t count = fr_mesh_get(a->mesh)->triangle_count;
    for (uint32_t i = 0; i < count; i++) {
        fr_vec3 p[3], q[3];
        fr__placed_corners(a, i, p);
        fr__placed_corners(b, i, q);
        if (!is_near(p[0], q[0], reach) || !is_near(p[1], q[1], reach) || !is_near(p[2], q[2], reach)) { return false; }
    }
    return true;
}

// A triangle with its corners sorted, and without negative zeros.
static triangle ordered_triangle(const fr__rest_part *part, uint32_t i) {
    triangle t;
    fr__placed_corners(part, i, t.corners);
    for (int k = 0; k < 3; k++) {
        t.corners[k] = fr_vec3_add(t.corners[k], fr_vec3_make(0.0, 0.0, 0.0));
    }
    for (int k = 0; k < 3; k++) {
        int low = k == 1 ? 1 : 0; // compares 0 1, 1 2, 0 1
        if (compare_points(&t.corners[low], &t.corners[low + 1]) > 0) {
            fr_vec3 moved = t.corners[low];
            t.corners[low] = t.corners[low + 1];
            t.corners[low + 1] = moved;
        }
    }
    return t;
}

static uint64_t sum_of(candidate *c, const fr__rest_part *part) {
    for (uint32_t i = 0; !c->has_sum && i < c->triangle_count; i++) {
        triangle t = ordered_triangle(part, i);
        c->sum += fr_hash(&t, sizeof t, 0);
    }
    c->has_sum = true;
    return c->sum;
}

static void list_triangles(const fr__rest_part *part, triangle *out, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        out[i] = ordered_triangle(part, i);
    }
    sort_triangles(out, count);
}

static fr_status same_as_sets(const fr__rest_part *a, const fr__rest_part *b, const fr_allocator *allocator,
                              bool *out) {
    uint32_t count = fr_mesh_get(a->mesh)->triangle_count;
    size_t both = 2 * (size_t)count;
    triangle *list = fr_allocate(allocator, both, sizeof *list, 16);
    if (list == NULL) { return FR_ERROR_MEMORY; }
    list_triangles(a, list, count);
    list_triangles(b, list + count, count);
    *out = true;
    for (uint32_t i = 0; *out && i < count; i++) {
        *out = !triangle_is_before(&list[i], &list[count + i]) && !triangle_is_before(&list[count + i], &list[i]);
    }
    fr_deallocate(allocator, list, both, sizeof *list);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Stage 2: pairs

typedef struct twin_search {
    fr__rest_part *parts;
    const fr_tasks *tasks;
    const fr_control *control;
    const fr_allocator *allocator;
} twin_search;

static fr_status compare(const twin_search *s, candidate *a, candidate *b, double reach, bool *is_same) {
    const fr__rest_part *p = &s->parts[a->part], *q = &s->parts[b->part];
    *is_same = is_near(a->bounds.min, b->bounds.min, reach) && is_near(a->bounds.max, b->bounds.max, reach);
    if (!*is_same) { return FR_OK; }
    *is_same = same_in_order(p, q, reach);
    if (*is_same || sum_of(a, p) != sum_of(b, q)) { return FR_OK; }
    return same_as_sets(p, q, s->allocator, is_same);
}

typedef struct bounds_work {
    const fr__rest_part *parts;
    candidate *list;
} bounds_work;

static void fill_bounds(size_t begin, size_t end, int worker, void *context) {
    (void)worker;
    const bounds_work *w = context;
    for (size_t i = begin; i < end; i++) {
        w->list[i].bounds = world_bounds(&w->parts[w->list[i].part]);
    }
}

fr_bounds fr__twin_bounds(const fr__rest_part *part) { return world_bounds(part); }

fr_status fr__twins_compare(const fr__rest_part *a, const fr_bounds *bounds_a, const fr__rest_part *b,
                            const fr_bounds *bounds_b, const fr_allocator *allocator, bool *is_same) {
    fr__rest_part parts[2] = {*a, *b};
    candidate list[2] = {{.part = 0, .triangle_count = a->triangle_count, .bounds = *bounds_a},
                         {.part = 1, .triangle_count = b->triangle_count, .bounds = *bounds_b}};
    const twin_search search = {.parts = parts, .allocator = allocator};
    *is_same = false;
    if (a->triangle_count != b->triangle_count) { return FR_OK; }
    return compare(&search, &list[0], &list[1], FR__SAME_FRACTION * fr__placed_size(a), is_same);
}

// The lowest number among parts that are known to be the same.
static uint32_t lowest_of(fr__rest_part *parts, uint32_t part) {
    while (parts[part].twin != part) {
        parts[part].twin = parts[parts[part].twin].twin;
        part = parts[part].twin;
    }
    return part;
}

// Finds the twins among parts of one number of triangles; parts that are the same as a third one are so, too.
static fr_status search_equal(const twin_search *s, candidate *list, size_t count) {
    bounds_work work = {s->parts, list};
    fr_tasks_run(s->tasks, FR_SCHEDULE_DYNAMIC, count, 16, fill_bounds, &work);
    sort_by_place(list, count);
    for (size_t i = 0; i < count; i++) {
        const fr__rest_part *first = &s->parts[list[i].part];
        if (fr_control_is_stopped(s->control)) { return FR_ERROR_STOPPED; }
        if (list[i].is_copy) { continue; }
        double reach = FR__SAME_FRACTION * fr__placed_size(first);
        for (size_t k = i + 1; k < count && list[k].bounds.min.x - list[i].bounds.min.x <= reach; k++) {
            uint32_t x = lowest_of(s->parts, list[i].part), y = lowest_of(s->parts, list[k].part);
            if (x == y) { continue; }
            bool is_same;
            fr_status status = compare(s, &list[i], &list[k], reach, &is_same);
            if (status != FR_OK) { return status; }
            if (!is_same) { continue; }
            s->parts[x < y ? y : x].twin = x < y ? x : y;
            list[k].is_copy = same_in_order(first, &s->parts[list[k].part], 0.0);
        }
    }
    return FR_OK;
}

static void name_lowest(fr__rest_part *parts, size_t count) {
    for (uint32_t i = 0; i < count; i++) {
        parts[i].twin = lowest_of(parts, i);
    }
}

fr_status fr__find_twins(fr__rest_part *parts, size_t count, const fr_tasks *tasks, const fr_control *control,
                         const fr_allocator *allocator) {
    for (size_t i = 0; i < count; i++) {
        parts[i].twin = (uint32_t)i;
    }
    if (count < 2) { return FR_OK; }
    candidate *list = fr_allocate(allocator, count, sizeof *list, 16);
    if (list == NULL) { return FR_ERROR_MEMORY; }
    for (size_t i = 0; i < count; i++) {
        list[i] = (candidate){.part = (uint32_t)i, .triangle_count = fr_mesh_get(parts[i].mesh)->triangle_count};
    }
    sort_by_count(list, count);
    const twin_search search = {parts, tasks, control, allocator};
    fr_status status = FR_OK;
    for (size_t begin = 0, end; begin < count && status == FR_OK; begin = end) {
        for (end = begin + 1; end < count && list[end].triangle_count == list[begin].triangle_count;) {
            end++;
        }
        if (end - begin > 1) { status = search_equal(&search, &list[begin], end - begin); }
    }
    fr_deallocate(allocator, list, count, sizeof *list);
    if (status == FR_OK) { name_lowest(parts, count); }
    return status;
}
