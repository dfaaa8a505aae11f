// Declarations of prototypes: the interface, the body, which is read once as nodes of the graph, and where an
// EXTERNPROTO finds its own. vrml_instance.c makes instances of them.
#include "vrml_strict.h"

#include <stdio.h>
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
    fr__proto **place = fr__scope_add_proto(outer, name);
    if (place == NULL) { return fr__vrml_memory(vrml); }
    *place = proto;
    fr__proto_free(proto);
    return FR_OK;
}

fr_status fr__proto_end_body(fr__vrml *vrml) {
    fr__open_frame frame = *fr__vrml_top(vrml);
    fr__proto *proto = frame.proto;
    FR__TRY(fr__vrml_resolve_routes(vrml, vrml->scope));
    if (vrml->items.count > frame.first_item) { proto->body = vrml->items.data[frame.first_item]; }
    vrml->items.count = frame.first_item;
    FR__TRY(fr__strict_body(vrml, proto));

    proto->node_count = (uint32_t)proto->body_nodes.count;
    proto->nodes =
        fr__vrml_copy(vrml, proto->body_nodes.data, proto->node_count, sizeof(fr__vnode *), _Alignof(fr__vnode *));
    proto->connection_count = (uint32_t)proto->body_connections.count;
    proto->connections = fr__vrml_copy(vrml, proto->body_connections.data, proto->connection_count,
                                       sizeof(fr__connection), _Alignof(fr__connection));
    proto->route_count = (uint32_t)proto->body_routes.count;
    proto->routes =
        fr__vrml_copy(vrml, proto->body_routes.data, proto->route_count, sizeof(fr__route), _Alignof(fr__route));
    if (proto->nodes == NULL || proto->connections == NULL || proto->routes == NULL) { return fr__vrml_memory(vrml); }
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

// The prototype of a file that a url names after its #; without a name the first PROTO of the file, where EXTERNPROTO
// statements do not count (ISO/IEC 14772-1, 4.9.2).
static fr__proto *pick(const fr__source *source, fr__span url) {
    const fr__scope *scope = source->scope;
    const char *hash = memchr(url.begin, '#', url.length);
    size_t skipped = hash != NULL ? (size_t)(hash - url.begin) + 1 : url.length;
    fr__span name = {url.begin + skipped, url.length - skipped};
    fr__proto *first = NULL;
    for (size_t i = 0; i < scope->protos.count; i++) {
        fr__proto *proto = scope->protos.data[i];
        if (proto == NULL) { continue; }
        bool is_meant =
            strlen(proto->type.name) == name.length && memcmp(proto->type.name, name.begin, name.length) == 0;
        if (is_meant) { return proto; }
        // One that is declared again has the number of the first.
        bool is_first = proto->urls == NULL && (first == NULL || proto->at < first->at);
        if (name.length == 0 && is_first) { first = proto; }
    }
    return first;
}

// The node that stands for a prototype without its file: one of its name, or one of H-Anim, whose first version had
// its nodes as prototypes of shorter names.
static const fr__vtype *find_native(const fr__proto *proto) {
    char name[64];
    int length = snprintf(name, sizeof name, "HAnim%s", proto->type.name);
    const fr__vtype *native = fr__vtype_find((fr__span){name + 5, strlen(name + 5)});
    bool is_whole = length > 0 && (size_t)length < sizeof name;
    if (native == NULL) { native = fr__vtype_find((fr__span){name, strlen(name)}); }
    return is_whole ? native : NULL;
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
    if (proto->found != NULL) { return fr__strict_extern(vrml, proto); }
    proto->native = find_native(proto);
    if (proto->native != NULL) {
        fr__vrml_warn(vrml, proto->at, "no file gives the prototype %s; the node %s is taken for it", proto->type.name,
                      proto->native->name);
    } else {
        fr__vrml_warn(vrml, proto->at, "no file gives the prototype %s; only nodes that are given to it are shown",
                      proto->type.name);
    }
    return FR_OK;
}

fr_status fr__proto_find_body(fr__vrml *vrml, fr__proto *proto, fr__proto **found) {
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
