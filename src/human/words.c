// Words and numbers of a text with their places.
#include "words.h"

#include <math.h>
#include <string.h>

fr__words fr__words_begin(const char *text, size_t size, fr_error *error) {
    return (fr__words){.at = text, .end = text + size, .line_begin = text, .line = 1, .error = error};
}

fr_status fr__words_fail(const fr__words *w, fr_status status, const char *place, const char *text) {
    fr_error_set(w->error, status, "%s", text);
    fr_error_locate(w->error, NULL, w->line, (int)(place - w->line_begin) + 1);
    return status;
}

bool fr__words_is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f'; }

void fr__words_skip(fr__words *w) {
    while (w->at < w->end && fr__words_is_space(*w->at)) {
        if (*w->at == '\n') {
            w->line++;
            w->line_begin = w->at + 1;
        }
        w->at++;
    }
}

size_t fr__words_peek(fr__words *w) {
    fr__words_skip(w);
    const char *p = w->at;
    if (p < w->end && (*p == '{' || *p == '}')) { return 1; }
    while (p < w->end && !fr__words_is_space(*p) && *p != '{' && *p != '}') {
        p++;
    }
    return (size_t)(p - w->at);
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

bool fr__words_is(const fr__words *w, size_t length, const char *word) {
    if (strlen(word) != length) { return false; }
    for (size_t i = 0; i < length; i++) {
        if (lower(w->at[i]) != word[i]) { return false; }
    }
    return true;
}

bool fr__words_take(fr__words *w, const char *word) {
    size_t length = fr__words_peek(w);
    if (!fr__words_is(w, length, word)) { return false; }
    w->at += length;
    return true;
}

fr_status fr__words_expect(fr__words *w, const char *word, const char *sentence) {
    return fr__words_take(w, word) ? FR_OK : fr__words_fail(w, FR_ERROR_SYNTAX, w->at, sentence);
}

fr_status fr__words_number(fr__words *w, double *out) {
    fr__words_skip(w);
    const char *begin = w->at;
    switch (fr_number_read(&w->at, w->end, out)) {
    case FR_NUMBER_OK: break;
    case FR_NUMBER_MISSING: return fr__words_fail(w, FR_ERROR_SYNTAX, begin, "a number is missing here");
    case FR_NUMBER_NAMED:
    case FR_NUMBER_HUGE: return fr__words_fail(w, FR_ERROR_SYNTAX, begin, "this number is not finite");
    }
    if (w->at < w->end && !fr__words_is_space(*w->at) && *w->at != '}') {
        return fr__words_fail(w, FR_ERROR_SYNTAX, begin, "this is no number");
    }
    if (!(fabs(*out) <= 1e12)) { return fr__words_fail(w, FR_ERROR_SYNTAX, begin, "this number is too large"); }
    return FR_OK;
}
