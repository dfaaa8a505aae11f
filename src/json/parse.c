// The grammar of RFC 8259: one pass over the bytes, from text to tokens.
#include "json/document.h"

#include <string.h>

// Bytes between two checks of the control.
#define CHECK_BYTES ((size_t)256 * 1024)

// Tokens that are reserved before the first one; a text has at most one for two bytes.
enum { FIRST_TOKENS = 32768 };

// The parser. Each function that scans is given where it is and returns where it ends, or NULL after a failure.
// While a container is open, its `next` is the container around it and its `count` the values before the open one.
typedef struct parser {
    const char *begin, *end;
    const char *next_check;
    const char *wrong; // the byte that does not fit
    fr__json_token *tokens;
    uint32_t count, capacity;    // of tokens
    uint32_t open;               // innermost open container; FR_JSON_NONE outside
    uint32_t last;               // its last value so far, or FR_JSON_NONE
    uint32_t values;             // how many it has so far
    uint32_t depth;              // containers that are open
    fr__json_token_array *array; // holds the tokens
    const fr_json_def *def;
    fr_error *error;
    fr_status status;
} parser;

// ---------------------------------------------------------------------------------------------------------------
// Failures

static const char *fail(parser *p, const char *at, fr_status status) {
    p->wrong = at;
    p->status = status;
    return NULL;
}

// Reports that something else should stand here.
static const char *expected(parser *p, const char *at, const char *what) {
    if (at >= p->end) {
        return fail(p, at, fr_error_set(p->error, FR_ERROR_SYNTAX, "%s expected, but the text ends", what));
    }
    unsigned char byte = (unsigned char)*at;
    size_t length = fr_utf8_length(at, (size_t)(p->end - at));
    if (byte < 0x20 || byte == 0x7f) {
        fr_error_set(p->error, FR_ERROR_SYNTAX, "%s expected, not the byte 0x%02x", what, (unsigned)byte);
    } else if (length == 0) {
        fr_error_set(p->error, FR_ERROR_SYNTAX, "%s expected, not bytes that are no UTF-8", what);
    } else {
        fr_error_set(p->error, FR_ERROR_SYNTAX, "%s expected, not '%.*s'", what, (int)length, at);
    }
    return fail(p, at, FR_ERROR_SYNTAX);
}

static const char *wrong_string(parser *p, const char *at, const char *message) {
    return fail(p, at, fr_error_set(p->error, FR_ERROR_SYNTAX, "%s", message));
}

// ---------------------------------------------------------------------------------------------------------------
// Tokens

// How many tokens to make room for: as many as the text will have if it goes on as it began, within 1.5 and 4 times
// those there are, so that few are copied and few are left over.
static size_t wanted_tokens(const parser *p, const char *at) {
    double done = (double)(at - p->begin) + 1.0, size = (double)(p->end - p->begin), count = (double)p->count;
    double wanted = 1.05 * count * (size / done);
    size_t low = p->count + p->count / 2 + 8, high = 4 * (size_t)p->count + 8;
    return wanted < (double)low ? low : wanted > (double)high ? high : (size_t)wanted;
}

// Room for one more token.
static bool make_room(parser *p, const char *at) {
    if (p->count >= p->def->max_values) {
        fail(p, at,
             fr_error_set(p->error, FR_ERROR_LIMIT, "more than %u values and keys", (unsigned)p->def->max_values));
        return false;
    }
    p->array->count = p->count;
    if (p->count >= p->array->capacity && !fr__json_token_array_reserve(p->array, wanted_tokens(p, at)) &&
        fr__json_token_array_push(p->array, 1) == NULL) {
        fail(p, NULL, fr_error_set(p->error, FR_ERROR_MEMORY, "%s", fr_status_text(FR_ERROR_MEMORY)));
        return false;
    }
    size_t capacity = p->array->capacity;
    p->capacity = capacity < p->def->max_values ? (uint32_t)capacity : p->def->max_values;
    p->tokens = p->array->data;
    return true;
}

static inline fr__json_token *add_token(parser *p, const char *at, fr_json_kind kind) {
    if (p->count >= p->capacity && !make_room(p, at)) { return NULL; }
    fr__json_token *token = &p->tokens[p->count++];
    *token = (fr__json_token){.begin = (uint32_t)(at - p->begin), .next = FR_JSON_NONE, .kind = (unsigned)kind & 7u};
    return token;
}

// A value, which follows the last one of its container.
static inline fr__json_token *add_value(parser *p, const char *at, fr_json_kind kind) {
    fr__json_token *token = add_token(p, at, kind);
    if (token == NULL) { return NULL; }
    if (p->last != FR_JSON_NONE) { p->tokens[p->last].next = p->count - 1; }
    p->last = p->count - 1;
    p->values++;
    return token;
}

// ---------------------------------------------------------------------------------------------------------------
// Strings

// Past the bytes that stand for themselves, eight at once: no quote, backslash, control character, and only ASCII.
static inline const char *skip_plain(const char *at, const char *end) {
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
    for (; end - at >= 8; at += 8) {
        const unsigned char *b = (const unsigned char *)at;
        uint64_t x = (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 |
                     (uint64_t)b[4] << 32 | (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 | (uint64_t)b[7] << 56;
        uint64_t quote = x ^ ones * '"', backslash = x ^ ones * '\\';
        // A borrow can only mark bytes above one that is marked rightly, and the lowest mark counts.
        uint64_t marks = ((quote - ones) | (backslash - ones) | (x - ones * 0x20) | x) & tops;
        if (marks != 0) { return at + __builtin_ctzll(marks) / 8; }
    }
    return at;
}

// The number of \uXXXX whose `u` stands at `at`, or -1.
static int hex_number(const char *at, const char *end) {
    if (end - at < 5) { return -1; }
    int number = 0;
    for (int i = 1; i <= 4; i++) {
        int digit = at[i] - '0', letter = (at[i] | 0x20) - 'a';
        bool is_letter = letter >= 0 && letter < 6;
        if (!is_letter && (digit < 0 || digit > 9)) { return -1; }
        number = 16 * number + (is_letter ? 10 + letter : digit);
    }
    return number;
}

// At the `u` of \uXXXX. A high surrogate is followed by a low one, and none stands alone.
static const char *scan_unicode_escape(parser *p, const char *at) {
    int number = hex_number(at, p->end);
    if (number < 0) { return wrong_string(p, at, "\\u is followed by four hexadecimal digits"); }
    bool is_high = number >= 0xD800 && number < 0xDC00, is_alone = number >= 0xDC00 && number < 0xE000;
    if (is_high) {
        const char *next = at + 5;
        bool is_escaped = p->end - next >= 6 && next[0] == '\\' && next[1] == 'u';
        int second = is_escaped ? hex_number(next + 1, p->end) : -1;
        is_alone = second < 0xDC00 || second >= 0xE000;
        if (!is_alone) { at += 6; }
    }
    return is_alone ? wrong_string(p, at, "half of a surrogate pair stands alone") : at + 5;
}

// At a backslash.
static const char *scan_escape(parser *p, const char *at) {
    at++;
    if (at < p->end && *at == 'u') { return scan_unicode_escape(p, at); }
    if (at >= p->end || *at == '\0' || strchr("\"\\/bfnrt", *at) == NULL) {
        return expected(p, at, "one of \" \\ / b f n r t u after a backslash");
    }
    return at + 1;
}

// At a character that does not stand for itself, or that is not ASCII.
static const char *scan_character(parser *p, const char *at) {
    if (*at == '\\') { return scan_escape(p, at); }
    if ((unsigned char)*at < 0x20) {
        return fail(p, at,
                    fr_error_set(p->error, FR_ERROR_SYNTAX, "a string holds the control character 0x%02x unescaped",
                                 (unsigned)(unsigned char)*at));
    }
    size_t length = fr_utf8_length(at, (size_t)(p->end - at));
    return length > 0 ? at + length : wrong_string(p, at, "a string holds bytes that are no UTF-8");
}

// At a quote, whose token is there.
static const char *scan_string(parser *p, const char *at, fr__json_token *token) {
    bool has_escape = false;
    token->begin++;
    for (at++;;) {
        at = skip_plain(at, p->end);
        if (at >= p->end) { return expected(p, at, "the quote that ends a string"); }
        if (*at == '"') { break; }
        has_escape = has_escape || *at == '\\';
        at = scan_character(p, at);
        if (at == NULL) { return NULL; }
    }
    token->end = (uint32_t)(at - p->begin);
    token->count = has_escape;
    return at + 1;
}

// ---------------------------------------------------------------------------------------------------------------
// Numbers and words

static inline bool is_digit(const char *at, const char *end) { return at < end && (unsigned char)(*at - '0') < 10; }

static inline const char *scan_digits(parser *p, const char *at) {
    if (!is_digit(at, p->end)) { return expected(p, at, "a digit"); }
    do {
        at++;
    } while (is_digit(at, p->end));
    return at;
}

// -? (0 | [1-9] digits) (. digits)? ([eE] [+-]? digits)?
static const char *scan_number(parser *p, const char *at) {
    if (*at == '-') { at++; }
    if (at < p->end && *at == '0') {
        at++;
        if (is_digit(at, p->end)) { return wrong_string(p, at, "a number begins with 0 and goes on"); }
    } else if ((at = scan_digits(p, at)) == NULL) {
        return NULL;
    }
    if (at < p->end && *at == '.' && (at = scan_digits(p, at + 1)) == NULL) { return NULL; }
    if (at < p->end && (*at | 0x20) == 'e') {
        at++;
        if (at < p->end && (*at == '+' || *at == '-')) { at++; }
        return scan_digits(p, at);
    }
    return at;
}

static const char *scan_word(parser *p, const char *at) {
    static const struct {
        const char *text;
        fr_json_kind kind;
    } words[] = {{"true", FR_JSON_BOOL}, {"false", FR_JSON_BOOL}, {"null", FR_JSON_NULL}};
    for (int i = 0; i < 3; i++) {
        size_t length = strlen(words[i].text);
        if ((size_t)(p->end - at) < length || memcmp(at, words[i].text, length) != 0) { continue; }
        fr__json_token *token = add_value(p, at, words[i].kind);
        if (token == NULL) { return NULL; }
        at += length;
        token->end = (uint32_t)(at - p->begin);
        return at;
    }
    return expected(p, at, "a value");
}

// ---------------------------------------------------------------------------------------------------------------
// Structure

static inline bool is_at(const parser *p, const char *at, char byte) { return at < p->end && *at == byte; }

static inline const char *skip_space(const parser *p, const char *at) {
    while (at < p->end && (unsigned char)*at <= ' ' && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')) {
        at++;
    }
    return at;
}

static inline bool in_object(const parser *p) { return p->tokens[p->open].kind == FR_JSON_OBJECT; }

static bool open_container(parser *p, const char *at) {
    if (p->depth >= p->def->max_depth) {
        fail(p, at,
             fr_error_set(p->error, FR_ERROR_LIMIT, "more than %u objects and arrays inside one another",
                          (unsigned)p->def->max_depth));
        return false;
    }
    fr__json_token *token = add_value(p, at, *at == '{' ? FR_JSON_OBJECT : FR_JSON_ARRAY);
    if (token == NULL) { return false; }
    token->next = p->open;
    if (p->open != FR_JSON_NONE) { p->tokens[p->open].count = p->values & 0x1FFFFFFFu; }
    p->open = p->last;
    p->last = FR_JSON_NONE;
    p->values = 0;
    p->depth++;
    return true;
}

// At the bracket that closes the innermost container.
static void close_container(parser *p, const char *at) {
    fr__json_token *token = &p->tokens[p->open];
    uint32_t around = token->next;
    token->end = (uint32_t)(at + 1 - p->begin);
    token->count = p->values & 0x1FFFFFFFu;
    token->next = FR_JSON_NONE;
    p->last = p->open;
    p->open = around;
    p->values = around != FR_JSON_NONE ? p->tokens[around].count : 1;
    p->depth--;
}

// A key and its colon, up to the value.
static const char *scan_key(parser *p, const char *at) {
    at = skip_space(p, at);
    if (!is_at(p, at, '"')) { return expected(p, at, "a key in quotes"); }
    fr__json_token *token = add_token(p, at, FR_JSON_STRING);
    if (token == NULL || (at = scan_string(p, at, token)) == NULL) { return NULL; }
    at = skip_space(p, at);
    return is_at(p, at, ':') ? at + 1 : expected(p, at, "':'");
}

// One value, or the beginning of a container up to its first value; *is_open says which.
static inline const char *scan_value(parser *p, const char *at, bool *is_open) {
    *is_open = false;
    at = skip_space(p, at);
    if (is_at(p, at, '-') || is_digit(at, p->end)) {
        fr__json_token *token = add_value(p, at, FR_JSON_NUMBER);
        if (token == NULL || (at = scan_number(p, at)) == NULL) { return NULL; }
        token->end = (uint32_t)(at - p->begin);
        return at;
    }
    if (is_at(p, at, '"')) {
        fr__json_token *token = add_value(p, at, FR_JSON_STRING);
        return token != NULL ? scan_string(p, at, token) : NULL;
    }
    if (!is_at(p, at, '{') && !is_at(p, at, '[')) { return scan_word(p, at); }

    if (!open_container(p, at)) { return NULL; }
    at = skip_space(p, at + 1);
    if (is_at(p, at, in_object(p) ? '}' : ']')) { return at; } // empty: what follows a value closes it
    *is_open = true;
    return in_object(p) ? scan_key(p, at) : at;
}

// After a value: ends of containers, and then a comma with what stands before the next value.
static inline const char *scan_after_value(parser *p, const char *at) {
    at = skip_space(p, at);
    while (p->open != FR_JSON_NONE && is_at(p, at, in_object(p) ? '}' : ']')) {
        close_container(p, at);
        at = skip_space(p, at + 1);
    }
    if (p->open == FR_JSON_NONE) { return at; }
    if (!is_at(p, at, ',')) { return expected(p, at, in_object(p) ? "',' or '}'" : "',' or ']'"); }
    at++;
    return in_object(p) ? scan_key(p, at) : at;
}

static bool check_control(parser *p, const char *at) {
    size_t left = (size_t)(p->end - at), size = (size_t)(p->end - p->begin);
    p->next_check = at + (left < CHECK_BYTES ? left : CHECK_BYTES);
    if (fr_control_is_stopped(p->def->control)) {
        fail(p, NULL, fr_error_set(p->error, FR_ERROR_STOPPED, "reading was stopped"));
        return false;
    }
    fr_control_progress(p->def->control, size > 0 ? (double)(size - left) / (double)size : 1.0, "reading");
    return true;
}

static const char *scan_text(parser *p) {
    const char *at = skip_space(p, p->begin);
    if (p->def->is_container && !is_at(p, at, '{') && !is_at(p, at, '[')) { return expected(p, at, "'{' or '['"); }
    do {
        bool is_open;
        if (at >= p->next_check && !check_control(p, at)) { return NULL; }
        at = scan_value(p, at, &is_open);
        if (at != NULL && !is_open) { at = scan_after_value(p, at); }
        if (at == NULL) { return NULL; }
    } while (p->open != FR_JSON_NONE);
    return at == p->end ? at : expected(p, at, "the end of the text");
}

fr_status fr__json_parse(fr_json *json, const fr_json_def *def, size_t *offset, fr_error *error) {
    parser p = {.begin = json->text,
                .end = json->text + json->size,
                .next_check = json->text,
                .open = FR_JSON_NONE,
                .last = FR_JSON_NONE,
                .array = &json->tokens,
                .def = def,
                .error = error};
    size_t first = json->size / 2 + 1;
    if (!fr__json_token_array_reserve(p.array, first < FIRST_TOKENS ? first : FIRST_TOKENS)) {
        *offset = SIZE_MAX;
        return fr_error_set(error, FR_ERROR_MEMORY, "%s", fr_status_text(FR_ERROR_MEMORY));
    }
    scan_text(&p);
    json->tokens.count = p.count;
    *offset = p.wrong != NULL ? (size_t)(p.wrong - p.begin) : SIZE_MAX;
    return p.status;
}
