// The error record: status, message and place.
#include "base/text.h"
#include "fureai/base.h"

#include <stdio.h>
#include <string.h>

fr_status fr_error_set(fr_error *error, fr_status status, const char *format, ...) {
    if (error == NULL) { return status; }

    // Written apart first: the arguments may be texts of this very error, which is how an error is wrapped.
    char message[FR_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    fr__text_format(message, sizeof message, format, arguments);
    va_end(arguments);

    memset(error, 0, sizeof *error);
    error->status = status;
    memcpy(error->message, message, strlen(message));
    return status;
}

// Copies a path; of one that is too long, "..." and as much of its end as fits, from the beginning of a character.
static void copy_path_end(char *to, const char *path) {
    static const char dots[] = "...";
    size_t length = strlen(path);
    if (length < FR_ERROR_PATH_BYTES) {
        memmove(to, path, length + 1);
        return;
    }

    const char *end = path + length - (FR_ERROR_PATH_BYTES - sizeof dots);
    while (fr__text_continues(*end)) {
        ++end;
    }
    memmove(to + sizeof dots - 1, end, strlen(end) + 1);
    memcpy(to, dots, sizeof dots - 1);
}

fr_status fr_error_set_cookie(fr_error *error, const char *maker) {
    return fr_error_set(error, FR_ERROR_ARGUMENT, "the definition or input was not made by %s", maker);
}

void fr_error_locate(fr_error *error, const char *path, int line, int column) {
    if (error == NULL) { return; }
    if (path != NULL) { copy_path_end(error->path, path); }
    error->line = line > 0 ? line : 0;
    error->column = column > 0 ? column : 0;
}

size_t fr_error_format(const fr_error *error, char *text, size_t size) {
    FR_ASSERT(error != NULL && (text != NULL || size == 0));

    // The place is "path", "line" and "column" with a colon after each that is known; a column alone says nothing.
    char line[16] = "", column[16] = "";
    if (error->line > 0) { snprintf(line, sizeof line, "%d:", error->line); }
    if (error->line > 0 && error->column > 0) { snprintf(column, sizeof column, "%d:", error->column); }
    const char *colon = error->path[0] != '\0' ? ":" : "";
    const char *space = error->path[0] != '\0' || error->line > 0 ? " " : "";
    const char *message = error->message[0] != '\0' ? error->message : fr_status_text(error->status);

    int length = snprintf(text, size, "%s%s%s%s%s%s", error->path, colon, line, column, space, message);
    if (length < 0) {
        if (size > 0) { text[0] = '\0'; }
        return 0;
    }
    if (size > 0 && (size_t)length >= size) { fr__text_drop_partial(text, size - 1); }
    return (size_t)length;
}
