#include "scene/json_check.h"

#include <string.h>

typedef struct checker {
    const char *begin, *at, *end;
    uint64_t objects; // bit i: the container of level i is an object
    uint32_t depth;   // containers that are open
    uint32_t max_depth;
    size_t token_count;
    fr_error *error;
} checker;

// ---------------------------------------------------------------------------------------------------------------
// What is there, and what should be

static bool is_digit(const checker *c) { return c->at < c->end && *c->at >= '0' && *c->at <= '9'; }

static bool is_at(const checker *c, char byte) { return c->at < c->end && *c->at == byte; }

static void skip_space(checker *c) {
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\n' || *c->at == '\r' || *c->at == '\t')) {
        c->at++;
    }
}

// Reports that something else should stand here.
static fr_status expected(const checker *c, const char *what) {
    if (c->at >= c->end) { return fr_error_set(c->error, FR_ERROR_SYNTAX, "%s expected, but the text ends", what); }
    unsigned char byte = (unsigned char)*c->at;
    if (byte < 0x20 || byte == 0x7f) {
        return fr_error_set(c->error, FR_ERROR_SYNTAX, "%s expected, not the byte 0x%02x", what, (unsigned)byte);
    }
    size_t length = fr_utf8_length(c->at, (size_t)(c->end - c->at));
    if (length == 0) {
        return fr_error_set(c->error, FR_ERROR_SYNTAX, "%s expected, not bytes that are no UTF-8", what);
    }
    return fr_error_set(c->error, FR_ERROR_SYNTAX, "%s expected, not '%.*s'", what, (int)length, c->at);
}

// ---------------------------------------------------------------------------------------------------------------
// Strings

// The number of \uXXXX whose `u` stands at `at`, or -1.
static int hex_number(const char *at, const char *end) {
    if (end - at < 5) { return -1; }
    int number = 0;
    for (int i = 1; i <= 4; i++) {
        int digit = at[i] - '0';
        int letter = (at[i] | 0x20) - 'a';
        if (letter >= 0 && letter < 6) { digit = 10 + letter; }
        if (digit < 0 || digit > 15 || (digit > 9 && (letter < 0 || letter > 5))) { return -1; }
        number = 16 * number + digit;
    }
    return number;
}

// At the `u` of \uXXXX. A high surrogate is followed by a low one, and none stands alone.
static fr_status check_unicode_escape(checker *c) {
    int number = hex_number(c->at, c->end);
    if (number < 0) { return fr_error_set(c->error, FR_ERROR_SYNTAX, "\\u is followed by four hexadecimal digits"); }
    bool high = number >= 0xD800 && number < 0xDC00;
    bool low = number >= 0xDC00 && number < 0xE000;
    if (high) {
        const char *next = c->at + 5;
        bool escaped = c->end - next >= 6 && next[0] == '\\' && next[1] == 'u';
        int second = escaped ? hex_number(next + 1, c->end) : -1;
        low = second < 0xDC00 || second >= 0xE000;
        if (!low) { c->at += 6; }
    }
    if (low) { return fr_error_set(c->error, FR_ERROR_SYNTAX, "half of a surrogate pair stands alone"); }
    c->at += 5;
    return FR_OK;
}

// At a backslash.
static fr_status check_escape(checker *c) {
    c->at++;
    if (is_at(c, 'u')) { return check_unicode_escape(c); }
    if (c->at >= c->end || *c->at == '\0' || strchr("\"\\/bfnrt", *c->at) == NULL) {
        return expected(c, "one of \" \\ / b f n r t u after a backslash");
    }
    c->at++;
    return FR_OK;
}

// At a quote.
static fr_status check_string(checker *c) {
    c->at++;
    c->token_count++;
    while (c->at < c->end && *c->at != '"') {
        if (*c->at == '\\') {
            fr_status status = check_escape(c);
            if (status != FR_OK) { return status; }
            continue;
        }
        if ((unsigned char)*c->at < 0x20) {
            return fr_error_set(c->error, FR_ERROR_SYNTAX, "a string holds the control character 0x%02x unescaped",
                                (unsigned)(unsigned char)*c->at);
        }
        size_t length = fr_utf8_length(c->at, (size_t)(c->end - c->at));
        if (length == 0) { return fr_error_set(c->error, FR_ERROR_SYNTAX, "a string holds bytes that are no UTF-8"); }
        c->at += length;
    }
    if (c->at >= c->end) { return expected(c, "the quote that ends a string"); }
    c->at++;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Numbers and words

static fr_status check_digits(checker *c) {
    if (!is_digit(c)) { return expected(c, "a digit"); }
    while (is_digit(c)) {
        c->at++;
    }
    return FR_OK;
}

// -? (0 | [1-9] digits) (. digits)? ([eE] [+-]? digits)?
static fr_status check_number(checker *c) {
    c->token_count++;
    if (is_at(c, '-')) { c->at++; }
    if (is_at(c, '0')) {
        c->at++;
        if (is_digit(c)) { return fr_error_set(c->error, FR_ERROR_SYNTAX, "a number begins with 0 and goes on"); }
    } else if (check_digits(c) != FR_OK) {
        return FR_ERROR_SYNTAX;
    }
    if (is_at(c, '.')) {
        c->at++;
        if (check_digits(c) != FR_OK) { return FR_ERROR_SYNTAX; }
    }
    if (is_at(c, 'e') || is_at(c, 'E')) {
        c->at++;
        if (is_at(c, '+') || is_at(c, '-')) { c->at++; }
        return check_digits(c);
    }
    return FR_OK;
}

static fr_status check_word(checker *c) {
    static const char *const words[] = {"true", "false", "null"};
    c->token_count++;
    for (int i = 0; i < 3; i++) {
        size_t length = strlen(words[i]);
        if ((size_t)(c->end - c->at) >= length && memcmp(c->at, words[i], length) == 0) {
            c->at += length;
            return FR_OK;
        }
    }
    return expected(c, "a value");
}

// ---------------------------------------------------------------------------------------------------------------
// Structure

static bool in_object(const checker *c) { return (c->objects >> (c->depth - 1) & 1) != 0; }

static fr_status open_container(checker *c) {
    if (c->depth >= c->max_depth) {
        fr_error_set(c->error, FR_ERROR_LIMIT, "more than %u objects and arrays inside one another",
                     (unsigned)c->max_depth);
        return FR_ERROR_LIMIT;
    }
    uint64_t bit = UINT64_C(1) << c->depth++;
    c->objects = *c->at == '{' ? c->objects | bit : c->objects & ~bit;
    c->at++;
    c->token_count++;
    return FR_OK;
}

// A key and its colon.
static fr_status check_key(checker *c) {
    skip_space(c);
    if (!is_at(c, '"')) { return expected(c, "a key in quotes"); }
    fr_status status = check_string(c);
    if (status != FR_OK) { return status; }
    skip_space(c);
    if (!is_at(c, ':')) { return expected(c, "':'"); }
    c->at++;
    return FR_OK;
}

// One value, or the beginning of a container up to its first value; *is_open tells which.
static fr_status check_value(checker *c, bool *is_open) {
    *is_open = false;
    skip_space(c);
    if (is_at(c, '"')) { return check_string(c); }
    if (is_at(c, '-') || is_digit(c)) { return check_number(c); }
    if (!is_at(c, '{') && !is_at(c, '[')) { return check_word(c); }

    fr_status status = open_container(c);
    if (status != FR_OK) { return status; }
    skip_space(c);
    if (is_at(c, in_object(c) ? '}' : ']')) { return FR_OK; } // empty: what follows a value closes it
    *is_open = true;
    return in_object(c) ? check_key(c) : FR_OK;
}

// After a value: ends of containers, and then a comma with what stands before the next value.
static fr_status check_after_value(checker *c) {
    skip_space(c);
    while (c->depth > 0 && is_at(c, in_object(c) ? '}' : ']')) {
        c->at++;
        c->depth--;
        skip_space(c);
    }
    if (c->depth == 0) { return FR_OK; }
    if (!is_at(c, ',')) { return expected(c, in_object(c) ? "',' or '}'" : "',' or ']'"); }
    c->at++;
    return in_object(c) ? check_key(c) : FR_OK;
}

static fr_status check_text(checker *c) {
    skip_space(c);
    if (!is_at(c, '{') && !is_at(c, '[')) { return expected(c, "'{' or '['"); }
    do {
        bool is_open;
        fr_status status = check_value(c, &is_open);
        if (status == FR_OK && !is_open) { status = check_after_value(c); }
        if (status != FR_OK) { return status; }
    } while (c->depth > 0);
    return c->at == c->end ? FR_OK : expected(c, "the end of the text");
}

fr_status fr__json_check(const char *text, size_t size, uint32_t max_depth, size_t *token_count, size_t *offset,
                         fr_error *error) {
    FR_ASSERT(max_depth >= 1 && max_depth <= FR__JSON_MAX_DEPTH);
    checker c = {.begin = text, .at = text, .end = text + size, .max_depth = max_depth, .error = error};
    fr_status status = check_text(&c);
    *token_count = c.token_count;
    *offset = (size_t)(c.at - c.begin);
    return status;
}
