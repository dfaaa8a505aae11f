// XML as a row of events. The bytes are text, which expat parses where there is one, or packed XML: events that a
// caller's own parser found, such as the DOMParser of a web page, where expat is not.
//
// Packed XML is FR__XML_MARK and then records of a kind byte each: 1 an element begins (its name, how many attributes
// in four bytes, and of each its name and its value), 2 it ends, 3 text (its size in four bytes, and the text), 4 a
// document type. Names and values are UTF-8 and end with a zero byte; numbers have the lowest byte first.
#ifndef FUREAI_MODEL_XML_H
#define FUREAI_MODEL_XML_H

#include "fureai/base.h"

#include <string.h>

#define FR__XML_MARK                                                                                                   \
    "\x91"                                                                                                             \
    "FRXML\n\x01"
#define FR__XML_MARK_BYTES 8
#define FR__XML_PIECE_BYTES (256 * 1024)

// What is called; all but begin and end may be NULL. `attributes` are names and values by turns, NULL behind the last.
typedef struct fr__xml_handlers {
    void (*begin)(void *user, const char *name, const char **attributes);
    void (*end)(void *user);
    void (*text)(void *user, const char *text, size_t size); // in pieces
    void (*doctype)(void *user);
    void (*entity)(void *user); // a document declares one of its own
    void *user;
} fr__xml_handlers;

typedef struct fr__xml {
    const fr_allocator *allocator;
    fr__xml_handlers handlers;
    const char *message; // what is wrong with the XML, after FR_ERROR_SYNTAX
    bool is_stopped;
    void *parser;               // of expat; NULL: the bytes are packed
    const fr_allocator *before; // of the parser around this one
} fr__xml;

FR_ARRAY_TYPE(fr__xml_text_array, const char *);

// Whether bytes are packed XML.
bool fr__xml_is_packed(const void *bytes, size_t size);

// The name of the first element of packed XML, which ends with a zero byte; NULL: there is none.
const char *fr__xml_packed_root(const void *bytes, size_t size);

// Makes a parser for such bytes. `allocator` stays where it is until it is freed. FR_ERROR_MEMORY; FR_ERROR_UNSUPPORTED
// for text in a build without expat. `is_utf8`: whatever the text says of itself.
fr_status fr__xml_create(const fr_allocator *allocator, const void *bytes, size_t size, bool is_utf8,
                         const fr__xml_handlers *handlers, fr__xml *out);
void fr__xml_free(fr__xml *xml);

// How many of the bytes that are left are parsed at once.
size_t fr__xml_piece(const fr__xml *xml, size_t left);

// Parses a piece. FR_ERROR_STOPPED after fr__xml_stop, FR_ERROR_MEMORY, FR_ERROR_SYNTAX with the message.
fr_status fr__xml_parse(fr__xml *xml, const char *bytes, size_t size, bool is_last);

// Ends the parsing, from a handler, of which none is called any more.
void fr__xml_stop(fr__xml *xml);

// How many bytes stand before what the handler is called for; -1: not known.
int64_t fr__xml_index(const fr__xml *xml);

// The value of an attribute, or NULL.
static inline const char *fr__xml_attribute(const char **attributes, const char *name) {
    for (; attributes[0] != NULL; attributes += 2) {
        if (strcmp(attributes[0], name) == 0) { return attributes[1]; }
    }
    return NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// xml_expat.c, or xml_absent.c

fr_status fr__xml_create_text(fr__xml *xml, bool is_utf8);
void fr__xml_free_text(fr__xml *xml);
fr_status fr__xml_parse_text(fr__xml *xml, const char *bytes, size_t size, bool is_last);
void fr__xml_stop_text(fr__xml *xml);
int64_t fr__xml_index_text(const fr__xml *xml);

#endif
