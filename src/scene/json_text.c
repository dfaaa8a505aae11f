// jsmn finds the tokens. It takes some text that is no JSON for JSON, says little of what it refuses, and takes
// quadratic time for deep nesting: so the text is checked before, and jsmn sees none that is wrong.
#include "scene/json_text.h"

#include "scene/json_check.h"

#include <stdalign.h>
#include <string.h>

#define JSMN_STATIC
#define JSMN_STRICT
#define JSMN_PARENT_LINKS
#include <jsmn.h>

static const char byte_order_mark[] = "\xEF\xBB\xBF";

// Line and column of a byte.
static void place_of(const fr__json *json, size_t offset, fr__json_mark *mark, int *line, int *column) {
    if (offset < mark->offset) { *mark = (fr__json_mark){0}; }
    for (; mark->offset < offset; mark->offset++) {
        if (json->text[mark->offset] == '\n') {
            mark->lines_before++;
            mark->line_begin = mark->offset + 1;
        }
    }
    *line = mark->lines_before + 1;
    *column = (int)(offset - mark->line_begin) + 1;
}

void fr__json_place(const fr__json *json, uint32_t token, fr__json_mark *mark, int *line, int *column) {
    const fr__json_token *t = &json->tokens[token];
    place_of(json, t->begin - (t->kind == FR__JSON_STRING), mark, line, column);
}

static fr__json_kind kind_of(const jsmntok_t *token, char first) {
    switch (token->type) {
    case JSMN_OBJECT: return FR__JSON_OBJECT;
    case JSMN_ARRAY: return FR__JSON_ARRAY;
    case JSMN_STRING: return FR__JSON_STRING;
    default: break;
    }
    if (first == 'n') { return FR__JSON_NULL; }
    return first == 't' || first == 'f' ? FR__JSON_BOOL : FR__JSON_NUMBER;
}

// Takes over jsmn's tokens. Parents come before what is in them, so that going backwards every token is whole before it
// widens its parent.
static void take_tokens(fr__json *json, const jsmntok_t *found) {
    for (uint32_t i = 0; i < json->token_count; i++) {
        json->tokens[i] = (fr__json_token){.begin = (uint32_t)found[i].start,
                                           .end = (uint32_t)found[i].end,
                                           .next = i + 1,
                                           .count = (uint32_t)found[i].size,
                                           .kind = kind_of(&found[i], json->text[found[i].start])};
    }
    for (uint32_t i = json->token_count; i-- > 1;) {
        fr__json_token *parent = &json->tokens[found[i].parent];
        if (parent->next < json->tokens[i].next) { parent->next = json->tokens[i].next; }
    }
}

static fr_status divide(fr__json *json, fr_error *error) {
    size_t count = json->token_count;
    jsmntok_t *found = fr_allocate(&json->allocator, count, sizeof *found, alignof(jsmntok_t));
    json->tokens = fr_allocate(&json->allocator, count, sizeof *json->tokens, alignof(fr__json_token));
    fr_status status = FR_ERROR_MEMORY;
    if (found != NULL && json->tokens != NULL) {
        jsmn_parser parser;
        jsmn_init(&parser);
        int result = jsmn_parse(&parser, json->text, json->size, found, (unsigned)count);
        status = result == (int)count ? FR_OK : FR_ERROR_SYNTAX;
        FR_ASSERT(status == FR_OK);
    }
    if (status == FR_OK) { take_tokens(json, found); }
    fr_release(&json->allocator, found, count, sizeof *found);
    if (status == FR_OK) { return FR_OK; }
    fr__json_close(json);
    return fr_error_set(error, status, "%s", fr_status_text(status));
}

fr_status fr__json_open(fr__json *json, const char *text, size_t size, size_t max_bytes, uint32_t max_depth,
                        const fr_allocator *allocator, fr_error *error) {
    FR_ASSERT(max_bytes <= FR__JSON_MAX_BYTES);
    *json = (fr__json){.text = text, .size = size, .allocator = fr_allocator_or_default(allocator)};
    if (size > max_bytes) {
        return fr_error_set(error, FR_ERROR_LIMIT, "%zu bytes are more than the %zu that are read", size, max_bytes);
    }
    size_t mark_bytes = sizeof byte_order_mark - 1;
    if (size >= mark_bytes && memcmp(text, byte_order_mark, mark_bytes) == 0) {
        json->text += mark_bytes;
        json->size -= mark_bytes;
    }

    size_t token_count, offset;
    fr_status status = fr__json_check(json->text, json->size, max_depth, &token_count, &offset, error);
    if (status != FR_OK) {
        fr__json_mark mark = {0};
        int line, column;
        place_of(json, offset, &mark, &line, &column);
        fr_error_locate(error, NULL, line, column);
        return status;
    }
    json->token_count = (uint32_t)token_count;
    return divide(json, error);
}

void fr__json_close(fr__json *json) {
    fr_release(&json->allocator, json->tokens, json->token_count, sizeof *json->tokens);
    json->tokens = NULL;
    json->token_count = 0;
}
