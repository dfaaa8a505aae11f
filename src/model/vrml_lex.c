// The lexis of VRML97 and classic X3D: white space with commas and comments, names, strings, groups in brackets.
#include "vrml.h"

void fr__vrml_gap(fr__cursor *cursor) {
    const char *at = cursor->at, *end = cursor->end;
    for (; at < end; at++) {
        if (fr__is_space(*at) || *at == ',') { continue; }
        if (*at != '#') { break; }
        while (at + 1 < end && !fr__is_line_end(at[1])) {
            at++;
        }
    }
    cursor->at = at;
}

bool fr__vrml_is_name_byte(char c) {
    if (fr__is_space(c)) { return false; }
    switch (c) {
    case '"':
    case '#':
    case '\'':
    case ',':
    case '.':
    case '[':
    case '\\':
    case ']':
    case '{':
    case '}':
    case '\x7f': return false;
    default: return true;
    }
}

static bool is_first_byte(char c) {
    return fr__vrml_is_name_byte(c) && !(c >= '0' && c <= '9') && c != '+' && c != '-';
}

fr__span fr__vrml_name(fr__vrml *vrml) {
    fr__cursor *cursor = vrml->cursor;
    const char *begin = cursor->at;
    if (begin >= cursor->end || !is_first_byte(*begin)) { return (fr__span){begin, 0}; }
    const char *at = begin;
    while (at < cursor->end && fr__vrml_is_name_byte(*at)) {
        at++;
    }
    cursor->at = at;
    return (fr__span){begin, (size_t)(at - begin)};
}

// Exporters write names such as -+x and box.1, which break no other rule: everything up to a space or bracket is taken.
fr__span fr__vrml_any_name(fr__vrml *vrml) {
    fr__cursor *cursor = vrml->cursor;
    const char *begin = cursor->at, *at = begin;
    bool is_odd = begin < cursor->end && !is_first_byte(*begin);
    for (; at < cursor->end && !fr__is_space(*at) && *at != ',' && *at != '"'; at++) {
        if (*at == '[' || *at == ']' || *at == '{' || *at == '}') { break; }
        is_odd = is_odd || !fr__vrml_is_name_byte(*at);
    }
    cursor->at = at;
    fr__span name = {begin, (size_t)(at - begin)};
    if (is_odd && name.length > 0 && !vrml->has_odd_name) {
        vrml->has_odd_name = true;
        fr__vrml_warn(vrml, begin, "'%.*s' is taken for a name, which it may not be", FR__SHOW(name));
    }
    return name;
}

// The text between the quotes without its escapes.
static fr_status unescape(fr__vrml *vrml, fr__span *string) {
    char *copy = fr__vrml_alloc(vrml, string->length, 1, 1);
    if (copy == NULL) { return fr__vrml_memory(vrml); }
    size_t length = 0;
    for (size_t i = 0; i < string->length; i++) {
        if (string->begin[i] == '\\' && i + 1 < string->length) { i++; }
        copy[length++] = string->begin[i];
    }
    *string = (fr__span){copy, length};
    return FR_OK;
}

fr_status fr__vrml_string(fr__vrml *vrml, fr__span *string) {
    fr__cursor *cursor = vrml->cursor;
    const char *begin = cursor->at + 1, *at = begin;
    bool has_escape = false;
    for (; at < cursor->end && *at != '"'; at++) {
        if (*at == '\\' && at + 1 < cursor->end) {
            has_escape = true;
            at++;
        }
    }
    *string = (fr__span){begin, (size_t)(at - begin)};
    const char *opened_at = cursor->at;
    cursor->at = at < cursor->end ? at + 1 : at;
    uint64_t limit = vrml->reader->builder.limits.string_bytes;
    if (string->length > limit) {
        return fr__vrml_fail(vrml, opened_at, FR_ERROR_LIMIT, "a string of more than %llu bytes, the limit",
                             (unsigned long long)limit);
    }
    if (at >= cursor->end) { FR__TRY(fr__vrml_problem(vrml, opened_at, "a string is not closed")); }
    return has_escape ? unescape(vrml, string) : FR_OK;
}

fr_status fr__vrml_skip_group(fr__vrml *vrml) {
    fr__cursor *cursor = vrml->cursor;
    const char *opened_at = cursor->at;
    uint64_t depth = 0;
    do {
        fr__vrml_gap(cursor);
        FR__TRY(fr__cursor_check(cursor));
        if (fr__cursor_at_end(cursor)) { return fr__vrml_problem(vrml, opened_at, "a bracket is not closed"); }
        char c = *cursor->at;
        if (c == '"') {
            fr__span string;
            FR__TRY(fr__vrml_string(vrml, &string));
            continue;
        }
        depth += c == '{' || c == '[';
        depth -= c == '}' || c == ']';
        cursor->at++;
    } while (depth > 0);
    return FR_OK;
}

static bool is_number_byte(char c) { return (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.'; }

// A value of an unknown type: a group, a string, numbers up to what is none, a word, a node.
fr_status fr__vrml_skip_value(fr__vrml *vrml) {
    fr__cursor *cursor = vrml->cursor;
    fr__vrml_gap(cursor);
    if (fr__cursor_at_end(cursor)) { return FR_OK; }
    if (*cursor->at == '[') { return fr__vrml_skip_group(vrml); }
    if (*cursor->at == '"') {
        fr__span string;
        return fr__vrml_string(vrml, &string);
    }
    if (is_number_byte(*cursor->at)) {
        for (; !fr__cursor_at_end(cursor) && is_number_byte(*cursor->at); fr__vrml_gap(cursor)) {
            fr__vrml_any_name(vrml);
        }
        return FR_OK;
    }
    const char *start = cursor->at;
    fr__span word = fr__vrml_name(vrml);
    if (fr__span_is(word, "TRUE") || fr__span_is(word, "FALSE") || fr__span_is(word, "NULL")) { return FR_OK; }
    fr__vrml_gap(cursor);
    if (fr__span_is(word, "USE") || fr__span_is(word, "IS")) {
        fr__vrml_any_name(vrml);
        return FR_OK;
    }
    if (fr__span_is(word, "DEF")) {
        fr__vrml_any_name(vrml);
        fr__vrml_gap(cursor);
        fr__vrml_name(vrml);
        fr__vrml_gap(cursor);
    }
    if (!fr__cursor_at_end(cursor) && *cursor->at == '{') { return fr__vrml_skip_group(vrml); }
    // The name of the next field: there was no value.
    cursor->at = start;
    return FR_OK;
}

fr_status fr__vrml_unexpected(fr__vrml *vrml, const char *expected) {
    fr__cursor *cursor = vrml->cursor;
    char found[FR__FOUND_BYTES];
    fr__cursor_found(cursor, found);
    const char *at = cursor->at;
    if (fr__vrml_any_name(vrml).length == 0 && !fr__cursor_at_end(cursor)) { cursor->at++; }
    return fr__vrml_problem(vrml, at, "expected %s, found %s", expected,
                            at < cursor->end ? found : "the end of the file");
}
