// The memory of clash queries, and what the files of this room share.
#ifndef FR_CLASH_FINDER_H
#define FR_CLASH_FINDER_H

#include "clash/contact_region.h"
#include "clash/motion_record.h"
#include "clash/moving_parts.h"
#include "clash/solid.h"

FR_ARRAY_TYPE(fr__mesh_reference_array, fr_mesh *);
FR_ARRAY_TYPE(fr__clash_array, fr_clash);
FR_ARRAY_TYPE(fr__status_array, fr_status);
FR_ARRAY_TYPE(fr__motion_clash_array, fr_motion_clash);

struct fr_clash_finder {
    fr_allocator allocator;

    // Parts at rest
    fr_collide *collide;
    fr_space *space; // of the parts, index1 - 1 of an object is the index of its part; NULL before the first query
    fr__mesh_reference_array meshes; // retained: one a part, where it is
    fr__clash_solid_array solids;    // one a part
    fr__clash_array clashes;
    fr__contact_lines_array lines; // one a clash
    fr__status_array results;      // one a clash

    // Parts in motion
    fr__moving_parts parts;
    fr__motion_record_array records; // sorted by a and b
    fr__motion_clash_array moving;   // one a record
};

// Finds the clashes of meshes that are where they are in the world, into the finder's own arrays and `output`. The
// results of the last call go first. A failure leaves the arrays in any state that the next call or the finder's end
// clears.
typedef struct fr__rest_query {
    double tolerance;
    const fr_tasks *tasks;
    const fr_control *control;
} fr__rest_query;

// Appends a mesh that a part is made of, and retains it.
fr_status fr__rest_add_mesh(fr_clash_finder *finder, fr_mesh *mesh, fr_error *error);
fr_status fr__rest_find(fr_clash_finder *finder, const fr__rest_query *query, fr_clash_output *output, fr_error *error);
void fr__rest_clear(fr_clash_finder *finder);

void fr__motion_clear(fr_clash_finder *finder);

// Makes the mesh of a part with its corners in the world: fr_pose_apply(outer, fr_pose_apply(inner, v)); without the
// inner one when that is NULL. Release it.
fr_status fr__placed_mesh(const fr_mesh *mesh, const fr_pose *inner, const fr_pose *outer,
                          const fr_allocator *allocator, fr_mesh **out, fr_error *error);

// A control that only stops: for calls inside a query that reports progress of its own.
fr_control fr__stop_only(const fr_control *control);

// FR_ERROR_ARGUMENT unless the tolerance is within its limits.
fr_status fr__clash_check_tolerance(double tolerance, fr_error *error);

fr_status fr__clash_no_memory(fr_error *error);

#endif
