// The inside of a seeker: the tree of places that it has looked from, and what it knows of its target.
#ifndef FUREAI_ACTOR_SEEKER_H
#define FUREAI_ACTOR_SEEKER_H

#include "actor/retained_parts.h"

#include "fureai/actor.h"
#include "fureai/radar.h"

// A place that the body can come to from another one.
typedef struct fr__seeker_node {
    fr_vec3 place;   // of its origin
    uint32_t parent; // FR_NONE: it is the root, where the body stands
} fr__seeker_node;

// Why the tree ends.
typedef enum fr__seeker_step { FR__SEEKER_GROWS, FR__SEEKER_HAS_PATH, FR__SEEKER_IS_FULL } fr__seeker_step;

struct fr_seeker {
    fr_seeker_def def;
    fr_allocator allocator;
    fr_radar *radar;
    fr__retained_parts body;
    double radius;    // of a ball about its origin that holds it, metres
    fr_bounds bounds; // of its origin
    bool is_flat;     // it stays at one height
    fr_random random;
    fr_seeker_phase phase;

    fr__seeker_node *nodes; // FR_SEEKER_MAX_NODES
    uint32_t node_count;
    uint32_t looking;  // the node whose radar turns
    uint32_t turned;   // looks of this turn
    uint32_t failures; // branches in a row that were not free
    fr_vec3 direction; // of the last look

    bool is_seen;    // the target
    fr_vec3 seen_at; // a point of it, in its own frame

    uint32_t path[FR_SEEKER_MAX_NODES]; // nodes to come, the next one last; then the target itself
    uint32_t path_count;
    fr_vec3 touched_at; // where the target was when it was touched
    double waited;      // seconds, for what is in its path
    double searched;    // seconds since it last had a path

    uint64_t looks;    // so far
    uint64_t version;  // of what is drawn
    uint64_t drawn;    // version that was drawn last; 0: none
    double began;      // seconds of the world; negative: not yet
    double went;       // metres
    uint64_t reported; // ticks taken when its last event was reported, and one more
    const char *last;  // event that its phase has to report; NULL: none
    double last_value, last_second;
};

// Forgets tree and path: the body stands at a place that it looks from.
void fr__seeker_plant(fr_seeker *s, fr_vec3 place);

// Looks up to `looks` times: turns the radar until it sees the target, and grows the tree. Statuses of fr_radar_search.
fr_status fr__seeker_search(fr_seeker *s, const fr_space *space, const fr_object_view *target, uint32_t looks,
                            fr__seeker_step *out, fr_error *error);

// Where it goes to touch the target: the place that was seen; at its own height where it stays at one.
fr_vec3 fr__seeker_aim(const fr_seeker *s, const fr_object_view *target);

// Whether the body meets the target first when it goes straight to the aim, from where it stands or another place.
fr_status fr__seeker_sees_target(fr_seeker *s, const fr_space *space, fr_vec3 from, fr_vec3 aim, bool *out,
                                 fr_error *error);

// Draws the tree as it grows, and the path.
void fr__seeker_paint(fr_painter *painter, const fr_proposal *proposal, void *user);

#endif
