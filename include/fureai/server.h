// Fureai server: a world for many people. Serves the viewer's files over HTTP and the world over WebSocket
// (fureai/protocol.h) from one thread: many watchers, many writers with leases, newest state only. Library
// libfureai-world.
//
// It listens on the loopback address unless told otherwise, checks origins and hosts, limits sizes, rates and counts,
// and validates all it is sent. A slow or broken client delays nobody. It starts no process and no thread.
#ifndef FUREAI_SERVER_H
#define FUREAI_SERVER_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fr_server fr_server;

// What is on stage: a world, and how it begins anew.
typedef struct fr_stage {
    fr_world *world;                                         // owned by whoever opened it, until `close`
    const char *title;                                       // for people
    fr_status (*restart)(void *stage_user, fr_error *error); // puts all at time 0; may be NULL
    void *stage_user;
    // Asked before an object is given to a hand, between ticks; a status refuses it. May be NULL.
    fr_status (*grab)(fr_object_id object, void *stage_user, fr_error *error);
    // Takes the last placement back, or does again what was taken back, between ticks. May be NULL: nothing can be.
    fr_status (*undo)(bool again, void *stage_user, fr_error *error);
    const fr_sound *sounds; // that viewers play; may be NULL. Their points may change between ticks, and are told again
    uint32_t sound_count;
    const fr_looks *looks; // how meshes look; NULL: each object is shown in its colour
} fr_stage;

// A scene people may choose.
typedef struct fr_demo {
    const char *name;  // what it is opened by
    const char *title; // for people
    const char *about; // one sentence
} fr_demo;

// Opens scenes for the server. On failure `open` leaves *stage alone.
typedef struct fr_theatre {
    const fr_demo *demos; // the gallery; may be NULL
    uint32_t demo_count;
    const char *first; // name of the one to begin with
    fr_status (*open)(const char *name, fr_stage *stage, void *user, fr_error *error);
    void (*close)(fr_stage *stage, void *user);
    void *user;
} fr_theatre;

typedef struct fr_server_def {
    fr_theatre theatre;
    const char *address;        // to listen on, numeric or "localhost"; default "127.0.0.1"
    uint16_t port;              // 0: any free one, see fr_server_port; default 8420
    const char *viewer_folder;  // whose files are served; NULL: none
    const char *const *origins; // allowed beside our own address, such as "https://example.org"
    uint32_t origin_count;
    const char *store_path;       // file that keeps the objects' last poses and states over a restart; NULL: none
    double speed;                 // seconds of the world a second, 1e-6 .. 1e6; default 1
    bool is_paused;               // at the beginning; default false
    bool always;                  // ticks on while nobody watches; default false
    uint32_t max_clients;         // 1 .. 4096; default 64
    uint32_t max_message_bytes;   // from a client, 256 .. 2^24; default 65,536
    uint32_t messages_per_second; // of a client, 1 .. 10^6; default 240, twice as many at once
    double lease_seconds;         // a lease that its owner does not speak of for so long ends, up to 1e6; default 5
    const fr_tasks *tasks;        // for ticks; may be NULL
    const fr_control *control;    // stops fr_server_create; may be NULL
    fr_allocator allocator;       // of all but the sockets' library; default: the process default
    uint32_t cookie;              // set by fr_default_server_def
} fr_server_def;

FR_API fr_server_def fr_default_server_def(void);

// Listens, reads the store and opens the scene it is of, else the first one. FR_ERROR_ARGUMENT for a number outside its
// limits or an origin that is none, FR_ERROR_SYSTEM when the address cannot be had, FR_ERROR_STOPPED, FR_ERROR_FILE,
// also where the store cannot be written, and what the theatre returns; a store that is malformed, or of a scene that
// is not there, is refused at its path and line and stays as it is. Texts of the definition must live as long as the
// server.
FR_API fr_status fr_server_create(const fr_server_def *def, fr_server **out, fr_error *error);

// Says goodbye to clients, writes the store, closes the stage. NULL is ignored.
FR_API void fr_server_destroy(fr_server *server);

// The port it listens on.
FR_API uint16_t fr_server_port(const fr_server *server);

// Serves until fr_server_stop or `control` says stop. FR_OK then.
FR_API fr_status fr_server_run(fr_server *server, const fr_control *control, fr_error *error);

// Ends fr_server_run within 50 ms and the tick that runs, whose sensing is left partial. From any thread or a signal
// handler.
FR_API void fr_server_stop(fr_server *server);

// Draws over the world: a layer of this name is replaced by what `paint` draws, in every viewer that wants it, and
// stays until it is drawn again or removed by a `paint` of NULL, other scenes included. Server's thread, between
// services: from a corrector, a mover, or before fr_server_run. FR_ERROR_LIMIT beyond 256 layers, and for a layer of
// more than FR_SERVER_LAYER_BYTES, which is then shown as it was before.
FR_API fr_status fr_server_draw(fr_server *server, const char *layer, fr_paint_fn *paint, void *user, fr_error *error);

#define FR_SERVER_LAYER_BYTES (UINT32_C(1) << 24)

// The same in the frame of an object: drawn once, it goes where the object goes. It is removed with the object, and
// when another scene is opened. FR_ERROR_STALE_ID.
FR_API fr_status fr_server_draw_on(fr_server *server, fr_object_id object, const char *layer, fr_paint_fn *paint,
                                   void *user, fr_error *error);

typedef struct fr_server_stats {
    uint32_t clients;          // connected now
    uint64_t clients_ever;     // since it was made
    uint64_t ticks;            // taken
    uint64_t late;             // ticks left out because those before took too long
    uint64_t frames_sent;      // WebSocket messages
    uint64_t bytes_sent;       // in them
    uint64_t skipped;          // states that clients were too slow for
    uint64_t refused;          // connections turned away
    uint64_t bad_messages;     // that were not understood or not allowed
    double ms_tick, ms_encode; // of the last tick
} fr_server_stats;

// From the server's thread, or while it does not run.
FR_API fr_server_stats fr_server_get_stats(const fr_server *server);

#ifdef __cplusplus
}
#endif

#endif
