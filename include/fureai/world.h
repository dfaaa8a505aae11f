// Fureai world: the simulation of a space (its stepping loop). The tick is the one loop of server, tool, experiments
// and tests: inputs and movers become motions, correctors may improve them, joints carry their children along, the step
// is checked for collisions and committed, and events are reported in a snapshot that never changes. A wish is a
// requested motion of an object; movers and correctors are callbacks that make wishes.
//
// One thread at a time owns a world and its space. A snapshot may be read and released by any thread.
#ifndef FUREAI_WORLD_H
#define FUREAI_WORLD_H

#include "collide.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------
// The world

typedef struct fr_world fr_world;

#define FR_WORLD_STEP_MIN 1e-9 // seconds
#define FR_WORLD_STEP_MAX 1e9
#define FR_WORLD_TICK_MAX (UINT64_C(1) << 53) // of fr_world_set_tick

typedef struct fr_world_def {
    fr_vec3 origin;         // of the space, see fr_space_def
    double step;            // seconds a tick, FR_WORLD_STEP_MIN .. FR_WORLD_STEP_MAX; default 0.01
    fr_want want;           // of each sensing; default FR_WANT_CONTACTS. With FR_WANT_INTERVALS pairs of faces are
                            // followed from tick to tick: fr_snapshot.face_touches
    fr_sense sense;         // FR_SENSE_STATIC, the default: what touches at the poses that were reached;
                            // FR_SENSE_CONTINUOUS: also, before the step is committed, all contacts during the step
    double margin;          // of each sensing at the poses, metres; default 0. Over a step there is none
    uint64_t budget;        // pairs of triangles to test in one sensing; 0, the default: no limit
    fr_allocator allocator; // must live as long as the last snapshot; default: the process default
    uint32_t cookie;        // set by fr_default_world_def
} fr_world_def;

FR_API fr_world_def fr_default_world_def(void);
FR_API fr_status fr_world_create(const fr_world_def *def, fr_world **out, fr_error *error);

// Destroys the world with its space. Snapshots that are still retained live on. NULL is ignored.
FR_API void fr_world_destroy(fr_world *world);

// The space, owned by the world. Between ticks its owner may change it: add, remove, place, deform, join.
FR_API fr_space *fr_world_space(fr_world *world);

// Ticks taken, seconds a tick, and the world's time: the product.
FR_API uint64_t fr_world_tick_count(const fr_world *world);
FR_API double fr_world_step(const fr_world *world);
FR_API double fr_world_time(const fr_world *world);

// Sets the number of ticks taken, as for a scene that begins again. Objects stay where they are. FR_ERROR_ARGUMENT
// above FR_WORLD_TICK_MAX, FR_ERROR_BUSY during a tick.
FR_API fr_status fr_world_set_tick(fr_world *world, uint64_t tick, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// What an object is called, and its states

#define FR_WORLD_NAME_MAX_BYTES 255
#define FR_WORLD_STATE_NAME_MAX_BYTES 31
#define FR_WORLD_MAX_STATES 16 // of an object

// How people see an object. Goes with the object.
typedef struct fr_label {
    const char *name; // copied; UTF-8, "" where it has none
    fr_color color;   // default 200, 200, 200, 255
} fr_label;

FR_API fr_label fr_default_label(void);

// FR_ERROR_STALE_ID; FR_ERROR_ARGUMENT for a name that is too long or no UTF-8.
FR_API fr_status fr_world_set_label(fr_world *world, fr_object_id id, const fr_label *label, fr_error *error);

// The label, to read until the world is changed; an empty name and the default colour where none was set, or the id is
// stale.
FR_API fr_label fr_world_label(const fr_world *world, fr_object_id id);

// The first object of this name; all zeros where none is. O(objects).
FR_API fr_object_id fr_world_find(const fr_world *world, const char *name);

// Sets a state of an object, such as "open" = 0.5, and makes it when it is new. A change is reported as FR_EVENT_STATE
// in the next tick. FR_ERROR_STALE_ID, FR_ERROR_NOT_FINITE, FR_ERROR_ARGUMENT for a name that is empty, too long or no
// UTF-8, FR_ERROR_LIMIT beyond FR_WORLD_MAX_STATES.
FR_API fr_status fr_world_set_state(fr_world *world, fr_object_id id, const char *name, double value, fr_error *error);

// The value of a state; FR_UNKNOWN where the object has no such one, or the id is stale.
FR_API double fr_world_state(const fr_world *world, fr_object_id id, const char *name);

// How many states an object has, and their names in the order they were made; none where the id is stale, NULL where
// there is none.
FR_API uint32_t fr_world_state_count(const fr_world *world, fr_object_id id);
FR_API const char *fr_world_state_name(const fr_world *world, fr_object_id id, uint32_t index);

// What is heard from an object. A world does not play it: its viewer does.
typedef struct fr_sound {
    fr_object_id object;
    fr_vec3 point;       // where it is, in the object
    double intensity;    // 0 .. 1
    double near, far;    // metres from it: full loudness within, silence beyond
    double pitch;        // how fast it is played; 1: as it was recorded
    double start, stop;  // seconds of the world; stop <= start: it is played to its end, or for ever
    bool is_loop;        // again and again
    bool is_spatial;     // from its place; else everywhere alike
    const void *file;    // a sound file, such as WAV
    uint32_t file_bytes; // at most FR_SOUND_MAX_BYTES
} fr_sound;

#define FR_SOUND_MAX_BYTES (UINT32_C(1) << 22)

// How meshes look: materials, pictures, and what is where. A world does not draw: its viewer does.

typedef struct fr_picture {
    const void *bytes;   // a picture file (PNG, JPEG, GIF, WebP), or rgba pixels, the top row first
    uint32_t byte_count; // at most FR_PICTURE_MAX_BYTES
    uint32_t width;      // pixels; 0: it is a file
    uint32_t height;
    bool is_repeated_u, is_repeated_v; // beyond 0 .. 1; else the border goes on
} fr_picture;

#define FR_PICTURE_MAX_BYTES (UINT32_C(1) << 22)

typedef struct fr_material {
    fr_color color;   // with how opaque it is; a picture is multiplied with it
    fr_color glow;    // light that it gives by itself; its alpha is not looked at
    bool is_unlit;    // shown in its colour, without light
    uint32_t picture; // index; FR_NONE: none
} fr_material;

// How a mesh looks, wherever it is a part.
typedef struct fr_mesh_look {
    const fr_mesh *mesh;
    uint32_t material;         // index, of triangles without one of their own; FR_NONE: the object's colour
    const uint32_t *materials; // of each triangle, FR_NONE for the one above; NULL: none has one of its own
    const float *uvs;        // 6 a triangle: u to the right and v up at each corner, 0 .. 1 over a picture; NULL: none
    const fr_color *colors;  // 3 a triangle, at its corners, in place of the material's colour; NULL: none
    const uint32_t *normals; // 3 a triangle: the direction in which the shown surface faces at each corner, in the
                             // mesh's frame (fr_direction_pack), FR_DIRECTION_NONE where nothing says it; NULL:
                             // nowhere. A viewer smooths by the bend of the faces then
} fr_mesh_look;

typedef struct fr_looks {
    const fr_picture *pictures;
    uint32_t picture_count;
    const fr_material *materials;
    uint32_t material_count;
    const fr_mesh_look *meshes;
    uint32_t mesh_count;
    const fr_object_id *plain; // objects that are shown in their colour alone, by growing index1
    uint32_t plain_count;
} fr_looks;

// ---------------------------------------------------------------------------------------------------------------
// What moves objects: wishes
//
// Movers say where objects go by themselves; inputs say where people hold them; correctors improve both. All
// make wishes (requested motions) for the end of the step; a later wish for an object replaces an earlier one.
//
// Joints carry their children: a child goes with its parent as one body, and is where its joint's value puts it
// (parent o frame_parent o J(value) o inverse of frame_child; J turns about z, goes along z, or both). A wish for a
// child moves it along its joint, as near as its freedom and limits allow: the corners of its box come nearest to where
// they were wished. The joint's value is written back. A fixed child has no freedom; an attached one is carried, and a
// wish puts it elsewhere on its parent. A child that was put off its joint, by fr_object_set_pose or a new joint, jumps
// back.

typedef enum fr_wish_kind {
    FR_WISH_NEXT,   // goes to `pose` by fr_motion_between about its pivot
    FR_WISH_MOTION, // goes along `motion`, which starts at its pose, to `pose`
    FR_WISH_JUMP,   // is at `pose` at once, without a motion
    FR_WISH_STAY    // does not move
} fr_wish_kind;

typedef struct fr_wish {
    fr_object_id object;
    fr_wish_kind kind;
    fr_pose pose;
    fr_motion motion;
} fr_wish;

// Takes the wishes of a mover or corrector, which needs no memory. FR_ERROR_STALE_ID and the statuses of
// fr_object_set_next and fr_object_set_motion, with nothing taken.
typedef struct fr_wishes fr_wishes;
FR_API fr_status fr_wishes_add(fr_wishes *wishes, const fr_wish *wish, fr_error *error);

// Where all vertices of an object are at the end of the step, as fr_object_set_next_vertices takes them; for one that
// people hold too. They must stay until the tick is over; the last ones count. FR_ERROR_STALE_ID, FR_ERROR_ARGUMENT for
// another number of vertices, FR_ERROR_MEMORY, with nothing taken; vertices that the space refuses end the tick.
FR_API fr_status fr_wishes_deform(fr_wishes *wishes, fr_object_id object, const fr_vec3 *vertices, uint32_t count,
                                  fr_error *error);

// Where all bones of an object are at the end of the step, as fr_object_set_next_bones takes them; for one that people
// hold too. They must stay until the tick is over; the last ones count. FR_ERROR_STALE_ID, FR_ERROR_ARGUMENT for
// another number of bones, FR_ERROR_MEMORY, with nothing taken; bones that the space refuses end the tick.
FR_API fr_status fr_wishes_bones(fr_wishes *wishes, fr_object_id object, const fr_pose *bones, uint32_t count,
                                 fr_error *error);

// Adds an event of handling, or a named one, to those of this tick, after limits and corrections, in the order of the
// calls. Of `event` kind, a, b, value, speed, area, pull, count and point are read, of a named one second and name too.
// FR_ERROR_ARGUMENT for a kind before FR_EVENT_HAND_FIRST, and for the name of a named event that is empty, not
// terminated or no UTF-8; FR_ERROR_STALE_ID where a, or b that is not all zeros, is no object; FR_ERROR_NOT_FINITE;
// FR_ERROR_LIMIT beyond FR_WISHES_MAX_EVENTS in one tick; FR_ERROR_MEMORY; with nothing taken.
#define FR_WISHES_MAX_EVENTS 65536
typedef struct fr_event fr_event; // below
FR_API fr_status fr_wishes_add_event(fr_wishes *wishes, const fr_event *event, fr_error *error);

// What is wished for an object so far in this tick; NULL: nothing.
FR_API const fr_wish *fr_wishes_find(const fr_wishes *wishes, fr_object_id object);

// The input of a mover or corrector.
typedef struct fr_proposal {
    const fr_space *space; // must not be changed; for correctors it is current, with this tick's motions set
    const fr_collide_output *pose_result; // of the tick before; empty at first. Objects may have gone since
    const fr_collide_output *ahead; // for correctors of a world with FR_SENSE_CONTINUOUS: what comes together in this
                                    // step as movers and inputs want it, with intervals; else NULL
    uint64_t tick;                  // ticks taken before this one
    double time;                    // seconds, at its beginning
    double step;                    // seconds
    bool is_paused;                 // time stands still in this tick
} fr_proposal;

// Adds wishes. A status that is not FR_OK ends the tick with it, and nothing is changed.
typedef fr_status fr_propose_fn(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error);

// Moves objects or corrects what moves them. `name` is copied, for messages; NULL or at most FR_WORLD_NAME_MAX_BYTES.
typedef struct fr_corrector {
    const char *name;
    fr_propose_fn *propose;
    void *user;
} fr_corrector;

#define FR_WORLD_MAX_CORRECTORS 16 // and as many movers

// Movers run first, in the order they were added, then inputs, then correctors in order. An object that is held or was
// let go (fr_world_drag) is left alone by movers until fr_world_resume. Removing is by the same function and user.
// FR_ERROR_LIMIT beyond FR_WORLD_MAX_CORRECTORS; none is added or removed during a tick (FR_ERROR_BUSY). Removing what
// was never added is FR_OK.
FR_API fr_status fr_world_add_mover(fr_world *world, const fr_corrector *mover, fr_error *error);
FR_API fr_status fr_world_add_corrector(fr_world *world, const fr_corrector *corrector, fr_error *error);
FR_API fr_status fr_world_remove_corrector(fr_world *world, fr_propose_fn *propose, void *user, fr_error *error);

// Where a person wants an object to be at the end of the next tick: RAW. Where it then is, corrected, is SHOWN. The
// last one before a tick counts. The object is held from now on. Checked at once, as fr_object_set_next.
// FR_ERROR_UNSUPPORTED for one that is static or real.
FR_API fr_status fr_world_drag(fr_world *world, fr_object_id id, const fr_pose *raw, fr_error *error);

// Lets an object go: it stays where it is, or where the last input before the next tick puts it. Nothing to do for one
// that is not held. FR_ERROR_STALE_ID.
FR_API fr_status fr_world_let_go(fr_world *world, fr_object_id id, fr_error *error);

// Gives an object back to its movers and forgets an input that no tick took; all zeros: every object.
// FR_ERROR_STALE_ID.
FR_API fr_status fr_world_resume(fr_world *world, fr_object_id id, fr_error *error);

// Whether a person holds it, or placed it and let it go; free where the id is stale.
typedef enum fr_hold { FR_HOLD_FREE, FR_HOLD_HELD, FR_HOLD_PLACED } fr_hold;
FR_API fr_hold fr_world_hold(const fr_world *world, fr_object_id id);

// ---------------------------------------------------------------------------------------------------------------
// The tick

typedef struct fr_tick_input {
    const fr_tasks *tasks;     // NULL: the calling thread
    const fr_control *control; // may be NULL; stopping makes the sensing partial, never the step
    bool is_paused;            // time stands still: no mover runs and the tick count stays; inputs, correctors, joints,
                               // sensing and events go on
    const fr_exchange *exchange; // ranks that tick equal worlds and share the sensing (collide.h); NULL: there are none
    uint32_t cookie;             // set by fr_default_tick_input
} fr_tick_input;

FR_API fr_tick_input fr_default_tick_input(void);

// One tick: movers, inputs, and joints that carry their children; sensing over the step where that is wanted;
// correctors, joints again, and sensing over the step again if they changed anything; commit; update; sensing at the
// poses that were reached; states, events; snapshot. `input` may be NULL. On failure nothing is committed and inputs
// wait for the next tick, except FR_ERROR_MEMORY while sensing at the poses, or while comparing what was sensed: the
// step was taken then, and the snapshot says partial. A warm tick (no more objects, joints, triangles, contacts and
// events than ever before, and no more snapshots retained) allocates nothing. FR_ERROR_BUSY when called from within a
// tick.
FR_API fr_status fr_world_tick(fr_world *world, const fr_tick_input *input, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Events and snapshots

typedef enum fr_event_kind {
    FR_EVENT_ADDED,       // object a
    FR_EVENT_REMOVED,     // object a, whose id is stale
    FR_EVENT_TOUCH_BEGIN, // a and b begin to touch, cross or contain one another
    FR_EVENT_TOUCH_END,   // they are apart again, or one is gone; never reported only because a sensing was partial.
                          // With FR_SENSE_CONTINUOUS both are reported for a touch that begins and ends in one step
    FR_EVENT_LIMIT,       // object a, the child of a joint, came to a limit of it; value: which, -1 low or 1 high
    FR_EVENT_STATE,       // state `name` of object a became `value`, the last one since the tick before
    FR_EVENT_HELD,        // a person took object a
    FR_EVENT_RELEASED,    // and let it go
    FR_EVENT_CORRECTED,   // object a did not get the wanted pose; value: metres between RAW and SHOWN

    // Events of handling object a, reported by correctors (fr_wishes_add_event): fr_hand_event of hand.h, which says
    // when, and what stands in `speed`, `area`, `pull`, `count` and `point`. b: the other object of CONTACT, SNAP and
    // LOOSE.
    FR_EVENT_CONTACT, // two faces met during the motion
    FR_EVENT_SNAP,    // a face, edge, corner or axis is held from now on; value: degrees of freedom that are left
    FR_EVENT_SLIDE,   // it goes along what holds it
    FR_EVENT_PULL,    // what holds it is about to come off
    FR_EVENT_LOOSE,   // a face came off; value: why, of fr_aid_cause
    FR_EVENT_DONE,    // the hand let go
    FR_EVENT_FITTED,  // a part has come to its mounting place
    FR_EVENT_FORCE,   // on the hand that holds it; value: newtons, 0 at the end

    FR_EVENT_NAMED // whatever an actor has to report of object a, and of b where that is one: `name`, `value`, `second`
} fr_event_kind;

#define FR_EVENT_HAND_FIRST FR_EVENT_CONTACT // kinds from here on are reported by movers and correctors alone
#define FR_EVENT_KIND_COUNT (FR_EVENT_NAMED + 1)

typedef struct fr_event {
    fr_event_kind kind;
    fr_object_id a, b; // b all zeros where there is one object
    uint64_t id;       // of a touch: the same at its begin and end, never used again; else 0
    uint64_t tick;     // ticks taken when it was reported
    double time;       // seconds: of a touch when it was, else the end of the tick
    double fraction;   // of the step that was gone then, 0 .. 1; 1 for all but touches of FR_SENSE_CONTINUOUS
    double value;      // as the kind says; else 0
    double speed;      // metres a second: of handling, as the four below; else 0
    double area;       // square metres
    double pull;       // 0 .. 1
    uint32_t count;    // faces held after it
    fr_vec3 point;     // where it happened, in the world
    double second;     // the second number of FR_EVENT_NAMED; else 0
    char name[FR_WORLD_STATE_NAME_MAX_BYTES + 1]; // of the state that changed, or of FR_EVENT_NAMED; else empty
} fr_event;

// An object in a snapshot.
typedef struct fr_snapshot_object {
    fr_object_id id;
    fr_pose pose;
    fr_versions versions;
    uint32_t flags; // of fr_object_flags
    fr_hold hold;
    uint32_t bone_count;  // 0: it has no skin, or its bones were never set
    const fr_pose *bones; // in the object's frame; NULL: none
} fr_snapshot_object;

// Two objects that touch now. With FR_SENSE_CONTINUOUS a touch lasts from step to step as long as some pair of faces is
// in contact, or one is inside the other at both ends of a step; those that are in contact at the end of the step
// within its tolerance alone, and share no point, are listed too, with FR_RELATION_NEAR.
typedef struct fr_touch {
    fr_object_id a, b;
    uint64_t id;    // as in its events
    uint64_t since; // tick it began
    fr_relation relation;
    size_t first, count; // its pairs in the snapshot; none for a contained one, or one a partial sensing did not reach
} fr_touch;

// Two faces in contact, as they go through the ticks; only with FR_WANT_INTERVALS. Each tick lists the faces that were
// in contact during it, and those whose contact ended as it began. With FR_SENSE_CONTINUOUS the times are those of the
// intervals (begins never late, ends never early), joined where one ends a step and the next begins the one after it;
// else a touch begins at the first instant at which the faces share a point, and ends at the first at which they do
// not.
typedef struct fr_face_touch {
    fr_object_id a, b; // a's index is the lower one; one of them may be gone in the tick that reports the end
    uint32_t triangle_a, triangle_b;
    uint64_t id;   // the same in every tick that lists it, never used again
    double begin;  // seconds of the world
    double end;    // seconds; unknown while it lasts, and never set because a partial sensing missed it
    bool is_new;   // it began in this tick
    uint32_t pair; // in step_result.pairs with FR_SENSE_CONTINUOUS, else in pairs; FR_NONE where it is not among them
} fr_face_touch;

typedef struct fr_tick_stats {
    double ms_movers, ms_correctors, ms_joints, ms_update, ms_collide, ms_events, ms_snapshot, ms_total;
    double ms_collide_step;        // sensing over the step
    fr_collide_stats collide;      // at the poses
    fr_collide_stats collide_step; // of the last sensing over the step
} fr_tick_stats;

// Contacts during a step, as fr_collide_continuous finds them: also objects that passed through and are apart again. A
// pair of faces is identified from step to step by its objects and triangles: fr_face_touch follows it.
typedef struct fr_snapshot_step {
    const fr_face_pair *pairs; // sorted
    size_t pair_count;
    const fr_contact *contacts;         // one a pair; NULL unless wanted
    const fr_touch_interval *intervals; // sorted by pair, then by time
    size_t interval_count;
    double free_time; // nothing comes together before this, 0 .. 1 of the step
} fr_snapshot_step;

// The world after a tick. Never changes. Sorted by id index where nothing else is said.
typedef struct fr_snapshot {
    uint64_t sequence; // one more for every tick, paused ones included
    uint64_t tick;
    double time, step;
    bool is_paused;
    bool is_partial; // the sensing was stopped
    fr_sense sense;
    const fr_snapshot_object *objects;
    size_t object_count;
    const fr_face_pair *pairs; // at the poses of the objects, whatever the sense; sorted
    size_t pair_count;
    const fr_contact *contacts;   // one a pair; NULL unless wanted
    fr_snapshot_step step_result; // on the path to them; all zeros with FR_SENSE_STATIC
    const fr_touch *touches;
    size_t touch_count;
    const fr_face_touch *face_touches; // sorted by indices, triangles and time
    size_t face_touch_count;
    const fr_event *events; // of this tick: added and removed, holds, limits, corrections, handling, states, touches;
                            // each by index, handling in the order of the calls
    size_t event_count;
    fr_tick_stats stats;
} fr_snapshot;

// The newest snapshot, retained for the caller; NULL before the first tick. Only the thread that owns the world may
// call it: between ticks, or inside one, from a mover or a corrector, which gets the snapshot of the tick before. No
// other thread may call it while a tick runs; the owner hands snapshots on. Whoever got one may read and release it
// from any thread at any time, while ticks run and after the world is gone. Release each once.
FR_API const fr_snapshot *fr_world_snapshot(fr_world *world);
FR_API void fr_snapshot_release(const fr_snapshot *snapshot);

// A hash of all that a snapshot says but its times and addresses: equal worlds give equal numbers.
FR_API uint64_t fr_snapshot_hash(const fr_snapshot *snapshot);

// ---------------------------------------------------------------------------------------------------------------
// The log of a run: what its snapshots said, step after step

// A step, or with FR_SENSE_STATIC an instant.
typedef struct fr_step_row {
    uint64_t step;    // from 0
    double time;      // at its beginning, seconds
    uint64_t pairs;   // of faces in contact during it
    uint64_t touches; // pairs of objects: those of the faces, and those inside others that met none
} fr_step_row;

// What one snapshot says about its step.
FR_API fr_step_row fr_snapshot_step_row(const fr_snapshot *snapshot);

// Two objects that touched.
typedef struct fr_touch_span {
    fr_object_id a, b; // either may be gone
    uint64_t id;       // as in its events
    double begin, end; // seconds; unknown where the log began in the middle of it, and while it lasts
} fr_touch_span;

// What a log holds, to read until the next call that changes it.
typedef struct fr_step_log_view {
    bool is_partial; // a sensing was stopped, or budgeted, before its end
    fr_sense sense;  // of the newest snapshot
    double until;    // seconds: everything up to here is in the log
    double
        free_until; // seconds: no faces meet before; of a partial log perhaps beyond `until`, infinite while none met
    const fr_step_row *steps; // a paused tick of FR_SENSE_CONTINUOUS is no step
    size_t step_count;
    const fr_touch_span *touches; // by id
    size_t touch_count;
    const fr_event *changes; // all events but those of touches
    size_t change_count;
    uint64_t colliding;      // steps with pairs
    uint64_t max_pairs;      // of one step
    uint64_t max_pairs_step; // that step, the first of them
    uint64_t begins, ends;   // of touches of objects
    uint64_t contacts;       // of faces, ended or not: only with FR_WANT_INTERVALS
} fr_step_log_view;

typedef struct fr_step_log fr_step_log;

// An empty log. `allocator` may be NULL: the process default. FR_ERROR_MEMORY.
FR_API fr_status fr_step_log_create(const fr_allocator *allocator, fr_step_log **out, fr_error *error);

// NULL is ignored.
FR_API void fr_step_log_destroy(fr_step_log *log);

// Adds the next snapshot of a world. One whose sensing was partial is no step: the log is partial then, and says how
// far nothing meets. FR_ERROR_MEMORY: the log lacks a part of what the snapshot says.
FR_API fr_status fr_step_log_add(fr_step_log *log, const fr_snapshot *snapshot, fr_error *error);
FR_API fr_step_log_view fr_step_log_get(const fr_step_log *log);

// ---------------------------------------------------------------------------------------------------------------
// Record and replay

// From now on every call that changes the world or its space is recorded, ticks included, beginning with what it holds
// now: fr_space_record, with the world's own operations between. NULL ends it. Movers and correctors are not part of a
// record; what they moved is. FR_ERROR_BUSY during a tick. The space has no other recorder meanwhile.
FR_API fr_status fr_world_record(fr_world *world, fr_record_fn *record, void *context, fr_error *error);

// Called after each recorded tick was taken, to read; false ends the replay there, which is no error.
typedef bool fr_replay_fn(fr_world *world, void *context);

// All zeros are the defaults.
typedef struct fr_replay_input {
    const fr_tasks *tasks;     // may be NULL
    const fr_control *control; // may be NULL
    fr_replay_fn *ticked;      // may be NULL
    void *context;             // given to it
} fr_replay_input;

// Applies a record to a world that never had an object or a tick, and may go on afterwards; step, want, sense, margin
// and budget become those of the record. No mover is called. After each tick the snapshot has the hash that it had when
// it was recorded, else FR_ERROR_CORRUPT; a tick whose sensing was stopped then is not compared. Checked in full: a
// malformed record is a status with the byte its operation begins at, and what came before stands. A tick costs what
// its sensing costs, which `control` can stop (FR_ERROR_STOPPED); all other memory is bounded as by fr_space_replay.
// `input` may be NULL.
FR_API fr_status fr_world_replay(fr_world *world, const void *bytes, size_t size, const fr_replay_input *input,
                                 fr_error *error);

#ifdef __cplusplus
}
#endif

#endif
