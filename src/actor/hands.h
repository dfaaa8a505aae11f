// The inside of the hands of people, which their files share.
#ifndef FUREAI_ACTOR_HANDS_H
#define FUREAI_ACTOR_HANDS_H

#include "actor/retained_parts.h"

#include "fureai/actor.h"

#define FR__HAND_MET 16        // objects that a hand without the aid is known to collide with
#define FR__HANDS_LAYERS 4     // drawn over the world
#define FR__HAND_FORCE_MAX 8.0 // newtons, that are shown

typedef enum fr__hand_phase {
    FR__HAND_HOLDS, // a person holds it
    FR__HAND_WAITS, // a person would, and it stays where it is until it is let go
    FR__HAND_FALLS, // it was let go, or lost what carried it
    FR__HAND_OVER   // nothing is to be done any more
} fr__hand_phase;

// One object in a hand, or falling.
typedef struct fr__hand {
    fr_object_id object;
    fr__hand_phase phase;
    fr__retained_parts body;
    fr_vec3 center_local; // of a ball about all of it
    double radius;        // of that ball, metres
    fr_pose before;       // where it was taken
    fr_pose raw, shown;
    fr_aid_mode mode;
    fr_aid *aid;
    bool is_aided;            // the aid has hold of it
    struct fr__hand *partner; // whose object is held to this one, or this one to it; NULL: none
    bool is_taken;            // the partner took it along in this tick
    fr_aid_output out;        // of the last frame
    fr_vec3 velocity;         // of its middle, metres a second
    double force;             // that was reported last, newtons: to be shown, not what a device gives

    fr_assembly_result result; // of a part, in the last frame
    fr_pose target;            // where it belongs
    uint32_t place;            // number of that place; FR_NONE: none

    uint32_t met[FR__HAND_MET]; // index1 of what it collides with, without the aid
    uint32_t met_count;

    bool is_falling;         // the fall has begun
    fr_rebound_body falling; // then
    uint64_t ticks;          // that it has been falling
    uint32_t rested;         // of them the last ones in which it rested
    bool is_woken;           // not let go by a hand: that it fell is not remembered
} fr__hand;

// What moves in a tick: where it may be, and from where to where it went.
typedef struct fr__hands_turn {
    fr_vec3 center;
    double radius;
    fr_bounds from, to;
    fr_object_id object;
} fr__hands_turn;

// The planar faces of a mesh, for drawing.
typedef struct fr__hands_planar {
    fr_mesh *mesh; // retained
    fr_planar_faces *planar;
} fr__hands_planar;

FR_ARRAY_TYPE(fr__hand_array, fr__hand *);
FR_ARRAY_TYPE(fr__hands_turn_array, fr__hands_turn);
FR_ARRAY_TYPE(fr__placement_array, fr_placement);
FR_ARRAY_TYPE(fr__hands_id_array, fr_object_id);
FR_ARRAY_TYPE(fr__hands_planar_array, fr__hands_planar);

struct fr_hands {
    fr_allocator allocator;
    fr_world *world;
    fr_hands_settings settings;
    fr__hand_array list;
    fr__hands_turn_array turns;       // of this tick
    fr__placement_array jumps;        // what is undone with the next tick, to `before`
    fr__hands_id_array moving;        // objects that move by themselves
    fr_undo *undo;                    //
    fr_assembly *assembly;            // NULL: none
    uint64_t calls;                   // of the corrector: the clock of all aids
    uint64_t last_tick;               // of the world, at the call before
    bool is_paused;                   // the world's time stands
    bool is_jumping;                  // something is undone in this tick: all others wait
    fr__hands_planar_array planars;   // of meshes whose faces were drawn
    uint64_t drawn[FR__HANDS_LAYERS]; // what each layer shows, as a number; 0: nothing
    _Alignas(max_align_t) unsigned char fall_scratch[FR_FALL_SCRATCH_BYTES];
};

// ---------------------------------------------------------------------------------------------------------------
// hand_body.c

fr__hand *fr__hands_find(const fr_hands *h, fr_object_id object);
fr__hand *fr__hands_make(fr_hands *h, const fr_space *space, fr_object_id object); // NULL without memory
// The aid by the settings.
fr_status fr__hands_make_aid(const fr_hands *h, fr_aid **out, fr_error *error);

void fr__hand_free(const fr_hands *h, fr__hand *hand);
fr_vec3 fr__hand_center(const fr__hand *hand, const fr_pose *pose);

// Whether hands may handle an object at all: nothing is joined to it, and it is not deformed.
bool fr__hands_may_handle(const fr_space *space, fr_object_id object);

// Whether an object of these parts could stand at a pose: what only touches it is no hindrance.
bool fr__hands_is_free(const fr_space *space, const fr_query_filter *filter, const fr_part_def *parts,
                       uint32_t part_count, const fr_pose *pose);

// ---------------------------------------------------------------------------------------------------------------
// hands_turn.c

// Lets hands whose objects hold one another go together.
void fr__hands_join_partners(const fr_hands *h);

// The turn of a hand in this tick; NULL: something that moves already could meet it. To use until the next one.
fr__hands_turn *fr__hands_find_turn(fr_hands *h, const fr__hand *hand, const fr_pose *here, double step);

// Keeps others away from a place in this tick; false: one that moves could come there.
bool fr__hands_reserve(fr_hands *h, const fr__hand *hand, const fr_pose *pose);

// ---------------------------------------------------------------------------------------------------------------
// hands_fall.c, hands_undo.c

// One step of what falls.
void fr__hands_fall(fr_hands *h, fr__hand *hand, const fr_proposal *proposal, fr_wishes *wishes);

// Adds a wish; what the world refuses is not worth the tick.
void fr__hands_wish(fr_wishes *wishes, fr_object_id object, fr_wish_kind kind, const fr_pose *pose);

// The fall is over, and remembered where a hand let go.
void fr__hands_end_fall(fr_hands *h, fr__hand *hand);

// Lets fall what lost a neighbour that moved away in this tick.
void fr__hands_wake(fr_hands *h, const fr_space *space);

// Remembers where an object was put.
void fr__hands_remember(fr_hands *h, const fr__hand *hand, const fr_pose *after);

fr_status fr__hands_undo(bool is_redo, void *hands, fr_error *error);

// Jumps of what is undone.
void fr__hands_jump(fr_hands *h, const fr_proposal *proposal, fr_wishes *wishes);

// ---------------------------------------------------------------------------------------------------------------
// hands_assembly.c

// The part of an object; FR_NONE: none.
uint32_t fr__hands_part(const fr_hands *h, fr_object_id object);

// A hand takes a part: FR_ERROR_BUSY while another stands on it. What is no part may always be taken.
fr_status fr__hands_take_part(fr_hands *h, fr_object_id object, fr_error *error);

// Whether a part in a hand has come to its place with where it is shown; `is_let_go`: as the hand opens.
bool fr__hands_fit(fr_hands *h, fr__hand *hand, const fr_proposal *proposal, bool is_let_go, fr_assembly_output *out);

// Where an object stands that is put at a pose: in its place, when it is a part and that is near.
fr_pose fr__hands_fit_at(fr_hands *h, const fr_space *space, fr_object_id object, const fr_pose *pose, double time);

// The pose of the part of a place there; false: it is gone. Whether the place can be filled next.
bool fr__hands_place(const fr_hands *h, uint32_t place, fr_pose *out);
bool fr__hands_is_next(const fr_hands *h, uint32_t place);

// ---------------------------------------------------------------------------------------------------------------
// hands_draw.c

// Draws the layers that changed.
void fr__hands_paint(fr_painter *painter, const fr_proposal *proposal, void *hands);

#endif
