// The inside of the director.
#ifndef FUREAI_ACT_DIRECTOR_PRIVATE_H
#define FUREAI_ACT_DIRECTOR_PRIVATE_H

#include "fureai/act_director.h"

// How a palm comes to the place where an object is gripped.
typedef enum fr__director_grasp {
    FR__GRASP_NONE,   // the goal is given
    FR__GRASP_BEFORE, // against the outward direction of the place
    FR__GRASP_BESIDE  // from the side of the hand, fingers forward, as round a cup
} fr__director_grasp;

// One task of a stage: a skill of the person.
typedef struct fr__director_task {
    const fr_skill *skill;
    fr_skill_fields fields;   // target and poses in the object's frame; a clip is retained
    uint32_t start;           // frames after the stage began
    bool is_goal_local;       // the goal is in the object's frame; target and poses always are, where there is one
    fr__director_grasp grasp; // how the palm comes to the target, which is its goal then
    double grip_diameter;     // of what it comes to, metres
    fr_object_id object;      // all zeros: none
} fr__director_task;

FR_ARRAY_TYPE(fr__director_task_array, fr__director_task);

// A motion of a command: with which object, and what that does meanwhile.
typedef struct fr__director_motion {
    char name[FR_CLASS_NAME_MAX_BYTES + 1];
    fr_class *c;                  // retained; NULL: none
    fr_object_id object;          // all zeros: none
    const fr_object_skill *skill; // of the object; NULL: it does nothing
    double threshold;             // of fr_object_input; 0: the usual one
    double size;                  // likewise
    bool has_knob;                // what is held of it, in its own frame
    fr_vec3 knob;
} fr__director_motion;

#define FR__DIRECTOR_MAX_HELD 16u // objects of one person at a time

// An object that a person has claimed: its skill runs in every tick, for as long as a motion needs it, and while it is
// in the person's hand.
typedef struct fr__director_held {
    fr_object_id object;
    const fr_object_skill *skill;
    fr_object_state state;
    double threshold, size;
    bool has_knob;
    fr_vec3 knob;
    bool is_of_list; // the first list of the person moves it
    bool is_dropped; // it was released: it is let go before the next tick, and falls
    fr_wish wish;    // of the tick at hand
    bool has_wish;
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
} fr__director_list;

FR_ARRAY_TYPE(fr__director_list_array, fr__director_list);
FR_ARRAY_TYPE(fr__director_end_array, fr_command_end);
FR_ARRAY_TYPE(fr__director_event_array, fr_event);

typedef struct fr__director_person {
    fr_person *person;
    fr_object_id skin;
    fr__director_list_array lists; // the first is done, others wait
    bool is_begun;                 // the stage of the first list has begun
    bool is_over;                  // the first list is: `end_status` and `reason` say how
    bool is_stopped;               // all is to end before the next tick
    fr_status end_status;
    uint64_t done, failed;
    char reason[FR_COMMAND_END_MAX_BYTES + 1]; // of the last one that failed
    fr__director_held held[FR__DIRECTOR_MAX_HELD];
    uint32_t held_count;
    fr_object_id falling;       // that was dropped: it is given to the hands of the cast; all zeros: none
    fr_performer_output output; // of the tick at hand
    fr_status status;           // of its step
} fr__director_person;

typedef struct fr__director_object {
    fr_object_id object;
    fr_class *c; // retained
} fr__director_object;

FR_ARRAY_TYPE(fr__director_object_array, fr__director_object);

struct fr_director {
    fr_director_def def;
    fr_world *world;
    fr_allocator allocator;
    fr__director_person **people;
    uint32_t person_count, person_capacity;
    fr__director_object_array objects; // by growing index1
    fr__director_end_array ends;       // to be taken by fr_cast_ended
    fr__director_event_array events;   // of the tick at hand
    uint32_t command_count;            // lists of all people
    uint64_t stepped;                  // ticks that were taken when the people moved last, and 1; 0: not yet
    fr_pose *poses;                    // scratch, of all tasks of one stage
    // What `affords` has said last.
    fr_affordance affordance;
    fr_affordance_field fields[8];
};

// The class of an object; NULL: it has none.
fr_class *fr__director_class(const fr_director *d, fr_object_id object);

// The person of a name, or NULL.
fr__director_person *fr__director_find_person(const fr_director *d, const char *name);

// Makes the list of a command: what each motion's class says, with the fields of the command. Free it with
// fr__director_list_end. Refuses as fr_director_actor says.
fr_status fr__director_list_make(fr_director *d, const fr__director_person *person, const fr_command *command,
                                 fr__director_list *out, fr_error *error);
void fr__director_list_end(fr_director *d, fr__director_list *list);

// The first list of a person is over, between ticks: with FR_OK done, else for this reason. Its claims end.
fr_status fr__director_end_list(fr_director *d, fr__director_person *person, fr_status status, const char *reason,
                                fr_error *error);

// All lists of a person end for a reason.
fr_status fr__director_end_all(fr_director *d, fr__director_person *person, const char *reason, fr_error *error);

// A clip for a person: one that is made by code, by its name, else a file in the folder of a class; release it.
// FR_ERROR_UNSUPPORTED without a library, FR_ERROR_FILE, and the errors of reading it.
fr_status fr__director_load_clip(const fr_director *d, const char *class_name, const char *path,
                                 const fr__director_person *person, fr_clip **out, fr_error *error);

// The objects of the first list become the person's, between ticks; all of them or none. FR_ERROR_BUSY names who has
// one.
fr_status fr__director_claim(fr_director *d, fr__director_person *person, fr_error *error);

// The first list is over: what is not in the person's hand is let go. `is_all`: what is in its hand too.
void fr__director_let_go(fr_director *d, fr__director_person *person, bool is_all);

// What a live person or another program took away is no more the person's; true, with the reason, where the first list
// needs it.
bool fr__director_lose(fr_director *d, fr__director_person *person, char *reason, size_t size);

// What was released falls, where the hands of the cast let things fall.
void fr__director_drop(fr_director *d, fr__director_person *person);

// One frame of the skills of the person's objects, after its own; then what they wish.
fr_status fr__director_step_objects(fr_director *d, fr__director_person *person, fr_error *error);
fr_status fr__director_wish_objects(const fr__director_person *person, fr_wishes *wishes, fr_error *error);

#define FR__DIRECTOR_PALMS 9u // turns of a palm that are tried one after another

// Where the palm of a person must be so that it grips what is at a place, whose z is outward, in the turn of that
// index; *side is chosen where it is the nearest.
fr_pose fr__director_palm(const fr__director_person *person, const fr__director_task *task, const fr_pose *place,
                          uint32_t index, fr_skill_side *side);

// Reports something that happened to a person and perhaps an object.
fr_status fr__director_add_event(fr_director *d, const fr__director_person *person, const char *name,
                                 fr_object_id object, double value, double second, fr_error *error);

// The actor's functions.
fr_status fr__director_prepare(void *user, fr_error *error);
fr_status fr__director_move(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error);
fr_status fr__director_command(const fr_command *command, void *user, fr_error *error);
const fr_affordance *fr__director_affords(fr_object_id object, uint32_t index, void *user);

// Copies as much of a text as fits, with a zero at the end.
void fr__director_copy_text(char *out, size_t size, const char *text);

// The id that the person's claims have in the cast.
uint64_t fr__director_holder(const fr__director_person *person);

#endif
