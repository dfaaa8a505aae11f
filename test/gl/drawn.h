// A context for tests of gl; without one they are skipped.
#ifndef FUREAI_TEST_DRAWN_H
#define FUREAI_TEST_DRAWN_H

#include "fureai/gl.h"
#include "radar/seen.h"

#include <stdio.h>

static fr_gl *drawn_gl;

// False, with the reason told: this machine has none.
static inline bool drawn_open(void) {
    fr_gl_def def = fr_default_gl_def();
    fr_error error;
    fr_status status = fr_gl_create(&def, &drawn_gl, &error);
    if (status == FR_ERROR_UNSUPPORTED) { printf("skipped: %s\n", error.message); }
    if (status != FR_OK && status != FR_ERROR_UNSUPPORTED) {
        printf("failed: %s\n", error.message);
        exit(EXIT_FAILURE);
    }
    return status == FR_OK;
}

static inline int drawn_run(const struct CMUnitTest *tests, size_t count) {
    if (!drawn_open()) { return TEST_SKIPPED; }
    int failed = _cmocka_run_group_tests("tests", tests, count, NULL, NULL);
    fr_gl_destroy(drawn_gl);
    return failed;
}

// A radar that the context draws for.
static inline fr_radar *drawn_radar(void) {
    fr_radar *radar;
    assert_int_equal(fr_radar_create(NULL, &radar, NULL), FR_OK);
    fr_radar_backend backend = fr_gl_radar_backend(drawn_gl);
    fr_radar_set_backend(radar, &backend);
    return radar;
}

// The least and greatest number of a pixel and its eight neighbours.
static inline void drawn_around(const fr_radar_images *images, const double *plane, uint32_t column, uint32_t row,
                                double *low, double *high) {
    *low = INFINITY;
    *high = -INFINITY;
    for (uint32_t y = row > 0 ? row - 1 : 0; y <= row + 1 && y < images->height; y++) {
        for (uint32_t x = column > 0 ? column - 1 : 0; x <= column + 1 && x < images->width; x++) {
            double v = plane[(size_t)y * images->stride + x];
            *low = v < *low ? v : *low;
            *high = v > *high ? v : *high;
        }
    }
}

#endif
