// Fureai server: a world for many people. Serves the viewer's files over HTTP and the world over WebSocket
// (fureai/protocol.h) from one thread: many watchers, many writers with leases, newest state only. Library
// libfureai-world.
//
// It listens on the loopback address by default, checks origins and hosts, limits sizes, rates and counts,
// and validates all it is sent. A slow or broken client delays no other. It starts no process and no thread.
#ifndef FUREAI_SERVER_H
#define FUREAI_SERVER_H

#include "actor_remote.h"
#include "file.h"
#include "scene.h"
#include "server_client.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fr_server fr_server;

#define FR_SERVER_MAX_ADDED 1024u // objects that clients may add to a scene

// An object that a client wants to add.
typedef struct fr_scene_addition {
    const char *class_name; // not empty
    const char *name;       // not empty; no object of the world has it
    fr_pose pose;           // in the world
} fr_scene_addition;

// A scene that is served: a world, its actors, and how it begins again.
typedef struct fr_served_scene {
    fr_world *world; // owned by the provider, until `close`
    fr_cast *cast;   // of that world, likewise; the server grabs, undoes and draws layers by it. NULL: nothing refuses
                     // a hand, and nothing can be undone
    const char *title;                                 // for people
    fr_status (*restart)(void *user, fr_error *error); // puts all at time 0, before the cast begins; may be NULL
    void *user;                                        // given to `restart` and `add`
    const fr_sound *sounds; // that viewers play; may be NULL. Their points may change between ticks, and are sent again
    uint32_t sound_count;
    const fr_looks *looks; // how meshes look; NULL: each object is shown in its colour
    fr_remote *remote;     // of that cast: takes the updates of programs; NULL: the scene takes none
    fr_status (*add)(const fr_scene_addition *addition, void *user, fr_error *error); // adds an object of a class, or
                                                                                      // refuses it; NULL: none is added
} fr_served_scene;

// An octree that is drawn over an object.
typedef struct fr_served_octree {
    char name[FR_WORLD_NAME_MAX_BYTES + 1]; // of the object
    uint32_t depth;                         // as of fr_octree_layer_def
    bool is_found;                          // set by fr_served_scene_create: the scene has such an object
} fr_served_octree;

// A world that was built of a scene, and what is drawn over it beside what its cast draws.
typedef struct fr_served_scene_def {
    fr_scene *scene;
    fr_scene_player *player; // that the world was built with
    fr_world *world;
    double ahead;              // seconds: what turning objects will sweep within them is drawn; 0, the default: nothing
    fr_served_octree *octrees; // may be NULL, the default
    uint32_t octree_count;
    fr_pen_device pen;              // of a person at a haptic device, whose pen takes part; default: none
    fr_sensor_read_fn *read_sensor; // where tracked objects are; NULL, the default: they stand where the scene has them
    void *sensor_user;              // given to `read_sensor`
    fr_allocator allocator;         // default: the process default
    uint32_t cookie;                // set by fr_default_served_scene_def
} fr_served_scene_def;

FR_API fr_served_scene_def fr_default_served_scene_def(void);

// Makes the cast of a scene and all that a server reads of it, for the `open` of a provider. It takes over scene,
// player and world; on failure they stay the caller's. The title is left to the caller. FR_ERROR_MEMORY, and the
// statuses of fr_scene_cast and of the layers.
FR_API fr_status fr_served_scene_create(const fr_served_scene_def *def, fr_served_scene *out, fr_error *error);

// Destroys such a scene with its cast, world, player and scene, for the `close` of a provider.
FR_API void fr_served_scene_destroy(fr_served_scene *scene);

// A scene that people may choose.
typedef struct fr_scene_entry {
    const char *name;  // what it is opened by
    const char *title; // for people
    const char *about; // one sentence
} fr_scene_entry;

// Opens scenes for the server. What `open` wrote to *out when it failed is not read.
typedef struct fr_scene_provider {
    const fr_scene_entry *entries; // the gallery; may be NULL
    uint32_t entry_count;
    const char *first; // name of the scene to begin with
    fr_status (*open)(const char *name, fr_served_scene *out, void *user, fr_error *error);
    void (*close)(fr_served_scene *scene, void *user);
    void *user;
} fr_scene_provider;

typedef struct fr_server_def {
    fr_scene_provider provider;
    const char *address;        // to listen on, numeric or "localhost"; default "127.0.0.1"
    uint16_t port;              // 0: any free one, see fr_server_port; default 8420
    const char *viewer_folder;  // whose files are served; NULL: the viewer that is found (fr_server_viewer_folder); "":
                                // none
    const char *const *origins; // allowed beside our own address, such as "https://example.org"
    uint32_t origin_count;
    const char *store_path;       // file that persists the objects' last poses and states over a restart; NULL: none.
                                  // One server at a time may have it
    const fr_file_ops *file_ops;  // that write the store; NULL, the default: the system's
    double speed;                 // seconds of the world a second, 1e-6 .. 1e6; default 1
    bool is_paused;               // at the beginning; default false
    bool is_always_ticking;       // ticks on while no client watches; default false
    uint32_t max_clients;         // 1 .. 4096; default 64
    uint32_t max_message_bytes;   // from a client, 256 .. 2^24; default 65,536
    uint32_t messages_per_second; // of a client, 1 .. 10^6; default 240, twice as many at once
    double lease_seconds;         // a lease ends when its owner is silent about it for so long, up to 1e6; default 5
    const fr_tasks *tasks;        // for ticks; may be NULL
    const fr_control *control;    // stops fr_server_create; may be NULL
    fr_allocator allocator;       // of all but the sockets' library; default: the process default
    uint32_t cookie;              // set by fr_default_server_def
} fr_server_def;

FR_API fr_server_def fr_default_server_def(void);

// Listens, reads the store and opens the scene it names, else the first one. FR_ERROR_ARGUMENT for a number outside its
// limits or an origin that is none, FR_ERROR_SYSTEM when the address cannot be had, FR_ERROR_STOPPED, FR_ERROR_FILE,
// also where the store cannot be written, FR_ERROR_BUSY where another server has it, and what the provider returns; a
// store that is malformed, or of a scene that is not there, is refused at its path and line and stays as it is. Texts
// of the definition must live as long as the server.
FR_API fr_status fr_server_create(const fr_server_def *def, fr_server **out, fr_error *error);

// Closes the connections, writes the store, closes the scene. NULL is ignored.
FR_API void fr_server_destroy(fr_server *server);

// The port it listens on.
FR_API uint16_t fr_server_port(const fr_server *server);

// The folder of the viewer that is served; NULL: none. Where the definition names none it is share/fureai/viewer beside
// the folder of the library, or beside that of the program, or where the viewer was installed.
FR_API const char *fr_server_viewer_folder(const fr_server *server);

// Serves until fr_server_stop or `control` says stop, and writes the store. FR_OK then; FR_ERROR_FILE with the path
// where the store could not be written. A store that cannot be written meanwhile is logged, and written as soon as it
// can be.
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
