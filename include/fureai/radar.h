// Fureai radar: collision and search by looking. The scene is drawn along the way an object is to go, into a small
// depth image; the object's own front is drawn into another (the mask); their difference is how far each pixel may go.
// No hierarchy of hulls is needed and nothing is prepared, so shapes may change from frame to frame.
//
// Four ways to look, from quick to certain; S is the true distance:
//   centre         one line a pixel: never early; thin things between the lines are missed
//   conservative   whole pixel columns: a bracket low <= S <= high, nothing is missed
//   refined        columns are split where it matters until high - low is within a tolerance
//   exact          the pairs of triangles that are left are decided: low = S = high to rounding
//
// A radar is used by one thread at a time; several radars may look at one space at once.
#ifndef FUREAI_RADAR_H
#define FUREAI_RADAR_H

#include "space.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FR_RADAR_MAX_RESOLUTION 1024
#define FR_RADAR_MAX_LAYERS 8

// The images of the last question and the memory they need.
typedef struct fr_radar fr_radar;

FR_API fr_status fr_radar_create(const fr_allocator *allocator, fr_radar **out, fr_error *error);

// NULL is ignored.
FR_API void fr_radar_destroy(fr_radar *radar);

// How surely a question is answered.
typedef enum fr_radar_look { FR_RADAR_CENTRE, FR_RADAR_CONSERVATIVE, FR_RADAR_REFINED, FR_RADAR_EXACT } fr_radar_look;

// What the images show that the caller should know.
typedef enum fr_radar_flags {
    FR_RADAR_AMBIGUOUS = 1,      // as printed only: something lies beside or behind the mover's front
    FR_RADAR_LAYER_OVERFLOW = 2, // the mover has more surfaces in a column than layers: the answer may be late
    FR_RADAR_GRAZING = 4,        // the contact's normal is square to the way: the mover slides along
    FR_RADAR_START_OVERLAP = 8,  // something stands inside the mover already; seen where the mover is closed
    FR_RADAR_WIDE = 16           // the bracket is wider than the tolerance: the limit of cells was met
} fr_radar_flags;

typedef struct fr_radar_input {
    const fr_space *space; // up to date
    fr_object_id mover;    // who is to go; it does not see itself
    fr_vec3 way;           // of fr_radar_move: where to, in the world, from its pose
    fr_vec3 pivot, axis;   // of fr_radar_turn: a point of the axis, and its direction, of any length but 0
    double angle;          // of fr_radar_turn: radians about the axis, above 0; a whole turn is as far as one looks
    fr_radar_look look;    // default FR_RADAR_CENTRE
    uint32_t resolution;   // pixels along the longer side of the image; default 32, 1 .. FR_RADAR_MAX_RESOLUTION
    uint32_t layers;       // surfaces of the mover kept in a pixel, foremost first; default 4
    double tolerance;      // of FR_RADAR_REFINED: the width the bracket may have; default 0: a thousandth of the mover,
                           // of turns a thousandth of a radian
    uint32_t cells;        // most columns that refining looks at; default 8192
    bool round;            // the mover looks the same from all sides: its mask is kept for ever; default false
    bool as_printed;       // the source's formula alone: one layer, what is beside the front counts; default false
    fr_query_filter filter; // who may be met; default all
    uint32_t cookie;        // set by fr_default_radar_input
} fr_radar_input;

FR_API fr_radar_input fr_default_radar_input(void);

// What the work was.
typedef struct fr_radar_stats {
    uint32_t parts;     // that were drawn
    uint64_t triangles; // of theirs
    uint64_t cells;     // columns looked at, the first image's included
    uint64_t pairs;     // of triangles that were decided
    bool mask_drawn;    // false: the mask of an earlier question served
} fr_radar_stats;

// One number a pixel column; column (x, y) stands at y * stride + x.
typedef struct fr_radar_images {
    uint32_t width, height, stride;
    double pixel;           // its edge in metres
    fr_vec3 corner;         // of pixel (0, 0), at depth 0: beside the mover's own place
    fr_vec3 u, v, d;        // unit: along rows, along columns, along the way
    const double *front;    // depth of the mover's foremost surface; -INFINITY: none
    const double *range;    // depth of the surface that is met; INFINITY: none
    const double *free_way; // how far the column may go; INFINITY: as far as one likes
    const uint32_t *object; // index1 - 1 of the object that is met, FR_NONE: none
    const uint32_t *triangle;
} fr_radar_images;

typedef struct fr_radar_output {
    bool hit;           // something is met within the way
    double distance;    // metres (of a turn: radians) that the mover may go: the whole way where nothing is met
    double low, high;   // bracket of the true distance; low is 0 for FR_RADAR_CENTRE, which has no lower bound
    fr_contact contact; // where something is met; time as a fraction of the way
    uint32_t points;    // pixels that meet first
    uint32_t kind;      // of the contact: 1 a point, 2 a line, 3 an area; 0 where nothing is met
    uint32_t flags;     // of fr_radar_flags
    fr_radar_stats stats;
    fr_radar_images images; // until the next question
} fr_radar_output;

// How far may an object go along a way until it meets something? Everything else stands still; for two that move, ask
// along the way of one relative to the other. FR_ERROR_ARGUMENT: a way that is zero or not finite, a resolution or
// number of layers out of range. FR_ERROR_STALE_ID, FR_ERROR_STALE_DATA. Allocates nothing when no question was larger
// before. O(triangles in the volume + pixels they cover).
FR_API fr_status fr_radar_move(fr_radar *radar, const fr_radar_input *input, fr_radar_output *output, fr_error *error);

// How far may an object turn about an axis until it meets something? The images are those of a cylinder unrolled: u
// lies across, from the axis outwards, v along the axis, and depths are angles about it (front, range: -pi .. pi; d is
// the axis). Layers, `round` and `as_printed` have no part in it. Statuses as for fr_radar_move; FR_ERROR_ARGUMENT also
// for an axis without direction and an angle that is not above 0.
FR_API fr_status fr_radar_turn(fr_radar *radar, const fr_radar_input *input, fr_radar_output *output, fr_error *error);

#ifdef __cplusplus
}
#endif

#endif
