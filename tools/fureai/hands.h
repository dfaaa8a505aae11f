// The hands of people in a served world: what they hold is helped by the aid, stops at what it meets, falls when it is
// let go where the scene says so, and goes back where it was when that is asked for. A corrector: RAW in, SHOWN out.
//
// Hands that could meet in a tick take turns: the aid takes the others to stand. What hangs on joints is left alone.
#ifndef FUREAI_TOOL_HANDS_H
#define FUREAI_TOOL_HANDS_H

#include "fureai/hand.h"
#include "fureai/scene.h"
#include "fureai/server.h"
#include "fureai/touch.h"

#define HANDS_STATE "aid" // the state of an object that says which mode whoever holds it is given
#define HAND_MET 16       // objects that a hand without the aid is known to collide with
#define HANDS_LAYERS 4    // drawn over the world

typedef enum hand_phase {
    HAND_HOLDS, // a person holds it
    HAND_WAITS, // a person would, and it stays where it is until it is let go
    HAND_FALLS, // it was let go, or lost what carried it
    HAND_OVER   // nothing is to be done any more
} hand_phase;

// One object in a hand, or on its way down.
typedef struct one_hand {
    fr_object_id object;
    hand_phase phase;
    fr_part_def *parts; // their meshes are held
    uint32_t part_count;
    fr_vec3 center_local; // of a ball about all of it
    double radius;        // of that ball, metres
    fr_pose before;       // where it was taken
    fr_pose raw, shown;
    fr_aid_mode mode;
    fr_aid *aid;
    bool is_aided;            // the aid has hold of it
    struct one_hand *partner; // whose object is held to this one, or this one to it; NULL: none
    bool is_taken;            // the partner took it along in this tick
    fr_aid_output out;        // of the last frame
    fr_vec3 velocity;         // of its middle, metres a second
    double force;             // that was told last, newtons: to be shown, not what a device gives

    fr_assembly_answer answer; // of a part, in the last frame
    fr_pose target;            // where it belongs
    uint32_t place;            // number of that place; FR_NONE: none

    uint32_t met[HAND_MET]; // index1 of what it collides with, without the aid
    uint32_t met_count;

    bool has_body;        // of what falls
    fr_rebound_body body; //
    uint64_t ticks;       // that it has been falling
    uint32_t rested;      // of them the last ones in which it rested
    bool is_woken;        // by nobody's hand: that it fell is not remembered
} one_hand;

// What may move in a tick, and from where to where it went.
typedef struct hands_claim {
    fr_vec3 center;
    double radius;
    fr_bounds from, to;
    fr_object_id object;
} hands_claim;

// The planar faces of a mesh, for drawing.
typedef struct hands_planar {
    fr_mesh *mesh; // held
    fr_planar_faces *planar;
} hands_planar;

typedef struct hands {
    fr_server *const *server; // where hands are drawn; NULL, or NULL there: nowhere
    fr_world *world;
    const fr_scene *scene;
    const fr_scene_aid *aid; // NULL: hands are given nothing
    fr_array list;           // one_hand *
    fr_array claims;         // hands_claim, of this tick
    fr_array jumps;          // fr_placement: what is taken back with the next tick, to `before`
    fr_undo *undo;
    fr_assembly *assembly;        // NULL: the scene has none
    fr_scene_aid own;             // of a scene with an assembly and no aid
    uint64_t calls;               // of the corrector: the clock of all aids
    uint64_t last_tick;           // of the world, as the call before was told
    bool is_paused;               // the world's time stands
    bool is_jumping;              // something is taken back in this tick: all others wait
    fr_array planars;             // hands_planar: of meshes whose faces were drawn
    uint64_t drawn[HANDS_LAYERS]; // what each layer shows, as a number; 0: nothing
} hands;

// Gives hands what the scene says, where it says so; else nothing is done. They must stay where they are until they
// leave.
fr_status hands_join(hands *h, const fr_scene *scene, fr_world *world, fr_server *const *server, fr_error *error);

// After the scene began anew: nothing is held, falls or can be taken back.
void hands_begin(hands *h);

// Frees what the hands have, after the world is closed. Those who never joined may leave, all zeros.
void hands_leave(hands *h);

// Before a person gets an object: FR_ERROR_BUSY when it cannot be taken yet. Between ticks.
fr_status hands_grab(hands *h, fr_object_id object, fr_error *error);

// Takes the last placement back with the next tick, or does it again. FR_ERROR_ARGUMENT when there is none,
// FR_ERROR_BUSY when somebody holds the object or the place is not free. Between ticks.
fr_status hands_undo(hands *h, bool again, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// What the files of the hands share

one_hand *hands_find(const hands *h, fr_object_id object);
one_hand *hands_make(hands *h, const fr_space *space, fr_object_id object); // NULL without memory
fr_vec3 hand_center(const one_hand *hand, const fr_pose *pose);
fr_bounds hand_bounds(const one_hand *hand, const fr_pose *pose);

// Whether hands may handle an object at all: nothing is joined to it, and it is not deformed.
bool hands_may_handle(const fr_space *space, fr_object_id object);

// Whom a question about an object leaves out beside sensors and what may not meet it: itself, and one that goes with
// it.
typedef struct hands_apart {
    fr_object_id self, also;
} hands_apart;

// A filter for such questions; `apart` stays while it is used.
fr_query_filter hands_filter(const hands_apart *apart);

// Whether an object of these parts could stand at a pose: what only touches it is no hindrance.
bool hands_is_free(const fr_space *space, const hands_apart *apart, const fr_part_def *parts, uint32_t part_count,
                   const fr_pose *pose);

// Remembers where an object was put.
void hands_remember(hands *h, const one_hand *hand, const fr_pose *after);

// Keeps others away from a place in this tick; false: one that moves could come there.
bool hands_claim_place(hands *h, const one_hand *hand, const fr_pose *pose);

// One step of what falls.
void hands_fall(hands *h, one_hand *hand, const fr_proposal *proposal, fr_wishes *wishes);

// Lets fall what lost a neighbour that moved away in this tick.
void hands_wake(hands *h, const fr_space *space);

// Jumps of what is taken back.
void hands_do_jumps(hands *h, const fr_proposal *proposal, fr_wishes *wishes);

// The scene's assembly, where it has one.
fr_status hands_assembly_join(hands *h, fr_error *error);

// The part of an object; FR_NONE: none.
uint32_t hands_part_of(const hands *h, fr_object_id object);

// A hand takes a part: FR_ERROR_BUSY while another stands on it. What is no part may always be taken.
fr_status hands_take_part(hands *h, fr_object_id object, fr_error *error);

// Whether a part in a hand has come to its place with where it is shown; `is_let_go`: as the hand opens.
bool hands_fit(hands *h, one_hand *hand, const fr_proposal *proposal, bool is_let_go, fr_assembly_output *out);

// Where an object stands that is put at a pose: in its place, when it is a part and that is near.
fr_pose hands_fit_at(hands *h, const fr_space *space, fr_object_id object, const fr_pose *pose, double time);

// The pose of the part of a place there; false: it is gone. Whether the place can be filled next.
bool hands_place(const hands *h, uint32_t place, fr_pose *out);
bool hands_is_next(const hands *h, uint32_t place);

// Draws what changed; all is removed where nothing is held. `is_over`: removes all.
void hands_draw(hands *h, const fr_space *space, bool is_over);

#endif
