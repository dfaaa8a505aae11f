// Messages on standard error.
#include "report.h"

#include <stdio.h>
#include <string.h>

enum { LINE_BYTES = 1024 };

// Whether a transient line stands on the terminal. Guarded by the lock of stderr.
static bool transient_shown;

static const char *program = "fureai";

// Of the lines that were written. Guarded by the lock of stderr.
static uint64_t hash_of_lines;

static const char erase_line[] = "\r\033[K";

static void erase_transient(void) {
    if (transient_shown) { fputs(erase_line, stderr); }
    transient_shown = false;
}

void report_set_program(const char *name) { program = name; }

const char *report_program(void) { return program; }

uint64_t report_hash(void) {
    flockfile(stderr);
    uint64_t hash = hash_of_lines;
    funlockfile(stderr);
    return hash;
}

void report_line(const char *line) {
    char safe[LINE_BYTES];
    size_t length = strlen(line);
    if (length >= sizeof safe) { length = sizeof safe - 1; }
    for (size_t i = 0; i < length; ++i) {
        unsigned char c = (unsigned char)line[i];
        safe[i] = (c < 0x20 && c != '\n' && c != '\t') || c == 0x7F ? '?' : line[i];
    }
    safe[length] = '\0';

    flockfile(stderr);
    erase_transient();
    hash_of_lines = fr_hash(safe, length, hash_of_lines);
    fprintf(stderr, "%s\n", safe);
    funlockfile(stderr);
}

void report(const char *format, ...) {
    char line[LINE_BYTES];
    va_list arguments;
    size_t prefix = (size_t)snprintf(line, sizeof line, "%s: ", program);
    va_start(arguments, format);
    vsnprintf(line + prefix, sizeof line - prefix, format, arguments);
    va_end(arguments);
    report_line(line);
}

void report_transient(const char *line) {
    flockfile(stderr);
    erase_transient();
    fputs(line, stderr);
    transient_shown = line[0] != '\0';
    fflush(stderr);
    funlockfile(stderr);
}

static void log_line(fr_log_level level, const char *text, void *user) {
    const fr_log_level *least = user;
    if (level >= *least) { report("%s%s", level == FR_LOG_WARNING ? "warning: " : "", text); }
}

void report_log(bool quiet) {
    static fr_log_level least;
    least = quiet ? FR_LOG_ERROR : FR_LOG_WARNING;
    fr_set_log(log_line, &least);
}
