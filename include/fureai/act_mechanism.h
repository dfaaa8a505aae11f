// Fureai act: the mechanism of a world, an actor that runs the state machines of its objects (library_machine.h): what
// happened in a tick moves objects from state to state, and their constraints become joints. Library libfureai-world.
#ifndef FUREAI_ACT_MECHANISM_H
#define FUREAI_ACT_MECHANISM_H

#include "actor.h"
#include "library_machine.h"

#ifdef __cplusplus
extern "C" {
#endif

// The objects of a world that are in states. One thread at a time, the same that owns the world.
typedef struct fr_mechanism fr_mechanism;

#define FR_MECHANISM_NAME "mechanism"      // of the actor
#define FR_MECHANISM_MAX_OBJECTS 100000u   //
#define FR_MECHANISM_CUT "cycle of states" // named event of an object whose transitions follow one another without end

typedef struct fr_mechanism_def {
    fr_cast *cast;          // whose world it is; must outlive the mechanism
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_mechanism_def
} fr_mechanism_def;

FR_API fr_mechanism_def fr_default_mechanism_def(void);

// FR_ERROR_ARGUMENT for a definition without a cast or cookie, FR_ERROR_MEMORY.
FR_API fr_status fr_mechanism_create(const fr_mechanism_def *def, fr_mechanism **out, fr_error *error);
FR_API void fr_mechanism_destroy(fr_mechanism *mechanism); // NULL is ignored

// The mechanism as an actor, whose `leave` destroys it; a director has one of its own for the objects that it knows.
//
// Before each tick (prepare) it takes what the tick before reported: transitions (fr_machines_evaluate), in the order
// of the objects' ids. The state of an object is a state of the world of that name and the value 1, so that snapshots,
// records, the journal and viewers have it; the one before is removed. Where an object begins with such a state in the
// world (a scene, a journal) it is in that one, else in the first of its class; where a program sets one later, it goes
// there. Joints, looks and labels change between ticks by the calls of the space and of the world, and so are recorded.
FR_API fr_actor fr_mechanism_actor(fr_mechanism *mechanism);

// Says of which class an object is; the class is retained, and one without named states puts the object into none.
// NULL: of none. Between ticks. A state of the same name goes on in a new class. FR_ERROR_STALE_ID, FR_ERROR_LIMIT,
// FR_ERROR_MEMORY.
FR_API fr_status fr_mechanism_set_class(fr_mechanism *mechanism, fr_object_id object, const fr_class *c,
                                        fr_error *error);

// How many objects are in states; and the index of an object's state in its class, FR_NONE where it is in none.
FR_API uint32_t fr_mechanism_count(const fr_mechanism *mechanism);
FR_API uint32_t fr_mechanism_state(const fr_mechanism *mechanism, fr_object_id object);

// Writes why an object does not come from its state into another one, such as "3 of 4 nut* are not off": what the guard
// of a transition there lacks; "" where none leads there, or it lacks nothing.
FR_API void fr_mechanism_explain(fr_mechanism *mechanism, fr_object_id object, uint32_t state, char *text, size_t size);

// A hash of all that later ticks depend on, but for the world.
FR_API uint64_t fr_mechanism_hash(const fr_mechanism *mechanism);

#ifdef __cplusplus
}
#endif

#endif
