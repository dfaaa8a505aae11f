// VRML 1.0 and ascii Inventor: what the files of their reader share. Such a file is a graph of nodes that are visited
// in order, where a property (a Material, a Coordinate3, a Transform) holds for the shapes that come after it until its
// Separator ends. The reader keeps the file's graph, visits it with the state of all properties, and makes a graph of
// VRML97 from it, so that geometry, looks, instances, limits and messages are those of VRML97.
#ifndef FUREAI_MODEL_INVENTOR_H
#define FUREAI_MODEL_INVENTOR_H

#include "vrml.h"

// The types of nodes (inventor_nodes.c). NULL where there is none of the name.
const fr__vtype *fr__inventor_type_find(fr__span name);

// What stands for nodes that are not known: the nodes that they hold are taken as those of a Group.
extern const fr__vtype fr__inventor_unknown_type;

static inline bool fr__inventor_is_group(fr__vkind kind) {
    return kind >= FR__INVENTOR_GROUP && kind <= FR__INVENTOR_COPIES;
}
static inline bool fr__inventor_is_shape(fr__vkind kind) {
    return kind >= FR__INVENTOR_CUBE && kind <= FR__INVENTOR_POINTS;
}

// How materials and normals are bound to a shape.
typedef enum fr__binding {
    FR__BIND_DEFAULT,
    FR__BIND_OVERALL,
    FR__BIND_PART,
    FR__BIND_PART_INDEXED,
    FR__BIND_FACE,
    FR__BIND_FACE_INDEXED,
    FR__BIND_VERTEX,
    FR__BIND_VERTEX_INDEXED
} fr__binding;

fr__binding fr__inventor_binding(const fr__vnode *node, const char *field);

// Whether a ~ says that a field is not in use. It has no value then.
bool fr__inventor_is_ignored(const fr__vnode *node, const char *field);

// Whether a field of words has this one; `initial` where the file gives none.
bool fr__inventor_has_word(const fr__vnode *node, const char *field, const char *word, bool initial);

// The properties that hold at a place of the graph. It is compared by its bytes, so that it has no padding. NULL: none.
typedef struct fr__inventor_state {
    fr__vnode *coordinates; // Coordinate3, Coordinate4 or VertexProperty
    fr__vnode *normals;     // Normal or VertexProperty
    fr__vnode *uvs;         // TextureCoordinate2 or VertexProperty
    fr__vnode *material;    // Material
    fr__vnode *colors;      // Material, BaseColor, PackedColor or VertexProperty: whichever gave the colours last
    fr__vnode *texture, *texture_transform;
    float crease_angle;
    int32_t choice;                           // of the Switch around, for those that inherit it
    uint8_t material_binding, normal_binding; // fr__binding
    uint8_t is_clockwise, is_solid;
    uint8_t is_invisible, is_unlit;
    uint8_t unit; // number in the table of Units
    uint8_t unused;
} fr__inventor_state;

_Static_assert(sizeof(fr__inventor_state) == 7 * sizeof(void *) + 16, "the state has no padding");

// A node that was made, where its parent puts it.
typedef struct fr__inventor_item {
    fr__vnode *node;
    const double *matrix; // the model's; NULL: the identity
} fr__inventor_item;

// A group that is open.
typedef struct fr__inventor_frame {
    fr__vnode *node;  // NULL: the roots of a file
    fr__source *file; // whose roots they are; NULL: none
    fr__vnode *const *children;
    uint32_t child_count, next;
    uint32_t first, end;      // the children that are taken: from first to before end
    bool is_hidden;           // walks over the others
    bool has_hidden;          // a walk over the others was begun
    fr__inventor_state entry; // state at its begin
    double matrix[12];        // from here to the group's begin
    bool is_moved;            // it is not the identity
    const double *placed;     // a copy of it for the model; NULL while there is none
    size_t first_item;
    uint32_t memo;      // FR_NONE: not remembered
    uint64_t copy;      // of an array: the one that is walked
    size_t copy_item;   // its first item
    uint64_t inherited; // as of the walk when it was begun
} fr__inventor_frame;

// What a group came to under a state.
typedef struct fr__inventor_memo {
    fr__vnode *node; // NULL: nothing
    fr__inventor_state state;
    double matrix[12];
    bool is_moved;
    bool is_done;
} fr__inventor_memo;

FR_ARRAY_TYPE(fr__inventor_item_array, fr__inventor_item);
FR_ARRAY_TYPE(fr__inventor_frame_array, fr__inventor_frame);
FR_ARRAY_TYPE(fr__inventor_memo_array, fr__inventor_memo);

typedef struct fr__inventor {
    fr__vrml *vrml;
    fr__inventor_state state; // at the place of the walk
    fr__inventor_frame_array frames;
    fr__inventor_item_array items;
    fr__names group_keys;
    fr__inventor_memo_array memos; // beside the keys
    fr__names keys;                // what shapes and looks were made from
    fr__vnode_pointer_array made;  // beside the keys
    fr__vnode_pointer_array notes;
    uint64_t inherited; // Switches so far that took the choice of what is around them
    uint64_t step_count, step_limit;
    uint64_t corner_count, corner_limit; // that are not written in the file
} fr__inventor;

// A node of VRML97 while it is made.
#define FR__MAKER_VALUES 16
typedef struct fr__maker {
    fr__inventor *inventor;
    fr__vnode *node; // NULL once there was no memory
    fr__value values[FR__MAKER_VALUES];
    uint32_t count;
} fr__maker;

// A node of `type`, whose messages are about `from`, with its name where `has_name`.
fr__maker fr__maker_make(fr__inventor *inventor, const fr__vtype *type, const fr__vnode *from, bool has_name);
void fr__maker_value(fr__maker *maker, const char *field, const fr__value *value);
void fr__maker_copy(fr__maker *maker, const char *field, const fr__vnode *from, const char *from_field);
void fr__maker_floats(fr__maker *maker, const char *field, const float *numbers, uint32_t count);
void fr__maker_wholes(fr__maker *maker, const char *field, const int32_t *numbers, size_t count, const char *at);
void fr__maker_bool(fr__maker *maker, const char *field, bool value);
void fr__maker_node(fr__maker *maker, const char *field, fr__vnode *node);
void fr__maker_nodes(fr__maker *maker, const char *field, fr__vnode **nodes, size_t count);
fr_status fr__maker_end(fr__maker *maker, fr__vnode **node);

// What nodes of VRML97 are made for.
typedef enum fr__made_for {
    FR__MADE_COORDINATE,
    FR__MADE_NORMAL,
    FR__MADE_UV,
    FR__MADE_COLOR,
    FR__MADE_TEXTURE,
    FR__MADE_APPEARANCE,
    FR__MADE_GEOMETRY,
    FR__MADE_SHAPE
} fr__made_for;

// From what such a node was made. It is compared by its bytes, so that it has no padding.
typedef struct fr__made_key {
    size_t made_for;           // fr__made_for, as wide as a pointer
    const fr__vnode *nodes[2]; // the node of the file, and what else there is
    fr__inventor_state state;  // the part of it that matters, zeros else
} fr__made_key;

_Static_assert(sizeof(fr__made_key) == sizeof(size_t) + 2 * sizeof(void *) + sizeof(fr__inventor_state),
               "the key has no padding");

// What was made from a key before; NULL where nothing was. And to remember it.
fr_status fr__inventor_find(fr__inventor *inventor, const fr__made_key *key, fr__vnode **node);
fr_status fr__inventor_remember(fr__inventor *inventor, const fr__made_key *key, fr__vnode *node);

// What a VertexProperty gives is put into the state.
void fr__inventor_set_vertex_property(fr__inventor_state *state, fr__vnode *node);

// The looks (inventor_looks.c): an Appearance of the state, and the list of its colours, whose kind is that of a Color
// or a ColorRGBA; *colors is NULL where there is at most one.
fr_status fr__inventor_appearance(fr__inventor *inventor, const fr__inventor_state *state, const fr__vnode *at,
                                  fr__vnode **appearance);
fr_status fr__inventor_colors(fr__inventor *inventor, const fr__vnode *holder, fr__vnode **colors);

// The shapes: a Shape of the state (inventor_shape.c), and polygons (inventor_face_set.c). NULL where there is nothing.
fr_status fr__inventor_shape(fr__inventor *inventor, fr__vnode *node, fr__vnode **shape);
fr_status fr__inventor_face_set(fr__inventor *inventor, const fr__vnode *node, const fr__inventor_state *state,
                                fr__vnode **geometry);
fr_status fr__inventor_coordinate(fr__inventor *inventor, const fr__vnode *holder, fr__vnode **coordinate);

// Counts corners that the file does not write one by one; fails over the limit.
fr_status fr__inventor_count_corners(fr__inventor *inventor, const fr__vnode *at, uint64_t count);

// The matrix that a node of the Transform family, Units included, multiplies to those before it (inventor_transform.c).
// *is_moved is false where it is the identity.
fr_status fr__inventor_matrix(fr__inventor *inventor, const fr__vnode *node, double matrix[12], bool *is_moved);

// The inverse; false where there is none.
bool fr__inventor_invert(const double matrix[12], double inverse[12]);

// Where the copies of an Array or a MultipleCopy stand, from their own begin; their number.
uint64_t fr__inventor_copy_count(const fr__vnode *node);
void fr__inventor_copy_matrix(const fr__vnode *node, uint64_t copy, double matrix[12]);

#endif
