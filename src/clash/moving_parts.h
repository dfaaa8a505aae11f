// The parts of a world's objects, each an object of a space of its own: what is queried about two parts apart from all
// others.
#ifndef FR_CLASH_MOVING_PARTS_H
#define FR_CLASH_MOVING_PARTS_H

#include "fureai/clash.h"

typedef struct fr__moving_part {
    fr_object_id own; // in the space of parts
    fr_mesh *placed;  // the mesh where it was last examined; NULL: not yet
    fr_pose place;    // of the owner then
} fr__moving_part;

FR_ARRAY_TYPE(fr__motion_part_array, fr_motion_part);
FR_ARRAY_TYPE(fr__moving_part_array, fr__moving_part);

typedef struct fr__moving_parts {
    fr__motion_part_array list;   // the objects in their order, and of each its parts
    fr__moving_part_array places; // one a part
    fr_uint32_array first;        // one an object by its index: its part 0 in the list
    fr_space *space;
    fr_collide *collide;
} fr__moving_parts;

fr__moving_parts fr__moving_parts_make(const fr_allocator *allocator);

// Lists the parts of all objects. Clear it, also after a failure.
fr_status fr__moving_parts_list(fr__moving_parts *parts, const fr_space *objects, fr_error *error);

// Gives all memory back; the parts may be listed again.
void fr__moving_parts_clear(fr__moving_parts *parts);

// The object that a part belongs to.
fr_object_id fr__moving_parts_owner(const fr__moving_parts *parts, uint32_t part);

// The part in the list that a triangle of an object belongs to.
uint32_t fr__moving_parts_of_triangle(const fr__moving_parts *parts, const fr_space *objects, fr_object_id owner,
                                      uint32_t triangle);

// Calls `found` for each two parts of different objects with one inside the other and surfaces that do not meet, where
// the objects were when they were listed.
typedef fr_status fr__inside_fn(uint32_t a, uint32_t b, void *context, fr_error *error);
fr_status fr__moving_parts_find_inside(fr__moving_parts *parts, fr__inside_fn *found, void *context, fr_error *error);

// Whether one of two parts is inside the other, with their owners at these poses.
fr_status fr__moving_parts_is_inside(fr__moving_parts *parts, uint32_t a, uint32_t b, const fr_pose poses[2], bool *out,
                                     fr_error *error);

// The meshes of two parts in the world with their owners at these poses; the parts own them.
fr_status fr__moving_parts_place(fr__moving_parts *parts, uint32_t a, uint32_t b, const fr_pose poses[2],
                                 fr_mesh *meshes[2], fr_error *error);

#endif
