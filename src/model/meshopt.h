// Compressed buffer views of glTF, as EXT_meshopt_compression and KHR_meshopt_compression define them: streams of
// elements, of triangles and of indices, and the filters that follow. Written after the bitstream in the appendices of
// the two extensions.
#ifndef FUREAI_MODEL_MESHOPT_H
#define FUREAI_MODEL_MESHOPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum fr__meshopt_mode {
    FR__MESHOPT_ATTRIBUTES, // elements of any kind
    FR__MESHOPT_TRIANGLES,  // indices, three a triangle
    FR__MESHOPT_INDICES     // indices of any kind
} fr__meshopt_mode;

typedef enum fr__meshopt_filter {
    FR__MESHOPT_NO_FILTER,
    FR__MESHOPT_OCTAHEDRAL,  // unit vectors
    FR__MESHOPT_QUATERNION,  // rotations
    FR__MESHOPT_EXPONENTIAL, // floats
    FR__MESHOPT_COLOR        // colours
} fr__meshopt_filter;

typedef struct fr__meshopt_view {
    fr__meshopt_mode mode;
    fr__meshopt_filter filter;
    uint64_t count;  // elements
    uint64_t stride; // bytes of an element
} fr__meshopt_view;

// What is wrong with a view whose stream has `size` bytes, as a sentence; NULL for nothing. A view that passes has no
// more elements than such a stream can hold: at most 1024 bytes come from a byte.
const char *fr__meshopt_check(const fr__meshopt_view *view, size_t size);

// Decodes the stream of a view that was checked into count * stride bytes, filter included. False when the stream is
// not valid; `out` holds anything then. O(size + count * stride), without memory.
bool fr__meshopt_decode(const fr__meshopt_view *view, const void *bytes, size_t size, void *out);

// The stages of the above.
bool fr__meshopt_attributes(const unsigned char *bytes, size_t size, size_t count, size_t stride, unsigned char *out);
bool fr__meshopt_triangles(const unsigned char *bytes, size_t size, size_t count, size_t stride, unsigned char *out);
bool fr__meshopt_indices(const unsigned char *bytes, size_t size, size_t count, size_t stride, unsigned char *out);
void fr__meshopt_unfilter(fr__meshopt_filter filter, size_t count, size_t stride, unsigned char *elements);

// The fewest bytes of a stream of attributes.
uint64_t fr__meshopt_attributes_min(uint64_t count, uint64_t stride);

#endif
