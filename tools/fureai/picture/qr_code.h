// A QR code of a short text, such as an address, for a terminal: a phone or a headset reads it instead of having it
// typed.
#ifndef FUREAI_TOOL_QR_CODE_H
#define FUREAI_TOOL_QR_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    QR_CODE_WIDTH_MAX = 69, // modules of a side: that of version 13, for 177 bytes at the middle level
    QR_CODE_BORDER = 4,     // light modules around it, as readers need them
    // All lines of the largest: characters of 3 bytes, two rows a line, with colours and a line end each.
    QR_CODE_TEXT_BYTES =
        (QR_CODE_WIDTH_MAX + 2 * QR_CODE_BORDER + 1) / 2 * (3 * (QR_CODE_WIDTH_MAX + 2 * QR_CODE_BORDER) + 16) + 1
};

// The modules of a code, row after row: 1 where it is dark.
typedef struct {
    int width; // modules of a side
    uint8_t is_dark[QR_CODE_WIDTH_MAX * QR_CODE_WIDTH_MAX];
} qr_code;

// Makes the code of a text, at the level of errors M. False where this build has no libqrencode, the text is empty or
// too long, or memory is out.
bool qr_code_encode(const char *text, qr_code *out);

// Columns that its picture takes.
int qr_code_columns(const qr_code *code);

// Writes its picture, black on white with a border, as lines of half-block characters in UTF-8. `size` of
// QR_CODE_TEXT_BYTES is enough for every code; where it is less than the picture takes, the text is empty.
void qr_code_draw(const qr_code *code, char *out, size_t size);

#endif
