// UTF-8 of what the tool prints: counted and repaired.
#include "utf8.h"

#include "fureai/base.h"

#include <string.h>

size_t utf8_count(const char *text) {
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

void utf8_repair(const char *text, char *out, size_t size) {
    size_t left = strlen(text);
    size_t used = 0;
    while (left > 0) {
        size_t length = fr_utf8_length(text, left);
        const char *source = length > 0 ? text : UTF8_REPLACEMENT;
        size_t source_bytes = length > 0 ? length : strlen(UTF8_REPLACEMENT);
        if (used + source_bytes >= size) { break; }
        memcpy(out + used, source, source_bytes);
        used += source_bytes;
        text += length > 0 ? length : 1;
        left -= length > 0 ? length : 1;
    }
    out[used] = '\0';
}
