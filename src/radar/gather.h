// Triangles of the space in the frame of a look.
#ifndef FUREAI_RADAR_GATHER_H
#define FUREAI_RADAR_GATHER_H

#include "radar/raster.h"

// A frame in the world: where it stands, and three unit directions, u x v = d.
typedef struct fr__axes {
    fr_vec3 origin, u, v, d;
} fr__axes;

// Two directions square to a unit one, the same for the same direction.
void fr__square_to(fr_vec3 d, fr_vec3 *u, fr_vec3 *v);

static inline fr_vec3 fr__axes_point(const fr__axes *axes, double x, double y, double z) {
    fr_vec3 p = fr_vec3_add(axes->origin, fr_vec3_scale(x, axes->u));
    return fr_vec3_add(fr_vec3_add(p, fr_vec3_scale(y, axes->v)), fr_vec3_scale(z, axes->d));
}

static inline fr_vec3 fr__axes_direction(const fr__axes *axes, fr_vec3 v) {
    fr_vec3 sum = fr_vec3_add(fr_vec3_scale(v.x, axes->u), fr_vec3_scale(v.y, axes->v));
    return fr_vec3_add(sum, fr_vec3_scale(v.z, axes->d));
}

// The mover's triangles, in metres along the axes, in their order.
fr_status fr__gather_mover(const fr_radar_input *input, const fr__axes *axes, fr__facet_array *facets, bool *is_closed,
                           fr_error *error);

// Puts a triangle, in metres along the axes, into the look's own numbers; false: it is not seen.
typedef bool fr__facet_fn(fr__facet *facet, const void *context);

// Whether anything in a ball, in metres along the axes, may be seen.
typedef bool fr__ball_fn(fr_vec3 center, double radius, const void *context);

// A vertex along the axes, and on which sides of the box (in the world) it lies outside: one bit a side.
typedef struct fr__placed_vertex {
    fr_vec3 at;
    uint32_t outside;
} fr__placed_vertex;

FR_ARRAY_TYPE(fr__placed_vertex_array, fr__placed_vertex);

// Where gathered triangles go: their list, and scratch.
typedef struct fr__gathered {
    fr__facet_array *facets;
    fr__placed_vertex_array *vertices; // of a part that is looked at without its tree
    uint32_t *parts;                   // how many parts the triangles are of
} fr__gathered;

// The triangles of all others in the box (in the world) that `place` accepts, of parts whose balls `touches` accepts
// (NULL: all).
typedef struct fr__gather_input {
    const fr_radar_input *input;
    const fr__axes *axes;
    fr_bounds bounds;
    fr__ball_fn *touches;
    fr__facet_fn *place;
    const void *context; // of both
} fr__gather_input;

fr_status fr__gather_others(const fr__gather_input *wanted, const fr__gathered *out, fr_error *error);

// FR_ERROR_ARGUMENT: a range image that is none, or a jump below 0.
fr_status fr__image_check(const fr_range_image *image, double jump, fr_error *error);

// Adds the faces of the input's range image that `place` accepts. False: no memory.
bool fr__image_gather(const fr_radar_input *input, const fr__axes *axes, fr__facet_fn *place, const void *context,
                      fr__facet_array *facets);

#endif
