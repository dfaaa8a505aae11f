// X3D in XML: its elements and attributes, fed to the same graph as the classic text.
#include "vrml.h"
#include "xml.h"

#include <string.h>

// What an open element is.
typedef enum element {
    ELEMENT_PLAIN,       // only what stands in it matters
    ELEMENT_NODE,        // has a frame
    ELEMENT_PROTO,       // a prototype whose body may be to come
    ELEMENT_BODY,        // of a prototype
    ELEMENT_EXTERN,      // a prototype of another file
    ELEMENT_FIELD_VALUE, // nodes in it belong to one field
} element;

FR_ARRAY_TYPE(element_array, element);

typedef struct x3d {
    fr__vrml *vrml;
    fr__xml xml;
    fr_status status;
    element_array elements;
    uint32_t skipping; // open elements that are passed over
    bool has_root;
} x3d;

static const char *place_now(const x3d *reader) {
    const fr__cursor *cursor = &reader->vrml->source->cursor;
    int64_t index = fr__xml_index(&reader->xml);
    size_t size = (size_t)(cursor->end - cursor->begin);
    if (index < 0) { return NULL; }
    return index > 0 && (uint64_t)index <= size ? cursor->begin + index : cursor->begin;
}

static fr__span span_of(const char *text) { return text != NULL ? (fr__span){text, strlen(text)} : (fr__span){"", 0}; }

// A text that lives as long as the graph.
static fr_status keep_text(fr__vrml *vrml, const char *text, fr__span *kept) {
    size_t length = text != NULL ? strlen(text) : 0;
    uint64_t limit = vrml->reader->builder.limits.string_bytes;
    if (length > limit) {
        return fr__vrml_fail(vrml, NULL, FR_ERROR_LIMIT, "a string of more than %llu bytes, the limit",
                             (unsigned long long)limit);
    }
    char *copy = fr__vrml_copy(vrml, text, length, 1, 1);
    if (copy == NULL) { return fr__vrml_memory(vrml); }
    *kept = (fr__span){copy, length};
    return FR_OK;
}

static fr_status push_element(x3d *reader, element kind) {
    element *place = element_array_push(&reader->elements, 1);
    if (place == NULL) { return fr__vrml_memory(reader->vrml); }
    *place = kind;
    return FR_OK;
}

static fr_status skip_element(x3d *reader) {
    reader->skipping = 1;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Values

// Reads an attribute's text as a value of a field.
static fr_status read_text(fr__vrml *vrml, const char *text, const fr__field *field, fr__value *value) {
    const fr__cursor *source = &vrml->source->cursor;
    fr__span span = span_of(text);
    fr__field as = *field;
    if (fr__field_kind_of(field->type)->storage == FR__STRINGS) {
        FR__TRY(keep_text(vrml, text, &span));
        // Many write one string of a list without its quotes.
        size_t start = 0;
        while (start < span.length && fr__is_space(span.begin[start])) {
            start++;
        }
        if (start < span.length && span.begin[start] != '"') { as.type = FR__SFSTRING; }
    }
    fr__cursor cursor = fr__cursor_make(span.begin, span.length, source->name, NULL, source->error);
    fr__cursor *outer = vrml->cursor;
    vrml->cursor = &cursor;
    fr_status status = fr__vrml_value(vrml, &as, true, value);
    vrml->cursor = outer;
    return status;
}

static fr_status push_text(fr__vrml *vrml, const char *text, const fr__field *field, uint32_t number) {
    if (fr__field_kind_of(field->type)->storage == FR__NODES) {
        bool is_null = text[0] == '\0' || strcmp(text, "NULL") == 0;
        return is_null ? FR_OK : fr__vrml_problem(vrml, NULL, "'%.*s' takes nodes, not text", FR__SHOW(field->name));
    }
    fr__value value;
    FR__TRY(read_text(vrml, text, field, &value));
    value.field = (uint16_t)number;
    return fr__vrml_push_value(vrml, &value);
}

static bool is_of_xml(const char *name) {
    static const char *const names[] = {"DEF", "USE", "containerField", "class", "id", "style", "name"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i], name) == 0) { return true; }
    }
    return strchr(name, ':') != NULL || strncmp(name, "xmlns", 5) == 0;
}

static fr_status read_attributes(fr__vrml *vrml, const fr__vtype *type, const char **attributes) {
    for (; attributes[0] != NULL; attributes += 2) {
        uint32_t field = fr__field_find(type, span_of(attributes[0]));
        if (field != FR_NONE && strcmp(attributes[0], "DEF") != 0) {
            FR__TRY(push_text(vrml, attributes[1], &type->fields[field], field));
        } else if (!is_of_xml(attributes[0])) {
            FR__TRY(fr__vrml_problem(vrml, NULL, "%s has no field '%.40s', which is passed over", type->name,
                                     attributes[0]));
        }
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Nodes

// Chooses the field of what is open that takes a node of a type.
static fr_status choose_field(x3d *reader, const fr__vtype *type, const char **attributes) {
    fr__vrml *vrml = reader->vrml;
    fr__open_frame *frame = fr__vrml_top(vrml);
    const element *elements = reader->elements.data;
    bool is_in_node = reader->elements.count > 0 && elements[reader->elements.count - 1] == ELEMENT_NODE;
    if (frame->kind != FR__FRAME_NODE || !is_in_node) { return FR_OK; }
    const char *wanted = fr__xml_attribute(attributes, "containerField"), *usual = type->container;
    if (frame->node->type->kind == FR__KIND_UNKNOWN) {
        bool is_child = strcmp(wanted != NULL ? wanted : usual, "children") == 0;
        frame->field = is_child ? FR__UNKNOWN_CHILDREN : FR__UNKNOWN_OTHERS;
        return FR_OK;
    }
    // An instance goes where its body's first node would.
    if (type->proto != NULL && type->proto->body != NULL) { usual = type->proto->body->type->container; }
    // Joints of a body belong to its skeleton, though they say children as those of other joints do.
    bool is_of_body = frame->node->type->kind == FR__KIND_HUMANOID && strncmp(type->name, "HAnim", 5) == 0;
    const char *const names[] = {wanted, usual, is_of_body ? "skeleton" : "children"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (names[i] == NULL) { continue; }
        frame->field = fr__field_find(frame->node->type, span_of(names[i]));
        if (frame->field == FR_NONE) { continue; }
        if (fr__field_kind_of(frame->node->type->fields[frame->field].type)->storage == FR__NODES) { return FR_OK; }
    }
    frame->field = FR_NONE;
    if (strcmp(type->container, "metadata") == 0) { return FR_OK; }
    return fr__vrml_problem(vrml, NULL, "%s does not belong in %s", type->name, frame->node->type->name);
}

static fr_status begin_node(x3d *reader, const char *type_name, const char **attributes) {
    fr__vrml *vrml = reader->vrml;
    const char *use = fr__xml_attribute(attributes, "USE"), *def = fr__xml_attribute(attributes, "DEF");
    const fr__vtype *type = fr__vrml_type(vrml, span_of(type_name));
    if (type == NULL) {
        FR__TRY(fr__vrml_problem(vrml, NULL, FR__UNKNOWN_MESSAGE, FR__SHOW(span_of(type_name))));
        type = &fr__unknown_type;
    }
    FR__TRY(choose_field(reader, type, attributes));
    if (use != NULL) {
        fr__vnode *node;
        FR__TRY(fr__vrml_use(vrml, span_of(use), NULL, &node));
        FR__TRY(fr__vrml_deliver(vrml, node));
        return skip_element(reader);
    }
    FR__TRY(push_element(reader, ELEMENT_NODE));
    FR__TRY(fr__vrml_begin_node(vrml, type, span_of(def), vrml->place));
    bool has_fields = type->kind != FR__KIND_PROTO && type->kind != FR__KIND_UNKNOWN;
    return has_fields ? read_attributes(vrml, type, attributes) : FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Prototypes

static fr_status begin_proto(x3d *reader, const char **attributes, element kind) {
    const char *name = fr__xml_attribute(attributes, "name");
    fr__vrml *vrml = reader->vrml;
    if (name == NULL) {
        FR__TRY(fr__vrml_problem(vrml, NULL, "a prototype without a name is passed over"));
        return skip_element(reader);
    }
    FR__TRY(push_element(reader, kind));
    FR__TRY(fr__proto_begin(vrml, span_of(name), vrml->place));
    if (kind != ELEMENT_EXTERN) { return FR_OK; }
    static const fr__field url = {{"url", 3}, FR__MFSTRING, FR__FIELD, {0.0f}, false, false};
    const char *text = fr__xml_attribute(attributes, "url");
    fr__value value = {.count = 0};
    if (text != NULL) { FR__TRY(read_text(vrml, text, &url, &value)); }
    fr__vrml_top(vrml)->proto->urls = value.strings;
    fr__vrml_top(vrml)->proto->url_count = value.count;
    return FR_OK;
}

// A field that a prototype's interface or a Script declares.
static fr_status begin_field(x3d *reader, const char **attributes) {
    fr__vrml *vrml = reader->vrml;
    fr__open_frame *frame = fr__vrml_top(vrml);
    const char *text = fr__xml_attribute(attributes, "value");
    fr__field field = {.type = fr__field_type_find(span_of(fr__xml_attribute(attributes, "type")))};
    bool is_right = fr__access_find(span_of(fr__xml_attribute(attributes, "accessType")), &field.access) &&
                    field.type != FR__FIELD_TYPE_COUNT && fr__xml_attribute(attributes, "name") != NULL;
    bool is_script = frame->kind == FR__FRAME_NODE && frame->node->type->kind == FR__KIND_SCRIPT;
    if (!is_right || (frame->kind != FR__FRAME_INTERFACE && !is_script)) {
        FR__TRY(fr__vrml_problem(vrml, NULL, "a field without type, access and name, or out of place, is passed over"));
        return skip_element(reader);
    }
    FR__TRY(push_element(reader, ELEMENT_FIELD_VALUE));
    if (is_script) {
        frame->field = frame->node->type->field_count - 1;
        return FR_OK;
    }
    FR__TRY(keep_text(vrml, fr__xml_attribute(attributes, "name"), &field.name));
    FR__TRY(fr__proto_add_field(vrml, &field));
    bool has_value = text != NULL && (field.access == FR__FIELD || field.access == FR__EXPOSED);
    return has_value ? push_text(vrml, text, &field, fr__vrml_top(vrml)->field) : FR_OK;
}

static fr_status begin_field_value(x3d *reader, const char **attributes) {
    fr__vrml *vrml = reader->vrml;
    fr__open_frame *frame = fr__vrml_top(vrml);
    const char *name = fr__xml_attribute(attributes, "name"), *text = fr__xml_attribute(attributes, "value");
    uint32_t field = FR_NONE;
    if (frame->kind == FR__FRAME_NODE) { field = fr__field_find(frame->node->type, span_of(name)); }
    if (frame->kind == FR__FRAME_NODE && frame->node->type->kind == FR__KIND_UNKNOWN) {
        frame->field = field == FR__UNKNOWN_CHILDREN ? field : FR__UNKNOWN_OTHERS;
        return push_element(reader, ELEMENT_FIELD_VALUE);
    }
    if (field == FR_NONE) {
        FR__TRY(fr__vrml_problem(vrml, NULL, "'%.40s' is no field of the prototype", name != NULL ? name : ""));
        return skip_element(reader);
    }
    FR__TRY(push_element(reader, ELEMENT_FIELD_VALUE));
    frame->field = field;
    return text != NULL ? push_text(vrml, text, &frame->node->type->fields[field], field) : FR_OK;
}

static fr_status begin_connect(x3d *reader, const char **attributes) {
    fr__vrml *vrml = reader->vrml;
    fr__open_frame *frame = fr__vrml_top(vrml);
    FR__TRY(push_element(reader, ELEMENT_PLAIN));
    if (frame->kind != FR__FRAME_NODE || frame->node->type->kind == FR__KIND_SCRIPT) { return FR_OK; }
    fr__span name = span_of(fr__xml_attribute(attributes, "nodeField"));
    if (frame->node->type->kind == FR__KIND_UNKNOWN) {
        uint32_t held = fr__span_is(name, "children") ? FR__UNKNOWN_CHILDREN : FR__UNKNOWN_OTHERS;
        return fr__vrml_redirect_unknown(vrml, held, span_of(fr__xml_attribute(attributes, "protoField")), vrml->place);
    }
    uint32_t field = fr__field_find_event(frame->node->type, name);
    if (field == FR_NONE) {
        return fr__vrml_problem(vrml, NULL, "%s has no field '%.*s'", frame->node->type->name, FR__SHOW(name));
    }
    fr__span interface;
    FR__TRY(keep_text(vrml, fr__xml_attribute(attributes, "protoField"), &interface));
    return fr__vrml_redirect(vrml, field, interface, vrml->place);
}

static fr_status begin_route(x3d *reader, const char **attributes) {
    fr__vrml *vrml = reader->vrml;
    fr__awaiting route = {.at = vrml->place};
    FR__TRY(push_element(reader, ELEMENT_PLAIN));
    FR__TRY(keep_text(vrml, fr__xml_attribute(attributes, "fromNode"), &route.from));
    FR__TRY(keep_text(vrml, fr__xml_attribute(attributes, "fromField"), &route.from_field));
    FR__TRY(keep_text(vrml, fr__xml_attribute(attributes, "toNode"), &route.to));
    FR__TRY(keep_text(vrml, fr__xml_attribute(attributes, "toField"), &route.to_field));
    return fr__vrml_route(vrml, &route);
}

// ---------------------------------------------------------------------------------------------------------------
// Elements

static fr_status begin_element(x3d *reader, const char *name, const char **attributes) {
    fr__vrml *vrml = reader->vrml;
    if (!reader->has_root && strcmp(name, "X3D") != 0) {
        return fr__vrml_fail(vrml, vrml->place, FR_ERROR_UNSUPPORTED, "XML of <%.40s>, not of X3D", name);
    }
    reader->has_root = true;
    if (strcmp(name, "X3D") == 0 || strcmp(name, "Scene") == 0 || strcmp(name, "ProtoInterface") == 0 ||
        strcmp(name, "IS") == 0) {
        return push_element(reader, ELEMENT_PLAIN);
    }
    if (strcmp(name, "head") == 0 || strcmp(name, "IMPORT") == 0 || strcmp(name, "EXPORT") == 0) {
        return skip_element(reader);
    }
    if (strcmp(name, "ROUTE") == 0) { return begin_route(reader, attributes); }
    if (strcmp(name, "field") == 0) { return begin_field(reader, attributes); }
    if (strcmp(name, "fieldValue") == 0) { return begin_field_value(reader, attributes); }
    if (strcmp(name, "connect") == 0) { return begin_connect(reader, attributes); }
    if (strcmp(name, "ProtoDeclare") == 0) { return begin_proto(reader, attributes, ELEMENT_PROTO); }
    if (strcmp(name, "ExternProtoDeclare") == 0) { return begin_proto(reader, attributes, ELEMENT_EXTERN); }
    if (strcmp(name, "ProtoBody") == 0 && fr__vrml_top(vrml)->kind == FR__FRAME_INTERFACE) {
        FR__TRY(push_element(reader, ELEMENT_BODY));
        return fr__proto_begin_body(vrml);
    }
    if (strcmp(name, "ProtoInstance") == 0) {
        const char *type = fr__xml_attribute(attributes, "name");
        // An instance that is used again may go without the name of its prototype.
        bool is_use = fr__xml_attribute(attributes, "USE") != NULL && type == NULL;
        return begin_node(reader, is_use ? "Group" : type != NULL ? type : "", attributes);
    }
    return begin_node(reader, name, attributes);
}

static fr_status end_element(x3d *reader) {
    fr__vrml *vrml = reader->vrml;
    if (reader->elements.count == 0) { return FR_OK; }
    element kind = reader->elements.data[--reader->elements.count];
    // What is wrong with a whole node is reported where the node or its field begins.
    vrml->place = NULL;
    switch (kind) {
    case ELEMENT_NODE: return fr__vrml_end_node(vrml);
    case ELEMENT_FIELD_VALUE:
        if (fr__vrml_top(vrml)->kind == FR__FRAME_NODE) { fr__vrml_top(vrml)->field = FR_NONE; }
        return FR_OK;
    case ELEMENT_EXTERN: {
        const fr__proto *proto = fr__vrml_top(vrml)->proto;
        return fr__proto_end_extern(vrml, proto->urls, proto->url_count);
    }
    case ELEMENT_BODY: return FR_OK; // ended with the prototype
    case ELEMENT_PROTO:
        if (fr__vrml_top(vrml)->kind == FR__FRAME_INTERFACE) { FR__TRY(fr__proto_begin_body(vrml)); }
        return fr__proto_end_body(vrml);
    case ELEMENT_PLAIN: break;
    }
    return FR_OK;
}

static void stop_on(x3d *reader, fr_status status) {
    if (status == FR_OK) { return; }
    reader->status = status;
    fr__xml_stop(&reader->xml);
}

static void on_begin(void *context, const char *name, const char **attributes) {
    x3d *reader = context;
    if (reader->status != FR_OK) { return; }
    if (reader->skipping > 0) {
        reader->skipping++;
        return;
    }
    reader->vrml->place = place_now(reader);
    stop_on(reader, begin_element(reader, name, attributes));
}

static void on_end(void *context) {
    x3d *reader = context;
    if (reader->status != FR_OK) { return; }
    if (reader->skipping > 0) {
        reader->skipping--;
        return;
    }
    stop_on(reader, end_element(reader));
}

// Entities of a file's own can make much of little; models have none.
static void on_entity(void *context) {
    x3d *reader = context;
    if (reader->status != FR_OK) { return; }
    stop_on(reader, fr__vrml_fail(reader->vrml, place_now(reader), FR_ERROR_UNSUPPORTED,
                                  "entities that a file declares for itself are not read"));
}

// ---------------------------------------------------------------------------------------------------------------
// The file

// What the parser found wrong with the XML. A strict reader ends; otherwise what stands before it is kept.
static fr_status fail_xml(x3d *reader, fr_status status) {
    fr__vrml *vrml = reader->vrml;
    if (reader->status != FR_OK) { return reader->status; }
    if (status == FR_ERROR_MEMORY) { return fr__vrml_memory(vrml); }
    const char *text = reader->xml.message, *at = place_now(reader);
    vrml->place = NULL;
    if (!reader->has_root) { return fr__vrml_fail(vrml, at, FR_ERROR_SYNTAX, "the XML is wrong: %s", text); }
    return fr__vrml_problem(vrml, at, "the XML is wrong: %s; the rest is passed over", text);
}

static fr_status parse_pieces(x3d *reader) {
    fr__cursor *cursor = reader->vrml->cursor;
    cursor->at = cursor->begin;
    do {
        FR__TRY(fr__cursor_check(cursor));
        size_t left = fr__cursor_left(cursor), piece = fr__xml_piece(&reader->xml, left);
        fr_status status = fr__xml_parse(&reader->xml, cursor->at, piece, piece == left);
        if (status != FR_OK) { return fail_xml(reader, status); }
        cursor->at += piece;
    } while (!fr__cursor_at_end(cursor));
    return reader->status;
}

fr_status fr__x3d_parse(fr__vrml *vrml) {
    const fr__cursor *cursor = vrml->cursor;
    const fr_allocator *allocator = &vrml->reader->builder.allocator;
    x3d reader = {.vrml = vrml, .elements = element_array_make(allocator)};
    const fr__xml_handlers handlers = {.begin = on_begin, .end = on_end, .entity = on_entity, .user = &reader};
    fr_status status = fr__xml_create(allocator, cursor->begin, (size_t)(cursor->end - cursor->begin),
                                      vrml->source->is_utf16, &handlers, &reader.xml);
    if (status == FR_ERROR_UNSUPPORTED) {
        return fr__vrml_fail(
            vrml, cursor->begin, status,
            "this build reads no XML: save the file as VRML97 (.wrl) or X3D in VRML's notation (.x3dv)");
    }
    if (status != FR_OK) { return fr__vrml_memory(vrml); }
    status = parse_pieces(&reader);
    // What the file left open ends with it.
    reader.skipping = 0;
    while (status == FR_OK && reader.elements.count > 0) {
        status = end_element(&reader);
    }
    vrml->place = NULL;
    element_array_destroy(&reader.elements);
    fr__xml_free(&reader.xml);
    return status;
}
