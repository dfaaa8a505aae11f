// Finds the triangles of parts that a point or its path may meet, by their trees.
#include "touch/near.h"

#include "fureai/base_order.h"
#include "space/query.h"

#include <string.h>

void fr__near_open(fr__near *near, const fr_space *space, const fr_query_filter *filter,
                   const fr_allocator *allocator) {
    near->space = space;
    near->filter = filter;
    near->parts = near->few_parts;
    near->numbers = near->few_numbers;
    near->part_count = near->number_count = 0;
    near->more_parts = fr__near_part_array_make(allocator);
    near->more_numbers = fr_uint32_array_make(allocator);
}

void fr__near_close(fr__near *near) {
    fr__near_part_array_destroy(&near->more_parts);
    fr_uint32_array_destroy(&near->more_numbers);
}

// ---------------------------------------------------------------------------------------------------------------
// Parts

typedef struct part_search {
    fr__near *near;
    const fr__proxy_set *set;
    bool has_memory;
} part_search;

// Room for one part more: the first few are the query's own.
static bool make_room(fr__near *near) {
    if (near->part_count < FR__NEAR_FEW_PARTS) { return true; }
    if (near->part_count < near->more_parts.capacity) { return true; }
    near->more_parts.count = near->part_count;
    bool is_first = near->parts == near->few_parts;
    if (is_first) { near->more_parts.count = 0; }
    if (!fr__near_part_array_reserve_more(&near->more_parts, is_first ? FR__NEAR_FEW_PARTS + 1 : 1)) { return false; }
    if (is_first) { memcpy(near->more_parts.data, near->few_parts, sizeof near->few_parts); }
    near->parts = near->more_parts.data;
    return true;
}

static bool take_part(uint32_t item, void *context) {
    part_search *s = context;
    const fr__proxy *proxy = &fr__set_proxies(s->set)[item];
    if (!fr__query_accepts(s->near->space, s->near->filter, proxy)) { return true; }
    s->has_memory = make_room(s->near);
    if (s->has_memory) { s->near->parts[s->near->part_count++] = (fr__near_part){proxy->object, proxy->part}; }
    return s->has_memory;
}

static bool comes_before(const fr__near_part *a, const fr__near_part *b) {
    return a->object != b->object ? a->object < b->object : a->part < b->part;
}

FR_SORT_TYPE(sort_parts, fr__near_part, comes_before);

// The broad phase's boxes are about the space's origin in floats; what that rounds is as in fr_space_overlap.
fr_status fr__near_parts(fr__near *near) {
    near->part_count = 0;
    near->parts = near->few_parts;
    if (!fr__is_place(near->points[0]) || !fr__is_place(near->points[1])) { return FR_ERROR_ARGUMENT; }
    fr_status status = fr__query_begin(near->space, near->filter, NULL);
    if (status != FR_OK) { return status; }
    fr_bounds bounds = fr_bounds_of_points(near->points, 2);
    double largest = fmax(fr_vec3_largest(bounds.min), fr_vec3_largest(bounds.max)) + near->reach;
    part_search s = {.near = near, .has_memory = true};
    for (int i = 0; i < FR__SET_COUNT && s.has_memory; i++) {
        s.set = &near->space->sets[i];
        if (s.set->boxes.count == 0) { continue; }
        double reach = fmin(fr__set_reach(s.set), 0x1p+128) + fr_vec3_largest(near->space->origin) + largest;
        fr_bounds grown = fr_bounds_grow(&bounds, near->reach + 0x1p-40 * reach);
        fr_box box = fr_box_of_bounds(&grown, near->space->origin);
        (void)fr_tree_overlap_box(s.set->tree, &box, take_part, &s);
    }
    fr__query_end(near->space, near->filter);
    sort_parts(near->parts, near->part_count);
    return s.has_memory ? FR_OK : FR_ERROR_MEMORY;
}

// ---------------------------------------------------------------------------------------------------------------
// Triangles

// A foot is looked for along the polygon's normal, which is off that of the triangle by the mesh's bend: over the reach
// it comes down so much farther to the side.
static void make_foot_query(const fr__near *near, const fr__part *part, const fr__to_part *to, fr__near_search *s) {
    const fr_mesh *mesh = part->mesh;
    if (part->vertices != NULL) {
        s->kind = FR__NEAR_BALL;
        return;
    }
    s->corners = mesh->leaf_corners;
    s->leans = mesh->node_leans;
    s->outside = s->reach * mesh->bend * (1.0 + 1e-6) + 2.0 * near->edge * to->to_local;
    // Corners that are doubles were rounded to floats, by less than the kernel's own rounding
    s->largest = mesh->view.largest;
}

bool fr__near_triangles(fr__near *near, const fr__near_part *at) {
    const fr__object *object = fr__space_fresh(near->space, at->object);
    const fr__part *part = &object->parts[at->part];
    fr__to_part to = fr__to_part_make(object, part);
    double largest = fmax(fr_vec3_largest(near->points[0]), fr_vec3_largest(near->points[1])) + near->reach;
    fr__near_search s = {.kind = near->kind, .tree = part->tree};
    s.blur = fr__to_part_margin(&to, largest);
    s.reach = (near->reach * to.to_local + s.blur) * (1.0 + 0x1p-40);
    for (int k = 0; k < 2; k++) {
        s.points[k] = fr__to_part_point(&to, near->points[k]);
    }
    if (s.kind == FR__NEAR_FEET) { make_foot_query(near, part, &to, &s); }
    near->numbers = near->few_numbers;
    s.capacity = FR__NEAR_FEW;
    for (;;) {
        s.found = near->numbers;
        s.count = 0;
        fr__near_kernel()->search(&s);
        if (s.count <= s.capacity) { break; }
        if (!fr_uint32_array_reserve(&near->more_numbers, s.count)) { return false; }
        near->numbers = near->more_numbers.data;
        s.capacity = (uint32_t)near->more_numbers.capacity;
    }
    near->number_count = s.count;
    fr_sort_uint32(s.found, s.count);
    return true;
}
