// The cursor of readers: words, numbers and messages with line and column.
#include "cursor.h"

#include <limits.h>
#include <stdio.h>

#define CHECK_BYTES (256 * 1024)

fr__cursor fr__cursor_make(const void *bytes, size_t size, const char *name, const fr_control *control,
                           fr_error *error) {
    // An empty input may come without an address; the cursor still needs one to count from.
    const char *begin = size > 0 ? bytes : "";
    fr__cursor cursor = {.at = begin,
                         .end = begin + size,
                         .begin = begin,
                         .next_check = begin,
                         .name = name,
                         .control = control,
                         .error = error,
                         .counted_at = begin,
                         .counted_to = begin,
                         .counted_line = 1};
    return cursor;
}

fr__place fr__cursor_place(fr__cursor *cursor, const char *at) {
    if (at < cursor->counted_at) {
        cursor->counted_at = cursor->begin;
        cursor->counted_to = cursor->begin;
        cursor->counted_line = 1;
    }
    for (const char *p = cursor->counted_to; p < at; p++) {
        if (!fr__is_line_end(*p)) { continue; }
        if (*p == '\r' && p + 1 < cursor->end && p[1] == '\n') { continue; }
        cursor->counted_at = p + 1;
        if (cursor->counted_line < INT_MAX) { cursor->counted_line++; }
    }
    if (at > cursor->counted_to) { cursor->counted_to = at; }
    ptrdiff_t column = at - cursor->counted_at + 1;
    return (fr__place){cursor->counted_line, column < INT_MAX ? (int)column : INT_MAX};
}

fr_status fr__cursor_fail(fr__cursor *cursor, const char *at, fr_status status, const char *format, ...) {
    if (cursor->error == NULL) { return status; }
    char message[FR_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    fr_error_set(cursor->error, status, "%s", message);
    fr__place place = at != NULL ? fr__cursor_place(cursor, at) : (fr__place){0, 0};
    fr_error_locate(cursor->error, cursor->name, place.line, place.column);
    return status;
}

const char *fr__cursor_found(const fr__cursor *cursor, char text[FR__FOUND_BYTES]) {
    // Into `text` as all else: callers may look there.
    if (fr__cursor_at_end(cursor)) { return memcpy(text, "the end of the file", 20); }
    if (fr__cursor_at_line_end(cursor)) { return memcpy(text, "the end of the line", 20); }
    size_t length = 0;
    text[length++] = '\'';
    for (const char *p = cursor->at; p < cursor->end && !fr__is_space(*p) && length < 21; p++) {
        text[length++] = *p > 0x20 && *p < 0x7f ? *p : '?';
    }
    text[length++] = '\'';
    text[length] = '\0';
    return text;
}

fr_status fr__cursor_fail_number(fr__cursor *cursor, fr_number_result result, const char *what) {
    char text[FR__FOUND_BYTES];
    const char *found = fr__cursor_found(cursor, text);
    if (result == FR_NUMBER_NAMED) {
        return fr__cursor_fail(cursor, cursor->at, FR_ERROR_NOT_FINITE, "%s as %s is not a finite number", found, what);
    }
    if (result == FR_NUMBER_HUGE) {
        return fr__cursor_fail(cursor, cursor->at, FR_ERROR_NOT_FINITE, "%s as %s is too large", found, what);
    }
    return fr__cursor_fail(cursor, cursor->at, FR_ERROR_SYNTAX, "expected a number as %s, found %s", what, found);
}

fr_status fr__cursor_check_now(fr__cursor *cursor) {
    if (fr_control_is_stopped(cursor->control)) {
        return fr__cursor_fail(cursor, NULL, FR_ERROR_STOPPED, FR__STOPPED_TEXT);
    }
    size_t size = (size_t)(cursor->end - cursor->begin), done = (size_t)(cursor->at - cursor->begin);
    fr_control_progress(cursor->control, size > 0 ? (double)done / (double)size : 1.0, "reading");
    size_t left = fr__cursor_left(cursor);
    cursor->next_check = cursor->at + (left < CHECK_BYTES ? left : CHECK_BYTES);
    return FR_OK;
}

fr__span fr__rest_of_line(fr__cursor *cursor) {
    fr__skip_blanks(cursor);
    const char *begin = cursor->at;
    fr__skip_to_line_end(cursor);
    const char *end = cursor->at;
    while (end > begin && fr__is_blank(end[-1])) {
        end--;
    }
    return (fr__span){begin, (size_t)(end - begin)};
}
