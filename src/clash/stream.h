// What a query of clashes works with whose meshes are made when they are needed.
#ifndef FR_CLASH_STREAM_H
#define FR_CLASH_STREAM_H

#include "clash/finder.h"

#include "fureai/clash_stream.h"

#include <stdatomic.h>

// The mesh of a shape, while it is there.
typedef struct fr__shape_slot {
    fr_mesh *mesh;      // NULL: not made
    uint64_t last_used; // the last batch that needed it
    uint64_t counted;   // the last batch whose bytes it is counted in
} fr__shape_slot;

typedef struct fr__ranked_part {
    uint32_t part, code; // of its middle on the curve
} fr__ranked_part;

// A part in the batches.
typedef struct fr__batched_part {
    uint64_t batch; // the last one that it was in
    uint32_t local; // its place in that one
    bool is_current;
} fr__batched_part;

// The box of a member of the batch around its corners, when it is known.
typedef struct fr__twin_box {
    bool is_known;
    fr_bounds bounds;
} fr__twin_box;

FR_ARRAY_TYPE(fr__twin_box_array, fr__twin_box);
FR_ARRAY_TYPE(fr__error_array, fr_error);

typedef struct fr__clash_stream {
    fr_clash_finder *finder; // gets the results; its parts are all parts, without their meshes
    fr_clash_finder *local;  // of the batch's parts, by their places in it
    const fr_clash_stream_input *input;
    fr__clash_rules rules;
    fr_control stop_only;
    fr_tree *tree; // over the boxes of the parts
    uint64_t batch;
    uint64_t made_bytes;    // of all meshes that there are
    atomic_bool is_stopped; // the control said so: only the calling thread, worker 0, may ask it
    fr_clash_stream_stats stats;

    // One a part, or a shape
    fr_box *boxes; // grown by half of the distance that is looked at
    fr__ranked_part *order;
    fr__batched_part *batched;
    fr__shape_slot *slots;

    fr_uint64_array near;    // parts of lower ranks about the one looked at, after the numbers of their shapes
    fr_uint32_array members; // parts of the batch, sorted
    fr_uint32_array missing; // shapes to be made for the batch
    fr__rule_match_array matches;
    fr__twin_box_array twin_boxes; // one a member
    fr__error_array errors;        // of the missing shapes that are made together
    size_t first_missing;          // of these
} fr__clash_stream;

static inline fr__rest_part *fr__stream_parts_of(const fr__clash_stream *s) { return s->finder->placed.data; }

static inline uint64_t fr__stream_shape_cost(const fr__clash_stream *s, uint32_t shape) {
    return (uint64_t)s->input->shapes[shape].triangle_count * FR_CLASH_TRIANGLE_BYTES;
}

static inline uint64_t fr__stream_limit_of(const fr__clash_stream *s) {
    return s->input->memory == 0 ? UINT64_MAX : (uint64_t)s->input->memory;
}

// The lowest number among the parts that are known to be the same as a part.
uint32_t fr__stream_lowest_twin(const fr__clash_stream *s, uint32_t part);

// Compares the members of a batch and keeps what was found.
fr_status fr__stream_run_batch(fr__clash_stream *s, fr_error *error);

#endif
