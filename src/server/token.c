// Reads tokens and compares them in constant time.
#include "server/token.h"

#include "fureai/file.h"

#include <string.h>

static const char *const role_names[] = {"none", "watch", "handle", "direct"};

// A word of a line.
typedef struct word {
    const char *text;
    size_t size;
} word;

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// The next word between *at and `end`; of no bytes where there is none.
static word next_word(const char **at, const char *end) {
    while (*at < end && is_space(**at)) {
        (*at)++;
    }
    word w = {*at, 0};
    while (*at < end && !is_space(**at)) {
        (*at)++;
    }
    w.size = (size_t)(*at - w.text);
    return w;
}

static fr_role role_of(word w) {
    for (int i = FR_ROLE_WATCH; i <= FR_ROLE_DIRECT; i++) {
        if (w.size == strlen(role_names[i]) && memcmp(w.text, role_names[i], w.size) == 0) { return (fr_role)i; }
    }
    return FR_ROLE_NONE;
}

static bool is_printable(word w) {
    for (size_t i = 0; i < w.size; i++) {
        if (w.text[i] <= ' ' || w.text[i] > '~') { return false; }
    }
    return true;
}

static fr_status read_line(const char *at, const char *end, fr__token_array *out, fr_error *error) {
    word role = next_word(&at, end), text = next_word(&at, end), more = next_word(&at, end);
    if (role.size == 0 || role.text[0] == '#') { return FR_OK; }
    fr_role given = role_of(role);
    if (given == FR_ROLE_NONE) {
        return fr_error_set(error, FR_ERROR_SYNTAX, "a line begins with watch, handle or direct");
    }
    if (text.size == 0 || more.size > 0 || !is_printable(text)) {
        return fr_error_set(error, FR_ERROR_SYNTAX, "behind the role stands one token, printable ASCII without spaces");
    }
    if (text.size < FR__TOKEN_MIN_BYTES || text.size > FR__TOKEN_MAX_BYTES) {
        return fr_error_set(error, FR_ERROR_LIMIT, "a token has %d to %d bytes", FR__TOKEN_MIN_BYTES,
                            FR__TOKEN_MAX_BYTES);
    }
    if (out->count == FR__TOKENS_MAX) {
        return fr_error_set(error, FR_ERROR_LIMIT, "there are at most %d tokens", FR__TOKENS_MAX);
    }
    if (fr__tokens_role(out, text.text, text.size) != FR_ROLE_NONE) {
        return fr_error_set(error, FR_ERROR_SYNTAX, "this token stands in a line before");
    }
    fr__token *token = fr__token_array_push(out, 1);
    if (token == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for tokens"); }
    *token = (fr__token){.role = given};
    memcpy(token->text, text.text, text.size);
    return FR_OK;
}

fr_status fr__tokens_read(const char *text, size_t size, const char *path, fr__token_array *out, fr_error *error) {
    const char *at = text, *end = text + size;
    fr_status status = FR_OK;
    int line = 0;
    while (at < end && status == FR_OK) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        if (line_end == NULL) { line_end = end; }
        line++;
        status = read_line(at, line_end, out, error);
        at = line_end < end ? line_end + 1 : end;
    }
    if (status == FR_OK && out->count == 0) { status = fr_error_set(error, FR_ERROR_SYNTAX, "there is no token"); }
    if (status == FR_OK) { return FR_OK; }
    fr_error_locate(error, path, line > 0 ? line : 1, 1);
    fr__tokens_forget(out);
    return status;
}

fr_status fr__tokens_load(const char *path, fr__token_array *out, fr_error *error) {
    fr_input_file_def def = fr_default_input_file_def();
    def.path = path;
    def.limit = FR__TOKEN_FILE_BYTES;
    fr_input_file file = {0};
    fr_status status = fr_input_file_read(&def, &file, error);
    if (status != FR_OK) { return status; }
    status = fr__tokens_read(file.data, file.size, path, out, error);
    if (file.data != NULL) { fr__secret_wipe(file.data, file.size); }
    fr_input_file_destroy(&file);
    return status;
}

// The token of a client's text; of no bytes where there is none.
static word find_own(const char *text, size_t size) {
    const char *at = text, *end = text + size;
    while (at < end) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        if (line_end == NULL) { line_end = end; }
        word first = next_word(&at, line_end), second = next_word(&at, line_end), third = next_word(&at, line_end);
        at = line_end < end ? line_end + 1 : end;
        if (first.size == 0 || first.text[0] == '#') { continue; }
        bool has_role = second.size > 0 && role_of(first) != FR_ROLE_NONE;
        word token = has_role ? second : first;
        bool is_one = third.size == 0 && (has_role || second.size == 0);
        return is_one && is_printable(token) && token.size <= FR__TOKEN_MAX_BYTES ? token : (word){text, 0};
    }
    return (word){text, 0};
}

fr_status fr__token_load_own(const char *path, char out[FR__TOKEN_MAX_BYTES + 1], fr_error *error) {
    fr_input_file_def def = fr_default_input_file_def();
    def.path = path;
    def.limit = FR__TOKEN_FILE_BYTES;
    fr_input_file file = {0};
    fr_status status = fr_input_file_read(&def, &file, error);
    if (status != FR_OK) { return status; }
    word token = find_own(file.data != NULL ? file.data : "", file.size);
    memcpy(out, token.text, token.size);
    out[token.size] = '\0';
    if (file.data != NULL) { fr__secret_wipe(file.data, file.size); }
    fr_input_file_destroy(&file);
    if (out[0] != '\0') { return FR_OK; }
    fr_error_set(error, FR_ERROR_SYNTAX, "there is no token in it");
    fr_error_locate(error, path, 0, 0);
    return FR_ERROR_SYNTAX;
}

void fr__secret_wipe(void *bytes, size_t size) {
    volatile unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++) {
        at[i] = 0;
    }
}

void fr__tokens_forget(fr__token_array *tokens) {
    if (tokens->data != NULL) { fr__secret_wipe(tokens->data, tokens->count * sizeof *tokens->data); }
    fr__token_array_destroy(tokens);
}

// 1 where all bytes are the same, else 0; without a branch on any of them.
static uint32_t is_same(const unsigned char *a, const unsigned char *b) {
    uint32_t difference = 0;
    for (int i = 0; i < FR__TOKEN_MAX_BYTES; i++) {
        difference |= (uint32_t)(a[i] ^ b[i]);
    }
    return (uint32_t)((difference - 1u) >> 31);
}

fr_role fr__tokens_role(const fr__token_array *tokens, const char *text, size_t size) {
    unsigned char padded[FR__TOKEN_MAX_BYTES] = {0};
    if (size > FR__TOKEN_MAX_BYTES) { return FR_ROLE_NONE; }
    memcpy(padded, text, size);
    uint32_t role = FR_ROLE_NONE;
    for (size_t i = 0; i < tokens->count; i++) {
        role |= (uint32_t)tokens->data[i].role * is_same(tokens->data[i].text, padded);
    }
    fr__secret_wipe(padded, sizeof padded);
    return (fr_role)role;
}
