// Fureai actor: what acts in a world (agents and controllers, in the field's words): the hands of people, the pilot of
// a robot, a pen, a forecast, a seeker, and layers that only draw. A cast is the actors of one world, in order.
//
// An actor is a small table of functions. The cast calls them: in every tick, when an object is grabbed, when a
// placement is undone. Layers are drawn through one callback of the cast, so that nothing here knows where they are
// shown. One thread at a time owns a cast, the same that owns its world.
#ifndef FUREAI_ACTOR_H
#define FUREAI_ACTOR_H

#include "hand.h"
#include "haptic.h"
#include "human_reach.h"
#include "plan.h"
#include "touch.h"
#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------
// Layers

// A picture that is drawn over the world and stays until it is drawn again or removed.
typedef struct fr_cast_layer {
    const char *name;    // of the layer, UTF-8, not empty, at most FR_CAST_LAYER_NAME_MAX_BYTES
    fr_object_id object; // in whose frame it is drawn; all zeros: the world's
    fr_paint_fn *paint;  // draws it; NULL removes it
    void *user;          // given to `paint`
} fr_cast_layer;

#define FR_CAST_LAYER_NAME_MAX_BYTES 511

// Shows a layer. It calls `layer->paint` before it returns, or returns a status.
typedef fr_status fr_cast_draw_fn(const fr_cast_layer *layer, void *user, fr_error *error);

// What an actor draws its layers with; it is valid during the call that it is given to.
typedef struct fr_painter fr_painter;

// Shows a layer, replaces it, or removes it. FR_ERROR_ARGUMENT for a name outside its limits, FR_ERROR_STALE_ID for an
// object that is neither all zeros nor there where something is shown, FR_ERROR_MEMORY, and what the cast's callback
// returns.
FR_API fr_status fr_painter_draw(fr_painter *painter, const fr_cast_layer *layer, fr_error *error);

// Whether the cast's callback is new: it shows nothing that was drawn before, so everything must be drawn again.
FR_API bool fr_painter_is_new(const fr_painter *painter);

// ---------------------------------------------------------------------------------------------------------------
// Claims

// The priority of a claim, from low to high.
typedef enum fr_rank {
    FR_RANK_VIRTUAL_HUMAN, // a virtual human of the world
    FR_RANK_PROGRAM,       // a program outside
    FR_RANK_PERSON         // a live person, in a viewer or at a device
} fr_rank;

#define FR_CLAIM_NAME_MAX_BYTES 63

// A claim says who holds an object.
typedef struct fr_claim {
    fr_object_id object;
    fr_rank rank;
    uint64_t holder;  // id of the holder, not 0, unique in this cast
    const char *name; // of the holder, for messages; copied, cut at a whole character; NULL or empty: a message names
                      // the rank, as "a person"
} fr_claim;

// ---------------------------------------------------------------------------------------------------------------
// An actor

#define FR_COMMAND_MAX_FUSED 16u      // commands of a list
#define FR_COMMAND_MAX_PARAMETERS 32u // of a command
#define FR_COMMAND_MAX_FRAMES 1000000u
#define FR_COMMAND_END_MAX_BYTES 191u // of the reason of an end

// Which places a command gives: `given`.
#define FR_COMMAND_POINT 1u
#define FR_COMMAND_GOAL 2u
#define FR_COMMAND_FACING 4u
#define FR_COMMAND_GIVEN_ALL 7u

// A further field of a command, as texts, such as "hand" = "left".
typedef struct fr_command_parameter {
    const char *key, *value;
} fr_command_parameter;

// A command for an actor: a motion of a person with an object. Only `name` must be set.
typedef struct fr_command {
    const char *name;    // of the motion, such as "open"
    fr_object_id object; // with which it is done; all zeros: none, or the one that is nearest to `point`
    const char *person;  // name of the object that is to do it; NULL or empty: the actor chooses
    uint32_t given;      // FR_COMMAND_ bits: which of the three below are given
    fr_vec3 point;       // the object is that one near it which affords the motion, where none is named
    fr_vec3 goal;        // where the motion ends
    double facing;       // direction at the end: radians about +Y from +Z, left positive
    uint32_t frames;     // of the motion, at most FR_COMMAND_MAX_FRAMES; 0: as long as is natural
    uint32_t start;      // frames after the beginning of the list
    const fr_command_parameter *parameters; // at most FR_COMMAND_MAX_PARAMETERS; may be NULL
    uint32_t parameter_count;
    const struct fr_command *fused; // are done at the same time by the same person, with it at most
                                    // FR_COMMAND_MAX_FUSED; of these person, fused and ticket are not read
    uint32_t fused_count;
    uint64_t ticket; // of the whole list: comes back with its end; 0: its end is not reported
} fr_command;

// The end of a command that was accepted.
typedef struct fr_command_end {
    uint64_t ticket;
    fr_status status;                           // FR_OK: it was done
    char message[FR_COMMAND_END_MAX_BYTES + 1]; // why it ended, where it was not done
} fr_command_end;

// A field that a motion asks for.
typedef struct fr_affordance_field {
    const char *name; // "goal", "facing", "frames", or the key of a parameter
    bool is_needed;   // else it may be left out
} fr_affordance_field;

// What can be done with an object (its affordance): a motion and the fields that it asks for.
typedef struct fr_affordance {
    const char *name;                  // of the command
    const char *about;                 // one sentence for people; NULL: none
    const fr_affordance_field *fields; // may be NULL
    uint32_t field_count;
} fr_affordance;

// A person who carries out commands.
typedef struct fr_cast_person {
    const char *name;       // to read until the next call of the actor
    fr_object_id object;    // that is shown; all zeros: none
    const char *motion;     // that is done now, likewise to read; "": none
    uint64_t ticket;        // of the command that is done now; 0: none
    uint32_t waiting;       // commands that come after it
    fr_vec3 head, palms[2]; // where they are; of the palms the right one first (fr_side)
} fr_cast_person;

// The functions of an actor; each but `name` may be NULL. All but `move`, `correct` and `paint` are called between
// ticks.
typedef struct fr_actor {
    const char *name;                                  // for messages; it must live as long as the actor
    fr_propose_fn *move;                               // runs with the world's movers
    fr_propose_fn *correct;                            // runs with the world's correctors
    fr_status (*prepare)(void *user, fr_error *error); // before a tick of fr_cast_tick: takes what came from outside
    fr_status (*begin)(void *user, fr_error *error);   // the scene begins again: nothing is held or remembered
    fr_status (*resume)(void *user, fr_error *error);  // the world was put back as it was stored: see fr_cast_resume
    fr_status (*grab)(const fr_claim *claim, void *user,
                      fr_error *error);                           // a status other than FR_OK refuses the grab
    fr_status (*undo)(bool is_redo, void *user, fr_error *error); // undoes the last placement, or redoes it
    fr_status (*command)(const fr_command *command, void *user, fr_error *error);     // objects are found already
    const fr_affordance *(*affords)(fr_object_id object, uint32_t index, void *user); // to read until the next call of
                                                                                      // the actor; NULL: no more
    bool (*ended)(fr_command_end *out, void *user); // takes a command that ended off the actor's list; false: none
    bool (*person)(uint32_t index, fr_cast_person *out, void *user); // one who carries out commands; false: no more
    fr_status (*pull)(const char *person, fr_pull_part part, fr_vec3 point, void *user, fr_error *error);
    fr_status (*posture)(const char *person, fr_clip **out, void *user, fr_error *error);
    void (*paint)(fr_painter *painter, const fr_proposal *proposal, void *user); // after all correctors of a tick
    bool (*is_idle)(void *user); // after `prepare`: nothing is for `correct` in the next tick; NULL: it may be
    void (*leave)(void *user);   // frees the actor; it is the last call
    void *user;                  // given to all of them
} fr_actor;

// ---------------------------------------------------------------------------------------------------------------
// The cast

typedef struct fr_cast fr_cast;

#define FR_CAST_MAX_ACTORS 256

typedef struct fr_cast_def {
    fr_world *world;        // must outlive the cast
    fr_cast_draw_fn *draw;  // shows layers; NULL, the default: nothing is painted
    void *draw_user;        // given to `draw`
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_cast_def
} fr_cast_def;

FR_API fr_cast_def fr_default_cast_def(void);

// Makes an empty cast, with one mover and one corrector in the world. FR_ERROR_ARGUMENT for a definition without a
// world or cookie, FR_ERROR_LIMIT when the world takes no further mover or corrector, FR_ERROR_BUSY during a tick,
// FR_ERROR_MEMORY.
FR_API fr_status fr_cast_create(const fr_cast_def *def, fr_cast **out, fr_error *error);

// Removes the layers that are shown and lets the actors leave, the last one first. Call it before the world is
// destroyed, and between ticks. NULL is ignored.
FR_API void fr_cast_destroy(fr_cast *cast);

// Adds an actor after those that are there; the table is copied. The cast calls `leave` when it is destroyed; on
// failure the actor is still the caller's. FR_ERROR_ARGUMENT without a name, FR_ERROR_LIMIT beyond FR_CAST_MAX_ACTORS,
// FR_ERROR_BUSY during a tick, FR_ERROR_MEMORY.
FR_API fr_status fr_cast_add(fr_cast *cast, const fr_actor *actor, fr_error *error);

FR_API fr_world *fr_cast_world(const fr_cast *cast);
FR_API uint32_t fr_cast_count(const fr_cast *cast);

// An actor by its place in the order, or the first of a name; to read until the next fr_cast_add. NULL: there is none.
FR_API const fr_actor *fr_cast_get(const fr_cast *cast, uint32_t index);
FR_API const fr_actor *fr_cast_find(const fr_cast *cast, const char *name);

// Shows layers through another callback from now on; `draw` may be NULL. What is shown through the old one stays there.
FR_API void fr_cast_set_draw(fr_cast *cast, fr_cast_draw_fn *draw, void *user);

// One tick of the cast's world. Before it every actor takes what came from outside (`prepare`), in order; the first
// failure is returned after all were called, and the tick is not taken then. `input` may be NULL. The statuses of
// fr_world_tick.
FR_API fr_status fr_cast_tick(fr_cast *cast, const fr_tick_input *input, fr_error *error);

// The scene begins again: every claim is forgotten, and every actor begins, in order. The first failure is returned
// after all were called. FR_ERROR_BUSY during a tick, as of fr_cast_grab, fr_cast_undo and fr_cast_command.
FR_API fr_status fr_cast_begin(fr_cast *cast, fr_error *error);

// The world was put back from a store, after it was opened: poses, joints and states are those of another run, which
// holds and claims have not outlasted. Every actor goes on from there, in order; failures as of fr_cast_begin.
FR_API fr_status fr_cast_resume(fr_cast *cast, fr_error *error);

// Claims an object for a holder. Every actor may refuse, in order, and the first refusal is returned. A claim of a
// lower rank is replaced. FR_ERROR_BUSY when another holder has a claim of an equal or higher rank; it names that
// holder, and during a tick. A holder may claim again what it holds. FR_ERROR_STALE_ID, FR_ERROR_ARGUMENT for holder 0
// or a rank that is none, FR_ERROR_MEMORY; on failure the claims stay as they were.
FR_API fr_status fr_cast_grab(fr_cast *cast, const fr_claim *claim, fr_error *error);

// Ends the claim of a holder on an object. FR_ERROR_STALE_ID where the holder has none, or the object is gone.
FR_API fr_status fr_cast_let_go(fr_cast *cast, fr_object_id object, uint64_t holder, fr_error *error);

// The claim on an object, to read until the next call that changes claims; NULL: there is none.
FR_API const fr_claim *fr_cast_claim(const fr_cast *cast, fr_object_id object);

// Undoes the last placement with the next tick, or redoes what was undone last, by the first actor that can.
// FR_ERROR_UNSUPPORTED where none can, and the statuses of the actor.
FR_API fr_status fr_cast_undo(fr_cast *cast, bool is_redo, fr_error *error);

// Gives a command to the first actor that does not return FR_ERROR_UNSUPPORTED. An object that is named by a point is
// found first: the one whose box is nearest to it among those that afford the motion. FR_ERROR_ARGUMENT without a name
// and for what is outside its limits, FR_ERROR_NOT_FINITE, FR_ERROR_STALE_ID for an object that is neither all zeros
// nor there and where none affords the motion, FR_ERROR_UNSUPPORTED where no actor knows the command, and what the
// actor refuses it with. O(objects) for a point.
FR_API fr_status fr_cast_command(fr_cast *cast, const fr_command *command, fr_error *error);

// A command that ended since the last call, of any actor; false: there is none. To be called between ticks.
FR_API bool fr_cast_ended(fr_cast *cast, fr_command_end *out);

// What can be done with an object now: of all actors in order, counted from 0, to read until the cast is called again;
// NULL: there is no more, or the id is stale.
FR_API const fr_affordance *fr_cast_affords(const fr_cast *cast, fr_object_id object, uint32_t index);

// A person who carries out commands, of all actors in order, counted from 0; false: there is no more.
FR_API bool fr_cast_get_person(const fr_cast *cast, uint32_t index, fr_cast_person *out);

// Bends a person who does nothing else: a part goes to a point (fr_posture_pull). FR_ERROR_ARGUMENT where there is no
// such person, FR_ERROR_BUSY while the person carries out a command and during a tick, FR_ERROR_NOT_FINITE.
FR_API fr_status fr_cast_pull(fr_cast *cast, const char *person, fr_pull_part part, fr_vec3 point, fr_error *error);

// The posture of a person now, as a clip of one frame; release it. FR_ERROR_ARGUMENT where there is no such person,
// FR_ERROR_MEMORY.
FR_API fr_status fr_cast_posture(fr_cast *cast, const char *person, fr_clip **out, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Hands of people
//
// What people hold (fr_world_drag) is helped by the aid, stops at what it meets, falls when it is let go where the
// settings say so, and goes back on undo. RAW is the wanted pose, SHOWN the result. Hands that may meet take turns.
// Objects on joints and deformed ones are left alone.

#define FR_HANDS_STATE "aid" // the state of an object that says which fr_aid_mode its holder is given

typedef struct fr_hands_settings {
    fr_aid_mode mode;   // default FR_AID_MODE_AID
    double magnet;      // of fr_aid_def; default 1
    double blend;       // of fr_aid_def, seconds; default 0.08
    double edges, axes; // edge_reach and axis_reach of fr_aid_def, metres; default 0: neither snaps
    bool may_fall;      // what is let go falls; default false: it stays
    double friction;    // of all objects, when they fall; default 0.5
    double restitution; // likewise, 0 .. 1; default 0
    uint32_t undo;      // placements that can be undone, 1 .. FR_UNDO_MAX; default 32
} fr_hands_settings;

FR_API fr_hands_settings fr_default_hands_settings(void);

typedef struct fr_hands_def {
    fr_world *world; // must outlive the hands
    fr_hands_settings settings;
    fr_assembly *assembly;      // of the world's objects; the hands' when they are created; NULL, the default: none
    const fr_object_id *moving; // objects that move by themselves and so never begin to fall; copied; may be NULL
    uint32_t moving_count;
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_hands_def
} fr_hands_def;

FR_API fr_hands_def fr_default_hands_def(void);

typedef struct fr_hands fr_hands;

// FR_ERROR_ARGUMENT for a definition without a world or cookie, or numbers outside their limits; FR_ERROR_MEMORY. On
// failure the assembly is still the caller's.
FR_API fr_status fr_hands_create(const fr_hands_def *def, fr_hands **out, fr_error *error);
FR_API void fr_hands_destroy(fr_hands *hands); // NULL is ignored

// The hands as an actor, whose `leave` destroys them. It draws the layers "faces that hold", "freedom", "force" and
// "places". `grab` refuses a part that another stands on with FR_ERROR_BUSY. `undo` returns FR_ERROR_ARGUMENT when
// there is nothing to undo, FR_ERROR_BUSY when the object is held or its place is not free.
FR_API fr_actor fr_hands_actor(fr_hands *hands);

// How many objects are in hands or falling.
FR_API uint32_t fr_hands_count(const fr_hands *hands);

// The assembly of the definition, to read; NULL: none.
FR_API const fr_assembly *fr_hands_assembly(const fr_hands *hands);

typedef struct fr_hand_state {
    bool is_held;            // a person holds it; else it falls
    bool is_aided;           // the aid holds it
    fr_pose raw;             // where the hand is
    fr_pose shown;           // where the object is shown
    bool is_fitted;          // it has come to its place, and stays there until it is let go
    const fr_aid_held *held; // what holds it, to read until the next tick
    uint32_t held_count;     // faces, edges and axes that hold it
    uint32_t freedom;        // degrees of freedom that are left
    double force;            // that was reported last, newtons
} fr_hand_state;

// The state of an object in a hand or falling, after the last tick; false: it is neither.
FR_API bool fr_hands_get(const fr_hands *hands, fr_object_id object, fr_hand_state *out);

// ---------------------------------------------------------------------------------------------------------------
// The pilot of a robot
//
// The robot flies along a path to its goal and back again. It waits for what crosses its path or goes round it, and
// plans again when an object blocks it: an agent among faces (fr_path_agent, plan.h) decides every tick, and each
// motion is proven against what moves in that tick. What a search opened can be seen: the branches of its two trees, or
// of a roadmap in time, each a layer, and the path that came of them.

#define FR_PILOT_START_LAYER "search from the start" // what the last search reached from where the robot was
#define FR_PILOT_GOAL_LAYER "search from the goal"   // and from where it was to go
#define FR_PILOT_PATH_LAYER "path"                   // with the robot's shadows along it
#define FR_PILOT_MAX_BRANCHES 2048                   // of a search that are drawn: the first ones

typedef struct fr_pilot_def {
    fr_world *world; // must outlive the pilot
    fr_object_id robot;
    fr_path_input query; // start, goal, is_goal_turn_any, pivot_local, bounds, dimension, margin, objective, seed,
                         // speeds and obstacles (what is known of motions; copied) are read
    double seconds;      // that the straight line to the goal takes, which gives the speeds; 0: the query's speeds are
                         // meant; default 3
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_pilot_def
} fr_pilot_def;

FR_API fr_pilot_def fr_default_pilot_def(void);

typedef struct fr_pilot fr_pilot;

// Puts the robot at its start. FR_ERROR_ARGUMENT for a definition without a world or cookie or with a time that is
// none, FR_ERROR_STALE_ID, FR_ERROR_MEMORY, and the statuses of fr_object_set_pose.
FR_API fr_status fr_pilot_create(const fr_pilot_def *def, fr_pilot **out, fr_error *error);
FR_API void fr_pilot_destroy(fr_pilot *pilot); // NULL is ignored

// The pilot as an actor, whose `leave` destroys it. It draws the three layers above.
FR_API fr_actor fr_pilot_actor(fr_pilot *pilot);

typedef struct fr_pilot_state {
    bool has_path;       // it flies; else it searches, or waits
    bool is_returning;   // it flies to its start
    uint32_t next;       // the state of the path that comes next
    const fr_pose *path; // states, to read until the next tick; NULL: none
    uint32_t path_count;
    uint64_t searches; // so far
} fr_pilot_state;

FR_API fr_pilot_state fr_pilot_get(const fr_pilot *pilot);

// ---------------------------------------------------------------------------------------------------------------
// A pen
//
// One object touches the others. The pen finds the contacts of a step, their forces, and what a hand on strings
// that leads the object feels.
//
// With a device behind it the object is where the device is. The pen sends to the device what its tip touches, and
// takes hold of what is next to the tip while the grasp button is down (FR_DEVICE_BUTTON_GRASP): it is a hand of the
// world, so that what it holds is helped by the aid, stops at what it meets and is fitted; its weight, what holds it
// and what it meets are felt. A device that is gone lets go of what it holds, which stays where it is.

typedef struct fr_pen_settings {
    uint32_t pairs;             // of fr_touch_pair; default FR_TOUCH_ORIGIN_FACE
    double distance;            // metres, >= 0; default 0.01
    fr_touch_strategy strategy; // default FR_TOUCH_COMBINED_NEAR
    uint32_t flags;             // of fr_touch_flags; default 0
    fr_vec3 point;              // the operating point, in the object's frame; default 0
    double stiffness;           // of the force, N/m; default 400
    double damping;             // N s/m; default 0.1
    double force_max;           // newtons; default 4
    double pulse_force;         // newtons, where a point met a point; default 1
    double pulse_time;          // seconds of that; default 0.06
    bool is_at_surface;         // force begins at the faces themselves; default false: at `distance` before them
} fr_pen_settings;

FR_API fr_pen_settings fr_default_pen_settings(void);

#define FR_PEN_LOST "device_lost" // named events of the pen's object: the device is gone, and it is back
#define FR_PEN_BACK "device_back"

// The loop of a device, as a pen sees it; neither function waits.
typedef struct fr_pen_device {
    fr_haptic_state (*read)(void *user);                        // the newest state; NULL: there is no device
    void (*send)(const fr_haptic_contact *contact, void *user); // what is touched from now on
    void *user;                                                 // given to both
} fr_pen_device;

typedef struct fr_pen_def {
    const fr_space *space; // that has the object when the pen is made; with a device that of the cast's world
    fr_object_id object;   // the operated one; with a device all zeros: a cone of 6 cm is added that meets nothing
    fr_pen_settings settings;
    fr_bounds reach;      // of the operating point, about which the strings' frame is put; default empty: the frame is
                          // the default one about the world's origin
    fr_pen_device device; // default: none. With one, only `point` of the settings is read
    fr_cast *cast;        // with a device: that the pen is added to
    double grasp;         // with a device, metres from the tip to what it can take, >= 0; default 0.02
    double density;       // kg a cubic metre of what it carries, >= 0; 0: it has no weight; default 700, as of wood
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_pen_def
} fr_pen_def;

FR_API fr_pen_def fr_default_pen_def(void);

typedef struct fr_pen fr_pen;

// FR_ERROR_ARGUMENT for a definition without a space (with a device: a cast) or cookie, for settings that
// fr_touch_pairs or fr_haptic_create refuses, and for a reach that is not finite; FR_ERROR_STALE_ID, FR_ERROR_MEMORY.
FR_API fr_status fr_pen_create(const fr_pen_def *def, fr_pen **out, fr_error *error);
FR_API void fr_pen_destroy(fr_pen *pen); // NULL is ignored

// The pen as an actor, whose `leave` destroys it: it takes a step in every tick, reports the force as FR_EVENT_FORCE
// when it changed by a tenth of a newton, and draws the layer "strings". With a device it takes its part in `prepare`,
// so the world is ticked by fr_cast_tick; it reports FR_PEN_LOST and FR_PEN_BACK, and draws "touched", whose faces
// blink, and "force".
FR_API fr_actor fr_pen_actor(fr_pen *pen);

// One step of `step` seconds, with the object at its pose in a current space. From its last pose a hand is
// moved straight, a thousand ticks a second, along what was touched then; after that what is touched now is found. For
// a pen that is no actor and has no device. FR_ERROR_ARGUMENT for a step that is not above 0 and finite,
// FR_ERROR_STALE_ID when the object is gone, the statuses of fr_touch_pairs, FR_ERROR_MEMORY.
FR_API fr_status fr_pen_step(fr_pen *pen, const fr_space *space, double step, const fr_control *control,
                             fr_error *error);

typedef struct fr_pen_contact {
    fr_touch_hit hit;
    int32_t side;   // of the face where it was first touched; 0 where points met
    uint64_t since; // step at which it was first touched
    bool is_new;    // in this step
    fr_vec3 force;
} fr_pen_contact;

typedef struct fr_pen_output {
    fr_object_id object;
    uint64_t steps;                 // so far
    fr_vec3 tip, velocity;          // of the operating point
    fr_vec3 felt;                   // force on the hand at the end of the step
    const fr_pen_contact *contacts; // of the step
    uint32_t contact_count;
    fr_vec3 home;                // of the strings' frame, in the world
    fr_strings strings;          // of an actor
    fr_strings_pull_output pull; // how each pulled in the last tick
    bool is_lost;                // of a device: it is gone
    fr_object_id held;           // what the pen holds; all zeros: nothing
} fr_pen_output;

// What the last step has found, to read until the next one.
FR_API fr_pen_output fr_pen_get(const fr_pen *pen);

// ---------------------------------------------------------------------------------------------------------------
// A follower
//
// A real thing is where a sensor of a tracker says. The object follows the sensor's poses as fr_real filters them, and
// how well they are known is graded: it holds and stops others only while it is seen and slow, and two states of the
// object show that to every watcher.

#define FR_FOLLOWER_STATE "tracked"    // 1: it holds and stops others; 0.5: seen, too fast for that; 0: not seen
#define FR_FOLLOWER_ERROR "tracked_mm" // how far its farthest point may be off, millimetres, rounded up; -1: not known

// The newest pose of a sensor, and the time now by the clock of its time; false: none yet. It does not wait.
typedef bool fr_sensor_read_fn(uint32_t sensor, fr_sensor_pose *out, double *now, void *user);

typedef struct fr_follower_def {
    fr_world *world; // must outlive the follower
    fr_object_id object;
    uint32_t sensor;         // its number
    fr_pose mount;           // of the object in the sensor's frame, of scale 1; default: the same frame
    fr_real_def real;        // the errors are those of the poses; radius 0, the default here: that of the object
    fr_sensor_read_fn *read; // where poses come from
    void *user;              // given to `read`
    fr_allocator allocator;  // default: the process default
    uint32_t cookie;         // set by fr_default_follower_def
} fr_follower_def;

FR_API fr_follower_def fr_default_follower_def(void);

typedef struct fr_follower fr_follower;

// Makes the object real (FR_OBJECT_REAL). FR_ERROR_ARGUMENT for a definition without a world, cookie or `read`, or with
// a mount that is no pose; FR_ERROR_STALE_ID, FR_ERROR_MEMORY, and the statuses of fr_real_create.
FR_API fr_status fr_follower_create(const fr_follower_def *def, fr_follower **out, fr_error *error);
FR_API void fr_follower_destroy(fr_follower *follower); // NULL is ignored

// The follower as an actor, whose `leave` destroys it. It reads in `prepare`, so the world is ticked by fr_cast_tick.
FR_API fr_actor fr_follower_actor(fr_follower *follower);

typedef struct fr_follower_state {
    fr_real_state real;                // as of the last tick
    fr_object_uncertainty uncertainty; // of the object, for fr_collide_uncertain
    uint64_t taken, refused;           // poses, so far
} fr_follower_state;

FR_API fr_follower_state fr_follower_get(const fr_follower *follower);

// ---------------------------------------------------------------------------------------------------------------
// A forecast (collision prediction, time to collision)
//
// What will the watched objects hit if all objects go on as they go now, each with the velocity and the turn of this
// tick? The forecast announces a meeting before it happens, once for each approach: again where it was not to come any
// more and then is, and after the two have touched and are apart. Objects that move evenly are announced at least one
// tick before they touch where their approach began a tick earlier, and nothing is missed between ticks: meetings are
// those of fr_collide_meet. Deformed objects count as rigid in the shape that they have now. While time stands still
// nothing is announced.

#define FR_FORECAST_HIT                                                                                                \
    "will_hit"                       // named event of the watched object a: it will touch b. value: seconds from the
                                     // end of the tick until then, 0: within the tick; second: radians that a turns
                                     // until then; speed: at which they close; point: where, in the world
#define FR_FORECAST_NAME "forecast"  // of the actor
#define FR_FORECAST_LAYER "ahead"    // the layer that it draws
#define FR_FORECAST_SECONDS_MAX 60.0 // that it looks ahead

// An object that is watched.
typedef struct fr_forecast_object {
    fr_object_id object;
    double seconds; // how far ahead, above 0 and at most FR_FORECAST_SECONDS_MAX
} fr_forecast_object;

typedef struct fr_forecast_def {
    fr_world *world;                   // must outlive the forecast
    const fr_forecast_object *objects; // copied; NULL, the default: all objects are watched
    uint32_t object_count;
    double seconds;         // how far ahead where all are watched; default 1
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_forecast_def
} fr_forecast_def;

FR_API fr_forecast_def fr_default_forecast_def(void);

typedef struct fr_forecast fr_forecast;

// FR_ERROR_ARGUMENT for a definition without a world or cookie, or with a time outside its limits; FR_ERROR_STALE_ID,
// FR_ERROR_MEMORY.
FR_API fr_status fr_forecast_create(const fr_forecast_def *def, fr_forecast **out, fr_error *error);
FR_API void fr_forecast_destroy(fr_forecast *forecast); // NULL is ignored

// The forecast as an actor, whose `leave` destroys it. It is added after the actors that move objects. It reports
// FR_FORECAST_HIT, and draws FR_FORECAST_LAYER: the sector that each watched object sweeps which turns, in red where
// something will be hit. A tick costs O(objects); only an object that begins to move otherwise, and every half of the
// longest time ahead each object, is compared with all that is watched. A warm tick allocates nothing.
FR_API fr_actor fr_forecast_actor(fr_forecast *forecast);

// A meeting that was announced and is to come.
typedef struct fr_forecast_hit {
    fr_object_id a, b; // a is watched; where both are, it is either
    double time;       // seconds of the world, never late
    double speed;      // metres a second, at which they close there
    fr_vec3 point;     // where, in the world
    fr_vec3 normal;    // unit, from a to b; zero where it is not defined
} fr_forecast_hit;

typedef struct fr_forecast_view {
    const fr_forecast_hit *hits; // by the places of the objects
    uint32_t hit_count;
} fr_forecast_view;

// What is to come as of the last tick, to read until the next one.
FR_API fr_forecast_view fr_forecast_get(const fr_forecast *forecast);

// ---------------------------------------------------------------------------------------------------------------
// A seeker
//
// An object looks for another one by radar, goes there and touches it. It does not know where its target is: a radar of
// long range (radar.h) turns where the object stands until it sees the target. Where it sees none, or something stands
// between, a tree of places grows (search tree): a radar at each growing point looks along the branch to come, and
// where something is, it tries another direction. The object goes along the tree, and straight to the target as soon as
// nothing else is between. It does not turn. Each of its motions is proven to touch nothing but the target, whatever
// moves in the same tick; it waits for what is in its path, and searches again after half a second. It does not evade
// what comes towards it.

// Named events of the seeker's object; b is the target.
#define FR_SEEKER_FOUND "found"     // it sees the target. value: metres to it; second: looks so far
#define FR_SEEKER_TOUCHED "touched" // it touches it. value: seconds since it began; second: metres that it went
#define FR_SEEKER_UNREACHABLE                                                                                          \
    "unreachable"                     // it stands: the tree cannot grow. value: seconds; second: 1 where the target
                                      // was seen, else 0
#define FR_SEEKER_GONE "gone"         // it stands: the target was removed. value: seconds; second: as above
#define FR_SEEKER_LAYER "search tree" // the layer that it draws
#define FR_SEEKER_MAX_NODES 512       // places of a tree
#define FR_SEEKER_MAX_LOOKS 1024      // of a tick
#define FR_SEEKER_LENGTH_MAX 1e9      // metres, of its range, and metres a second

typedef struct fr_seeker_def {
    fr_world *world;        // must outlive the seeker
    fr_object_id object;    // that seeks
    fr_object_id target;    // another one
    double speed;           // metres a second, above 0; default 1
    double range;           // metres that its radar sees, above 0; default 12
    fr_bounds bounds;       // of the object's origin; of no height: it stays at that height. Default empty: a cube, the
                            // range to each side of where it stands now
    uint32_t looks;         // of the radar in one tick, 1 .. FR_SEEKER_MAX_LOOKS; default 32
    uint64_t seed;          // of the directions that it tries; default 1
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_seeker_def
} fr_seeker_def;

FR_API fr_seeker_def fr_default_seeker_def(void);

typedef struct fr_seeker fr_seeker;

// FR_ERROR_ARGUMENT for a definition without a world or cookie or with numbers outside their limits, FR_ERROR_STALE_ID
// for objects that are not there or are one, FR_ERROR_MEMORY.
FR_API fr_status fr_seeker_create(const fr_seeker_def *def, fr_seeker **out, fr_error *error);
FR_API void fr_seeker_destroy(fr_seeker *seeker); // NULL is ignored

// The seeker as an actor, whose `leave` destroys it. It draws the layer FR_SEEKER_LAYER: the tree as it grows, where
// the radar looks, and the path. A warm tick allocates nothing.
FR_API fr_actor fr_seeker_actor(fr_seeker *seeker);

typedef enum fr_seeker_phase {
    FR_SEEKER_SEARCHING, // it looks for the target, or for a path to it
    FR_SEEKER_GOING,     // it goes there
    FR_SEEKER_TOUCHING,  // it has touched it, and stands until the target goes elsewhere
    FR_SEEKER_STUCK,     // it cannot get there, and stands
    FR_SEEKER_LOST       // the target is gone, and it stands
} fr_seeker_phase;

typedef struct fr_seeker_state {
    fr_seeker_phase phase;
    bool is_seen;         // the target was seen
    uint64_t looks;       // so far
    uint32_t places;      // of the tree
    uint32_t path_places; // that are still to come before the target itself
    double went;          // metres
} fr_seeker_state;

FR_API fr_seeker_state fr_seeker_get(const fr_seeker *seeker);

// ---------------------------------------------------------------------------------------------------------------
// An assembler
//
// A simulated hand that puts the parts of an assembly together in a space, frame by frame, with or without the aid. It
// has a time of its own and belongs to no cast.

#define FR_ASSEMBLER_FRAME (1.0 / 60.0) // seconds
#define FR_ASSEMBLER_SECONDS_MAX 3600.0 // of a whole run

typedef struct fr_assembler_def {
    fr_space *space;           // must outlive the assembler; it moves the parts in it
    fr_assembly *assembly;     // of the space's objects; the assembler's when it is created
    const char *const *names;  // of the parts, for scripts and messages; must live as long; NULL: those of the assembly
    bool has_aid;              // default false: nothing stops the hand
    double tremor;             // of the hand, deviation in metres, >= 0; default 0
    uint64_t seed;             // of the tremor; default 1
    const fr_control *control; // checked in every frame; may be NULL
    fr_allocator allocator;    // default: the process default
    uint32_t cookie;           // set by fr_default_assembler_def
} fr_assembler_def;

FR_API fr_assembler_def fr_default_assembler_def(void);

typedef struct fr_assembler fr_assembler;

// FR_ERROR_ARGUMENT for a definition without a space, assembly or cookie or with a tremor below 0, FR_ERROR_MEMORY, and
// the statuses of fr_space_update. On failure the assembly is still the caller's.
FR_API fr_status fr_assembler_create(const fr_assembler_def *def, fr_assembler **out, fr_error *error);
FR_API void fr_assembler_destroy(fr_assembler *assembler); // NULL is ignored

// Takes a part; what is held is let go first. A part that another part holds is not taken: it is counted, not an error.
FR_API fr_status fr_assembler_take(fr_assembler *assembler, uint32_t part, fr_error *error);

// Moves the held object to a pose, at the speeds of a human hand, in `seconds`; 0: as long as a person takes. It
// ends when the part is fitted. With nothing held only time passes. FR_ERROR_STOPPED; FR_ERROR_LIMIT after
// FR_ASSEMBLER_SECONDS_MAX.
FR_API fr_status fr_assembler_go(fr_assembler *assembler, const fr_pose *to, double seconds, fr_error *error);

// Opens the hand: what was held stays, or goes back to its place when it had hardly left it.
FR_API fr_status fr_assembler_let_go(fr_assembler *assembler, fr_error *error);

// Assembles all parts that can be, in a valid order, from above or along the insertions. FR_ERROR_LIMIT names the part
// that took too long.
FR_API fr_status fr_assembler_do_all(fr_assembler *assembler, fr_error *error);

// Plays a script (docs/tool.md) of `size` bytes; `name` is for messages. A script that is wrong is reported with line
// and column before anything is done: FR_ERROR_SYNTAX, FR_ERROR_LIMIT, FR_ERROR_ARGUMENT for a part that is not there.
FR_API fr_status fr_assembler_play(fr_assembler *assembler, const char *text, size_t size, const char *name,
                                   fr_error *error);

// The part of a name, FR_NONE: none; and the name of a part.
FR_API uint32_t fr_assembler_find(const fr_assembler *assembler, const char *name);
FR_API const char *fr_assembler_name(const fr_assembler *assembler, uint32_t part);

// What became of a part.
typedef struct fr_assembler_record {
    double taken;           // when a hand took it last; FR_UNKNOWN: never
    double fitted;          // when it came to its place; FR_UNKNOWN: it is loose
    double distance, angle; // from its place before the fit: metres, radians
    uint32_t contacts;      // that it made since it was taken
    uint32_t blocked;       // times that something stood at its place
    uint32_t early;         // times that it was there before its predecessors
    uint32_t refused;       // times that it could not be taken
    fr_object_id blocker;   // the last thing that stood there
    uint32_t missing;       // the last predecessor that was not there; FR_NONE: none
    uint32_t held_by;       // the part that held it when it was last refused; FR_NONE: none
} fr_assembler_record;

typedef struct fr_assembler_output {
    const fr_assembly *assembly;
    const fr_assembler_record *records; // one a part
    uint32_t part_count;
    const uint32_t *order; // parts as they were fitted
    uint32_t order_count;
    const fr_hand_event *events; // in the order of their times
    size_t event_count;
    double seconds;  // of the hand so far
    uint32_t misses; // times that the hand caught nothing
    uint32_t held;   // part in the hand; FR_NONE: none
    bool has_aid;
} fr_assembler_output;

// What was done so far, to read until the next call.
FR_API fr_assembler_output fr_assembler_get(const fr_assembler *assembler);

// ---------------------------------------------------------------------------------------------------------------
// Layers that only draw

typedef struct fr_octree_layer_def {
    fr_object_id object;
    const char *name;       // of the object; the layer is "octree of NAME"; copied, at most FR_WORLD_NAME_MAX_BYTES
    uint32_t depth;         // of the octree, FR_OCTREE_LAYER_MIN_DEPTH .. FR_OCTREE_LAYER_MAX_DEPTH; default 5
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_octree_layer_def
} fr_octree_layer_def;

#define FR_OCTREE_LAYER_MIN_DEPTH 2 // of what fr_octree_build fills
#define FR_OCTREE_LAYER_MAX_DEPTH 7

FR_API fr_octree_layer_def fr_default_octree_layer_def(void);

// An actor that draws the octree of an object over it, and again when the object is deformed. FR_ERROR_ARGUMENT for a
// definition without a name or cookie or with a depth outside its limits, FR_ERROR_MEMORY.
FR_API fr_status fr_octree_layer_create(const fr_octree_layer_def *def, fr_actor *out, fr_error *error);

#define FR_RADAR_LAYER_RESOLUTION 24 // pixels along a side of its image
#define FR_RADAR_LAYER_MIN 1e-6      // metres
#define FR_RADAR_LAYER_MAX 1e9

typedef struct fr_radar_layer_def {
    fr_object_id object;    // that has the radar, at its origin; it does not see itself
    const char *name;       // of the object; the layer is "radar of NAME"; copied, at most FR_WORLD_NAME_MAX_BYTES
    fr_vec3 direction;      // where it looks, in the object's frame, of any length but 0; default 1, 0, 0
    double range;           // metres that it sees, FR_RADAR_LAYER_MIN .. FR_RADAR_LAYER_MAX; default 4
    double width;           // metres: the volume is as high as wide; limits as of the range; default 1
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_radar_layer_def
} fr_radar_layer_def;

FR_API fr_radar_layer_def fr_default_radar_layer_def(void);

// An actor that draws, each tick, the volume that a radar on an object looks into (fr_radar_search), and the depth
// image at its far side. FR_ERROR_ARGUMENT for a definition without a name or cookie or with a number outside its
// limits, FR_ERROR_MEMORY.
FR_API fr_status fr_radar_layer_create(const fr_radar_layer_def *def, fr_actor *out, fr_error *error);

#define FR_SURFACE_LAYER_NAME "surfaces"
#define FR_SURFACE_LAYER_TICKS 12u // between two looks at what moved

typedef struct fr_surface_layer_def {
    double stature;         // of the body that the surfaces are for, metres, 1 .. 2 (fr_body_def); default 1.70
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_surface_layer_def
} fr_surface_layer_def;

FR_API fr_surface_layer_def fr_default_surface_layer_def(void);

// An actor that draws what the faces of all objects but people let a body do (fr_surfaces_draw), and again after
// something moved, FR_SURFACE_LAYER_TICKS later at most. FR_ERROR_ARGUMENT for a stature out of range or no cookie,
// FR_ERROR_MEMORY.
FR_API fr_status fr_surface_layer_create(const fr_surface_layer_def *def, fr_actor *out, fr_error *error);

#ifdef __cplusplus
}
#endif

#endif
