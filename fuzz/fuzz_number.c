// Any bytes as a decimal number: read as the C library reads it, written so that it reads back to the same bits.
#include "fureai/base.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds) { abort(); }
}

static void check_double(const char *text, const char *at, const char *end, fr_number_result result, double value) {
    char *stop;
    double expected = strtod(text, &stop);
    if (result == FR_NUMBER_HUGE) {
        require(isinf(expected));
        return;
    }
    // The C library reads hexadecimal too.
    if (at < end && (*at == 'x' || *at == 'X')) { return; }
    require(at == stop && memcmp(&value, &expected, sizeof value) == 0);
    char written[FR_NUMBER_BYTES + 1];
    written[fr_number_write(value, written)] = '\0';
    double again = strtod(written, NULL);
    require(memcmp(&value, &again, sizeof value) == 0);
}

static void check_float(const char *text, const char *at, const char *end, fr_number_result result, float value) {
    char *stop;
    float expected = strtof(text, &stop);
    if (result == FR_NUMBER_HUGE) {
        require(isinf(expected));
        return;
    }
    if (at < end && (*at == 'x' || *at == 'X')) { return; }
    require(at == stop && memcmp(&value, &expected, sizeof value) == 0);
    char written[FR_NUMBER_BYTES + 1];
    written[fr_number_write_float(value, written)] = '\0';
    float again = strtof(written, NULL);
    require(memcmp(&value, &again, sizeof value) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    if (text == NULL) { return 0; }
    if (size > 0) { memcpy(text, data, size); }
    text[size] = '\0';
    const char *end = text + size, *at = text;
    double wide = 0.0;
    fr_number_result result = fr_number_read(&at, end, &wide);
    if (result == FR_NUMBER_OK || result == FR_NUMBER_HUGE) { check_double(text, at, end, result, wide); }
    at = text;
    float narrow = 0.0f;
    result = fr_number_read_float(&at, end, &narrow);
    if (result == FR_NUMBER_OK || result == FR_NUMBER_HUGE) { check_float(text, at, end, result, narrow); }
    free(text);
    return 0;
}
