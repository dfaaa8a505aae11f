// Sound as WAV files: read back chunk by chunk; limits of their sizes.
#include "fureai/hand.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define RATE 48000

static uint32_t number_at(const uint8_t *bytes, uint32_t count) {
    uint32_t value = 0;
    for (uint32_t i = count; i > 0; i--) {
        value = value << 8 | bytes[i - 1];
    }
    return value;
}

static void a_file_reads_back(void **state) {
    (void)state;
    static uint8_t file[FR_WAV_HEADER_BYTES + 4 * 4800];
    static int16_t heard[4800][2];
    fr_random random = fr_random_seed(1);
    for (size_t i = 0; i < 4800; i++) {
        heard[i][0] = (int16_t)fr_random_between(&random, -32768.0, 32767.0);
        heard[i][1] = (int16_t)fr_random_between(&random, -32768.0, 32767.0);
    }
    heard[0][0] = INT16_MIN;
    heard[0][1] = INT16_MAX;
    fr_wav sound = {.stereo = heard[0], .frames = 4800, .rate = RATE};
    assert_int_equal(fr_wav_bytes(4800), sizeof file);
    assert_int_equal(fr_wav_write(&sound, file, sizeof file, NULL), FR_OK);

    // RIFF, its size, WAVE; then chunks.
    assert_memory_equal(file, "RIFF", 4);
    assert_int_equal(number_at(file + 4, 4), sizeof file - 8);
    assert_memory_equal(file + 8, "WAVE", 4);
    size_t at = 12;
    const uint8_t *format = NULL, *data = NULL;
    while (at + 8 <= sizeof file) {
        uint32_t size = number_at(file + at + 4, 4);
        assert_true(at + 8 + size <= sizeof file);
        if (memcmp(file + at, "fmt ", 4) == 0) { format = file + at + 8; }
        if (memcmp(file + at, "data", 4) == 0) {
            data = file + at + 8;
            assert_int_equal(size, 4 * 4800);
        }
        at += 8 + size;
    }
    assert_int_equal(at, sizeof file);
    assert_non_null(format);
    assert_non_null(data);
    assert_int_equal(number_at(format, 2), 1);
    assert_int_equal(number_at(format + 2, 2), 2);
    assert_int_equal(number_at(format + 4, 4), RATE);
    assert_int_equal(number_at(format + 8, 4), 4 * RATE);
    assert_int_equal(number_at(format + 12, 2), 4);
    assert_int_equal(number_at(format + 14, 2), 16);
    for (size_t i = 0; i < 2 * 4800; i++) {
        assert_int_equal((int16_t)number_at(data + 2 * i, 2), (&heard[0][0])[i]);
    }
}

static void sizes_of_files_have_limits(void **state) {
    (void)state;
    uint8_t bytes[FR_WAV_HEADER_BYTES];
    fr_wav sound = {.rate = RATE};
    assert_int_equal(fr_wav_write(&sound, bytes, sizeof bytes, NULL), FR_OK); // no sound is a file too
    assert_int_equal(number_at(bytes + 40, 4), 0);
    assert_int_equal(fr_wav_write(&sound, bytes, sizeof bytes - 1, NULL), FR_ERROR_ARGUMENT);

    int16_t frame[2] = {0, 0};
    sound.stereo = frame;
    sound.frames = FR_WAV_MAX_FRAMES;
    assert_int_equal(fr_wav_header(&sound, bytes, NULL), FR_OK);
    assert_true(number_at(bytes + 4, 4) > UINT32_MAX - 8); // the longest there is
    assert_int_equal(number_at(bytes + 4, 4), number_at(bytes + 40, 4) + 36);
    assert_int_equal(fr_wav_write(&sound, bytes, sizeof bytes, NULL), FR_ERROR_ARGUMENT);
    sound.frames++;
    assert_int_equal(fr_wav_header(&sound, bytes, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_wav_write(&sound, bytes, sizeof bytes, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_wav_bytes(sound.frames), 0);
    assert_int_equal(fr_wav_bytes(UINT64_MAX), 0);

    sound.frames = 0;
    sound.rate = 0;
    assert_int_equal(fr_wav_header(&sound, bytes, NULL), FR_ERROR_ARGUMENT);
    sound.rate = FR_HAND_RATE_MAX + 1;
    assert_int_equal(fr_wav_header(&sound, bytes, NULL), FR_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_reads_back),
        cmocka_unit_test(sizes_of_files_have_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
