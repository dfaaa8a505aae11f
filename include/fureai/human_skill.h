// Fureai human: skills (parameterised motions of people: walk, reach, sit, wave) and the performer, one body that uses
// them (motion synthesis).
//
// A skill is a row of one table: its name, the fields that it asks for, and two functions, `init` and `step`. It is
// given the body's posture and gives the posture of the next frame, how important each link of it is, and what happened
// (events). A performer has one body, runs the skills of its tasks and makes one motion of them (fr_fusion).
// Headings are angles about +Y from +Z, radians, left positive.
#ifndef FUREAI_HUMAN_SKILL_H
#define FUREAI_HUMAN_SKILL_H

#include "human_fusion.h"
#include "human_reach.h"
#include "human_walk.h"
#include "space.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------
// Fields: the parameters of skills

#define FR_MAX_SKILL_POSES 256u
#define FR_MAX_SKILL_WORD 31u // bytes
#define FR_MAX_SKILL_FRAMES FR_WALK_MAX_FRAMES

// Which fields are given. A skill needs some of them, takes others and passes over the rest.
#define FR_FIELD_TARGET (1u << 0)
#define FR_FIELD_OBJECT (1u << 1)
#define FR_FIELD_GOAL (1u << 2)
#define FR_FIELD_HEADING (1u << 3)
#define FR_FIELD_SIDE (1u << 4)
#define FR_FIELD_CLIP (1u << 5)
#define FR_FIELD_POSTURE (1u << 6)
#define FR_FIELD_WEIGHTS (1u << 7)
#define FR_FIELD_VALUE (1u << 8)
#define FR_FIELD_POSES (1u << 9)
#define FR_FIELD_WORD (1u << 10)
#define FR_FIELD_DIAMETER (1u << 11)
#define FR_FIELD_FRAMES (1u << 12)
#define FR_FIELD_SPEED (1u << 13)
#define FR_FIELD_COUNT 14u

// The name of one field, as commands write it: "target", "goal" and so on; NULL for no single known bit.
FR_API const char *fr_skill_field_name(uint32_t field);

// Which arm or foot; FR_SIDE_NEAREST leaves the choice to the skill.
typedef enum fr_skill_side { FR_SIDE_NEAREST, FR_SIDE_RIGHT, FR_SIDE_LEFT } fr_skill_side;

// The fields of all skills. Only those named in `given` are read; zeros are a definition without fields. Pointers are
// borrowed: fr_performer_begin copies what they point to (a clip it retains).
typedef struct fr_skill_fields {
    uint32_t given;            // FR_FIELD_ bits
    fr_pose target;            // frame of what is acted on: origin on its surface; of a panel z points outward, of a
                               // seat the origin is the middle of its surface and z is where the sitter faces
    fr_object_id object;       // the object of the target; events name it
    fr_pose goal;              // where to: of a walk the place of the hips, of a hand the palm
    double heading;            // to face in the end
    fr_skill_side side;        // default FR_SIDE_NEAREST
    const fr_clip *clip;       // the motion to play; of a reach how the body moves meanwhile, in the world
    const fr_posture *posture; // the posture to go to
    const double *weights;     // posture->count + 1: how important each link and the place of that posture are, as in
                               // fr_weighted_posture; 0: this link has no goal
    double value;              // a lever's goal, a meter's reading, seconds that a palm stays
    const fr_pose *poses;      // several: points on the path, keys
    uint32_t pose_count;       // 1 .. FR_MAX_SKILL_POSES
    char word[FR_MAX_SKILL_WORD + 1]; // which of several, such as the gesture "nod"
    double diameter;                  // of what is gripped, metres, over 0
    uint32_t frames;                  // of the whole motion; 0 and not given: as long as is natural
    double speed;                     // of the motion, metres a second, over 0
} fr_skill_fields;

// ---------------------------------------------------------------------------------------------------------------
// Skill: one row of the table

// What an object is called in messages; NULL or "": it has no name.
typedef const char *fr_object_name_fn(fr_object_id object, void *context);

// What a skill sees in one frame. All of it is read only but `walk`, which is the performer's.
typedef struct fr_skill_input {
    const struct fr_skill *skill; // the row itself
    const fr_skeleton *skeleton;
    const fr_figure *figure;        // whose rigid pieces must stay clear of objects; NULL: nothing is looked at
    const fr_skill_fields *fields;  // checked: numbers are finite, poses and turns are unit, frames within bounds
    fr_posture body;                // as it was after the last frame, all skills fused; not to be written
    fr_pose target;                 // of the fields, or where the target is now
    uint32_t frame;                 // 1 in the first step; 0 in init
    uint32_t frames;                // how many the task has; 0: until it is stopped. In init the fields' or 0
    double rate;                    // frames a second
    uint64_t person;                // a seed: which person this is
    fr_walk *walk;                  // of the body; NULL: it cannot walk
    bool is_walking;                // the body's last frame was the walk's: fr_walk_go goes on from it
    const fr_space *space;          // the world; may be NULL: no obstacles
    const fr_query_filter *filter;  // leaves out the body's own proxies and what it holds; may be NULL
    bool has_planned_path;          // of fr_performer_input
    fr_object_name_fn *object_name; // for messages; NULL: objects are called by their numbers
    void *object_name_context;
} fr_skill_input;

#define FR_MAX_SKILL_EVENTS 8u // of one skill in one frame
#define FR_MAX_EVENT_NAME 31u  // bytes

// What happened in a frame: "grasp", "press", "seen".
typedef struct fr_skill_event {
    uint64_t task; // its id; set by the performer
    char name[FR_MAX_EVENT_NAME + 1];
    fr_object_id object; // all zeros: none
    double numbers[2];   // a value, or where on a panel
} fr_skill_event;

typedef struct fr_skill_output {
    fr_posture posture; // on entry that of the skill's last frame (at first the body's); the next one on return
    double *weights;    // posture.count + 1, as in fr_weighted_posture; on entry those of the last frame, at first 0
    fr_skill_event events[FR_MAX_SKILL_EVENTS];
    uint32_t event_count; // 0 on entry
    bool is_done;         // false on entry; true: this is the last frame
} fr_skill_output;

// The memory of a skill between frames: plain, copied with memcpy, hashed byte by byte (all bytes are 0 before init),
// without a pointer that it owns.
typedef struct fr_skill_state {
    void *bytes;    // state_bytes of the row, aligned as a double is
    fr_quat *turns; // state_turns of the row times the skeleton's links
} fr_skill_state;

// Begins at input->body. Sets *frames to how many frames the motion takes (input->frames where given) or to 0: until it
// is stopped. Fails with a sentence that says why the body cannot do it: what is missing, how far out of reach, which
// obstacle; then it has changed nothing. Only a walk may take memory, its own.
typedef fr_status fr_skill_init_fn(const fr_skill_input *input, const fr_skill_state *state, uint32_t *frames,
                                   fr_error *error);

// Goes on by one frame. Fails where it cannot go on; the task ends then. Takes no memory.
typedef fr_status fr_skill_step_fn(const fr_skill_input *input, const fr_skill_state *state, fr_skill_output *output,
                                   fr_error *error);

typedef struct fr_skill {
    const char *name;
    const char *words;    // one sentence
    uint32_t needs;       // FR_FIELD_ bits that must be given
    uint32_t takes;       // that may be given beside
    bool has_walk;        // it moves the body's walk: one task at a time does
    bool may_read_walk;   // it reads how the body stands from its walk, where it has one
    bool may_read_space;  // it looks at shapes of the space, for a body with a figure
    const char *partner;  // the skill that another person does at the same time; NULL: it takes one person
    size_t state_bytes;   // of its state
    uint32_t state_turns; // arrays of one turn a link in its state
    fr_skill_init_fn *init;
    fr_skill_step_fn *step;
} fr_skill;

// The rows in alphabetical order, below fr_skill_count; or by name, NULL for none.
FR_API uint32_t fr_skill_count(void);
FR_API const fr_skill *fr_skill_at(uint32_t index);
FR_API const fr_skill *fr_skill_find(const char *name);

// ---------------------------------------------------------------------------------------------------------------
// Performer: one body at its skills

#define FR_MAX_TASKS 16u             // of one performer at a time
#define FR_MAX_PERFORMER_EVENTS 32u  // in one frame
#define FR_PERFORMER_MIN_RATE 1.0    // frames a second
#define FR_PERFORMER_MAX_RATE 1000.0 // likewise

// One thread at a time; performers side by side on any number of threads.
typedef struct fr_performer fr_performer;

typedef struct fr_performer_def {
    const fr_skeleton *skeleton; // retained
    const fr_walk_set *walk_set; // of the same skeleton and rate, retained; NULL: the body cannot walk
    const fr_figure *figure;     // of the same skeleton, retained. Skills of arms keep its rigid pieces clear of what
                                 // is in the space; NULL: they do not look
    const fr_posture *posture;   // at first, at rest; NULL: as it stands by its walk set, else the skeleton's rest
    uint64_t person;             // a seed: which person this is; default 0
    double variety;              // how much people differ, as of fr_walk_def; default 0
    double rate;                 // frames a second, FR_PERFORMER_MIN_RATE .. FR_PERFORMER_MAX_RATE; default 60
    fr_allocator allocator;      // default: the process default
    uint32_t cookie;             // set by fr_default_performer_def
} fr_performer_def;

FR_API fr_performer_def fr_default_performer_def(void);

// FR_ERROR_ARGUMENT for a walk set or figure of another skeleton or rate, a rate or variety out of its range;
// FR_ERROR_NOT_FINITE for a posture that fr_posture_check refuses; FR_ERROR_MEMORY.
FR_API fr_status fr_performer_create(const fr_performer_def *def, fr_performer **out, fr_error *error);
FR_API void fr_performer_destroy(fr_performer *performer);

// A skill with its parameters and its start.
typedef struct fr_task {
    uint64_t id; // the caller's, of no two tasks of the performer at once
    const fr_skill *skill;
    fr_skill_fields fields;
    uint32_t start; // frames from now before it begins
    bool is_blind; // the skill sees no shapes, neither the performer's figure nor the space, as in a program that knows
                   // neither; default false
} fr_task;

// Where the target of a task is in this frame.
typedef struct fr_task_target {
    uint64_t task; // its id; of no task: passed over
    fr_pose target;
} fr_task_target;

// The world as the performer sees it in this frame. Zeros: an empty world, targets where they were.
typedef struct fr_performer_input {
    const fr_space *space;         // may be NULL
    const fr_query_filter *filter; // leaves out the body's own proxies and what it holds; may be NULL
    bool has_planned_path;         // walks do not look for obstacles: the caller has planned their paths
    const fr_task_target *targets; // of tasks whose target has moved
    uint32_t target_count;
    fr_object_name_fn *object_name; // for messages of refusals; NULL: objects are called by their numbers
    void *object_name_context;
} fr_performer_input;

// Begins tasks, 1 .. FR_MAX_TASKS, which are fused where they overlap. `begin` ends all others, `add` lets them go on.
// Each begins at the body's posture and velocity of its first frame. A body that is left in mid-stride takes the steps
// that it needs to stand, unless a task cares for its place. A task that moves the body's walk ends the one that did.
// Tasks with start 0 are looked at now: FR_ERROR_ARGUMENT for a field that is missing or out of its range (which), an
// id twice or two walks that begin in one frame, FR_ERROR_NOT_FINITE for a field that is not, FR_ERROR_LIMIT for too
// many tasks, FR_ERROR_MEMORY, and what their skills refuse; then nothing has changed. `input` may be NULL.
FR_API fr_status fr_performer_begin(fr_performer *performer, const fr_task *tasks, uint32_t count,
                                    const fr_performer_input *input, fr_error *error);
FR_API fr_status fr_performer_add(fr_performer *performer, const fr_task *tasks, uint32_t count,
                                  const fr_performer_input *input, fr_error *error);

// Ends a task; the body goes on from its posture and velocity. False for no such task.
FR_API bool fr_performer_stop(fr_performer *performer, uint64_t task);

// Why a task ended.
typedef enum fr_task_reason {
    FR_TASK_DONE,     // its skill said so, or its frames are over
    FR_TASK_REPLACED, // another task moves the body's walk now
    FR_TASK_FAILED    // its skill could not begin, or not go on
} fr_task_reason;

#define FR_MAX_TASK_MESSAGE 191u // bytes

typedef struct fr_task_end {
    uint64_t task; // its id
    fr_task_reason reason;
    fr_status status;                      // of what failed, else FR_OK
    char message[FR_MAX_TASK_MESSAGE + 1]; // why, one sentence; "" where nothing failed
} fr_task_end;

// What a frame gave.
typedef struct fr_performer_output {
    fr_posture posture; // a view of the performer's, valid until its next call
    fr_skill_event events[FR_MAX_PERFORMER_EVENTS];
    uint32_t event_count; // those beyond are lost
    fr_task_end ends[FR_MAX_TASKS];
    uint32_t end_count; // tasks that are over with this frame
} fr_performer_output;

// Goes on by one frame of 1 / rate seconds. A task whose skill fails ends, and the rest goes on. A body without a task
// comes to rest and keeps its posture. It takes no memory but for a walk that begins later than its list. `input` may
// be NULL. FR_ERROR_ARGUMENT or FR_ERROR_NOT_FINITE for a target; then nothing has changed.
FR_API fr_status fr_performer_step(fr_performer *performer, const fr_performer_input *input,
                                   fr_performer_output *output, fr_error *error);

// Puts the body into a posture, at rest, and ends all tasks. Fails as fr_fusion_put.
FR_API fr_status fr_performer_put(fr_performer *performer, const fr_posture *posture, fr_error *error);

// What a performer holds, to read until its next call.
typedef struct fr_performer_view {
    const fr_skeleton *skeleton;
    const fr_walk_set *walk_set; // NULL: it cannot walk
    const fr_figure *figure;     // NULL: it looks at no shapes
    fr_posture posture;          // of the body
    double rate;                 // frames a second
    uint64_t frame;              // steps since it was made
    uint32_t task_count;         // that wait or run
    uint32_t endless_count;      // of those: that run until they are stopped
    const fr_walk *walk;         // that the body is in; NULL: none
    uint64_t person;             // of its definition
    double variety;              // likewise
} fr_performer_view;

FR_API fr_performer_view fr_performer_get(const fr_performer *performer);

// A hash of the body, its tasks and all that they remember.
FR_API uint64_t fr_performer_hash(const fr_performer *performer);

// ---------------------------------------------------------------------------------------------------------------
// Clips of the demonstration (Ichiguchi 5.1), made by code for a body of any size

typedef enum fr_made_clip {
    FR_MADE_DOOR,  // opens a door before the body, walks through, closes it behind and goes on
    FR_MADE_SIT,   // sits down on a chair behind the body
    FR_MADE_DRINK, // drinks from what the right hand holds; weights of that arm and the head alone
    FR_MADE_TAP,   // turns a tap with the left hand; weights of that arm, its fingers and the trunk alone
    FR_MADE_CLIP_COUNT
} fr_made_clip;

// A clip by its name: "door", "sit", "drink", "tap"; FR_MADE_CLIP_COUNT for none.
FR_API fr_made_clip fr_made_clip_find(const char *name);

// Makes a clip with one reference at the frame rate of the set, for mocap_play: the body stands at the origin at first
// and faces +Z. In leg lengths, the hinge of the door is 0.444 left and 0.46 before the body, its knob 0.81 from the
// hinge and 1.11 high, and the door opens away from the body; the chair is 0.61 behind, 0.49 high; the tap is 0.1 left,
// 1.11 high, 0.5 before. An allocator of zeros is the process default. FR_ERROR_ARGUMENT for a body that lacks an arm,
// FR_ERROR_MEMORY.
FR_API fr_status fr_clip_create_made(const fr_walk_set *set, fr_made_clip which, const fr_allocator *allocator,
                                     fr_clip **out, fr_error *error);

#ifdef __cplusplus
}
#endif

#endif
