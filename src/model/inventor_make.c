// Nodes of VRML97 that stand for those of VRML 1.0, and how they are found again.
#include "inventor.h"

#include <stddef.h>
#include <string.h>

// Inventor makes up names such as +3, and adds such an end to names that are there twice.
static size_t name_length(const char *name) {
    size_t length = strlen(name), digits = length;
    while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') {
        digits--;
    }
    return digits > 0 && digits < length && name[digits - 1] == '+' ? digits - 1 : length;
}

fr__maker fr__maker_make(fr__inventor *inventor, const fr__vtype *type, const fr__vnode *from, bool has_name) {
    fr__maker maker = {.inventor = inventor, .count = 0};
    maker.node = fr__vrml_new_node(inventor->vrml, type, from->at);
    if (maker.node == NULL || !has_name || from->name == NULL) { return maker; }
    size_t length = name_length(from->name);
    if (length == 0) { return maker; }
    maker.node->name = fr__builder_text(&inventor->vrml->reader->builder, (fr__span){from->name, length});
    if (maker.node->name == NULL) { maker.node = NULL; }
    return maker;
}

void fr__maker_value(fr__maker *maker, const char *field, const fr__value *value) {
    if (maker->node == NULL) { return; }
    FR_ASSERT(maker->count < FR__MAKER_VALUES);
    uint32_t number = fr__field_find(maker->node->type, (fr__span){field, strlen(field)});
    FR_ASSERT(number != FR_NONE);
    maker->values[maker->count] = *value;
    maker->values[maker->count++].field = (uint16_t)number;
}

void fr__maker_copy(fr__maker *maker, const char *field, const fr__vnode *from, const char *from_field) {
    const fr__value *value = fr__value_find(from, from_field);
    if (value != NULL && value->count > 0) { fr__maker_value(maker, field, value); }
}

void fr__maker_floats(fr__maker *maker, const char *field, const float *numbers, uint32_t count) {
    if (maker->node == NULL) { return; }
    fr__maker_value(
        maker, field,
        &(fr__value){.floats = numbers, .at = maker->node->at, .count = count, .storage = (uint8_t)FR__FLOATS});
}

void fr__maker_wholes(fr__maker *maker, const char *field, const int32_t *numbers, size_t count, const char *at) {
    fr__maker_value(
        maker, field,
        &(fr__value){.wholes = numbers, .at = at, .count = (uint32_t)count, .storage = (uint8_t)FR__WHOLES});
}

void fr__maker_bool(fr__maker *maker, const char *field, bool value) {
    static const int32_t wholes[2] = {0, 1};
    if (maker->node != NULL) { fr__maker_wholes(maker, field, &wholes[value], 1, maker->node->at); }
}

void fr__maker_nodes(fr__maker *maker, const char *field, fr__vnode **nodes, size_t count) {
    if (maker->node == NULL) { return; }
    fr__maker_value(
        maker, field,
        &(fr__value){.nodes = nodes, .at = maker->node->at, .count = (uint32_t)count, .storage = (uint8_t)FR__NODES});
}

void fr__maker_node(fr__maker *maker, const char *field, fr__vnode *node) {
    if (maker->node == NULL || node == NULL) { return; }
    fr__vnode **nodes = fr__vrml_copy(maker->inventor->vrml, &node, 1, sizeof node, _Alignof(fr__vnode *));
    if (nodes == NULL) {
        maker->node = NULL;
        return;
    }
    fr__maker_nodes(maker, field, nodes, 1);
}

fr_status fr__maker_end(fr__maker *maker, fr__vnode **node) {
    *node = maker->node;
    fr__vrml *vrml = maker->inventor->vrml;
    if (*node == NULL) { return fr__vrml_memory(vrml); }
    (*node)->values = fr__vrml_copy(vrml, maker->values, maker->count, sizeof(fr__value), _Alignof(fr__value));
    (*node)->value_count = (uint16_t)maker->count;
    return (*node)->values != NULL ? FR_OK : fr__vrml_memory(vrml);
}

// Where what was made from a key stands; NULL when there is no memory.
static fr__vnode **find_place(fr__inventor *inventor, const fr__made_key *key) {
    // Most have no state, and need no room for it.
    static const fr__inventor_state none;
    bool is_short = memcmp(&key->state, &none, sizeof none) == 0, is_new;
    size_t size = is_short ? offsetof(fr__made_key, state) : sizeof *key;
    uint32_t number = fr__vrml_find_key(inventor->vrml, &inventor->keys, key, size, &is_new);
    if (number == FR_NONE) { return NULL; }
    if (is_new) {
        fr__vnode **place = fr__vnode_pointer_array_push(&inventor->made, 1);
        if (place == NULL) { return NULL; }
        *place = NULL;
    }
    return &inventor->made.data[number];
}

fr_status fr__inventor_find(fr__inventor *inventor, const fr__made_key *key, fr__vnode **node) {
    fr__vnode **place = find_place(inventor, key);
    *node = place != NULL ? *place : NULL;
    return place != NULL ? FR_OK : fr__vrml_memory(inventor->vrml);
}

fr_status fr__inventor_remember(fr__inventor *inventor, const fr__made_key *key, fr__vnode *node) {
    fr__vnode **place = find_place(inventor, key);
    if (place == NULL) { return fr__vrml_memory(inventor->vrml); }
    *place = node;
    return FR_OK;
}
