// The parts of a scene's objects, each an object of a space of its own: what is asked about two parts apart from all
// others.
#ifndef FUREAI_TOOL_CLASH_PARTS_H
#define FUREAI_TOOL_CLASH_PARTS_H

#include "clash.h"

#include "fureai/world.h"

typedef struct clash_part {
    char *name;         // of its object, with the part's number where that has several
    fr_object_id owner; // in the scene's world
    uint32_t number;    // which part of it
    fr_object_id own;   // in the space of parts
    fr_mesh *placed;    // the mesh where it was last looked at; NULL: nowhere yet
    fr_pose place;      // of the owner then
} clash_part;

typedef struct clash_parts {
    fr_array list;   // clash_part: the objects in their order, and of each its parts
    uint32_t *first; // of each object by its index: its part 0 in the list
    fr_space *space;
    fr_collide *asker;
} clash_parts;

// Lists the parts of all objects of a world. Release it, also after a failure.
fr_status clash_parts_make(const fr_world *world, const fr_space *objects, clash_parts *out, fr_error *error);
void clash_parts_release(clash_parts *parts);

const clash_part *clash_parts_at(const clash_parts *parts, uint32_t i);

// The part in the list that a triangle of an object belongs to.
uint32_t clash_parts_of_triangle(const clash_parts *parts, const fr_space *objects, fr_object_id owner,
                                 uint32_t triangle);

// Calls `found` for each two parts of different objects of which one is inside the other and neither surface meets the
// other, where the objects were when they were listed.
typedef fr_status clash_inside_fn(uint32_t a, uint32_t b, void *context, fr_error *error);
fr_status clash_parts_find_inside(clash_parts *parts, clash_inside_fn *found, void *context, fr_error *error);

// Whether one of two parts is inside the other, with their owners at these poses.
fr_status clash_parts_is_inside(clash_parts *parts, uint32_t a, uint32_t b, const fr_pose poses[2], bool *out,
                                fr_error *error);

// The clash of two parts with their owners at these poses; an empty list where they do not meet. Release it.
fr_status clash_parts_examine(clash_parts *parts, uint32_t a, uint32_t b, const fr_pose poses[2], double tolerance,
                              clash_list *out, fr_error *error);

#endif
