// XML as a row of events: what is packed is read here, text by the parser of the build.
#include "xml.h"

enum { RECORD_BEGIN = 1, RECORD_END, RECORD_TEXT, RECORD_DOCTYPE };

// What is left of packed bytes.
typedef struct packed {
    const char *at, *end;
} packed;

static bool take_number(packed *bytes, uint32_t *out) {
    if (bytes->end - bytes->at < 4) { return false; }
    *out = 0;
    for (int i = 0; i < 4; i++) {
        *out |= (uint32_t)(unsigned char)bytes->at[i] << 8 * i;
    }
    bytes->at += 4;
    return true;
}

// A text that ends with a zero byte; NULL: it does not.
static const char *take_text(packed *bytes) {
    const char *text = bytes->at, *end = memchr(text, '\0', (size_t)(bytes->end - text));
    if (end != NULL) { bytes->at = end + 1; }
    return end != NULL ? text : NULL;
}

bool fr__xml_is_packed(const void *bytes, size_t size) {
    return size >= FR__XML_MARK_BYTES && memcmp(bytes, FR__XML_MARK, FR__XML_MARK_BYTES) == 0;
}

const char *fr__xml_packed_root(const void *bytes, size_t size) {
    if (!fr__xml_is_packed(bytes, size)) { return NULL; }
    packed all = {(const char *)bytes + FR__XML_MARK_BYTES, (const char *)bytes + size};
    while (all.at < all.end && *all.at == RECORD_DOCTYPE) {
        all.at++;
    }
    if (all.at == all.end || *all.at++ != RECORD_BEGIN) { return NULL; }
    return take_text(&all);
}

// ---------------------------------------------------------------------------------------------------------------
// Packed XML

static fr_status fail(fr__xml *xml, const char *message) {
    xml->message = message;
    return FR_ERROR_SYNTAX;
}

static fr_status parse_begin(fr__xml *xml, packed *bytes, fr__xml_text_array *attributes) {
    const char *name = take_text(bytes);
    uint32_t count;
    if (name == NULL || !take_number(bytes, &count)) { return fail(xml, "an element is cut short"); }
    attributes->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const char **pair = fr__xml_text_array_push(attributes, 2);
        if (pair == NULL) { return FR_ERROR_MEMORY; }
        pair[0] = take_text(bytes);
        pair[1] = pair[0] != NULL ? take_text(bytes) : NULL;
        if (pair[1] == NULL) { return fail(xml, "an attribute is cut short"); }
    }
    const char **last = fr__xml_text_array_push(attributes, 1);
    if (last == NULL) { return FR_ERROR_MEMORY; }
    *last = NULL;
    xml->handlers.begin(xml->handlers.user, name, attributes->data);
    return FR_OK;
}

static fr_status parse_record(fr__xml *xml, packed *bytes, fr__xml_text_array *attributes, uint64_t *depth) {
    const fr__xml_handlers *handlers = &xml->handlers;
    switch (*bytes->at++) {
    case RECORD_BEGIN: ++*depth; return parse_begin(xml, bytes, attributes);
    case RECORD_END:
        if (*depth == 0) { return fail(xml, "an element ends that did not begin"); }
        --*depth;
        handlers->end(handlers->user);
        return FR_OK;
    case RECORD_TEXT: {
        uint32_t size;
        if (!take_number(bytes, &size) || size > (size_t)(bytes->end - bytes->at)) {
            return fail(xml, "a text is cut short");
        }
        if (handlers->text != NULL) { handlers->text(handlers->user, bytes->at, size); }
        bytes->at += size;
        return FR_OK;
    }
    case RECORD_DOCTYPE:
        if (handlers->doctype != NULL) { handlers->doctype(handlers->user); }
        return FR_OK;
    default: return fail(xml, "an event of no known kind");
    }
}

static fr_status parse_packed(fr__xml *xml, const char *bytes, size_t size) {
    packed left = {bytes + FR__XML_MARK_BYTES, bytes + size};
    fr__xml_text_array attributes = fr__xml_text_array_make(xml->allocator);
    uint64_t depth = 0;
    fr_status status = FR_OK;
    bool is_empty = left.at == left.end;
    while (status == FR_OK && !xml->is_stopped && left.at < left.end) {
        status = parse_record(xml, &left, &attributes, &depth);
    }
    fr__xml_text_array_destroy(&attributes);
    if (status == FR_OK && xml->is_stopped) { return FR_ERROR_STOPPED; }
    if (status == FR_OK && (depth > 0 || is_empty)) { return fail(xml, "elements did not end"); }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Both

fr_status fr__xml_create(const fr_allocator *allocator, const void *bytes, size_t size, bool is_utf8,
                         const fr__xml_handlers *handlers, fr__xml *out) {
    *out = (fr__xml){.allocator = allocator, .handlers = *handlers};
    return fr__xml_is_packed(bytes, size) ? FR_OK : fr__xml_create_text(out, is_utf8);
}

void fr__xml_free(fr__xml *xml) {
    if (xml->parser != NULL) { fr__xml_free_text(xml); }
    xml->parser = NULL;
}

size_t fr__xml_piece(const fr__xml *xml, size_t left) {
    return xml->parser != NULL && left > FR__XML_PIECE_BYTES ? FR__XML_PIECE_BYTES : left;
}

fr_status fr__xml_parse(fr__xml *xml, const char *bytes, size_t size, bool is_last) {
    return xml->parser != NULL ? fr__xml_parse_text(xml, bytes, size, is_last) : parse_packed(xml, bytes, size);
}

void fr__xml_stop(fr__xml *xml) {
    xml->is_stopped = true;
    if (xml->parser != NULL) { fr__xml_stop_text(xml); }
}

int64_t fr__xml_index(const fr__xml *xml) { return xml->parser != NULL ? fr__xml_index_text(xml) : -1; }
