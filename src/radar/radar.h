// The inside of a radar.
#ifndef FUREAI_RADAR_RADAR_H
#define FUREAI_RADAR_RADAR_H

#include "math/point_array.h"
#include "radar/columns.h"
#include "radar/contact.h"
#include "space/space.h"

#define FR__RADAR_COOKIE UINT32_C(0x72646931)
#define FR__RADAR_SEARCH_COOKIE UINT32_C(0x72647331)
#define FR__MASKS 32

// What a mask was drawn from. Equal keys look alike.
typedef struct fr__mask_key {
    const fr_mesh *mesh; // of the only part; NULL: none is kept
    fr_pose part;
    double scale;
    fr_vec3 travel; // in the mover's frame, unit; zero for a round one
    fr_vec3 roll;   // the image's u in the mover's frame; zero for a round one
    uint32_t resolution, layers;
    uint32_t from_mask; // 0: fitted to corners; 1: to lines, 2: to columns
    bool round;
    bool by_backend; // who drew it: lines of a backend are not as sure
} fr__mask_key;

// A mover's faces in layers, kept.
typedef struct fr__mask {
    fr__mask_key key;
    uint64_t used; // when last
    fr__view view; // the image's part of it
    uint64_t name; // that no other mask of any radar has
    bool is_closed, is_overflown;
    fr_double_array planes; // exits, then entries
} fr__mask;

// Layers of a mask that are still to be drawn.
typedef struct fr__waiting_mask {
    fr__mask *mask;
    fr_radar_mask_drawing drawing; // less its faces and planes
    size_t first;                  // of the faces
    double *planes[FR_RADAR_MAX_LAYERS];
} fr__waiting_mask;

// What a circle meets of the mover.
typedef struct fr__hit {
    double angle;
    uint32_t next; // of the same pixel; FR_NONE: no more
} fr__hit;

// A volume in the frame of the search: metres from the eye, the image's corner at (left, bottom).
typedef struct fr__search_window {
    double left, bottom, pixel;
    double width_m, height_m; // what the pixels cover is never less
    double near, far;
    uint32_t width, height; // pixels
    uint32_t pass;
} fr__search_window;

FR_ARRAY_TYPE(fr__hit_array, fr__hit);
FR_ARRAY_TYPE(fr__search_window_array, fr__search_window);
FR_ARRAY_TYPE(fr__sight_array, fr_radar_sight);
FR_ARRAY_TYPE(fr__range_drawing_array, fr_radar_range_drawing);
FR_ARRAY_TYPE(fr__mask_drawing_array, fr_radar_mask_drawing);
FR_ARRAY_TYPE(fr__waiting_mask_array, fr__waiting_mask);

// Memory of searches; what is in the volume stands in `others`, what is in one window in the mover's place.
typedef struct fr__search {
    fr__search_window_array windows; // volumes that are still to be looked into
    fr_double_array numbers;         // range, free_travel, front of a closer look
    fr_uint32_array names;           // object, triangle of a closer look
    fr_uint32_array marks;           // pixels that are reported already, then those to come
    fr__sight_array sights;
} fr__search;

fr__search fr__search_make(const fr_allocator *allocator);
void fr__search_free(fr__search *search);

// Memory of queries about a step.
typedef struct fr__step_memory {
    fr__vec3_array velocities;     // of what may be met
    fr__facet_array mover, others; // in metres along the axes of a travel
    fr_uint32_array sources;       // which of these others one that a part of it sees is
    fr__pairs times;               // of a travel: when pairs of its faces meet, by their places in the two lists
} fr__step_memory;

fr__step_memory fr__step_memory_make(const fr_allocator *allocator);
void fr__step_memory_free(fr__step_memory *memory);

// One query of many that are drawn together.
typedef struct fr__radar_query {
    const fr_radar_input *input;
    fr_radar_output *output;
    fr__view view;
    const fr__mask *mask;
    fr__raster raster;
    size_t first, count; // of the batch's faces
} fr__radar_query;

FR_ARRAY_TYPE(fr__radar_query_array, fr__radar_query);

struct fr_radar {
    fr_allocator allocator;
    fr__mover mover;
    fr__facet_array others;
    fr__placed_vertex_array vertices; // scratch of what is gathered without a tree
    fr_double_array numbers;          // range, free_travel
    fr_uint32_array names;            // object, triangle
    fr__touch_point_array points;     // scratch of contacts
    fr__hit_array hits;               // of turns: what circles meet of the mover
    fr__columns columns;
    fr__search search;
    fr__step_memory step;
    fr__mask masks[FR__MASKS];
    uint64_t queries;
    fr_radar_backend backend;     // all NULL: none
    fr__radar_query_array batch;  // of many queries: what each is
    fr__facet_array batch_facets; // what each sees
    fr__range_drawing_array batch_drawings;
    bool is_batching; // masks for the backend are put aside, too
    fr__waiting_mask_array batch_masks;
    fr__facet_array mask_facets; // their faces
    fr__mask_drawing_array mask_drawings;
};

// Whether a query is drawn by the radar's backend.
bool fr__radar_is_drawn_by_backend(const fr_radar *radar, const fr_radar_input *input);

// Aims the view along the travel and gets the mask, drawn or kept, into the raster; `mask` is where it is kept.
fr_status fr__radar_look_at_mover(fr_radar *radar, const fr_radar_input *input, fr__view *view, fr__raster *raster,
                                  const fr__mask **mask, fr_radar_stats *stats, fr_error *error);

// Fits the view to the mover's facets, which are in its pixels, by looking at them. FR_ERROR_MEMORY.
fr_status fr__volume_from_mask(fr_radar *radar, const fr_radar_input *input, const fr__object *object, fr__view *view);

// Checks the numbers of a query along a travel.
fr_status fr__radar_check_travel(const fr_radar_input *input, fr_error *error);

// Through the backend: draws a mask, which waits where a batch is collected, and what is met.
fr_status fr__backend_mask(fr_radar *radar, const fr__view *view, fr__mask *mask, fr__raster *raster, fr_error *error);
fr_status fr__backend_waiting_masks(fr_radar *radar, fr_error *error);
fr_status fr__backend_range(fr_radar *radar, const fr__view *view, const fr__mask *mask, fr__raster *raster,
                            fr_error *error);
fr_status fr__backend_turn(fr_radar *radar, const fr__view *view, const fr__raster *raster, fr_error *error);

// The drawing of what is met; triangles and planes are the caller's to fill in.
fr_radar_range_drawing fr__backend_range_drawing(const fr__view *view, const fr__mask *mask, const fr__raster *raster);

// A name for a mask that no other has.
uint64_t fr__backend_name(void);

// Wrong numbers that all queries share.
fr_status fr__radar_check(const fr_radar_input *input, fr_error *error);

// A plane of each kind for what is met, empty. False: no memory.
bool fr__radar_clear(fr_radar *radar, fr__raster *raster);

// The least travel of all pixels.
double fr__radar_least(const fr__raster *raster);

// A contact of the mover with a triangle of another, in the order of their places. The point is in the world, the
// meeting's normal in the axes; `approach` is left unknown.
fr_contact fr__radar_contact(const fr_radar_input *input, const fr__axes *axes, const fr__meeting *meeting,
                             fr_vec3 point, double time);

#endif
