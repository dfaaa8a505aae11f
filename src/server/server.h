// The inside of a server, which its files share.
#ifndef FUREAI_SERVER_SERVER_H
#define FUREAI_SERVER_SERVER_H

#include "server/audit.h"
#include "server/clash.h"
#include "server/edge.h"
#include "server/feed.h"
#include "server/frame.h"
#include "server/home.h"
#include "server/job.h"
#include "server/journal.h"
#include "server/lease.h"
#include "server/listen.h"
#include "server/origin.h"
#include "server/pace.h"
#include "server/peer.h"
#include "server/rate.h"
#include "server/record.h"
#include "server/store.h"
#include "server/token.h"
#include "server/wire.h"

#include "fureai/server.h"

#include <stdatomic.h>

struct lws;
struct lws_vhost;
struct fr__sockets;
struct fr__incoming;

enum { FR__MORE_CONNECTIONS = 64, FR__MORE_PER_ADDRESS = 32 }; // beyond the clients: for files

#define FR__CLIENT_NAME_BYTES 64
#define FR__PATH_BYTES 4096

struct fr__client;

typedef enum fr__sent {
    FR__SENT,        // and it can take more
    FR__SENT_FULL,   // but it can take no more now
    FR__SENT_BROKEN, // the connection is gone
} fr__sent;

// How a client is reached: by a socket (socket.c) or in the process (session.c).
typedef struct fr__client_link {
    fr__sent (*send)(struct fr__client *client, const fr__packet *packet); // one that is not empty, when it can take it
    void (*wake)(struct fr__client *client);    // has fr__client_write called when the client can take something
    void (*silence)(struct fr__client *client); // hears nothing more of a client that was refused
    void (*expire)(struct fr__client *client); // closes the connection in some seconds, whether the client reads or not
} fr__client_link;

// A client that is connected.
typedef struct fr__client {
    fr_server *server;
    const fr__client_link *link; // NULL: it is a guest, who comes over an edge
    struct lws *wsi;             // of its socket; NULL: it has none
    struct fr_session *session;  // that it is; NULL: it is none
    struct fr__client *before, *after;
    uint32_t number;                  // from 1, never used again
    char name[FR__CLIENT_NAME_BYTES]; // as it said hello
    bool has_said_hello;
    bool has_shown_key;
    bool is_greeted; // it said hello and showed a token where one is needed
    fr_role role;
    bool is_closing;     // nothing more is heard or sent but what waits in `outbox`
    uint16_t close_code; // of RFC 6455
    uint32_t wants;      // of fr_wants
    uint64_t came_ns;
    fr__rate messages; // that it may send
    fr__rate excess;   // and those beyond, before it is closed
    fr__rate bytes;
    fr__rate overhead; // bytes that carry no message
    fr__traffic wire;
    uint64_t count_ns; // when what came over its socket is counted next
    uint32_t peer;     // the place of its address
    bool is_flooding;  // it sent so much that it is not listened to any more
    uint32_t commands; // of it that wait or are carried out
    fr_array inbox;    // a message of the socket, as far as it came
    fr__packet outbox; // replies to it alone
    // What it was sent.
    uint64_t epoch; // of the scene
    fr__feed_cursor scene_cursor, layer_cursor;
    fr_mesh_transfer transfer; // of the mesh whose notice it reads; number 0: none
    uint64_t sequence;         // of the state; 0: none
    fr_vec3 near_point;        // that it wants fewer states of what is far from
    double near_distance;      // 0: all states
    fr_backlog *backlog;       // of those that it was sent fewer of; NULL: it never wanted fewer
    uint64_t dropped;          // states it was too slow for
    uint64_t stats_ns;         // when it last got statistics
    uint64_t unheard_ns;       // since when it is not listened to: the rest of a frame waits for it; 0: it is
    // Of a guest, who comes over an edge and has no link.
    uint64_t edge;   // number of the edge; 0: it is none
    uint64_t roster; // that named it last
    // At an edge.
    uint32_t pending[FR__EDGE_PENDING_MAX]; // requests that wait for the home
    uint32_t pending_count;
} fr__client;

typedef struct fr__state_name {
    char text[FR_WORLD_STATE_NAME_MAX_BYTES + 1];
} fr__state_name;

FR_ARRAY_TYPE(fr__state_name_array, fr__state_name);

// What was published of an object, at its place.
typedef struct fr__published {
    fr_object_id object;         // all zeros: nothing
    uint64_t notice;             // OBJECT
    uint64_t vertices;           // VERTICES; 0: none
    uint64_t version;            // of the vertices that were published
    uint64_t places;             // SOUND_PLACE of all its sounds; 0: none moved
    uint64_t places_sum;         // of the places that were published
    fr__state_name_array states; // those it was ever given
} fr__published;

FR_ARRAY_TYPE(fr__published_array, fr__published);

// A mesh and its number, 1 + its place in the list.
typedef struct fr__numbered_mesh {
    fr_mesh *mesh;            // retained
    const fr_mesh_look *look; // NULL: none
    fr_skin *skin;            // retained; NULL: none
    fr_skin_method method;    // of the skin
} fr__numbered_mesh;

FR_ARRAY_TYPE(fr__numbered_mesh_array, fr__numbered_mesh);

// A layer that is drawn over the world.
typedef struct fr__drawn_layer {
    char *name; // owned; `name_bytes` with the zero at its end
    size_t name_bytes;
    uint64_t notice;     // 0: nothing is drawn
    fr_object_id object; // in whose frame it is drawn; all zeros: the world
} fr__drawn_layer;

FR_ARRAY_TYPE(fr__drawn_layer_array, fr__drawn_layer);

// A client that is gone and whose commands go on.
typedef struct fr__gone {
    uint32_t client;   // its number
    uint32_t peer;     // the place of its address
    uint32_t commands; // that have not ended; not 0
} fr__gone;

FR_ARRAY_TYPE(fr__gone_array, fr__gone);

// The connections that are open, by age.
typedef struct fr__arrivals {
    struct fr__incoming *oldest, *newest;
    uint32_t count;   // of connections
    uint32_t greeted; // of clients that are greeted, guests too
} fr__arrivals;

struct fr_server {
    fr_server_def def;
    fr_allocator allocator;
    atomic_bool is_stopped;
    const fr_control *control; // of the making or the run; NULL: none
    fr__listener listener;
    fr__origins origins;
    int web_folder;                     // descriptor; -1: none
    char viewer_folder[FR__PATH_BYTES]; // that was found; "": none was, or it was given
    struct fr__sockets *sockets;
    bool is_leaving; // no connection is taken in any more
    fr__peers peers;
    fr__arrivals arrivals;
    fr__token_array tokens;
    fr__audit audit;
    fr__client *clients;
    uint32_t last_client; // number

    fr_served_scene served;
    bool has_served;
    char *scene;    // name it was opened by
    uint64_t epoch; // grows with every scene and restart
    fr__pace pace;
    bool is_paused;
    bool wants_step;  // one tick although time stands
    fr__rate changes; // of scenes and restarts, which take long, by whomever
    uint32_t added;   // objects that clients added to the scene
    bool was_idle;
    bool has_failed;             // the last tick did
    bool has_published_pictures; // of this scene; they come after its objects
    const fr_snapshot *snapshot; // the newest, and the one before; NULL: none
    const fr_snapshot *earlier;
    fr__frames frames;
    fr__feed scene_feed, layer_feed; // of the objects and of the layers
    fr__published_array published;   // by the objects' index
    fr__numbered_mesh_array meshes;
    fr__drawn_layer_array layer_list; // their numbers are 1 + their place
    fr_layer *painting;               // what is drawn goes here first; NULL until something is
    fr__leases leases;
    fr__gone_array gone; // clients that are gone and whose commands go on
    fr_encoder *encoder;
    fr__packet scratch; // what is gathered for one client
    fr_arena *arena;    // for what is read of one message

    fr__jobs jobs;                // reading and writing of models
    _Atomic uint64_t model_bytes; // of files of clients that are held
    uint64_t models_notice;       // MODELS; 0: none

    uint64_t swept_ns;
    uint64_t counted_ns; // when the bytes of the clients' sockets were counted
    uint64_t stored_ns;
    fr__journaling journal;
    fr__home home;            // what edges see of it
    fr__edge edge;            // what it sees of its home
    fr_file_lock *store_lock; // NULL: there is no store
    uint64_t stored_hash;     // of what the store holds
    uint64_t stored_tick;     // likewise; UINT64_MAX: nothing was written yet
    bool has_not_stored;      // it could not be written the last time
    fr_server_stats stats;
};

// ---------------------------------------------------------------------------------------------------------------
// client.c

// A new client over a link, or a guest without one; NULL when there is no memory.
fr__client *fr__client_open(fr_server *server, const fr__client_link *link);

// Ends its leases and forgets it.
void fr__client_close(fr__client *client);

// Bytes of a message of the socket. False when the connection is to be closed at once.
bool fr__client_receive(fr__client *client, const void *bytes, size_t size, bool is_last);

// A whole message of the socket, of a guest as its edge took it. False when there is no memory, or it is too large.
bool fr__client_hear(fr__client *client, const void *bytes, size_t size);

// Sends what it can take now. False when the connection is to be closed.
bool fr__client_write(fr__client *client);

// What fr__client_link has, for a client of any kind; a guest's outbox is read by fr__guests_reply, and no packet is
// sent to it.
fr__sent fr__client_send(fr__client *client, const fr__packet *packet);
void fr__client_wake(fr__client *client);
void fr__client_silence(fr__client *client);
void fr__client_expire(fr__client *client);

// The client of a number; NULL: it is gone.
fr__client *fr__server_client(const fr_server *server, uint32_t number);

// Puts a message to it alone into its outbox.
void fr__client_say(fr__client *client, const fr_message *message);

// Counts a message that was refused and writes it to the audit. `message`: its name; NULL: it was none.
void fr__client_note_refusal(fr__client *client, const char *message, fr_status status, const char *reason);

// Writes to the audit what an address, and a client of it unless that is NULL, was refused.
void fr__server_note_refusal(fr_server *server, uint32_t peer, const fr__client *client, const char *message,
                             fr_status status, const char *reason);

// Says what is wrong and closes the connection, with a code of RFC 6455.
void fr__client_refuse(fr__client *client, uint16_t code, fr_status status, const char *what);

// ---------------------------------------------------------------------------------------------------------------
// command.c

// What programs and commanders ask for; each but the update is replied to.
fr_status fr__client_command(fr__client *client, const fr_message_command *message, fr_error *error);
fr_status fr__client_affords(fr__client *client, const fr_message_affords *message, fr_error *error);
void fr__client_update(fr__client *client, const fr_message_update *message);

// The number of a request; false for a message that gets no reply.
bool fr__message_request(const fr_message *message, uint32_t *out);

// stock.c
fr_status fr__client_stock(fr__client *client, const fr_message_stock *message, fr_error *error);
fr_status fr__client_add(fr__client *client, const fr_message_add *message, fr_error *error);
fr_status fr__client_stand(fr__client *client, const fr_message_stand *message, fr_error *error);
fr_status fr__client_remove(fr__client *client, const fr_message_remove *message, fr_error *error);

// Adds an object to the scene, and publishes how it looks.
fr_status fr__server_add(fr_server *server, const fr_scene_addition *addition, fr_error *error);

// A copy of a text, of NULL an empty one; NULL: there is no memory.
const char *fr__server_copy_text(fr_arena *arena, const char *text);

// people.c
fr_status fr__client_people(fr__client *client, const fr_message_people *message, fr_error *error);
fr_status fr__client_pull(fr__client *client, const fr_message_pull *message, fr_error *error);
fr_status fr__client_posture(fr__client *client, const fr_message_posture *message, fr_error *error);

// Ends what a client moves as a program.
void fr__client_leave_bodies(fr__client *client);

// The commands of a client that goes go on, and count for its address until they end.
void fr__client_leave_commands(fr__client *client);

// The commands and additions of a scene that goes count no more.
void fr__server_forget_commands(fr_server *server);

// Reports commands that ended to the clients that gave them.
void fr__server_report_ends(fr_server *server);

// ---------------------------------------------------------------------------------------------------------------
// draw.c

// Shows a layer of the cast: fr_cast_draw_fn.
fr_status fr__server_draw_layer(const fr_cast_layer *layer, void *server, fr_error *error);

// Removes the layers that are drawn on an object that goes.
void fr__server_forget_layers(fr_server *server, fr_object_id object);

// Takes those on any object out of the feed, before all clients begin from scratch.
void fr__server_forget_layers_of_scene(fr_server *server);

// ---------------------------------------------------------------------------------------------------------------
// looks.c

// How a mesh that is published under a number looks; NULL: as the objects it is a part of.
const fr_mesh_look *fr__served_look_of(const fr_server *server, const fr_mesh *mesh, uint32_t number);

// Whether an object is shown in its colour alone.
bool fr__served_is_plain(const fr_server *server, fr_object_id id);

// Publishes the materials of the scene, and its pictures, which are large, from an index on.
void fr__served_publish_materials(fr_server *server, uint32_t first);
void fr__served_publish_pictures(fr_server *server, uint32_t first);

// Publishes where the scene is looked at from, where it says so.
void fr__served_publish_view(fr_server *server);

// Looks of meshes were added: what refers to them is found again.
void fr__served_renew_looks(fr_server *server);

// ---------------------------------------------------------------------------------------------------------------
// prediction.c

// Says how the aid is set to a client that wants moves.
void fr__client_say_aid(fr__client *client);

// Behind a tick: reports to their senders which moves it took.
void fr__server_report_moves(fr_server *server);

// ---------------------------------------------------------------------------------------------------------------
// models.c

// Publishes which models the scene took, and what clients may do with models.
void fr__served_publish_models(fr_server *server);

// Adds models to the scene and publishes them; on failure the import stays the caller's.
fr_status fr__served_import(fr_server *server, fr_scene_import *import, fr_error *error);

// A model of the scene by its number, from 1: its import and its place there. False: there is none.
bool fr__served_model(const fr_server *server, uint32_t number, fr_scene_import **import, uint32_t *index);

// Stores the models of the scene as a scene file; replied to when that is done. Other than FR_OK: it did not begin.
fr_status fr__client_keep(fr__client *client, const fr_message_keep *message, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// record.c

// Begins the search for touches of the record that is served, where it is one.
void fr__served_begin_record(fr_server *server);

// Publishes the record that is served, as far as it was searched; `is_due`: now, else when enough changed.
void fr__served_publish_record(fr_server *server, bool is_due);

// Goes to a tick of the record, or plays it at another speed. FR_ERROR_UNSUPPORTED where the scene is none.
fr_status fr__served_seek(fr_server *server, uint64_t tick, fr_error *error);
fr_status fr__served_set_speed(fr_server *server, double speed, fr_error *error);

// Lets time stand or go in a record, as fr_play_mode says.
fr_status fr__served_play_record(fr_server *server, uint32_t mode);

// Takes the next tick of the record into the world that is shown, before that ticks.
fr_status fr__served_advance_record(fr_server *server, bool *is_paused, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// clash.c

// Publishes the list of clashes of the scene, where it has one.
void fr__served_publish_clashes(fr_server *server);

// Draws where its parts meet, once its objects are published.
void fr__served_draw_clashes(fr_server *server);

// Decides about a clash: on the disk, then for every client. FR_ERROR_UNSUPPORTED where the scene has no list or no
// file of notes, FR_ERROR_ARGUMENT, FR_ERROR_LIMIT, FR_ERROR_MEMORY, FR_ERROR_FILE; nothing is changed then.
fr_status fr__served_note_clash(fr_server *server, const fr_message_note_clash *message, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// request.c

// Copies as much of a text as fits into so many bytes, at a whole character, for people to read: what is no UTF-8 or
// would steer a terminal becomes '?'.
void fr__copy_for_people(char *out, size_t size, const char *text);

// Says welcome to a client: it is sent the world from now on.
void fr__client_welcome(fr__client *client);

// Does what a client says.
void fr__client_handle(fr__client *client, const fr_message *message);

// Ends leases: of a client that goes, and those whose owner is silent for too long.
void fr__server_end_leases_of(fr_server *server, uint32_t client);
void fr__server_end_silent_leases(fr_server *server, uint64_t now_ns);

// ---------------------------------------------------------------------------------------------------------------
// served_scene.c

// Serves a scene in place of the one that is there, which stays on failure.
fr_status fr__served_open(fr_server *server, const char *name, fr_error *error);
fr_status fr__served_restart(fr_server *server, fr_error *error);
void fr__served_close(fr_server *server);

// One tick, and what is published of it.
fr_status fr__served_tick(fr_server *server, bool is_paused, fr_error *error);

// The object a reference names; all zeros where it names none.
fr_object_id fr__served_object(const fr_server *server, fr_ref ref);

// Appends the next piece of a mesh to a packet. `transfer` is of this mesh, or of none yet. False when there is no
// memory.
bool fr__served_write_mesh(fr_server *server, uint32_t mesh, fr_mesh_transfer *transfer, fr__packet *out);

// ---------------------------------------------------------------------------------------------------------------
// server.c

// Whether the provider has a scene of this name.
bool fr__server_has_scene(const fr_server *server, const char *name);

// ---------------------------------------------------------------------------------------------------------------
// session.c

// Ends what is left of sessions: they hear nothing more.
void fr__sessions_end(fr_server *server);

// ---------------------------------------------------------------------------------------------------------------
// store_world.c

// Puts objects where a store says.
void fr__server_restore(fr_server *server, const fr__store *store);

// Writes the store when something changed, or `always`. What goes wrong is logged, once until it goes well again.
void fr__server_store(fr_server *server, uint64_t now_ns, bool always);

// Writes the store, for a caller that reports what goes wrong.
fr_status fr__server_try_store(fr_server *server, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// viewer_folder.c

// Finds the viewer's files: share/fureai/viewer beside the folder of the library, beside that of the program, or where
// they were installed. False: they are in none of these places.
bool fr__viewer_folder_find(char path[FR__PATH_BYTES]);

// Finds ../share/fureai/viewer, seen from the folder of a file, whose links are followed. False: it holds no viewer.
bool fr__viewer_folder_beside(const char *file, char path[FR__PATH_BYTES]);

// ---------------------------------------------------------------------------------------------------------------
// socket.c

fr_status fr__sockets_open(fr_server *server, fr_error *error);

struct lws_vhost *fr__sockets_vhost(const fr_server *server);

// Lets connections that arrive wait until a time.
void fr__sockets_pause_listener(fr_server *server, uint64_t until_ns);

// Says goodbye to all, waits a moment for them to take it, and closes.
void fr__sockets_close(fr_server *server);

// Handles what happened on the sockets, waiting up to `wait_ns` for something to happen. False when that fails.
bool fr__sockets_service(fr_server *server, uint64_t wait_ns);

// Sends each client with a socket what there is for it where that is ready, and has fr__client_write called when that
// is so for the others. Not from within fr__sockets_service.
void fr__sockets_send_states(fr_server *server);

// Ends connections that are not listened to and have ended, or go on talking while they take nothing.
void fr__sockets_end_deaf(fr_server *server, uint64_t now_ns);

// Ends a wait of fr__sockets_service; from any thread.
void fr__sockets_wake(const fr_server *server);

// Closes clients whose sockets bring much that is no message: control frames, empty fragments.
void fr__sockets_end_floods(fr_server *server, uint64_t now_ns);

#endif
