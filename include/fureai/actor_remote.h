// Fureai actor, remote bodies: programs outside (mains, in the words of the thesis) move bodies and objects of a world.
// A program sends updates: the posture of one body and the poses of the objects that it moves, which are taken together
// or not at all. A body has one owner, the first program that moves it. An object is leased to the first program that
// moves it, until an update of that body leaves it out, the program leaves, or it is silent.
#ifndef FUREAI_ACTOR_REMOTE_H
#define FUREAI_ACTOR_REMOTE_H

#include "actor.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FR_REMOTE_NAME "remote"        // of the actor
#define FR_REMOTE_MAX_OBJECTS 64u      // of an update
#define FR_REMOTE_MAX_BONES 1024u      // of a body
#define FR_REMOTE_MAX_BODIES 64u       // of a program
#define FR_REMOTE_MAX_ALL_BODIES 1024u // of all programs

typedef struct fr_remote_def {
    fr_cast *cast;          // whose claims it takes; must outlive the remote bodies
    uint32_t silent_ticks;  // after so many ticks without an update a body and its objects have no owner; default 300
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_remote_def
} fr_remote_def;

FR_API fr_remote_def fr_default_remote_def(void);

typedef struct fr_remote fr_remote;

// FR_ERROR_ARGUMENT for a definition without a cast or cookie, FR_ERROR_MEMORY.
FR_API fr_status fr_remote_create(const fr_remote_def *def, fr_remote **out, fr_error *error);
FR_API void fr_remote_destroy(fr_remote *remote); // NULL is ignored

// The remote bodies as an actor, whose `leave` destroys them. What programs move goes there with the next tick, all of
// an update in the same one, and stays until the next update. A warm tick allocates nothing.
FR_API fr_actor fr_remote_actor(fr_remote *remote);

// Where an object is to be.
typedef struct fr_remote_place {
    fr_object_id object;
    fr_pose pose; // in the world; its scale is not read
} fr_remote_place;

typedef struct fr_remote_input {
    uint64_t holder;      // id of the program, not 0, unique in the cast
    const char *name;     // of the program, for messages; may be NULL
    fr_object_id body;    // all zeros: the update has objects alone
    fr_pose pose;         // of the body; its scale is not read
    const fr_pose *bones; // all bones of the body, in its frame; NULL: they stay
    uint32_t bone_count;
    const fr_remote_place *objects; // that the program moves with this body, its proxies too; may be NULL
    uint32_t object_count;
} fr_remote_input;

// An object that was refused.
typedef struct fr_remote_refusal {
    fr_object_id object;
    fr_status status;
    char reason[FR_ERROR_MESSAGE_BYTES]; // one sentence
} fr_remote_refusal;

typedef struct fr_remote_output {
    const fr_remote_refusal *refusals; // to read until the next call
    uint32_t refusal_count;
} fr_remote_output;

// Takes an update, between ticks; of several between two ticks the newest counts. Objects that another holds, or that
// cannot be moved, are refused and the rest is taken. What is wrong with the update or its body refuses all, with
// nothing changed: FR_ERROR_BUSY where another has the body, FR_ERROR_STALE_ID, FR_ERROR_ARGUMENT for another number of
// bones, an object twice or a holder of 0, FR_ERROR_NOT_FINITE, FR_ERROR_LIMIT, FR_ERROR_UNSUPPORTED for a static body,
// FR_ERROR_MEMORY.
FR_API fr_status fr_remote_update(fr_remote *remote, const fr_remote_input *input, fr_remote_output *output,
                                  fr_error *error);

// A program is gone: what it moved stays where its last update puts it, and has no owner.
FR_API void fr_remote_leave(fr_remote *remote, uint64_t holder);

typedef struct fr_remote_state {
    uint32_t bodies;           // with an owner
    uint32_t leases;           // of objects
    uint64_t updates, refused; // updates that were taken, and objects that were refused, so far
} fr_remote_state;

FR_API fr_remote_state fr_remote_get(const fr_remote *remote);

#ifdef __cplusplus
}
#endif

#endif
