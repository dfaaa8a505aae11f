// The inside of the director.
#ifndef FUREAI_ACT_DIRECTOR_PRIVATE_H
#define FUREAI_ACT_DIRECTOR_PRIVATE_H

#include "act/floor.h"
#include "act/trajectory.h"

#include "fureai/act_director.h"
#include "fureai/act_mechanism.h"

// How a palm comes to the place where an object is gripped.
typedef enum fr__director_grasp {
    FR__GRASP_NONE,   // the goal is given
    FR__GRASP_BEFORE, // against the outward direction of the place
    FR__GRASP_BESIDE, // from the side of the hand, fingers forward, as round a cup
    FR__GRASP_TOOL    // so that a frame of what it holds comes there
} fr__director_grasp;

// A motion that is being made into tasks.
typedef struct fr__director_source {
    const fr_command *command;
    const fr_class_view *c;        // NULL: none
    const fr_class_motion *motion; // NULL: the name is that of a skill
    const fr_class_skill *own;     // of the motion; NULL likewise
    const fr_skill *skill;
    bool looks;     // the skill looks at the shapes of the world
    bool is_person; // the object of the command is a person
} fr__director_source;

// A program that carries out a skill, and what it is given; all in the arena of the list.
typedef struct fr__director_program {
    const char *name; // NULL: the library carries it out
    const char *data; // NULL: none
    const fr_plug_in_parameter *parameters;
    uint32_t parameter_count;
} fr__director_program;

// One task of a stage: a skill of the person.
typedef struct fr__director_task {
    fr__director_program program;
    fr_plug_in *plug_in;   // that does it now; NULL: none
    uint32_t shown_frames; // of the plug-in when it was last shown what moved
    bool is_over;          // its end was reported
    const fr_skill *skill;
    fr_skill_fields fields;   // target and poses in the object's frame; a clip is retained
    uint32_t start;           // frames after the stage began
    bool is_goal_local;       // the goal is in the object's frame; target and poses always are, where there is one
    fr__director_grasp grasp; // how the palm comes to the target, which is its goal then
    double grip_diameter;     // of what it comes to, metres
    const char *tool;         // of TOOL: the frame of what is held; in the arena of the list
    double turn, lift;        // of TOOL: radians about the axis of the place, and metres along it
    bool is_spot;             // of TOOL: the place is a free spot of the surface about the target
    fr_object_id object;      // all zeros: none
    uint32_t bone1;           // of the person that the object is, as of fr_person_task; 0: none was named
    bool is_blind;            // the skill sees no shapes and no course: a program does it, or as one would
    double patience;          // seconds that it waits for another person who is busy; 0: it does not wait
} fr__director_task;

FR_ARRAY_TYPE(fr__director_task_array, fr__director_task);

// A motion of a command: with which object, and what that does meanwhile.
typedef struct fr__director_motion {
    char name[FR_CLASS_NAME_MAX_BYTES + 1];
    fr_class *c;                  // retained; NULL: none
    fr_object_id object;          // all zeros: none
    const fr_object_skill *skill; // of the object; NULL: it does nothing
    fr__director_program program; // in place of `skill`
    double threshold;             // of fr_object_input; 0: the usual one
    double size;                  // likewise
    bool has_knob;                // what is held of it, in its own frame
    fr_vec3 knob;
    fr_pose surface;   // what is pressed of it, in its own frame
    const char *after; // event of the person after which `skill` begins; NULL: at once. In the arena of the list
    bool is_afforded;  // it is a motion of the class, in some state of the object
} fr__director_motion;

#define FR__DIRECTOR_MAX_HELD 16u // objects of one person at a time

#define FR__DIRECTOR_MAX_REPORTS 8u

// An event of an object that was reported: the hash of its name, and whether the person saw it or the object.
typedef struct fr__director_report {
    uint64_t name;
    bool is_of_person;
} fr__director_report;

// An object that a person has claimed: its skill runs in every tick, for as long as a motion needs it, and while it is
// in the person's hand.
typedef struct fr__director_held {
    fr_object_id object;
    const fr_object_skill *skill;
    fr_object_state state;
    double threshold, size;
    bool has_knob;
    fr_vec3 knob;
    fr_pose surface;
    fr__director_report reports[FR__DIRECTOR_MAX_REPORTS]; // of this motion
    uint32_t report_count;
    bool is_of_list; // the first list of the person moves it
    bool is_failed;  // its program cannot go on: it is let go before the next tick
    bool is_dropped; // it was released: it is let go before the next tick, and falls
    fr_wish wish;    // of the tick at hand
    bool has_wish;
    fr_wish before; // of the tick before, which people whom programs move show
    bool had_wish;
    const char *waits_for;                       // event of the person before which its skill does nothing; NULL: none
    fr_plug_in *plug_in;                         // that is its skill; NULL: the library's
    char program[FR_PLUG_IN_NAME_MAX_BYTES + 1]; // of the plug-in
} fr__director_held;

// A command that was accepted: stages one after another, each of tasks that are fused.
typedef struct fr__director_list {
    uint64_t ticket;
    fr_arena *arena; // of all that it points to
    fr__director_task *tasks;
    uint32_t *ends; // behind the last task of each stage
    uint32_t stage_count;
    uint32_t stage; // that is done now or comes first
    fr__director_motion *motions;
    uint32_t motion_count;
    uint64_t meeting;            // that it belongs to; 0: none
    bool is_approach;            // to that meeting: its end is no end of a command
    bool is_step;                // of the goal that the next list pursues: likewise
    struct fr__pursuit *pursuit; // of a goal; NULL: the list is none. In the arena of the list
} fr__director_list;

FR_ARRAY_TYPE(fr__director_list_array, fr__director_list);
FR_ARRAY_TYPE(fr__director_end_array, fr_command_end);

// How a person goes about among others.
typedef struct fr__director_walker {
    uint32_t index; // of the person
    double radius;  // of its body, metres
    fr__trajectory trajectory;
    bool is_new;       // the trajectory has changed since those of others were compared with it
    bool is_walking;   // it was in a walk after its last step
    bool has_left;     // it was off its trajectory then
    bool is_aside;     // it leaves the path of another
    bool is_searching; // its path needs a search, which few have in one tick
    bool is_halted;    // its walk was stopped before its goal, and goes on when it can
    uint32_t task;     // of the first list: the walk that was stopped
    uint64_t waiting;  // tick since when its walk waits, and 1; 0: it does not
    uint64_t retry;    // tick in which it is tried next
    uint64_t yields;   // until this tick it stands aside for a person
    uint32_t yields_to;
    char blocker[FR_PERSON_NAME_MAX_BYTES + 1]; // the person that blocked its path last
} fr__director_walker;

// What a person does together with another, who has the same number and the other role. Zeros: nothing.
typedef struct fr__director_meeting {
    uint64_t id;        // 0: none
    uint32_t partner;   // index of the other
    bool is_first;      // it has proposed the meeting
    bool is_begun;      // both have begun, in the same tick
    bool is_broken;     // the other broke it off, for `reason`
    bool has_changed;   // what was given is the other's
    uint64_t start;     // the tick that both have agreed on, and 1; 0: not yet
    fr_side side;       // of the hand
    fr_pose goal;       // of the skill
    double ratio;       // of the other's hand to the own
    fr_object_id thing; // that changes hands; all zeros: none
    fr_pose underside;  // of the thing, in the palm of who gives it
    char reason[FR_COMMAND_END_MAX_BYTES + 1];
} fr__director_meeting;

typedef struct fr__director_person {
    fr_person *person;
    fr__director_meeting meeting;
    const fr_person *with; // whose body is no obstacle now; NULL: none
    uint64_t patience;     // tick until which it waits for one who is busy, and 1; 0: it does not wait
    fr__director_walker walker;
    fr__director_list_array lists; // the one at `first` is done, those behind it wait
    size_t first;
    bool is_begun;   // the stage of the first list has begun
    bool is_over;    // the first list is: `end_status` and `reason` say how
    bool is_stopped; // all is to end before the next tick
    fr_status end_status;
    uint64_t done, failed;
    char reason[FR_COMMAND_END_MAX_BYTES + 1]; // of the last one that failed
    fr__director_held held[FR__DIRECTOR_MAX_HELD];
    uint32_t held_count;
    uint32_t palm;          // turn of the palm that the stage is begun with
    uint32_t away;          // ticks for which the body is still another's; 0: the director moves it
    fr_object_id falling;   // that was dropped: it is given to the hands of the cast; all zeros: none
    fr_object_id piece;     // one of its own body; all zeros: it has none
    fr_object_id loose;     // that was dropped and does not meet the body for a while; all zeros: none
    fr_filter loose_filter; // that it has else
    uint64_t loose_until;   // tick
    bool is_new;            // what its step of the tick at hand gave is not looked at yet
    fr_status status;       // of that step
    char notice[FR_WORLD_STATE_NAME_MAX_BYTES + 1]; // an event that comes with the next tick; "": none
    double notice_value;
    fr_object_id notice_object;
} fr__director_person;

typedef struct fr__director_object {
    fr_object_id object;
    fr_class *c;    // retained
    fr_pose before; // where programs were shown it last
} fr__director_object;

FR_ARRAY_TYPE(fr__director_object_array, fr__director_object);
FR_ARRAY_TYPE(fr__director_shown_array, fr_plug_in_object);

// A body that tries a walk before a person goes it.
typedef struct fr__director_scout {
    const fr_walk_set *walk_set; // retained by the performer
    fr_performer *performer;
} fr__director_scout;

FR_ARRAY_TYPE(fr__director_scout_array, fr__director_scout);

#define FR__DIRECTOR_TRIES 8u // walks that are tried in one tick

// A walk that was planned ahead of its try.
typedef struct fr__director_trial {
    const fr__director_person *person;
    fr_task task;
    fr__director_scout scout; // which planned it; it is in the posture from which the walk begins
    fr__trajectory trajectory;
    bool is_made; // the walk could be planned, and was not used yet
} fr__director_trial;

struct fr_director {
    fr_director_def def;
    fr_world *world;
    fr_allocator allocator;
    fr_mechanism *mechanism;   // the states of the objects
    struct fr__offers *offers; // of those without a class; NULL: none
    bool is_planning;          // a chain of motions is searched: classes stay as they are
    fr__director_person **people;
    uint32_t person_count, person_capacity;
    fr__director_object_array objects; // by growing index1
    fr__director_end_array ends;       // to be taken by fr_cast_ended
    double until_refresh;              // seconds until the library is looked at again
    size_t next_end;                   // of those that is taken next
    uint32_t command_count;            // lists of all people
    uint64_t tick;                     // of those that were taken
    fr__floor *floor;                  // NULL: no person has walked yet
    uint64_t refreshed;                // tick of its last refresh, and 1
    uint64_t floor_version;            // that trajectories were compared with
    fr__director_scout_array scouts;   // one for each walk set
    uint32_t turn;                     // the person whose list goes on first in the next tick
    uint32_t tries;                    // walks that were tried in this tick
    uint32_t searcher;                 // who searches in this tick; FR_NONE: the first who needs it
    fr_byte_array in_hand;             // 1 by the index of an object that a hand holds
    fr__trajectory trial;              // scratch
    fr__director_trial trials[FR__DIRECTOR_TRIES];
    uint32_t trial_count;           // of this tick
    fr__floor_path path;            // of the walk that begins
    uint32_t path_task;             // whose path it is; FR_NONE: none
    uint64_t meetings;              // that were agreed on
    fr__director_shown_array moved; // objects that moved, as programs are shown them
    fr__director_shown_array all;   // all of them
    // What `affords` has said last.
    fr_affordance affordance;
    fr_affordance_field fields[8];
};

// The class of an object; NULL: it has none.
fr_class *fr__director_class(const fr_director *d, fr_object_id object);

// The same, as its file in the library is now; a file that is wrong leaves the class as it was. Of one without a class
// what its surfaces offer to a person (NULL: the first).
fr_class *fr__director_new_class(fr_director *d, const fr__director_person *person, fr_object_id object);

// The list that a person does or does next, and how many it has.
fr__director_list *fr__director_first(const fr__director_person *person);
size_t fr__director_list_count(const fr__director_person *person);

// The person of a name, or NULL.
fr__director_person *fr__director_find_person(const fr_director *d, const char *name);

// Makes the list of a command: what each motion's class says, with the fields of the command. Free it with
// fr__director_list_end. Refuses as fr_director_actor says.
fr_status fr__director_list_make(fr_director *d, const fr__director_person *person, const fr_command *command,
                                 fr__director_list *out, fr_error *error);
void fr__director_list_end(fr_director *d, fr__director_list *list);

// Refuses a parameter that nothing of a motion (NULL: of the skill of the command's name) reads, with the one that may
// be meant. A program takes whatever is given.
fr_status fr__director_check_parameters(const fr_director *d, const fr_command *command, const fr_class_motion *motion,
                                        fr_error *error);

// The first list of a person is over, between ticks: with FR_OK done, else for this reason. Its claims end.
fr_status fr__director_end_list(fr_director *d, fr__director_person *person, fr_status status, const char *reason,
                                fr_error *error);

// All lists of a person end for a reason.
fr_status fr__director_end_all(fr_director *d, fr__director_person *person, fr_status status, const char *reason,
                               fr_error *error);

// A clip for a person: one that is made by code, by its name, else a file in the folder of a class; release it.
// FR_ERROR_UNSUPPORTED without a library, FR_ERROR_FILE, and the errors of reading it.
fr_status fr__director_load_clip(const fr_director *d, const char *class_name, const char *path,
                                 const fr__director_person *person, fr_clip **out, fr_error *error);

// The objects of the first list become the person's, between ticks; all of them or none. FR_ERROR_BUSY names who has
// one.
fr_status fr__director_claim(fr_director *d, fr__director_person *person, fr_error *error);

// A person joins those who go about; its radius is known then. Leaving frees what it has.
fr_status fr__director_join(fr_director *d, fr__director_person *person, fr_error *error);
void fr__director_part(fr__director_person *person);

// A person stands at its first place again.
fr_status fr__director_rejoin(fr_director *d, fr__director_person *person, fr_error *error);

// Before all lists of a tick: where all people are going to be; one that would meet a person who was not there before,
// or something, stops.
fr_status fr__director_watch(fr_director *d, fr_error *error);

typedef enum fr__director_ready { FR__READY, FR__NOT_YET, FR__NEVER } fr__director_ready;

// Whether the walk of the stage that comes next can begin, by d->path; not yet while people block it; never, with
// a sentence that names what blocks it, or without memory. A stage without a walk is ready.
fr__director_ready fr__director_clear_walk(fr_director *d, fr__director_person *person, fr_error *error);

// A walk that was stopped goes on where it can; with FR__NEVER the list ends.
fr__director_ready fr__director_walk_on(fr_director *d, fr__director_person *person, fr_error *error);

// Compares where a person is after its step with its trajectory; people side by side.
void fr__director_see_walk(fr__director_person *person, uint64_t tick);

uint64_t fr__director_hash_walker(const fr__director_walker *walker, uint64_t hash);

// What a person has begun is known to those who look ahead.
fr_status fr__director_note_trajectory(fr_director *d, fr__director_person *person, fr_error *error);

#define FR__ASIDE_TASK UINT64_MAX // the id of the walk of who steps aside

// Where a person is, and how near the middles of two may come.
fr_vec3 fr__director_place(const fr__director_person *person);
double fr__director_apart(const fr__director_person *a, const fr__director_person *b);

// The trajectory of a walk that is only tried, into d->trial; and a person that a trajectory meets before a tick, or
// NULL.
fr_status fr__director_try_walk(fr_director *d, const fr__director_person *person, const fr_task *task,
                                fr_error *error);
fr__director_person *fr__director_meets(const fr_director *d, const fr__director_person *person,
                                        const fr__trajectory *trajectory, uint64_t to);

// Plans the walks that are likely to be tried in this tick, side by side; `turn`: the person whose list goes on first.
void fr__director_try_ahead(fr_director *d, uint32_t turn);
void fr__director_free_trials(fr_director *d);

// The task of the walk that a person is likely to try in this tick, and the list that it is of; FR_NONE: none.
uint32_t fr__director_next_walk(const fr_director *d, const fr__director_person *person,
                                const fr__director_list **list);

// The body that tries the walks of a person.
fr_status fr__director_find_scout(fr_director *d, const fr__director_person *person, fr_performer **out,
                                  fr_error *error);

// Those who stand on the path d->path of a person to a goal are called on to step aside; the first of them, or NULL.
fr__director_person *fr__director_clear(fr_director *d, fr__director_person *person, fr_vec3 goal);

// The task of a stage as the person takes it; of the walk with d->path.
fr_person_task fr__director_person_task(const fr_director *d, const fr__director_list *list, uint32_t task);

// The first task of the stage that is done now or comes next.
uint32_t fr__director_stage_first(const fr__director_list *list);

// The first list is over: what is not in the person's hand is let go. `is_all`: what is in its hand too.
void fr__director_let_go(fr_director *d, fr__director_person *person, bool is_all);

// What a live person or another program took away is no more the person's; true, with the reason, where the first list
// needs it.
bool fr__director_lose(fr_director *d, fr__director_person *person, char *reason, size_t size);

// What was released falls, where the hands of the cast let things fall.
void fr__director_drop(fr_director *d, fr__director_person *person);

// One frame of the skills of the person's objects, after its own; then what they wish.
fr_status fr__director_step_objects(fr_director *d, fr__director_person *person, fr_error *error);
fr_status fr__director_wish_objects(const fr_director *d, const fr__director_person *person, fr_wishes *wishes,
                                    fr_error *error);

#define FR__DIRECTOR_PALMS 9u       // turns of a palm that are tried one after another
#define FR__DIRECTOR_HEIGHTS 5u     // heights at which a palm is tried that grips from beside, each in all turns
#define FR__DIRECTOR_PASS_PALMS 24u // likewise, of a palm that meets something on a walk

// Where the palm of a body with its shoulders there (right, left) must be so that it grips what is at a place, whose z
// is outward, in the turn of that index; *side is chosen where it is the nearest.
fr_pose fr__director_palm(const fr_skeleton *skeleton, const fr_vec3 shoulders[2], const fr__director_task *task,
                          const fr_pose *place, uint32_t index, fr_skill_side *side);

// The same of a body that stands still, by the number of the try: what is gripped from beside may be gripped higher up.
fr_pose fr__director_still_palm(const fr_skeleton *skeleton, const fr_vec3 shoulders[2], const fr__director_task *task,
                                const fr_pose *place, uint32_t index, fr_skill_side *side);

// How many tries there are.
static inline uint32_t fr__director_palm_tries(const fr__director_task *task) {
    return FR__DIRECTOR_PALMS * (task->grasp == FR__GRASP_BESIDE ? FR__DIRECTOR_HEIGHTS : 1);
}

#define FR__DIRECTOR_ALL_PALMS (FR__DIRECTOR_PALMS * FR__DIRECTOR_HEIGHTS)
#define FR__DIRECTOR_LEAN 0.6 // radians by which a body leans that reaches, as of the skill ik_reach

// Palms that may come to the same place, and of which try each is.
typedef struct fr__director_palms {
    fr_pose goals[FR__DIRECTOR_ALL_PALMS];
    uint32_t tries[FR__DIRECTOR_ALL_PALMS];
    uint32_t count;
} fr__director_palms;

// The first palm that comes there, and from where the hand closes round the object where it is to: of the palms
// out->goal. Those that do not grip are taken out; none is left where no palm grips. `input` needs no goals.
fr_status fr__director_find_palm(const fr__director_person *person, fr_reach_plan_input *input, bool is_for_grasp,
                                 fr__director_palms *palms, fr_reach_plan_output *out, fr_error *error);

// The try after person->palm that comes to what the stage of a list grips; `tries`: none does.
uint32_t fr__director_next_palm(fr_director *d, const fr__director_person *person, const fr__director_list *list,
                                uint32_t tries);

// Whether an open hand of a body whose palm is there gets round what is in it.
bool fr__director_can_grip(const fr__director_person *person, const fr_posture *posture, fr_side side,
                           const fr_pose *palm);

// The same where it comes to rest a little higher or lower.
bool fr__director_grips_well(const fr__director_person *person, const fr_posture *posture, fr_side side,
                             const fr_pose *palm);

// Whether a reach of a list is for a grasp of the same object in this stage or a later one.
bool fr__director_is_for_grasp(const fr__director_list *list, const fr__director_task *reach);

// Where the target of a task is now, in the world; false where its object is gone.
bool fr__director_target(const fr_director *d, const fr__director_task *task, fr_pose *out);

#define FR__DIRECTOR_MAX_PASSES 2u // one for each hand

// A reach that is fused with the walk of its stage: the palm meets what the body walks past.
typedef struct fr__director_pass {
    uint32_t task;             // of the list
    uint32_t start, meet, end; // frames of the stage in which the palm sets out, is there, and leaves
    fr_pose goal;              // of the palm; where a program reaches, as if the body stood still
    fr_skill_side side;
    fr_clip *course; // of the body from the start on; retained. NULL: a program reaches
} fr__director_pass;

typedef struct fr__director_passes {
    fr__director_pass list[FR__DIRECTOR_MAX_PASSES];
    uint32_t count;
} fr__director_passes;

// Plans the reaches of the stage that comes next on its walk, d->path_task, where it has both. Refuses with a sentence
// where a palm does not come there.
fr_status fr__director_find_passes(fr_director *d, const fr__director_person *person, const fr__director_list *list,
                                   fr__director_passes *out, fr_error *error);
void fr__director_free_passes(fr__director_passes *passes);

// What follows for a task of the stage; false where its palm is none of a pass.
bool fr__director_take_pass(const fr__director_list *list, const fr__director_passes *passes, uint32_t task,
                            double rate, fr_person_task *to);

// Objects wait until the hand has them.
void fr__director_wait_for_passes(fr__director_person *person, const fr__director_list *list,
                                  const fr__director_passes *passes);

// Where the palm must be so that the tool in it comes to a place, in the turn of that index. FR_ERROR_ARGUMENT where it
// holds none, or no spot is free.
fr_status fr__director_tool_palm(const fr_director *d, const fr__director_person *person, const fr__director_task *task,
                                 const fr_pose *place, uint32_t index, fr_pose *palm, fr_skill_side *side,
                                 fr_error *error);

// Where the tool must be that is now at a pose.
fr_pose fr__director_turn_tool(const fr__director_task *task, const fr_pose *tool, const fr_pose *place,
                               uint32_t index);

// The frame of a tool in the object, of the objects that a person holds the first whose class has it; false: none.
bool fr__director_tool_frame(const fr_class_view *c, const char *name, fr_pose *out);

#define FR__DIRECTOR_SPOTS 3u // free spots that are tried

// A body before a surface, for whom free spots of it are found.
typedef struct fr__director_before {
    fr_vec3 place; // of the body
    double heading;
    fr_side side;                  // of the hand
    const fr_query_filter *filter; // leaves out the body and what it holds
    double radius;                 // of what is put there, metres
} fr__director_before;

// Free spots of a horizontal surface about a place of it, within reach, the one liked best first, at most
// FR__DIRECTOR_SPOTS: nothing stands on them. 0: there is none.
uint32_t fr__director_find_spots(const fr_director *d, fr_object_id object, const fr_pose *place,
                                 const fr__director_before *before, fr_pose spots[FR__DIRECTOR_SPOTS]);

// The radius of an object about the vertical axis through its middle.
double fr__director_girth(const fr_director *d, fr_object_id object);

// Where a body looks ahead: radians about +Y from +Z.
double fr__director_heading(const fr__director_person *person);

// Whether a person, the context, may meet an object: all but what is in its hands.
fr_filter_fn fr__director_may_meet;

// The program that carries out the skill of a source, where there is one of its name; else its name is NULL.
fr_status fr__director_set_program(const fr_director *d, const fr__director_source *m, fr_arena *arena,
                                   fr__director_program *out, fr_error *error);

// The file that the program is given.
fr_status fr__director_set_data(const fr_director *d, const char *class_name, const char *path, fr_arena *arena,
                                fr__director_program *out, fr_error *error);

// Starts the program of a task, before its stage begins; of one that began already, from scratch.
fr_status fr__director_start_task(fr_director *d, const fr__director_person *person, fr__director_task *task,
                                  fr_error *error);

// The stage of a list that is done now ends: its tasks do, and its programs.
void fr__director_stop_stage(fr__director_person *person, fr__director_list *list);

// A program for a task of a person, or for an object of it.
fr_status fr__director_start_program(fr_director *d, const fr__director_person *person,
                                     const fr__director_program *program, fr_object_id object, fr_plug_in **out,
                                     fr_error *error);

// Whether a program that moves the person or its objects is late.
bool fr__director_is_late(const fr__director_person *person);

// How many tasks of the stage are done by programs that have an end of their own.
uint32_t fr__director_bounded(const fr__director_list *list);

// Programs are shown what moved, before a tick.
fr_status fr__director_look(fr_director *d, fr_error *error);
fr_status fr__director_show(fr_director *d, fr__director_list *list, fr_error *error);

// Whether people are shown one tick late, so that those who are moved by programs are seen with their objects.
static inline bool fr__director_is_delayed(const fr_director *d) {
    return d->def.plug_ins != NULL && !d->def.is_lockstep;
}

// The name of the program outside that moves a person.
const char *fr__director_rival(const fr_director *d, const fr__director_person *person);

// The state that an object of a class is in.
const fr_class_state *fr__director_state(const fr_director *d, fr_object_id object, const fr_class_view *c);

// What an object affords by a name: in its state, or in another one where something is to be done before. NULL, with a
// sentence, where nothing is meant by it, or not now.
const fr_class_motion *fr__director_find_motion(const fr_director *d, fr_object_id object, const fr_class_view *c,
                                                const char *name, fr_error *error);

// Whether some state of a class affords a motion.
bool fr__director_has_motion(const fr_class_view *c, const char *name);

// Whether the objects of a list that begins are in states that afford its motions.
fr_status fr__director_check_states(const fr_director *d, const fr__director_list *list, fr_error *error);

// Objects of a scene without people are in states, too: their mechanism joins the cast where there are any.
fr_status fr__director_add_mechanism(const fr_director_def *def, const fr_scene *scene, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Meetings: what two people do together (meeting.c)

// The person whose skin an object is; NULL: none.
fr__director_person *fr__director_find_skin(const fr_director *d, fr_object_id object);

// Before the stage of a list that takes two: a meeting is proposed to the other, both come near, and begin in the same
// tick. What refuses it is FR__NEVER with a sentence. After FR__NOT_YET the first list may be another one.
fr__director_ready fr__director_meet(fr_director *d, fr__director_person *person, fr_error *error);

// Before all lists of a tick: meetings at which both have arrived begin, and what was given changes hands.
fr_status fr__director_watch_meetings(fr_director *d, fr_error *error);

// After all lists: what one has broken off, the other ends.
fr_status fr__director_end_meetings(fr_director *d, fr_error *error);

// A list of a meeting is over.
void fr__director_leave_meeting(fr_director *d, fr__director_person *person, const fr__director_list *list,
                                fr_status status, const char *reason);

// A task at a person goes with a bone of it, and has what the meeting says.
void fr__director_aim(const fr_director *d, const fr__director_person *person, const fr__director_task *from,
                      fr_person_task *to);

uint64_t fr__director_hash_meeting(const fr__director_meeting *meeting, uint64_t hash);

// The object that is in a hand of a person; NULL: none.
fr__director_held *fr__director_in_hand(fr__director_person *person, fr_side side);

// What is in a hand of one goes over into that of another, between ticks. The statuses of fr_cast_grab.
fr_status fr__director_change_hands(fr_director *d, fr__director_person *from, fr__director_person *to, fr_side side,
                                    fr_object_id object, fr_error *error);

// Whether a person stands upright without walking, and whether a place is free for it.
bool fr__director_stands(const fr__director_person *person);
fr_status fr__director_is_free(fr_director *d, const fr__director_person *person, fr_vec3 place, bool *is_free,
                               fr_error *error);

// Whether there is a path to a place round things; people do not count. FR_ERROR_BUSY, with the name of what blocks it,
// where there is none; FR_OK where no error is wanted.
fr_status fr__director_find_path(fr_director *d, const fr__director_person *person, fr_vec3 goal, bool *is_found,
                                 fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Goals (pursuit.c)

// Makes the list of a goal, the parameter `want` of a command.
fr_status fr__director_pursuit_make(fr_director *d, const fr_command *command, fr__director_list *out, fr_error *error);

// The object that a command is about: of a goal the first.
fr_object_id fr__director_about(const fr_director *d, const fr_command *command);

// Goes on with the goal that is the first list of a person: the next step comes before it (FR__NOT_YET), it is waited
// for what follows from the last one (FR__NOT_YET), it is reached (FR__READY), or cannot be (FR__NEVER, with the
// reason).
fr__director_ready fr__director_pursue(fr_director *d, fr__director_person *person, fr_error *error);

// A step of a goal ended: the list behind it is the goal.
void fr__director_note_step(fr_director *d, fr__director_list *goal, fr_status status, const char *reason);

void fr__director_pursuit_end(struct fr__pursuit *pursuit);
uint64_t fr__director_hash_pursuit(const struct fr__pursuit *pursuit, uint64_t hash);

// A list comes before all others of a person; it belongs to a meeting, or to none (0).
fr_status fr__director_put_first(fr_director *d, fr__director_person *person, const fr_command *command,
                                 uint64_t meeting, bool is_approach, fr_error *error);

// The actor's functions.
fr_status fr__director_correct(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error);
bool fr__director_is_idle(void *user);
fr_status fr__director_prepare(void *user, fr_error *error);
fr_status fr__director_move(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error);
fr_status fr__director_command(const fr_command *command, void *user, fr_error *error);
const fr_affordance *fr__director_affords(fr_object_id object, uint32_t index, void *user);

bool fr__director_get_person(uint32_t index, fr_cast_person *out, void *user);
fr_status fr__director_pull(const char *name, fr_pull_part part, fr_vec3 point, void *user, fr_error *error);
fr_status fr__director_posture(const char *name, fr_clip **out, void *user, fr_error *error);

// The id that the person's claims have in the cast.
uint64_t fr__director_holder(const fr__director_person *person);

#endif
