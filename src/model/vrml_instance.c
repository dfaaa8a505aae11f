// Instances of prototypes. An instance has its own copy of the nodes that depend on it: whose fields say IS, which
// routes name, and what stands above them. The rest is shared by all instances, and instances that are made of the same
// values share all of it. An instance in the body of a prototype
// is made with the instance around it, so that a declaration costs no more than its bytes; what an instance outside of
// bodies comes to, with all instances in it, is known before the first node of it is made.
#include "vrml_strict.h"

#include <string.h>

// The weight of an instance grows with a power of its nesting: beyond this it is not counted further.
#define MAX_WEIGHT (UINT64_C(1) << 40)

#define MAX_COMPARED_BYTES 64 // of one value: longer lists are the same only where they are one
#define KEY_BYTES 1024        // of all values: an instance with more is made by itself

// An instance that is being made.
typedef struct instancing {
    fr__vrml *vrml;
    const fr__vnode *instance;
    const fr__proto *proto;
    size_t first_copy; // in the stack of copies
} instancing;

// ---------------------------------------------------------------------------------------------------------------
// Preparation

// Whether an instance needs its own copy because of what stands below a node.
static bool has_copied_below(const fr__vnode *node) {
    for (uint32_t i = 0; i < node->value_count; i++) {
        const fr__value *value = &node->values[i];
        if (value->storage != FR__NODES || value->is_redirect) { continue; }
        for (uint32_t k = 0; k < value->count; k++) {
            if ((value->nodes[k]->flags & FR__NODE_COPIED) != 0) { return true; }
        }
    }
    return false;
}

// The prototype that a node of a body is an instance of; NULL where it is none, or stands for nothing.
static fr_status find_inner(fr__vrml *vrml, const fr__vnode *node, fr__proto **inner) {
    *inner = NULL;
    if (node->type->kind != FR__KIND_PROTO) { return FR_OK; }
    FR__TRY(fr__proto_find_body(vrml, node->type->proto, inner));
    if (*inner != NULL && (*inner)->body == NULL) { *inner = NULL; }
    return FR_OK;
}

static fr_status prepare(fr__vrml *vrml, fr__proto *proto, const char *at, uint32_t level);

// Prepares the prototypes of the instances in a body. Those with routes of their own are copied with the body.
static fr_status prepare_inner(fr__vrml *vrml, fr__proto *proto, const char *at, uint32_t level) {
    for (uint32_t i = 0; i < proto->node_count; i++) {
        fr__vnode *node = proto->nodes[i];
        fr__proto *inner;
        FR__TRY(find_inner(vrml, node, &inner));
        if (inner == NULL) { continue; }
        if (inner->state == FR__PROTO_OPEN) {
            // Only files that name each other lead here.
            node->type->proto->found = NULL;
            FR__TRY(fr__vrml_problem(vrml, node->at, "the prototype %s stands in itself", inner->type.name));
            continue;
        }
        FR__TRY(prepare(vrml, inner, at, level + 1));
        if (proto->depth <= inner->depth) { proto->depth = inner->depth + 1; }
        if (inner->has_routes) {
            node->flags |= FR__NODE_COPIED;
            proto->has_routes = true;
        }
    }
    return FR_OK;
}

// Keeps the nodes that are copied. They are in the order in which they ended: children before parents.
static void select_copied(fr__proto *proto) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < proto->node_count; i++) {
        fr__vnode *node = proto->nodes[i];
        if ((node->flags & FR__NODE_COPIED) == 0 && !has_copied_below(node)) { continue; }
        node->flags |= FR__NODE_COPIED;
        node->order = count;
        proto->nodes[count++] = node;
    }
    proto->node_count = count;
}

// What an instance costs, in nodes: long lists count too, and the instances in it.
static fr_status weigh(fr__vrml *vrml, fr__proto *proto) {
    uint64_t items = proto->connection_count + (uint64_t)4 * proto->route_count, inner_weight = 0;
    for (uint32_t i = 0; i < proto->node_count; i++) {
        const fr__vnode *node = proto->nodes[i];
        items += node->value_count;
        for (uint32_t k = 0; k < node->value_count; k++) {
            const fr__value *value = &node->values[k];
            items += value->storage == FR__NODES && !value->is_redirect ? value->count : 0;
        }
        fr__proto *inner;
        FR__TRY(find_inner(vrml, node, &inner));
        inner_weight += inner != NULL ? inner->weight : 1;
        if (inner_weight > MAX_WEIGHT) { inner_weight = MAX_WEIGHT; }
    }
    proto->weight = proto->node_count + items / 8 + inner_weight;
    return FR_OK;
}

static fr_status make(fr__vrml *vrml, fr__vnode *instance, const fr__proto *proto);

// Counts what an instance comes to, before it is made.
static fr_status take_weight(fr__vrml *vrml, const fr__vnode *instance, const fr__proto *proto) {
    uint64_t limit = vrml->reader->builder.limits.nodes;
    vrml->node_count += proto != NULL ? proto->weight : 1;
    if (vrml->node_count <= limit) { return FR_OK; }
    return fr__vrml_fail(vrml, instance->at, FR_ERROR_LIMIT, "more than %llu nodes, the limit",
                         (unsigned long long)limit);
}

// Makes a prototype ready for its first instance: what is copied, what that weighs, and the instances in its body that
// all of its own instances share.
static fr_status prepare(fr__vrml *vrml, fr__proto *proto, const char *at, uint32_t level) {
    uint32_t limit = vrml->reader->builder.limits.proto_nesting;
    uint32_t depth = proto->state == FR__PROTO_READY ? proto->depth : 1;
    if (level + depth - 1 > limit) {
        return fr__vrml_fail(vrml, at, FR_ERROR_LIMIT, "prototypes are nested deeper than %u, the limit", limit);
    }
    if (proto->state == FR__PROTO_READY) { return FR_OK; }
    vrml->names++;
    proto->state = FR__PROTO_OPEN;
    proto->depth = 1;
    proto->has_routes = proto->route_count > 0;
    FR__TRY(prepare_inner(vrml, proto, at, level));
    uint32_t all = proto->node_count;
    fr__vnode **nodes = fr__vrml_copy(vrml, proto->nodes, all, sizeof *nodes, _Alignof(fr__vnode *));
    if (nodes == NULL) { return fr__vrml_memory(vrml); }
    select_copied(proto);
    FR__TRY(weigh(vrml, proto));
    proto->state = FR__PROTO_READY;
    for (uint32_t i = 0; i < all; i++) {
        fr__proto *inner;
        FR__TRY(find_inner(vrml, nodes[i], &inner));
        if (nodes[i]->type->kind != FR__KIND_PROTO || (nodes[i]->flags & FR__NODE_COPIED) != 0) { continue; }
        FR__TRY(take_weight(vrml, nodes[i], inner));
        FR__TRY(make(vrml, nodes[i], inner));
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Instances

static fr__vnode *copy_of(const instancing *e, fr__vnode *node) {
    // Nodes of the interface may be named by routes of the body; they are the interface's, and are not copied.
    bool is_copied = node != NULL && (node->flags & FR__NODE_COPIED) != 0 && node->order < e->proto->node_count &&
                     e->proto->nodes[node->order] == node;
    return is_copied ? e->vrml->copies.data[e->first_copy + node->order] : node;
}

// The value that an instance gives to a field of its prototype: its own, or the interface's; NULL for none.
static const fr__value *value_given(const instancing *e, uint32_t interface) {
    const fr__vnode *instance = e->instance;
    const fr__proto *proto = e->proto;
    uint32_t own = interface;
    if (instance->type != &proto->type) { own = fr__field_find(instance->type, proto->type.fields[interface].name); }
    for (uint32_t i = instance->value_count; own != FR_NONE && i-- > 0;) {
        const fr__value *value = &instance->values[i];
        bool is_alike = value->field == own && instance->type->fields[own].type == proto->type.fields[interface].type;
        if (is_alike) { return value; }
    }
    for (uint32_t i = proto->value_count; i-- > 0;) {
        if (proto->values[i].field == interface) { return &proto->values[i]; }
    }
    return NULL;
}

// The values of a copy: those of the template with IS replaced and nodes exchanged for their copies.
static fr_status copy_values(const instancing *e, fr__vnode *copy) {
    fr__vrml *vrml = e->vrml;
    fr__value *values = fr__vrml_copy(vrml, copy->values, copy->value_count, sizeof(fr__value), _Alignof(fr__value));
    if (values == NULL) { return fr__vrml_memory(vrml); }
    uint16_t kept = 0;
    for (uint32_t i = 0; i < copy->value_count; i++) {
        fr__value value = values[i];
        if (value.is_redirect) {
            const fr__value *given = value_given(e, value.count);
            if (given == NULL) { continue; }
            uint16_t field = value.field;
            value = *given;
            value.field = field;
        } else if (value.storage == FR__NODES && value.count > 0) {
            fr__vnode **nodes = fr__vrml_copy(vrml, value.nodes, value.count, sizeof *nodes, _Alignof(fr__vnode *));
            if (nodes == NULL) { return fr__vrml_memory(vrml); }
            for (uint32_t k = 0; k < value.count; k++) {
                nodes[k] = copy_of(e, nodes[k]);
            }
            value.nodes = nodes;
        }
        values[kept++] = value;
    }
    copy->values = values;
    copy->value_count = kept;
    return FR_OK;
}

static fr_status copy_node(const instancing *e, uint32_t index) {
    fr__vrml *vrml = e->vrml;
    const fr__vnode *node = e->proto->nodes[index];
    fr__vnode *copy = fr__vrml_copy(vrml, node, 1, sizeof *node, _Alignof(fr__vnode));
    if (copy == NULL) { return fr__vrml_memory(vrml); }
    copy->flags = node->flags & FR__NODE_USED;
    FR__TRY(copy_values(e, copy));
    FR__TRY(fr__strict_values(vrml, copy));
    vrml->copies.data[e->first_copy + index] = copy;
    if (node->type->kind != FR__KIND_PROTO) { return FR_OK; }
    fr__proto *inner;
    FR__TRY(find_inner(vrml, node, &inner));
    return make(vrml, copy, inner);
}

static fr_status copy_connections(const instancing *e, fr__vnode *instance) {
    uint32_t count = e->proto->connection_count;
    fr__connection *copies =
        fr__vrml_copy(e->vrml, e->proto->connections, count, sizeof *copies, _Alignof(fr__connection));
    if (copies == NULL) { return fr__vrml_memory(e->vrml); }
    for (uint32_t i = 0; i < count; i++) {
        copies[i].node = copy_of(e, copies[i].node);
    }
    instance->connections = copies;
    instance->connection_count = count;
    return FR_OK;
}

static fr_status copy_routes(const instancing *e) {
    for (uint32_t i = 0; i < e->proto->route_count; i++) {
        fr__route route = e->proto->routes[i];
        route.from = copy_of(e, route.from);
        route.to = copy_of(e, route.to);
        FR__TRY(fr__vrml_add_route(e->vrml, &route));
    }
    return FR_OK;
}

// What an instance is made of, as bytes: its prototype and the values that it gives.
typedef struct instance_key {
    size_t size;
    _Alignas(8) unsigned char bytes[KEY_BYTES];
} instance_key;

static bool put(instance_key *key, const void *bytes, size_t size) {
    if (size > sizeof key->bytes - key->size) { return false; }
    if (size > 0) { memcpy(key->bytes + key->size, bytes, size); }
    key->size += size;
    return true;
}

// The bytes of a value's elements; of texts and nodes where they are.
static size_t value_bytes(const fr__vnode *instance, const fr__value *value) {
    static const size_t sizes[] = {[FR__FLOATS] = sizeof(float),
                                   [FR__DOUBLES] = sizeof(double),
                                   [FR__WHOLES] = sizeof(int32_t),
                                   [FR__STRINGS] = sizeof(fr__span),
                                   [FR__NODES] = sizeof(fr__vnode *)};
    return sizes[value->storage] * fr__field_kind_of(instance->type->fields[value->field].type)->width * value->count;
}

// Lists that are long are the same where they are one.
static bool put_value(instance_key *key, const fr__vnode *instance, const fr__value *value) {
    size_t size = value_bytes(instance, value);
    const uint32_t head[4] = {value->field, value->storage, value->count, size > MAX_COMPARED_BYTES};
    const void *list = value->floats;
    return put(key, head, sizeof head) && (head[3] != 0 ? put(key, &list, sizeof list) : put(key, list, size));
}

// Instances that no route can reach are the same where they are made of the same. *twin is the one that was made
// before; NULL where there is none.
static fr_status find_twin(fr__vrml *vrml, fr__vnode *instance, const fr__proto *proto, fr__vnode **twin) {
    *twin = NULL;
    if (instance->name != NULL || proto->has_routes || proto->node_count == 0) { return FR_OK; }
    instance_key key = {.size = 0};
    const void *of[2] = {instance->type, proto};
    bool is_short = put(&key, of, sizeof of);
    for (uint32_t i = 0; i < instance->value_count && is_short; i++) {
        is_short = put_value(&key, instance, &instance->values[i]);
    }
    if (!is_short) { return FR_OK; }
    bool is_new;
    uint32_t number = fr__vrml_find_key(vrml, &vrml->instance_keys, key.bytes, key.size, &is_new);
    if (number == FR_NONE) { return fr__vrml_memory(vrml); }
    if (!is_new) {
        *twin = vrml->instances.data[number];
        return FR_OK;
    }
    fr__vnode **place = fr__vnode_pointer_array_push(&vrml->instances, 1);
    if (place == NULL) { return fr__vrml_memory(vrml); }
    *place = instance;
    return FR_OK;
}

// Makes an instance, and those in it, as deep as prototypes are nested.
static fr_status expand(fr__vrml *vrml, fr__vnode *instance, const fr__proto *proto) {
    fr__vnode *twin;
    FR__TRY(find_twin(vrml, instance, proto, &twin));
    if (twin != NULL) {
        instance->body = twin->body;
        instance->connections = twin->connections;
        instance->connection_count = twin->connection_count;
        return FR_OK;
    }
    instancing e = {vrml, instance, proto, vrml->copies.count};
    if (fr__vnode_pointer_array_push(&vrml->copies, proto->node_count) == NULL && proto->node_count > 0) {
        return fr__vrml_memory(vrml);
    }
    for (uint32_t i = 0; i < proto->node_count; i++) {
        FR__TRY(copy_node(&e, i));
    }
    instance->body = copy_of(&e, proto->body);
    FR__TRY(copy_connections(&e, instance));
    FR__TRY(copy_routes(&e));
    vrml->copies.count = e.first_copy;
    return FR_OK;
}

static uint32_t find_native_field(const fr__vtype *native, fr__span name) {
    // The first version of H-Anim had another name for it.
    static const fr__span skeleton = {"skeleton", 8};
    return fr__field_find_event(native, fr__span_is(name, "humanoidBody") ? skeleton : name);
}

// Makes an instance of a prototype without its file: a node of ours, with the fields that both have.
static fr_status make_native(fr__vrml *vrml, fr__vnode *instance, const fr__vtype *native) {
    const fr__vtype *type = instance->type;
    fr__vnode *node = fr__vrml_new_node(vrml, native, instance->at);
    fr__value *values = fr__vrml_alloc(vrml, instance->value_count, sizeof *values, _Alignof(fr__value));
    fr__connection *connections =
        fr__vrml_alloc(vrml, type->field_count, sizeof *connections, _Alignof(fr__connection));
    if (node == NULL || values == NULL || connections == NULL) { return fr__vrml_memory(vrml); }
    uint32_t count = 0;
    for (uint32_t i = 0; i < type->field_count; i++) {
        uint32_t field = find_native_field(native, type->fields[i].name);
        bool is_alike = field != FR_NONE && native->fields[field].type == type->fields[i].type;
        if (!is_alike) { continue; }
        connections[count++] = (fr__connection){node, field, type->fields[i].name};
        for (uint32_t k = 0; k < instance->value_count; k++) {
            if (instance->values[k].field != i || instance->values[k].is_redirect) { continue; }
            values[node->value_count] = instance->values[k];
            values[node->value_count++].field = (uint16_t)field;
        }
    }
    node->values = values;
    instance->body = node;
    instance->connections = connections;
    instance->connection_count = count;
    return FR_OK;
}

static fr_status make(fr__vrml *vrml, fr__vnode *instance, const fr__proto *proto) {
    if (proto != NULL) { return expand(vrml, instance, proto); }
    const fr__vtype *native = instance->type->proto->native;
    return native != NULL ? make_native(vrml, instance, native) : FR_OK;
}

fr_status fr__proto_expand(fr__vrml *vrml, fr__vnode *instance) {
    if (vrml->protos_open != NULL) { return FR_OK; }
    fr__proto *proto;
    FR__TRY(find_inner(vrml, instance, &proto));
    if (proto != NULL) { FR__TRY(prepare(vrml, proto, instance->at, 1)); }
    FR__TRY(take_weight(vrml, instance, proto));
    return make(vrml, instance, proto);
}
