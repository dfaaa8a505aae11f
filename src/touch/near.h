// The triangles that a point, or its path, may meet: of every part near it, by the parts' trees. Never one too few.
#ifndef FUREAI_TOUCH_NEAR_H
#define FUREAI_TOUCH_NEAR_H

#include "math/simd.h"
#include "shape/mesh.h"
#include "space/part.h"

typedef enum fr__near_kind {
    FR__NEAR_BALL,    // triangles within a distance of a point
    FR__NEAR_SEGMENT, // of a straight path
    FR__NEAR_FEET     // of a point, whose foot on the plane of their polygon lies in them
} fr__near_kind;

// One tree to be searched, all in its frame. What is found is a number within the mesh, in no particular order.
typedef struct fr__near_search {
    fr__near_kind kind;
    const fr_tree *tree;
    const fr__leaf_corners *corners; // FEET: of its leaves
    const fr__node_lean *leans;      // FEET: of its nodes
    fr_vec3 points[2];               // the point twice, or the ends of the path
    double reach;                    // the distance, with all that rounding may add
    double outside;                  // FEET: a foot farther than this beyond an edge does not count
    double blur;                     // FEET: point and corners may each be off by this on every axis
    double largest;                  // FEET: of the corners' coordinates
    uint32_t *found;                 // room for `capacity`
    uint32_t capacity;
    uint32_t count; // how many there are, written or not
} fr__near_search;

typedef struct fr__near_kernel_table {
    void (*search)(fr__near_search *search);
} fr__near_kernel_table;

FR__KERNEL_TABLE(fr__near_kernel_table, fr__near_kernel)

#define FR__NEAR_FEW_PARTS 8
#define FR__NEAR_FEW 64

typedef struct fr__near_part {
    uint32_t object, part; // index of the place, and of the part in it
} fr__near_part;

FR_ARRAY_TYPE(fr__near_part_array, fr__near_part);

// A query, and memory that goes on from one to the next: short lists need none.
typedef struct fr__near {
    const fr_space *space;         // current
    const fr_query_filter *filter; // may be NULL
    fr__near_kind kind;
    fr_vec3 points[2]; // in the world
    double reach;      // metres, with some more than a hit needs
    double edge;       // FEET: metres beyond an edge that count as inside

    fr__near_part *parts; // found: by object and part
    uint32_t part_count;
    uint32_t *numbers; // of triangles within the part that is queried, ascending
    uint32_t number_count;

    fr__near_part_array more_parts;
    fr_uint32_array more_numbers;
    fr__near_part few_parts[FR__NEAR_FEW_PARTS];
    uint32_t few_numbers[FR__NEAR_FEW];
} fr__near;

void fr__near_open(fr__near *near, const fr_space *space, const fr_query_filter *filter, const fr_allocator *allocator);
void fr__near_close(fr__near *near);

// The parts whose boxes are within reach, by object and part. FR_ERROR_MEMORY, FR_ERROR_ARGUMENT for
// places beyond FR_LENGTH_MAX, FR_ERROR_STALE_DATA.
fr_status fr__near_parts(fr__near *near);

// The triangles of one of them, ascending; false without memory.
bool fr__near_triangles(fr__near *near, const fr__near_part *part);

#endif
