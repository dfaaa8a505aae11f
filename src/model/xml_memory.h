// A parser of expat whose memory comes from the caller's allocator. Expat's hooks have no pointer of the user's, so the
// allocator of the parser that is at work is kept for each thread, from making to freeing, which both happen on it;
// parsers may be made inside one another.
#ifndef FUREAI_MODEL_XML_MEMORY_H
#define FUREAI_MODEL_XML_MEMORY_H

#include "fureai/base.h"

#include <expat.h>
#include <string.h>

typedef struct fr__xml {
    XML_Parser parser;          // NULL when there was no memory
    const fr_allocator *before; // of the parser around this one
} fr__xml;

// `allocator` stays where it is until the parser is freed. Free it whether or not there is a parser.
fr__xml fr__xml_create(const fr_allocator *allocator);
void fr__xml_free(fr__xml *xml);

// The value of an attribute, or NULL.
static inline const char *fr__xml_attribute(const XML_Char **attributes, const char *name) {
    for (; attributes[0] != NULL; attributes += 2) {
        if (strcmp(attributes[0], name) == 0) { return attributes[1]; }
    }
    return NULL;
}

#endif
