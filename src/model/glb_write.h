// What the files that write GLB share.
#ifndef FUREAI_MODEL_GLB_WRITE_H
#define FUREAI_MODEL_GLB_WRITE_H

#include "outline.h"
#include "sink.h"

typedef struct fr__glb_out {
    fr__sink *sink; // where the text goes, or the bytes
    const fr_model *model;
    const fr_model_view *view;
    fr__outline outline;
    uint64_t at;         // bytes of the binary part that were announced so far
    uint32_t views;      // buffer views that were, and accessors
    uint32_t next;       // number of the next node or mesh
    uint32_t *node_ids;  // number in the file of each node
    uint32_t *inner_ids; // of the node below it that brings a centre back; FR_NONE where there is none
    uint32_t *mesh_ids;  // first accessor of each mesh; FR_NONE for one without triangles
    uint32_t first_skin; // accessor of the first skin's inverse binds
    uint32_t *track_ids; // first accessor of each track; FR_NONE for one that is not written
    bool *is_moved;      // of each node: its transform stands in parts, which tracks move
} fr__glb_out;

void fr__glb_put(fr__glb_out *out, const char *text);
void fr__glb_put_whole(fr__glb_out *out, const char *before, uint64_t value);
void fr__glb_put_string(fr__glb_out *out, const char *before, const char *text);
void fr__glb_put_floats(fr__glb_out *out, const char *before, const float *values, int count);

// Comma and buffer view for the next `bytes` bytes of the binary part.
void fr__glb_put_view(fr__glb_out *out, uint64_t bytes, const char *after);

// Finds what tracks move: those of translations, rotations and scales of nodes whose parts glTF has, too.
void fr__glb_find_moved(fr__glb_out *out);

// A node's centre, where it has one and moves: its turns are about it.
bool fr__glb_has_center(const fr__glb_out *out, uint32_t node);

// The transform of a node that moves, and of the node below it.
void fr__glb_put_parts(fr__glb_out *out, uint32_t node);
void fr__glb_put_center(fr__glb_out *out, uint32_t node);

// Lists of four bones, and as many of their weights, that a mesh needs.
uint32_t fr__glb_set_count(const fr_model_mesh *mesh);

// Whether all bones of a skin are in the file.
bool fr__glb_has_skin(const fr__glb_out *out, uint32_t skin);

// Four bones of a vertex, or their weights.
void fr__glb_put_influences(fr__glb_out *out, const fr_model_mesh *mesh, uint32_t vertex, uint32_t set,
                            bool is_weights);

// The shapes of a mesh, whose accessors follow `accessor`, and their weights at rest.
void fr__glb_put_shapes(fr__glb_out *out, const fr_model_mesh *mesh, uint32_t accessor);
void fr__glb_put_shape_weights(fr__glb_out *out, const fr_model_mesh *mesh);

// Views, accessors, lists and bytes of the skins.
void fr__glb_put_skin_views(fr__glb_out *out);
void fr__glb_put_skin_accessors(fr__glb_out *out);
void fr__glb_put_skins(fr__glb_out *out);
void fr__glb_put_skin_bytes(fr__glb_out *out);

// Views, accessors, animations and bytes of the tracks.
void fr__glb_put_track_views(fr__glb_out *out);
void fr__glb_put_track_accessors(fr__glb_out *out);
void fr__glb_put_animations(fr__glb_out *out);
void fr__glb_put_track_bytes(fr__glb_out *out);

#endif
