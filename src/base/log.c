// The process log and its hook.
#include "base/text.h"
#include "fureai/base.h"

#include <string.h>

#define LINE_BYTES 512

static fr_log_fn *log_hook;
static void *log_user;

void fr_set_log(fr_log_fn *hook, void *user) {
    log_hook = hook;
    log_user = user;
}

// The hook is promised one line: ends of lines at the end are dropped, those inside become spaces.
static void make_one_line(char *text) {
    size_t length = strlen(text);
    while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r')) {
        text[--length] = '\0';
    }
    for (size_t i = 0; i < length; ++i) {
        if (text[i] == '\n' || text[i] == '\r') { text[i] = ' '; }
    }
}

void fr_log(fr_log_level level, const char *format, ...) {
    if (log_hook == NULL) { return; }

    char text[LINE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    fr__text_format(text, sizeof text, format, arguments);
    va_end(arguments);

    make_one_line(text);
    log_hook(level, text, log_user);
}
