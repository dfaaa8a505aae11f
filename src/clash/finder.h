// The memory of clash queries, and what the files of this room share.
#ifndef FR_CLASH_FINDER_H
#define FR_CLASH_FINDER_H

#include "clash/contact_region.h"
#include "clash/joint_drive.h"
#include "clash/motion_record.h"
#include "clash/moving_parts.h"
#include "clash/placed_part.h"
#include "clash/rules.h"
#include "clash/solid.h"
#include "collide/share.h"

FR_ARRAY_TYPE(fr__clash_array, fr_clash);
FR_ARRAY_TYPE(fr__clash_group_array, fr_clash_group);
FR_ARRAY_TYPE(fr__status_array, fr_status);
FR_ARRAY_TYPE(fr__motion_clash_array, fr_motion_clash);
FR_ARRAY_TYPE(fr__kept_pair_array, fr_face_pair);

// Where the region of a clash that is kept begins.
typedef struct fr__kept_region {
    size_t point, line;
} fr__kept_region;

FR_ARRAY_TYPE(fr__kept_region_array, fr__kept_region);

struct fr_clash_finder {
    fr_allocator allocator;

    // Parts at rest
    fr_collide *collide;
    fr__share share; // of the ranks that do the query together
    fr_space *space; // of the parts, index1 - 1 of an object is the index of its part; NULL before the first query
    fr__rest_part_array placed;
    fr__clash_solid_array solids; // one a mesh, however many parts have it
    fr__rule_match_array matches; // one a part where there are rules
    fr__clash_array clashes;
    fr__clash_group_array groups;
    fr__contact_lines_array lines; // one a clash
    fr__status_array results;      // one a clash
    fr_double_array distances;     // one a clash

    // What batches of parts found, copied
    fr__kept_pair_array kept_pairs;
    fr__vec3_array kept_points;
    fr__contact_line_array kept_lines;
    fr__kept_region_array kept_regions; // one a clash

    // Parts in motion
    fr__moving_parts parts;
    fr__motion_record_array records; // sorted by a and b
    fr__motion_clash_array moving;   // one a record
    fr__joint_drive_array drives;    // of the joints that are driven
};

// Finds the clashes of the parts that were added, into the finder's own arrays and `output`. The
// results of the last call go first. A failure leaves the arrays in any state that the next call or the finder's end
// clears.
typedef struct fr__rest_query {
    double tolerance;
    const fr__clash_rules *rules;
    const char *const *names; // of the parts; may be NULL
    const fr_tasks *tasks;
    const fr_control *control;
    const fr_exchange *exchange;
} fr__rest_query;

// Appends a part and retains its mesh. The pose is checked.
fr_status fr__rest_add_part(fr_clash_finder *finder, fr_mesh *mesh, const fr_pose *pose, fr_error *error);
fr_status fr__rest_find(fr_clash_finder *finder, const fr__rest_query *query, fr_clash_output *output, fr_error *error);

// The two stages of it. Finds and describes the pairs of the parts that were added, less those of equal twins, into the
// finder's clashes; `found` has their pairs of triangles.
fr_status fr__rest_meet(fr_clash_finder *finder, const fr__rest_query *query, fr_collide_output *found,
                        fr_error *error);

// Adds the duplicates to the finder's clashes, sorts and groups them; `output` gets clashes and groups.
fr_status fr__rest_end(fr_clash_finder *finder, const fr__rest_query *query, fr_clash_output *output, fr_error *error);
void fr__rest_clear(fr_clash_finder *finder);

// Gives each rank the lines, kinds and depths of the clashes from first[its number] to first[its number + 1], which it
// described, and fills in those that others described. FR_ERROR_MEMORY, or a rank fails.
fr_status fr__rest_gather(fr_clash_finder *finder, const size_t *first, fr_error *error);

// Finds the groups of the finder's clashes. FR_ERROR_MEMORY.
fr_status fr__group_clashes(fr_clash_finder *finder, const char *const *names, fr_error *error);

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
