// Fureai server, broadcast (publish/subscribe of a served world): how one home server, which ticks a world, reaches
// edge servers, which show it to viewers of their own and send home what these do. A server knows it as a table of
// functions; Redis fills the table (server_redis.h). Library libfureai-world.
//
// A broadcast has topics, to which messages are sent, and a board of entries, which stay until they are replaced: who
// comes later reads the board first. The bytes of both are the server's own, and checked where they come out.
#ifndef FUREAI_SERVER_BROADCAST_H
#define FUREAI_SERVER_BROADCAST_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FR_BROADCAST_NAME_MAX_BYTES 63u            // of a topic or an entry: letters, digits and '-'
#define FR_BROADCAST_MAX_BYTES (UINT32_C(1) << 26) // of a message or an entry
#define FR_BROADCAST_MAX_TOPICS 4u                 // that one server listens to

// What becomes of the board when a message is sent: at the same moment, for all who read it.
typedef enum fr_broadcast_change {
    FR_BROADCAST_SEND,   // nothing
    FR_BROADCAST_SET,    // the entry of this name is the message from now on
    FR_BROADCAST_REMOVE, // the entry of this name goes
    FR_BROADCAST_CLEAR,  // all entries go, and the one of this name is the message
} fr_broadcast_change;

// A message to be sent.
typedef struct fr_broadcast_item {
    fr_broadcast_change change;
    const char *topic; // that it goes to
    const char *entry; // name of the entry; not read with FR_BROADCAST_SEND
    const void *bytes; // copied
    size_t size;       // up to FR_BROADCAST_MAX_BYTES
} fr_broadcast_item;

// What happened.
typedef enum fr_broadcast_kind {
    FR_BROADCAST_CONNECTED, // messages come from now on, and what was sent before may be lost. For who reads the
                            // board all its entries follow, then FR_BROADCAST_BOARD
    FR_BROADCAST_ENTRY,     // of the board
    FR_BROADCAST_BOARD,     // it was read whole; messages that were sent since follow
    FR_BROADCAST_MESSAGE,   // of a topic that is listened to, in the order in which they were sent
    FR_BROADCAST_LOST,      // no message comes any more; it is tried again by itself
} fr_broadcast_kind;

typedef struct fr_broadcast_event {
    fr_broadcast_kind kind;
    const void *bytes; // of the entry or message, to read until the next call of `next`
    size_t size;       //
    const char *text;  // of FR_BROADCAST_LOST: why, in a sentence; likewise
} fr_broadcast_event;

// Called, on any thread, when something happened.
typedef void fr_broadcast_wake_fn(void *context);

// What a server calls, from one thread at a time. None of them waits for the network or the broker, whatever state that
// is in.
typedef struct fr_broadcast {
    // Begins to connect and listens to topics; once, before all others. FR_ERROR_ARGUMENT for names that are none.
    fr_status (*listen)(const char *const *topics, uint32_t count, bool reads_board, void *user, fr_error *error);
    // Takes a message to be sent behind those before. FR_ERROR_STOPPED while there is no connection, FR_ERROR_LIMIT
    // where too many bytes wait already, FR_ERROR_ARGUMENT, FR_ERROR_MEMORY: it is not sent then.
    fr_status (*post)(const fr_broadcast_item *item, void *user, fr_error *error);
    // What happened next; false: nothing more.
    bool (*next)(fr_broadcast_event *out, void *user);
    // Bytes that were posted and that the broker has not taken yet.
    size_t (*waiting)(void *user);
    // Whom to wake; NULL: no one any more, as soon as it returns.
    void (*watch)(fr_broadcast_wake_fn *wake, void *context, void *user);
    const char *name; // for messages: where the broker is
    void *user;       // given to all of them
} fr_broadcast;

#ifdef __cplusplus
}
#endif

#endif
