// Fureai actor: people of a world (virtual humans, characters). A person is a body among the objects of a world, a skin
// that is shown and rigid pieces that are touched, and moves by its skills. A player is the actor of people who do what
// lists say, one list after another.
#ifndef FUREAI_ACTOR_PERSON_H
#define FUREAI_ACTOR_PERSON_H

#include "actor.h"
#include "human_figure.h"
#include "human_skill.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------
// Person: one body of a world

// A body in a world and how it moves now. One thread at a time; those of one world side by side on any number of
// threads but for fr_person_wish.
typedef struct fr_person fr_person;

typedef struct fr_person_def {
    fr_world *world;             // must outlive the person; its step is one frame
    const char *name;            // for messages, copied, cut at FR_PERSON_NAME_MAX_BYTES; NULL: "a person"
    const fr_skeleton *skeleton; // of all FR_LINK_COUNT links, retained
    const fr_walk_set *walk_set; // of the same skeleton and the world's rate, retained; NULL, the default: it cannot
                                 // walk
    const fr_figure *figure;     // of the same skeleton, retained: arms go round objects that would stop its rigid
                                 // pieces; NULL, the default: they do not look
    fr_object_id skin;           // the object whose skin has the skeleton's links as bones; all zeros: none
    const fr_object_id *proxies; // FR_FIGURE_PROXY_COUNT objects, by fr_figure_proxy_link; copied; NULL: none
    fr_filter_fn *accept;        // which objects beside its own body it may meet, with the object as `a`; NULL, the
                                 // default: all. What it has in its hands is none
    void *accept_context;
    fr_vec3 place;          // on the ground, at first
    double heading;         // about +Y from +Z, radians, at first
    uint64_t seed;          // which person this is (fr_performer_def); default 0
    double variety;         // of fr_performer_def; default 0
    bool has_planned_paths; // its walks do not look for obstacles: who gives its tasks has planned their paths; default
                            // false: with a figure they go round things, or are refused
    bool is_delayed;        // fr_person_wish wishes where the links were a step before; default false
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_person_def
} fr_person_def;

#define FR_PERSON_NAME_MAX_BYTES FR_CLAIM_NAME_MAX_BYTES

FR_API fr_person_def fr_default_person_def(void);

// Puts the body at its place, standing. FR_ERROR_ARGUMENT for a definition without a world, skeleton or cookie, another
// number of links or bones, FR_ERROR_STALE_ID for objects that are not there, FR_ERROR_NOT_FINITE, FR_ERROR_BUSY during
// a tick, FR_ERROR_MEMORY, and the statuses of fr_performer_create.
FR_API fr_status fr_person_create(const fr_person_def *def, fr_person **out, fr_error *error);
FR_API void fr_person_destroy(fr_person *person); // NULL is ignored; its objects stay

// Stands at its place again, without a task.
FR_API fr_status fr_person_restart(fr_person *person, fr_error *error);

// Takes the posture that its skin has in the world, where another moves it, at rest and without a task; nothing for a
// person without a skin. FR_ERROR_STALE_ID where the skin is gone, and the statuses of fr_performer_put.
FR_API fr_status fr_person_follow(fr_person *person, fr_error *error);

// Takes a posture, at rest and without a task, between ticks; its objects go there at once. The statuses of
// fr_performer_put and fr_object_set_pose.
FR_API fr_status fr_person_put(fr_person *person, const fr_posture *posture, fr_error *error);

// Its skills.
FR_API fr_performer *fr_person_performer(const fr_person *person);
FR_API const char *fr_person_name(const fr_person *person);

// What its skills see of the world: the space where it is current, without its own body.
FR_API fr_performer_input fr_person_input(const fr_person *person);

// A task of a person. With FR_FIELD_OBJECT its target, goal and poses are in that object's frame, and the target goes
// with the object while the task lasts; one without FR_FIELD_TARGET is at the object's origin.
typedef struct fr_person_task {
    fr_task task;
    uint32_t in_world; // FR_FIELD_GOAL, FR_FIELD_POSES: which of the two are in the world all the same
    uint32_t bone1; // 1 and more: the target is in the frame of that bone of the object's skin, the first bone being 1,
                    // and goes with it; 0, the default: in the object's. Passed over where there is no such bone
} fr_person_task;

// Begins tasks as fr_performer_begin and fr_performer_add do, with what the person may meet: all objects but its own
// body. `wishes` are those of the tick at hand, in which objects have moved on already; NULL between ticks.
// FR_ERROR_STALE_ID for an object that is gone, and the statuses of fr_performer_begin.
FR_API fr_status fr_person_begin(fr_person *person, const fr_person_task *tasks, uint32_t count,
                                 const fr_wishes *wishes, fr_error *error);
FR_API fr_status fr_person_add(fr_person *person, const fr_person_task *tasks, uint32_t count, const fr_wishes *wishes,
                               fr_error *error);

// A tick of the world with this number comes: what happened to the person in the one before is forgotten. False for a
// tick that was begun before and did not come to its end: the person has taken its step, which fr_person_wish wishes
// again.
FR_API bool fr_person_begin_tick(fr_person *person, uint64_t tick);

// Goes on by one frame (fr_performer_step), and sees where all links are then. `wishes` as of fr_person_begin.
FR_API fr_status fr_person_step(fr_person *person, const fr_wishes *wishes, fr_error *error);

// What the last step gave; a view, valid until the next step.
FR_API const fr_performer_output *fr_person_output(const fr_person *person);

// Leaves an event of the last step out, by its index: another has reported it.
FR_API void fr_person_forget_event(fr_person *person, uint32_t index);

// Where its links are in the world after the last step, FR_LINK_COUNT poses; a view, valid until the next step.
FR_API const fr_pose *fr_person_links(const fr_person *person);

// Something happened to the person and perhaps an object (all zeros: none), beside the events of its skills: a named
// event of its skin in this tick, cut at FR_WORLD_STATE_NAME_MAX_BYTES; one without a skin has no events.
// FR_ERROR_MEMORY.
FR_API fr_status fr_person_add_event(fr_person *person, const char *name, fr_object_id object, const double numbers[2],
                                     fr_error *error);

// Wishes that skin and rigid pieces go where the links are, and reports the events of this tick, as many as a tick may
// have. The statuses of fr_wishes_add and fr_wishes_bones.
FR_API fr_status fr_person_wish(fr_person *person, fr_wishes *wishes, fr_error *error);

FR_API fr_object_id fr_person_skin(const fr_person *person); // all zeros: none

// Its rigid pieces, FR_FIGURE_PROXY_COUNT of them by fr_figure_proxy_link; NULL: it has none.
FR_API const fr_object_id *fr_person_proxies(const fr_person *person);

// Whether an object is its skin or a piece of it.
FR_API bool fr_person_has(const fr_person *person, fr_object_id object);

// ---------------------------------------------------------------------------------------------------------------
// Player: people who do what lists say

// A task of a list. Tasks of one list begin together and are fused; the next list begins when all of them are over.
typedef struct fr_player_task {
    uint32_t list;          // 0 or more, not less than of the task before
    const fr_skill *skill;  //
    fr_skill_fields fields; // with FR_FIELD_OBJECT the target is in that object's frame and goes with it, and so do the
                            // goal and the poses; all of them are copied, a clip is retained
    uint32_t start;         // frames after its list began
} fr_player_task;

typedef struct fr_player_person {
    fr_person_def person;        // its world is the player's
    const fr_player_task *tasks; // copied
    uint32_t task_count;
    bool is_loop; // after the last list comes the first again
} fr_player_person;

#define FR_PLAYER_MAX_PEOPLE 4096
#define FR_PLAYER_MAX_TASKS 4096 // of one person

// Named events of a person's skin, beside those of its skills: a task could not be begun, or not go on. `value` is its
// number in the list.
#define FR_PLAYER_FAILED "failed"

typedef struct fr_player_def {
    fr_world *world; // must outlive the player
    const fr_player_person *people;
    uint32_t person_count;
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_player_def
} fr_player_def;

FR_API fr_player_def fr_default_player_def(void);

typedef struct fr_player fr_player;

// The statuses of fr_person_create, FR_ERROR_LIMIT for too many people or tasks, or more than FR_MAX_TASKS in one list,
// FR_ERROR_ARGUMENT for lists that go back or a task without a skill.
FR_API fr_status fr_player_create(const fr_player_def *def, fr_player **out, fr_error *error);
FR_API void fr_player_destroy(fr_player *player); // NULL is ignored

// The player as an actor, whose `leave` destroys it. `grab` refuses the bodies of its people with FR_ERROR_UNSUPPORTED.
FR_API fr_actor fr_player_actor(fr_player *player);

typedef struct fr_player_state {
    const fr_person *person;
    uint32_t list;       // that is done now, or was last
    bool is_over;        // nothing is left to do
    const char *message; // why a task failed last; "": none did
} fr_player_state;

// `index` is below the number of people.
FR_API fr_player_state fr_player_get(const fr_player *player, uint32_t index);

#ifdef __cplusplus
}
#endif

#endif
