// Fureai clash: clashes of assemblies that are larger than memory (out of core): meshes are made when they are needed
// and given up again, in an order in which few of them are needed at once.
#ifndef FUREAI_CLASH_STREAM_H
#define FUREAI_CLASH_STREAM_H

#include "clash.h"

#ifdef __cplusplus
extern "C" {
#endif

// A mesh as it is known before it is made.
typedef struct fr_clash_shape {
    fr_bounds bounds;        // in the mesh's frame: hold all corners of its triangles
    uint32_t triangle_count; // 1 or more
} fr_clash_shape;

// A part: the mesh of a shape where its pose puts it. Parts with one shape are instances of it.
typedef struct fr_clash_instance {
    uint32_t shape; // index
    fr_pose pose;
} fr_clash_instance;

// Makes the mesh of a shape: a reference that becomes the caller's. It is called for several shapes at once, on any
// thread, and again for a shape that was given up: the mesh must be the same each time. Long work checks `control`.
typedef fr_status fr_clash_make_fn(uint32_t shape, const fr_control *control, fr_mesh **out, void *user,
                                   fr_error *error);

// What a triangle of a mesh costs while it is made and compared, in bytes, as the limit counts it.
#define FR_CLASH_TRIANGLE_BYTES 256u

typedef struct fr_clash_stream_input {
    const fr_clash_shape *shapes;
    uint32_t shape_count;
    const fr_clash_instance *parts;
    uint32_t part_count;      // 0 .. UINT32_MAX - 1
    fr_clash_make_fn *make;   // of the shapes
    void *user;               // given to `make`
    size_t memory;            // bytes that meshes may take at once, FR_CLASH_TRIANGLE_BYTES for each triangle; the two
                              // largest that meet are made whatever it says. 0, the default: no limit. Parts and
                              // results are not counted: about 200 bytes a part, 24 a pair of triangles
    const char *const *names; // the rest is as of fr_clash_input
    const fr_clash_rule *rules;
    size_t rule_count;
    double clearance;
    double tolerance;
    const fr_tasks *tasks;
    const fr_control *control;
    uint32_t cookie; // set by fr_default_clash_stream_input
} fr_clash_stream_input;

FR_API fr_clash_stream_input fr_default_clash_stream_input(void);

// What a query took.
typedef struct fr_clash_stream_stats {
    uint64_t made_count;  // meshes made, those made again included
    uint64_t batch_count; // parts were compared in so many batches
    size_t max_bytes;     // of meshes at once, as the limit counts them
} fr_clash_stream_stats;

// Finds what fr_clash_find finds for the same parts, with the same numbers, whatever the limit. Parts are compared in
// batches of neighbours, in the order of a space-filling curve through their middles; a mesh stays until its room is
// needed. `stats` may be NULL. FR_ERROR_ARGUMENT for an input outside its limits, or a mesh that is not as its shape
// says, FR_ERROR_STOPPED, FR_ERROR_MEMORY, and what `make` returns; `output` is empty then.
FR_API fr_status fr_clash_find_stream(fr_clash_finder *finder, const fr_clash_stream_input *input,
                                      fr_clash_output *output, fr_clash_stream_stats *stats, fr_error *error);

#ifdef __cplusplus
}
#endif

#endif
