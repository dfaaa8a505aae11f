// Parts of a moving assembly that meet at any time.
#ifndef FUREAI_TOOL_CLASH_MOTION_H
#define FUREAI_TOOL_CLASH_MOTION_H

#include "clash_parts.h"
#include "scene_file.h"

typedef struct clash_time {
    double begin, end; // seconds of the scene
} clash_time;

typedef struct clash_triangles {
    uint32_t a, b; // in the parts' objects
} clash_triangles;

// Two parts of different objects that meet.
typedef struct motion_clash {
    uint32_t a, b; // in the list of parts, a < b
    clash_kind kind;
    fr_array times;     // clash_time, sorted: when they meet
    fr_array triangles; // clash_triangles, sorted: those that ever share a point
    bool lasts;         // the last of the times goes on at the end
    double first;       // seconds: when they first meet
    fr_vec3 point;      // where; unknown for what is inside from the beginning
    fr_vec3 normal;     // from a to b
    double at;          // seconds: of all instants the one with most colliding triangles, or the middle of the longest
                        // time between two instants; there it was looked for
    double depth;       // as of a clash
    contact_region region; // as of a clash, in the world; the first point where surfaces only come near
    bool crosses;          // some faces go through one another
    bool deforms;          // one of them changes its shape: depth and what is inside are not looked for
    bool is_inside;        // one is inside the other since their surfaces last met
    uint64_t seen;         // tick in which faces were last in contact at its end
    size_t most;           // triangles that collide at the instant `at`; 0: it is between two
    double longest;        // seconds, of the times between instants
    fr_pose poses[2];      // of the owners at that time
} motion_clash;

typedef struct motion_clashes {
    fr_array list; // motion_clash, sorted by a and b
    clash_parts parts;
    bool is_partial; // it was stopped
    double until;    // seconds: all up to here is told
} motion_clashes;

// Lets the world of a scene live for `steps` steps and finds every two parts of different objects that meet on the way.
// Parts that enter one another by no more than `tolerance` touch. The world follows its faces (FR_WANT_INTERVALS,
// FR_SENSE_CONTINUOUS) and was never ticked. Whoever stops it gets a part. Release it, also after a failure.
fr_status motion_clashes_find(tool *t, scene_world *scene, uint64_t steps, double tolerance, motion_clashes *out,
                              fr_error *error);
void motion_clashes_release(motion_clashes *clashes);

#endif
