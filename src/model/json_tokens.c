#include "json_tokens.h"

#include <string.h>

typedef struct json_reader {
    fr__cursor *cursor;
    fr__json *json;
    uint32_t depth, nesting;
} json_reader;

static fr_status expected(json_reader *r, const char *what) {
    char found[FR__FOUND_BYTES];
    return fr__cursor_fail(r->cursor, r->cursor->at, FR_ERROR_SYNTAX, "expected %s, found %s", what,
                           fr__cursor_found(r->cursor, found));
}

static void skip_space(fr__cursor *cursor) {
    while (cursor->at < cursor->end &&
           (*cursor->at == ' ' || *cursor->at == '\t' || *cursor->at == '\n' || *cursor->at == '\r')) {
        cursor->at++;
    }
}

static uint32_t begin_token(json_reader *r, fr__json_kind kind) {
    fr__json_token *token = fr_array_push(&r->json->tokens, 1);
    if (token == NULL) { return 0; }
    *token = (fr__json_token){.begin = (uint32_t)(r->cursor->at - r->json->text), .kind = kind};
    return (uint32_t)r->json->tokens.count;
}

// `number` is that of begin_token: one more than the token's index.
static fr__json_token *token_of(json_reader *r, uint32_t number) {
    return (fr__json_token *)r->json->tokens.data + number - 1;
}

static void end_token(json_reader *r, uint32_t number, const char *end) {
    fr__json_token *token = token_of(r, number);
    token->end = (uint32_t)(end - r->json->text);
    token->next = (uint32_t)r->json->tokens.count;
}

static fr_status no_memory(json_reader *r) {
    return fr__cursor_fail(r->cursor, NULL, FR_ERROR_MEMORY, "%s", fr_status_text(FR_ERROR_MEMORY));
}

static bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// After a backslash.
static bool skip_escape(fr__cursor *cursor) {
    if (cursor->at >= cursor->end) { return false; }
    char c = *cursor->at++;
    if (c != 'u') { return c != '\0' && strchr("\"\\/bfnrt", c) != NULL; }
    for (int i = 0; i < 4; i++, cursor->at++) {
        if (cursor->at >= cursor->end || !is_hex(*cursor->at)) { return false; }
    }
    return true;
}

static fr_status read_string(json_reader *r) {
    fr__cursor *cursor = r->cursor;
    if (cursor->at >= cursor->end || *cursor->at != '"') { return expected(r, "a string"); }
    const char *start = cursor->at++;
    uint32_t token = begin_token(r, FR__JSON_STRING);
    if (token == 0) { return no_memory(r); }
    for (;;) {
        if (cursor->at >= cursor->end || (unsigned char)*cursor->at < 0x20) {
            return fr__cursor_fail(cursor, start, FR_ERROR_SYNTAX, "a string has no end on its line");
        }
        char c = *cursor->at++;
        if (c == '"') { break; }
        if (c == '\\' && !skip_escape(cursor)) {
            return fr__cursor_fail(cursor, start, FR_ERROR_SYNTAX, "a string has an escape that JSON does not have");
        }
    }
    end_token(r, token, cursor->at - 1);
    return FR_OK;
}

static fr_status read_number(json_reader *r) {
    fr__cursor *cursor = r->cursor;
    uint32_t token = begin_token(r, FR__JSON_NUMBER);
    if (token == 0) { return no_memory(r); }
    const char *start = cursor->at;
    double value = 0.0;
    fr_number_result result = fr_number_read(&cursor->at, cursor->end, &value);
    if (result != FR_NUMBER_OK) {
        cursor->at = start;
        return fr__cursor_fail_number(cursor, result, "a value");
    }
    end_token(r, token, cursor->at);
    return FR_OK;
}

static fr_status read_word(json_reader *r) {
    static const char *const words[] = {"true", "false", "null"};
    fr__cursor *cursor = r->cursor;
    for (size_t i = 0; i < 3; i++) {
        size_t length = strlen(words[i]);
        if (fr__cursor_left(cursor) < length || memcmp(cursor->at, words[i], length) != 0) { continue; }
        uint32_t token = begin_token(r, FR__JSON_WORD);
        if (token == 0) { return no_memory(r); }
        cursor->at += length;
        end_token(r, token, cursor->at);
        return FR_OK;
    }
    return expected(r, "a value");
}

static fr_status read_value(json_reader *r);

// The members of an object or the elements of an array, from after the bracket to after the one that closes it.
static fr_status read_list(json_reader *r, uint32_t token, bool is_object) {
    fr__cursor *cursor = r->cursor;
    const char close = is_object ? '}' : ']';
    uint32_t count = 0;
    skip_space(cursor);
    while (cursor->at < cursor->end && *cursor->at != close) {
        if (is_object) {
            FR_ASSERT(token > 0);
            fr_status status = read_string(r);
            if (status != FR_OK) { return status; }
            skip_space(cursor);
            if (cursor->at >= cursor->end || *cursor->at != ':') { return expected(r, "':'"); }
            cursor->at++;
        }
        fr_status status = read_value(r);
        if (status != FR_OK) { return status; }
        count++;
        skip_space(cursor);
        if (cursor->at < cursor->end && *cursor->at == ',') {
            cursor->at++;
            skip_space(cursor);
            if (cursor->at < cursor->end && *cursor->at == close) { return expected(r, "a value after ','"); }
        } else if (cursor->at >= cursor->end || *cursor->at != close) {
            return expected(r, is_object ? "',' or '}'" : "',' or ']'");
        }
    }
    if (cursor->at >= cursor->end) { return expected(r, is_object ? "'}'" : "']'"); }
    cursor->at++;
    token_of(r, token)->count = count;
    end_token(r, token, cursor->at);
    return FR_OK;
}

static fr_status read_value(json_reader *r) {
    fr__cursor *cursor = r->cursor;
    fr_status status = fr__cursor_check(cursor);
    if (status != FR_OK) { return status; }
    skip_space(cursor);
    if (cursor->at >= cursor->end) { return expected(r, "a value"); }
    char c = *cursor->at;
    if (c == '"') { return read_string(r); }
    if (c == '-' || (c >= '0' && c <= '9')) { return read_number(r); }
    if (c != '{' && c != '[') { return read_word(r); }
    if (r->depth >= r->nesting) {
        return fr__cursor_fail(cursor, cursor->at, FR_ERROR_LIMIT, "more than %u brackets in one another, the limit",
                               r->nesting);
    }
    uint32_t token = begin_token(r, c == '{' ? FR__JSON_OBJECT : FR__JSON_ARRAY);
    if (token == 0) { return no_memory(r); }
    cursor->at++;
    r->depth++;
    status = read_list(r, token, c == '{');
    r->depth--;
    return status;
}

fr_status fr__json_read(fr__cursor *cursor, uint32_t nesting, const fr_allocator *allocator, fr__json *json) {
    *json = (fr__json){.text = cursor->begin, .tokens = fr_array_make(sizeof(fr__json_token), allocator)};
    if ((uint64_t)(cursor->end - cursor->begin) >= UINT32_MAX) {
        return fr__cursor_fail(cursor, NULL, FR_ERROR_LIMIT, "JSON of 4 GiB or more is not read");
    }
    json_reader r = {.cursor = cursor, .json = json, .nesting = nesting};
    fr_status status = read_value(&r);
    if (status != FR_OK) { return status; }
    skip_space(cursor);
    if (!fr__cursor_at_end(cursor)) { return expected(&r, "the end of the text"); }
    return FR_OK;
}

void fr__json_free(fr__json *json) { fr_array_free(&json->tokens); }

static uint32_t find_member(const fr__json *json, uint32_t object, const char *key) {
    const fr__json_token *token = fr__json_at(json, object);
    if (token->kind != FR__JSON_OBJECT) { return 0; }
    uint32_t at = object + 1;
    for (uint32_t i = 0; i < token->count; i++) {
        if (fr__json_is(json, at, key)) { return at + 1; }
        at = fr__json_at(json, at + 1)->next;
    }
    return 0;
}

uint32_t fr__json_member(const fr__json *json, uint32_t object, const char *key) {
    return object != 0 ? find_member(json, object, key) : 0;
}

uint32_t fr__json_top(const fr__json *json, const char *key) { return find_member(json, 0, key); }

uint32_t fr__json_first(const fr__json *json, uint32_t array) {
    return fr__json_count(json, array) > 0 ? array + 1 : 0;
}

uint32_t fr__json_next(const fr__json *json, uint32_t array, uint32_t element) {
    uint32_t next = fr__json_at(json, element)->next;
    return next < fr__json_at(json, array)->next ? next : 0;
}

uint32_t fr__json_count(const fr__json *json, uint32_t array) {
    return array != 0 && fr__json_at(json, array)->kind == FR__JSON_ARRAY ? fr__json_at(json, array)->count : 0;
}

fr__span fr__json_text(const fr__json *json, uint32_t token) {
    const fr__json_token *t = fr__json_at(json, token);
    return (fr__span){json->text + t->begin, t->end - t->begin};
}

bool fr__json_number_of(const fr__json *json, uint32_t token, double *value) {
    if (token == 0 || fr__json_at(json, token)->kind != FR__JSON_NUMBER) { return false; }
    fr__span text = fr__json_text(json, token);
    const char *at = text.begin;
    return fr_number_read(&at, text.begin + text.length, value) == FR_NUMBER_OK;
}

bool fr__json_whole_of(const fr__json *json, uint32_t token, uint64_t *value) {
    double number = 0.0;
    if (!fr__json_number_of(json, token, &number) || number < 0.0 || number > 9007199254740992.0) { return false; }
    *value = (uint64_t)number;
    return (double)*value == number;
}

bool fr__json_is(const fr__json *json, uint32_t token, const char *text) {
    if (token == 0 && fr__json_at(json, 0)->kind != FR__JSON_STRING) { return false; }
    fr__span span = fr__json_text(json, token);
    return fr__json_at(json, token)->kind == FR__JSON_STRING && span.length == strlen(text) &&
           memcmp(span.begin, text, span.length) == 0;
}
