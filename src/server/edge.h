// An edge server: it has no world of its own, shows that of a home to its clients, and sends home what they do.
#ifndef FUREAI_SERVER_EDGE_H
#define FUREAI_SERVER_EDGE_H

#include "server/feed.h"
#include "server/home.h"

#define FR__EDGE_PENDING_MAX 64u // requests of a client that wait for the home
#define FR__EDGE_STATES_MAX 32u  // that are kept for clients who are behind
#define FR__EDGE_TITLE_BYTES 256

// A notice of the home, and where it is in our feed.
typedef struct fr__edge_held {
    uint64_t serial;
    uint64_t own; // serial in our feed
    uint32_t part;
    bool is_layer;
} fr__edge_held;

FR_ARRAY_TYPE(fr__edge_held_array, fr__edge_held);

// An entry of the board, while it is read.
typedef struct fr__edge_entry {
    uint64_t serial;
    uint32_t kind, part;
    bool is_layer;
    size_t at, size; // in the bytes of all
} fr__edge_entry;

FR_ARRAY_TYPE(fr__edge_entry_array, fr__edge_entry);

// A state of the home.
typedef struct fr__edge_state {
    uint64_t sequence, since; // since 0: it has all objects
    fr_byte_array bytes;
} fr__edge_state;

typedef enum fr__edge_phase {
    FR__EDGE_ALONE,     // no home was heard yet
    FR__EDGE_LIVE,      //
    FR__EDGE_HOME_GONE, // the broadcast is there, and the home silent
    FR__EDGE_CUT_OFF,   // there is no broadcast
} fr__edge_phase;

typedef struct fr__edge {
    fr_broadcast table; // all zeros: the server is no edge
    bool is_connected;
    fr__edge_phase phase;
    uint64_t number;      // of this edge, at random
    uint64_t home, epoch; // of the world that it has; 0: none
    uint64_t heard_ns;    // when the home was heard last
    uint64_t roster_ns;   // when a roster was sent last
    bool has_new_roster;  // clients came or went since
    uint64_t seen_home;   // number of the home that was heard last, whether its world is here or not
    bool has_warned;      // about what cannot be read, since the last world began
    char title[FR__EDGE_TITLE_BYTES];
    fr__edge_held_array held;
    fr__edge_entry_array board;
    fr_byte_array board_bytes;
    fr__edge_state key;                         // the newest state with all objects; sequence 0: none
    fr__edge_state states[FR__EDGE_STATES_MAX]; // changes one after another, the oldest at `first`
    uint32_t first, state_count;
    fr__packet cached; // what was sent last to a client that wanted this and was so far
    uint32_t cached_wants;
    uint64_t cached_from, cached_to;
    fr_byte_array envelope, roster; // that are being written
    const void *message;            // that a client sent, as bytes, while it is handled
    size_t message_bytes;
} fr__edge;

struct fr_server;
struct fr__client;

// ---------------------------------------------------------------------------------------------------------------
// edge.c

// Begins to listen, where the definition says that the server is an edge.
fr_status fr__edge_open(struct fr_server *server, fr_error *error);
void fr__edge_close(struct fr_server *server);

static inline bool fr__edge_is_on(const fr__edge *edge) { return edge->table.post != NULL; }

// Takes what the home sent, sees whether it is there, and says so to the clients.
void fr__edge_pump(struct fr_server *server, uint64_t now_ns);

// Checks messages of an envelope: each is one for clients that is_allowed lets through. FR_ERROR_UNSUPPORTED for
// another, and the statuses of fr_frame_next and fr_protocol_read.
fr_status fr__edge_check(struct fr_server *server, const void *bytes, size_t size,
                         bool (*is_allowed)(fr_message_type type), fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// edge_state.c

// Takes a state of the home, KEY or CHANGES. One that does not go on from the last is passed over.
fr_status fr__edge_take_state(struct fr_server *server, const fr__envelope *envelope, fr_error *error);

// Forgets all states.
void fr__edge_forget_states(fr__edge *edge);

// The packet that brings a client to the newest state; false: it is there. *out NULL: there is no memory.
bool fr__edge_next_state(struct fr__client *client, const fr__packet **out);

// ---------------------------------------------------------------------------------------------------------------
// edge_client.c

// A number for a client that came.
uint32_t fr__edge_client_number(const struct fr_server *server);

// A client was welcomed: it learns where the home is not there.
void fr__edge_welcome(struct fr__client *client);

// Sends a message of a client home, or refuses it while the home is not there.
void fr__edge_forward(struct fr__client *client, const fr_message *message);

// Takes what the home sends to a client.
fr_status fr__edge_take_reply(struct fr_server *server, const fr__envelope *envelope, fr_error *error);

// The home may or may not have done what clients requested: they get a reply that says so.
void fr__edge_fail_pending(struct fr_server *server);

// Says to all clients whether the home is there.
void fr__edge_say_phase(struct fr_server *server);

// Sends the list of clients home.
void fr__edge_send_roster(struct fr_server *server, bool lacks_world);

#endif
