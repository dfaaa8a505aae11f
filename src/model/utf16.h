// Text in UTF-16, which XML may be in, as UTF-8.
#ifndef FUREAI_MODEL_UTF16_H
#define FUREAI_MODEL_UTF16_H

#include <stdbool.h>
#include <stddef.h>

typedef enum fr__utf16 { FR__UTF16_NONE, FR__UTF16_LITTLE, FR__UTF16_BIG } fr__utf16;

// The byte order of text in UTF-16: by its mark, or by a first character < or #, with which XML and VRML begin.
fr__utf16 fr__utf16_find(const void *bytes, size_t size);

// The bytes that the text takes at most in UTF-8.
static inline size_t fr__utf16_bound(size_t size) { return size / 2 * 3 + 3; }

typedef struct fr__utf16_output {
    size_t size;   // bytes written
    size_t bad_at; // where in them the first character stands that is none, U+FFFD instead of it
    bool has_bad;
} fr__utf16_output;

// Writes the text without its mark in UTF-8. There is room for fr__utf16_bound bytes.
fr__utf16_output fr__utf16_decode(const void *bytes, size_t size, fr__utf16 order, char *text);

#endif
