// A builder of solids from faces with holes and from extruded outlines. Faces that match corner by corner become one
// closed surface.
#ifndef FUREAI_SHAPE_SOLID_H
#define FUREAI_SHAPE_SOLID_H

#include "fureai/shape.h"

#define FR__SOLID_LOOP 64 // points of a loop, at most
#define FR__SOLID_LOOPS 8 // of a face

// A closed line in a plane; counter-clockwise, as a hole too.
typedef struct fr__loop {
    fr_vec2 points[FR__SOLID_LOOP];
    uint32_t count;
} fr__loop;

typedef struct fr__solid_builder {
    fr_arena *arena; // of points, triangles and scratch data
    fr_vec3 *points;
    uint32_t *triangles;
    uint32_t point_count, triangle_count;
    uint32_t capacity; // of each
    fr_status status;  // the first failure; nothing is added after it
} fr__solid_builder;

// Room for that many points and triangles; `like` may be NULL.
fr_status fr__solid_take(uint32_t capacity, const fr_mesh_def *like, fr__solid_builder *out, fr_error *error);

// Makes the mesh, or reports the first failure, and frees all memory.
fr_status fr__solid_finish(fr__solid_builder *solid, const fr_mesh_def *like, fr_mesh **out, fr_error *error);

// Adds points to a loop: one, or an arc of `segments` about a centre, both ends included.
void fr__loop_point(fr__loop *loop, double u, double v);
void fr__loop_arc(fr__loop *loop, fr_vec2 center, double radius, double begin_deg, double end_deg, uint32_t segments);
fr__loop fr__loop_circle(fr_vec2 center, double radius, uint32_t segments);

// A flat face across an axis, at a height: the first loop without the others. Its outside is up the axis, or down. The
// plane's coordinates are (y, z) across x, (z, x) across y and (x, y) across z.
void fr__solid_face(fr__solid_builder *solid, fr_axis axis, double height, bool is_up, const fr__loop *loops,
                    uint32_t count);

typedef struct fr__draw_out {
    fr_axis axis;
    double low, high;
    const fr__loop *loops; // the outline, then the holes
    uint32_t loop_count;
    uint64_t open_sides;            // bit i: no wall on the outline's side from point i to the next
    bool is_open_low, is_open_high; // no face there
} fr__draw_out;

// Adds an outline extruded along an axis: walls and faces.
void fr__solid_draw_out(fr__solid_builder *solid, const fr__draw_out *draw);

// A wall between two loops of equal count at two heights; which one is wider does not matter.
void fr__solid_wall(fr__solid_builder *solid, fr_axis axis, const fr__loop *low, double low_height,
                    const fr__loop *high, double high_height);

#endif
