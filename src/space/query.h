// What the queries of the room share: the descent from the broad phase through the parts to triangles in the world.
#ifndef FUREAI_SPACE_QUERY_H
#define FUREAI_SPACE_QUERY_H

#include "space/broad_phase.h"
#include "space/filter.h"
#include "space/part.h"

// The part that a query visits.
typedef struct fr__visit {
    const fr__object *object;
    const fr__part *part;
    uint32_t object_index, part_index;
} fr__visit;

static inline fr__visit fr__visit_proxy(const fr_space *space, const fr__proxy *proxy) {
    const fr__object *object = fr__space_fresh(space, proxy->object);
    fr__visit visit = {object, &object->parts[proxy->part], proxy->object, proxy->part};
    return visit;
}

// Whether (object, triangle) comes before another in the order that breaks ties.
static inline bool fr__comes_before(uint32_t object_a, uint32_t triangle_a, uint32_t object_b, uint32_t triangle_b) {
    return object_a != object_b ? object_a < object_b : triangle_a < triangle_b;
}

// The largest coordinate of a set's boxes about the space's origin; infinite where a box is infinite.
static inline double fr__set_reach(const fr__proxy_set *set) {
    if (set->boxes.count == 0) { return 0.0; }
    const fr_box *all = &set->tree->header->bounds;
    return fmax(fr_vec3_largest(fr_vec3_from_floats(all->min)), fr_vec3_largest(fr_vec3_from_floats(all->max)));
}

// Whether a point is a valid input of a query.
static inline bool fr__is_place(fr_vec3 point) {
    return fr_vec3_is_finite(point) && fr_vec3_largest(point) <= FR_LENGTH_MAX;
}

// The unit normal of a triangle; zero without an area.
static inline fr_vec3 fr__triangle_normal(const fr_vec3 corners[3]) {
    fr_vec3 across = fr_vec3_cross(fr_vec3_sub(corners[1], corners[0]), fr_vec3_sub(corners[2], corners[0]));
    return fr_vec3_unit(across, fr_vec3_make(0.0, 0.0, 0.0));
}

#endif
