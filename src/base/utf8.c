// Lengths of valid UTF-8 sequences, and texts that are counted and repaired by them.
#include "fureai/base_drawing.h"

#include <string.h>

// U+FFFD, which stands for every byte that belongs to no character.
static const char replacement[] = "\xEF\xBF\xBD";

static bool is_continuation(unsigned char byte) { return (byte & 0xC0u) == 0x80u; }

// The second byte has a narrower range after some first bytes: this is what excludes overlong forms, surrogates and
// numbers that are too large.
static bool second_byte_fits(unsigned char first, unsigned char second) {
    switch (first) {
    case 0xE0: return second >= 0xA0 && second <= 0xBF;
    case 0xED: return second >= 0x80 && second <= 0x9F;
    case 0xF0: return second >= 0x90 && second <= 0xBF;
    case 0xF4: return second >= 0x80 && second <= 0x8F;
    default: return is_continuation(second);
    }
}

size_t fr_utf8_length(const char *text, size_t size) {
    const unsigned char *bytes = (const unsigned char *)text;
    if (size == 0) { return 0; }
    if (bytes[0] < 0x80) { return 1; }

    size_t length = 0;
    if (bytes[0] >= 0xC2 && bytes[0] <= 0xDF) { length = 2; }
    if (bytes[0] >= 0xE0 && bytes[0] <= 0xEF) { length = 3; }
    if (bytes[0] >= 0xF0 && bytes[0] <= 0xF4) { length = 4; }
    if (length == 0 || length > size || !second_byte_fits(bytes[0], bytes[1])) { return 0; }
    for (size_t i = 2; i < length; ++i) {
        if (!is_continuation(bytes[i])) { return 0; }
    }
    return length;
}

size_t fr_utf8_count(const char *text) {
    size_t count = 0;
    size_t left = strlen(text);
    while (left > 0) {
        size_t length = fr_utf8_length(text, left);
        if (length == 0) { length = 1; }
        text += length;
        left -= length;
        ++count;
    }
    return count;
}

void fr_utf8_repair(const char *text, char *out, size_t size) {
    size_t left = strlen(text);
    size_t used = 0;
    while (left > 0) {
        size_t length = fr_utf8_length(text, left);
        const char *source = length > 0 ? text : replacement;
        size_t source_bytes = length > 0 ? length : sizeof replacement - 1;
        if (used + source_bytes >= size) { break; }
        memcpy(out + used, source, source_bytes);
        used += source_bytes;
        text += length > 0 ? length : 1;
        left -= length > 0 ? length : 1;
    }
    out[used] = '\0';
}
