// Where writers put their bytes: collected, then handed to the caller's function.
#ifndef FUREAI_MODEL_SINK_H
#define FUREAI_MODEL_SINK_H

#include "checksum.h"
#include "model.h"
#include "work_meter.h"

#define FR__SINK_BYTES 16384

// What all parts have together, as writers of one list need it: each node's mesh counted once a node.
typedef struct fr__totals {
    uint64_t vertices, faces, triangles;
    uint64_t parts;
    uint32_t longest; // most corners of one polygon
    bool is_colored;  // some polygon has a colour of its own or a node a material
    bool is_double;   // some position is a double: the model's own, or what a transform gives
} fr__totals;

typedef struct fr__sink {
    fr_model_sink_fn *take;
    void *context;
    const fr_control *control;
    fr__work_meter meter;
    fr_error *error;
    double frame[12];  // from the model's frame to the file's
    double unit;       // metres a unit of the file
    fr_model_up up;    // axis of the file that points up
    bool has_frame;    // they differ
    fr__totals totals; // of what is written
    uint64_t faces_done;
    uint64_t flushed;  // bytes handed over before those in `bytes`
    fr__checksum *sum; // takes what is handed over; NULL: not wanted
    bool no_cooked;
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
void fr__sink_double(fr__sink *sink, double value);

// A vertex in the file's frame; notes a failure where a transform takes it beyond all numbers.
fr_vec3 fr__written_position(fr__sink *sink, const fr__placed *placed, uint32_t vertex);

// x, y and z of a vertex, each after a blank but the first.
void fr__sink_position(fr__sink *sink, const fr__placed *placed, uint32_t vertex);

// A line that says the file's frame, where it is not the model's own.
void fr__sink_frame(fr__sink *sink, const char *before);

// Bytes that were written so far.
static inline uint64_t fr__sink_offset(const fr__sink *sink) { return sink->flushed + sink->used; }

// Hands over what there is.
void fr__sink_flush(fr__sink *sink);

// Counts work; false when the writing is to end.
bool fr__sink_goes_on(fr__sink *sink, size_t work);

// Notes a failure.
void fr__sink_fail(fr__sink *sink, fr_status status, const char *message);

// To be called after each polygon; false when the writing is to end.
bool fr__sink_face_done(fr__sink *sink);

// The same for `count` polygons at once.
bool fr__sink_faces_done(fr__sink *sink, uint64_t count);

// Hands over what is left.
fr_status fr__sink_finish(fr__sink *sink);

// What is written of a node by formats without a tree: its mesh in the file's frame; none where the node has none, is
// hidden or only stands for others.
fr__placed fr__written_node(const fr__sink *sink, const fr_model *model, uint32_t node);

// The vertex of corner `i` of a polygon; polygons that a transform mirrors are turned about, from the same first
// corner.
static inline uint32_t fr__written_corner(const fr__placed *placed, uint32_t face, uint32_t i) {
    const fr_model_mesh *mesh = placed->mesh;
    uint32_t begin = fr_model_face_begin(mesh, face);
    return mesh->corners[i == 0 || !placed->is_mirrored ? begin + i : fr_model_face_end(mesh, face) - i];
}

// The colour of a polygon: its own, that of its material, that of its node's, or grey.
fr_color fr__written_color(const fr_model *model, uint32_t node, uint32_t face);

// Counts what is written, at the beginning.
void fr__sink_total(fr__sink *sink, const fr_model *model);

// The writers, one a format.
void fr__write_obj(fr__sink *sink, const fr_model *model);
void fr__write_stl(fr__sink *sink, const fr_model *model);
void fr__write_stl_ascii(fr__sink *sink, const fr_model *model);
void fr__write_ply(fr__sink *sink, const fr_model *model);
void fr__write_ply_ascii(fr__sink *sink, const fr_model *model);
void fr__write_off(fr__sink *sink, const fr_model *model);
void fr__write_frm(fr__sink *sink, const fr_model *model);
void fr__write_glb(fr__sink *sink, const fr_model *model);
void fr__write_vrml(fr__sink *sink, const fr_model *model);

#endif
