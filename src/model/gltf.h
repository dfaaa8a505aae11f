// glTF and GLB: a document, its buffers, and what becomes parts, nodes and tracks of the builder.
#ifndef FUREAI_MODEL_GLTF_H
#define FUREAI_MODEL_GLTF_H

#include "builder.h"
#include "draco.h"

#include "fureai/json.h"

// The lists of the document that others point into.
typedef enum fr__gltf_list {
    FR__GLTF_BUFFERS,
    FR__GLTF_VIEWS,
    FR__GLTF_ACCESSORS,
    FR__GLTF_MESHES,
    FR__GLTF_MATERIALS,
    FR__GLTF_TEXTURES,
    FR__GLTF_IMAGES,
    FR__GLTF_NODES,
    FR__GLTF_SCENES,
    FR__GLTF_SKINS,
    FR__GLTF_LIST_COUNT
} fr__gltf_list;

typedef struct fr__gltf_buffer {
    const char *data;
    size_t size;
    void *owned;      // decoded from text
    const void *file; // loaded, to be given back
    size_t owned_bytes;
} fr__gltf_buffer;

FR_ARRAY_TYPE(fr__gltf_buffer_array, fr__gltf_buffer);

// The bytes of a view that was compressed.
typedef struct fr__gltf_decoded {
    char *data; // NULL while it is not decoded
    size_t size;
} fr__gltf_decoded;

FR_ARRAY_TYPE(fr__gltf_decoded_array, fr__gltf_decoded);

typedef struct fr__gltf_node {
    fr_json_value value;
    const double *transform;           // of the builder; NULL: none
    uint32_t parent;                   // FR_NONE at the top
    uint32_t mesh;                     // FR_NONE for none
    uint32_t skin;                     // FR_NONE for none
    uint32_t first_child, child_count; // its slice of `children`
    uint32_t placed;                   // the builder's node that it was last added as; FR_NONE: it is not shown
    bool is_root;                      // of the scene that is shown
} fr__gltf_node;

FR_ARRAY_TYPE(fr__gltf_node_array, fr__gltf_node);

// The primitives of a mesh that has something to show follow one another.
typedef struct fr__gltf_mesh {
    uint32_t first_primitive, primitive_count;
    fr_json_value weights; // of the shapes of a node that has the mesh; FR_JSON_NONE
    bool is_shown;
} fr__gltf_mesh;

FR_ARRAY_TYPE(fr__gltf_mesh_array, fr__gltf_mesh);

typedef struct fr__gltf_primitive {
    uint32_t part, material; // of the builder; the material is FR_NONE for none
} fr__gltf_primitive;

FR_ARRAY_TYPE(fr__gltf_primitive_array, fr__gltf_primitive);

// What of a primitive is read at its vertices, in this order: positions, normals, coordinates of textures, colours, two
// sets of bones with their weights.
#define FR__GLTF_ATTRIBUTES 8

typedef struct fr__gltf_draco_attribute {
    uint64_t accessor;
    uint32_t id; // of Draco's
} fr__gltf_draco_attribute;

// The primitive at hand where Draco compressed it.
typedef struct fr__gltf_draco {
    fr__draco_mesh *mesh; // NULL: it is not compressed
    uint32_t vertex_count, face_count;
    fr__gltf_draco_attribute attributes[FR__GLTF_ATTRIBUTES];
    size_t attribute_count;
} fr__gltf_draco;

// What an accessor says of its elements.
typedef struct fr__gltf_element {
    uint64_t count;
    uint64_t type;        // of the components, as the format has it
    uint32_t width, size; // components and bytes of an element
} fr__gltf_element;

typedef struct fr__gltf {
    fr__reader *reader;
    fr_json *json;
    fr_json_reader report;                      // of failures at values
    fr__span binary;                            // of GLB
    fr_uint32_array lists[FR__GLTF_LIST_COUNT]; // values
    fr__gltf_buffer_array buffers;              // loaded when first used
    fr__gltf_decoded_array decoded;             // one a view, decoded when first used; empty while none is compressed
    uint64_t inflated_bytes;                    // of all that was compressed
    fr__gltf_draco draco;
    fr_byte_array scratch; // elements that Draco compressed, of the accessor at hand
    fr__gltf_node_array nodes;
    fr_uint32_array children; // nodes
    fr_uint32_array roots;    // nodes at the top of what is shown, in order
    fr__gltf_mesh_array meshes;
    fr__gltf_primitive_array primitives;
    fr_float_array positions, normals, uvs, colors; // of the primitive at hand: 3, 3, 2 and 4 a vertex
    fr_uint32_array indices, corners;               // of the primitive at hand: as the file has them, as triangles
    uint64_t elements;                              // of all accessors that were read, each time that they were
    uint64_t triangles;                             // of all indices, each time that they were read
    uint64_t zeros;                                 // elements that no byte stands for
    bool has_positions;
} fr__gltf;

// Fails at a value; at the document where it is not there.
fr_status fr__gltf_fail(fr__gltf *gltf, fr_json_value value, fr_status status, const char *format, ...) FR_PRINTF(4, 5);
fr_status fr__gltf_no_memory(fr__gltf *gltf);

static inline fr_json_value fr__gltf_item(const fr__gltf *gltf, fr__gltf_list list, uint64_t index) {
    return gltf->lists[list].data[index];
}

// An index into a list, which must be there; `what` names it in the message.
fr_status fr__gltf_index(fr__gltf *gltf, fr_json_value value, fr__gltf_list list, const char *what, uint64_t *index);

// A whole number of an object, or what it is where it is not given.
fr_status fr__gltf_whole(fr__gltf *gltf, fr_json_value object, const char *key, uint64_t usual, uint64_t *number);

// A text of the document, which lives as long as the model, "" for what is no text; NULL when there is no memory.
const char *fr__gltf_text(fr__gltf *gltf, fr_json_value value);

// The bytes of a buffer view, decoded where it is compressed.
fr_status fr__gltf_view(fr__gltf *gltf, uint64_t view, fr__span *bytes, uint32_t *stride);

// The bytes of a buffer that an object names by `buffer`, `byteOffset` and `byteLength`.
fr_status fr__gltf_bytes(fr__gltf *gltf, fr_json_value object, fr__span *bytes);

// What compresses a view; FR_JSON_NONE for nothing.
fr_json_value fr__gltf_compression(const fr__gltf *gltf, fr_json_value view);

// The bytes of a view that `compression` compresses.
fr_status fr__gltf_decompress(fr__gltf *gltf, uint64_t view, fr_json_value compression, fr__span *bytes);

// How many bytes more may come from what is compressed, and counts such bytes, which are within it.
uint64_t fr__gltf_inflatable(const fr__gltf *gltf);
fr_status fr__gltf_count_inflated(fr__gltf *gltf, fr_json_value value, uint64_t bytes);

// Decodes a primitive that Draco compressed and has not without it; `names` and `accessors` are its attributes. The
// mesh stays open until the next primitive or fr__gltf_close_draco.
fr_status fr__gltf_open_draco(fr__gltf *gltf, fr_json_value primitive, const char *const *names,
                              const fr_json_value *accessors);
void fr__gltf_close_draco(fr__gltf *gltf);

// The elements of an accessor that Draco compressed, without gaps, until the next ones; NULL where it did not.
fr_status fr__gltf_draco_elements(fr__gltf *gltf, uint64_t accessor, const fr__gltf_element *element,
                                  const char **data);

// The indices of the open mesh, each below `limit`.
fr_status fr__gltf_draco_indices(fr__gltf *gltf, fr_json_value value, uint64_t limit, fr_uint32_array *out);

// Fails at a value where this build cannot read Draco.
fr_status fr__gltf_check_draco(fr__gltf *gltf, fr_json_value value);

// Refuses a file that requires what is not read.
fr_status fr__gltf_check_extensions(fr__gltf *gltf);

// The path that a URI names, where it stays in the model's folder.
#define FR__GLTF_PATH_BYTES 512
bool fr__gltf_path(const fr__gltf *gltf, fr_json_value uri, char path[FR__GLTF_PATH_BYTES]);

// Elements of an accessor as `width` floats each; they have as many components, or one less, which is 1, where
// `is_color`.
fr_status fr__gltf_floats(fr__gltf *gltf, fr_json_value value, uint32_t width, bool is_color, fr_float_array *out);

// Fails unless all floats of an accessor, `width` an element, are finite.
fr_status fr__gltf_check_finite(fr__gltf *gltf, fr_json_value value, uint32_t width, const fr_float_array *floats);

// Elements of an accessor as whole numbers below `limit`.
fr_status fr__gltf_indices(fr__gltf *gltf, fr_json_value value, uint64_t limit, fr_uint32_array *out);

// Counts what is made of accessors. Lists that several primitives share are read for each, so that it may be more than
// the file has: it is bounded.
fr_status fr__gltf_count(fr__gltf *gltf, fr_json_value value, uint64_t count);

// Counts elements that no byte stands for: no more than there are bytes.
fr_status fr__gltf_count_zeros(fr__gltf *gltf, fr_json_value value, uint64_t count);

// Materials and pictures into the builder.
fr_status fr__gltf_read_looks(fr__gltf *gltf);

// The tree, checked: no node has two parents, is below itself or too deep; and which meshes are shown.
fr_status fr__gltf_read_nodes(fr__gltf *gltf);

// Meshes, checked; those that are shown become parts of the builder.
fr_status fr__gltf_read_meshes(fr__gltf *gltf);

// The nodes that are shown, into the builder.
fr_status fr__gltf_add_nodes(fr__gltf *gltf);

// Bones of the vertices of the part that was added last, and the shapes that it can take.
fr_status fr__gltf_read_influences(fr__gltf *gltf, fr_json_value attributes, size_t vertices);
fr_status fr__gltf_read_targets(fr__gltf *gltf, fr_json_value list, fr_json_value weights, size_t vertices);

// Skins into the builder, once its nodes are there, which have the numbers of the file's skins until then.
fr_status fr__gltf_add_skins(fr__gltf *gltf);

// Animations into clocks and tracks of the builder.
fr_status fr__gltf_read_motion(fr__gltf *gltf);

#endif
