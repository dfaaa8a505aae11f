// The private structure of a mirror.
#ifndef FUREAI_PROTOCOL_MIRROR_H
#define FUREAI_PROTOCOL_MIRROR_H

#include "fureai/protocol.h"
#include "protocol/shelf.h"

FR_ARRAY_TYPE(fr__char_array, char);
FR_ARRAY_TYPE(fr__mirror_pose_array, fr_pose);

// A stored message with its memory, and the memory for the next one of its kind.
typedef struct fr__kept {
    fr_arena *now, *next;
} fr__kept;

// Each begins with its public view, whose first member is its number on its shelf.
typedef struct fr__mirror_mesh {
    fr_mirror_mesh view;
    fr_float_array positions, inverse_binds, weights;
    fr_uint32_array triangles, faces, parents, bones;
} fr__mirror_mesh;

typedef struct fr__mirror_object {
    fr_mirror_object view;
    fr_arena *arena; // its name and parts
    fr_float_array vertices;
    fr__mirror_pose_array bones; // in their parents' frames, then in the object's
    fr__char_array lease_name;
} fr__mirror_object;

typedef struct fr__mirror_layer {
    fr_message_draw view;
    fr_arena *arena;
} fr__mirror_layer;

struct fr_mirror {
    fr_allocator allocator;
    fr_mirror_fn *on_message;
    void *user;
    fr_mirror_view view;
    fr_arena *scratch; // of the message that is being applied
    fr__kept welcome, scene, gallery, pairs, contacts, events, face_touches;
    fr__shelf meshes, objects, layers;
};

// Each applies one message, or leaves everything as it was. `received` was read into the mirror's scratch; `packet` is
// its bytes.
fr_status fr__mirror_take_mesh(fr_mirror *mirror, const fr_message_mesh *received, fr_error *error);
fr_status fr__mirror_take_mesh_vertices(fr_mirror *mirror, const fr_message_mesh_vertices *received, fr_error *error);
fr_status fr__mirror_take_mesh_triangles(fr_mirror *mirror, const fr_message_mesh_triangles *received, fr_error *error);
fr_status fr__mirror_take_mesh_faces(fr_mirror *mirror, const fr_message_mesh_faces *received, fr_error *error);
fr_status fr__mirror_take_mesh_bones(fr_mirror *mirror, const fr_message_mesh_bones *received, fr_error *error);
fr_status fr__mirror_take_mesh_weights(fr_mirror *mirror, const fr_message_mesh_weights *received, fr_error *error);
fr_status fr__mirror_take_bones(fr_mirror *mirror, const fr_message_bones *received, fr_error *error);
fr_status fr__mirror_take_object(fr_mirror *mirror, const fr_packet *packet, const fr_message_object *received,
                                 fr_error *error);
fr_status fr__mirror_take_gone(fr_mirror *mirror, const fr_message_gone *received);
fr_status fr__mirror_take_vertices(fr_mirror *mirror, const fr_message_vertices *received, fr_error *error);
fr_status fr__mirror_take_state(fr_mirror *mirror, const fr_message_state *received, fr_error *error);
fr_status fr__mirror_take_lease(fr_mirror *mirror, const fr_message_lease *received, fr_error *error);

// Makes an arena of the size that `packet` used in the scratch, and reads the message into it.
fr_status fr__mirror_keep(fr_mirror *mirror, const fr_packet *packet, fr_arena **arena, fr_message *message,
                          fr_error *error);

// Adds a piece of `count` elements to an array that may have no gap and no more than `limit` elements: it begins at or
// before the end. FR_ERROR_CORRUPT where it does not.
fr_status fr__mirror_place_floats(fr_float_array *array, uint64_t first, const float *piece, uint64_t count,
                                  uint64_t limit, fr_error *error);

void fr__mirror_mesh_destroy(fr_mirror *mirror, fr__mirror_mesh *mesh);
void fr__mirror_object_destroy(fr_mirror *mirror, fr__mirror_object *object);
void fr__mirror_layer_destroy(fr_mirror *mirror, fr__mirror_layer *layer);

#endif
