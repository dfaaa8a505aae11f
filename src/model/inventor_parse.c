// The grammar of VRML 1.0 and ascii Inventor. Fields and the nodes of a group stand side by side between the braces of
// a node. What is open stands on the stack of frames that VRML97 has; what is wrong is passed over with a warning, or
// ends a strict reading.
#include "inventor.h"

static bool is_word_byte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// A word of letters, digits and underlines; empty where there is none.
static fr__span take_word(fr__cursor *cursor) {
    const char *begin = cursor->at;
    while (cursor->at < cursor->end && is_word_byte(*cursor->at)) {
        cursor->at++;
    }
    return (fr__span){begin, (size_t)(cursor->at - begin)};
}

// The word after the gap, which stays where it is.
static fr__span peek_word(fr__cursor *cursor) {
    fr__vrml_gap(cursor);
    const char *at = cursor->at;
    fr__span word = take_word(cursor);
    cursor->at = at;
    return word;
}

static bool is_word(fr__span span, const char *word) {
    return span.length == strlen(word) && memcmp(span.begin, word, span.length) == 0;
}

// ---------------------------------------------------------------------------------------------------------------
// Values

// A word, or several in parentheses with bars between them.
static fr_status parse_words(fr__vrml *vrml, fr__value *value) {
    fr__cursor *cursor = vrml->cursor;
    fr__vrml_gap(cursor);
    *value = (fr__value){.at = cursor->at, .storage = FR__STRINGS};
    vrml->strings.count = 0;
    bool is_list = fr__at_byte(cursor, '('), is_quoted = fr__at_byte(cursor, '"');
    cursor->at += is_list || is_quoted;
    for (;;) {
        fr__vrml_gap(cursor);
        fr__span word = take_word(cursor);
        if (word.length == 0) {
            FR__TRY(fr__vrml_unexpected(vrml, "a word in capitals"));
            break;
        }
        fr__span *place = fr__push(&vrml->strings, 1);
        if (place == NULL) { return fr__vrml_memory(vrml); }
        *place = word;
        if (is_list) { fr__vrml_gap(cursor); }
        if (!is_list || !fr__at_byte(cursor, '|')) { break; }
        cursor->at++;
    }
    if ((is_list && fr__at_byte(cursor, ')')) || (is_quoted && fr__at_byte(cursor, '"'))) {
        cursor->at++;
    } else if (is_list || is_quoted) {
        FR__TRY(fr__vrml_problem(vrml, value->at, "a parenthesis is not closed"));
    }
    value->count = (uint32_t)vrml->strings.count;
    value->strings = fr__vrml_copy(vrml, vrml->strings.data, value->count, sizeof(fr__span), _Alignof(fr__span));
    return value->strings != NULL ? FR_OK : fr__vrml_memory(vrml);
}

// Inventor writes a string of one word without quotes.
static fr_status parse_bare_string(fr__vrml *vrml, fr__value *value) {
    fr__cursor *cursor = vrml->cursor;
    *value = (fr__value){.at = cursor->at, .count = 1, .storage = FR__STRINGS};
    fr__span word = fr__vrml_any_name(vrml);
    value->strings = fr__vrml_copy(vrml, &word, 1, sizeof word, _Alignof(fr__span));
    return value->strings != NULL ? FR_OK : fr__vrml_memory(vrml);
}

// A node that is not kept, of an engine or a field that is not known: DEF NAME TYPE { }, USE NAME, or TYPE { }.
static fr_status skip_node(fr__vrml *vrml) {
    fr__cursor *cursor = vrml->cursor;
    for (int words = 0; words < 3; words++) {
        fr__vrml_gap(cursor);
        if (fr__at_byte(cursor, '{')) { return fr__vrml_skip_group(vrml); }
        if (fr__vrml_any_name(vrml).length == 0) { return FR_OK; }
        fr__vrml_gap(cursor);
        if (fr__at_byte(cursor, '.')) { return FR_OK; }
    }
    fr__vrml_gap(cursor);
    return fr__at_byte(cursor, '{') ? fr__vrml_skip_group(vrml) : FR_OK;
}

// What may follow a value: ~, which says that the field is not in use, and = with the field or engine that sets it.
// *is_ignored: there is a ~.
static fr_status parse_suffix(fr__vrml *vrml, fr__span field, bool *is_ignored) {
    fr__cursor *cursor = vrml->cursor;
    fr__vrml_gap(cursor);
    *is_ignored = fr__at_byte(cursor, '~');
    cursor->at += *is_ignored;
    fr__vrml_gap(cursor);
    if (!fr__at_byte(cursor, '=')) { return FR_OK; }
    fr__vrml_warn(vrml, cursor->at, "'%.*s' is set by a connection, which is passed over", FR__SHOW(field));
    cursor->at++;
    // Only the first words of USE NAME.FIELD and of TYPE { ... } . FIELD differ.
    bool is_use = is_word(peek_word(cursor), "USE");
    if (is_use) {
        take_word(cursor);
        fr__vrml_gap(cursor);
        fr__vrml_any_name(vrml);
    } else {
        FR__TRY(skip_node(vrml));
    }
    fr__vrml_gap(cursor);
    if (fr__at_byte(cursor, '.')) {
        cursor->at++;
        fr__vrml_gap(cursor);
        fr__vrml_any_name(vrml);
    }
    return FR_OK;
}

static bool begins_suffix(fr__cursor *cursor) {
    fr__vrml_gap(cursor);
    return fr__at_byte(cursor, '~') || fr__at_byte(cursor, '=');
}

// A field that the node does not have. Its value is a list, a string, numbers, or a word; a node that follows is taken
// by its parent.
static fr_status skip_field(fr__vrml *vrml, fr__span name) {
    fr__cursor *cursor = vrml->cursor;
    bool is_ignored;
    if (begins_suffix(cursor)) { return parse_suffix(vrml, name, &is_ignored); }
    if (fr__at_byte(cursor, '(')) {
        fr__value value;
        FR__TRY(parse_words(vrml, &value));
        return parse_suffix(vrml, name, &is_ignored);
    }
    const char *at = cursor->at;
    fr__span word = take_word(cursor);
    fr__vrml_gap(cursor);
    bool is_letter = word.length > 0 && !(*word.begin >= '0' && *word.begin <= '9');
    bool is_node = is_word(word, "DEF") || is_word(word, "USE") || fr__at_byte(cursor, '{');
    if (is_letter && !is_node) { return parse_suffix(vrml, name, &is_ignored); }
    cursor->at = at;
    if (is_letter) { return FR_OK; }
    FR__TRY(fr__vrml_skip_value(vrml));
    return parse_suffix(vrml, name, &is_ignored);
}

// ---------------------------------------------------------------------------------------------------------------
// Nodes

// The nodes that follow belong to the group.
static void open_list(fr__vrml *vrml) {
    fr__open_frame *frame = fr__vrml_top(vrml);
    uint32_t children = fr__field_find(frame->node->type, (fr__span){"children", 8});
    if (children == FR_NONE) { return; }
    frame->in_list = true;
    frame->field = children;
    frame->list_item = vrml->items.count;
}

// `fields [ ... ]` and `isA [ ... ]`, which a node of an extension begins with. A node that is not known is taken for
// the first one of isA that is.
static fr_status parse_extension(fr__vrml *vrml, const fr__vtype **type) {
    static const fr__field names = {.name = {"isA", 3}, .type = FR__MFSTRING};
    fr__cursor *cursor = vrml->cursor;
    for (;;) {
        fr__span word = peek_word(cursor);
        bool is_fields = is_word(word, "fields");
        if (!is_fields && !is_word(word, "isA")) { return FR_OK; }
        take_word(cursor);
        fr__vrml_gap(cursor);
        if (is_fields) {
            if (fr__at_byte(cursor, '[')) { FR__TRY(fr__vrml_skip_group(vrml)); }
            continue;
        }
        fr__value value;
        FR__TRY(fr__vrml_value(vrml, &names, false, &value));
        for (uint32_t i = 0; i < value.count && *type == NULL; i++) {
            *type = fr__inventor_type_find(value.strings[i]);
        }
    }
}

// A node after its DEF, if it had one; the cursor is at its brace.
static fr_status parse_node(fr__vrml *vrml, fr__span type_name, fr__span name) {
    fr__cursor *cursor = vrml->cursor;
    fr__vrml_gap(cursor);
    if (!fr__at_byte(cursor, '{')) {
        return fr__vrml_problem(vrml, type_name.begin, "'%.*s' is no field and no node", FR__SHOW(type_name));
    }
    cursor->at++;
    const fr__vtype *type = fr__inventor_type_find(type_name);
    FR__TRY(parse_extension(vrml, &type));
    if (type == NULL) {
        FR__TRY(fr__vrml_problem(vrml, type_name.begin, FR__UNKNOWN_MESSAGE, FR__SHOW(type_name)));
        type = &fr__inventor_unknown_type;
    }
    FR__TRY(fr__vrml_begin_node(vrml, type, name, type_name.begin));
    open_list(vrml);
    return FR_OK;
}

// NULL, USE, DEF, or a node. `word` was read already.
static fr_status parse_node_statement(fr__vrml *vrml, fr__span word) {
    fr__cursor *cursor = vrml->cursor;
    if (is_word(word, "NULL")) { return fr__vrml_deliver(vrml, NULL); }
    fr__span name = {"", 0};
    if (is_word(word, "USE")) {
        fr__vrml_gap(cursor);
        const char *at = cursor->at;
        fr__vnode *node;
        FR__TRY(fr__vrml_use(vrml, fr__vrml_any_name(vrml), at, &node));
        return fr__vrml_deliver(vrml, node);
    }
    if (is_word(word, "DEF")) {
        fr__vrml_gap(cursor);
        name = fr__vrml_any_name(vrml);
        if (name.length == 0) { return fr__vrml_unexpected(vrml, "a name after DEF"); }
        fr__vrml_gap(cursor);
        word = take_word(cursor);
        if (word.length == 0) { return fr__vrml_unexpected(vrml, "a node after DEF"); }
    }
    return parse_node(vrml, word, name);
}

static fr_status parse_value(fr__vrml *vrml, const fr__field *field, uint32_t number) {
    fr__cursor *cursor = vrml->cursor;
    fr__value value = {.at = cursor->at, .field = (uint16_t)number};
    if (begins_suffix(cursor)) {
        FR__TRY(parse_suffix(vrml, field->name, &value.is_redirect));
        return value.is_redirect ? fr__vrml_push_value(vrml, &value) : FR_OK;
    }
    if (field->type == FR__SFNODE) {
        fr__span word = take_word(cursor);
        if (word.length == 0) { return fr__vrml_unexpected(vrml, "a node"); }
        fr__vrml_top(vrml)->field = number;
        return parse_node_statement(vrml, word);
    }
    bool is_string = field->type == FR__SFSTRING || field->type == FR__MFSTRING;
    if (field->type == FR__SFENUM) {
        FR__TRY(parse_words(vrml, &value));
    } else if (is_string && !fr__at_byte(cursor, '"') && !fr__at_byte(cursor, '[')) {
        FR__TRY(parse_bare_string(vrml, &value));
    } else {
        FR__TRY(fr__vrml_value(vrml, field, false, &value));
    }
    value.field = (uint16_t)number;
    FR__TRY(parse_suffix(vrml, field->name, &value.is_redirect));
    return fr__vrml_push_value(vrml, &value);
}

// What stands between the braces of a node.
static fr_status parse_body(fr__vrml *vrml) {
    fr__cursor *cursor = vrml->cursor;
    if (fr__at_byte(cursor, '}')) {
        cursor->at++;
        return fr__vrml_end_node(vrml);
    }
    fr__span word = take_word(cursor);
    if (word.length == 0) { return fr__vrml_unexpected(vrml, "a field or a node"); }
    fr__open_frame *frame = fr__vrml_top(vrml);
    const fr__vtype *type = frame->node->type;
    uint32_t field = fr__field_find(type, word);
    bool is_list = field != FR_NONE && type->fields[field].type == FR__MFNODE;
    if (field != FR_NONE && !is_list) { return parse_value(vrml, &type->fields[field], field); }
    fr__vrml_gap(cursor);
    bool is_node = is_word(word, "DEF") || is_word(word, "USE") || is_word(word, "NULL") || fr__at_byte(cursor, '{');
    if (is_node) {
        if (!frame->in_list) {
            frame->field = FR_NONE;
            FR__TRY(fr__vrml_problem(vrml, word.begin, "%s is no group: the node in it is passed over", type->name));
        }
        return parse_node_statement(vrml, word);
    }
    // The fields of a node that is not known, or that has no effect, are not looked at.
    bool is_looked_at = type != &fr__inventor_unknown_type && type->field_count > 0;
    if (is_looked_at) {
        FR__TRY(fr__vrml_problem(vrml, word.begin, "%s has no field '%.*s', which is passed over", type->name,
                                 FR__SHOW(word)));
    }
    return skip_field(vrml, word);
}

static fr_status parse_root(fr__vrml *vrml) {
    fr__span word = take_word(vrml->cursor);
    return word.length > 0 ? parse_node_statement(vrml, word) : fr__vrml_unexpected(vrml, "a node");
}

fr_status fr__inventor_parse(fr__vrml *vrml) {
    fr__cursor *cursor = vrml->cursor;
    size_t file = vrml->frames.count;
    // Inventor makes up names such as +3: they are no reason for a warning.
    bool has_odd_name = vrml->has_odd_name;
    vrml->has_odd_name = true;
    for (;;) {
        fr__vrml_gap(cursor);
        FR__TRY(fr__cursor_check(cursor));
        if (fr__cursor_at_end(cursor)) { break; }
        FR__TRY(vrml->frames.count > file ? parse_body(vrml) : parse_root(vrml));
    }
    if (vrml->frames.count > file) { FR__TRY(fr__vrml_problem(vrml, cursor->at, "the file ends inside of a node")); }
    while (vrml->frames.count > file) {
        FR__TRY(fr__vrml_end_node(vrml));
    }
    vrml->has_odd_name = has_odd_name;
    return FR_OK;
}
