// Fureai human: what the surfaces of a space let a body do (affordances): seats, places to put things on, gaps to pass.
//
// No object has to say anything about itself. Planar faces of all objects are compared with the measures of one body,
// and what a body needs around a face is looked at face by face (fr_collide_move), never by boxes of objects. What is
// a seat for one body is a table for a smaller one. Y is up; headings are as those of skills.
#ifndef FUREAI_HUMAN_SURFACE_H
#define FUREAI_HUMAN_SURFACE_H

#include "human_figure.h"
#include "space.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------
// Measures: of the body that the surfaces are for

typedef struct fr_body_measures {
    double stature;         // metres, 0.3 .. 3; all others over 0 and up to the stature
    double shoulder_width;  // at its widest, arms hanging
    double depth;           // of chest and hips, front to back
    double hip_width;       // at its widest, thighs included
    double sitting_height;  // from the seat to the top of the head
    double leg;             // from the ground to the hip joints
    double shoulder_height; // from the ground to the shoulder joints
    double reach;           // from the shoulder joint to what the palm grips
    double foot;            // heel to toe
} fr_body_measures;

// The measures of a figure that stands at rest, taken from its rigid pieces and its joints. FR_ERROR_ARGUMENT for a
// figure whose skeleton lacks soles, a head or arms.
FR_API fr_status fr_body_measures_of(const fr_figure *figure, fr_body_measures *out, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Surfaces: what was found

typedef enum fr_surface_kind {
    FR_SURFACE_SIT,      // a seat
    FR_SURFACE_LIE,      // as long as the body and as wide as its shoulders
    FR_SURFACE_PUT,      // a place for things, within reach of someone who stands beside it
    FR_SURFACE_STEP_ON,  // no higher than a leg can climb, with room to stand on it
    FR_SURFACE_FEET,     // before a seat, for the feet of the one who sits there
    FR_SURFACE_LEAN,     // upright, for a hand at the height of the shoulder
    FR_SURFACE_PASS,     // a gap to walk through
    FR_SURFACE_SIDEWAYS, // a gap for a body that turns its shoulder to it
    FR_SURFACE_DUCK,     // something at the height of the head to go under
    FR_SURFACE_GRASP,    // a thing that one hand can grip
    FR_SURFACE_PRESS,    // a small face, as of a button
    FR_SURFACE_HOLD,     // a bar of something that stands fast, to hold on to
    FR_SURFACE_KIND_COUNT
} fr_surface_kind;

// The word for a kind: "sit", "step on", "pass sideways"; and the skill (fr_skill_find) that a body begins it with.
// `kind` is below FR_SURFACE_KIND_COUNT.
FR_API const char *fr_surface_word(fr_surface_kind kind);
FR_API const char *fr_surface_skill(fr_surface_kind kind);

// One thing that a body can do at one place.
typedef struct fr_surface {
    fr_surface_kind kind;
    fr_object_id object; // that has the face; of a gap one of the objects beside it
    uint32_t part;       // of the object
    uint32_t triangle;   // of the object: the lowest of the planar face or the piece; FR_NONE of a gap
    fr_vec3 center;      // of the rectangle about the face, of a piece or of a gap
    fr_vec3 axis;        // unit, along the rectangle's longer side; across a gap
    fr_vec3 normal;      // unit, away from the face; of a gap the direction through it
    double half[2];      // of the rectangle along the axis and across it; of a gap half its width, and of its height
    double height;       // of the target over the ground; under what one ducks: of the free height
    double clearance;    // metres that are free: above a face, before it, or through a gap; up to what the rule needs
    double width;        // of a gap; how thick a piece is; else 0
    fr_vec3 place;       // on the ground where the body stands to begin
    double heading;      // that it faces there
    fr_pose target;      // for the field target of the skill: on a seat z is where the sitter faces, on other faces z
                         // leads away from the face; of a gap where the body walks to, z through it
} fr_surface;

typedef struct fr_surfaces fr_surfaces;

typedef struct fr_surfaces_def {
    fr_body_measures measures; // default: a person of 1.70 m (fr_figure of the default body)
    double ground;             // height of a plane that people stand on where no face is below; default 0; -INFINITY:
                               // none, so that nothing is offered where there is no floor
    fr_allocator allocator;    // default: the process default
    uint32_t cookie;           // set by fr_default_surfaces_def
} fr_surfaces_def;

FR_API fr_surfaces_def fr_default_surfaces_def(void);

// Makes what will hold the surfaces for one body; nothing is found before the first update. FR_ERROR_ARGUMENT for a
// measure out of its range or a ground that is not a number, FR_ERROR_MEMORY.
FR_API fr_status fr_surfaces_create(const fr_surfaces_def *def, fr_surfaces **out, fr_error *error);
FR_API void fr_surfaces_destroy(fr_surfaces *surfaces); // NULL is ignored

typedef struct fr_surfaces_input {
    const fr_space *space;         // current
    const fr_query_filter *filter; // which objects are there at all: leave out the body's own; NULL: all. as_object is
                                   // not read
    const fr_tasks *tasks;         // NULL: the calling thread; what is found does not depend on them
    const fr_control *control;     // may stop the call; may be NULL
    uint32_t cookie;               // set by fr_default_surfaces_input
} fr_surfaces_input;

FR_API fr_surfaces_input fr_default_surfaces_input(void);

// Finds the surfaces of a space, and from the second call on only those that may have changed: near objects that came,
// went, or whose versions differ (about a stature beside their bounds). What is found is the same as from scratch.
// Sensors, proxies and deformed objects are obstacles and offer nothing; ghosts are passed over. Call it with one
// space and one filter only. FR_ERROR_STALE_DATA, FR_ERROR_STOPPED, FR_ERROR_MEMORY; after a failure nothing is listed,
// and the next call begins from scratch.
FR_API fr_status fr_surfaces_update(fr_surfaces *surfaces, const fr_surfaces_input *input, fr_error *error);

typedef struct fr_surfaces_stats {
    uint32_t count;     // surfaces
    uint32_t faces;     // planar faces of the objects that were large enough to be kept
    uint32_t looked_at; // faces, pieces and gaps that the last update looked at
    uint32_t triangles; // of all objects
    size_t bytes;       // of memory held
} fr_surfaces_stats;

FR_API fr_surfaces_stats fr_surfaces_get_stats(const fr_surfaces *surfaces);

// A surface by its index below count: sorted by object, kind, part, triangle and place, gaps after all others.
FR_API fr_surface fr_surfaces_at(const fr_surfaces *surfaces, uint32_t index);

// Draws all surfaces: the rectangle in the colour of its kind, the place of the body and an arrow where it faces.
FR_API void fr_surfaces_draw(const fr_surfaces *surfaces, const fr_draw *draw);
FR_API fr_color fr_surface_color(fr_surface_kind kind);

#ifdef __cplusplus
}
#endif

#endif
