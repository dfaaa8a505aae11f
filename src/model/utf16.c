// From UTF-16 to UTF-8.
#include "utf16.h"

#include <stdint.h>

#define REPLACEMENT UINT32_C(0xfffd)

fr__utf16 fr__utf16_find(const void *bytes, size_t size) {
    const unsigned char *b = bytes;
    if (size < 2) { return FR__UTF16_NONE; }
    if (b[0] == 0xff && b[1] == 0xfe) { return FR__UTF16_LITTLE; }
    if (b[0] == 0xfe && b[1] == 0xff) { return FR__UTF16_BIG; }
    if ((b[0] == '<' || b[0] == '#') && b[1] == 0) { return FR__UTF16_LITTLE; }
    if (b[0] == 0 && (b[1] == '<' || b[1] == '#')) { return FR__UTF16_BIG; }
    return FR__UTF16_NONE;
}

static uint32_t unit_at(const unsigned char *b, fr__utf16 order) {
    return order == FR__UTF16_LITTLE ? (uint32_t)b[0] | (uint32_t)b[1] << 8 : (uint32_t)b[1] | (uint32_t)b[0] << 8;
}

static size_t write_code(uint32_t code, char *text) {
    if (code < 0x80) {
        text[0] = (char)code;
        return 1;
    }
    size_t count = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char heads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = count; i-- > 1; code >>= 6) {
        text[i] = (char)(0x80 | (code & 0x3f));
    }
    text[0] = (char)(heads[count] | code);
    return count;
}

fr__utf16_output fr__utf16_decode(const void *bytes, size_t size, fr__utf16 order, char *text) {
    const unsigned char *b = bytes;
    fr__utf16_output out = {0, 0, false};
    size_t at = size >= 2 && unit_at(b, order) == 0xfeff ? 2 : 0;
    while (at < size) {
        bool is_whole = size - at >= 2;
        uint32_t code = is_whole ? unit_at(b + at, order) : REPLACEMENT;
        bool is_first = code >= 0xd800 && code < 0xdc00;
        uint32_t second = is_first && size - at >= 4 ? unit_at(b + at + 2, order) : 0;
        bool is_pair = second >= 0xdc00 && second < 0xe000;
        bool is_bad = !is_whole || (code >= 0xd800 && code < 0xe000 && !is_pair);
        if (is_pair) { code = 0x10000 + ((code - 0xd800) << 10) + (second - 0xdc00); }
        if (is_bad && !out.has_bad) {
            out.has_bad = true;
            out.bad_at = out.size;
        }
        out.size += write_code(is_bad ? REPLACEMENT : code, text + out.size);
        at += is_pair ? 4 : is_whole ? 2 : 1;
    }
    return out;
}
