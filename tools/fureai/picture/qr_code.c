// The picture of a QR code in half-block characters: two rows of modules a line.
#include "qr_code.h"

#include <stdio.h>
#include <string.h>

// By the colours of the terminal itself a code may come out light on dark, which not every reader takes.
#define BLACK_ON_WHITE "\033[30;47m"
#define PLAIN "\033[0m\n"

int qr_code_columns(const qr_code *code) { return code->width + 2 * QR_CODE_BORDER; }

static bool is_dark(const qr_code *code, int row, int column) {
    bool is_within = row >= 0 && row < code->width && column >= 0 && column < code->width;
    return is_within && code->is_dark[row * code->width + column] != 0;
}

void qr_code_draw(const qr_code *code, char *out, size_t size) {
    static const char *const halves[2][2] = {{" ", "\u2584"}, {"\u2580", "\u2588"}}; // upper, lower
    size_t length = 0;
    if (size == 0) { return; }
    out[0] = '\0';
    int end = code->width + QR_CODE_BORDER;
    for (int row = -QR_CODE_BORDER; row < end; row += 2) {
        char line[sizeof BLACK_ON_WHITE PLAIN + 3 * (QR_CODE_WIDTH_MAX + 2 * QR_CODE_BORDER)] = BLACK_ON_WHITE;
        size_t at = strlen(line);
        for (int column = -QR_CODE_BORDER; column < end; column++) {
            const char *half = halves[is_dark(code, row, column)][is_dark(code, row + 1, column)];
            at += (size_t)snprintf(line + at, sizeof line - at, "%s", half);
        }
        at += (size_t)snprintf(line + at, sizeof line - at, "%s", PLAIN);
        if (length + at + 1 > size) {
            out[0] = '\0';
            return;
        }
        memcpy(out + length, line, at + 1);
        length += at;
    }
}
