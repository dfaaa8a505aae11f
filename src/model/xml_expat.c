// XML as text, by expat, whose memory comes from the caller's allocator. Expat's hooks have no pointer of the user's,
// so the allocator of the parser that is at work is kept for each thread, from making to freeing, which both happen on
// it; parsers may be made inside one another.
#include "xml.h"

#include <expat.h>
#include <stdint.h>

// Stands in front of each block: allocators want to know the size again.
typedef union head {
    struct {
        const fr_allocator *allocator;
        size_t size; // of all, this head too
    } block;
    max_align_t alignment;
} head;

static _Thread_local const fr_allocator *at_work;

static void *take(size_t size) {
    if (size > SIZE_MAX - sizeof(head)) { return NULL; }
    head *made = fr_allocate(at_work, size + sizeof(head), 1, _Alignof(head));
    if (made == NULL) { return NULL; }
    made->block.allocator = at_work;
    made->block.size = size + sizeof(head);
    return made + 1;
}

static void give_back(void *pointer) {
    if (pointer == NULL) { return; }
    head *made = (head *)pointer - 1;
    fr_deallocate(made->block.allocator, made, made->block.size, 1);
}

static void *take_again(void *pointer, size_t size) {
    void *larger = take(size);
    if (larger == NULL || pointer == NULL) { return larger; }
    size_t before = ((const head *)pointer - 1)->block.size - sizeof(head);
    memcpy(larger, pointer, before < size ? before : size);
    give_back(pointer);
    return larger;
}

static void XMLCALL on_begin(void *user, const XML_Char *name, const XML_Char **attributes) {
    const fr__xml *xml = user;
    // Some calls may still come after the parser was stopped.
    if (!xml->is_stopped) { xml->handlers.begin(xml->handlers.user, name, attributes); }
}

static void XMLCALL on_end(void *user, const XML_Char *name) {
    const fr__xml *xml = user;
    (void)name;
    if (!xml->is_stopped) { xml->handlers.end(xml->handlers.user); }
}

static void XMLCALL on_text(void *user, const XML_Char *text, int length) {
    const fr__xml *xml = user;
    if (!xml->is_stopped && length > 0) { xml->handlers.text(xml->handlers.user, text, (size_t)length); }
}

static void XMLCALL on_doctype(void *user, const XML_Char *name, const XML_Char *system, const XML_Char *public_id,
                               int has_internal) {
    const fr__xml *xml = user;
    (void)name, (void)system, (void)public_id, (void)has_internal;
    if (!xml->is_stopped) { xml->handlers.doctype(xml->handlers.user); }
}

static void XMLCALL on_entity(void *user, const XML_Char *name, int is_parameter, const XML_Char *value,
                              int value_length, const XML_Char *base, const XML_Char *system_id,
                              const XML_Char *public_id, const XML_Char *notation) {
    const fr__xml *xml = user;
    (void)name, (void)is_parameter, (void)value, (void)value_length, (void)base, (void)system_id, (void)public_id;
    (void)notation;
    if (!xml->is_stopped) { xml->handlers.entity(xml->handlers.user); }
}

fr_status fr__xml_create_text(fr__xml *xml, bool is_utf8) {
    static const XML_Memory_Handling_Suite suite = {take, take_again, give_back};
    const fr__xml_handlers *handlers = &xml->handlers;
    xml->before = at_work;
    at_work = xml->allocator;
    XML_Parser parser = XML_ParserCreate_MM(NULL, &suite, NULL);
    bool is_made = parser != NULL && (!is_utf8 || XML_SetEncoding(parser, "UTF-8") == XML_STATUS_OK);
    if (!is_made) {
        if (parser != NULL) { XML_ParserFree(parser); }
        at_work = xml->before;
        return FR_ERROR_MEMORY;
    }
    XML_SetUserData(parser, xml);
    XML_SetElementHandler(parser, on_begin, on_end);
    if (handlers->text != NULL) { XML_SetCharacterDataHandler(parser, on_text); }
    if (handlers->doctype != NULL) { XML_SetStartDoctypeDeclHandler(parser, on_doctype); }
    if (handlers->entity != NULL) { XML_SetEntityDeclHandler(parser, on_entity); }
    xml->parser = parser;
    return FR_OK;
}

void fr__xml_free_text(fr__xml *xml) {
    XML_ParserFree(xml->parser);
    at_work = xml->before;
}

fr_status fr__xml_parse_text(fr__xml *xml, const char *bytes, size_t size, bool is_last) {
    if (XML_Parse(xml->parser, bytes, (int)size, is_last) == XML_STATUS_OK) { return FR_OK; }
    if (xml->is_stopped) { return FR_ERROR_STOPPED; }
    enum XML_Error code = XML_GetErrorCode(xml->parser);
    xml->message = XML_ErrorString(code);
    return code == XML_ERROR_NO_MEMORY ? FR_ERROR_MEMORY : FR_ERROR_SYNTAX;
}

void fr__xml_stop_text(fr__xml *xml) { XML_StopParser(xml->parser, XML_FALSE); }

int64_t fr__xml_index_text(const fr__xml *xml) { return XML_GetCurrentByteIndex(xml->parser); }
