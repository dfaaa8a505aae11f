// What the files of surfaces share: what is known of meshes, the rules of one body, and a look at one place.
#ifndef FUREAI_HUMAN_SURFACE_PRIVATE_H
#define FUREAI_HUMAN_SURFACE_PRIVATE_H

#include "fureai/collide.h"
#include "fureai/human_surface.h"

// ---------------------------------------------------------------------------------------------------------------
// Meshes

// A planar face, in the mesh's frame.
typedef struct fr__patch {
    fr_vec3f center, axis, normal;
    float half[2];     // along the axis, the longer one, and across it
    uint32_t triangle; // the lowest of the mesh
    bool is_distinct;  // its whole border is a ridge or free
} fr__patch;

// A connected piece of a mesh in a box along its largest face.
typedef struct fr__piece {
    fr_vec3f center, axes[3];
    float half[3];     // growing
    uint32_t triangle; // the lowest of the mesh
} fr__piece;

// A straight part of the border of a planar face.
typedef struct fr__ridge {
    fr_vec3f ends[2];
} fr__ridge;

FR_ARRAY_TYPE(fr__patch_array, fr__patch);
FR_ARRAY_TYPE(fr__piece_array, fr__piece);
FR_ARRAY_TYPE(fr__ridge_array, fr__ridge);

// What is kept of a mesh that is shown at one scale.
typedef struct fr__surface_mesh {
    fr_mesh *mesh; // retained
    double scale;
    bool is_open; // has borders: its faces have two sides
    fr__patch_array patches;
    fr__piece_array pieces;
    fr__ridge_array ridges;
} fr__surface_mesh;

// Finds what a mesh has that is large enough at its scale. False: no memory.
bool fr__surface_mesh_fill(fr__surface_mesh *out, const fr_allocator *allocator);
void fr__surface_mesh_release(fr__surface_mesh *mesh);

// ---------------------------------------------------------------------------------------------------------------
// One body

// Rectangles that are swept through the space a body needs.
typedef enum fr__plate {
    FR__PLATE_STAND,  // level: shoulders by depth
    FR__PLATE_FRONT,  // level: shoulders by what is free before a seat
    FR__PLATE_LAP,    // level: hips by what a seat needs
    FR__PLATE_LIE,    // level: shoulders by stature
    FR__PLATE_PUT,    // level: a thing
    FR__PLATE_PASS,   // upright: a body that walks
    FR__PLATE_SIDE,   // upright: a body that goes sideways
    FR__PLATE_DUCK,   // upright: a body that ducks
    FR__PLATE_HAND,   // upright: a hand
    FR__PLATE_FINGER, // upright: a finger tip
    FR__PLATE_COUNT
} fr__plate;

// The rules of one body in metres; surface_body.c names where each comes from.
typedef struct fr__surface_rules {
    fr_body_measures body;
    double sit_low, sit_high, seat, front, elbow; // heights; the side of a seat; free before it; arm rests
    double put_low, put_high, put, put_free;      // heights; the side of a thing; its height
    double step_low, step_high;
    double lie_high, lie_free;
    double lean_low, lean_high; // what an upright face must hold
    double pass, side, duck;    // widths of gaps, height of a body that ducks
    double headroom;            // from which on a body need not duck
    double gap;                 // wider ones are no gap
    double lift;                // what lies lower stops no foot
    double stand;               // from an edge to the middle of a body that stands before it
    double reach_low, reach_high;
    double aside, above, below; // nothing farther away changes a rule's result: metres aside, above and below
    fr_mesh *plates[FR__PLATE_COUNT];
} fr__surface_rules;

#define FR__SURFACE_GRASP_MIN 0.020
#define FR__SURFACE_GRASP_MAX 0.090
#define FR__SURFACE_PRESS_MIN 0.008
#define FR__SURFACE_PRESS_MAX 0.060
#define FR__SURFACE_LEVEL 0.9848 // cosine of 10 degrees: how level or upright a face is; ours
#define FR__SURFACE_UPRIGHT 0.1736

// What one look needs.
typedef struct fr__surface_look {
    const fr__surface_rules *rules;
    const fr_space *space;
    const fr_query_filter *filter;
    double ground;
    fr_status status; // the first failure
} fr__surface_look;

// A face or piece in the world.
typedef struct fr__face {
    fr_vec3 center, axis, across, normal;
    double half[2];
    bool is_distinct;
} fr__face;

// A result without its face.
typedef struct fr__offer {
    uint32_t kinds; // 1 << kind that were found
    struct fr__found {
        fr_vec3 place, target, facing; // facing: z of the target
        double heading, height, clearance, width;
        fr_space_hit on; // of feet: the face that they lie on
        fr_vec3 through; // of a gap: a horizontal direction
    } found[FR_SURFACE_KIND_COUNT];
} fr__offer;

static inline void fr__offer_take(fr__offer *out, fr_surface_kind kind, const struct fr__found *found) {
    out->kinds |= 1u << kind;
    out->found[kind] = *found;
}

// Sweeps a plate from a place: whether it meets nothing. A level plate lies across the heading; an upright one has its
// normal along the turn's z.
bool fr__look_sweep(fr__surface_look *look, fr__plate plate, fr_vec3 from, fr_quat turn, fr_vec3 direction,
                    double length);

// The first face that a ray meets, up to a limit; its object is all zeros for none.
fr_space_hit fr__look_ray(fr__surface_look *look, fr_vec3 from, fr_vec3 direction, double limit);

// The height of the ground below a point, down to `depth` below it; -INFINITY for none.
double fr__look_ground(fr__surface_look *look, fr_vec3 from, double depth);

// Whether a body can stand at a place: nothing but what is low within its outline.
bool fr__look_stand(fr__surface_look *look, fr_vec3 place, double heading);

// Whether faces lie under a square of a plane, within its tolerance, about a point.
bool fr__look_support(fr__surface_look *look, fr_vec3 at, fr_vec3 along, fr_vec3 across, const double half[2]);

// Whether a point is inside something closed.
bool fr__look_inside(fr__surface_look *look, fr_vec3 point);

fr_quat fr__heading_turn(double heading);
double fr__heading_of(fr_vec3 direction);

// What a level face offers; an upright one; a small one; a piece.
void fr__offer_level(fr__surface_look *look, const fr__face *face, fr__offer *out);
void fr__offer_upright(fr__surface_look *look, const fr__face *face, fr__offer *out);
void fr__offer_small(fr__surface_look *look, const fr__face *face, fr__offer *out);
void fr__offer_below(fr__surface_look *look, const fr__face *face, fr__offer *out);
void fr__offer_piece(fr__surface_look *look, const fr__piece *piece, const fr_pose *pose, bool is_fast, fr__offer *out);

// A gap between two points of the same height: what it offers.
void fr__offer_gap(fr__surface_look *look, fr_vec3 a, fr_vec3 b, fr__offer *out);

// ---------------------------------------------------------------------------------------------------------------
// Gaps

// An upright border of a face in the world.
typedef struct fr__post {
    fr_vec3 foot;
    double top;
    uint32_t object, part;
} fr__post;

// An upright face in the world, with the object that has it.
typedef struct fr__wall {
    fr__face face;
    uint32_t object;
} fr__wall;

// Two points of one height with a gap between them.
typedef struct fr__opening {
    fr_vec3 a, b;
    uint32_t object, part; // at a
} fr__opening;

FR_ARRAY_TYPE(fr__post_array, fr__post);
FR_ARRAY_TYPE(fr__wall_array, fr__wall);
FR_ARRAY_TYPE(fr__opening_array, fr__opening);

#define FR__GAP_SAME 0.002 // metres within which two posts of an object are one; ours

// Whether what is in a box may have changed.
typedef bool fr__touched_fn(const fr_bounds *box, const void *context);

typedef struct fr__gap_input {
    fr__post_array *posts; // sorted here, each place once
    const fr__wall_array *walls;
    const fr__surface_rules *rules;
    fr__touched_fn *touched;
    const void *context;
    fr_allocator allocator;
} fr__gap_input;

// Finds pairs of posts, and of posts and walls, with no post in the circle over them (Gabriel graph), of those that
// may have changed. Posts and walls of objects that are farther than a gap from these may be left out: of an object all
// are there or none. FR_ERROR_MEMORY.
fr_status fr__gaps_find(const fr__gap_input *input, fr__opening_array *out, fr_error *error);

bool fr__surface_rules_make(const fr_surfaces_def *def, fr__surface_rules *out, fr_error *error);
void fr__surface_rules_release(fr__surface_rules *rules);

#endif
