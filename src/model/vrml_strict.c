// What VRML97 forbids of names, fields, events, routes and prototypes (ISO/IEC 14772-1, clauses 4 and 5, annex A), for
// strict readings. Each check fails at the word that is wrong.
#include "vrml_strict.h"

#include <string.h>

bool fr__strict(const fr__vrml *vrml) {
    return vrml->reader->input->is_strict && !vrml->source->is_x3d && !vrml->source->is_inventor;
}

static bool is_same(fr__span a, fr__span b) { return a.length == b.length && memcmp(a.begin, b.begin, a.length) == 0; }

static bool is_prefixed(fr__span name) { return name.length > 4 && memcmp(name.begin, "set_", 4) == 0; }

static bool is_suffixed(fr__span name) {
    return name.length > 8 && memcmp(name.begin + name.length - 8, "_changed", 8) == 0;
}

// ---------------------------------------------------------------------------------------------------------------
// The first line and the encoding

// The length of a character of UTF-8; 0 where the bytes are none.
static size_t character_length(const unsigned char *at, size_t left) {
    size_t length = at[0] < 0x80 ? 1 : at[0] >= 0xc2 && at[0] < 0xe0 ? 2 : (at[0] & 0xf0) == 0xe0 ? 3 : 4;
    bool is_right = length <= left && at[0] < 0xf5 && (at[0] < 0x80 || at[0] >= 0xc2);
    for (size_t i = 1; is_right && i < length; i++) {
        is_right = (at[i] & 0xc0) == 0x80;
    }
    return is_right ? length : 0;
}

fr_status fr__strict_header(fr__vrml *vrml, const fr__source *source) {
    const fr__cursor *cursor = &source->cursor;
    if (!fr__strict(vrml)) { return FR_OK; }
    static const char head[] = "#VRML V2.0 utf8";
    size_t length = sizeof head - 1, size = (size_t)(cursor->end - cursor->begin);
    bool is_head = size >= length && memcmp(cursor->begin, head, length) == 0;
    is_head = is_head && (size == length || fr__is_space(cursor->begin[length]));
    if (!is_head) { return fr__vrml_problem(vrml, cursor->begin, "the first line is not '%s'", head); }
    const unsigned char *at = (const unsigned char *)cursor->begin, *end = at + size;
    while (at < end) {
        size_t count = character_length(at, (size_t)(end - at));
        if (count == 0) { return fr__vrml_problem(vrml, (const char *)at, "a byte is no character in UTF-8"); }
        at += count;
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Names and nodes

fr_status fr__strict_name(fr__vrml *vrml, fr__span name) {
    static const char *const words[] = {"DEF", "EXTERNPROTO", "FALSE", "IS",      "NULL",     "PROTO",        "ROUTE",
                                        "TO",  "TRUE",        "USE",   "eventIn", "eventOut", "exposedField", "field"};
    if (!fr__strict(vrml)) { return FR_OK; }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strlen(words[i]) == name.length && memcmp(words[i], name.begin, name.length) == 0) {
            return fr__vrml_problem(vrml, name.begin, "%s is a word of the language and no name", words[i]);
        }
    }
    for (size_t i = 0; i < name.length; i++) {
        bool is_digit = name.begin[i] >= '0' && name.begin[i] <= '9';
        bool is_sign = name.begin[i] == '+' || name.begin[i] == '-';
        if (fr__vrml_is_name_byte(name.begin[i]) && (i > 0 || (!is_digit && !is_sign))) { continue; }
        return fr__vrml_problem(vrml, name.begin, "'%.*s' is no name", FR__SHOW(name));
    }
    return FR_OK;
}

fr_status fr__strict_type(fr__vrml *vrml, const fr__vtype *type, fr__span name) {
    if (!fr__strict(vrml) || !type->is_x3d) { return FR_OK; }
    return fr__vrml_problem(vrml, name.begin, "the node %s is of X3D, not of VRML97", type->name);
}

// What a node can be used as: the field that takes it in XML; NULL where that is not known.
static const char *class_of(const fr__vtype *type) {
    for (int i = 0; type != NULL && type->kind == FR__KIND_PROTO && i < 64; i++) {
        const fr__proto *proto = type->proto->found != NULL ? type->proto->found : type->proto;
        type = proto->body != NULL ? proto->body->type : NULL;
    }
    return type != NULL && type->kind != FR__KIND_PROTO ? type->container : NULL;
}

fr_status fr__strict_slot(fr__vrml *vrml, const fr__vtype *type, const char *at) {
    const fr__open_frame *frame = fr__vrml_top(vrml);
    if (!fr__strict(vrml) || frame->kind != FR__FRAME_NODE || frame->field == FR_NONE) { return FR_OK; }
    const fr__vtype *holder = frame->node->type;
    if (holder->kind == FR__KIND_PROTO || holder->kind == FR__KIND_SCRIPT) { return FR_OK; }
    const fr__field *field = &holder->fields[frame->field];
    if (type == NULL) {
        bool is_allowed = !fr__is_many(field->type);
        return is_allowed ? FR_OK : fr__vrml_problem(vrml, at, "NULL is no node of a list");
    }
    const char *found = class_of(type);
    bool is_children = fr__is_many(field->type) || fr__span_is(field->name, "proxy");
    fr__span wanted = is_children ? (fr__span){"children", 8} : field->name;
    bool is_right = found == NULL || fr__span_is(wanted, found);
    // A movie has sound.
    if (fr__span_is(wanted, "source")) { is_right = is_right || strcmp(type->name, "MovieTexture") == 0; }
    if (is_right) { return FR_OK; }
    return fr__vrml_problem(vrml, at, "%s does not belong in %.*s of %s", type->name, FR__SHOW(field->name),
                            holder->name);
}

// ---------------------------------------------------------------------------------------------------------------
// Fields of nodes

// What a name means for a node: a field, or an event of an exposed field.
static fr__access access_by_name(const fr__vtype *type, uint32_t field, fr__span name) {
    if (is_same(type->fields[field].name, name)) { return type->fields[field].access; }
    return is_prefixed(name) ? FR__EVENT_IN : FR__EVENT_OUT;
}

// A field of a node, which is given once.
static fr_status check_once(fr__vrml *vrml, uint32_t field, fr__span name) {
    const fr__open_frame *frame = fr__vrml_top(vrml);
    const fr__value *values = fr__vrml_values_from(vrml, frame->first_value);
    for (size_t i = 0; i < vrml->values.count - frame->first_value; i++) {
        if (values[i].field != field) { continue; }
        return fr__vrml_problem(vrml, name.begin, "'%.*s' is given twice", FR__SHOW(name));
    }
    return FR_OK;
}

fr_status fr__strict_field(fr__vrml *vrml, uint32_t field, fr__span name, bool is_redirect) {
    if (!fr__strict(vrml) || field == FR_NONE) { return FR_OK; }
    const fr__vtype *type = fr__vrml_top(vrml)->node->type;
    if (type->fields[field].is_x3d) {
        return fr__vrml_problem(vrml, name.begin, "'%.*s' of %s is of X3D, not of VRML97", FR__SHOW(name), type->name);
    }
    fr__access access = access_by_name(type, field, name);
    if (is_redirect && (access == FR__EVENT_IN || access == FR__EVENT_OUT)) { return FR_OK; }
    if (access == FR__EVENT_IN || access == FR__EVENT_OUT) {
        return fr__vrml_problem(vrml, name.begin, "'%.*s' of %s is an event, which has no value", FR__SHOW(name),
                                type->name);
    }
    return check_once(vrml, field, name);
}

static const char *access_name(fr__access access) {
    static const char *const names[] = {"field", "exposedField", "eventIn", "eventOut"};
    return names[access];
}

// Which kinds of an interface may be those of a node's field (4.8.3, table 4.4).
static bool may_be(fr__access interface, fr__access inner) {
    return interface == inner || (inner == FR__EXPOSED && interface != FR__EXPOSED);
}

static fr_status check_redirect(fr__vrml *vrml, const fr__field *inner, fr__access access, fr__span interface) {
    if (vrml->protos_open == NULL) { return FR_OK; }
    const fr__vtype *type = &vrml->protos_open->type;
    uint32_t number = fr__field_find(type, interface);
    if (number == FR_NONE) { return FR_OK; }
    const fr__field *outer = &type->fields[number];
    if (outer->type != inner->type) {
        return fr__vrml_problem(vrml, interface.begin, "'%.*s' and '%.*s' are of different types",
                                FR__SHOW(inner->name), FR__SHOW(interface));
    }
    if (may_be(outer->access, access)) { return FR_OK; }
    return fr__vrml_problem(vrml, interface.begin, "the %s '%.*s' cannot be the %s '%.*s'", access_name(access),
                            FR__SHOW(inner->name), access_name(outer->access), FR__SHOW(interface));
}

fr_status fr__strict_redirect(fr__vrml *vrml, uint32_t field, fr__span name, fr__span interface) {
    if (!fr__strict(vrml) || field == FR_NONE) { return FR_OK; }
    const fr__vtype *type = fr__vrml_top(vrml)->node->type;
    return check_redirect(vrml, &type->fields[field], access_by_name(type, field, name), interface);
}

// ---------------------------------------------------------------------------------------------------------------
// Declarations of fields

// Types that only X3D has.
static bool is_x3d_type(fr__field_type type) {
    switch (type) {
    case FR__MFBOOL:
    case FR__SFCOLOR_ALPHA:
    case FR__MFCOLOR_ALPHA:
    case FR__SFDOUBLE:
    case FR__MFDOUBLE:
    case FR__MFIMAGE:
    case FR__SFMATRIX3:
    case FR__MFMATRIX3:
    case FR__SFMATRIX4:
    case FR__MFMATRIX4:
    case FR__SFVEC2D:
    case FR__MFVEC2D:
    case FR__SFVEC3D:
    case FR__MFVEC3D:
    case FR__SFVEC4F:
    case FR__MFVEC4F: return true;
    default: return false;
    }
}

// Whether two declarations claim one name: of an exposed field x, set_x and x_changed are its events.
static bool is_clash(const fr__field *a, const fr__field *b) {
    if (is_same(a->name, b->name)) { return true; }
    if (a->access != FR__EXPOSED) { return false; }
    fr__span rest = b->name;
    if (is_prefixed(rest) && is_same(a->name, (fr__span){rest.begin + 4, rest.length - 4})) { return true; }
    return is_suffixed(rest) && is_same(a->name, (fr__span){rest.begin, rest.length - 8});
}

static fr_status check_declaration(fr__vrml *vrml, const fr__field *fields, size_t count, const fr__field *field,
                                   fr__span word) {
    FR__TRY(fr__strict_name(vrml, field->name));
    bool is_own_word = strncmp(word.begin, access_name(field->access), word.length) == 0;
    if (!is_own_word || is_x3d_type(field->type)) {
        return fr__vrml_problem(vrml, word.begin, "a declaration of X3D, not of VRML97");
    }
    for (size_t i = 0; i < count; i++) {
        if (!is_clash(&fields[i], field) && !is_clash(field, &fields[i])) { continue; }
        return fr__vrml_problem(vrml, field->name.begin, "'%.*s' is declared twice", FR__SHOW(field->name));
    }
    return FR_OK;
}

fr_status fr__strict_interface(fr__vrml *vrml, const fr__field *field, fr__span word) {
    if (!fr__strict(vrml)) { return FR_OK; }
    const fr__field_array *fields = &fr__vrml_top(vrml)->proto->fields;
    return check_declaration(vrml, fields->data, fields->count, field, word);
}

fr_status fr__strict_script_field(fr__vrml *vrml, const fr__field *field, fr__span word) {
    if (!fr__strict(vrml)) { return FR_OK; }
    const fr__open_frame *frame = fr__vrml_top(vrml);
    const fr__vtype *type = frame->node->type;
    if (field->access == FR__EXPOSED) {
        return fr__vrml_problem(vrml, word.begin, "a Script declares no exposedField");
    }
    FR__TRY(check_declaration(vrml, type->fields, type->field_count, field, word));
    const fr__field *declared = vrml->script_fields.data;
    size_t first = frame->first_script_field, count = vrml->script_fields.count - first;
    FR__TRY(check_declaration(vrml, first > 0 ? declared + first : declared, count, field, word));
    fr__field *place = fr__field_array_push(&vrml->script_fields, 1);
    if (place == NULL) { return fr__vrml_memory(vrml); }
    *place = *field;
    return FR_OK;
}

fr_status fr__strict_script_redirect(fr__vrml *vrml, const fr__field *field, fr__span interface) {
    if (!fr__strict(vrml)) { return FR_OK; }
    if (vrml->protos_open == NULL) {
        return fr__vrml_problem(vrml, interface.begin, "IS stands outside of a prototype's body");
    }
    if (fr__field_find(&vrml->protos_open->type, interface) == FR_NONE) {
        return fr__vrml_problem(vrml, interface.begin, "the prototype %s has no field '%.*s'",
                                vrml->protos_open->type.name, FR__SHOW(interface));
    }
    return check_redirect(vrml, field, field->access, interface);
}

fr_status fr__strict_end_script(fr__vrml *vrml, const fr__open_frame *frame) {
    if (!fr__strict(vrml)) { return FR_OK; }
    const fr__vtype *type = frame->node->type;
    size_t first = frame->first_script_field, count = vrml->script_fields.count - first;
    fr__vtype *own = fr__vrml_alloc(vrml, 1, sizeof *own, _Alignof(fr__vtype));
    fr__field *fields = fr__vrml_alloc(vrml, type->field_count + count, sizeof *fields, _Alignof(fr__field));
    if (own == NULL || fields == NULL) { return fr__vrml_memory(vrml); }
    memcpy(fields, type->fields, type->field_count * sizeof *fields);
    if (count > 0) { memcpy(fields + type->field_count, vrml->script_fields.data + first, count * sizeof *fields); }
    *own = *type;
    own->fields = fields;
    own->field_count = (uint32_t)(type->field_count + count);
    frame->node->type = own;
    vrml->script_fields.count = first;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Routes

// The field of an event that goes out of a node or into it; NULL where there is none.
static const fr__field *find_event(const fr__vtype *type, fr__span name, fr__access access) {
    uint32_t number = fr__field_find_event(type, name);
    if (number == FR_NONE) { return NULL; }
    const fr__field *field = &type->fields[number];
    if (is_same(field->name, name)) { return field->access == access || field->access == FR__EXPOSED ? field : NULL; }
    bool is_event = field->access == FR__EXPOSED && access_by_name(type, number, name) == access;
    return is_event ? field : NULL;
}

fr_status fr__strict_route(fr__vrml *vrml, const fr__route *route) {
    if (!fr__strict(vrml)) { return FR_OK; }
    const fr__vtype *from_type = route->from->type, *to_type = route->to->type;
    const fr__field *from = find_event(from_type, route->from_field, FR__EVENT_OUT);
    if (from == NULL) {
        return fr__vrml_problem(vrml, route->from_field.begin, "%s has no eventOut '%.*s'", from_type->name,
                                FR__SHOW(route->from_field));
    }
    const fr__field *to = find_event(to_type, route->to_field, FR__EVENT_IN);
    if (to == NULL) {
        return fr__vrml_problem(vrml, route->to_field.begin, "%s has no eventIn '%.*s'", to_type->name,
                                FR__SHOW(route->to_field));
    }
    if (from->type == to->type) { return FR_OK; }
    return fr__vrml_problem(vrml, route->to_field.begin, "a route from %s%s to %s%s",
                            fr__is_many(from->type) ? "MF" : "SF", fr__field_kind_of(from->type)->name,
                            fr__is_many(to->type) ? "MF" : "SF", fr__field_kind_of(to->type)->name);
}

// ---------------------------------------------------------------------------------------------------------------
// Prototypes

fr_status fr__strict_body(fr__vrml *vrml, const fr__proto *proto) {
    if (!fr__strict(vrml) || proto->body != NULL) { return FR_OK; }
    return fr__vrml_problem(vrml, proto->at, "the body of the prototype %s has no node", proto->type.name);
}

fr_status fr__strict_extern(fr__vrml *vrml, const fr__proto *proto) {
    if (!vrml->reader->input->is_strict || proto->found == NULL) { return FR_OK; }
    const fr__vtype *found = &proto->found->type;
    for (uint32_t i = 0; i < proto->type.field_count; i++) {
        const fr__field *field = &proto->type.fields[i];
        uint32_t number = fr__field_find(found, field->name);
        const fr__field *other = number != FR_NONE ? &found->fields[number] : NULL;
        if (other != NULL && other->type == field->type && other->access == field->access) { continue; }
        return fr__vrml_problem(vrml, field->name.begin, "'%.*s' is not so in the prototype %s of the file",
                                FR__SHOW(field->name), found->name);
    }
    return FR_OK;
}
