// Reads Collada. The file is gone through twice by expat: first its nodes, materials and effects are noted and the tree
// is checked, then what makes up the geometry is written anew as a plain document whose counts are right, and that one
// is given to assimp. Units and the axis up are ours to apply.
#include "collada.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_OPEN 512

static const struct element {
    const char *name, *parents; // any of these, with spaces around each
    fr__dae_kind kind;
} elements[] = {
    {"COLLADA", " ", FR__DAE_PLAIN},
    {"asset", " COLLADA ", FR__DAE_READ},
    {"unit", " asset ", FR__DAE_UNIT},
    {"up_axis", " asset ", FR__DAE_UP},
    {"library_geometries", " COLLADA ", FR__DAE_PLAIN},
    {"geometry", " library_geometries ", FR__DAE_GEOMETRY},
    {"mesh", " geometry ", FR__DAE_PLAIN},
    {"source", " mesh ", FR__DAE_PLAIN},
    {"float_array", " source ", FR__DAE_FLOATS},
    {"technique_common", " source bind_material ", FR__DAE_PLAIN},
    {"accessor", " technique_common ", FR__DAE_ACCESSOR},
    {"param", " accessor ", FR__DAE_PARAM},
    {"vertices", " mesh ", FR__DAE_PLAIN},
    {"input", " vertices triangles polylist polygons lines linestrips trifans tristrips ", FR__DAE_INPUT},
    {"triangles", " mesh ", FR__DAE_POLYGONS},
    {"polylist", " mesh ", FR__DAE_POLYGONS},
    {"polygons", " mesh ", FR__DAE_POLYGONS},
    {"lines", " mesh ", FR__DAE_POLYGONS},
    {"linestrips", " mesh ", FR__DAE_POLYGONS},
    {"trifans", " mesh ", FR__DAE_POLYGONS},
    {"tristrips", " mesh ", FR__DAE_POLYGONS},
    {"p", " triangles polylist polygons lines linestrips trifans tristrips ", FR__DAE_INDICES},
    {"vcount", " polylist ", FR__DAE_COUNTS},
    {"library_nodes", " COLLADA ", FR__DAE_PLAIN},
    {"library_visual_scenes", " COLLADA ", FR__DAE_PLAIN},
    {"visual_scene", " library_visual_scenes ", FR__DAE_SCENE},
    {"node", " visual_scene library_nodes node ", FR__DAE_NODE},
    {"matrix", " node ", FR__DAE_NUMBERS},
    {"translate", " node ", FR__DAE_NUMBERS},
    {"rotate", " node ", FR__DAE_NUMBERS},
    {"scale", " node ", FR__DAE_NUMBERS},
    {"instance_geometry", " node ", FR__DAE_GEOMETRY_USE},
    {"instance_node", " node ", FR__DAE_INSTANCE},
    {"bind_material", " instance_geometry ", FR__DAE_PLAIN},
    {"instance_material", " technique_common ", FR__DAE_MATERIAL_USE},
    {"scene", " COLLADA ", FR__DAE_READ},
    {"instance_visual_scene", " scene ", FR__DAE_SCENE_USE},
    {"library_materials", " COLLADA ", FR__DAE_READ},
    {"material", " library_materials ", FR__DAE_MATERIAL},
    {"instance_effect", " material ", FR__DAE_EFFECT_USE},
    {"library_effects", " COLLADA ", FR__DAE_READ},
    {"effect", " library_effects ", FR__DAE_EFFECT},
    {"profile_COMMON", " effect ", FR__DAE_READ},
    {"technique", " profile_COMMON ", FR__DAE_READ},
    {"phong", " technique ", FR__DAE_READ},
    {"lambert", " technique ", FR__DAE_READ},
    {"blinn", " technique ", FR__DAE_READ},
    {"constant", " technique ", FR__DAE_READ},
    {"diffuse", " phong lambert blinn ", FR__DAE_SLOT},
    {"emission", " phong lambert blinn constant ", FR__DAE_SLOT},
    {"specular", " phong blinn ", FR__DAE_SLOT},
    {"color", " diffuse emission specular ", FR__DAE_COLOR},
};
#define ELEMENT_COUNT (sizeof elements / sizeof elements[0])

void fr__dae_fail(fr__dae *dae, fr_status status, const char *format, ...) {
    if (dae->status != FR_OK) { return; }
    char message[FR_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    const fr__cursor *cursor = &dae->reader->cursor;
    XML_Index index = XML_GetCurrentByteIndex(dae->parser);
    bool is_inside = index >= 0 && index <= cursor->end - cursor->begin;
    dae->status =
        fr__cursor_fail(&dae->reader->cursor, is_inside ? cursor->begin + index : NULL, status, "%s", message);
    XML_StopParser(dae->parser, XML_FALSE);
}

static uint64_t whole_attribute(const XML_Char **attributes, const char *name, uint64_t usual) {
    const char *text = fr__xml_attribute(attributes, name);
    int64_t value = 0;
    const char *at = text;
    if (text == NULL || !fr_number_read_whole(&at, text + strlen(text), &value) || value < 0) { return usual; }
    return (uint64_t)value;
}

// ---------------------------------------------------------------------------------------------------------------
// The second time: the document that is made

static void put(fr__dae *dae, const char *text) { fr__dae_put(dae, &dae->out, text); }

static void put_plain(fr__dae *dae, const char *name, const XML_Char **attributes) {
    put(dae, "<");
    put(dae, name);
    if (strcmp(name, "COLLADA") == 0) { put(dae, " version=\"1.4.1\""); }
    const char *id = fr__xml_attribute(attributes, "id");
    if (id != NULL && (strcmp(name, "source") == 0 || strcmp(name, "vertices") == 0)) {
        dae->list_id = fr__dae_number(dae, &dae->list_ids, id);
        if (dae->list_id != FR_NONE) { fr__dae_set(dae, &dae->list_counts, dae->list_id, FR_NONE); }
    }
    fr__dae_put_attribute(dae, &dae->out, "id", id);
    put(dae, ">");
}

// Only as many elements as the list before it has numbers for.
static void put_accessor(fr__dae *dae, const XML_Char **attributes) {
    uint64_t count = whole_attribute(attributes, "count", 0), stride = whole_attribute(attributes, "stride", 1);
    uint64_t offset = whole_attribute(attributes, "offset", 0);
    if (stride == 0 || stride > 64) { stride = 1; }
    uint64_t room = dae->floats > offset ? (dae->floats - offset) / stride : 0;
    if (room == 0) { offset = 0; }
    if (count > room) { count = room; }
    if (dae->list_id < dae->list_counts.count && count < FR_NONE) {
        fr__dae_set(dae, &dae->list_counts, dae->list_id, (uint32_t)count);
    }
    put(dae, "<accessor");
    fr__dae_put_attribute(dae, &dae->out, "source", fr__xml_attribute(attributes, "source"));
    put(dae, " count=\"");
    fr__dae_put_number(dae, &dae->out, count);
    put(dae, "\" stride=\"");
    fr__dae_put_number(dae, &dae->out, stride);
    put(dae, "\" offset=\"");
    fr__dae_put_number(dae, &dae->out, offset);
    put(dae, "\">");
    dae->params_left = (uint32_t)stride;
}

// An input of vertices, or of a list of polygons, of which four kinds are kept.
static void put_input(fr__dae *dae, const char *parent, const XML_Char **attributes) {
    static const char *const kept[4] = {"VERTEX", "NORMAL", "TEXCOORD", "COLOR"};
    const char *semantic = fr__xml_attribute(attributes, "semantic"), *source = fr__xml_attribute(attributes, "source");
    if (semantic == NULL || source == NULL || source[0] != '#') { return; }
    uint32_t number = fr__dae_number(dae, &dae->list_ids, source + 1);
    const uint32_t *counts = dae->list_counts.data;
    uint32_t count = number < dae->list_counts.count ? counts[number] : FR_NONE;
    bool is_list = strcmp(parent, "vertices") != 0;
    fr_array *to = is_list ? &dae->list_text : &dae->out;
    uint64_t offset = whole_attribute(attributes, "offset", 0);
    if (is_list) {
        if (offset > 31) {
            fr__dae_fail(dae, FR_ERROR_CORRUPT, "an input at offset %llu", (unsigned long long)offset);
            return;
        }
        if (offset + 1 > dae->stride) { dae->stride = (uint32_t)offset + 1; }
        bool is_kept = false;
        for (int i = 0; i < 4; i++) {
            is_kept = is_kept || strcmp(semantic, kept[i]) == 0;
        }
        if (!is_kept || dae->column_count >= 4 || whole_attribute(attributes, "set", 0) > 1) { return; }
        dae->limits[dae->column_count] = count != FR_NONE ? count : 0;
        dae->columns[dae->column_count] = (uint32_t)offset;
    } else if (strcmp(semantic, "POSITION") == 0 && dae->list_id < dae->list_counts.count) {
        fr__dae_set(dae, &dae->list_counts, dae->list_id, count);
    }
    fr__dae_put(dae, to, "<input");
    fr__dae_put_attribute(dae, to, "semantic", semantic);
    fr__dae_put_attribute(dae, to, "source", source);
    if (is_list) {
        fr__dae_put(dae, to, " offset=\"");
        fr__dae_put_number(dae, to, dae->column_count++);
        fr__dae_put(dae, to, "\" set=\"0\"");
    }
    fr__dae_put(dae, to, "/>");
}

static void begin_list(fr__dae *dae, const char *name, const XML_Char **attributes) {
    const char *symbol = fr__xml_attribute(attributes, "material");
    dae->list_text.count = dae->indices.count = dae->counts.count = dae->index_ends.count = 0;
    dae->column_count = 0;
    dae->stride = 1;
    snprintf(dae->list_name, sizeof dae->list_name, "%s", name);
    snprintf(dae->symbol, sizeof dae->symbol, "%s", symbol != NULL ? symbol : "");
}

// Numbers of the element that ends, all finite; how many.
static uint64_t count_floats(fr__dae *dae) {
    const char *at = dae->text.data, *end = at + dae->text.count;
    uint64_t count = 0;
    for (;; count++) {
        while (at < end && fr__is_space(*at)) {
            at++;
        }
        if (at >= end) { return count; }
        double value = 0.0;
        fr_number_result result = fr_number_read(&at, end, &value);
        bool is_right = result == FR_NUMBER_OK && (at >= end || fr__is_space(*at)) && fabs(value) < 1e37;
        if (!is_right) {
            fr__dae_fail(dae,
                         result == FR_NUMBER_OK || result == FR_NUMBER_MISSING ? FR_ERROR_SYNTAX : FR_ERROR_NOT_FINITE,
                         "number %llu of this list is no number that floats have", (unsigned long long)count);
            return 0;
        }
    }
}

static void take_wholes(fr__dae *dae, fr_array *list) {
    const char *at = dae->text.data, *end = at + dae->text.count;
    for (;;) {
        while (at < end && fr__is_space(*at)) {
            at++;
        }
        if (at >= end) { return; }
        int64_t value = 0;
        if (!fr_number_read_whole(&at, end, &value) || (at < end && !fr__is_space(*at)) || value < 0 ||
            value > INT32_MAX) {
            fr__dae_fail(dae, FR_ERROR_SYNTAX, "an index is a whole number from 0");
            return;
        }
        if (!fr__dae_push(dae, list, (uint32_t)value)) { return; }
    }
}

static void put_text(fr__dae *dae) {
    void *place = fr_array_push(&dae->out, dae->text.count);
    if (place == NULL) {
        fr__dae_no_memory(dae);
    } else if (dae->text.count > 0) {
        memcpy(place, dae->text.data, dae->text.count);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Elements

static void note_unit(fr__dae *dae, const XML_Char **attributes) {
    const char *metres = fr__xml_attribute(attributes, "meter"), *at = metres;
    double unit = 0.0;
    if (metres != NULL && fr_number_read(&at, metres + strlen(metres), &unit) == FR_NUMBER_OK && unit > 1e-9 &&
        unit < 1e9) {
        dae->reader->builder.unit = unit;
    }
}

static void begin_first(fr__dae *dae, const struct element *e, const XML_Char **attributes) {
    switch (e->kind) {
    case FR__DAE_UNIT: note_unit(dae, attributes); break;
    case FR__DAE_NODE:
        fr__dae_note_node(dae, attributes);
        fr__dae_open_above(dae)->node = (uint32_t)dae->nodes.count - 1;
        break;
    case FR__DAE_INSTANCE: fr__dae_note_use(dae, attributes); break;
    case FR__DAE_GEOMETRY: fr__dae_note_id(dae, &dae->geometries, attributes); break;
    case FR__DAE_SCENE: fr__dae_note_id(dae, &dae->scenes, attributes); break;
    case FR__DAE_MATERIAL: fr__dae_note_material(dae, attributes); break;
    case FR__DAE_EFFECT_USE: fr__dae_note_effect_use(dae, attributes); break;
    case FR__DAE_EFFECT: fr__dae_note_effect(dae, attributes); break;
    case FR__DAE_SLOT: dae->slot = e->name[0] == 'd' ? 0 : e->name[0] == 'e' ? 1 : 2; break;
    default: break;
    }
}

static void begin_second(fr__dae *dae, const struct element *e, const char *parent, const XML_Char **attributes) {
    switch (e->kind) {
    case FR__DAE_PLAIN: put_plain(dae, e->name, attributes); break;
    case FR__DAE_ACCESSOR: put_accessor(dae, attributes); break;
    case FR__DAE_PARAM:
        if (dae->params_left == 0) { break; }
        dae->params_left--;
        put(dae, "<param");
        fr__dae_put_attribute(dae, &dae->out, "name", fr__xml_attribute(attributes, "name"));
        put(dae, " type=\"float\"/>");
        break;
    case FR__DAE_FLOATS:
        put(dae, "<float_array");
        fr__dae_put_attribute(dae, &dae->out, "id", fr__xml_attribute(attributes, "id"));
        break;
    case FR__DAE_INPUT: put_input(dae, parent, attributes); break;
    case FR__DAE_POLYGONS: begin_list(dae, e->name, attributes); break;
    case FR__DAE_NODE:
    case FR__DAE_GEOMETRY:
    case FR__DAE_SCENE: fr__dae_put_numbered(dae, e->kind); break;
    case FR__DAE_INSTANCE:
    case FR__DAE_GEOMETRY_USE: fr__dae_put_use(dae, e->kind, attributes); break;
    case FR__DAE_SCENE_USE: fr__dae_take_scene(dae, attributes); break;
    case FR__DAE_MATERIAL_USE: fr__dae_put_material_use(dae, attributes); break;
    default: break;
    }
}

static void XMLCALL begin_element(void *user, const XML_Char *name, const XML_Char **attributes) {
    fr__dae *dae = user;
    // Some calls may still come after the parser was stopped.
    if (dae->status != FR_OK) { return; }
    const fr__dae_open *above = fr__dae_open_above(dae);
    const char *parent = above != NULL ? above->name : "";
    const struct element *found = NULL;
    char wanted[64];
    snprintf(wanted, sizeof wanted, " %s ", parent);
    for (size_t i = 0; i < ELEMENT_COUNT && dae->skipping == 0; i++) {
        bool fits = above != NULL ? strstr(elements[i].parents, wanted) != NULL : i == 0;
        if (fits && strcmp(elements[i].name, name) == 0) { found = &elements[i]; }
    }
    if (above == NULL && found == NULL && dae->skipping == 0) {
        fr__dae_fail(dae, FR_ERROR_SYNTAX, "expected a COLLADA element");
        return;
    }
    if (found == NULL) {
        dae->skipping++;
        return;
    }
    fr__dae_open open = {.name = found->name, .kind = found->kind, .node = FR_NONE};
    if (dae->open.count >= MOST_OPEN) {
        fr__dae_fail(dae, FR_ERROR_LIMIT, "more than %d elements in one another", MOST_OPEN);
        return;
    }
    if (fr__builder_add(&dae->open, &open) == FR_NONE) {
        fr__dae_no_memory(dae);
        return;
    }
    dae->text.count = 0;
    if (dae->is_writing) {
        begin_second(dae, found, parent, attributes);
    } else {
        begin_first(dae, found, attributes);
    }
}

static void end_transform(fr__dae *dae, const char *name) {
    uint64_t needed = name[0] == 'm' ? 16 : name[0] == 'r' ? 4 : 3;
    if (count_floats(dae) != needed) {
        fr__dae_fail(dae, FR_ERROR_SYNTAX, "%s has %d numbers", name, (int)needed);
        return;
    }
    put(dae, "<");
    put(dae, name);
    put(dae, ">");
    put_text(dae);
    put(dae, "</");
    put(dae, name);
    put(dae, ">");
}

static void end_second(fr__dae *dae, const fr__dae_open *open) {
    switch (open->kind) {
    case FR__DAE_PLAIN:
    case FR__DAE_GEOMETRY:
    case FR__DAE_GEOMETRY_USE:
    case FR__DAE_SCENE:
        put(dae, "</");
        put(dae, open->name);
        put(dae, ">\n");
        break;
    case FR__DAE_ACCESSOR: put(dae, "</accessor>"); break;
    case FR__DAE_FLOATS:
        dae->floats = count_floats(dae);
        put(dae, " count=\"");
        fr__dae_put_number(dae, &dae->out, dae->floats);
        put(dae, "\">");
        put_text(dae);
        put(dae, "</float_array>");
        break;
    case FR__DAE_POLYGONS: fr__dae_end_list(dae); break;
    case FR__DAE_INDICES:
        take_wholes(dae, &dae->indices);
        fr__dae_push(dae, &dae->index_ends, (uint32_t)dae->indices.count);
        break;
    case FR__DAE_COUNTS: take_wholes(dae, &dae->counts); break;
    case FR__DAE_NODE: put(dae, "</node>\n"); break;
    case FR__DAE_NUMBERS: end_transform(dae, open->name); break;
    default: break;
    }
}

static void XMLCALL end_element(void *user, const XML_Char *name) {
    fr__dae *dae = user;
    (void)name;
    if (dae->status != FR_OK) { return; }
    if (dae->skipping > 0) {
        dae->skipping--;
        return;
    }
    const fr__dae_open open = *fr__dae_open_above(dae);
    if (dae->is_writing) {
        end_second(dae, &open);
    } else if (open.kind == FR__DAE_COLOR) {
        fr__dae_note_color(dae);
    } else if (open.kind == FR__DAE_UP && dae->text.count > 0) {
        char axis = '\0';
        for (size_t i = 0; i < dae->text.count && axis == '\0'; i++) {
            char c = ((const char *)dae->text.data)[i];
            axis = c >= 'X' && c <= 'Z' ? c : '\0';
        }
        if (axis != '\0') {
            dae->reader->builder.up = axis == 'X' ? FR_MODEL_UP_X : axis == 'Y' ? FR_MODEL_UP_Y : FR_MODEL_UP_Z;
        }
    }
    dae->open.count--;
    dae->text.count = 0;
}

static void XMLCALL take_text(void *user, const XML_Char *text, int length) {
    fr__dae *dae = user;
    if (dae->skipping > 0 || length <= 0 || dae->status != FR_OK) { return; }
    void *place = fr_array_push(&dae->text, (size_t)length);
    if (place == NULL) {
        fr__dae_no_memory(dae);
        return;
    }
    memcpy(place, text, (size_t)length);
}

static void XMLCALL refuse_doctype(void *user, const XML_Char *name, const XML_Char *system, const XML_Char *public_id,
                                   int has_internal) {
    (void)name, (void)system, (void)public_id, (void)has_internal;
    fr__dae_fail(user, FR_ERROR_UNSUPPORTED, "a document with declarations of its own is not read");
}

// ---------------------------------------------------------------------------------------------------------------
// All

static fr_status go_through(fr__dae *dae, bool is_writing) {
    fr__cursor *cursor = &dae->reader->cursor;
    dae->is_writing = is_writing;
    dae->skipping = 0;
    dae->open.count = dae->text.count = 0;
    fr__xml xml = fr__xml_create(&dae->reader->builder.allocator);
    dae->parser = xml.parser;
    if (dae->parser == NULL) {
        fr__xml_free(&xml);
        return fr__reader_fail_building(dae->reader, NULL);
    }
    XML_SetUserData(dae->parser, dae);
    XML_SetElementHandler(dae->parser, begin_element, end_element);
    XML_SetCharacterDataHandler(dae->parser, take_text);
    XML_SetStartDoctypeDeclHandler(dae->parser, refuse_doctype);
    size_t left = fr__cursor_left(cursor);
    const char *at = cursor->at;
    while (dae->status == FR_OK) {
        int piece = left < 256 * 1024 ? (int)left : 256 * 1024;
        left -= (size_t)piece;
        enum XML_Status result = XML_Parse(dae->parser, at, piece, left == 0);
        if (result != XML_STATUS_OK && dae->status == FR_OK) {
            enum XML_Error code = XML_GetErrorCode(dae->parser);
            if (code == XML_ERROR_NO_MEMORY) {
                fr__dae_no_memory(dae);
            } else {
                fr__dae_fail(dae, FR_ERROR_SYNTAX, "this is no XML: %s", XML_ErrorString(code));
            }
        }
        at += piece;
        if (left == 0) { break; }
        if (dae->status == FR_OK && fr_control_stop(cursor->control)) {
            dae->status = fr__cursor_fail(cursor, NULL, FR_ERROR_STOPPED, "reading was stopped");
        }
    }
    fr__xml_free(&xml);
    dae->parser = NULL;
    return dae->status;
}

static const char *node_name(uint32_t number, void *context) {
    return ((const fr__dae_node *)((fr__dae *)context)->nodes.data)[number].name;
}

static fr_status read_all(fr__dae *dae) {
    FR__TRY(go_through(dae, false));
    FR__TRY(fr__dae_check_tree(dae));
    FR__TRY(go_through(dae, true));
    fr__dae_put_end(dae);
    if (dae->status != FR_OK) { return dae->status; }
    fr__assimp_names names = {node_name, dae, (uint32_t)dae->nodes.count,
                              (uint32_t)dae->reader->builder.material_list.count, NULL};
    FR__TRY(fr__assimp_read(dae->reader, "model.dae", dae->out.data, dae->out.count, &names));
    if (dae->reader->builder.nodes.count == 0 || dae->reader->builder.face_count == 0) {
        return fr__cursor_fail(&dae->reader->cursor, NULL, FR_ERROR_UNSUPPORTED, "the scene shows no polygon");
    }
    return FR_OK;
}

fr_status fr__read_collada(fr__reader *reader) {
    const fr_allocator *allocator = &reader->builder.allocator;
    fr__dae dae = {.reader = reader,
                   .open = fr_array_make(sizeof(fr__dae_open), allocator),
                   .text = fr_array_make(1, allocator),
                   .out = fr_array_make(1, allocator),
                   .node_ids = fr__names_make(allocator),
                   .geometries = fr__dae_ids_make(allocator),
                   .scenes = fr__dae_ids_make(allocator),
                   .material_ids = fr__names_make(allocator),
                   .effect_ids = fr__names_make(allocator),
                   .list_ids = fr__names_make(allocator),
                   .shown_scene = FR_NONE,
                   .list_counts = fr_array_make(sizeof(uint32_t), allocator),
                   .nodes = fr_array_make(sizeof(fr__dae_node), allocator),
                   .node_of_id = fr_array_make(sizeof(uint32_t), allocator),
                   .uses = fr_array_make(sizeof(fr__dae_use), allocator),
                   .effects = fr_array_make(sizeof(fr_model_material), allocator),
                   .material_of_id = fr_array_make(sizeof(uint32_t), allocator),
                   .material_effects = fr_array_make(sizeof(uint32_t), allocator),
                   .list_text = fr_array_make(1, allocator),
                   .indices = fr_array_make(sizeof(uint32_t), allocator),
                   .counts = fr_array_make(sizeof(uint32_t), allocator),
                   .index_ends = fr_array_make(sizeof(uint32_t), allocator)};
    fr_status status = read_all(&dae);
    fr__names_free(&dae.node_ids);
    fr__dae_ids_free(&dae.geometries);
    fr__dae_ids_free(&dae.scenes);
    fr__names_free(&dae.material_ids);
    fr__names_free(&dae.effect_ids);
    fr__names_free(&dae.list_ids);
    fr_array_free(&dae.list_counts);
    fr_array *const arrays[] = {&dae.open,      &dae.text,           &dae.out,
                                &dae.nodes,     &dae.node_of_id,     &dae.uses,
                                &dae.effects,   &dae.material_of_id, &dae.material_effects,
                                &dae.list_text, &dae.indices,        &dae.counts,
                                &dae.index_ends};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        fr_array_free(arrays[i]);
    }
    return status;
}
