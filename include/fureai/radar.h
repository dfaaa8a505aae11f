// Fureai radar: collision and search by depth images. The scene is drawn along the displacement of an object into a
// small depth image; the front of the object is drawn into another image (the mask); the difference of the two is how
// far each pixel may travel. The method needs no bounding hierarchy and no preparation, so shapes may change from frame
// to frame: what changed since the last fr_space_update is drawn from its vertices. An update is needed only after
// objects were added, removed or became static or not (FR_ERROR_STALE_DATA).
//
// There are four looks (levels of accuracy), from quick to certain; S is the true distance:
//   centre         one line a pixel: never early; thin things between the lines are missed
//   conservative   whole pixel columns: a bracket low <= S <= high, nothing is missed
//   refined        columns are split where it matters until high - low is within a tolerance
//   exact          the pairs of triangles that are left are decided: low = S = high to rounding
//
// One thread at a time uses a radar; several radars may look at one space at once.
#ifndef FUREAI_RADAR_H
#define FUREAI_RADAR_H

#include "octree.h"
#include "space.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FR_RADAR_MAX_RESOLUTION 1024
#define FR_RADAR_MAX_LAYERS 8

// Stands for an object's index where the caller's range image is met.
#define FR_RADAR_IMAGE (UINT32_MAX - 1)

// The images of the last query and the memory they need.
typedef struct fr_radar fr_radar;

// `allocator` may be NULL: the process default. FR_ERROR_MEMORY.
FR_API fr_status fr_radar_create(const fr_allocator *allocator, fr_radar **out, fr_error *error);

// NULL is ignored.
FR_API void fr_radar_destroy(fr_radar *radar);

// How certain the result of a query is.
typedef enum fr_radar_look { FR_RADAR_CENTRE, FR_RADAR_CONSERVATIVE, FR_RADAR_REFINED, FR_RADAR_EXACT } fr_radar_look;

// Warnings about a result.
typedef enum fr_radar_flags {
    FR_RADAR_AMBIGUOUS = 1,      // as printed only: something lies beside or behind the mover's front
    FR_RADAR_LAYER_OVERFLOW = 2, // the mover has more surfaces in a column than layers: the result may be late
    FR_RADAR_GRAZING = 4,        // the contact's normal is square to the travel: the mover slides along
    FR_RADAR_START_OVERLAP = 8,  // something is inside the mover at the start; found only where the mover is closed
    FR_RADAR_WIDE = 16,          // the bracket is wider than the tolerance: the limit of cells was met
    FR_RADAR_STRAIGHT = 32       // of fr_radar_meet: another turns or deforms meanwhile, and was taken to go straight
} fr_radar_flags;

typedef struct fr_radar_input {
    const fr_space *space;    // with an update since objects came, went or became static
    fr_object_id mover;       // the object that moves; it does not see itself
    fr_vec3 travel;           // displacement from its pose, in the world; fr_radar_turn does not read it
    fr_vec3 pivot, axis;      // of turns: a point of the axis, and its direction, of any length but 0
    double angle;             // of turns: radians about the axis, above 0; fr_radar_turn looks a whole turn far
    fr_radar_look look;       // default FR_RADAR_CENTRE
    uint32_t resolution;      // pixels along the longer side of the image; default 32, 1 .. FR_RADAR_MAX_RESOLUTION
    uint32_t layers;          // surfaces of the mover kept in a pixel, foremost first; default 4
    double tolerance;         // of FR_RADAR_REFINED: max width of the bracket; default 0: a thousandth of the mover,
                              // of turns a thousandth of a radian
    uint32_t cells;           // max columns that refining looks at; default 8192
    bool is_round;            // the mover looks the same from all sides: its mask is reused always; default false
    bool is_all_drawn;        // every object is transformed and drawn, near the travel or not, as the source does,
                              // without a test of its box; default false
    bool is_as_printed;       // the source's formula alone: one layer, what is beside the front counts; default false
    bool is_volume_from_mask; // the image is fitted to the mover by looking at it, as the source does, not by its
                              // corners: on each side within 2 pixels of a first look, 1 of columns; default false
    fr_query_filter filter;   // objects that may be met; default all
    const fr_range_image *image; // what a camera sees of the world is an obstacle too; default NULL: none
    double image_jump; // metres: neighbours in the image that differ by more are not joined; default 0: four times the
                       // size of a pixel there
    uint32_t cookie;   // set by fr_default_radar_input
} fr_radar_input;

FR_API fr_radar_input fr_default_radar_input(void);

// What the work was.
typedef struct fr_radar_stats {
    uint32_t parts;     // that were drawn
    uint64_t triangles; // of theirs
    uint64_t cells;     // columns looked at, the first image's included
    uint64_t pairs;     // of triangles that were decided
    bool is_mask_drawn; // false: the mask of an earlier query served
} fr_radar_stats;

// One number a pixel column; column (x, y) stands at y * stride + x.
typedef struct fr_radar_images {
    uint32_t width, height, stride;
    double pixel;              // its edge in metres
    fr_vec3 corner;            // of pixel (0, 0), at depth 0: beside the mover's own place
    fr_vec3 u, v, d;           // unit: along rows, along columns, along the travel
    const double *front;       // depth of the mover's foremost surface; -INFINITY: none
    const double *range;       // depth of the surface that is met; INFINITY: none
    const double *free_travel; // how far the column may go; INFINITY: no limit
    const uint32_t *object;    // index1 - 1 of the object that is met, FR_NONE: none, FR_RADAR_IMAGE: the range image
    const uint32_t *triangle;
} fr_radar_images;

typedef struct fr_radar_output {
    bool is_hit;        // something is met within the travel
    double distance;    // metres (of a turn: radians) that the mover may go: the whole travel where nothing is met
    double low, high;   // bracket of the true distance; low is 0 for FR_RADAR_CENTRE, which has no lower bound
    fr_contact contact; // where something is met; time as a fraction of the travel. Of the range image: a is the mover,
                        // b all zeros, triangle_b twice the pixel's index or one more
    uint32_t points;    // pixels that meet first
    uint32_t kind;      // of the contact: 1 a point, 2 a line, 3 an area; 0 where nothing is met
    uint32_t flags;     // of fr_radar_flags
    fr_radar_stats stats;
    fr_radar_images images; // until the next query
} fr_radar_output;

// How far an object may travel along a displacement until it meets something. Everything else stands still; for two
// objects that move, give the displacement of one relative to the other. FR_ERROR_ARGUMENT: a travel that is zero or
// not finite, a resolution or number of layers out of range, no such look, a tolerance below 0. FR_ERROR_STALE_ID,
// FR_ERROR_STALE_DATA, FR_ERROR_MEMORY. Allocates nothing when an earlier query was as large, but for the masks that
// are kept: up to 32, by the mover's shape and the direction that it is looked at from. O(triangles in the volume +
// pixels they cover).
FR_API fr_status fr_radar_move(fr_radar *radar, const fr_radar_input *input, fr_radar_output *output, fr_error *error);

// How far an object may turn about an axis until it meets something. The images are those of a cylinder unrolled: u
// lies across, from the axis outwards, v along the axis, and depths are angles about it (front, range: -pi .. pi; d is
// the axis). Layers, `is_round` and `is_as_printed` have no part in it. Statuses as for fr_radar_move;
// FR_ERROR_ARGUMENT also for an axis without direction and an angle that is not above 0.
FR_API fr_status fr_radar_turn(fr_radar *radar, const fr_radar_input *input, fr_radar_output *output, fr_error *error);

// When an object that moves along its travel meets another, while every other object moves by the travel of its own
// motion (fr_object_set_motion) in the same step. There is one look for each velocity, along the relative travel, after
// a test of the swept boxes. `distance`, `low` and `high` are fractions of the step, and so is the contact's time,
// which serves both objects; its point is where they meet. The travel may be zero. The images are those of the look
// that met first, in a frame that moves with what it looked at. Statuses as for fr_radar_move.
FR_API fr_status fr_radar_meet(fr_radar *radar, const fr_radar_input *input, fr_radar_output *output, fr_error *error);

// How long an object may move along its travel and turn about an axis, which moves along, in one step: x(t) = c + t
// travel + Rot(t angle)(x - c), where c is the pivot. `distance`, `low` and `high` are fractions of the step. The step
// is cut until in each part the smaller of the two motions takes no point farther than the tolerance from the middle of
// its travel; that motion is left out then, and what is looked at is widened by as much, so that nothing is missed.
// Parts that are free are not cut. FR_RADAR_CENTRE is taken as FR_RADAR_CONSERVATIVE, which has no upper bound here:
// high is INFINITY. FR_RADAR_REFINED and FR_RADAR_EXACT decide the faces that are left by fr_triangle_time; high is
// then when contact is proven. `tolerance`: default half a pixel. There are no images. Statuses as for fr_radar_move
// and fr_radar_turn; the travel or the angle may be zero, not both.
FR_API fr_status fr_radar_travel(fr_radar *radar, const fr_radar_input *input, fr_radar_output *output,
                                 fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Search: which objects are in a volume

typedef struct fr_radar_search_input {
    const fr_space *space;  // as of fr_radar_input
    fr_vec3 eye;            // middle of the near side of the volume
    fr_vec3 direction;      // where to look, of any length but 0
    fr_vec3 up;             // the image's v is as near to it as can be; default 0, 1, 0
    double width, height;   // of the volume, metres; the shorter is rounded up to whole pixels; default 1, 1
    double depth;           // metres; default 1
    fr_radar_look look;     // default FR_RADAR_CENTRE; or FR_RADAR_CONSERVATIVE
    uint32_t resolution;    // pixels along the longer side; default 16, 1 .. FR_RADAR_MAX_RESOLUTION
    double pixel;           // of FR_RADAR_CENTRE: what is seen is looked at again, closer, until the edge of a
                            // pixel is at most this; default 0: one look
    uint32_t passes;        // of these closer looks, one upon another, at most; default 6
    fr_query_filter filter; // objects that may be seen; default all
    uint32_t cookie;        // set by fr_default_radar_search_input
} fr_radar_search_input;

FR_API fr_radar_search_input fr_default_radar_search_input(void);

// An object that is seen, where it is nearest to the near side.
typedef struct fr_radar_sight {
    fr_object_id object;
    uint32_t triangle;
    double distance; // metres from the near side, along the direction
    fr_vec3 point;
    double pixel;    // edge of the pixel whose line found it; 0 of FR_RADAR_CONSERVATIVE: known to rounding
    uint32_t pixels; // of the image that show it
} fr_radar_sight;

typedef struct fr_radar_search_output {
    bool is_hit;
    uint32_t count;               // of sights: with FR_RADAR_CENTRE a lower bound of what is there
    const fr_radar_sight *sights; // nearest first, of equals the lower object; until the next query
    uint32_t volumes;             // looked into, the first included
    uint32_t flags;               // FR_RADAR_WIDE: closer looks were left out, there were too many
    fr_radar_stats stats;         // of all looks
    fr_radar_images images;       // the first look: range and free_travel are depths; front is 0; until the next query
} fr_radar_search_output;

// Which objects are in a box that is looked into from its near side. FR_RADAR_CENTRE sees what the line of each pixel
// meets first, then looks closer at each patch of pixels that show one object, in a volume just about it.
// FR_RADAR_CONSERVATIVE reports every object that has a surface in the volume, however thin, hidden or not, with its
// smallest distance; a pixel shows the nearest object of its column. FR_ERROR_ARGUMENT: a volume or direction without
// extent or not finite, a resolution out of range, another look. FR_ERROR_STALE_DATA. Allocates nothing when an earlier
// query was as large.
FR_API fr_status fr_radar_search(fr_radar *radar, const fr_radar_search_input *input, fr_radar_search_output *output,
                                 fr_error *error);

// How far each of many objects may travel. The queries are of FR_RADAR_CENTRE alone, each with the result that
// fr_radar_move gives, but they are drawn together: with a backend that means one drawing and one read-back for all. An
// output has no images; its contact is of the face that is met first, its kind is 1. The first query that is wrong
// fails all. Statuses as for fr_radar_move; FR_ERROR_ARGUMENT also for another look and for `is_as_printed`.
FR_API fr_status fr_radar_move_many(fr_radar *radar, const fr_radar_input *inputs, size_t count,
                                    fr_radar_output *outputs, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Backends: what draws the images. A radar draws them by itself unless it is given a table of functions; the adapter of
// OpenGL is in gl.h. A backend draws only queries of FR_RADAR_CENTRE without `is_as_printed`: columns need more than
// a backend promises.

// A triangle in the view. With straight motion x and y are in pixels and z in metres along the travel; about an
// axis all are metres, z along the axis.
typedef struct fr_radar_triangle {
    double x[3], y[3], z[3];
    uint32_t object, triangle; // index of the object's place, triangle in the object
} fr_radar_triangle;

// A mover's surfaces along the lines through the middles of pixels.
typedef struct fr_radar_mask_drawing {
    uint32_t width, height, stride; // pixels; numbers of a row of a plane
    double z_min, z_max;            // of all triangles of the mover
    const fr_radar_triangle *triangles;
    size_t count;
    uint32_t layers;
    double *const *planes; // a plane for each layer, foremost first, to be filled; it holds -INFINITY, which is none
    bool is_overflown;     // set where a pixel has more surfaces than layers; left alone otherwise
} fr_radar_mask_drawing;

// What is met along the same lines, and how far each may go until then: for a surface at depth z the min z - e, not
// below 0, over the exits e <= z + slack.
typedef struct fr_radar_range_drawing {
    uint32_t width, height, stride;
    double z_min, depth; // smallest depth of the mover; what is deeper than z_min + depth need not be drawn
    double slack;        // depths within it are the same
    uint32_t layers;
    uint64_t mask;                               // names the layers: drawings with equal numbers have equal layers
    const double *const *exits, *const *entries; // planes; entries are NULL where the mover is open
    const fr_radar_triangle *triangles;
    size_t count;
    double *range, *free_travel; // planes to be filled, all NULL where they are not wanted; they hold INFINITY ..
    uint32_t *object, *triangle; // .. and FR_NONE

    double free_min,
        range_at_min; // result: the smallest free_travel, INFINITY where nothing is met, and the range there
    uint32_t column_at_min, row_at_min, object_at_min, triangle_at_min;
    bool is_inside; // a surface lies between an entry and an exit of the mover
} fr_radar_range_drawing;

// The same about an axis: lines are circles, depths are angles, -pi .. pi.
typedef struct fr_radar_turn_drawing {
    uint32_t width, height, stride;
    double left, bottom, pixel; // metres: distance from the axis and height of the image's corner; edge of a pixel
    const fr_radar_triangle *mover, *others;
    size_t mover_count, other_count;
    double *front, *range, *free_travel; // front holds -INFINITY; free_travel is an angle of 0 .. 2 pi
    uint32_t *object, *triangle;
} fr_radar_turn_drawing;

// Each function draws `count` images, independent of one another; a failure fails the query.
typedef struct fr_radar_backend {
    fr_status (*draw_masks)(fr_radar_mask_drawing *drawings, size_t count, void *user, fr_error *error);
    fr_status (*draw_ranges)(fr_radar_range_drawing *drawings, size_t count, void *user, fr_error *error);
    fr_status (*draw_turns)(fr_radar_turn_drawing *drawings, size_t count, void *user, fr_error *error);
    void *user;
} fr_radar_backend;

// Lets a backend draw from now on: all three functions are there, and its user pointer must outlive the radar. NULL:
// the radar draws by itself again.
FR_API void fr_radar_set_backend(fr_radar *radar, const fr_radar_backend *backend);

// ---------------------------------------------------------------------------------------------------------------
// Drawing

// Draws one image of depths (range, front, free_travel), a pixel a unit, in the plane z = 0 from x = `left` on, with
// its title above: near is dark, far is light, what is not finite is left out.
FR_API void fr_radar_draw_depths(const fr_radar_images *images, const double *image, double left, const char *title,
                                 const fr_draw *draw);

// Draws which object is seen in each pixel, in its colour.
FR_API void fr_radar_draw_objects(const fr_radar_images *images, double left, const char *title, const fr_draw *draw);

// The colour that stands for an object, by its index (index1 - 1); eight colours in turn.
FR_API fr_color fr_radar_object_color(uint32_t object);

#ifdef __cplusplus
}
#endif

#endif
