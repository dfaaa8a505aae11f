// Numbers as a person types them.
#ifndef FUREAI_TOOL_NUMBER_H
#define FUREAI_TOOL_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Reads all `size` bytes of `text` as a decimal number. False for anything else: nothing at all, blanks, trailing
// characters, hexadecimal, words such as nan and inf, numbers too large for a double.
bool number_read(const char *text, size_t size, double *out);

// The same for whole numbers that fit in 64 bits; "1e3" and "1.0" are refused.
bool number_read_int(const char *text, size_t size, int64_t *out);

// Reads up to `limit` numbers with ',' or ';' between them, and returns how many there were; -1 when a piece is no
// number or there are more.
int number_read_list(const char *text, double *out, int limit);

// The shortest of 15, 16 or 17 digits that reads back as the same double, terminated. `value` is finite.
#define NUMBER_TEXT_BYTES 32
void number_write(double value, char text[NUMBER_TEXT_BYTES]);

#endif
