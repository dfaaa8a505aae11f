#include "number.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Copies a number's characters to a terminated buffer, because strtod would read on past `size`, and would take
// blanks, hexadecimal and words that we refuse.
static bool copy_number(const char *text, size_t size, const char *allowed, char *out, size_t out_size) {
    if (size == 0 || size >= out_size) { return false; }
    memcpy(out, text, size);
    out[size] = '\0';
    return strspn(out, allowed) == size;
}

bool number_read(const char *text, size_t size, double *out) {
    char copy[400]; // the longest double that is written out in full has 309 digits before the point
    if (!copy_number(text, size, "0123456789+-.eE", copy, sizeof copy)) { return false; }
    char *end = NULL;
    double value = strtod(copy, &end);
    if (end == copy || *end != '\0' || !isfinite(value)) { return false; }
    *out = value;
    return true;
}

bool number_read_int(const char *text, size_t size, int64_t *out) {
    char copy[32];
    if (!copy_number(text, size, "0123456789+-", copy, sizeof copy)) { return false; }
    char *end = NULL;
    errno = 0;
    long long value = strtoll(copy, &end, 10);
    if (end == copy || *end != '\0' || errno == ERANGE) { return false; }
    *out = (int64_t)value;
    return true;
}

int number_read_list(const char *text, double *out, int limit) {
    for (int count = 0; count < limit; ++count) {
        size_t size = strcspn(text, ",;");
        if (!number_read(text, size, &out[count])) { return -1; }
        if (text[size] == '\0') { return count + 1; }
        text += size + 1;
    }
    return -1;
}

void number_write(double value, char text[NUMBER_TEXT_BYTES]) {
    for (int digits = 15; digits <= 17; ++digits) {
        snprintf(text, NUMBER_TEXT_BYTES, "%.*g", digits, value);
        if (strtod(text, NULL) == value) { return; }
    }
}
