// Fureai act, replicas: a local world that follows a served one, and in which a director moves people for all who see
// the served one (a main, in the words of the thesis; a client with its own simulation). A replica knows no sockets: it
// reads a mirror and writes messages, for an fr_client or any other transport. Library libfureai-world.
#ifndef FUREAI_ACT_REPLICA_H
#define FUREAI_ACT_REPLICA_H

#include "act_director.h"
#include "act_script.h"
#include "protocol.h"

#ifdef __cplusplus
extern "C" {
#endif

// A world of the same scene as the served one; objects are the same where their names are. What others move is moved
// here as the mirror has it. People who are moved here, and what they hold, are sent. One thread at a time.
typedef struct fr_replica fr_replica;

#define FR_REPLICA_NAME "replica"    // of the actor
#define FR_REPLICA_IDLE_TICKS 30u    // a person who does not move is sent once in so many ticks
#define FR_REPLICA_REFUSED_TICKS 30u // what was refused is not tried again for so many

typedef struct fr_replica_def {
    fr_cast *cast;               // of the local world; must outlive the replica
    const fr_director *director; // of that cast, with all people of the scene; must outlive the replica
    const fr_script *script; // people whom its commands name are moved here; NULL, the default, or a command without a
                             // person: all of the director's
    fr_allocator allocator;  // default: the process default
    uint32_t cookie;         // set by fr_default_replica_def
} fr_replica_def;

FR_API fr_replica_def fr_default_replica_def(void);

// Claims the bodies of all people: those who are moved here begin when they stand as in the served world.
// FR_ERROR_ARGUMENT for a definition without cast, director or cookie, FR_ERROR_MEMORY.
FR_API fr_status fr_replica_create(const fr_replica_def *def, fr_replica **out, fr_error *error);
FR_API void fr_replica_destroy(fr_replica *replica); // NULL is ignored

// The replica as an actor, whose `leave` destroys it. It is added behind all others: what it follows goes where the
// served world has it, whatever else moves it here.
FR_API fr_actor fr_replica_actor(fr_replica *replica);

// Takes what a mirror knows, between ticks; once it has a state, every now and then, another mirror after a connection
// that was lost. FR_ERROR_ARGUMENT where the served world lacks a person who is moved here, or an object of this world,
// or has another step; FR_ERROR_MEMORY. O(objects).
FR_API fr_status fr_replica_follow(fr_replica *replica, const fr_mirror *mirror, fr_error *error);

// Takes what the server refused, between ticks: an object is taken away from who holds it here, and a person whom
// another program moves is moved here no more.
FR_API void fr_replica_refuse(fr_replica *replica, const fr_message_refused *refused);

// Appends one message a person that moved, after a tick: the newest posture and all that the person holds. Those of
// whom nothing fits into `max_bytes` come first with the next call; one is written in any case. Exclusive with ticks.
// FR_ERROR_MEMORY, with nothing written.
FR_API fr_status fr_replica_write(fr_replica *replica, size_t max_bytes, fr_array *out, fr_error *error);

typedef struct fr_replica_state {
    bool is_ready;         // all people who are moved here stand as in the served world: they may be commanded
    uint32_t person_count; // who are moved here
    uint64_t updates;      // that were written
    uint64_t refused;      // bodies and objects
} fr_replica_state;

FR_API fr_replica_state fr_replica_get(const fr_replica *replica);

#ifdef __cplusplus
}
#endif

#endif
