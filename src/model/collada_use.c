// What the elements of a Collada file are called by in the document that is made of it: numbers of our own, in the
// order of the file, for nodes, geometries, scenes and materials.
#include "collada.h"

#include <string.h>

static void put(fr__dae *dae, const char *text) { fr__dae_put(dae, &dae->out, text); }

void fr__dae_put_attribute(fr__dae *dae, fr_array *to, const char *name, const char *value) {
    if (value == NULL) { return; }
    fr__dae_put(dae, to, " ");
    fr__dae_put(dae, to, name);
    fr__dae_put(dae, to, "=\"");
    fr__dae_put_escaped(dae, to, value);
    fr__dae_put(dae, to, "\"");
}

fr__dae_ids fr__dae_ids_make(const fr_allocator *allocator) {
    return (fr__dae_ids){.names = fr__names_make(allocator), .numbers = fr_array_make(sizeof(uint32_t), allocator)};
}

void fr__dae_ids_free(fr__dae_ids *ids) {
    fr__names_free(&ids->names);
    fr_array_free(&ids->numbers);
}

void fr__dae_note_id(fr__dae *dae, fr__dae_ids *ids, const XML_Char **attributes) {
    const char *id = fr__xml_attribute(attributes, "id");
    uint32_t number = ids->count++;
    uint32_t name = id != NULL ? fr__dae_number(dae, &ids->names, id) : FR_NONE;
    if (name != FR_NONE) { fr__dae_set(dae, &ids->numbers, name, number); }
}

// The number that goes by a name in a list; FR_NONE where there is none.
static uint32_t find(fr__dae *dae, fr__names *names, const fr_array *numbers, const char *url) {
    if (url == NULL || url[0] != '#') { return FR_NONE; }
    uint32_t name = fr__dae_number(dae, names, url + 1);
    return name < numbers->count ? ((const uint32_t *)numbers->data)[name] : FR_NONE;
}

static void put_number(fr__dae *dae, const char *before, uint32_t number, const char *after) {
    put(dae, before);
    fr__dae_put_number(dae, &dae->out, number);
    put(dae, after);
}

void fr__dae_put_numbered(fr__dae *dae, fr__dae_kind kind) {
    if (kind == FR__DAE_NODE) {
        put_number(dae, "<node id=\"n", dae->next_node, "\" name=\"n");
        fr__dae_put_number(dae, &dae->out, dae->next_node++);
        put(dae, "\">");
    } else if (kind == FR__DAE_GEOMETRY) {
        put_number(dae, "<geometry id=\"g", dae->geometries.written++, "\">");
    } else {
        put_number(dae, "<visual_scene id=\"s", dae->scenes.written++, "\">");
    }
}

void fr__dae_put_use(fr__dae *dae, fr__dae_kind kind, const XML_Char **attributes) {
    const char *url = fr__xml_attribute(attributes, "url");
    if (kind == FR__DAE_INSTANCE) {
        uint32_t node = find(dae, &dae->node_ids, &dae->node_of_id, url);
        if (node != FR_NONE) {
            put_number(dae, "<instance_node url=\"#n", node, "\"/>");
        } else {
            fr__reader_warn(dae->reader, NULL, "an instance of a node that is not there is passed over");
        }
        return;
    }
    // What is in it is written too, so that it is there, though it shows nothing.
    uint32_t geometry = find(dae, &dae->geometries.names, &dae->geometries.numbers, url);
    if (geometry == FR_NONE) {
        fr__reader_warn(dae->reader, NULL, "an instance of a geometry that is not there is passed over");
        geometry = dae->geometries.count;
    }
    put_number(dae, "<instance_geometry url=\"#g", geometry, "\">");
}

void fr__dae_put_material_use(fr__dae *dae, const XML_Char **attributes) {
    const char *target = fr__xml_attribute(attributes, "target"), *symbol = fr__xml_attribute(attributes, "symbol");
    if (symbol == NULL || strlen(symbol) >= sizeof dae->symbol) { return; }
    uint32_t material = find(dae, &dae->material_ids, &dae->material_of_id, target);
    if (material == FR_NONE) { return; }
    put(dae, "<instance_material");
    fr__dae_put_attribute(dae, &dae->out, "symbol", symbol);
    put_number(dae, " target=\"#m", material, "\"/>");
}

void fr__dae_take_scene(fr__dae *dae, const XML_Char **attributes) {
    dae->shown_scene = find(dae, &dae->scenes.names, &dae->scenes.numbers, fr__xml_attribute(attributes, "url"));
    if (dae->shown_scene == FR_NONE) { fr__dae_fail(dae, FR_ERROR_CORRUPT, "there is no visual scene of this id"); }
}

// Materials are all of one effect: assimp only has to tell them apart.
void fr__dae_put_end(fr__dae *dae) {
    const char end[] = "</COLLADA>\n";
    if (dae->out.count >= sizeof end - 1) { dae->out.count -= sizeof end - 1; }
    put(dae, "<library_materials>");
    for (uint32_t i = 0; i < dae->reader->builder.material_list.count; i++) {
        put_number(dae, "<material id=\"m", i, "\" name=\"m");
        put_number(dae, "", i, "\"><instance_effect url=\"#e\"/></material>");
    }
    put(dae,
        "</library_materials><library_effects><effect id=\"e\"><profile_COMMON><technique sid=\"t\"><lambert><diffuse>"
        "<color>1 1 1 1</color></diffuse></lambert></technique></profile_COMMON></effect></library_effects>");
    if (dae->shown_scene != FR_NONE) {
        put_number(dae, "<scene><instance_visual_scene url=\"#s", dae->shown_scene, "\"/></scene>");
    }
    put(dae, end);
}
