// Paragraphs of help text, wrapped at a width.
#include "paragraph.h"

#include "fureai/base_drawing.h"

#include <string.h>

// The line that is being filled.
typedef struct line {
    fr_output_file *out;
    int indent;
    int columns;
    int used; // columns that are filled, the indent included; 0: the line is not begun
} line;

static int word_columns(const char *word, size_t size) {
    int columns = 0;
    while (size > 0) {
        size_t length = fr_utf8_length(word, size);
        if (length == 0) { length = 1; }
        word += length;
        size -= length;
        ++columns;
    }
    return columns;
}

static void end_line(line *l) {
    if (l->used > 0) { fr_output_file_print(l->out, "\n"); }
    l->used = 0;
}

static void add_word(line *l, const char *word, size_t size) {
    int width = word_columns(word, size);
    if (l->used > l->indent && l->used + 1 + width > l->columns) { end_line(l); }
    if (l->used == 0) {
        fr_output_file_print(l->out, "%*s", l->indent, "");
        l->used = l->indent;
    } else if (l->used > l->indent) {
        fr_output_file_print(l->out, " ");
        ++l->used;
    }
    fr_output_file_write(l->out, word, size);
    l->used += width;
}

static void add_words(line *l, const char *text, size_t size) {
    const char *end = text + size;
    while (text < end) {
        const char *blank = memchr(text, ' ', (size_t)(end - text));
        const char *word_end = blank != NULL ? blank : end;
        if (word_end > text) { add_word(l, text, (size_t)(word_end - text)); }
        text = word_end + (blank != NULL);
    }
}

static void add_text(line *l, const char *text) {
    while (*text != '\0') {
        size_t size = strcspn(text, "\n");
        if (size == 0) {
            end_line(l);
            fr_output_file_print(l->out, "\n");
        } else if (text[0] == ' ') {
            end_line(l);
            fr_output_file_print(l->out, "%*s%.*s\n", l->indent, "", (int)size, text);
        } else {
            add_words(l, text, size);
        }
        text += size;
        text += *text == '\n';
    }
    end_line(l);
}

void paragraph_write(fr_output_file *out, const char *text, int indent, int columns) {
    line l = {.out = out, .indent = indent, .columns = columns};
    add_text(&l, text);
}

void paragraph_write_entry(fr_output_file *out, const char *name, const char *text, int indent, int name_columns,
                           int columns) {
    int width = indent + (int)fr_utf8_count(name);
    line l = {.out = out, .indent = name_columns, .columns = columns};
    fr_output_file_print(out, "%*s%s", indent, "", name);
    if (width + 2 <= name_columns) {
        fr_output_file_print(out, "%*s", name_columns - width, "");
        l.used = name_columns;
    } else {
        fr_output_file_print(out, "\n");
    }
    add_text(&l, text);
}
