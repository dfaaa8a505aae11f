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
#include "scene_import.h"
#include "server_broadcast.h"
#include "server_clash.h"
#include "server_client.h"
#include "server_journal.h"
#include "server_record.h"
#include "server_replica.h"
#include "server_session.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FR_SERVER_MAX_ADDED 1024u // objects that clients may add to a scene since it was opened

// A scene that is served: a world, its actors, and how it begins again.
typedef struct fr_served_scene {
    fr_world *world; // owned by the provider, until `close`
    fr_cast *cast;   // of that world, likewise; the server grabs, undoes and draws layers by it. NULL: nothing refuses
                     // a hand, and nothing can be undone
    const char *title;                                 // for people
    fr_status (*restart)(void *user, fr_error *error); // puts all at time 0, before the cast begins; may be NULL
    void *user;                                        // given to `restart`
    const fr_sound *sounds; // that viewers play; may be NULL. Their points may change between ticks, and are sent again
    uint32_t sound_count;
    const fr_looks *looks; // how meshes look; NULL: each object is shown in its colour. What is added may add to it
    fr_remote *remote;     // of that cast: takes the updates of programs; NULL: the scene takes none
    fr_scene_stock stock;  // what clients may add; without `add`: nothing
    const fr_scene_view *scene;      // that it was made of: says where it is looked at from; NULL: nothing does
    fr_scene_import *const *imports; // models that were added (fr_served_scene_import)
    uint32_t import_count;
    fr_served_record *record;   // that is shown (fr_served_record_create); NULL: the scene is none
    fr_served_clashes *clashes; // that are listed (fr_served_clashes_create); NULL: none are
} fr_served_scene;

// An octree that is drawn over an object.
typedef struct fr_served_octree {
    char name[FR_WORLD_NAME_MAX_BYTES + 1]; // of the object
    uint32_t depth;                         // as of fr_octree_layer_def
    bool is_found;                          // set by fr_served_scene_create: the scene has such an object
} fr_served_octree;

// Reads NAME:DEPTH, up to `max` of them with commas between; NULL: none. False when it is not that. Names may hold
// colons.
FR_API bool fr_served_octrees_read(const char *text, fr_served_octree *out, uint32_t max, uint32_t *count);

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

// Adds models that were read to such a scene, between ticks, and takes the import over; on failure it stays the
// caller's. FR_ERROR_UNSUPPORTED for a scene that was not made by fr_served_scene_create, FR_ERROR_MEMORY,
// FR_ERROR_LIMIT.
FR_API fr_status fr_served_scene_import(fr_served_scene *scene, fr_scene_import *import, fr_error *error);

// Takes a sentence for people.
typedef void fr_import_note_fn(const char *text, void *context);

// Model files of the disk, to be added to a served scene.
typedef struct fr_import_files_input {
    const char *const *paths;  // of the models; files that these refer to are beside them, in their folders or below
    uint32_t path_count;       // 1 .. FR_IMPORT_MAX_MODELS
    double unit;               // as of fr_scene_import_def, with all below
    fr_model_up up;            //
    bool is_in_place;          //
    uint64_t memory;           //
    const fr_tasks *tasks;     //
    const fr_control *control; //
    fr_import_note_fn *note;   // gets how each model was read, and what one refers to that is not there; may be NULL
    void *note_context;        // given to `note`
    fr_allocator allocator;    // default: the process default
    uint32_t cookie;           // set by fr_default_import_files_input
} fr_import_files_input;

FR_API fr_import_files_input fr_default_import_files_input(void);

// Reads models from the disk and adds them to a scene that was made by fr_served_scene_create, between ticks. The
// statuses of fr_scene_import_create and fr_served_scene_import; nothing is added on failure.
FR_API fr_status fr_served_scene_import_files(fr_served_scene *scene, const fr_import_files_input *input,
                                              fr_error *error);

// Destroys such a scene with its imports, cast, world, player and scene, for the `close` of a provider.
FR_API void fr_served_scene_destroy(fr_served_scene *scene);

// A scene that people may choose.
typedef struct fr_scene_entry {
    const char *name;    // what it is opened by
    const char *title;   // for people
    const char *about;   // what there is to see
    const char *hint;    // what to try with it; NULL: nothing is said
    const char *picture; // path of a JPEG file that shows it, served as /pictures/NUMBER.jpg; NULL: none
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
    bool is_local;              // it listens nowhere and has sessions alone (server_session.h); default false
    const char *address;        // to listen on, numeric or "localhost"; default "127.0.0.1"
    uint16_t port;              // 0: any free one, see fr_server_port; default 8420
    const char *viewer_folder;  // whose files are served; NULL: the viewer that is found (fr_server_viewer_folder); "":
                                // none
    const char *const *origins; // allowed beside our own address, such as "https://example.org"
    uint32_t origin_count;
    const char *token_path; // file of tokens and their roles: lines of watch, handle or direct and a token of 16 .. 128
                            // printable characters; a client may do nothing before it shows one. NULL, the default:
                            // every client directs
    const char
        *certificate_path;  // and the key of it: files in PEM; it speaks TLS by them alone. NULL, the default: none.
    const char *key_path;   // An address that is not a loopback one needs them, and tokens
    const char *audit_path; // file that what is refused is appended to, a JSON document a line; NULL, the default: none
    bool is_locked;         // no client directs, adds or removes, whatever its role; default false
    const char *store_path; // file that persists the objects' last poses and states over a restart; NULL: none.
                            // One server at a time may have it
    const fr_journal *journal;     // that every change which is replied to is written to, before the reply; NULL, the
                                   // default: none. Not with a store_path
    const fr_broadcast *broadcast; // by which edges see this world and their clients handle it, or, of an edge, by
                                   // which it sees its home; NULL, the default: none. Nothing waits for it
    bool is_edge; // it has no world, and neither provider, journal nor store: it shows that of the home, and sends home
                  // what clients do; without the home it is read only, and clients learn it. Default false
    const fr_file_ops *file_ops; // that write the store; NULL, the default: the system's
    double speed;                // seconds of the world a second, 1e-6 .. 1e6; default 1
    bool is_paused;              // at the beginning; default false
    bool is_always_ticking;      // ticks on while no client watches; default false
    bool may_upload;             // clients may add model files to scenes of fr_served_scene_create; default false
    uint64_t max_upload_bytes;   // of the files of one request, 1 .. 2^31; default 2^28. All together hold at most 4
                                 // times as many
    const char *keep_folder;     // where clients may store models that were added as a scene; NULL, the default: not
    const fr_tasks *background;  // reads and writes models; NULL, the default: the server's thread does
    uint32_t max_clients;        // 1 .. 4096; default 64
    uint32_t max_clients_per_address; // up to max_clients; 0, the default: half of them. Raise it behind a proxy
    uint32_t max_message_bytes;       // from a client, 256 .. 2^24; default 65,536
    uint32_t messages_per_second;     // of a client, 1 .. 10^6; default 240, twice as many at once
    double lease_seconds;      // a lease ends when its owner is silent about it for so long, up to 1e6; default 5
    const fr_tasks *tasks;     // for ticks; may be NULL
    const fr_control *control; // stops fr_server_create; may be NULL
    fr_allocator allocator;    // of all but the sockets' library; default: the process default
    uint32_t cookie;           // set by fr_default_server_def
} fr_server_def;

FR_API fr_server_def fr_default_server_def(void);

// Divides a text of origins at its commas, in place, for the definition; returns how many there are, 0 where they are
// more than `max`.
FR_API uint32_t fr_origins_divide(char *text, const char **out, uint32_t max);

// Listens, reads the store and opens the scene it names, else the first one. FR_ERROR_ARGUMENT for a number outside its
// limits or an origin that is none, FR_ERROR_SYSTEM when the address cannot be had, FR_ERROR_STOPPED, FR_ERROR_FILE,
// also where the store cannot be written, FR_ERROR_BUSY where another server has it, and what the provider returns; a
// store that is malformed, or of a scene that is not there, is refused at its path and line and stays as it is. Texts
// of the definition must live as long as the server.
FR_API fr_status fr_server_create(const fr_server_def *def, fr_server **out, fr_error *error);

// Closes the connections, writes the store, closes the scene. NULL is ignored.
FR_API void fr_server_destroy(fr_server *server);

// The port it listens on; 0: it is local.
FR_API uint16_t fr_server_port(const fr_server *server);

// The folder of the viewer that is served; NULL: none. Where the definition names none it is share/fureai/viewer beside
// the folder of the library, or beside that of the program, or where the viewer was installed.
FR_API const char *fr_server_viewer_folder(const fr_server *server);

// Serves until fr_server_stop or `control` says stop, and writes the store. A local server is stepped instead, and its
// store written when it is destroyed. FR_OK then; FR_ERROR_ARGUMENT for a local one; FR_ERROR_FILE with the path
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
    uint32_t clients;          // connected now, at a home those of edges included
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
