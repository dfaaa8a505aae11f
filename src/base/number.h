// Decimal numbers: what the reader and the writer share.
#ifndef FR_BASE_NUMBER_H
#define FR_BASE_NUMBER_H

#include "fureai/base.h"

// digits * 10^exponent rounded to nearest, and infinity where that is too large.
double fr__number_compose_double(uint64_t digits, int exponent);
float fr__number_compose_float(uint64_t digits, int exponent);

#endif
