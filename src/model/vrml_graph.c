// The graph of nodes that both front ends make: what is open, names, routes.
#include "vrml_strict.h"

#include <string.h>

void *fr__vrml_alloc(fr__vrml *vrml, size_t count, size_t size, size_t align) {
    return fr_arena_alloc(vrml->arena, count, size, align);
}

void *fr__vrml_copy(fr__vrml *vrml, const void *elements, size_t count, size_t size, size_t align) {
    void *copy = fr__vrml_alloc(vrml, count, size, align);
    if (copy != NULL && count > 0) { memcpy(copy, elements, count * size); }
    return copy;
}

void fr__vrml_free_blocks(fr__vrml *vrml, size_t first) {
    while (vrml->blocks.count > first) {
        fr_array_destroy(&vrml->blocks.data[--vrml->blocks.count]);
    }
}

fr_status fr__vrml_push_frame(fr__vrml *vrml, const fr__open_frame *frame) {
    fr__open_frame *place = fr__open_frame_array_push(&vrml->frames, 1);
    if (place == NULL) { return fr__vrml_memory(vrml); }
    *place = *frame;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Scopes

fr__scope *fr__vrml_push_scope(fr__vrml *vrml, fr__scope *parent) {
    fr__scope *scope = fr__vrml_alloc(vrml, 1, sizeof *scope, _Alignof(fr__scope));
    if (scope == NULL) { return NULL; }
    const fr_allocator *allocator = &vrml->reader->builder.allocator;
    *scope = (fr__scope){.names = fr__names_make(allocator),
                         .nodes = fr__vnode_pointer_array_make(allocator),
                         .proto_names = fr__names_make(allocator),
                         .protos = fr__proto_pointer_array_make(allocator),
                         .awaiting = fr__awaiting_array_make(allocator),
                         .parent = parent,
                         .next = vrml->scopes};
    vrml->scopes = scope;
    vrml->scope = scope;
    return scope;
}

void fr__scope_clear(fr__scope *scope) {
    fr__names_free(&scope->names);
    fr__vnode_pointer_array_destroy(&scope->nodes);
    fr__names_free(&scope->proto_names);
    fr__proto_pointer_array_destroy(&scope->protos);
    fr__awaiting_array_destroy(&scope->awaiting);
}

// Where a scope holds the node of a name, which lives as long as the scope; NULL when there is no memory.
static fr__vnode **add_name(fr__scope *scope, fr__span name) {
    uint32_t number = fr__names_find_or_append(&scope->names, name);
    if (number == FR_NONE) { return NULL; }
    while (scope->nodes.count <= number) {
        fr__vnode **place = fr__vnode_pointer_array_push(&scope->nodes, 1);
        if (place == NULL) { return NULL; }
        *place = NULL;
    }
    return &scope->nodes.data[number];
}

fr__proto **fr__scope_add_proto(fr__scope *scope, fr__span name) {
    uint32_t number = fr__names_find_or_append(&scope->proto_names, name);
    if (number == FR_NONE) { return NULL; }
    while (scope->protos.count <= number) {
        fr__proto **place = fr__proto_pointer_array_push(&scope->protos, 1);
        if (place == NULL) { return NULL; }
        *place = NULL;
    }
    return &scope->protos.data[number];
}

fr_status fr__vrml_define(fr__vrml *vrml, fr__span name, fr__vnode *node) {
    vrml->names++;
    fr__vnode **place = add_name(vrml->scope, name);
    if (place == NULL) { return fr__vrml_memory(vrml); }
    *place = node;
    return FR_OK;
}

// The node that has a name in a scope, NULL for none. The name may be a passing one, of an attribute in XML.
static fr__vnode *look_up(const fr__scope *scope, fr__span name) {
    uint32_t number = fr__names_find(&scope->names, name);
    return number != FR_NONE && number < scope->nodes.count ? scope->nodes.data[number] : NULL;
}

fr_status fr__vrml_use(fr__vrml *vrml, fr__span name, const char *at, fr__vnode **node) {
    *node = look_up(vrml->scope, name);
    if (*node == NULL) { return fr__vrml_problem(vrml, at, "USE of '%.*s', which no DEF has named", FR__SHOW(name)); }
    if (((*node)->flags & FR__NODE_OPEN) != 0) {
        // A Script may hold itself.
        bool is_script = (*node)->type->kind == FR__KIND_SCRIPT;
        *node = NULL;
        if (is_script) { return FR_OK; }
        return fr__vrml_problem(vrml, at, "USE of '%.*s' inside of itself", FR__SHOW(name));
    }
    const fr__open_frame *frame = fr__vrml_top(vrml);
    bool is_in_unknown = frame->kind == FR__FRAME_NODE && frame->node->type->kind == FR__KIND_UNKNOWN;
    if (is_in_unknown && frame->field == FR__UNKNOWN_OTHERS) {
        *node = NULL;
        return FR_OK;
    }
    (*node)->flags |= FR__NODE_USED;
    return FR_OK;
}

const fr__vtype *fr__vrml_type(fr__vrml *vrml, fr__span name) {
    for (fr__scope *scope = vrml->scope; scope != NULL; scope = scope->parent) {
        uint32_t number = fr__names_find(&scope->proto_names, name);
        if (number == FR_NONE || number >= scope->protos.count) { continue; }
        if (scope->protos.data[number] != NULL) { return &scope->protos.data[number]->type; }
    }
    return fr__vtype_find(name);
}

// ---------------------------------------------------------------------------------------------------------------
// Nodes

fr__vnode *fr__vrml_new_node(fr__vrml *vrml, const fr__vtype *type, const char *at) {
    fr__vnode *node = fr__vrml_alloc(vrml, 1, sizeof *node, _Alignof(fr__vnode));
    if (node == NULL) { return NULL; }
    *node = (fr__vnode){.type = type, .at = at, .first_route = FR_NONE, .first_place = FR_NONE};
    if (type->kind != FR__KIND_PROTO) {
        node->mesh = FR_NONE;
        node->material = FR_NONE;
    }
    return node;
}

static fr_status count_node(fr__vrml *vrml, const char *at) {
    uint64_t limit = vrml->reader->builder.limits.nodes;
    if (++vrml->node_count <= limit) { return FR_OK; }
    return fr__vrml_fail(vrml, at, FR_ERROR_LIMIT, "more than %llu nodes, the limit", (unsigned long long)limit);
}

// Whether what stands in a node's field is certainly placed.
static bool is_plain_group(fr__vkind kind) {
    return kind == FR__KIND_GROUP || kind == FR__KIND_TRANSFORM || kind == FR__KIND_BILLBOARD || kind == FR__KIND_SHAPE;
}

fr_status fr__vrml_begin_node(fr__vrml *vrml, const fr__vtype *type, fr__span name, const char *at) {
    uint32_t limit = vrml->reader->builder.limits.nesting;
    if (vrml->depth >= limit) {
        return fr__vrml_fail(vrml, at, FR_ERROR_LIMIT, "nodes are nested deeper than %u, the limit", limit);
    }
    FR__TRY(count_node(vrml, at));
    fr__vnode *node = fr__vrml_new_node(vrml, type, at);
    if (node == NULL) { return fr__vrml_memory(vrml); }
    node->flags = FR__NODE_OPEN;
    if (name.length > 0) {
        node->name = fr__builder_text(&vrml->reader->builder, name);
        if (node->name == NULL) { return fr__vrml_memory(vrml); }
        FR__TRY(fr__vrml_define(vrml, (fr__span){node->name, name.length}, node));
    }
    fr__open_frame frame = {.kind = FR__FRAME_NODE,
                            .is_plain = fr__vrml_top(vrml)->is_plain && is_plain_group(type->kind),
                            .field = FR_NONE,
                            .at = at,
                            .node = node,
                            .first_value = vrml->values.count,
                            .first_item = vrml->items.count,
                            .first_script_field = vrml->script_fields.count,
                            .blocks = vrml->blocks.count,
                            .names = vrml->names,
                            .mark = fr_arena_get_mark(vrml->arena)};
    vrml->depth++;
    return fr__vrml_push_frame(vrml, &frame);
}

fr_status fr__vrml_push_value(fr__vrml *vrml, const fr__value *value) {
    fr__value *place = fr__value_array_push(&vrml->values, 1);
    if (place == NULL) { return fr__vrml_memory(vrml); }
    *place = *value;
    return FR_OK;
}

fr_status fr__vrml_take_items(fr__vrml *vrml, size_t first, fr__vnode ***nodes, uint32_t *count) {
    size_t taken = vrml->items.count - first;
    *nodes = fr__vrml_copy(vrml, first > 0 ? vrml->items.data + first : vrml->items.data, taken, sizeof **nodes,
                           _Alignof(fr__vnode *));
    if (*nodes == NULL) { return fr__vrml_memory(vrml); }
    *count = (uint32_t)taken;
    vrml->items.count = first;
    return FR_OK;
}

fr_status fr__vrml_close_list(fr__vrml *vrml) {
    fr__open_frame *frame = fr__vrml_top(vrml);
    frame->in_list = false;
    fr__value value = {.at = frame->at, .field = (uint16_t)frame->field, .storage = FR__NODES};
    FR__TRY(fr__vrml_take_items(vrml, frame->list_item, &value.nodes, &value.count));
    return frame->field == FR_NONE ? FR_OK : fr__vrml_push_value(vrml, &value);
}

fr_status fr__vrml_deliver(fr__vrml *vrml, fr__vnode *node) {
    fr__open_frame *frame = fr__vrml_top(vrml);
    bool is_listed = frame->kind == FR__FRAME_FILE || frame->kind == FR__FRAME_BODY || frame->in_list;
    if (is_listed) {
        if (node == NULL) { return FR_OK; }
        fr__vnode **place = fr__vnode_pointer_array_push(&vrml->items, 1);
        if (place == NULL) { return fr__vrml_memory(vrml); }
        *place = node;
        return FR_OK;
    }
    if (frame->field == FR_NONE) { return FR_OK; }
    fr__value value = {.at = node != NULL ? node->at : frame->at,
                       .count = node != NULL,
                       .field = (uint16_t)frame->field,
                       .storage = FR__NODES};
    value.nodes = fr__vrml_copy(vrml, &node, 1, sizeof(fr__vnode *), _Alignof(fr__vnode *));
    if (value.nodes == NULL) { return fr__vrml_memory(vrml); }
    return fr__vrml_push_value(vrml, &value);
}

// In XML the nodes of one field come one by one: makes one list of them, in the place of the first.
fr_status fr__vrml_join_lists(fr__vrml *vrml, size_t first) {
    fr__value *values = fr__vrml_values_from(vrml, first);
    size_t count = vrml->values.count - first, kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (values[i].storage != FR__NODES || values[i].is_redirect) {
            values[kept++] = values[i];
            continue;
        }
        if (values[i].count == 0) { continue; }
        fr__value joined = values[i];
        size_t items = vrml->items.count;
        for (size_t k = i; k < count; k++) {
            if (values[k].storage != FR__NODES || values[k].is_redirect || values[k].field != joined.field) {
                continue;
            }
            for (uint32_t n = 0; n < values[k].count; n++) {
                fr__vnode **place = fr__vnode_pointer_array_push(&vrml->items, 1);
                if (place == NULL) { return fr__vrml_memory(vrml); }
                *place = values[k].nodes[n];
            }
            values[k].count = 0;
        }
        FR__TRY(fr__vrml_take_items(vrml, items, &joined.nodes, &joined.count));
        values[kept++] = joined;
    }
    vrml->values.count = first + kept;
    return FR_OK;
}

// Makes a shape's mesh at once where nothing else can name its geometry, and forgets its fields: a file of a million
// shapes is never in memory as a graph.
static fr_status finish_shape(fr__vrml *vrml, const fr__open_frame *frame) {
    fr__vnode *shape = frame->node;
    if (!frame->is_plain || vrml->protos_open != NULL) { return FR_OK; }
    fr__vnode *geometry = fr__value_node(shape, "geometry");
    fr__vnode *coord = geometry != NULL ? fr__value_node(geometry, "coord") : NULL;
    bool is_own = geometry == NULL || (geometry->name == NULL && (coord == NULL || coord->name == NULL));
    if (!is_own) { return FR_OK; }
    FR__TRY(fr__vrml_build_shape(vrml, shape));
    if (frame->names == vrml->names) {
        shape->values = NULL;
        shape->value_count = 0;
        fr__vrml_free_blocks(vrml, frame->blocks);
        fr_arena_rewind(vrml->arena, frame->mark);
    }
    return FR_OK;
}

fr_status fr__vrml_end_node(fr__vrml *vrml) {
    if (fr__vrml_top(vrml)->in_list) { FR__TRY(fr__vrml_close_list(vrml)); }
    fr__open_frame frame = *fr__vrml_top(vrml);
    fr__vnode *node = frame.node;
    if (vrml->source->is_xml || node->type->kind == FR__KIND_UNKNOWN) {
        FR__TRY(fr__vrml_join_lists(vrml, frame.first_value));
    }
    size_t count = vrml->values.count - frame.first_value;
    if (count > UINT16_MAX) {
        return fr__vrml_fail(vrml, node->at, FR_ERROR_LIMIT, "more than %u fields of one node", UINT16_MAX);
    }
    node->values = fr__vrml_copy(vrml, fr__vrml_values_from(vrml, frame.first_value), count, sizeof(fr__value),
                                 _Alignof(fr__value));
    if (node->values == NULL) { return fr__vrml_memory(vrml); }
    node->value_count = (uint16_t)count;
    node->flags &= (uint16_t)~FR__NODE_OPEN;
    vrml->values.count = frame.first_value;
    vrml->frames.count--;
    vrml->depth--;

    if (node->type->kind == FR__KIND_SCRIPT) { FR__TRY(fr__strict_end_script(vrml, &frame)); }
    FR__TRY(fr__strict_values(vrml, node));
    if (node->type->kind == FR__KIND_PROTO) { FR__TRY(fr__proto_expand(vrml, node)); }
    if (vrml->protos_open != NULL) {
        fr__vnode **place = fr__vnode_pointer_array_push(&vrml->protos_open->body_nodes, 1);
        if (place == NULL) { return fr__vrml_memory(vrml); }
        *place = node;
    }
    if (node->type->kind == FR__KIND_SHAPE) { FR__TRY(finish_shape(vrml, &frame)); }
    return fr__vrml_deliver(vrml, node);
}

// ---------------------------------------------------------------------------------------------------------------
// IS and ROUTE

// Whether what is open stands in the body of a prototype, not in the interface of one or outside.
static bool is_in_body(const fr__vrml *vrml) {
    size_t i = vrml->frames.count;
    while (i > 0 && vrml->frames.data[i - 1].kind == FR__FRAME_NODE) {
        i--;
    }
    return i > 0 && vrml->frames.data[i - 1].kind == FR__FRAME_BODY;
}

fr_status fr__vrml_redirect(fr__vrml *vrml, uint32_t field, fr__span name, const char *at) {
    fr__proto *proto = is_in_body(vrml) ? vrml->protos_open : NULL;
    if (proto == NULL) { return fr__vrml_problem(vrml, at, "IS stands outside of a prototype's body"); }
    uint32_t interface = fr__field_find(&proto->type, name);
    if (interface == FR_NONE) {
        return fr__vrml_problem(vrml, at, "the prototype %s has no field '%.*s'", proto->type.name, FR__SHOW(name));
    }
    fr__vnode *node = fr__vrml_top(vrml)->node;
    const fr__field *inner = &node->type->fields[field], *outer = &proto->type.fields[interface];
    fr__connection *connection = fr__connection_array_push(&proto->body_connections, 1);
    if (connection == NULL) { return fr__vrml_memory(vrml); }
    *connection = (fr__connection){node, field, outer->name};
    node->flags |= FR__NODE_COPIED;
    bool has_value = (inner->access == FR__FIELD || inner->access == FR__EXPOSED) &&
                     (outer->access == FR__FIELD || outer->access == FR__EXPOSED);
    if (!has_value) { return FR_OK; }
    if (inner->type != outer->type) {
        return fr__vrml_problem(vrml, at, "'%.*s' and '%.*s' are of different types", FR__SHOW(inner->name),
                                FR__SHOW(name));
    }
    fr__value value = {.at = at, .count = interface, .field = (uint16_t)field, .is_redirect = true};
    return fr__vrml_push_value(vrml, &value);
}

fr_status fr__vrml_redirect_unknown(fr__vrml *vrml, uint32_t field, fr__span name, const char *at) {
    const fr__proto *proto = is_in_body(vrml) ? vrml->protos_open : NULL;
    uint32_t interface = proto != NULL ? fr__field_find(&proto->type, name) : FR_NONE;
    bool is_list = interface != FR_NONE && proto->type.fields[interface].type == FR__MFNODE;
    return is_list ? fr__vrml_redirect(vrml, field, name, at) : FR_OK;
}

fr_status fr__vrml_add_route(fr__vrml *vrml, const fr__route *route) {
    vrml->names++;
    fr__route_array *routes = vrml->protos_open != NULL ? &vrml->protos_open->body_routes : &vrml->routes;
    uint64_t limit = vrml->reader->builder.limits.nodes;
    if (routes->count >= limit) {
        return fr__vrml_fail(vrml, route->at, FR_ERROR_LIMIT, "more than %llu routes, the limit",
                             (unsigned long long)limit);
    }
    fr__route *place = fr__route_array_push(routes, 1);
    if (place == NULL) { return fr__vrml_memory(vrml); }
    *place = *route;
    if (vrml->protos_open != NULL) {
        route->from->flags |= FR__NODE_COPIED;
        route->to->flags |= FR__NODE_COPIED;
    } else {
        place->next = route->from->first_route;
        route->from->first_route = (uint32_t)(routes->count - 1);
    }
    return FR_OK;
}

// Adds a route whose nodes are both named by now.
static fr_status try_route(fr__vrml *vrml, fr__scope *scope, const fr__awaiting *route, bool *is_done) {
    fr__route found = {.from_field = route->from_field, .to_field = route->to_field, .at = route->at};
    found.from = look_up(scope, route->from);
    found.to = look_up(scope, route->to);
    *is_done = found.from != NULL && found.to != NULL;
    if (!*is_done) { return FR_OK; }
    // The events of a Script are known at its end.
    *is_done = !fr__strict(vrml) || ((found.from->flags | found.to->flags) & FR__NODE_OPEN) == 0;
    if (!*is_done) { return FR_OK; }
    FR__TRY(fr__strict_route(vrml, &found));
    return fr__vrml_add_route(vrml, &found);
}

// In VRML97 both nodes stand before the route.
static fr_status check_route_order(fr__vrml *vrml, const fr__awaiting *route) {
    const fr__span names[] = {route->from, route->to};
    for (int i = 0; fr__strict(vrml) && i < 2; i++) {
        if (look_up(vrml->scope, names[i]) != NULL) { continue; }
        return fr__vrml_problem(vrml, names[i].begin, "a route of '%.*s', which no DEF before it has named",
                                FR__SHOW(names[i]));
    }
    return FR_OK;
}

fr_status fr__vrml_route(fr__vrml *vrml, const fr__awaiting *route) {
    vrml->names++;
    bool is_done;
    FR__TRY(try_route(vrml, vrml->scope, route, &is_done));
    if (is_done) { return FR_OK; }
    FR__TRY(check_route_order(vrml, route));
    fr__awaiting *place = fr__awaiting_array_push(&vrml->scope->awaiting, 1);
    if (place == NULL) { return fr__vrml_memory(vrml); }
    *place = *route;
    return FR_OK;
}

fr_status fr__vrml_resolve_routes(fr__vrml *vrml, fr__scope *scope) {
    const fr__awaiting *routes = scope->awaiting.data;
    for (size_t i = 0; i < scope->awaiting.count; i++) {
        bool is_done;
        FR__TRY(try_route(vrml, scope, &routes[i], &is_done));
        if (!is_done) {
            FR__TRY(fr__vrml_problem(vrml, routes[i].at, "a route between '%.*s' and '%.*s': one has no DEF",
                                     FR__SHOW(routes[i].from), FR__SHOW(routes[i].to)));
        }
    }
    scope->awaiting.count = 0;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Files

fr_status fr__vrml_begin_file(fr__vrml *vrml, fr__source *source) {
    source->scope = fr__vrml_push_scope(vrml, NULL);
    if (source->scope == NULL) { return fr__vrml_memory(vrml); }
    fr__open_frame frame = {.kind = FR__FRAME_FILE,
                            .is_plain = !source->is_library,
                            .field = FR_NONE,
                            .at = source->cursor.begin,
                            .first_value = vrml->values.count,
                            .first_item = vrml->items.count};
    return fr__vrml_push_frame(vrml, &frame);
}

fr_status fr__vrml_end_file(fr__vrml *vrml) {
    fr__open_frame frame = *fr__vrml_top(vrml);
    FR__TRY(fr__vrml_resolve_routes(vrml, vrml->scope));
    vrml->frames.count--;
    return fr__vrml_take_items(vrml, frame.first_item, &vrml->source->roots, &vrml->source->root_count);
}
