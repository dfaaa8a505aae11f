// A place in the bytes of a file, shared by all readers: words, numbers, and messages with line and column. Lines are
// counted only when a message needs them.
#ifndef FUREAI_MODEL_CURSOR_H
#define FUREAI_MODEL_CURSOR_H

#include "eight_bytes.h"

#include "fureai/base.h"

#include <string.h>

typedef struct fr__cursor {
    const char *at; // the next byte
    const char *end;
    const char *begin;
    const char *next_check;    // where the control is checked next
    const char *name;          // of the file, for messages; may be NULL
    const fr_control *control; // may be NULL
    fr_error *error;           // may be NULL
    const char *counted_at;    // start of a line whose number is known
    const char *counted_to;    // up to where no other line begins
    int counted_line;
} fr__cursor;

typedef struct fr__place {
    int line, column; // from 1
} fr__place;

fr__cursor fr__cursor_make(const void *bytes, size_t size, const char *name, const fr_control *control,
                           fr_error *error);

// The line and column of `at`. A line ends with LF, CR LF or CR. Quick when called for places in rising order.
fr__place fr__cursor_place(fr__cursor *cursor, const char *at);

// Sets the error, at the place of `at` or, when that is NULL, without one; returns the status.
fr_status fr__cursor_fail(fr__cursor *cursor, const char *at, fr_status status, const char *format, ...)
    FR_PRINTF(4, 5);

// The word at the cursor made fit for a message: at most 20 bytes, "the end of the file" where there is none.
#define FR__FOUND_BYTES 32
const char *fr__cursor_found(const fr__cursor *cursor, char text[FR__FOUND_BYTES]);

// Fails with what a number reader said about the word at the cursor; `what` names the number.
fr_status fr__cursor_fail_number(fr__cursor *cursor, fr_number_result result, const char *what);

#define FR__STOPPED_TEXT "reading was stopped"

// Checks the control: stops, or reports progress.
fr_status fr__cursor_check_now(fr__cursor *cursor);

// The same about every 256 KiB; call it once a line or so.
static inline fr_status fr__cursor_check(fr__cursor *cursor) {
    return cursor->at < cursor->next_check ? FR_OK : fr__cursor_check_now(cursor);
}

static inline size_t fr__cursor_left(const fr__cursor *cursor) { return (size_t)(cursor->end - cursor->at); }

// 0 .. 15; -1 where it is none.
static inline int fr__hex_digit(char c) {
    if (c >= '0' && c <= '9') { return c - '0'; }
    if (c >= 'a' && c <= 'f') { return c - 'a' + 10; }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Spaces are all bytes up to 0x20: one comparison, where text spends its time. Blanks are those that end no line.
static inline bool fr__is_space(char c) { return (unsigned char)c <= ' '; }
static inline bool fr__is_line_end(char c) { return c == '\n' || c == '\r'; }
static inline bool fr__is_blank(char c) { return fr__is_space(c) && !fr__is_line_end(c); }

static inline bool fr__cursor_at_end(const fr__cursor *cursor) { return cursor->at >= cursor->end; }
static inline bool fr__cursor_at_line_end(const fr__cursor *cursor) {
    return cursor->at >= cursor->end || fr__is_line_end(*cursor->at);
}

static inline void fr__skip_blanks(fr__cursor *cursor) {
    while (cursor->at < cursor->end && fr__is_blank(*cursor->at)) {
        cursor->at++;
    }
}

static inline void fr__skip_spaces(fr__cursor *cursor) {
    const char *at = cursor->at, *end = cursor->end;
    int count = 8;
    for (; count == 8 && end - at >= 8; at += count) {
        count = fr__eight_count(~fr__eight_spaces(fr__eight_load(at)));
    }
    if (count == 8) {
        while (at < end && fr__is_space(*at)) {
            at++;
        }
    }
    cursor->at = at;
}

// To the end of the line, not past it.
static inline void fr__skip_to_line_end(fr__cursor *cursor) {
    while (!fr__cursor_at_line_end(cursor)) {
        cursor->at++;
    }
}

// Past the end of the line.
static inline void fr__skip_line(fr__cursor *cursor) {
    fr__skip_to_line_end(cursor);
    if (cursor->at < cursor->end && *cursor->at++ == '\r' && cursor->at < cursor->end && *cursor->at == '\n') {
        cursor->at++;
    }
}

// Past a word: everything up to a space.
static inline void fr__skip_word(fr__cursor *cursor) {
    const char *at = cursor->at, *end = cursor->end;
    int count = 8;
    for (; count == 8 && end - at >= 8; at += count) {
        count = fr__eight_count(fr__eight_spaces(fr__eight_load(at)));
    }
    if (count == 8) {
        while (at < end && !fr__is_space(*at)) {
            at++;
        }
    }
    cursor->at = at;
}

// A piece of the file.
typedef struct fr__span {
    const char *begin;
    size_t length;
} fr__span;

// The rest of the line without blanks at its ends; moves to the line's end.
fr__span fr__rest_of_line(fr__cursor *cursor);

// The word at the cursor; moves past it.
static inline fr__span fr__take_word(fr__cursor *cursor) {
    const char *begin = cursor->at;
    fr__skip_word(cursor);
    return (fr__span){begin, (size_t)(cursor->at - begin)};
}

// Whether a span is `word`, in any case of its letters; `word` is in lower case.
static inline bool fr__span_is(fr__span span, const char *word) {
    if (span.length != strlen(word)) { return false; }
    if (memcmp(span.begin, word, span.length) == 0) { return true; }
    for (size_t i = 0; i < span.length; i++) {
        char c = span.begin[i];
        if (c != word[i] && (c < 'A' || c > 'Z' || c + ('a' - 'A') != word[i])) { return false; }
    }
    return true;
}

// Whether the number that was just read ends where a word does.
static inline bool fr__cursor_number_ended(const fr__cursor *cursor) {
    return cursor->at >= cursor->end || fr__is_space(*cursor->at) || *cursor->at == '#' || *cursor->at == '\\';
}

// Reads a number, which must end as a word does; `what` names it in the message.
static inline fr_status fr__take_double(fr__cursor *cursor, const char *what, double *value) {
    const char *start = cursor->at;
    fr_number_result result = fr_number_read(&cursor->at, cursor->end, value);
    if (result == FR_NUMBER_OK && fr__cursor_number_ended(cursor)) { return FR_OK; }
    cursor->at = start;
    return fr__cursor_fail_number(cursor, result, what);
}

static inline fr_status fr__take_float(fr__cursor *cursor, const char *what, float *value) {
    const char *start = cursor->at;
    fr_number_result result = fr_number_read_float(&cursor->at, cursor->end, value);
    if (result == FR_NUMBER_OK && fr__cursor_number_ended(cursor)) { return FR_OK; }
    cursor->at = start;
    return fr__cursor_fail_number(cursor, result, what);
}

static inline fr_status fr__take_integer(fr__cursor *cursor, const char *what, int64_t *value) {
    const char *start = cursor->at;
    if (fr_number_read_whole(&cursor->at, cursor->end, value) && fr__cursor_number_ended(cursor)) { return FR_OK; }
    cursor->at = start;
    char found[FR__FOUND_BYTES];
    return fr__cursor_fail(cursor, start, FR_ERROR_SYNTAX, "expected a whole number as %s, found %s", what,
                           fr__cursor_found(cursor, found));
}

#endif
