// The values of a node's fields by name, with the initial ones of the node's type where the file gives none.
#include "vrml.h"

#include <string.h>

static bool is_name(fr__span span, const char *name) {
    return strncmp(name, span.begin, span.length) == 0 && name[span.length] == '\0';
}

const fr__value *fr__value_find(const fr__vnode *node, const char *name) {
    // The last one holds where a field is given twice.
    for (uint32_t i = node->value_count; i-- > 0;) {
        const fr__value *value = &node->values[i];
        if (is_name(node->type->fields[value->field].name, name)) { return value->is_redirect ? NULL : value; }
    }
    return NULL;
}

uint32_t fr__field_find_event(const fr__vtype *type, fr__span name) {
    uint32_t field = fr__field_find(type, name);
    if (field == FR_NONE && name.length > 4 && memcmp(name.begin, "set_", 4) == 0) {
        field = fr__field_find(type, (fr__span){name.begin + 4, name.length - 4});
    }
    if (field == FR_NONE && name.length > 8 && memcmp(name.begin + name.length - 8, "_changed", 8) == 0) {
        field = fr__field_find(type, (fr__span){name.begin, name.length - 8});
    }
    return field;
}

static const fr__field *find_field(const fr__vnode *node, const char *name) {
    for (uint32_t i = 0; i < node->type->field_count; i++) {
        if (is_name(node->type->fields[i].name, name)) { return &node->type->fields[i]; }
    }
    return NULL;
}

bool fr__has_field(const fr__vnode *node, const char *name) { return find_field(node, name) != NULL; }

double fr__value_double(const fr__vnode *node, const char *name) {
    const fr__value *value = fr__value_find(node, name);
    if (value != NULL && value->count > 0) {
        switch (value->storage) {
        case FR__FLOATS: return (double)value->floats[0];
        case FR__DOUBLES: return value->doubles[0];
        case FR__WHOLES: return (double)value->wholes[0];
        default: break;
        }
    }
    const fr__field *field = find_field(node, name);
    return field != NULL ? (double)field->initial[0] : 0.0;
}

float fr__value_float(const fr__vnode *node, const char *name) { return (float)fr__value_double(node, name); }
int32_t fr__value_whole(const fr__vnode *node, const char *name) { return (int32_t)fr__value_double(node, name); }
bool fr__value_bool(const fr__vnode *node, const char *name) { return fr__value_double(node, name) != 0.0; }

void fr__value_floats(const fr__vnode *node, const char *name, float *numbers, uint32_t count) {
    const fr__value *value = fr__value_find(node, name);
    const fr__field *field = find_field(node, name);
    bool is_given = value != NULL && value->count > 0 && value->storage == FR__FLOATS;
    is_given = is_given && fr__field_kind_of(field->type)->width >= count;
    for (uint32_t i = 0; i < count; i++) {
        numbers[i] = is_given ? value->floats[i] : field != NULL && i < 4 ? field->initial[i] : 0.0f;
    }
}

fr_vec3 fr__value_vec3(const fr__vnode *node, const char *name) {
    float v[3];
    fr__value_floats(node, name, v, 3);
    return fr_vec3_make((double)v[0], (double)v[1], (double)v[2]);
}

fr_quat fr__value_turn(const fr__vnode *node, const char *name) {
    float turn[4];
    fr__value_floats(node, name, turn, 4);
    return fr_quat_from_axis_angle(fr_vec3_make((double)turn[0], (double)turn[1], (double)turn[2]), (double)turn[3]);
}

fr__span fr__value_string(const fr__vnode *node, const char *name) {
    const fr__value *value = fr__value_find(node, name);
    if (value == NULL || value->count == 0 || value->storage != FR__STRINGS) { return (fr__span){"", 0}; }
    return value->strings[0];
}

fr__vnode *fr__node_behind(fr__vnode *node) {
    while (node != NULL && node->type->kind == FR__KIND_PROTO) {
        node = node->body;
    }
    return node;
}

fr__vnode *fr__value_node(const fr__vnode *node, const char *name) {
    const fr__value *value = fr__value_find(node, name);
    if (value == NULL || value->count == 0 || value->storage != FR__NODES) { return NULL; }
    return fr__node_behind(value->nodes[0]);
}
