// Text in fixed buffers: formatted, cut at a whole UTF-8 character.
#include "base/text.h"

#include <stdio.h>

// Bytes of the character that begins with `byte`; 1 for a byte that begins none.
static size_t character_bytes(char byte) {
    unsigned lead = (unsigned char)byte;
    if ((lead & 0xE0u) == 0xC0u) { return 2; }
    if ((lead & 0xF0u) == 0xE0u) { return 3; }
    if ((lead & 0xF8u) == 0xF0u) { return 4; }
    return 1;
}

size_t fr__text_drop_partial(char *text, size_t length) {
    // A character has at most three continuing bytes, so its beginning is among the last four bytes, or there is none.
    for (size_t back = 1; back <= 4 && back <= length; ++back) {
        char byte = text[length - back];
        if (fr__text_continues(byte)) { continue; }
        if (character_bytes(byte) > back) {
            length -= back;
            text[length] = '\0';
        }
        break;
    }
    return length;
}

void fr__text_format(char *text, size_t size, const char *format, va_list arguments) {
    int length = vsnprintf(text, size, format, arguments);
    if (length < 0) {
        text[0] = '\0';
    } else if ((size_t)length >= size) {
        fr__text_drop_partial(text, size - 1);
    }
}
