// Prototypes. The body of a PROTO is read once, as nodes of the graph. An instance has its own copy of those that
// depend on it: whose fields say IS, which routes name, and what stands above them. The rest is shared by all
// instances.
#include "vrml.h"

#include <string.h>

void fr__proto_free(fr__proto *proto) {
    fr__field_array_destroy(&proto->fields);
    fr__vnode_pointer_array_destroy(&proto->body_nodes);
    fr__connection_array_destroy(&proto->body_connections);
    fr__route_array_destroy(&proto->body_routes);
}

// ---------------------------------------------------------------------------------------------------------------
// Declarations

fr_status fr__proto_begin(fr__vrml *vrml, fr__span name, const char *at) {
    vrml->names++;
    fr__proto *proto = fr__vrml_alloc(vrml, 1, sizeof *proto, _Alignof(fr__proto));
    char *text = fr__vrml_alloc(vrml, name.length + 1, 1, 1);
    if (proto == NULL || text == NULL) { return fr__vrml_memory(vrml); }
    memcpy(text, name.begin, name.length);
    text[name.length] = '\0';
    const fr_allocator *allocator = &vrml->reader->builder.allocator;
    *proto = (fr__proto){.fields = fr__field_array_make(allocator),
                         .body_nodes = fr__vnode_pointer_array_make(allocator),
                         .body_connections = fr__connection_array_make(allocator),
                         .body_routes = fr__route_array_make(allocator),
                         .depth = 1,
                         .outer = vrml->protos_open,
                         .at = at};
    proto->type = (fr__vtype){.name = text, .kind = FR__KIND_PROTO, .container = "children", .proto = proto};
    fr__proto **place = fr__proto_pointer_array_push(&vrml->all_protos, 1);
    if (place == NULL) { return fr__vrml_memory(vrml); }
    *place = proto;
    if (fr__vrml_push_scope(vrml, vrml->scope) == NULL) { return fr__vrml_memory(vrml); }
    fr__open_frame frame = {.kind = FR__FRAME_INTERFACE,
                            .field = FR_NONE,
                            .at = at,
                            .proto = proto,
                            .first_value = vrml->values.count,
                            .first_item = vrml->items.count};
    return fr__vrml_push_frame(vrml, &frame);
}

fr_status fr__proto_add_field(fr__vrml *vrml, const fr__field *field) {
    fr__open_frame *frame = fr__vrml_top(vrml);
    fr__proto *proto = frame->proto;
    if (proto->fields.count >= UINT16_MAX) {
        return fr__vrml_fail(vrml, proto->at, FR_ERROR_LIMIT, "more than %u fields of a prototype", UINT16_MAX);
    }
    fr__field *place = fr__field_array_push(&proto->fields, 1);
    if (place == NULL) { return fr__vrml_memory(vrml); }
    *place = *field;
    frame->field = (uint32_t)(proto->fields.count - 1);
    return FR_OK;
}

// Keeps the interface that was read.
static fr_status end_interface(fr__vrml *vrml) {
    fr__open_frame *frame = fr__vrml_top(vrml);
    if (frame->in_list) { FR__TRY(fr__vrml_close_list(vrml)); }
    fr__proto *proto = frame->proto;
    if (vrml->source->is_xml) { FR__TRY(fr__vrml_join_lists(vrml, frame->first_value)); }
    size_t value_count = vrml->values.count - frame->first_value;
    const fr__field *fields =
        fr__vrml_copy(vrml, proto->fields.data, proto->fields.count, sizeof(fr__field), _Alignof(fr__field));
    proto->values = fr__vrml_copy(vrml, fr__vrml_values_from(vrml, frame->first_value), value_count, sizeof(fr__value),
                                  _Alignof(fr__value));
    if (fields == NULL || proto->values == NULL) { return fr__vrml_memory(vrml); }
    proto->type.fields = fields;
    proto->type.field_count = (uint32_t)proto->fields.count;
    proto->value_count = (uint32_t)value_count;
    vrml->values.count = frame->first_value;
    return FR_OK;
}

fr_status fr__proto_begin_body(fr__vrml *vrml) {
    FR__TRY(end_interface(vrml));
    fr__open_frame *frame = fr__vrml_top(vrml);
    frame->kind = FR__FRAME_BODY;
    frame->field = FR_NONE;
    vrml->protos_open = frame->proto;
    return FR_OK;
}

// Ends what is open and names the prototype in the scope around it.
static fr_status name_proto(fr__vrml *vrml, fr__proto *proto) {
    fr__scope *scope = vrml->scope;
    vrml->frames.count--;
    vrml->scope = scope->parent;
    fr__scope_clear(scope);
    fr__scope *outer = vrml->scope;
    fr__span name = {proto->type.name, strlen(proto->type.name)};
    fr__proto **place = fr__scope_find_proto(outer, name);
    if (place == NULL) { return fr__vrml_memory(vrml); }
    *place = proto;
    fr__proto_free(proto);
    return FR_OK;
}

// Whether an instance needs its own copy because of what stands below a node.
static bool has_copied_below(const fr__vnode *node) {
    for (uint32_t i = 0; i < node->value_count; i++) {
        const fr__value *value = &node->values[i];
        if (value->storage != FR__NODES || value->is_redirect) { continue; }
        for (uint32_t k = 0; k < value->count; k++) {
            if ((value->nodes[k]->flags & FR__NODE_COPIED) != 0) { return true; }
        }
    }
    if (node->type->kind != FR__KIND_PROTO) { return false; }
    if (node->body != NULL && (node->body->flags & FR__NODE_COPIED) != 0) { return true; }
    for (uint32_t i = 0; i < node->connection_count; i++) {
        if ((node->connections[i].node->flags & FR__NODE_COPIED) != 0) { return true; }
    }
    return false;
}

// What an instance costs, in nodes: long lists count too.
static uint64_t weigh(const fr__proto *proto) {
    uint64_t items = proto->connection_count + (uint64_t)4 * proto->route_count;
    for (uint32_t i = 0; i < proto->node_count; i++) {
        const fr__vnode *node = proto->nodes[i];
        items += node->value_count;
        items += node->type->kind == FR__KIND_PROTO ? node->connection_count : 0;
        for (uint32_t k = 0; k < node->value_count; k++) {
            const fr__value *value = &node->values[k];
            items += value->storage == FR__NODES && !value->is_redirect ? value->count : 0;
        }
    }
    return proto->node_count + items / 8;
}

fr_status fr__proto_end_body(fr__vrml *vrml) {
    fr__open_frame frame = *fr__vrml_top(vrml);
    fr__proto *proto = frame.proto;
    FR__TRY(fr__vrml_resolve_routes(vrml, vrml->scope));
    if (vrml->items.count > frame.first_item) { proto->body = vrml->items.data[frame.first_item]; }
    vrml->items.count = frame.first_item;

    // Nodes are in the order in which they ended: children before parents.
    fr__vnode **nodes = proto->body_nodes.data;
    uint32_t count = 0;
    for (size_t i = 0; i < proto->body_nodes.count; i++) {
        if ((nodes[i]->flags & FR__NODE_COPIED) == 0 && !has_copied_below(nodes[i])) { continue; }
        nodes[i]->flags |= FR__NODE_COPIED;
        nodes[i]->order = count;
        nodes[count++] = nodes[i];
    }
    proto->node_count = count;
    proto->nodes = fr__vrml_copy(vrml, nodes, count, sizeof *nodes, _Alignof(fr__vnode *));
    proto->connection_count = (uint32_t)proto->body_connections.count;
    proto->connections = fr__vrml_copy(vrml, proto->body_connections.data, proto->connection_count,
                                       sizeof(fr__connection), _Alignof(fr__connection));
    proto->route_count = (uint32_t)proto->body_routes.count;
    proto->routes =
        fr__vrml_copy(vrml, proto->body_routes.data, proto->route_count, sizeof(fr__route), _Alignof(fr__route));
    if (proto->nodes == NULL || proto->connections == NULL || proto->routes == NULL) { return fr__vrml_memory(vrml); }
    proto->weight = weigh(proto);
    vrml->protos_open = proto->outer;
    return name_proto(vrml, proto);
}

fr_status fr__proto_end_extern(fr__vrml *vrml, const fr__span *urls, uint32_t url_count) {
    FR__TRY(end_interface(vrml));
    fr__proto *proto = fr__vrml_top(vrml)->proto;
    proto->urls = fr__vrml_copy(vrml, urls, url_count, sizeof *urls, _Alignof(fr__span));
    if (proto->urls == NULL) { return fr__vrml_memory(vrml); }
    proto->url_count = url_count;
    return name_proto(vrml, proto);
}

// ---------------------------------------------------------------------------------------------------------------
// EXTERNPROTO

// The prototype of a file that a url names after its #, or its first one.
static fr__proto *pick(const fr__source *source, fr__span url) {
    const fr__scope *scope = source->scope;
    const char *hash = memchr(url.begin, '#', url.length);
    size_t skipped = hash != NULL ? (size_t)(hash - url.begin) + 1 : url.length;
    fr__span name = {url.begin + skipped, url.length - skipped};
    for (size_t i = 0; i < scope->protos.count; i++) {
        fr__proto *proto = scope->protos.data[i];
        if (proto == NULL) { continue; }
        bool is_meant =
            strlen(proto->type.name) == name.length && memcmp(proto->type.name, name.begin, name.length) == 0;
        if (name.length == 0 || is_meant) { return proto; }
    }
    return NULL;
}

static fr_status look_for(fr__vrml *vrml, fr__proto *proto) {
    proto->is_looked_for = true;
    for (uint32_t i = 0; i < proto->url_count && proto->found == NULL; i++) {
        fr__source *source = NULL;
        FR__TRY(fr__source_open(vrml, proto->urls[i], proto->at, &source));
        if (source == NULL) { continue; }
        if (source->scope == NULL) {
            source->is_library = true;
            FR__TRY(fr__source_read(vrml, source));
        }
        if (source->scope != NULL) { proto->found = pick(source, proto->urls[i]); }
    }
    if (proto->found == proto) { proto->found = NULL; }
    if (proto->found != NULL) { return FR_OK; }
    return fr__vrml_problem(vrml, proto->at, "no file gives the prototype %s; it stands for nothing", proto->type.name);
}

// The prototype with a body that an instance is made from; NULL where there is none.
static fr_status find_body(fr__vrml *vrml, fr__proto *proto, fr__proto **found) {
    uint32_t limit = vrml->reader->builder.limits.proto_nesting;
    *found = NULL;
    for (uint32_t i = 0; proto->urls != NULL; i++) {
        if (!proto->is_looked_for) { FR__TRY(look_for(vrml, proto)); }
        if (proto->found == NULL || i >= limit) { return FR_OK; }
        proto = proto->found;
    }
    *found = proto;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Instances

static fr__vnode *copy_of(const fr__vrml *vrml, fr__vnode *node) {
    if (node == NULL || (node->flags & FR__NODE_COPIED) == 0) { return node; }
    return vrml->copies.data[node->order];
}

// The value that an instance gives to a field of its prototype: its own, or the interface's; NULL for none.
static const fr__value *value_given(const fr__vnode *instance, const fr__proto *proto, uint32_t interface) {
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
static fr_status copy_values(fr__vrml *vrml, const fr__vnode *instance, const fr__proto *proto, fr__vnode *copy) {
    fr__value *values = fr__vrml_copy(vrml, copy->values, copy->value_count, sizeof(fr__value), _Alignof(fr__value));
    if (values == NULL) { return fr__vrml_memory(vrml); }
    uint16_t kept = 0;
    for (uint32_t i = 0; i < copy->value_count; i++) {
        fr__value value = values[i];
        if (value.is_redirect) {
            const fr__value *given = value_given(instance, proto, value.count);
            if (given == NULL) { continue; }
            uint16_t field = value.field;
            value = *given;
            value.field = field;
            if (value.is_redirect) { copy->flags |= FR__NODE_COPIED; }
        } else if (value.storage == FR__NODES && value.count > 0) {
            fr__vnode **nodes = fr__vrml_copy(vrml, value.nodes, value.count, sizeof *nodes, _Alignof(fr__vnode *));
            if (nodes == NULL) { return fr__vrml_memory(vrml); }
            for (uint32_t k = 0; k < value.count; k++) {
                nodes[k] = copy_of(vrml, nodes[k]);
            }
            value.nodes = nodes;
        }
        values[kept++] = value;
    }
    copy->values = values;
    copy->value_count = kept;
    return FR_OK;
}

static fr_status copy_connections(fr__vrml *vrml, const fr__connection *from, uint32_t count,
                                  const fr__connection **out) {
    fr__connection *copies = fr__vrml_copy(vrml, from, count, sizeof *copies, _Alignof(fr__connection));
    if (copies == NULL) { return fr__vrml_memory(vrml); }
    for (uint32_t i = 0; i < count; i++) {
        copies[i].node = copy_of(vrml, copies[i].node);
    }
    *out = copies;
    return FR_OK;
}

static fr_status copy_node(fr__vrml *vrml, const fr__vnode *instance, const fr__proto *proto, uint32_t index) {
    const fr__vnode *node = proto->nodes[index];
    fr__vnode *copy = fr__vrml_copy(vrml, node, 1, sizeof *node, _Alignof(fr__vnode));
    if (copy == NULL) { return fr__vrml_memory(vrml); }
    copy->flags = node->flags & FR__NODE_USED;
    FR__TRY(copy_values(vrml, instance, proto, copy));
    if (node->type->kind == FR__KIND_PROTO) {
        copy->body = copy_of(vrml, node->body);
        FR__TRY(copy_connections(vrml, node->connections, node->connection_count, &copy->connections));
    }
    vrml->copies.data[index] = copy;
    if (vrml->protos_open == NULL) { return FR_OK; }
    fr__vnode **place = fr__vnode_pointer_array_push(&vrml->protos_open->body_nodes, 1);
    if (place == NULL) { return fr__vrml_memory(vrml); }
    *place = copy;
    return FR_OK;
}

// What an instance comes to, before it is made.
static fr_status check_expansion(fr__vrml *vrml, const fr__vnode *instance, const fr__proto *proto) {
    const fr_model_limits *limits = &vrml->reader->builder.limits;
    if (proto->depth > limits->proto_nesting) {
        return fr__vrml_fail(vrml, instance->at, FR_ERROR_LIMIT, "prototypes are nested deeper than %u, the limit",
                             limits->proto_nesting);
    }
    fr__proto *outer = vrml->protos_open;
    if (outer != NULL && outer->depth <= proto->depth) { outer->depth = proto->depth + 1; }
    vrml->node_count += proto->weight;
    if (vrml->node_count > limits->nodes) {
        return fr__vrml_fail(vrml, instance->at, FR_ERROR_LIMIT, "more than %llu nodes, the limit",
                             (unsigned long long)limits->nodes);
    }
    return FR_OK;
}

fr_status fr__proto_expand(fr__vrml *vrml, fr__vnode *instance) {
    fr__proto *proto;
    FR__TRY(find_body(vrml, instance->type->proto, &proto));
    if (proto == NULL || proto->body == NULL) { return FR_OK; }
    FR__TRY(check_expansion(vrml, instance, proto));
    vrml->copies.count = 0;
    if (!fr__vnode_pointer_array_reserve(&vrml->copies, proto->node_count)) { return fr__vrml_memory(vrml); }
    for (uint32_t i = 0; i < proto->node_count; i++) {
        FR__TRY(copy_node(vrml, instance, proto, i));
    }
    instance->body = copy_of(vrml, proto->body);
    FR__TRY(copy_connections(vrml, proto->connections, proto->connection_count, &instance->connections));
    instance->connection_count = proto->connection_count;
    for (uint32_t i = 0; i < proto->route_count; i++) {
        fr__route route = proto->routes[i];
        route.from = copy_of(vrml, route.from);
        route.to = copy_of(vrml, route.to);
        FR__TRY(fr__vrml_add_route(vrml, &route));
    }
    return FR_OK;
}
