// Fureai server, the link of a replica: keeps a replica (act_replica.h) and a served world together over a connection,
// tick by tick (the communication part of a main process, in the words of the thesis). Library libfureai-world.
#ifndef FUREAI_SERVER_REPLICA_H
#define FUREAI_SERVER_REPLICA_H

#include "act_replica.h"
#include "server_client.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fr_replica_link_def {
    const char *url;        // of fr_client_def
    const char *token_path; // file of the token that the program shows, alone or behind its role; NULL, the default: it
                            // shows none. Read each time it connects; it must live as long as the link, as the next
    const char *authority_path; // of fr_client_def
    const char *name;           // of the program, for others to read; default ""
    fr_replica_def replica;     // of the world that is kept together with the served one
    double patience_seconds;    // for which a server that cannot be reached, or is gone, is tried again; default 0
    fr_allocator allocator;     // default: the process default
    uint32_t cookie;            // set by fr_default_replica_link_def
} fr_replica_link_def;

FR_API fr_replica_link_def fr_default_replica_link_def(void);

typedef struct fr_replica_link fr_replica_link;

// Makes the replica, adds it to its cast, whose it is then, and begins to connect. The cast must outlive the link. The
// statuses of fr_replica_create, fr_cast_add and fr_client_create.
FR_API fr_status fr_replica_link_create(const fr_replica_link_def *def, fr_replica_link **out, fr_error *error);

// Closes the connection. NULL is ignored.
FR_API void fr_replica_link_destroy(fr_replica_link *link);

// To be called after each tick of the replica's world: sends what people did, in one WebSocket message and only where
// the one before has gone; waits until the next tick is due, and takes in the newest state. It blocks for one step; as
// long as the served world is paused; and while a server that is gone is waited for. FR_ERROR_STOPPED by the control,
// which may be NULL; the statuses of fr_client_service, where the connection ended, and of fr_replica_follow.
FR_API fr_status fr_replica_link_exchange(fr_replica_link *link, const fr_control *control, fr_error *error);

// Ticks the cast of the replica, with an exchange each, until its people stand as in the served world and may be
// commanded. The statuses of fr_cast_tick and fr_replica_link_exchange.
FR_API fr_status fr_replica_link_begin(fr_replica_link *link, const fr_control *control, fr_error *error);

typedef struct fr_replica_link_state {
    fr_replica_state replica;
    uint64_t sent;        // WebSocket messages
    uint64_t passed_over; // ticks whose message was not sent, because the one before had not gone
    uint64_t connections; // that were opened
} fr_replica_link_state;

FR_API fr_replica_link_state fr_replica_link_get(const fr_replica_link *link);

#ifdef __cplusplus
}
#endif

#endif
