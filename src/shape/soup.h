// A triangle soup: the primitives fill one before it becomes a mesh.
#ifndef FUREAI_SHAPE_SOUP_H
#define FUREAI_SHAPE_SOUP_H

#include "fureai/shape.h"

typedef struct fr__soup {
    fr_vec3 *points;
    uint32_t *triangles;
    uint32_t vertex_count, triangle_count;       // filled so far
    uint32_t vertex_capacity, triangle_capacity; // never exceeded
    fr_allocator allocator;
} fr__soup;

// Takes memory for the counts; FR_ERROR_LIMIT when a mesh may not be that large. `like` may be NULL.
fr_status fr__soup_take(uint64_t vertex_count, uint64_t triangle_count, const fr_mesh_def *like, fr__soup *out,
                        fr_error *error);

void fr__soup_add_triangle(fr__soup *soup, uint32_t a, uint32_t b, uint32_t c);

// Adds a point and returns its index.
uint32_t fr__soup_add_point(fr__soup *soup, fr_vec3 point);

// Makes the mesh of a full soup and gives the soup's memory back, also on failure.
fr_status fr__soup_finish(fr__soup *soup, const fr_mesh_def *like, fr_mesh **out, fr_error *error);

// Gives the memory back.
void fr__soup_free(fr__soup *soup);

// Turns the z axis to another one by a cyclic change of axes, which keeps left and right.
fr_vec3 fr__turn_to_axis(fr_vec3 p, fr_axis axis);

// How a spindle's ends are closed: by a point, or by a fan over the (convex) first or last ring.
typedef enum fr__spindle_end { FR__SPINDLE_POINT, FR__SPINDLE_FLAT } fr__spindle_end;

// A surface of `rings` closed rings of `slices` points each around the z axis, from the high z end to the low one.
typedef struct fr__spindle {
    uint32_t rings, slices;
    fr__spindle_end end;
    fr_vec3 first, last;                                                  // end points; used by FR__SPINDLE_POINT
    fr_axis axis;                                                         // where z is turned to
    fr_vec3 (*point)(uint32_t ring, uint32_t slice, const void *context); // counter-clockwise seen from high z
    const void *context;
} fr__spindle;

fr_status fr__spindle_create(const fr__spindle *spindle, const fr_mesh_def *like, fr_mesh **out, fr_error *error);

#endif
