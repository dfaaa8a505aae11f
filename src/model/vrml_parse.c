// The grammar of VRML97 and classic X3D. What is open stands on a stack of frames, so that nesting costs no stack of
// the machine; what is wrong is passed over with a warning, or ends a strict reading.
#include "vrml_strict.h"

// ---------------------------------------------------------------------------------------------------------------
// Nodes

// A node after its DEF, if it had one.
static fr_status parse_node(fr__vrml *vrml, fr__span type_name, fr__span name) {
    fr__cursor *cursor = vrml->cursor;
    fr__vrml_gap(cursor);
    if (!fr__at_byte(cursor, '{')) {
        return fr__vrml_problem(vrml, type_name.begin, "'%.*s' is no statement and no node", FR__SHOW(type_name));
    }
    const fr__vtype *type = fr__vrml_type(vrml, type_name);
    if (type == NULL) {
        FR__TRY(fr__vrml_problem(vrml, type_name.begin, FR__UNKNOWN_MESSAGE, FR__SHOW(type_name)));
        type = &fr__unknown_type;
    }
    cursor->at++;
    FR__TRY(fr__strict_type(vrml, type, type_name));
    FR__TRY(fr__strict_slot(vrml, type, type_name.begin));
    FR__TRY(fr__vrml_begin_node(vrml, type, name, type_name.begin));
    if (type->kind == FR__KIND_UNKNOWN) { fr__vrml_top(vrml)->field = FR__UNKNOWN_OTHERS; }
    return FR_OK;
}

// NULL, USE, DEF, or a node. `word` was read already.
static fr_status parse_node_statement(fr__vrml *vrml, fr__span word) {
    fr__cursor *cursor = vrml->cursor;
    if (fr__span_is(word, "NULL")) {
        FR__TRY(fr__strict_slot(vrml, NULL, word.begin));
        return fr__vrml_deliver(vrml, NULL);
    }
    if (fr__span_is(word, "USE")) {
        fr__vrml_gap(cursor);
        const char *at = cursor->at;
        fr__vnode *node;
        fr__span used = fr__vrml_any_name(vrml);
        FR__TRY(fr__strict_name(vrml, used));
        FR__TRY(fr__vrml_use(vrml, used, at, &node));
        if (node != NULL) { FR__TRY(fr__strict_slot(vrml, node->type, at)); }
        return fr__vrml_deliver(vrml, node);
    }
    fr__span name = {"", 0};
    if (fr__span_is(word, "DEF")) {
        fr__vrml_gap(cursor);
        name = fr__vrml_any_name(vrml);
        if (name.length == 0) { return fr__vrml_unexpected(vrml, "a name after DEF"); }
        FR__TRY(fr__strict_name(vrml, name));
        fr__vrml_gap(cursor);
        word = fr__vrml_name(vrml);
        if (word.length == 0) { return fr__vrml_unexpected(vrml, "a node after DEF"); }
        if (fr__span_is(word, "NULL")) {
            FR__TRY(fr__strict_name(vrml, word));
            return fr__vrml_deliver(vrml, NULL);
        }
    }
    return parse_node(vrml, word, name);
}

// ROUTE node.field TO node.field
static fr_status parse_route(fr__vrml *vrml, const char *at) {
    fr__cursor *cursor = vrml->cursor;
    fr__awaiting route = {.at = at};
    for (int end = 0; end < 2; end++) {
        fr__vrml_gap(cursor);
        const char *begin = cursor->at, *dot = NULL, *p = begin;
        // A name may have dots of its own: the last one is before the field.
        for (; p < cursor->end && !fr__is_space(*p) && *p != ',' && *p != '{' && *p != '}' && *p != ']'; p++) {
            if (*p == '.') { dot = p; }
        }
        cursor->at = p;
        if (dot == NULL) { return fr__vrml_problem(vrml, begin, "expected NODE.FIELD in a route"); }
        fr__span node = {begin, (size_t)(dot - begin)}, field = {dot + 1, (size_t)(p - dot) - 1};
        if (end == 1) {
            route.to = node;
            route.to_field = field;
            return fr__vrml_route(vrml, &route);
        }
        route.from = node;
        route.from_field = field;
        fr__vrml_gap(cursor);
        begin = cursor->at;
        fr__span word = fr__vrml_name(vrml);
        if (!fr__span_is(word, "TO")) { return fr__vrml_problem(vrml, begin, "expected TO in a route"); }
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Prototypes

// PROTO name [ interface ] { body }, or EXTERNPROTO name [ interface ] urls: up to the bracket.
static fr_status parse_proto(fr__vrml *vrml, const char *at, bool is_extern) {
    fr__cursor *cursor = vrml->cursor;
    fr__vrml_gap(cursor);
    fr__span name = fr__vrml_any_name(vrml);
    fr__vrml_gap(cursor);
    if (name.length == 0 || !fr__at_byte(cursor, '[')) { return fr__vrml_unexpected(vrml, "NAME [ of a prototype"); }
    cursor->at++;
    FR__TRY(fr__strict_name(vrml, name));
    FR__TRY(fr__proto_begin(vrml, name, at));
    fr__vrml_top(vrml)->proto->is_extern = is_extern;
    return FR_OK;
}

static fr_status parse_urls(fr__vrml *vrml) {
    static const fr__field url = {{"url", 3}, FR__MFSTRING, FR__FIELD, {0.0f}, false, false};
    fr__value value;
    FR__TRY(fr__vrml_value(vrml, &url, false, &value));
    return fr__proto_end_extern(vrml, value.strings, value.count);
}

static fr_status end_interface(fr__vrml *vrml) {
    fr__cursor *cursor = vrml->cursor;
    if (fr__vrml_top(vrml)->proto->is_extern) { return parse_urls(vrml); }
    fr__vrml_gap(cursor);
    if (fr__at_byte(cursor, '{')) {
        cursor->at++;
        return fr__proto_begin_body(vrml);
    }
    FR__TRY(fr__vrml_unexpected(vrml, "{ of a prototype's body"));
    FR__TRY(fr__proto_begin_body(vrml));
    return fr__proto_end_body(vrml);
}

// The type and name of a declaration; false where it is none.
static fr_status parse_declaration(fr__vrml *vrml, fr__field *field, bool *is_right) {
    fr__cursor *cursor = vrml->cursor;
    fr__vrml_gap(cursor);
    fr__span type = fr__vrml_name(vrml);
    field->type = fr__field_type_find(type);
    fr__vrml_gap(cursor);
    const char *at = cursor->at;
    field->name = fr__vrml_any_name(vrml);
    *is_right = field->type != FR__FIELD_TYPE_COUNT && field->name.length > 0;
    return *is_right ? FR_OK : fr__vrml_problem(vrml, at, "expected a type and a name of a field");
}

// A value for the field that the top frame awaits.
static fr_status parse_value(fr__vrml *vrml, const fr__field *field) {
    fr__cursor *cursor = vrml->cursor;
    fr__vrml_gap(cursor);
    uint32_t number = fr__vrml_top(vrml)->field;
    if (fr__field_kind_of(field->type)->storage != FR__NODES) {
        fr__value value;
        FR__TRY(fr__vrml_value(vrml, field, false, &value));
        value.field = (uint16_t)number;
        return number == FR_NONE ? FR_OK : fr__vrml_push_value(vrml, &value);
    }
    fr__open_frame *frame = fr__vrml_top(vrml);
    if (fr__is_many(field->type) && fr__at_byte(cursor, '[')) {
        cursor->at++;
        frame->in_list = true;
        frame->list_item = vrml->items.count;
        return FR_OK;
    }
    fr__span word = fr__vrml_name(vrml);
    if (word.length > 0) { return parse_node_statement(vrml, word); }
    if (fr__at_byte(cursor, '}') || fr__at_byte(cursor, ']')) {
        return fr__vrml_problem(vrml, cursor->at, "'%.*s' has no node", FR__SHOW(field->name));
    }
    return fr__vrml_unexpected(vrml, "a node");
}

// One line of a prototype's interface.
static fr_status parse_interface(fr__vrml *vrml) {
    fr__cursor *cursor = vrml->cursor;
    if (fr__at_byte(cursor, ']')) {
        cursor->at++;
        return end_interface(vrml);
    }
    const char *at = cursor->at;
    fr__field field = {.access = FR__FIELD};
    fr__span word = fr__vrml_name(vrml);
    if (!fr__access_find(word, &field.access)) {
        cursor->at = at;
        return fr__vrml_unexpected(vrml, "a field or event of a prototype");
    }
    bool is_right;
    FR__TRY(parse_declaration(vrml, &field, &is_right));
    if (!is_right) { return FR_OK; }
    FR__TRY(fr__strict_interface(vrml, &field, word));
    FR__TRY(fr__proto_add_field(vrml, &field));
    bool has_value = field.access == FR__FIELD || field.access == FR__EXPOSED;
    return has_value && !fr__vrml_top(vrml)->proto->is_extern ? parse_value(vrml, &field) : FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Bodies of nodes

// A field that a Script declares for itself: read, and not kept but for its nodes, which may be used elsewhere.
static fr_status parse_script_field(fr__vrml *vrml, fr__access access, fr__span word) {
    fr__cursor *cursor = vrml->cursor;
    fr__field field = {.access = access};
    bool is_right;
    FR__TRY(parse_declaration(vrml, &field, &is_right));
    if (!is_right) { return FR_OK; }
    FR__TRY(fr__strict_script_field(vrml, &field, word));
    fr__vrml_gap(cursor);
    const char *at = cursor->at;
    if (fr__span_is(fr__vrml_name(vrml), "IS")) {
        fr__vrml_gap(cursor);
        return fr__strict_script_redirect(vrml, &field, fr__vrml_any_name(vrml));
    }
    cursor->at = at;
    if (access == FR__EVENT_IN || access == FR__EVENT_OUT) { return FR_OK; }
    fr__open_frame *frame = fr__vrml_top(vrml);
    bool has_nodes = fr__field_kind_of(field.type)->storage == FR__NODES;
    frame->field = has_nodes ? frame->node->type->field_count - 1 : FR_NONE;
    return parse_value(vrml, &field);
}

static fr_status parse_field(fr__vrml *vrml, fr__span name) {
    fr__cursor *cursor = vrml->cursor;
    fr__open_frame *frame = fr__vrml_top(vrml);
    const fr__vtype *type = frame->node->type;
    uint32_t field = fr__field_find_event(type, name);
    fr__vrml_gap(cursor);
    const char *at = cursor->at;
    if (cursor->end - at > 2 && at[0] == 'I' && at[1] == 'S' && !fr__vrml_is_name_byte(at[2])) {
        cursor->at += 2;
        fr__vrml_gap(cursor);
        at = cursor->at;
        fr__span interface = fr__vrml_any_name(vrml);
        if (field == FR_NONE) {
            return fr__vrml_problem(vrml, name.begin, "%s has no field '%.*s'", type->name, FR__SHOW(name));
        }
        FR__TRY(fr__strict_field(vrml, field, name, true));
        FR__TRY(fr__strict_redirect(vrml, field, name, interface));
        return fr__vrml_redirect(vrml, field, interface, at);
    }
    if (field == FR_NONE) {
        if (!fr__span_is(name, "metadata") || fr__strict(vrml)) {
            FR__TRY(fr__vrml_problem(vrml, name.begin, "%s has no field '%.*s', which is passed over", type->name,
                                     FR__SHOW(name)));
        }
        return fr__vrml_skip_value(vrml);
    }
    FR__TRY(fr__strict_field(vrml, field, name, false));
    frame->field = field;
    frame->at = at;
    return parse_value(vrml, &type->fields[field]);
}

// What stands between the braces of a node that is not known: nodes are read, all else is passed over.
static fr_status parse_unknown(fr__vrml *vrml) {
    fr__cursor *cursor = vrml->cursor;
    fr__open_frame *frame = fr__vrml_top(vrml);
    if (fr__at_byte(cursor, '"')) {
        fr__span text;
        return fr__vrml_string(vrml, &text);
    }
    if (fr__at_byte(cursor, '{')) { return fr__vrml_skip_group(vrml); }
    const char *at = cursor->at;
    fr__span word = fr__vrml_name(vrml);
    if (word.length == 0) {
        // A bracket, or a number.
        for (cursor->at++; !fr__cursor_at_end(cursor) && fr__vrml_is_name_byte(*cursor->at);) {
            cursor->at++;
        }
        return FR_OK;
    }
    if (fr__span_is(word, "ROUTE")) { return parse_route(vrml, at); }
    if (fr__span_is(word, "PROTO")) { return parse_proto(vrml, at, false); }
    if (fr__span_is(word, "EXTERNPROTO")) { return parse_proto(vrml, at, true); }
    bool is_statement = fr__span_is(word, "DEF") || fr__span_is(word, "USE") || fr__span_is(word, "NULL");
    fr__vrml_gap(cursor);
    if (is_statement || fr__at_byte(cursor, '{')) { return parse_node_statement(vrml, word); }
    if (fr__span_is(word, "IS")) {
        at = cursor->at;
        return fr__vrml_redirect_unknown(vrml, frame->field, fr__vrml_any_name(vrml), at);
    } else {
        frame->field = fr__span_is(word, "children") ? FR__UNKNOWN_CHILDREN : FR__UNKNOWN_OTHERS;
    }
    return FR_OK;
}

// What stands between the braces of a node.
static fr_status parse_body(fr__vrml *vrml) {
    fr__cursor *cursor = vrml->cursor;
    if (fr__at_byte(cursor, '}')) {
        cursor->at++;
        return fr__vrml_end_node(vrml);
    }
    if (fr__vrml_top(vrml)->node->type->kind == FR__KIND_UNKNOWN) { return parse_unknown(vrml); }
    const char *at = cursor->at;
    fr__span word = fr__vrml_name(vrml);
    if (word.length == 0) { return fr__vrml_unexpected(vrml, "the name of a field"); }
    if (fr__span_is(word, "ROUTE")) { return parse_route(vrml, at); }
    if (fr__span_is(word, "PROTO")) { return parse_proto(vrml, at, false); }
    if (fr__span_is(word, "EXTERNPROTO")) { return parse_proto(vrml, at, true); }
    fr__access access;
    if (fr__vrml_top(vrml)->node->type->kind == FR__KIND_SCRIPT && fr__access_find(word, &access)) {
        return parse_script_field(vrml, access, word);
    }
    return parse_field(vrml, word);
}

// ---------------------------------------------------------------------------------------------------------------
// Statements

// The statements of X3D before its scene and between its nodes: true where `word` begins one, which is passed over.
static fr_status skip_x3d_statement(fr__vrml *vrml, fr__span word, bool *is_one) {
    static const struct {
        const char *name;
        int words;
    } statements[] = {{"PROFILE", 1}, {"COMPONENT", 1}, {"META", 2}, {"UNIT", 3}, {"EXPORT", 1}, {"IMPORT", 1}};
    fr__cursor *cursor = vrml->cursor;
    *is_one = false;
    for (size_t i = 0; !fr__strict(vrml) && i < sizeof statements / sizeof statements[0]; i++) {
        if (!fr__span_is(word, statements[i].name)) { continue; }
        *is_one = true;
        for (int k = 0; k < statements[i].words; k++) {
            fr__vrml_gap(cursor);
            fr__span text;
            if (fr__at_byte(cursor, '"')) {
                FR__TRY(fr__vrml_string(vrml, &text));
            } else {
                fr__vrml_any_name(vrml);
            }
        }
        fr__vrml_gap(cursor);
        const char *at = cursor->at;
        if (fr__span_is(fr__vrml_name(vrml), "AS")) {
            fr__vrml_gap(cursor);
            fr__vrml_any_name(vrml);
        } else {
            cursor->at = at;
        }
        return FR_OK;
    }
    return FR_OK;
}

static fr_status parse_statement(fr__vrml *vrml) {
    fr__cursor *cursor = vrml->cursor;
    const char *at = cursor->at;
    if (fr__vrml_top(vrml)->kind == FR__FRAME_BODY && *at == '}') {
        cursor->at++;
        return fr__proto_end_body(vrml);
    }
    fr__span word = fr__vrml_name(vrml);
    if (word.length == 0) { return fr__vrml_unexpected(vrml, "a node"); }
    if (fr__span_is(word, "ROUTE")) { return parse_route(vrml, at); }
    if (fr__span_is(word, "PROTO")) { return parse_proto(vrml, at, false); }
    if (fr__span_is(word, "EXTERNPROTO")) { return parse_proto(vrml, at, true); }
    bool is_one;
    FR__TRY(skip_x3d_statement(vrml, word, &is_one));
    return is_one ? FR_OK : parse_node_statement(vrml, word);
}

// A node of a list, or its end.
static fr_status parse_item(fr__vrml *vrml) {
    fr__cursor *cursor = vrml->cursor;
    const char *at = cursor->at;
    if (*at == ']') {
        cursor->at++;
        return fr__vrml_close_list(vrml);
    }
    if (*at == '}') {
        // The bracket is missing; the brace ends the node.
        FR__TRY(fr__vrml_problem(vrml, at, "a list of nodes is not closed"));
        return fr__vrml_close_list(vrml);
    }
    fr__span word = fr__vrml_name(vrml);
    if (word.length == 0) { return fr__vrml_unexpected(vrml, "a node"); }
    bool is_statement = fr__span_is(word, "ROUTE") || fr__span_is(word, "PROTO") || fr__span_is(word, "EXTERNPROTO");
    if (is_statement && fr__strict(vrml)) {
        return fr__vrml_problem(vrml, at, "%.*s stands in a list of nodes", FR__SHOW(word));
    }
    if (fr__span_is(word, "ROUTE")) { return parse_route(vrml, at); }
    if (is_statement) { return parse_proto(vrml, at, fr__span_is(word, "EXTERNPROTO")); }
    return parse_node_statement(vrml, word);
}

// Ends what the file left open.
static fr_status close_frame(fr__vrml *vrml) {
    switch (fr__vrml_top(vrml)->kind) {
    case FR__FRAME_NODE: return fr__vrml_end_node(vrml);
    case FR__FRAME_BODY: return fr__proto_end_body(vrml);
    default: break;
    }
    FR__TRY(fr__proto_begin_body(vrml));
    return fr__proto_end_body(vrml);
}

fr_status fr__vrml_parse(fr__vrml *vrml) {
    fr__cursor *cursor = vrml->cursor;
    size_t file = vrml->frames.count;
    for (;;) {
        fr__vrml_gap(cursor);
        FR__TRY(fr__cursor_check(cursor));
        const fr__open_frame *frame = fr__vrml_top(vrml);
        if (fr__cursor_at_end(cursor)) { break; }
        if (frame->in_list) {
            FR__TRY(parse_item(vrml));
        } else if (frame->kind == FR__FRAME_NODE) {
            FR__TRY(parse_body(vrml));
        } else if (frame->kind == FR__FRAME_INTERFACE) {
            FR__TRY(parse_interface(vrml));
        } else {
            FR__TRY(parse_statement(vrml));
        }
    }
    if (vrml->frames.count > file) {
        FR__TRY(fr__vrml_problem(vrml, cursor->at, "the file ends inside of %s",
                                 fr__vrml_top(vrml)->kind == FR__FRAME_NODE ? "a node" : "a prototype"));
    }
    while (vrml->frames.count > file) {
        FR__TRY(close_frame(vrml));
    }
    return FR_OK;
}
