// What is noted of a Collada file the first time through: its nodes and who shows whom, its materials and effects.
#include "collada.h"

#include <string.h>

void fr__dae_no_memory(fr__dae *dae) { fr__dae_fail(dae, FR_ERROR_MEMORY, "%s", fr_status_text(FR_ERROR_MEMORY)); }

bool fr__dae_push(fr__dae *dae, fr_array *list, uint32_t value) {
    bool done = fr__push_index(list, value);
    if (!done) { fr__dae_no_memory(dae); }
    return done;
}

uint32_t fr__dae_number(fr__dae *dae, fr__names *names, const char *id) {
    const char *copy = fr__builder_text(&dae->reader->builder, (fr__span){id, strlen(id)});
    uint32_t number = copy != NULL ? fr__names_find_or_append(names, (fr__span){copy, strlen(id)}) : FR_NONE;
    if (number == FR_NONE) { fr__dae_no_memory(dae); }
    return number;
}

fr__dae_open *fr__dae_open_above(fr__dae *dae) {
    return dae->open.count > 0 ? (fr__dae_open *)dae->open.data + dae->open.count - 1 : NULL;
}

static uint32_t open_node(fr__dae *dae) {
    const fr__dae_open *open = dae->open.data;
    for (size_t i = dae->open.count; i-- > 0;) {
        if (open[i].kind == FR__DAE_NODE) { return open[i].node; }
    }
    return FR_NONE;
}

// ---------------------------------------------------------------------------------------------------------------
// Nodes, materials, effects

void fr__dae_set(fr__dae *dae, fr_array *list, uint32_t index, uint32_t value) {
    while (list->count <= index) {
        if (!fr__dae_push(dae, list, FR_NONE)) { return; }
    }
    ((uint32_t *)list->data)[index] = value;
}

void fr__dae_note_node(fr__dae *dae, const XML_Char **attributes) {
    uint32_t index = (uint32_t)dae->nodes.count, parent = open_node(dae);
    const char *name = fr__xml_attribute(attributes, "name"), *id = fr__xml_attribute(attributes, "id");
    if (name == NULL) { name = id != NULL ? id : ""; }
    fr__dae_node node = {.parent = parent,
                         .name = fr__builder_text(&dae->reader->builder, (fr__span){name, strlen(name)}),
                         .first_child = FR_NONE,
                         .next_sibling = FR_NONE,
                         .first_use = FR_NONE};
    if (node.name == NULL || fr__builder_add(&dae->nodes, &node) == FR_NONE) {
        fr__dae_no_memory(dae);
        return;
    }
    fr__dae_node *nodes = dae->nodes.data;
    if (parent != FR_NONE) {
        nodes[index].next_sibling = nodes[parent].first_child;
        nodes[parent].first_child = index;
    }
    if (id == NULL) { return; }
    uint32_t number = fr__dae_number(dae, &dae->node_ids, id);
    if (number != FR_NONE) { fr__dae_set(dae, &dae->node_of_id, number, index); }
}

void fr__dae_note_use(fr__dae *dae, const XML_Char **attributes) {
    const char *url = fr__xml_attribute(attributes, "url");
    uint32_t node = open_node(dae);
    if (url == NULL || url[0] != '#' || node == FR_NONE) { return; }
    fr__dae_node *nodes = dae->nodes.data;
    fr__dae_use use = {fr__dae_number(dae, &dae->node_ids, url + 1), nodes[node].first_use};
    uint32_t index = fr__builder_add(&dae->uses, &use);
    if (index == FR_NONE) {
        fr__dae_no_memory(dae);
        return;
    }
    nodes[node].first_use = index;
}

void fr__dae_note_material(fr__dae *dae, const XML_Char **attributes) {
    const char *name = fr__xml_attribute(attributes, "name"), *id = fr__xml_attribute(attributes, "id");
    fr_model_material material = fr_default_model_material();
    if (name == NULL) { name = id != NULL ? id : ""; }
    material.name = fr__builder_text(&dae->reader->builder, (fr__span){name, strlen(name)});
    uint32_t index = material.name != NULL ? fr__builder_add(&dae->reader->builder.material_list, &material) : FR_NONE;
    if (index == FR_NONE) {
        fr__dae_no_memory(dae);
        return;
    }
    uint32_t number = id != NULL ? fr__dae_number(dae, &dae->material_ids, id) : FR_NONE;
    if (number != FR_NONE) { fr__dae_set(dae, &dae->material_of_id, number, index); }
    fr__dae_push(dae, &dae->material_effects, FR_NONE);
}

void fr__dae_note_effect_use(fr__dae *dae, const XML_Char **attributes) {
    const char *url = fr__xml_attribute(attributes, "url");
    if (url == NULL || url[0] != '#' || dae->material_effects.count == 0) { return; }
    uint32_t *effects = dae->material_effects.data;
    uint32_t number = fr__dae_number(dae, &dae->effect_ids, url + 1);
    effects[dae->material_effects.count - 1] = number;
}

// Effects are kept by their number; those that are named before they come have the usual look until then.
void fr__dae_note_effect(fr__dae *dae, const XML_Char **attributes) {
    const char *id = fr__xml_attribute(attributes, "id");
    uint32_t number = fr__dae_number(dae, &dae->effect_ids, id != NULL ? id : "");
    fr_model_material usual = fr_default_model_material();
    while (number != FR_NONE && dae->effects.count <= number) {
        if (fr__builder_add(&dae->effects, &usual) == FR_NONE) {
            fr__dae_no_memory(dae);
            return;
        }
    }
    fr__dae_open *top = fr__dae_open_above(dae);
    top->node = number;
}

void fr__dae_note_color(fr__dae *dae) {
    const fr__dae_open *open = dae->open.data;
    const char *at = dae->text.data, *end = at + dae->text.count;
    for (size_t i = dae->open.count; i-- > 0;) {
        if (open[i].kind != FR__DAE_EFFECT || open[i].node >= dae->effects.count) { continue; }
        fr_model_material *effect = (fr_model_material *)dae->effects.data + open[i].node;
        float *const slots[3] = {effect->diffuse, effect->emissive, effect->specular};
        for (int k = 0; k < 3; k++) {
            double value = 0.0;
            while (at < end && fr__is_space(*at)) {
                at++;
            }
            if (fr_number_read(&at, end, &value) != FR_NUMBER_OK) { return; }
            slots[dae->slot][k] = value > 0.0 ? (value < 1.0 ? (float)value : 1.0f) : 0.0f;
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The tree

// What a node comes to with all below it and all that is shown in it; the depth is counted.
static fr_status sum_up(fr__dae *dae, uint32_t index, uint32_t depth) {
    fr__dae_node *nodes = dae->nodes.data, *node = &nodes[index];
    fr__cursor *cursor = &dae->reader->cursor;
    if (node->state == 2) { return FR_OK; }
    if (node->state == 1 || depth > dae->reader->builder.limits.nesting) {
        return fr__cursor_fail(cursor, NULL, FR_ERROR_LIMIT,
                               "more than %u nodes in one another, the limit, or a node below itself",
                               dae->reader->builder.limits.nesting);
    }
    node->state = 1;
    node->total = 1;
    for (uint32_t child = node->first_child; child != FR_NONE; child = nodes[child].next_sibling) {
        FR__TRY(sum_up(dae, child, depth + 1));
        node->total += nodes[child].total;
    }
    const fr__dae_use *uses = dae->uses.data;
    const uint32_t *targets = dae->node_of_id.data;
    for (uint32_t use = node->first_use; use != FR_NONE; use = uses[use].next) {
        if (uses[use].id >= dae->node_of_id.count || targets[uses[use].id] == FR_NONE) { continue; }
        FR__TRY(sum_up(dae, targets[uses[use].id], depth + 1));
        node->total += nodes[targets[uses[use].id]].total;
    }
    if (node->total > dae->reader->builder.limits.nodes / 10) {
        return fr__cursor_fail(cursor, NULL, FR_ERROR_LIMIT, "more than %llu nodes after instancing, the limit",
                               (unsigned long long)dae->reader->builder.limits.nodes / 10);
    }
    node->state = 2;
    return FR_OK;
}

fr_status fr__dae_check_tree(fr__dae *dae) {
    for (size_t i = 0; i < dae->nodes.count; i++) {
        FR__TRY(sum_up(dae, (uint32_t)i, 1));
    }
    // Materials look like their effects.
    fr_model_material *materials = dae->reader->builder.material_list.data;
    const uint32_t *effects = dae->material_effects.data;
    for (size_t i = 0; i < dae->material_effects.count; i++) {
        if (effects[i] >= dae->effects.count) { continue; }
        const char *name = materials[i].name;
        materials[i] = ((const fr_model_material *)dae->effects.data)[effects[i]];
        materials[i].name = name;
    }
    return FR_OK;
}
