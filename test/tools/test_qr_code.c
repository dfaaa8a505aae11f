// QR codes of the tool: what a reader makes of their picture. The reader is a small one of this test: it takes the
// modules from the half-block characters and reads the text of codes of one block, by the standard (ISO/IEC 18004).
#include "qr_code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#ifndef FUREAI_HAVE_QRENCODE
#define FUREAI_HAVE_QRENCODE 0
#endif

enum { SIDE_MAX = QR_CODE_WIDTH_MAX + 2 * QR_CODE_BORDER + 1, BYTES_MAX = 128 };

static char text[QR_CODE_TEXT_BYTES];

// Takes a picture apart into modules with their border; returns its columns.
static int read_picture(const char *picture, uint8_t modules[SIDE_MAX][SIDE_MAX]) {
    static const struct {
        const char *half;
        uint8_t upper, lower;
    } halves[] = {{" ", 0, 0}, {"\u2580", 1, 0}, {"\u2584", 0, 1}, {"\u2588", 1, 1}};
    int columns = 0;
    for (int row = 0; *picture != '\0'; row += 2) {
        assert_memory_equal(picture, "\033[30;47m", 8);
        picture += 8;
        int column = 0;
        while (*picture != '\033') {
            size_t i = 0;
            while (i < 4 && strncmp(picture, halves[i].half, strlen(halves[i].half)) != 0) {
                i++;
            }
            assert_true(i < 4);
            modules[row][column] = halves[i].upper;
            modules[row + 1][column++] = halves[i].lower;
            picture += strlen(halves[i].half);
        }
        assert_memory_equal(picture, "\033[0m\n", 5);
        picture += 5;
        assert_true(row == 0 || column == columns);
        columns = column;
    }
    return columns;
}

static bool is_masked(int mask, int r, int c) {
    switch (mask) {
    case 0: return (r + c) % 2 == 0;
    case 1: return r % 2 == 0;
    case 2: return c % 3 == 0;
    case 3: return (r + c) % 3 == 0;
    case 4: return (r / 2 + c / 3) % 2 == 0;
    case 5: return r * c % 2 + r * c % 3 == 0;
    case 6: return (r * c % 2 + r * c % 3) % 2 == 0;
    default: return ((r + c) % 2 + r * c % 3) % 2 == 0;
    }
}

// Whether a module is no data: finders with their formats, timing, and the one alignment pattern of versions 2 and 3.
static bool is_fixed(int n, int r, int c) {
    bool is_corner = (r < 9 && (c < 9 || c >= n - 8)) || (r >= n - 8 && c < 9);
    int middle = n - 7;
    bool is_alignment = n > 21 && r >= middle - 2 && r <= middle + 2 && c >= middle - 2 && c <= middle + 2;
    return is_corner || is_alignment || r == 6 || c == 6;
}

// The 15 bits of the format, beside the finder at the upper left.
static unsigned read_format(const uint8_t m[SIDE_MAX][SIDE_MAX]) {
    unsigned bits = 0;
    for (int i = 0; i < 15; i++) {
        int row = i < 8 ? 8 : (i == 8 ? 7 : 14 - i);
        int column = i < 6 ? i : (i == 6 ? 7 : 8);
        bits = bits << 1 | m[row + QR_CODE_BORDER][column + QR_CODE_BORDER];
    }
    return bits ^ 0x5412u;
}

// Reads the bytes of a code of one block; their count.
static int read_text(const uint8_t m[SIDE_MAX][SIDE_MAX], int n, char *out) {
    uint8_t bytes[BYTES_MAX] = {0};
    int bit = 0, up = 1;
    unsigned format = read_format(m);
    assert_int_equal(format >> 13, 0); // level M
    int mask = (int)(format >> 10 & 7);
    for (int right = n - 1; right > 0; right -= 2, up = !up) {
        if (right == 6) { right--; }
        for (int i = 0; i < 2 * n; i++) {
            int r = up ? n - 1 - i / 2 : i / 2, c = right - i % 2;
            if (is_fixed(n, r, c)) { continue; }
            unsigned is_dark = m[r + QR_CODE_BORDER][c + QR_CODE_BORDER] ^ (unsigned)is_masked(mask, r, c);
            if (bit / 8 < BYTES_MAX) { bytes[bit / 8] |= (uint8_t)(is_dark << (7 - bit % 8)); }
            bit++;
        }
    }
    assert_int_equal(bytes[0] >> 4, 4); // bytes
    int count = (bytes[0] & 15) << 4 | bytes[1] >> 4;
    for (int i = 0; i < count; i++) {
        out[i] = (char)((bytes[i + 1] & 15) << 4 | bytes[i + 2] >> 4);
    }
    return count;
}

static void a_reader_reads_the_text(void **state) {
    (void)state;
    static const char *const texts[] = {"a",
                                        "https://10.0.0.7:8420",
                                        "https://192.168.1.20:8420",
                                        "https://192.168.100.200:65535",
                                        "https://[fe80::1234:5678:9abc:def0]:8420",
                                        "0123456789012345678901234567890123456789 2"};
    if (!FUREAI_HAVE_QRENCODE) { skip(); }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        static uint8_t modules[SIDE_MAX][SIDE_MAX];
        char found[BYTES_MAX] = {0};
        qr_code code;
        assert_true(qr_code_encode(texts[i], &code));
        qr_code_draw(&code, text, sizeof text);
        int columns = read_picture(text, modules);
        assert_int_equal(columns, qr_code_columns(&code));
        int width = columns - 2 * QR_CODE_BORDER;
        assert_true(width == 21 || width == 25 || width == 29);
        assert_int_equal(read_text((const uint8_t(*)[SIDE_MAX])modules, width, found), strlen(texts[i]));
        assert_string_equal(found, texts[i]);
    }
}

static void its_border_is_light(void **state) {
    (void)state;
    qr_code code = {.width = 21};
    static uint8_t modules[SIDE_MAX][SIDE_MAX];
    memset(code.is_dark, 1, sizeof code.is_dark);
    qr_code_draw(&code, text, sizeof text);
    assert_int_equal(read_picture(text, modules), 29);
    for (int r = 0; r < 30; r++) {
        for (int c = 0; c < 29; c++) {
            bool is_within = r >= 4 && r < 25 && c >= 4 && c < 25;
            assert_int_equal(modules[r][c], is_within);
        }
    }
}

static void the_largest_fits_and_less_room_gives_nothing(void **state) {
    (void)state;
    qr_code code = {.width = QR_CODE_WIDTH_MAX};
    memset(code.is_dark, 1, sizeof code.is_dark);
    qr_code_draw(&code, text, sizeof text);
    size_t length = strlen(text);
    assert_true(length > 0);
    qr_code_draw(&code, text, length);
    assert_string_equal(text, "");
    qr_code_draw(&code, text, length + 1);
    assert_int_equal(strlen(text), length);
    qr_code_draw(&code, NULL, 0);
}

static void what_has_no_code(void **state) {
    (void)state;
    char longer[400];
    qr_code code;
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    assert_false(qr_code_encode("", &code));
    assert_false(qr_code_encode(longer, &code));
    assert_int_equal(code.width, 0);
    assert_int_equal(qr_code_encode("https://10.0.0.7:8420", &code), FUREAI_HAVE_QRENCODE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_border_is_light),
        cmocka_unit_test(the_largest_fits_and_less_room_gives_nothing),
        cmocka_unit_test(what_has_no_code),
        cmocka_unit_test(a_reader_reads_the_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
