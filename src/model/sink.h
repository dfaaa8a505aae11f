// Where writers put their bytes: collected, then handed to the caller's function.
#ifndef FUREAI_MODEL_SINK_H
#define FUREAI_MODEL_SINK_H

#include "model.h"

#define FR__SINK_BYTES 16384

typedef struct fr__sink {
    fr_model_sink_fn *take;
    void *context;
    const fr_control *control;
    fr_error *error;
    uint64_t faces_done, faces_all;
    fr_status status; // the first failure; after it nothing goes out
    size_t used;
    char bytes[FR__SINK_BYTES];
} fr__sink;

// Room for `size` bytes (at most FR__SINK_BYTES), which count as written.
char *fr__sink_room(fr__sink *sink, size_t size);

void fr__sink_bytes(fr__sink *sink, const void *bytes, size_t size);
void fr__sink_text(fr__sink *sink, const char *text);

// A name on one line: line ends and other control characters become '_'.
void fr__sink_name(fr__sink *sink, const char *name);

void fr__sink_integer(fr__sink *sink, uint64_t value);
void fr__sink_float(fr__sink *sink, float value);

// x, y and z of a vertex, each after a blank but the first.
void fr__sink_position(fr__sink *sink, const fr_model_mesh *mesh, uint32_t vertex);

// Notes a failure.
void fr__sink_fail(fr__sink *sink, fr_status status, const char *message);

// To be called after each polygon; false when the writing is to end.
bool fr__sink_face_done(fr__sink *sink);

// Hands over what is left.
fr_status fr__sink_finish(fr__sink *sink);

// What all parts have together, as writers of one list need it: each node's mesh counted once a node.
typedef struct fr__totals {
    uint64_t vertices, faces, triangles;
    uint64_t parts;
    uint32_t longest; // most corners of one polygon
    bool is_colored;  // the meshes have colours: all of them when one has
} fr__totals;

fr__totals fr__total(const fr_model *model);

// The mesh of a node, NULL where it has none.
static inline const fr_model_mesh *fr__mesh_of(const fr_model *model, uint32_t node) {
    uint32_t mesh = model->view.nodes[node].mesh;
    return mesh != FR_NONE ? &model->view.meshes[mesh] : NULL;
}

// The writers, one a format.
void fr__write_obj(fr__sink *sink, const fr_model *model);
void fr__write_stl(fr__sink *sink, const fr_model *model);
void fr__write_stl_ascii(fr__sink *sink, const fr_model *model);
void fr__write_ply(fr__sink *sink, const fr_model *model);
void fr__write_ply_ascii(fr__sink *sink, const fr_model *model);
void fr__write_off(fr__sink *sink, const fr_model *model);

#endif
