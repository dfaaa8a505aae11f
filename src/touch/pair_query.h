// A query for element pairs while it runs: what the files that carry it out share.
#ifndef FUREAI_TOUCH_PAIR_QUERY_H
#define FUREAI_TOUCH_PAIR_QUERY_H

#include "touch/element.h"
#include "touch/near.h"

// Kinds of elements of a near object.
typedef enum fr__pair_to { FR__TO_BOX_VERTEX, FR__TO_BOX_FACE, FR__TO_VERTEX, FR__TO_FACE } fr__pair_to;

// A part of a near object with its box in the world.
typedef struct fr__pair_part {
    fr_object_id object;
    uint32_t part;
    fr_part_view view;
    const fr__object *body;
    const fr__part *piece;
    fr_vec3 center, axes[3];
    double half[3];
} fr__pair_part;

FR_ARRAY_TYPE(fr__pair_part_array, fr__pair_part);
FR_ARRAY_TYPE(fr__space_item_array, fr_space_item);

typedef struct fr__pair_query {
    const fr_touch_input *input;
    fr__pair_part_array parts; // by object and part
    fr__space_item_array items;
    fr_uint32_array vertices;
    fr__near near;
    uint32_t count;
    bool is_closest, is_swept;
} fr__pair_query;

// Triangles of one part to be tested, by their numbers in it: those listed, or all.
typedef struct fr__pair_candidates {
    const uint32_t *numbers; // NULL: all
    uint32_t count;
} fr__pair_candidates;

static inline uint32_t fr__pair_candidate(const fr__pair_candidates *c, uint32_t i) {
    return c->numbers != NULL ? c->numbers[i] : i;
}

// The distance of a pair.
double fr__pair_reach(const fr__pair_query *q, uint32_t pair);

// The pair of a point and a kind of element where it is wanted; else 0.
uint32_t fr__pair_wanted(const fr__pair_query *q, fr__point_kind kind, fr__pair_to to);

// A hit of a point and an element, of which the rest is to be filled in.
fr_touch_hit fr__pair_hit(uint32_t pair, uint32_t point_index, const fr__pair_part *part, uint32_t element);

void fr__pair_add_hit(fr__pair_query *q, const fr_touch_hit *hit);

// ---------------------------------------------------------------------------------------------------------------
// Boxes (pair_box.c)

// A part without its box, and the box of one.
fr__pair_part fr__pair_part_of(const fr_space *space, fr_object_id id, uint32_t part);
void fr__pair_place_box(fr__pair_part *p, const fr_object_view *object);

// Whether anything of a part may be within a distance of a ball.
bool fr__pair_box_is_near(const fr__pair_part *p, fr_vec3 center, double radius);

// Reports the corners and faces of a box that a point meets.
void fr__pair_meet_box(fr__pair_query *q, const fr__element_point *p, const fr__pair_part *part);

// ---------------------------------------------------------------------------------------------------------------
// Polygons (pair_polygon.c)

// A polygon's plane: normal by Newell's sum, which is that of its triangles, and a point.
typedef struct fr__pair_plane {
    uint32_t face, triangle_count;
    fr_vec3 normal, origin;
} fr__pair_plane;

// The plane of the polygon of a triangle of the part, whose corners are known.
fr__pair_plane fr__pair_plane_of(const fr__pair_part *part, uint32_t triangle, const fr_vec3 corners[3]);

// Reports the vertices and polygons of the candidates that a point meets; FR_ERROR_MEMORY.
fr_status fr__pair_meet_polygons(fr__pair_query *q, const fr__element_point *p, const fr__pair_part *part,
                                 const fr__pair_candidates *c);

// FR_ERROR_ARGUMENT for distances, pairs, flags, a strategy or an operating point that fr_touch_pairs refuses.
fr_status fr__touch_settings_check(const fr_touch_input *input, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Polygon against polygon (pair_face.c)

// Reports the polygons of the candidates that are near the held model; FR_ERROR_STOPPED.
fr_status fr__pair_meet_faces(fr__pair_query *q, const fr__pair_part *part, const fr__pair_candidates *c);

#endif
