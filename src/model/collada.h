// Collada: what a document holds before it becomes parts and nodes of the builder.
#ifndef FUREAI_MODEL_COLLADA_H
#define FUREAI_MODEL_COLLADA_H

#include "builder.h"
#include "names.h"
#include "xml.h"

typedef struct fr__dae fr__dae;

void fr__dae_no_memory(fr__dae *dae);

// A growable array, and a function that appends a value: its index, FR_NONE with the failure noted when there is no
// memory.
#define FR__DAE_ARRAY(name, type)                                                                                      \
    FR_ARRAY_TYPE(name, type);                                                                                         \
    static inline uint32_t name##_add(fr__dae *dae, name *array, type value) {                                         \
        type *place = name##_push(array, 1);                                                                           \
        if (place == NULL) {                                                                                           \
            fr__dae_no_memory(dae);                                                                                    \
            return FR_NONE;                                                                                            \
        }                                                                                                              \
        *place = value;                                                                                                \
        return (uint32_t)(array->count - 1);                                                                           \
    }                                                                                                                  \
    typedef name name

typedef enum fr__dae_list_kind {
    FR__DAE_TRIANGLES,
    FR__DAE_POLYLIST,
    FR__DAE_POLYGONS,
    FR__DAE_FANS,
    FR__DAE_STRIPS,
    FR__DAE_LINES,
    FR__DAE_LINE_STRIPS
} fr__dae_list_kind;

typedef enum fr__dae_transform {
    FR__DAE_MATRIX,
    FR__DAE_TRANSLATE,
    FR__DAE_ROTATE,
    FR__DAE_SCALE,
    FR__DAE_SKEW,
    FR__DAE_LOOK_AT
} fr__dae_transform;

// What stands at a corner.
typedef enum fr__dae_semantic {
    FR__DAE_POSITION, // VERTEX in a list
    FR__DAE_NORMAL,
    FR__DAE_UV,
    FR__DAE_PAINT,
    FR__DAE_SEMANTIC_COUNT
} fr__dae_semantic;

// What a name of the document stands for, as an index into each list below; FR_NONE where it stands for none. Of
// elements with the same id the last one counts.
typedef struct fr__dae_id {
    uint32_t node, scene, geometry, controller, material, effect, array, source, vertices;
    uint32_t words, joint; // a list of names; the node that it stands for as a joint, while joints are looked for
    uint32_t bound;        // material that it stands for as a symbol, while lists are shown
} fr__dae_id;

FR__DAE_ARRAY(fr__dae_id_array, fr__dae_id);

// A list of numbers: a slice of `floats` or `doubles`.
typedef struct fr__dae_array {
    size_t first, count;
    uint64_t promised; // that it says it has; UINT64_MAX where it says nothing
} fr__dae_array;

FR__DAE_ARRAY(fr__dae_array_array, fr__dae_array);

// A list of names: a slice of `joint_names`.
typedef struct fr__dae_words {
    size_t first, count;
} fr__dae_words;

FR__DAE_ARRAY(fr__dae_words_array, fr__dae_words);

// How the numbers of an array become elements.
typedef struct fr__dae_source {
    uint32_t array_id; // FR_NONE where it names none
    uint32_t stride;
    uint64_t offset, count;
    uint32_t components[4]; // where in an element each component stands; FR_NONE for one that is not there
    uint32_t component_count;
    bool is_noted; // its count was found to lie
} fr__dae_source;

FR__DAE_ARRAY(fr__dae_source_array, fr__dae_source);

// Which sources the vertices of a mesh have, by their ids.
typedef struct fr__dae_vertices {
    uint32_t source_ids[FR__DAE_SEMANTIC_COUNT];
} fr__dae_vertices;

FR__DAE_ARRAY(fr__dae_vertices_array, fr__dae_vertices);

// Elements as a list of polygons reads them.
typedef struct fr__dae_stream {
    size_t first;   // number that the first element begins with
    uint32_t count; // elements; 0: the list has no such stream
    uint32_t stride;
    uint32_t components[4], component_count;
    uint32_t column; // which index of a corner it is read by
} fr__dae_stream;

// A list of polygons or lines that fits its numbers.
typedef struct fr__dae_list {
    fr__dae_list_kind kind;
    uint32_t symbol; // name of its material; FR_NONE for none
    fr__dae_stream streams[FR__DAE_SEMANTIC_COUNT];
    size_t first_index; // its slice of `indices`: `stride` a corner
    uint32_t stride, corner_count;
    size_t first_end; // its slice of `ends`: the corner after each polygon or strip; none for triangles and lines
    uint32_t end_count;
    uint32_t part;                     // of the builder; FR_NONE until it is made
    size_t first_origin, origin_count; // the position of each vertex of the part: a slice of `origins`
    uint32_t controller;               // whose skin the part follows; FR_NONE for none
    uint64_t promised; // polygons, strips or lines that it says it has; UINT64_MAX where it says nothing
} fr__dae_list;

FR__DAE_ARRAY(fr__dae_list_array, fr__dae_list);

// The lists of one geometry follow one another.
typedef struct fr__dae_geometry {
    uint32_t first_list, list_count;
    bool is_shown;
} fr__dae_geometry;

FR__DAE_ARRAY(fr__dae_geometry_array, fr__dae_geometry);

// A slice of the numbers of skins.
typedef struct fr__dae_slice {
    size_t first, count;
} fr__dae_slice;

// A skin or a morph, shown as the geometry, or the controller, that it deforms.
typedef struct fr__dae_controller {
    const char *name;
    uint32_t source_id;
    uint32_t joint_source, bind_source, weight_source; // ids; FR_NONE for none
    uint32_t joint_column, weight_column, stride;      // of its indices
    fr__dae_slice counts, indices;                     // joints of each position, and which with which weights
    double *bind; // where a skin's geometry stands before it is deformed: 3 rows of 4, of the builder; NULL: as it is
} fr__dae_controller;

FR__DAE_ARRAY(fr__dae_controller_array, fr__dae_controller);

// A chain of elements in the order of the file.
typedef struct fr__dae_chain {
    uint32_t first, last;
} fr__dae_chain;

// A node, or a visual scene, whose nodes are its children.
typedef struct fr__dae_node {
    const char *name;
    double *transform; // 3 rows of 4, of the builder; NULL: none
    const char *at;    // in the file
    fr__dae_chain children, node_uses, geometry_uses;
    uint32_t next;   // of its parent's children
    uint32_t sid;    // name among the nodes beside it; FR_NONE for none
    uint32_t placed; // the builder's node that it was last added as; FR_NONE: it is not shown
    uint32_t height;
    uint64_t total; // nodes that it comes to after instancing
    bool is_scene, is_open, is_summed, is_shown;
} fr__dae_node;

FR__DAE_ARRAY(fr__dae_node_array, fr__dae_node);

// A node or a geometry that is shown in a node.
typedef struct fr__dae_use {
    uint32_t id, next;
    const char *at;
    fr__dae_chain bindings; // of a geometry
    uint32_t skeleton;      // id of the node that joints are looked for in; FR_NONE for none
    uint32_t skin;          // of the builder; FR_NONE until it is made
    uint32_t binding_count;
} fr__dae_use;

FR__DAE_ARRAY(fr__dae_use_array, fr__dae_use);

// Which material a symbol stands for.
typedef struct fr__dae_binding {
    uint32_t symbol, material_id, next;
} fr__dae_binding;

FR__DAE_ARRAY(fr__dae_binding_array, fr__dae_binding);

// A node of the builder that shows a list by a controller with a skin.
typedef struct fr__dae_follower {
    uint32_t node, list, use, controller;
} fr__dae_follower;

FR__DAE_ARRAY(fr__dae_follower_array, fr__dae_follower);

// An element that is open.
typedef struct fr__dae_open {
    const struct fr__dae_element *element;
    const char *name;
    uint32_t node; // that it made; FR_NONE for none
} fr__dae_open;

FR__DAE_ARRAY(fr__dae_open_array, fr__dae_open);

FR__DAE_ARRAY(fr__dae_look_array, fr_model_material);

// The inputs of the list of polygons that is open.
typedef struct fr__dae_inputs {
    uint32_t source_ids[FR__DAE_SEMANTIC_COUNT], columns[FR__DAE_SEMANTIC_COUNT];
    uint64_t sets[FR__DAE_SEMANTIC_COUNT];
} fr__dae_inputs;

struct fr__dae {
    fr__reader *reader;
    fr__xml *xml; // that is at work; NULL: none
    fr_status status;
    uint32_t skipping; // elements that are passed over, in one another
    fr__dae_open_array open;
    fr_byte_array text; // of the element that is open
    bool takes_text;

    fr_arena *arena; // texts of names
    fr__names names;
    fr__dae_id_array ids;  // one a name
    fr_float_array floats; // numbers of all arrays; empty where doubles are wanted
    fr_double_array doubles;
    fr_uint32_array indices;
    fr_uint32_array ends;
    fr_uint32_array counts; // of the polylist that is open
    fr__dae_array_array arrays;
    fr__dae_source_array sources;
    fr__dae_vertices_array vertices;
    fr__dae_list_array lists;
    fr__dae_geometry_array geometries;
    fr__dae_controller_array controllers;
    fr__dae_node_array nodes; // and visual scenes
    fr__dae_use_array uses;
    fr__dae_binding_array bindings;
    fr__dae_words_array words;
    fr__dae_follower_array followers;
    fr_uint32_array joint_names, skin_numbers, origins;
    fr__dae_look_array effects;
    fr_uint32_array material_effects; // id of each material's effect
    fr__dae_inputs inputs;
    uint32_t shown_scene; // id; FR_NONE while there is none
    const char *scene_at; // where the file says so
};

// Notes a failure at the element that is read.
void fr__dae_fail(fr__dae *dae, fr_status status, const char *format, ...) FR_PRINTF(3, 4);

// Notes what can be repaired at the element that is read: a warning, or a failure where reading is strict.
void fr__dae_problem(fr__dae *dae, const char *format, ...) FR_PRINTF(2, 3);

// The place in the file of the element that is read; NULL where it is not known.
const char *fr__dae_place(const fr__dae *dae);

// The number of a name; FR_NONE with the failure noted when there is no memory.
uint32_t fr__dae_name(fr__dae *dae, const char *name);

// The name that an URL "#name" leads to; FR_NONE for any other text.
uint32_t fr__dae_target(fr__dae *dae, const char *url);

// What a name stands for.
static inline fr__dae_id *fr__dae_id_of(const fr__dae *dae, uint32_t name) { return &dae->ids.data[name]; }

// The text of the element that is open.
static inline const char *fr__dae_text(const fr__dae *dae) {
    return dae->text.count > 0 ? (const char *)dae->text.data : "";
}

// The innermost element that is open; NULL for none.
fr__dae_open *fr__dae_top(const fr__dae *dae);

// A whole number of an attribute, or what it is where it is not given. What is no whole number from 0 is a problem.
uint64_t fr__dae_whole(fr__dae *dae, const char **attributes, const char *name, uint64_t usual);

// The following are called when elements of geometry begin and end.
void fr__dae_begin_geometry(fr__dae *dae, const char **attributes);
void fr__dae_begin_source(fr__dae *dae, const char **attributes);
void fr__dae_begin_floats(fr__dae *dae, const char **attributes);
void fr__dae_end_floats(fr__dae *dae);
void fr__dae_begin_accessor(fr__dae *dae, const char **attributes);
void fr__dae_begin_param(fr__dae *dae, const char **attributes);
void fr__dae_begin_vertices(fr__dae *dae, const char **attributes);
void fr__dae_begin_input(fr__dae *dae, bool is_of_list, const char **attributes);
void fr__dae_begin_list(fr__dae *dae, fr__dae_list_kind kind, const char **attributes);
void fr__dae_end_indices(fr__dae *dae);
void fr__dae_end_counts(fr__dae *dae);
void fr__dae_end_list(fr__dae *dae, const char *name);

// The same for nodes and what is shown in them.
void fr__dae_begin_node(fr__dae *dae, bool is_scene, const char **attributes);
void fr__dae_end_node(fr__dae *dae);
void fr__dae_end_transform(fr__dae *dae, fr__dae_transform kind, const char *name);
void fr__dae_begin_use(fr__dae *dae, bool is_geometry, const char **attributes);
void fr__dae_begin_binding(fr__dae *dae, const char **attributes);

// The same for controllers.
void fr__dae_begin_controller(fr__dae *dae, const char **attributes);
void fr__dae_begin_skin(fr__dae *dae, const char **attributes);
void fr__dae_end_bind(fr__dae *dae, const char *name);
void fr__dae_begin_names(fr__dae *dae, const char **attributes);
void fr__dae_end_names(fr__dae *dae);
void fr__dae_begin_skin_input(fr__dae *dae, bool is_of_weights, const char **attributes);
void fr__dae_end_skin_counts(fr__dae *dae);
void fr__dae_end_skin_indices(fr__dae *dae);
void fr__dae_end_skeleton(fr__dae *dae);

// Elements of the source that has an id; none where it leads nowhere.
fr__dae_stream fr__dae_find_stream(fr__dae *dae, uint32_t source_id, uint32_t column);

// The same for materials.
void fr__dae_begin_material(fr__dae *dae, const char **attributes);
void fr__dae_begin_effect_use(fr__dae *dae, const char **attributes);
void fr__dae_begin_effect(fr__dae *dae, const char **attributes);
void fr__dae_end_color(fr__dae *dae, int slot);

// After the last element: materials look like their effects.
void fr__dae_finish_materials(fr__dae *dae);

// Once all nodes are there: those that show skins follow their joints.
fr_status fr__dae_add_skins(fr__dae *dae);

// After the last element: lists and nodes that are shown become parts and nodes of the builder.
fr_status fr__dae_build(fr__dae *dae);

#endif
