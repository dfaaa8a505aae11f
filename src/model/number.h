// Decimal numbers in text: read to the nearest float or double, written with the fewest digits that read back to the
// same bits. No locale, no allocation.
#ifndef FUREAI_MODEL_NUMBER_H
#define FUREAI_MODEL_NUMBER_H

#include <stddef.h>
#include <stdint.h>

typedef enum fr__number_result {
    FR__NUMBER_OK,
    FR__NUMBER_MISSING, // no digit where a number should be
    FR__NUMBER_NAMED,   // nan or inf, in any spelling
    FR__NUMBER_HUGE     // rounds to infinity
} fr__number_result;

// Reads [+-] digits [. digits] [e [+-] digits] with at least one digit before the exponent, as much of it as stands
// between *at and `end`, and moves *at past it; .5, 5. and 1e+05 are numbers. Rounds to nearest, ties to even; what is
// too small becomes a subnormal or a zero of its sign. On any other result *at and *value are unchanged.
fr__number_result fr__read_double(const char **at, const char *end, double *value);
fr__number_result fr__read_float(const char **at, const char *end, float *value);

// A whole number with optional sign, saturated at +-2^62; false, and *at unchanged, when there is no digit.
int fr__read_integer(const char **at, const char *end, int64_t *value);

// digits * 10^exponent rounded to nearest, and infinity where that is too large.
double fr__compose_double(uint64_t digits, int exponent);
float fr__compose_float(uint64_t digits, int exponent);

#define FR__NUMBER_BYTES 32

// Writes a finite number, without a terminator, and returns its length. It has the fewest digits that read back to the
// same bits (at a power of two now and then one more), as 0.001, 12.5, 1e-7 or 3.4e38.
size_t fr__write_double(double value, char text[FR__NUMBER_BYTES]);
size_t fr__write_float(float value, char text[FR__NUMBER_BYTES]);
size_t fr__write_integer(uint64_t value, char text[FR__NUMBER_BYTES]);

#endif
