// UTF-8 text that came from outside and may be broken.
#ifndef FUREAI_TOOL_UTF8_H
#define FUREAI_TOOL_UTF8_H

#include <stddef.h>

// U+FFFD, which stands for every byte that belongs to no character.
#define UTF8_REPLACEMENT "\xEF\xBF\xBD"

// Characters of a terminated text; a byte that belongs to none counts as one.
size_t utf8_count(const char *text);

// Copies a terminated text into `out` of `size` bytes (at least 1), each broken byte replaced, cut at a whole
// character, always terminated.
void utf8_repair(const char *text, char *out, size_t size);

#endif
