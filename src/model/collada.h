// Collada: what is looked at, and the plain document that is made of it for assimp.
#ifndef FUREAI_MODEL_COLLADA_H
#define FUREAI_MODEL_COLLADA_H

#include "assimp_scene.h"
#include "names.h"
#include "xml_memory.h"

// Elements that are looked at; all others are passed over with what is in them.
typedef enum fr__dae_kind {
    FR__DAE_SKIPPED,
    FR__DAE_PLAIN, // written as it is, with its id, url and the like
    FR__DAE_UNIT,
    FR__DAE_UP,
    FR__DAE_READ, // only what is in it is looked at
    FR__DAE_FLOATS,
    FR__DAE_ACCESSOR,
    FR__DAE_PARAM,
    FR__DAE_INPUT,
    FR__DAE_POLYGONS, // any list of polygons or lines
    FR__DAE_INDICES,
    FR__DAE_COUNTS,
    FR__DAE_NODE,
    FR__DAE_NUMBERS, // of a transform
    FR__DAE_INSTANCE,
    FR__DAE_GEOMETRY,
    FR__DAE_GEOMETRY_USE,
    FR__DAE_SCENE,
    FR__DAE_SCENE_USE,
    FR__DAE_MATERIAL_USE,
    FR__DAE_MATERIAL,
    FR__DAE_EFFECT_USE,
    FR__DAE_EFFECT,
    FR__DAE_SLOT, // diffuse, emission, ...
    FR__DAE_COLOR
} fr__dae_kind;

typedef struct fr__dae_node {
    uint32_t parent;
    const char *name;
    uint32_t first_child, next_sibling, first_use;
    int state;      // 0: not yet summed up, 1: being summed up, 2: done
    uint64_t total; // nodes that it comes to
} fr__dae_node;

// A node that is shown in another.
typedef struct fr__dae_use {
    uint32_t id, next;
} fr__dae_use;

// Elements of a kind, which are numbered in the order of the file in what is made.
typedef struct fr__dae_ids {
    fr__names names;
    fr_array numbers; // uint32_t, of the last element with each name
    uint32_t count;   // that there are
    uint32_t written; // the second time
} fr__dae_ids;

typedef struct fr__dae {
    fr__reader *reader;
    XML_Parser parser;
    fr_status status;
    bool is_writing; // the second time through
    uint32_t skipping;
    fr_array open; // fr__dae_open
    fr_array text; // of the element that is open
    fr_array out;  // the document that is made

    fr__names node_ids, material_ids, effect_ids; // by their ids
    fr_array nodes;                               // fr__dae_node, in the order of the file
    fr_array node_of_id;                          // uint32_t, for each of node_ids
    fr_array uses;                                // fr__dae_use
    fr_array effects;                             // fr_model_material, for each of effect_ids
    fr_array material_of_id;                      // uint32_t, for each of material_ids
    fr_array material_effects;                    // uint32_t, effect of each material
    fr__names list_ids;                           // of sources and vertices
    fr_array list_counts;                         // uint32_t, elements of each, FR_NONE for none
    uint32_t list_id;                             // of the one that is open
    uint32_t next_node;                           // of the second time
    fr__dae_ids geometries, scenes;
    uint32_t shown_scene; // its number; FR_NONE while there is none

    uint64_t floats;                           // of the list that was read last
    uint32_t params_left;                      // of the accessor that is open
    fr_array list_text;                        // inputs of the list of polygons that is open
    fr_array indices, counts;                  // uint32_t, of it
    fr_array index_ends;                       // uint32_t, where each <p> ends
    uint32_t limits[4];                        // elements that each column points into
    uint32_t columns[4], column_count, stride; // which numbers of a corner are kept
    char list_name[16];
    char symbol[128];
    int slot;
} fr__dae;

typedef struct fr__dae_open {
    const char *name; // in the table of elements
    fr__dae_kind kind;
    uint32_t node; // FR_NONE where it is none
} fr__dae_open;

// Notes a failure at the element that is read.
void fr__dae_fail(fr__dae *dae, fr_status status, const char *format, ...) FR_PRINTF(3, 4);

void fr__dae_no_memory(fr__dae *dae);

// Appends a number to a list; false when there is no memory.
bool fr__dae_push(fr__dae *dae, fr_array *list, uint32_t value);

// Sets element `index` of a list that grows with what it is asked for; new ones are FR_NONE.
void fr__dae_set(fr__dae *dae, fr_array *list, uint32_t index, uint32_t value);

// The innermost element that is open; NULL for none.
fr__dae_open *fr__dae_open_above(fr__dae *dae);

// The first time through: what begins, or the colour that ends, is noted.
void fr__dae_note_node(fr__dae *dae, const XML_Char **attributes);
void fr__dae_note_use(fr__dae *dae, const XML_Char **attributes);
void fr__dae_note_material(fr__dae *dae, const XML_Char **attributes);
void fr__dae_note_effect_use(fr__dae *dae, const XML_Char **attributes);
void fr__dae_note_effect(fr__dae *dae, const XML_Char **attributes);
void fr__dae_note_color(fr__dae *dae);

void fr__dae_note_id(fr__dae *dae, fr__dae_ids *ids, const XML_Char **attributes);

// After it: no node is below itself or too deep, and materials look like their effects.
fr_status fr__dae_check_tree(fr__dae *dae);

// Appends to what is made; with escapes where it is a text of the file.
void fr__dae_put(fr__dae *dae, fr_array *to, const char *text);
void fr__dae_put_escaped(fr__dae *dae, fr_array *to, const char *text);
void fr__dae_put_number(fr__dae *dae, fr_array *to, uint64_t number);
void fr__dae_put_attribute(fr__dae *dae, fr_array *to, const char *name, const char *value);

fr__dae_ids fr__dae_ids_make(const fr_allocator *allocator);
void fr__dae_ids_free(fr__dae_ids *ids);

// A node, a geometry or a scene begins, with a number of ours for its id; others name it by that, so that assimp never
// meets a name that leads nowhere: it would give up in the middle and lose the memory of what it has read.
void fr__dae_put_numbered(fr__dae *dae, fr__dae_kind kind);
void fr__dae_put_use(fr__dae *dae, fr__dae_kind kind, const XML_Char **attributes);
void fr__dae_put_material_use(fr__dae *dae, const XML_Char **attributes);

// The scene that is shown, which must be there.
void fr__dae_take_scene(fr__dae *dae, const XML_Char **attributes);

// What stands before the end of the document: materials by their numbers, and the scene that is shown.
void fr__dae_put_end(fr__dae *dae);

// The list of polygons that was open: checked, and written with the columns that are kept.
void fr__dae_end_list(fr__dae *dae);

// A name copied for as long as the file is read, and its number in a list of names.
uint32_t fr__dae_number(fr__dae *dae, fr__names *names, const char *id);

#endif
