// Text in buffers of a fixed size that is never cut inside a UTF-8 character.
#ifndef FR_BASE_TEXT_H
#define FR_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

// Whether a byte continues a UTF-8 character that began before it.
static inline bool fr__text_continues(char byte) { return ((unsigned char)byte & 0xC0u) == 0x80u; }

// Removes from the end of a text of `length` bytes the character that a cut left incomplete. Returns the new length.
// Bytes that are no UTF-8 are left as they are.
size_t fr__text_drop_partial(char *text, size_t length);

// vsnprintf into `text` of `size` bytes (1 or more), cut at a whole character. Empty when the format cannot be written.
void fr__text_format(char *text, size_t size, const char *format, va_list arguments);

#endif
