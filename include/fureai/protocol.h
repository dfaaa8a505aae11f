// Fureai protocol: messages between a world and its clients, to bytes and back. No sockets. Library libfureai-world.
//
// Which messages there are, and what each holds, is described in fureai/protocol_messages.h.
//
// Bytes are little endian and packed. A frame is any number of messages after one another. A message is u16 type, u16
// zero, u32 payload bytes, payload. What is read is checked in full: sizes, counts against the bytes that are left,
// UTF-8, finite numbers, unit quaternions, ranges. Reading takes time and memory in proportion to the bytes. Any thread
// may read or write; one thread at a time uses one writer's array, arena, encoder, layer or mirror.
#ifndef FUREAI_PROTOCOL_H
#define FUREAI_PROTOCOL_H

#include "protocol_messages.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FR_PROTOCOL_VERSION 6u
#define FR_PROTOCOL_NAME "fureai-6"         // the WebSocket subprotocol
#define FR_PROTOCOL_HEADER_BYTES 8u         // of a message
#define FR_PROTOCOL_MAX_PAYLOAD (1u << 28)  // bytes; more is not written (FR_ERROR_LIMIT), and cut short to a reader
#define FR_PROTOCOL_MAX_PAIRS 65536u        // listed in one PAIRS
#define FR_PROTOCOL_MAX_CONTACTS 4096u      // listed in one CONTACTS
#define FR_PROTOCOL_MAX_FACE_TOUCHES 4096u  // listed in one FACE_TOUCHES
#define FR_PROTOCOL_MAX_CLASHES 256u        // listed in one CLASHES
#define FR_PROTOCOL_PIECE_BYTES (64u << 10) // max payload of a piece of a mesh or of vertices

// ---------------------------------------------------------------------------------------------------------------
// Values of fields

// What a client wants.
typedef enum fr_wants {
    FR_WANTS_POSES = 1, // always sent
    FR_WANTS_PAIRS = 2,
    FR_WANTS_CONTACTS = 4,
    FR_WANTS_EVENTS = 8,
    FR_WANTS_STATS = 16,
    FR_WANTS_DRAW = 32,
    FR_WANTS_FACE_TOUCHES = 64,
    FR_WANTS_MOVES = 128 // what a client needs that predicts what it holds: AID and MOVED
} fr_wants;

// The code that a server closes with where a token is missing or wrong, of those that RFC 6455 leaves to applications.
#define FR_CLOSE_TOKEN 4401u

// What a client may do; each may do what those before it may.
typedef enum fr_role {
    FR_ROLE_NONE,   // nothing
    FR_ROLE_WATCH,  // it is sent the world, and may ask what there is
    FR_ROLE_HANDLE, // objects, their states, people; objects are added and removed
    FR_ROLE_DIRECT  // time, scenes and files
} fr_role;

typedef enum fr_play_mode { FR_PLAY_PAUSE, FR_PLAY_GO, FR_PLAY_STEP, FR_PLAY_RESTART } fr_play_mode;

// What is sent for the triangles of a mesh, and how a material and a picture are shown.
typedef enum fr_look_flags {
    FR_LOOK_MATERIALS = 1,
    FR_LOOK_UVS = 2,
    FR_LOOK_COLORS = 4,
    FR_LOOK_NORMALS = 8
} fr_look_flags;
typedef enum fr_material_flags { FR_MATERIAL_UNLIT = 1 } fr_material_flags;
typedef enum fr_picture_flags { FR_PICTURE_REPEATS_U = 1, FR_PICTURE_REPEATS_V = 2 } fr_picture_flags;

typedef enum fr_sound_flags { FR_SOUND_LOOP = 1, FR_SOUND_SPATIAL = 2 } fr_sound_flags;

// What a face touch does in the tick that reports it.
typedef enum fr_touch_phase { FR_PHASE_BEGAN = 1, FR_PHASE_ENDED = 2, FR_PHASE_POINT = 4 } fr_touch_phase;

typedef enum fr_state_flags { FR_STATE_PAUSED = 1, FR_STATE_PARTIAL = 2, FR_STATE_COMPLETE = 4 } fr_state_flags;

// ---------------------------------------------------------------------------------------------------------------
// The description as data, for what makes text of it and for the codec

typedef enum fr_protocol_kind {
    FR_KIND_U8,
    FR_KIND_U32,
    FR_KIND_U64,
    FR_KIND_U53,
    FR_KIND_F32,
    FR_KIND_F64,
    FR_KIND_TEXT,
#define FR_KIND_VALUE(KIND, type, name, about) FR_KIND_##KIND,
    FR_WIRE_TABLE(FR_KIND_VALUE)
#undef FR_KIND_VALUE
        FR_KIND_COUNT
} fr_protocol_kind;

typedef struct fr_protocol_field {
    const char *name;
    const char *about; // "" where the name says all
    fr_protocol_kind kind;
    bool is_array;
    bool is_limited;
    uint32_t last;       // the largest number, of one that is limited
    uint32_t multiple;   // what the count of an array is a multiple of
    size_t offset;       // in the C struct
    size_t count_offset; // of an array
} fr_protocol_field;

typedef struct fr_protocol_struct {
    const char *name; // "ref" .. "face_colors", "hello" .. "pong"
    const char *about;
    const fr_protocol_field *fields;
    uint32_t field_count;
    size_t c_bytes; // of the C struct
} fr_protocol_struct;

// The side that reads a message.
typedef enum fr_protocol_reader { FR_READER_SERVER, FR_READER_CLIENT } fr_protocol_reader;

typedef struct fr_protocol_message {
    fr_message_type type;
    fr_protocol_reader reader;
    fr_protocol_struct layout;
} fr_protocol_message;

// "u8" .. "text", or the name of the struct.
FR_API const char *fr_protocol_kind_name(fr_protocol_kind kind);

// A struct by its kind; NULL for a kind that is none.
FR_API const fr_protocol_struct *fr_protocol_struct_of(fr_protocol_kind kind);

// The i-th message of the table; NULL beyond the last.
FR_API const fr_protocol_message *fr_protocol_message_at(size_t i);

// A message by its type; NULL for a number that is none.
FR_API const fr_protocol_message *fr_protocol_message_of(uint32_t type);

// ---------------------------------------------------------------------------------------------------------------
// Writing and reading

// Appends a message to `out`, an array of bytes (element_bytes 1). Checked as a reader checks it, so what was written
// can be read: FR_ERROR_ARGUMENT, FR_ERROR_NOT_FINITE, FR_ERROR_LIMIT, FR_ERROR_SYNTAX (text that is no UTF-8),
// FR_ERROR_MEMORY, with nothing appended. Allocates only where `out` must grow.
FR_API fr_status fr_protocol_write(const fr_message *message, fr_array *out, fr_error *error);

// A message that was found but not read.
typedef struct fr_packet {
    fr_message_type type;
    uint32_t payload_bytes;
    const void *payload; // into the frame, at no particular alignment
} fr_packet;

// Walks over the messages of a frame: { bytes, size, 0, the reading side }.
typedef struct fr_frame {
    const void *bytes;
    size_t size;
    size_t at;                 // bytes passed so far
    fr_protocol_reader reader; // messages for the other one are refused
} fr_frame;

// The next message. False at the end, with *status FR_OK, and at what is none: FR_ERROR_SYNTAX when it is cut short or
// begins wrongly, FR_ERROR_UNSUPPORTED for an unknown type or one for the other side. The frame stays there then.
FR_API bool fr_frame_next(fr_frame *frame, fr_packet *packet, fr_status *status, fr_error *error);

// Reads a message; texts and arrays are copied into `arena`, at most 8 bytes for each byte of the payload. FR_ERROR_*
// SYNTAX, NOT_FINITE, ARGUMENT, LIMIT (a number out of its range), MEMORY; FR_ERROR_VERSION for a hello or welcome of
// another version, whatever else it holds. On failure *out is unchanged; the arena may hold some of it.
FR_API fr_status fr_protocol_read(const fr_packet *packet, fr_arena *arena, fr_message *out, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Messages of a world
//
// Each call appends messages to `out`, an array of bytes, or fails as fr_protocol_write and leaves it as it was. A warm
// call, for no more than an encoder did before, allocates only where `out` must grow.

// Scratch memory of an encoder of messages.
typedef struct fr_encoder fr_encoder;

FR_API fr_status fr_encoder_create(const fr_allocator *allocator, fr_encoder **out, fr_error *error);
FR_API void fr_encoder_destroy(fr_encoder *encoder);

static inline fr_ref fr_ref_of(fr_object_id id) {
    fr_ref ref = {id.index1, id.generation};
    return ref;
}

// STATE: the objects whose pose, hold or place changed since `previous`, an earlier snapshot of the same world; NULL:
// all, complete.
FR_API fr_status fr_protocol_encode_state(fr_encoder *encoder, const fr_snapshot *snapshot, const fr_snapshot *previous,
                                          fr_array *out, fr_error *error);

// BONES: the bodies with bones that moved since `previous`; NULL: all. Nothing where there is none. Of an object with
// bones STATE lists only what is new, held, let go or scaled: its place comes with its bones. Bones hang together as
// the skin of the object's first part that has one says, which is looked up in the space; an object that is gone from
// there is left out.
FR_API fr_status fr_protocol_encode_bones(fr_encoder *encoder, const fr_space *space, const fr_snapshot *snapshot,
                                          const fr_snapshot *previous, fr_array *out, fr_error *error);

// Which state of each object a receiver has that wants fewer states of what is far.
typedef struct fr_backlog fr_backlog;

// `allocator` may be NULL for the process default. FR_ERROR_MEMORY. NULL to destroy is ignored.
FR_API fr_status fr_backlog_create(const fr_allocator *allocator, fr_backlog **out, fr_error *error);
FR_API void fr_backlog_destroy(fr_backlog *backlog);

// The receiver was sent all of a snapshot, with fr_protocol_encode_state and fr_protocol_encode_bones.
FR_API void fr_backlog_begin(fr_backlog *backlog, uint64_t sequence);

typedef struct fr_near_input {
    fr_backlog *backlog;         // of the receiver, begun; changed by the call
    const fr_space *space;       // as of fr_protocol_encode_bones
    const fr_snapshot *snapshot; // one after that which the receiver was sent last
    const fr_snapshot *previous; // that one
    fr_vec3 point;               // in the world
    double distance;             // metres, above 0
} fr_near_input;

#define FR_NEAR_MAX_PERIOD 16u // states that an object is passed over in at most, and one

// STATE and BONES of what changed, for one receiver: objects whose place is within `distance` of `point` each time,
// beyond it every second time, beyond twice the distance every fourth, and so on up to FR_NEAR_MAX_PERIOD; what is new
// or held each time. What was passed over comes with the next turn of the object, so that the last state of one that
// stops comes, too. Fails as the two do; the backlog is then to be begun again.
FR_API fr_status fr_protocol_encode_near(fr_encoder *encoder, const fr_near_input *input, fr_array *out,
                                         fr_error *error);

// A turn in 48 bits, right within 1e-4 radians, and back: a unit quaternion whose largest number is positive.
FR_API uint64_t fr_protocol_pack_turn(fr_quat turn);
FR_API fr_quat fr_protocol_unpack_turn(uint64_t packed);

// PAIRS, CONTACTS and EVENTS of a snapshot, empty ones too. What is over FR_PROTOCOL_MAX_PAIRS is left out at the end;
// of more than FR_PROTOCOL_MAX_CONTACTS every n-th is sent. Numbers too large for a float become the largest.
FR_API fr_status fr_protocol_encode_pairs(fr_encoder *encoder, const fr_snapshot *snapshot, fr_array *out,
                                          fr_error *error);
FR_API fr_status fr_protocol_encode_contacts(fr_encoder *encoder, const fr_snapshot *snapshot, fr_array *out,
                                             fr_error *error);
FR_API fr_status fr_protocol_encode_events(fr_encoder *encoder, const fr_snapshot *snapshot, fr_array *out,
                                           fr_error *error);

// FACE_TOUCHES: those of a snapshot that began or ended in its tick; nothing where there is none. Of more than
// FR_PROTOCOL_MAX_FACE_TOUCHES every n-th is sent.
FR_API fr_status fr_protocol_encode_face_touches(fr_encoder *encoder, const fr_snapshot *snapshot, fr_array *out,
                                                 fr_error *error);

// What the server adds to the statistics of a tick.
typedef struct fr_protocol_service {
    double ms_encode;
    uint32_t clients;
    uint64_t dropped;
} fr_protocol_service;

FR_API fr_status fr_protocol_encode_stats(const fr_snapshot *snapshot, const fr_protocol_service *service,
                                          fr_array *out, fr_error *error);

// An object to be sent.
typedef struct fr_protocol_object {
    const fr_space *space;
    fr_object_id id;
    const char *name; // may be NULL
    fr_color color;
    bool is_plain; // shown in its colour alone
    // The server's number, from 1, of a mesh with a skin; NULL: with none.
    uint32_t (*mesh_number)(const fr_mesh *mesh, const fr_skin *skin, void *user);
    void *user;
} fr_protocol_object;

// OBJECT, at its pose in the space now. FR_ERROR_STALE_ID.
FR_API fr_status fr_protocol_encode_object(fr_encoder *encoder, const fr_protocol_object *object, fr_array *out,
                                           fr_error *error);

// VERTICES of an object that was given vertices of its own, in pieces; nothing for another. FR_ERROR_STALE_ID.
FR_API fr_status fr_protocol_encode_vertices(fr_encoder *encoder, const fr_space *space, fr_object_id id, fr_array *out,
                                             fr_error *error);

// The progress of sending a mesh: { mesh, its number } at the beginning.
typedef struct fr_mesh_transfer {
    const fr_mesh *mesh;
    uint32_t number;          // from 1
    const fr_mesh_look *look; // NULL: none. Materials are sent by their index, from 1
    const fr_skin *skin;      // NULL: none
    fr_skin_method method;    // of the skin
    uint32_t stage;           // 0 MESH, 1 MESH_VERTICES, 2 MESH_TRIANGLES, 3 MESH_FACES, 4 MESH_LOOK, 5 MESH_BONES,
                              // 6 MESH_WEIGHTS, 7 all was sent
    uint32_t at;              // vertices, triangles, bones or influences of the stage that were sent
} fr_mesh_transfer;

// MATERIAL and PICTURE under a number. FR_ERROR_LIMIT for a picture that is too large.
FR_API fr_status fr_protocol_encode_material(const fr_material *material, uint32_t number, fr_array *out,
                                             fr_error *error);
FR_API fr_status fr_protocol_encode_picture(const fr_picture *picture, uint32_t number, fr_array *out, fr_error *error);

// SOUND. FR_ERROR_LIMIT for a file that is too large.
FR_API fr_status fr_protocol_encode_sound(const fr_sound *sound, fr_array *out, fr_error *error);

// One message of a mesh: the next piece, of at most FR_PROTOCOL_PIECE_BYTES. Call it until fr_mesh_transfer_is_done.
FR_API fr_status fr_protocol_encode_mesh_piece(fr_encoder *encoder, fr_mesh_transfer *transfer, fr_array *out,
                                               fr_error *error);
static inline bool fr_mesh_transfer_is_done(const fr_mesh_transfer *transfer) { return transfer->stage == 7; }

// ---------------------------------------------------------------------------------------------------------------
// A layer drawn over the world: what is drawn is kept, then written as DRAW

typedef struct fr_layer fr_layer;

FR_API fr_status fr_layer_create(const fr_allocator *allocator, fr_layer **out, fr_error *error);
FR_API void fr_layer_destroy(fr_layer *layer);

// Says that all is drawn in the frame of an object, until the layer is cleared; zero, as at first: in the world.
FR_API void fr_layer_attach(fr_layer *layer, fr_ref object);

// Forgets what was drawn, and what went wrong. Its memory is kept: drawing no more than ever before allocates nothing.
FR_API void fr_layer_clear(fr_layer *layer);

// Draws into the layer; valid while it lives. Strokes of one colour and width after one another become one item.
FR_API fr_draw fr_layer_draw(fr_layer *layer);

// What fr_draw does not have. All is copied. An image has width * height pixels of 4 bytes, the top row first.
FR_API void fr_layer_box(fr_layer *layer, const fr_wire_box *box);
FR_API void fr_layer_image(fr_layer *layer, const fr_wire_image *image);
FR_API void fr_layer_face_colors(fr_layer *layer, const fr_wire_face_colors *face_colors);

// Writes it under a number and a name. FR_ERROR_MEMORY, also of an earlier call that drew; FR_ERROR_NOT_FINITE and the
// others of fr_protocol_write for what was drawn, with nothing written. A layer into which nothing was drawn is written
// too, and removes the one of this number from the viewers.
FR_API fr_status fr_layer_write(fr_layer *layer, uint32_t number, const char *name, fr_array *out, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// The mirror: what a client knows of the world, fed by bytes from the server
//
// Any bytes are safe: what contradicts itself or the format is a status, and memory is bounded by what was received,
// whatever it announces. What names an object or a mesh that is not known is passed over.

typedef struct fr_mirror fr_mirror;

// Called after each message was taken in, in order; replies, pongs, errors and events are seen here. The message lives
// until it returns. Must not feed the mirror.
typedef void fr_mirror_fn(const fr_mirror *mirror, const fr_message *message, void *user);

typedef struct fr_mirror_def {
    fr_mirror_fn *received; // may be NULL
    void *user;
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_mirror_def
} fr_mirror_def;

FR_API fr_mirror_def fr_default_mirror_def(void);
FR_API fr_status fr_mirror_create(const fr_mirror_def *def, fr_mirror **out, fr_error *error);
FR_API void fr_mirror_destroy(fr_mirror *mirror);

// Takes in the messages of a frame, in order, up to the first that is wrong: the statuses of fr_frame_next and
// fr_protocol_read, and FR_ERROR_CORRUPT for what contradicts itself or what came before. The mirror is whole
// afterwards and holds nothing of that message; a client closes the connection then.
FR_API fr_status fr_mirror_feed(fr_mirror *mirror, const void *bytes, size_t size, fr_error *error);

typedef struct fr_mirror_mesh {
    uint32_t number;
    uint32_t vertex_count, triangle_count, face_count; // as announced
    const float *positions;                            // 3 a vertex, as far as they came
    const uint32_t *triangles;                         // 3 a triangle, as far as they came; each < vertex_count
    const uint32_t *faces;                             // one a triangle, as far as they came; each < face_count
    uint32_t bone_count, influence_count;              // of its skin, as announced; 0: none
    fr_skin_method method;                             // of the skin
    const uint32_t *parents;                           // one a bone, as far as they came
    const float *inverse_binds;                        // 12 a bone, as far as they came
    const uint32_t *bones;                             // influence_count a vertex, as far as they came; < bone_count
    const float *weights;                              // likewise
    bool is_whole;                                     // all came
} fr_mirror_mesh;

typedef struct fr_mirror_object {
    fr_ref ref;
    const char *name;
    fr_color color;
    uint32_t flags; // of fr_object_flags
    bool is_plain;  // shown in its colour alone
    fr_hold hold;
    fr_pose pose;
    const fr_wire_part *parts;
    uint32_t part_count;
    const float *vertices; // 3 a vertex, of a deformed one, as far as they came; NULL: the meshes' own
    uint32_t vertex_count; // vertices that came
    const fr_pose *bones;  // in the object's frame; NULL: none came
    uint32_t bone_count;
    uint32_t lease_client;  // the client that handles it; 0: none
    const char *lease_name; // "" where none does
} fr_mirror_object;

// All that is known, to read until the mirror is fed. Before a message of a kind came, zeros.
typedef struct fr_mirror_view {
    fr_message_welcome welcome;
    fr_message_reset scene; // step and title: of welcome or the last reset
    fr_message_gallery gallery;
    bool has_state; // a complete state came since the beginning or the last reset
    uint64_t sequence, tick;
    double time;
    uint32_t state_flags;                   // of fr_state_flags, of the last state
    const fr_mirror_mesh *const *meshes;    // sorted by number
    const fr_mirror_object *const *objects; // sorted by index1
    const fr_message_draw *const *layers;   // sorted by layer
    uint32_t mesh_count, object_count, layer_count;
    fr_message_pairs pairs;
    fr_message_contacts contacts;
    fr_message_events events;             // of the last message of events
    fr_message_face_touches face_touches; // of the last one of these
    fr_message_stats stats;
} fr_mirror_view;

FR_API const fr_mirror_view *fr_mirror_get(const fr_mirror *mirror);

// By number, by place, by name (the first by place; O(objects)); NULL where there is none.
FR_API const fr_mirror_mesh *fr_mirror_mesh_of(const fr_mirror *mirror, uint32_t number);
FR_API const fr_mirror_object *fr_mirror_object_of(const fr_mirror *mirror, uint32_t index1);
FR_API const fr_mirror_object *fr_mirror_find(const fr_mirror *mirror, const char *name);

// A hash of the objects, with their poses, holds, bones and vertices, and of the meshes they are made of: mirrors that
// show the same world have equal numbers.
FR_API uint64_t fr_mirror_hash(const fr_mirror *mirror);

#ifdef __cplusplus
}
#endif

#endif
