// Values of a JSON text as C values: strings without their escapes, numbers, truth.
#include "json/document.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Strings. Escapes were checked with the text.

static uint32_t hex_number(const char *digits) {
    uint32_t number = 0;
    for (int i = 0; i < 4; i++) {
        char digit = digits[i];
        uint32_t value = (uint32_t)(digit <= '9' ? digit - '0' : 10 + (digit | 0x20) - 'a');
        number = 16 * number + value;
    }
    return number;
}

// Writes a character as UTF-8 and returns its bytes.
static size_t write_character(uint32_t number, char *out) {
    if (number < 0x80) {
        out[0] = (char)number;
        return 1;
    }
    size_t length = number < 0x800 ? 2 : number < 0x10000 ? 3 : 4;
    static const uint32_t first[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = length; i-- > 1; number >>= 6) {
        out[i] = (char)(0x80 | (number & 0x3F));
    }
    out[0] = (char)(first[length] | number);
    return length;
}

// Writes the character that an escape stands for, `at` being behind its backslash, and returns where the escape ends.
static const char *decode_escape(const char *at, char *out, size_t *used) {
    static const char letters[] = "\"\\/bfnrt";
    static const char meant[] = "\"\\/\b\f\n\r\t";
    if (*at != 'u') {
        out[(*used)++] = meant[strchr(letters, *at) - letters];
        return at + 1;
    }
    uint32_t number = hex_number(at + 1);
    at += 5;
    if (number >= 0xD800 && number < 0xDC00) {
        number = 0x10000 + ((number - 0xD800) << 10) + (hex_number(at + 2) - 0xDC00);
        at += 6;
    }
    *used += write_character(number, out + *used);
    return at;
}

size_t fr_json_decode(const fr_json *json, fr_json_value value, char *out) {
    if (!fr_json_is(json, value, FR_JSON_STRING)) { return 0; }
    fr_json_text text = fr_json_get_text(json, value);
    if (fr__json_token_at(json, value)->count == 0) {
        memcpy(out, text.bytes, text.size);
        return text.size;
    }
    const char *at = text.bytes, *end = text.bytes + text.size;
    size_t used = 0;
    while (at < end) {
        if (*at == '\\') {
            at = decode_escape(at + 1, out, &used);
        } else {
            out[used++] = *at++;
        }
    }
    return used;
}

bool fr_json_equals(const fr_json *json, fr_json_value value, const char *text) {
    if (!fr_json_is(json, value, FR_JSON_STRING)) { return false; }
    fr_json_text written = fr_json_get_text(json, value);
    size_t size = strlen(text);
    if (fr__json_token_at(json, value)->count == 0) {
        return written.size == size && memcmp(written.bytes, text, size) == 0;
    }
    const char *at = written.bytes, *end = written.bytes + written.size;
    size_t matched = 0;
    while (at < end) {
        char character[4];
        size_t length = 0;
        if (*at == '\\') {
            at = decode_escape(at + 1, character, &length);
        } else {
            character[length++] = *at++;
        }
        if (length > size - matched || memcmp(character, text + matched, length) != 0) { return false; }
        matched += length;
    }
    return matched == size;
}

// ---------------------------------------------------------------------------------------------------------------
// Numbers and truth

bool fr_json_get_number(const fr_json *json, fr_json_value value, double *out) {
    if (!fr_json_is(json, value, FR_JSON_NUMBER)) { return false; }
    fr_json_text text = fr_json_get_text(json, value);
    return fr_number_read(&text.bytes, text.bytes + text.size, out) == FR_NUMBER_OK;
}

// The exponent behind a number's digits; one that no number of ours has stands for all that are farther from 0.
static int64_t exponent_of(const char *at, const char *end) {
    const int64_t far = INT64_C(1) << 40;
    int64_t value = 0;
    bool is_negative = at < end && *at == '-';
    for (; at < end; at++) {
        if (*at >= '0' && *at <= '9' && value < far) { value = 10 * value + (*at - '0'); }
    }
    return is_negative ? -value : value;
}

bool fr__json_whole(const fr_json *json, fr_json_value value, bool *is_negative, uint64_t *out) {
    const uint64_t max = UINT64_C(1) << 53;
    if (!fr_json_is(json, value, FR_JSON_NUMBER)) { return false; }
    fr_json_text text = fr_json_get_text(json, value);
    const char *at = text.bytes, *end = text.bytes + text.size;
    // The digits without zeros at their end, and what power of ten they count.
    uint64_t digits = 0;
    int64_t zeros = 0, power = 0;
    bool is_behind_point = false;
    *is_negative = *at == '-';
    for (at += *is_negative; at < end && *at != 'e' && *at != 'E'; at++) {
        if (*at == '.') {
            is_behind_point = true;
            continue;
        }
        power -= is_behind_point;
        zeros++;
        if (*at == '0') { continue; }
        // More digits than `max` has are too many, or a fraction.
        for (; zeros > 0 && digits <= max; zeros--) {
            digits *= 10;
        }
        digits += (uint64_t)(*at - '0');
        if (digits > max) { return false; }
    }
    if (at < end) { power += exponent_of(at + 1, end); }
    power += zeros;
    if (digits != 0 && power < 0) { return false; }
    for (; digits != 0 && power > 0; power--) {
        if (digits > max / 10) { return false; }
        digits *= 10;
    }
    *out = digits;
    return true;
}

bool fr_json_get_whole(const fr_json *json, fr_json_value value, uint64_t *out) {
    bool is_negative = false;
    uint64_t whole = 0;
    if (!fr__json_whole(json, value, &is_negative, &whole) || (is_negative && whole != 0)) { return false; }
    *out = whole;
    return true;
}

bool fr_json_get_numbers(const fr_json *json, fr_json_value value, size_t count, double *out) {
    if (!fr_json_is(json, value, FR_JSON_ARRAY) || fr_json_count(json, value) != count) { return false; }
    fr_json_value v = fr_json_first(json, value);
    for (size_t i = 0; i < count; i++, v = fr_json_next(json, v)) {
        if (!fr_json_get_number(json, v, &out[i])) { return false; }
    }
    return true;
}

bool fr_json_get_bool(const fr_json *json, fr_json_value value, bool *out) {
    if (!fr_json_is(json, value, FR_JSON_BOOL)) { return false; }
    *out = *fr_json_get_text(json, value).bytes == 't';
    return true;
}
