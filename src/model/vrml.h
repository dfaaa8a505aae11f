// VRML97 and X3D: what their readers share. Both front ends, the classic text and XML, make the same graph of nodes
// with the values that the file gives; one table says which fields a node has. When all is read the graph is walked
// twice: once to make meshes and to count what instances come to, once to place them in the model's tree.
#ifndef FUREAI_MODEL_VRML_H
#define FUREAI_MODEL_VRML_H

#include "builder.h"
#include "geometry.h"
#include "names.h"

typedef struct fr__vnode fr__vnode;
typedef struct fr__proto fr__proto;
typedef struct fr__vrml fr__vrml;

// ---------------------------------------------------------------------------------------------------------------
// Types of fields and nodes

// Types come in pairs, single and many.
#define FR__FIELD_TYPES(X)                                                                                             \
    X(BOOL, "Bool", FR__WHOLES, 1)                                                                                     \
    X(COLOR, "Color", FR__FLOATS, 3)                                                                                   \
    X(COLOR_ALPHA, "ColorRGBA", FR__FLOATS, 4)                                                                         \
    X(DOUBLE, "Double", FR__DOUBLES, 1)                                                                                \
    X(ENUM, "Enum", FR__STRINGS, 1) /* words, of VRML 1.0 and Inventor alone */                                        \
    X(FLOAT, "Float", FR__FLOATS, 1)                                                                                   \
    X(IMAGE, "Image", FR__WHOLES, 1)                                                                                   \
    X(INT32, "Int32", FR__WHOLES, 1)                                                                                   \
    X(MATRIX3, "Matrix3f", FR__FLOATS, 9)                                                                              \
    X(MATRIX4, "Matrix4f", FR__FLOATS, 16)                                                                             \
    X(NODE, "Node", FR__NODES, 1)                                                                                      \
    X(ROTATION, "Rotation", FR__FLOATS, 4)                                                                             \
    X(STRING, "String", FR__STRINGS, 1)                                                                                \
    X(TIME, "Time", FR__DOUBLES, 1)                                                                                    \
    X(VEC2D, "Vec2d", FR__DOUBLES, 2)                                                                                  \
    X(VEC2F, "Vec2f", FR__FLOATS, 2)                                                                                   \
    X(VEC3D, "Vec3d", FR__DOUBLES, 3)                                                                                  \
    X(VEC3F, "Vec3f", FR__FLOATS, 3)                                                                                   \
    X(VEC4F, "Vec4f", FR__FLOATS, 4)

typedef enum fr__field_type {
#define FR__FIELD_TYPE(name, text, storage, width) FR__SF##name, FR__MF##name,
    FR__FIELD_TYPES(FR__FIELD_TYPE)
#undef FR__FIELD_TYPE
        FR__FIELD_TYPE_COUNT
} fr__field_type;

typedef enum fr__storage { FR__FLOATS, FR__DOUBLES, FR__WHOLES, FR__STRINGS, FR__NODES } fr__storage;

typedef struct fr__field_kind {
    const char *name; // without SF or MF
    fr__storage storage;
    uint32_t width; // numbers an element
} fr__field_kind;

const fr__field_kind *fr__field_kind_of(fr__field_type type);
static inline bool fr__is_many(fr__field_type type) { return ((unsigned)type & 1u) != 0; }

// The type of "SFVec3f" and so on; FR__FIELD_TYPE_COUNT for what is none.
fr__field_type fr__field_type_find(fr__span name);

typedef enum fr__access { FR__FIELD, FR__EXPOSED, FR__EVENT_IN, FR__EVENT_OUT } fr__access;

// The access that "field", "inputOutput" and so on ask for; false for what is none.
bool fr__access_find(fr__span name, fr__access *access);

typedef struct fr__field {
    fr__span name;
    fr__field_type type;
    fr__access access;
    float initial[4]; // where the file gives no value; many: none
    bool is_position; // of vertices: kept as wide as the model's positions
    bool is_x3d;      // not of VRML97
} fr__field;

// What becomes of a node.
typedef enum fr__vkind {
    FR__KIND_OTHER, // read, and nothing made of it
    FR__KIND_PROTO, // stands for the first node of its body
    FR__KIND_GROUP,
    FR__KIND_UNKNOWN, // a group of the nodes that stand in it
    FR__KIND_TRANSFORM,
    FR__KIND_HUMANOID, // a Transform of a skeleton and a skin
    FR__KIND_COLLISION,
    FR__KIND_SWITCH,
    FR__KIND_LOD,
    FR__KIND_BILLBOARD,
    FR__KIND_PLACED, // a group with a matrix, which stands for nodes of VRML 1.0
    FR__KIND_INLINE,
    FR__KIND_SHAPE,
    FR__KIND_APPEARANCE,
    FR__KIND_MATERIAL,
    FR__KIND_IMAGE_TEXTURE,
    FR__KIND_PIXEL_TEXTURE,
    FR__KIND_TEXTURE, // of another kind, which is not shown
    FR__KIND_COORDINATE,
    FR__KIND_FACES,
    FR__KIND_TRIANGLES,
    FR__KIND_QUADS,
    FR__KIND_STRIPS,
    FR__KIND_FANS,
    FR__KIND_BOX,
    FR__KIND_SPHERE,
    FR__KIND_CYLINDER,
    FR__KIND_CONE,
    FR__KIND_ELEVATION_GRID,
    FR__KIND_EXTRUSION,
    FR__KIND_LINES,
    FR__KIND_POINTS,
    FR__KIND_CLOCK,
    FR__KIND_INTERPOLATOR,
    FR__KIND_SCRIPT,
    FR__KIND_SOUND,
    FR__KIND_AUDIO,
    FR__KIND_NOTE,
    // VRML 1.0 and Inventor; inventor.h says what they become. Groups:
    FR__INVENTOR_GROUP,
    FR__INVENTOR_SEPARATOR,
    FR__INVENTOR_TRANSFORM_SEPARATOR,
    FR__INVENTOR_SWITCH,
    FR__INVENTOR_LOD,
    FR__INVENTOR_ARRAY,
    FR__INVENTOR_COPIES,
    // Properties:
    FR__INVENTOR_INLINE,
    FR__INVENTOR_COORDINATE,
    FR__INVENTOR_NORMAL,
    FR__INVENTOR_UV,
    FR__INVENTOR_MATERIAL,
    FR__INVENTOR_COLOR,
    FR__INVENTOR_VERTEX_PROPERTY,
    FR__INVENTOR_MATERIAL_BINDING,
    FR__INVENTOR_NORMAL_BINDING,
    FR__INVENTOR_TEXTURE,
    FR__INVENTOR_TEXTURE_TRANSFORM,
    FR__INVENTOR_HINTS,
    FR__INVENTOR_DRAW_STYLE,
    FR__INVENTOR_LIGHT_MODEL,
    FR__INVENTOR_UNITS,
    FR__INVENTOR_TRANSFORM,
    FR__INVENTOR_ROTATION_XYZ,
    FR__INVENTOR_MATRIX,
    FR__INVENTOR_RESET,
    FR__INVENTOR_NOTE,
    FR__INVENTOR_TEXT,
    // Shapes:
    FR__INVENTOR_CUBE,
    FR__INVENTOR_SPHERE,
    FR__INVENTOR_CYLINDER,
    FR__INVENTOR_CONE,
    FR__INVENTOR_FACES,
    FR__INVENTOR_FACE_RUNS,
    FR__INVENTOR_STRIPS,
    FR__INVENTOR_STRIP_RUNS,
    FR__INVENTOR_QUAD_MESH,
    FR__INVENTOR_LINES,
    FR__INVENTOR_LINE_RUNS,
    FR__INVENTOR_POINTS
} fr__vkind;

typedef struct fr__vtype {
    const char *name;
    fr__vkind kind;
    const char *container; // the field of a parent that takes it in XML
    const fr__field *fields;
    uint32_t field_count;
    fr__proto *proto; // of a prototype's instances
    bool is_x3d;      // not of VRML97
} fr__vtype;

// The type of nodes of this name, NULL where there is none; among `count` types in the order of their names.
const fr__vtype *fr__vtype_find(fr__span name);
const fr__vtype *fr__vtype_find_in(const fr__vtype *types, size_t count, fr__span name);

// What stands for nodes of a type that is not known. Nodes in it belong to one of two fields: `children` and all
// others, where a USE only refers to a node that is shown elsewhere.
extern const fr__vtype fr__unknown_type;
#define FR__UNKNOWN_CHILDREN 0u
#define FR__UNKNOWN_OTHERS 1u

// Whether nodes of a kind have translation, rotation and scale.
static inline bool fr__is_transform(fr__vkind kind) { return kind == FR__KIND_TRANSFORM || kind == FR__KIND_HUMANOID; }

// The number of a field, FR_NONE where the type has none of the name.
uint32_t fr__field_find(const fr__vtype *type, fr__span name);

// The same for an event: set_x and x_changed are those of an exposed field x.
uint32_t fr__field_find_event(const fr__vtype *type, fr__span name);

// ---------------------------------------------------------------------------------------------------------------
// The graph

typedef struct fr__value {
    union {
        const float *floats;
        const double *doubles;
        const int32_t *wholes;
        const fr__span *strings;
        fr__vnode **nodes;
    };
    const char *at;   // in the file
    uint32_t count;   // elements; of an IS, the number of the interface's field
    uint16_t field;   // number in the type
    uint8_t storage;  // fr__storage
    bool is_redirect; // IS
} fr__value;

#define FR__NODE_OPEN 1u     // between its braces
#define FR__NODE_COPIED 2u   // each instance of the prototype has its own
#define FR__NODE_USED 4u     // by a USE
#define FR__NODE_TARGET 8u   // of a route
#define FR__NODE_ENTERED 16u // its subtree is being counted
#define FR__NODE_COUNTED 32u // its subtree is counted
#define FR__NODE_BUILT 64u   // what it is made into was made

struct fr__vnode {
    const fr__vtype *type;
    const char *name; // that DEF gave it, a text of the model's; NULL: none
    const char *at;   // in the file
    fr__value *values;
    union {
        fr__vnode *body;             // of an instance of a prototype; NULL: none
        struct fr__source *file;     // of an Inline
        const struct fr__keys *keys; // of an interpolator
        const double *matrix;        // of a placed group, and of a transform that was placed already; NULL: none
        fr__vnode *made;             // of VRML 1.0: the node of VRML97 that it became; NULL while there is none
    };
    union {
        const struct fr__connection *connections; // of an instance of a prototype
        struct {
            uint32_t mesh, material; // FR_NONE for none: of a shape; of geometry: without texture, with one
        };
    };
    uint32_t connection_count;
    uint16_t value_count;
    uint16_t flags;
    uint32_t order;                                    // in the body of a prototype
    uint32_t first_route;                              // from this node, FR_NONE for none
    uint32_t first_place;                              // of this node in the model, FR_NONE for none
    uint32_t node_count, vertex_count, triangle_count; // of its subtree, instances included; saturated
};

// The values of a node outside of prototypes. Where the file gives none, or of another kind: the type's initial ones.
const fr__value *fr__value_find(const fr__vnode *node, const char *name);
float fr__value_float(const fr__vnode *node, const char *name);
double fr__value_double(const fr__vnode *node, const char *name);
int32_t fr__value_whole(const fr__vnode *node, const char *name);
bool fr__value_bool(const fr__vnode *node, const char *name);
void fr__value_floats(const fr__vnode *node, const char *name, float *numbers, uint32_t count);
fr_vec3 fr__value_vec3(const fr__vnode *node, const char *name);
fr_quat fr__value_turn(const fr__vnode *node, const char *name);
fr__span fr__value_string(const fr__vnode *node, const char *name);
bool fr__has_field(const fr__vnode *node, const char *name);

// The node that a field holds, and the node that a prototype's instance stands for; NULL for none.
fr__vnode *fr__value_node(const fr__vnode *node, const char *name);
fr__vnode *fr__node_behind(fr__vnode *node);

// Where the events of a field of an instance come from or go to.
typedef struct fr__connection {
    fr__vnode *node;
    uint32_t field;
    fr__span name; // of the instance's field
} fr__connection;

typedef struct fr__route {
    fr__vnode *from, *to;
    fr__span from_field, to_field;
    const char *at;
    uint32_t next; // from the same node, FR_NONE for none
} fr__route;

typedef struct fr__awaiting {
    fr__span from, from_field, to, to_field;
    const char *at;
} fr__awaiting;

FR_ARRAY_TYPE(fr__vnode_pointer_array, fr__vnode *);
FR_ARRAY_TYPE(fr__proto_pointer_array, fr__proto *);
FR_ARRAY_TYPE(fr__field_array, fr__field);
FR_ARRAY_TYPE(fr__value_array, fr__value);
FR_ARRAY_TYPE(fr__connection_array, fr__connection);
FR_ARRAY_TYPE(fr__route_array, fr__route);
FR_ARRAY_TYPE(fr__awaiting_array, fr__awaiting);

// Names that DEF and PROTO give.
typedef struct fr__scope {
    fr__names names;
    fr__vnode_pointer_array nodes; // beside the names
    fr__names proto_names;
    fr__proto_pointer_array protos; // beside the names
    fr__awaiting_array awaiting;    // routes that name what comes later
    struct fr__scope *parent;       // whose prototypes are seen too
    struct fr__scope *next;         // in the list of all
} fr__scope;

// Before its first instance, while that looks at what stands in the body, and from then on.
typedef enum fr__proto_state { FR__PROTO_READ, FR__PROTO_OPEN, FR__PROTO_READY } fr__proto_state;

struct fr__proto {
    fr__vtype type;          // of its instances
    fr__field_array fields;  // while the interface is read
    const fr__value *values; // initial ones of the interface
    uint32_t value_count;
    fr__vnode *body;   // first node; NULL where there is none
    fr__vnode **nodes; // of the body, children before parents; when it is ready those that each instance copies
    uint32_t node_count;
    fr__connection *connections;
    uint32_t connection_count;
    const fr__route *routes;
    uint32_t route_count;
    fr__proto_state state;
    uint64_t weight;      // when it is ready: of an instance with those in it, in nodes
    uint32_t depth;       // likewise: of prototypes in it, itself included
    bool has_routes;      // likewise: its own, or those of a prototype in it
    const fr__span *urls; // EXTERNPROTO; NULL: not one
    uint32_t url_count;
    bool is_extern;
    bool is_looked_for;      // the urls were tried
    fr__proto *found;        // what the urls gave; NULL: nothing
    const fr__vtype *native; // the node of the same name that stands for it then; NULL: none
    const char *at;
    // While its body is read:
    fr__proto *outer; // prototype whose body it stands in
    fr__vnode_pointer_array body_nodes;
    fr__connection_array body_connections;
    fr__route_array body_routes;
};

// A file: the model's own, or one that it names.
typedef struct fr__source {
    const char *path; // relative to the model's folder; "" for the model's own
    const char *name; // for messages
    fr__cursor cursor;
    const void *bytes; // to unload; NULL: nothing
    size_t size;
    void *inflated; // to release; NULL: nothing
    size_t inflated_capacity;
    struct fr__source *parent; // that named it
    const char *named_at;      // in the parent
    uint32_t depth;
    bool is_read;
    bool is_missing; // there is no such file
    bool is_xml, is_x3d;
    bool is_utf16;    // the text is UTF-8 by now, whatever the XML says of itself
    bool is_inventor; // VRML 1.0 or Inventor
    bool is_vrml1;    // VRML 1.0
    bool is_open;     // a walk over its nodes has not ended
    bool is_library;  // read for its prototypes
    fr__scope *scope;
    fr__vnode **roots; // of VRML97; of VRML 1.0 once they are made
    uint32_t root_count;
    fr__vnode **inventor_roots; // of VRML 1.0, as the file has them
    uint32_t inventor_root_count;
} fr__source;

// ---------------------------------------------------------------------------------------------------------------
// Reading

typedef enum fr__open_frame_kind {
    FR__FRAME_FILE,
    FR__FRAME_BODY,
    FR__FRAME_NODE,
    FR__FRAME_INTERFACE
} fr__open_frame_kind;

// What is open: a file, the interface or the body of a prototype, a node.
typedef struct fr__open_frame {
    fr__open_frame_kind kind;
    bool in_list;   // the nodes that follow belong to one list
    bool is_plain;  // a shape in it is certainly placed
    uint32_t field; // that the next node belongs to; FR_NONE: it is dropped
    const char *at;
    fr__vnode *node;  // of a node
    fr__proto *proto; // of an interface or body
    size_t first_value, first_item;
    size_t list_item; // first of the list that is open
    size_t first_script_field;
    size_t blocks;  // as of the reader when it was opened
    uint64_t names; // as of the reader when it was opened
    fr_arena_mark mark;
} fr__open_frame;

// A node that stands in a group, and the flags that it has from it.
typedef struct fr__kid {
    fr__vnode *node;
    const char *name; // NULL: none
    uint32_t flags;
} fr__kid;

// A step of a walk.
typedef struct fr__walk_step {
    fr__vnode *node;
    const char *name;
    uint32_t parent; // in the model
    uint32_t flags;
    bool is_second; // its children are done
} fr__walk_step;

typedef struct fr__vplace {
    uint32_t node; // of the model
    uint32_t next; // of the same node of the graph, FR_NONE for none
} fr__vplace;

// A node of the graph and what was made of it in the builder.
typedef struct fr__vuse {
    const fr__vnode *node;
    uint32_t index; // mesh or material
    uint32_t next;
} fr__vuse;

FR__LIST_TYPE(fr__source_pointer_array, fr__source *);
FR_ARRAY_TYPE(fr__open_frame_array, fr__open_frame);
FR_ARRAY_TYPE(fr__block_array, fr_array);
FR_ARRAY_TYPE(fr__kid_array, fr__kid);
FR_ARRAY_TYPE(fr__walk_step_array, fr__walk_step);
// A humanoid with a skin, or a joint that moves one, where it stands in the model.
typedef struct fr__vbody {
    const fr__vnode *node;
    uint32_t index; // of the model's node
} fr__vbody;

// A displacer, which gives a skin one of its shapes, at a node of the model that has the skin.
typedef struct fr__vdisplacer {
    uint32_t node, shape, shape_count;
    const float *rest; // weights of all shapes
    uint32_t next;     // of the same displacer, FR_NONE for none
} fr__vdisplacer;

FR_ARRAY_TYPE(fr__vbody_array, fr__vbody);
FR_ARRAY_TYPE(fr__vdisplacer_array, fr__vdisplacer);
FR_ARRAY_TYPE(fr__vplace_array, fr__vplace);
FR_ARRAY_TYPE(fr__vuse_array, fr__vuse);
FR_ARRAY_TYPE(fr__bool_array, bool);

struct fr__vrml {
    fr__reader *reader;
    fr_arena *arena;     // of the graph
    fr_arena *key_arena; // of what is found again by its bytes
    fr__geometry geometry;
    fr__source *source;  // that is being read
    fr_error file_error; // of files beside the model\'s own
    bool is_file_error;
    fr__cursor *cursor;               // in it, or in the value of an attribute
    const char *place;                // of every message while not NULL
    fr__source_pointer_array sources; // numbered as their keys
    fr__names source_keys;
    fr__source_pointer_array loaded; // those whose bytes are here
    fr__scope *scope;
    fr__scope *scopes;                  // all of them
    fr__proto *protos_open;             // whose body is being read
    fr__proto_pointer_array all_protos; // to free
    fr__open_frame_array frames;
    fr__value_array values;                    // of open nodes
    fr__vnode_pointer_array items;             // of open lists
    fr_array floats, doubles, wholes, strings; // of the value that is being read
    fr__block_array blocks;                    // long lists of values
    fr__vnode_pointer_array copies;            // of the instance that is being made
    fr__names instance_keys;                   // what instances of prototypes are made of
    fr__vnode_pointer_array instances;         // beside the keys
    fr__field_array script_fields;             // that open Scripts declare, in a strict reading
    fr__route_array routes;
    uint64_t names;      // DEF, PROTO, ROUTE and files so far: what may be named from elsewhere
    uint64_t node_count; // of the graph
    uint32_t depth;      // of open nodes
    bool has_odd_name;   // was warned of
    // While the model is made:
    fr__kid_array kids;
    fr__walk_step_array walk;
    fr__vplace_array places;
    fr__vdisplacer_array displacers;
    uint64_t displaced;     // weights of shapes at all keys
    fr__vbody_array bodies; // in the order of the model's nodes
    fr__vuse_array uses;    // which meshes have a Coordinate, which materials a Material
    fr__names material_keys, texture_keys;
    fr__names file_keys;        // files that were looked for
    fr__bool_array files_found; // bool, beside the keys
    size_t routes_marked;       // routes whose targets are marked
    const fr__vnode *made;      // what the model is being made of just now; NULL: nothing yet
};

// Messages. A problem that can be repaired is warned of, or fails when the reader is strict. `at` is in any of the
// sources, NULL for no place.
void fr__vrml_warn(fr__vrml *vrml, const char *at, const char *format, ...) FR_PRINTF(3, 4);
fr_status fr__vrml_problem(fr__vrml *vrml, const char *at, const char *format, ...) FR_PRINTF(3, 4);
fr_status fr__vrml_fail(fr__vrml *vrml, const char *at, fr_status status, const char *format, ...) FR_PRINTF(4, 5);
fr_status fr__vrml_memory(fr__vrml *vrml);
fr_status fr__vrml_fail_building(fr__vrml *vrml, const char *at); // because the builder did

// What is said of a node whose type is not known, with its name by FR__SHOW.
#define FR__UNKNOWN_MESSAGE "the node %.*s is not known; the nodes in it are shown as those of a Group"

// A span for "%.*s" in messages, cut to what is worth showing.
#define FR__SHOW(span) (int)((span).length < 40 ? (span).length : 40), (span).begin

void *fr__vrml_alloc(fr__vrml *vrml, size_t count, size_t size, size_t align);
void *fr__vrml_copy(fr__vrml *vrml, const void *elements, size_t count, size_t size, size_t align);

// Lexis (vrml_lex.c). White space is what it is in cursor.h, commas and comments.
void fr__vrml_gap(fr__cursor *cursor);
bool fr__vrml_is_name_byte(char c);
fr__span fr__vrml_name(fr__vrml *vrml);     // a name, empty where there is none
fr__span fr__vrml_any_name(fr__vrml *vrml); // the same where it may be odd
fr_status fr__vrml_string(fr__vrml *vrml, fr__span *string);
fr_status fr__vrml_skip_group(fr__vrml *vrml); // past the bracket that closes the one at the cursor
fr_status fr__vrml_skip_value(fr__vrml *vrml); // of a field that is not known
fr_status fr__vrml_unexpected(fr__vrml *vrml, const char *expected); // passes over what stands at the cursor
static inline bool fr__at_byte(const fr__cursor *cursor, char c) {
    return cursor->at < cursor->end && *cursor->at == c;
}

// Values (vrml_value.c): one of a type that holds no nodes. `is_xml`: many without brackets, up to the end.
fr_status fr__vrml_value(fr__vrml *vrml, const fr__field *field, bool is_xml, fr__value *value);

// The graph (vrml_graph.c), from either front end.
fr_status fr__vrml_begin_node(fr__vrml *vrml, const fr__vtype *type, fr__span name, const char *at);
fr_status fr__vrml_end_node(fr__vrml *vrml);
fr_status fr__vrml_deliver(fr__vrml *vrml, fr__vnode *node); // to what is open
fr_status fr__vrml_use(fr__vrml *vrml, fr__span name, const char *at, fr__vnode **node);
fr_status fr__vrml_define(fr__vrml *vrml, fr__span name, fr__vnode *node);
fr_status fr__vrml_push_value(fr__vrml *vrml, const fr__value *value);
fr_status fr__vrml_close_list(fr__vrml *vrml);
fr_status fr__vrml_join_lists(fr__vrml *vrml, size_t first); // of the open node's values, where they came one by one
fr_status fr__vrml_redirect(fr__vrml *vrml, uint32_t field, fr__span name, const char *at);
// The same of a node that is not known, where the interface has a list of nodes; nothing otherwise.
fr_status fr__vrml_redirect_unknown(fr__vrml *vrml, uint32_t field, fr__span name, const char *at);
fr_status fr__vrml_route(fr__vrml *vrml, const fr__awaiting *route);
fr_status fr__vrml_resolve_routes(fr__vrml *vrml, fr__scope *scope);
fr_status fr__vrml_add_route(fr__vrml *vrml, const fr__route *route);
const fr__vtype *fr__vrml_type(fr__vrml *vrml, fr__span name);
fr__scope *fr__vrml_push_scope(fr__vrml *vrml, fr__scope *parent);
void fr__scope_clear(fr__scope *scope);
// Where a scope holds the prototype of a name, which lives as long as the scope; NULL when there is no memory.
fr__proto **fr__scope_add_proto(fr__scope *scope, fr__span name);
void fr__vrml_free_blocks(fr__vrml *vrml, size_t first); // the long lists from `first` on
fr__vnode *fr__vrml_new_node(fr__vrml *vrml, const fr__vtype *type, const char *at);
fr_status fr__vrml_push_frame(fr__vrml *vrml, const fr__open_frame *frame);
static inline fr__open_frame *fr__vrml_top(fr__vrml *vrml) { return vrml->frames.data + vrml->frames.count - 1; }
// The values of open nodes from `first` on, also where there are none and no memory.
static inline fr__value *fr__vrml_values_from(const fr__vrml *vrml, size_t first) {
    return first > 0 ? vrml->values.data + first : vrml->values.data;
}
// Takes the nodes on the stack of items from `first` on.
fr_status fr__vrml_take_items(fr__vrml *vrml, size_t first, fr__vnode ***nodes, uint32_t *count);
fr_status fr__vrml_begin_file(fr__vrml *vrml, fr__source *source);
fr_status fr__vrml_end_file(fr__vrml *vrml);

// Prototypes (vrml_proto.c).
fr_status fr__proto_begin(fr__vrml *vrml, fr__span name, const char *at);
fr_status fr__proto_add_field(fr__vrml *vrml, const fr__field *field);
fr_status fr__proto_begin_body(fr__vrml *vrml);
fr_status fr__proto_end_body(fr__vrml *vrml);
fr_status fr__proto_end_extern(fr__vrml *vrml, const fr__span *urls, uint32_t url_count);
// The prototype with a body that instances are made from; NULL where there is none.
fr_status fr__proto_find_body(fr__vrml *vrml, fr__proto *proto, fr__proto **found);
void fr__proto_free(fr__proto *proto);

// Makes what an instance stands for (vrml_instance.c); in the body of a prototype it is left to the instance around it.
fr_status fr__proto_expand(fr__vrml *vrml, fr__vnode *instance);

// Files (vrml_source.c). A file that cannot be had is warned of and gives NULL.
fr_status fr__source_open(fr__vrml *vrml, fr__span url, const char *at, fr__source **source);
fr_status fr__source_prepare(fr__vrml *vrml, fr__source *source); // gunzips, looks at the first line
fr_status fr__source_read(fr__vrml *vrml, fr__source *source);
void fr__source_close(fr__vrml *vrml, fr__source *source);

// The path that a url means, relative to the model's folder, in the graph's memory; NULL, with the reason, where it is
// refused. What follows a # is left out.
const char *fr__url_resolve(fr__vrml *vrml, const char *base, fr__span url, const char **why);

// The front ends: they read the source that is open.
fr_status fr__vrml_parse(fr__vrml *vrml);
fr_status fr__x3d_parse(fr__vrml *vrml);
fr_status fr__inventor_parse(fr__vrml *vrml);

// Makes the roots of VRML97 of a file of VRML 1.0 or Inventor.
fr_status fr__inventor_lower(fr__vrml *vrml, fr__source *source);

// Making the model.
fr_status fr__vrml_build(fr__vrml *vrml, fr__vnode **roots, uint32_t root_count);
fr_status fr__vrml_build_shape(fr__vrml *vrml, fr__vnode *shape);
fr_status fr__vrml_material(fr__vrml *vrml, fr__vnode *appearance, uint32_t *material, bool *has_texture);
fr_status fr__vrml_texture(fr__vrml *vrml, const fr__vnode *texture, const fr__vnode *transform, uint32_t *index);
fr_status fr__vrml_sound(fr__vrml *vrml, const fr__vnode *node, uint32_t model_node);
fr_status fr__vrml_note(fr__vrml *vrml, const fr__vnode *node);
fr_status fr__vrml_tracks(fr__vrml *vrml);
fr_status fr__vrml_mark_targets(fr__vrml *vrml);
// The first file of a node's `url` that there is, as a text of the model's; *path is NULL, with a warning, for none.
fr_status fr__vrml_local_file(fr__vrml *vrml, const fr__vnode *node, const char **path);

// Remembers what a node with a name was made into.
fr_status fr__vrml_note_use(fr__vrml *vrml, fr__vnode *node, uint32_t index);

// The number of a key among the bytes of those before it, appended when it is new; FR_NONE when there is no memory.
uint32_t fr__vrml_find_key(fr__vrml *vrml, fr__names *names, const void *bytes, size_t size, bool *is_new);

// The path of the file that a node stands in.
fr__source *fr__vrml_source_of(fr__vrml *vrml, const char *at);

// Keeps the coordinates of a humanoid's skin as they are, before it is made into a mesh.
void fr__vrml_keep_skin(fr__vnode *humanoid);

// Remembers where a humanoid or a joint stands; makes the skins of all of them, once everything has its place.
fr_status fr__vrml_note_body(fr__vrml *vrml, const fr__vnode *node, uint32_t index);
fr_status fr__vrml_add_skins(fr__vrml *vrml);

#endif
