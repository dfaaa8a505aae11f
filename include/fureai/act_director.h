// Fureai act: the director, the actor of all people of a world. It takes commands ("Hana: take the cup"), finds what
// the object's class says about that motion, and lets the person do it with its skills and the object with its own
// (affordance-based motion synthesis; Ichiguchi 2000, 4.2). Library libfureai-world.
#ifndef FUREAI_ACT_DIRECTOR_H
#define FUREAI_ACT_DIRECTOR_H

#include "act_plug_in.h"
#include "actor_person.h"
#include "human_object.h"
#include "library.h"

#ifdef __cplusplus
extern "C" {
#endif

// All people of a world, the objects that have a class, and what is to be done. One thread at a time.
typedef struct fr_director fr_director;

#define FR_DIRECTOR_NAME "director"     // of the actor
#define FR_DIRECTOR_MAX_PEOPLE 4096u    //
#define FR_DIRECTOR_MAX_OBJECTS 100000u // with a class
#define FR_DIRECTOR_MAX_COMMANDS 16384u // that wait or are done, of all people
#define FR_DIRECTOR_STOP "stop"         // the command that ends all that a person does and was to do
#define FR_DIRECTOR_GOAL "goal"         // the command that says what is to be so, in the parameter `want`
#define FR_DIRECTOR_WANT "want"
#define FR_DIRECTOR_SEARCHES 8u // chains of motions that are searched for one goal

// Named events of a person's skin, beside those of skills. A command ended that was not done: FR_DIRECTOR_FAILED and as
// much of the reason as fits, without the name of a plug-in; `value` is the status. A program that moved it has left
// it.
#define FR_DIRECTOR_FAILED "failed: "
#define FR_DIRECTOR_LEFT "program left"

typedef struct fr_director_def {
    fr_cast *cast;         // whose claims it takes, and that it is added to; must outlive the director
    fr_library *library;   // of the classes: where their clips are loaded from; must outlive the director. NULL, the
                           // default: motions with clips are refused
    fr_plug_ins *plug_ins; // skills of people and objects whose name is that of a program there are carried out by it,
                           // in the library otherwise; must outlive the director. NULL, the default: there are none
    bool is_forced;        // those too that look at shapes (fr_skill.may_read_space), which programs do not see; where
                           // there is no program, they do as one would, without shapes. Default false: they stay in the
                           // library where the person has a figure, and look
    bool is_lockstep;      // ticks wait for programs, so that results depend on no clock; default false: what is shown
                           // of people and what they hold is one tick old, and no tick waits
    bool has_surfaces;     // objects without a class afford what their surfaces let the body of a person do
                       // (human_surface.h): "sit", "put", "grasp" and so on, "sit 2" at the next place; to people with
                       // a figure. Found on demand, between ticks; default false: they afford nothing
    const fr_tasks *tasks;  // people's skills are computed side by side; NULL, the default: one after another
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_director_def
} fr_director_def;

FR_API fr_director_def fr_default_director_def(void);

// FR_ERROR_ARGUMENT for a definition without a cast or cookie, FR_ERROR_MEMORY.
FR_API fr_status fr_director_create(const fr_director_def *def, fr_director **out, fr_error *error);
FR_API void fr_director_destroy(fr_director *director); // NULL is ignored

// The director as an actor, whose `leave` destroys it.
//
// Per tick (Ichiguchi, section 4 of his order): the people's skills see the world as it is and give one frame each,
// which are fused; then the skills of objects see that frame; persons and objects go there in the same tick, all or
// none. `command` takes fr_command: `person` is the name of a person, or the director chooses one who has nothing to
// do, the nearest to the object; `name` is a motion that the class of the object affords, or one of its words. Commands
// for one person follow one another. FR_DIRECTOR_STOP ends all. Refused at once, with a sentence: a person or motion
// that is not there (with the one that may have been meant), a field that the motion asks for and is not given, one
// that is of the wrong kind. What fails later ends with that reason (fr_cast_ended).
//
// FR_DIRECTOR_GOAL says what is to be so instead of what is to be done: `want` is "cup on table", "wrench held", "cover
// in_hand" (a state of its class), several with "and" or commas between; `*` in a name stands for any text. When its
// turn comes a chain of motions that objects afford is searched (fr_goal_search), with places to stand at and paths
// there, and done step by step. Where a step fails, or the world is another one afterwards than it was to be, a chain
// is searched from there, FR_DIRECTOR_SEARCHES in all. It ends when it is so; else with what prevents it.
//
// A program outside that claims the skin of a person (FR_RANK_PROGRAM, fr_remote) moves it in the director's place:
// what the person does ends with that reason, commands are refused, and the director follows. When the claim ends the
// person goes on from there.
//
// An object that a motion moves is claimed for the person (FR_RANK_VIRTUAL_HUMAN): the first who takes it has it until
// the motion ends; one that is held already refuses the motion, and one that a live person takes away ends it.
FR_API fr_actor fr_director_actor(fr_director *director);

// Adds a person, whose world is the cast's; its name is no other person's. Between ticks. The statuses of
// fr_person_create, FR_ERROR_LIMIT, FR_ERROR_ARGUMENT for a name that another has or none.
FR_API fr_status fr_director_add_person(fr_director *director, const fr_person_def *def, fr_error *error);

// Says of which class an object of the world is; the class is retained. Once more: the new class counts from the next
// command on; motions that are done with an object that has a class of another name now, or none, end for that reason.
// NULL: of none.
// FR_ERROR_STALE_ID, FR_ERROR_LIMIT, FR_ERROR_MEMORY.
FR_API fr_status fr_director_set_class(fr_director *director, fr_object_id object, const fr_class *c, fr_error *error);

// Looks whether classes of the director's library have changed (fr_library_poll). A new class counts from the next
// command on; what stands on the frames of an object goes where its class has them now, with its joints. Objects of
// frames that are new are not made. The director does it by itself ten times a second, before a tick. Between ticks.
// `is_changed` may be NULL. The statuses of fr_library_poll, FR_ERROR_MEMORY.
FR_API fr_status fr_director_refresh(fr_director *director, bool *is_changed, fr_error *error);

// Adds the people of a scene that have no tasks of their own (fr_scene_people), and says of which classes the scene's
// objects are, by the director's library. FR_ERROR_ARGUMENT where a class is not found, and the statuses of
// fr_director_add_person and fr_director_set_class.
FR_API fr_status fr_director_add_scene(fr_director *director, const fr_scene *scene, fr_error *error);

// Makes a director for the people of a scene whose objects are in the world of the definition's cast, and adds it to
// that cast, whose it is then. *out is NULL for a scene without such people. The statuses of fr_director_create,
// fr_director_add_scene and fr_cast_add.
FR_API fr_status fr_director_create_for_scene(const fr_director_def *def, const fr_scene *scene, fr_director **out,
                                              fr_error *error);

typedef struct fr_director_state {
    const fr_person *person;
    const char *motion;  // that is done now; "": none
    fr_object_id object; // that it is done with; all zeros: none
    uint32_t waiting;    // commands that come after it
    uint64_t done;       // commands that ended well
    uint64_t failed;     // and those that did not
    const char *reason;  // why the last one ended that did not end well; "": none
    double radius;       // of its body, about the hips, metres: those of two people do not overlap by more than 20 mm
    bool is_waiting;     // its walk waits until others have passed
    bool is_late;        // a program that moves it is: the last frame stands
    bool is_away;        // a program outside moves the body: no commands are taken
} fr_director_state;

// How many people there are, and what one does; to read until the next call. `index` is below the number.
FR_API uint32_t fr_director_person_count(const fr_director *director);
FR_API fr_director_state fr_director_get(const fr_director *director, uint32_t index);

// A hash of all that later ticks depend on, but for the world.
FR_API uint64_t fr_director_hash(const fr_director *director);

#ifdef __cplusplus
}
#endif

#endif
