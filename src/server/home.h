// A home server: what it publishes of its world to a broadcast, and the clients of edges, who are its guests.
#ifndef FUREAI_SERVER_HOME_H
#define FUREAI_SERVER_HOME_H

#include "server/envelope.h"

#include "fureai/server_broadcast.h"

#define FR__HOME_TOPIC "home"   // that edges write to
#define FR__WORLD_TOPIC "world" // that homes publish to
#define FR__HEAD_ENTRY "head"
#define FR__KEY_ENTRY "key"
#define FR__EDGE_TOPIC_BYTES 32

#define FR__BEAT_NS UINT64_C(250000000) // between two heads of a home, and two rosters of an edge
#define FR__GUESTS_MAX 8192u
#define FR__GUEST_BIT UINT32_C(0x80000000) // of the numbers of guests, which their edges choose

// A notice that stands on the board.
typedef struct fr__posted {
    uint64_t serial;
    uint32_t parts;
} fr__posted;

FR_ARRAY_TYPE(fr__posted_array, fr__posted);

// What was published of a feed.
typedef struct fr__posting {
    uint64_t read;    // serial of the last notice that was published
    uint64_t changes; // of the feed, when it was looked at last
    fr__posted_array posted;
} fr__posting;

// An edge that was heard.
typedef struct fr__known_edge {
    uint64_t number, heard_ns;
} fr__known_edge;

FR_ARRAY_TYPE(fr__known_edge_array, fr__known_edge);

typedef struct fr__home {
    fr_broadcast table; // all zeros: the server is no home
    bool is_connected;
    bool wants_world;  // all is to be published from scratch
    bool has_new_link; // since the last world began it was connected again
    uint64_t number;   // of this home, at random
    uint64_t epoch;    // of the world that was published; 0: none
    uint64_t worlds;   // that were begun
    uint64_t sequence; // of the state that was published last; 0: none
    uint64_t key_sequence;
    uint64_t begun_ns, beat_ns;
    fr__posting scene, layers;
    fr__known_edge_array edges;
    uint32_t guest_count;
    uint64_t rosters;       // that came
    fr_byte_array envelope; // that is being written
} fr__home;

struct fr_server;
struct fr__client;

// A number that no other has, for all purposes; 0 when the system has no random numbers.
uint64_t fr__random_number(void);

// The topic of an edge.
void fr__edge_topic(uint64_t edge, char out[FR__EDGE_TOPIC_BYTES]);

// ---------------------------------------------------------------------------------------------------------------
// home.c

// Begins to listen, where the definition has a broadcast.
fr_status fr__home_open(struct fr_server *server, fr_error *error);
void fr__home_close(struct fr_server *server);

// Takes what edges sent, and publishes what is new; between ticks, as often as one likes.
void fr__home_pump(struct fr_server *server, uint64_t now_ns);

// The farewells up to this serial of a feed were published, where they are to be.
uint64_t fr__home_passed(const struct fr_server *server, bool is_layer, uint64_t last);

// Sends an envelope; false when it cannot be sent.
bool fr__home_post(struct fr_server *server, fr_broadcast_change change, const char *topic, const char *entry,
                   const fr__envelope *envelope);

// ---------------------------------------------------------------------------------------------------------------
// guest.c

// Takes what an edge sent.
void fr__guests_take(struct fr_server *server, const fr__envelope *envelope, uint64_t now_ns);

// Sends replies to guests, and closes those who are to be closed.
void fr__guests_reply(struct fr_server *server);

// Closes the guests of edges that are silent.
void fr__guests_end_silent(struct fr_server *server, uint64_t now_ns);

// Closes all of them.
void fr__guests_end(struct fr_server *server);

#endif
