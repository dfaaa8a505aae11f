// Reads Collada. A parser goes through the file once; each element that is looked at is noted when it begins or ends,
// and what the shown scene leads to becomes parts and nodes of the builder at the end.
#include "collada.h"

#include <stdio.h>
#include <string.h>

#define MAX_OPEN 512

// Elements that are looked at; all others are passed over with what is in them.
typedef enum kind {
    KIND_READ, // only what is in it is looked at
    KIND_UNIT,
    KIND_UP,
    KIND_GEOMETRY,
    KIND_SOURCE,
    KIND_FLOATS,
    KIND_ACCESSOR,
    KIND_PARAM,
    KIND_VERTICES,
    KIND_INPUT, // detail: whether it is one of a list
    KIND_LIST,  // detail: fr__dae_list_kind
    KIND_INDICES,
    KIND_COUNTS,
    KIND_SCENE,
    KIND_NODE,
    KIND_TRANSFORM, // detail: fr__dae_transform
    KIND_NODE_USE,
    KIND_GEOMETRY_USE, // or of a controller
    KIND_MATERIAL_USE,
    KIND_CONTROLLER,
    KIND_SKIN, // or a morph
    KIND_BIND,
    KIND_NAMES,
    KIND_SKIN_INPUT, // detail: whether it is one of weights
    KIND_SKIN_COUNTS,
    KIND_SKIN_INDICES,
    KIND_SKELETON,
    KIND_SCENE_USE,
    KIND_MATERIAL,
    KIND_EFFECT_USE,
    KIND_EFFECT,
    KIND_COLOR // detail: 0 diffuse, 1 emission, 2 specular
} kind;

typedef struct fr__dae_element {
    const char *name, *parents; // any of these, with spaces around each
    kind kind;
    int detail;
} element;

#define LISTS " triangles polylist polygons lines linestrips trifans tristrips "

static const element elements[] = {
    {"COLLADA", " ", KIND_READ, 0},
    {"asset", " COLLADA ", KIND_READ, 0},
    {"unit", " asset ", KIND_UNIT, 0},
    {"up_axis", " asset ", KIND_UP, 0},
    {"library_geometries", " COLLADA ", KIND_READ, 0},
    {"geometry", " library_geometries ", KIND_GEOMETRY, 0},
    {"mesh", " geometry ", KIND_READ, 0},
    {"source", " mesh skin ", KIND_SOURCE, 0},
    {"float_array", " source ", KIND_FLOATS, 0},
    {"technique_common", " source bind_material ", KIND_READ, 0},
    {"accessor", " technique_common ", KIND_ACCESSOR, 0},
    {"param", " accessor ", KIND_PARAM, 0},
    {"vertices", " mesh ", KIND_VERTICES, 0},
    {"input", " vertices ", KIND_INPUT, false},
    {"input", LISTS, KIND_INPUT, true},
    {"p", LISTS, KIND_INDICES, 0},
    {"triangles", " mesh ", KIND_LIST, FR__DAE_TRIANGLES},
    {"polylist", " mesh ", KIND_LIST, FR__DAE_POLYLIST},
    {"polygons", " mesh ", KIND_LIST, FR__DAE_POLYGONS},
    {"lines", " mesh ", KIND_LIST, FR__DAE_LINES},
    {"linestrips", " mesh ", KIND_LIST, FR__DAE_LINE_STRIPS},
    {"trifans", " mesh ", KIND_LIST, FR__DAE_FANS},
    {"tristrips", " mesh ", KIND_LIST, FR__DAE_STRIPS},
    {"vcount", " polylist ", KIND_COUNTS, 0},
    {"library_controllers", " COLLADA ", KIND_READ, 0},
    {"controller", " library_controllers ", KIND_CONTROLLER, 0},
    {"skin", " controller ", KIND_SKIN, 0},
    {"morph", " controller ", KIND_SKIN, 0},
    {"bind_shape_matrix", " skin ", KIND_BIND, 0},
    {"Name_array", " source ", KIND_NAMES, 0},
    {"IDREF_array", " source ", KIND_NAMES, 0},
    {"joints", " skin ", KIND_READ, 0},
    {"vertex_weights", " skin ", KIND_READ, 0},
    {"input", " joints ", KIND_SKIN_INPUT, false},
    {"input", " vertex_weights ", KIND_SKIN_INPUT, true},
    {"vcount", " vertex_weights ", KIND_SKIN_COUNTS, 0},
    {"v", " vertex_weights ", KIND_SKIN_INDICES, 0},
    {"skeleton", " instance_controller ", KIND_SKELETON, 0},
    {"library_nodes", " COLLADA ", KIND_READ, 0},
    {"library_visual_scenes", " COLLADA ", KIND_READ, 0},
    {"visual_scene", " library_visual_scenes ", KIND_SCENE, 0},
    {"node", " visual_scene library_nodes node ", KIND_NODE, 0},
    {"matrix", " node ", KIND_TRANSFORM, FR__DAE_MATRIX},
    {"translate", " node ", KIND_TRANSFORM, FR__DAE_TRANSLATE},
    {"rotate", " node ", KIND_TRANSFORM, FR__DAE_ROTATE},
    {"scale", " node ", KIND_TRANSFORM, FR__DAE_SCALE},
    {"skew", " node ", KIND_TRANSFORM, FR__DAE_SKEW},
    {"lookat", " node ", KIND_TRANSFORM, FR__DAE_LOOK_AT},
    {"instance_geometry", " node ", KIND_GEOMETRY_USE, 0},
    {"instance_controller", " node ", KIND_GEOMETRY_USE, 0},
    {"instance_node", " node ", KIND_NODE_USE, 0},
    {"bind_material", " instance_geometry instance_controller ", KIND_READ, 0},
    {"instance_material", " technique_common ", KIND_MATERIAL_USE, 0},
    {"scene", " COLLADA ", KIND_READ, 0},
    {"instance_visual_scene", " scene ", KIND_SCENE_USE, 0},
    {"library_materials", " COLLADA ", KIND_READ, 0},
    {"material", " library_materials ", KIND_MATERIAL, 0},
    {"instance_effect", " material ", KIND_EFFECT_USE, 0},
    {"library_effects", " COLLADA ", KIND_READ, 0},
    {"effect", " library_effects ", KIND_EFFECT, 0},
    {"profile_COMMON", " effect ", KIND_READ, 0},
    {"technique", " profile_COMMON ", KIND_READ, 0},
    {"phong", " technique ", KIND_READ, 0},
    {"lambert", " technique ", KIND_READ, 0},
    {"blinn", " technique ", KIND_READ, 0},
    {"constant", " technique ", KIND_READ, 0},
    {"diffuse", " phong lambert blinn ", KIND_READ, 0},
    {"emission", " phong lambert blinn constant ", KIND_READ, 0},
    {"specular", " phong blinn ", KIND_READ, 0},
    {"color", " diffuse ", KIND_COLOR, 0},
    {"color", " emission ", KIND_COLOR, 1},
    {"color", " specular ", KIND_COLOR, 2},
};
#define ELEMENT_COUNT (sizeof elements / sizeof elements[0])

// ---------------------------------------------------------------------------------------------------------------
// What all elements use

const char *fr__dae_place(const fr__dae *dae) {
    const fr__cursor *cursor = &dae->reader->cursor;
    int64_t index = dae->xml != NULL ? fr__xml_index(dae->xml) : -1;
    return index >= 0 && index <= cursor->end - cursor->begin ? cursor->begin + index : NULL;
}

void fr__dae_fail(fr__dae *dae, fr_status status, const char *format, ...) {
    if (dae->status != FR_OK) { return; }
    char message[FR_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    dae->status = fr__cursor_fail(&dae->reader->cursor, fr__dae_place(dae), status, "%s", message);
    if (dae->xml != NULL) { fr__xml_stop(dae->xml); }
}

void fr__dae_problem(fr__dae *dae, const char *format, ...) {
    char message[FR_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (dae->reader->input->is_strict) {
        fr__dae_fail(dae, FR_ERROR_SYNTAX, "%s", message);
    } else {
        fr__reader_warn(dae->reader, fr__dae_place(dae), "%s", message);
    }
}

void fr__dae_no_memory(fr__dae *dae) {
    char text[FR_ERROR_MESSAGE_BYTES];
    fr__dae_fail(dae, fr__reader_memory_status(dae->reader), "%s", fr__reader_memory_text(dae->reader, text));
}

uint32_t fr__dae_name(fr__dae *dae, const char *name) {
    static const fr__dae_id none = {FR_NONE, FR_NONE, FR_NONE, FR_NONE, FR_NONE, FR_NONE,
                                    FR_NONE, FR_NONE, FR_NONE, FR_NONE, FR_NONE, FR_NONE};
    size_t length = strlen(name), before = dae->names.spans.count;
    uint32_t number = fr__names_find_or_append(&dae->names, (fr__span){name, length});
    if (number != before) {
        if (number == FR_NONE) { fr__dae_no_memory(dae); }
        return number;
    }
    // A new name lives as long as the file is read.
    char *copy = fr_arena_alloc(dae->arena, length + 1, 1, 1);
    if (copy == NULL || fr__dae_id_array_add(dae, &dae->ids, none) == FR_NONE) {
        fr__dae_no_memory(dae);
        return FR_NONE;
    }
    memcpy(copy, name, length + 1);
    dae->names.spans.data[number].begin = copy;
    return number;
}

uint32_t fr__dae_target(fr__dae *dae, const char *url) {
    return url != NULL && url[0] == '#' ? fr__dae_name(dae, url + 1) : FR_NONE;
}

fr__dae_open *fr__dae_top(const fr__dae *dae) {
    return dae->open.count > 0 ? &dae->open.data[dae->open.count - 1] : NULL;
}

uint64_t fr__dae_whole(fr__dae *dae, const char **attributes, const char *name, uint64_t usual) {
    const char *text = fr__xml_attribute(attributes, name), *at = text;
    int64_t value = 0;
    if (text == NULL) { return usual; }
    const char *end = text + strlen(text);
    while (at < end && fr__is_space(*at)) {
        at++;
    }
    bool is_whole = fr_number_read_whole(&at, end, &value);
    while (at < end && fr__is_space(*at)) {
        at++;
    }
    if (is_whole && at == end && value >= 0) { return (uint64_t)value; }
    fr__dae_problem(dae, "%s=\"%.20s\" is no whole number from 0", name, text);
    return usual;
}

// ---------------------------------------------------------------------------------------------------------------
// Elements

static void take_unit(fr__dae *dae, const char **attributes) {
    const char *metres = fr__xml_attribute(attributes, "meter"), *at = metres;
    double unit = 0.0;
    if (metres == NULL) { return; }
    if (fr_number_read(&at, metres + strlen(metres), &unit) == FR_NUMBER_OK && unit > 1e-9 && unit < 1e9) {
        dae->reader->builder.unit = unit;
    } else {
        fr__dae_problem(dae, "a unit of %.20s metres is passed over", metres);
    }
}

static void take_up(fr__dae *dae) {
    for (size_t i = 0; i < dae->text.count; i++) {
        unsigned char c = dae->text.data[i];
        if (c < 'X' || c > 'Z') { continue; }
        dae->reader->builder.up = c == 'X' ? FR_MODEL_UP_X : c == 'Y' ? FR_MODEL_UP_Y : FR_MODEL_UP_Z;
        return;
    }
    fr__dae_problem(dae, "an axis that is none of X_UP, Y_UP and Z_UP is passed over");
}

static void begin_known(fr__dae *dae, const element *e, const char **attributes) {
    switch (e->kind) {
    case KIND_UNIT: take_unit(dae, attributes); break;
    case KIND_GEOMETRY: fr__dae_begin_geometry(dae, attributes); break;
    case KIND_SOURCE: fr__dae_begin_source(dae, attributes); break;
    case KIND_FLOATS: fr__dae_begin_floats(dae, attributes); break;
    case KIND_ACCESSOR: fr__dae_begin_accessor(dae, attributes); break;
    case KIND_PARAM: fr__dae_begin_param(dae, attributes); break;
    case KIND_VERTICES: fr__dae_begin_vertices(dae, attributes); break;
    case KIND_INPUT: fr__dae_begin_input(dae, e->detail, attributes); break;
    case KIND_LIST: fr__dae_begin_list(dae, (fr__dae_list_kind)e->detail, attributes); break;
    case KIND_SCENE:
    case KIND_NODE: fr__dae_begin_node(dae, e->kind == KIND_SCENE, attributes); break;
    case KIND_NODE_USE:
    case KIND_GEOMETRY_USE: fr__dae_begin_use(dae, e->kind == KIND_GEOMETRY_USE, attributes); break;
    case KIND_MATERIAL_USE: fr__dae_begin_binding(dae, attributes); break;
    case KIND_CONTROLLER: fr__dae_begin_controller(dae, attributes); break;
    case KIND_SKIN: fr__dae_begin_skin(dae, attributes); break;
    case KIND_NAMES: fr__dae_begin_names(dae, attributes); break;
    case KIND_SKIN_INPUT: fr__dae_begin_skin_input(dae, e->detail, attributes); break;
    case KIND_SCENE_USE:
        dae->shown_scene = fr__dae_target(dae, fr__xml_attribute(attributes, "url"));
        dae->scene_at = fr__dae_place(dae);
        break;
    case KIND_MATERIAL: fr__dae_begin_material(dae, attributes); break;
    case KIND_EFFECT_USE: fr__dae_begin_effect_use(dae, attributes); break;
    case KIND_EFFECT: fr__dae_begin_effect(dae, attributes); break;
    default: dae->takes_text = e->kind != KIND_READ; break;
    }
}

static void end_known(fr__dae *dae, const element *e) {
    switch (e->kind) {
    case KIND_UP: take_up(dae); break;
    case KIND_FLOATS: fr__dae_end_floats(dae); break;
    case KIND_LIST: fr__dae_end_list(dae, e->name); break;
    case KIND_INDICES: fr__dae_end_indices(dae); break;
    case KIND_COUNTS: fr__dae_end_counts(dae); break;
    case KIND_SCENE:
    case KIND_NODE: fr__dae_end_node(dae); break;
    case KIND_TRANSFORM: fr__dae_end_transform(dae, (fr__dae_transform)e->detail, e->name); break;
    case KIND_COLOR: fr__dae_end_color(dae, e->detail); break;
    case KIND_BIND: fr__dae_end_bind(dae, e->name); break;
    case KIND_NAMES: fr__dae_end_names(dae); break;
    case KIND_SKIN_COUNTS: fr__dae_end_skin_counts(dae); break;
    case KIND_SKIN_INDICES: fr__dae_end_skin_indices(dae); break;
    case KIND_SKELETON: fr__dae_end_skeleton(dae); break;
    default: break;
    }
}

// The element of a name that may stand where it stands; NULL where it is not looked at.
static const element *find_element(const fr__dae_open *above, const char *name) {
    if (above == NULL) { return strcmp(name, elements[0].name) == 0 ? &elements[0] : NULL; }
    char parent[32];
    snprintf(parent, sizeof parent, " %s ", above->name);
    for (size_t i = 1; i < ELEMENT_COUNT; i++) {
        if (strcmp(elements[i].name, name) == 0 && strstr(elements[i].parents, parent) != NULL) { return &elements[i]; }
    }
    return NULL;
}

static void begin_element(void *user, const char *name, const char **attributes) {
    fr__dae *dae = user;
    if (dae->status != FR_OK) { return; }
    if (dae->skipping > 0) {
        dae->skipping++;
        return;
    }
    const element *found = find_element(fr__dae_top(dae), name);
    if (found == NULL && dae->open.count == 0) {
        fr__dae_fail(dae, FR_ERROR_SYNTAX, "expected a COLLADA element");
        return;
    }
    dae->takes_text = false;
    if (found == NULL) {
        dae->skipping++;
        return;
    }
    if (dae->open.count >= MAX_OPEN) {
        fr__dae_fail(dae, FR_ERROR_LIMIT, "more than %d elements in one another", MAX_OPEN);
        return;
    }
    fr__dae_open open = {.element = found, .name = found->name, .node = FR_NONE};
    if (fr__dae_open_array_add(dae, &dae->open, open) == FR_NONE) { return; }
    dae->text.count = 0;
    begin_known(dae, found, attributes);
}

static void end_element(void *user) {
    fr__dae *dae = user;
    if (dae->status != FR_OK) { return; }
    if (dae->skipping > 0) {
        dae->skipping--;
        return;
    }
    end_known(dae, fr__dae_top(dae)->element);
    dae->open.count--;
    dae->takes_text = false;
}

static void take_text(void *user, const char *text, size_t size) {
    fr__dae *dae = user;
    if (!dae->takes_text || size == 0 || dae->status != FR_OK) { return; }
    unsigned char *place = fr_byte_array_push(&dae->text, size);
    if (place == NULL) {
        fr__dae_no_memory(dae);
        return;
    }
    memcpy(place, text, size);
}

static void refuse_doctype(void *user) {
    fr__dae_fail(user, FR_ERROR_UNSUPPORTED, "a document with declarations of its own is not read");
}

// ---------------------------------------------------------------------------------------------------------------
// All

static fr_status parse_pieces(fr__dae *dae) {
    fr__cursor *cursor = &dae->reader->cursor;
    do {
        FR__TRY(fr__cursor_check(cursor));
        size_t left = fr__cursor_left(cursor), piece = fr__xml_piece(dae->xml, left);
        fr_status status = fr__xml_parse(dae->xml, cursor->at, piece, piece == left);
        if (status != FR_OK && dae->status == FR_OK) {
            if (status == FR_ERROR_MEMORY) {
                fr__dae_no_memory(dae);
            } else {
                fr__dae_fail(dae, FR_ERROR_SYNTAX, "this is no XML: %s", dae->xml->message);
            }
        }
        cursor->at += piece;
    } while (dae->status == FR_OK && !fr__cursor_at_end(cursor));
    return dae->status;
}

static fr_status parse(fr__dae *dae) {
    fr__cursor *cursor = &dae->reader->cursor;
    const fr__xml_handlers handlers = {
        .begin = begin_element, .end = end_element, .text = take_text, .doctype = refuse_doctype, .user = dae};
    fr__xml xml;
    fr_status status = fr__xml_create(&dae->reader->builder.allocator, cursor->begin,
                                      (size_t)(cursor->end - cursor->begin), false, &handlers, &xml);
    if (status == FR_ERROR_UNSUPPORTED) {
        return fr__cursor_fail(cursor, NULL, status,
                               "this build reads no XML, and so no Collada: convert the file to glTF first");
    }
    if (status != FR_OK) { return fr__reader_fail_building(dae->reader, NULL); }
    dae->xml = &xml;
    status = parse_pieces(dae);
    dae->xml = NULL;
    fr__xml_free(&xml);
    return status;
}

static fr_status read_all(fr__dae *dae) {
    if (fr_arena_create(0, &dae->reader->builder.allocator, &dae->arena, NULL) != FR_OK) {
        dae->arena = NULL;
        return fr__reader_fail_building(dae->reader, NULL);
    }
    FR__TRY(parse(dae));
    fr__dae_finish_materials(dae);
    FR__TRY(fr__dae_build(dae));
    if (dae->reader->builder.face_count == 0) {
        return fr__cursor_fail(&dae->reader->cursor, NULL, FR_ERROR_UNSUPPORTED, "the scene shows no polygon");
    }
    return FR_OK;
}

fr_status fr__read_collada(fr__reader *reader) {
    const fr_allocator *allocator = &reader->builder.allocator;
    fr__builder_set_double(&reader->builder, reader->precision == FR_MODEL_DOUBLE);
    fr__dae dae = {.reader = reader,
                   .names = fr__names_make(allocator),
                   .open = fr__dae_open_array_make(allocator),
                   .text = fr_byte_array_make(allocator),
                   .ids = fr__dae_id_array_make(allocator),
                   .floats = fr_float_array_make(allocator),
                   .doubles = fr_double_array_make(allocator),
                   .indices = fr_uint32_array_make(allocator),
                   .ends = fr_uint32_array_make(allocator),
                   .counts = fr_uint32_array_make(allocator),
                   .arrays = fr__dae_array_array_make(allocator),
                   .sources = fr__dae_source_array_make(allocator),
                   .vertices = fr__dae_vertices_array_make(allocator),
                   .lists = fr__dae_list_array_make(allocator),
                   .geometries = fr__dae_geometry_array_make(allocator),
                   .controllers = fr__dae_controller_array_make(allocator),
                   .nodes = fr__dae_node_array_make(allocator),
                   .uses = fr__dae_use_array_make(allocator),
                   .bindings = fr__dae_binding_array_make(allocator),
                   .words = fr__dae_words_array_make(allocator),
                   .followers = fr__dae_follower_array_make(allocator),
                   .joint_names = fr_uint32_array_make(allocator),
                   .skin_numbers = fr_uint32_array_make(allocator),
                   .origins = fr_uint32_array_make(allocator),
                   .effects = fr__dae_look_array_make(allocator),
                   .material_effects = fr_uint32_array_make(allocator),
                   .shown_scene = FR_NONE};
    fr_status status = read_all(&dae);
    fr__names_free(&dae.names);
    fr__dae_open_array_destroy(&dae.open);
    fr_byte_array_destroy(&dae.text);
    fr__dae_id_array_destroy(&dae.ids);
    fr_float_array_destroy(&dae.floats);
    fr_double_array_destroy(&dae.doubles);
    fr_uint32_array_destroy(&dae.indices);
    fr_uint32_array_destroy(&dae.ends);
    fr_uint32_array_destroy(&dae.counts);
    fr__dae_array_array_destroy(&dae.arrays);
    fr__dae_source_array_destroy(&dae.sources);
    fr__dae_vertices_array_destroy(&dae.vertices);
    fr__dae_list_array_destroy(&dae.lists);
    fr__dae_geometry_array_destroy(&dae.geometries);
    fr__dae_controller_array_destroy(&dae.controllers);
    fr__dae_node_array_destroy(&dae.nodes);
    fr__dae_use_array_destroy(&dae.uses);
    fr__dae_binding_array_destroy(&dae.bindings);
    fr__dae_words_array_destroy(&dae.words);
    fr__dae_follower_array_destroy(&dae.followers);
    fr_uint32_array_destroy(&dae.joint_names);
    fr_uint32_array_destroy(&dae.skin_numbers);
    fr_uint32_array_destroy(&dae.origins);
    fr__dae_look_array_destroy(&dae.effects);
    fr_uint32_array_destroy(&dae.material_effects);
    if (dae.arena != NULL) { fr_arena_destroy(dae.arena); }
    return status;
}
